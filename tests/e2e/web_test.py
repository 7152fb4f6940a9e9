#!/usr/bin/python3
"""Audits every site of the test web, compares with what each expects, then judges the access log."""
from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from testbed import Findings, Ran, Recorded, Web, check_log, program, recorded, run, scratch, sites, web  # noqa: E402

PAGES = 6
AT_ONCE = int(os.environ.get("PERIPLUS_AUDITS", "4"))
# While no report can be written, the read alone can be tested.
WORDS = ["--record-only"] if os.environ.get("PERIPLUS_RECORD_ONLY") else ["--json"]


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def audit(there: Web, folder: Path, name: str, expected: dict[str, Any]) -> tuple[Ran, Recorded | None]:
    home = there.home(folder / name, allow=expected.get("allow", "*"), more=expected.get("config"))
    start = there.url(expected.get("host", name), expected.get("scheme", "http"),
                      expected.get("start", "/"))
    ran = run("audit", start, "--home", str(home), "--pages", str(expected.get("pages", PAGES)),
              *WORDS, timeout=90)
    return ran, recorded(home)


def judge(found: Findings, name: str, expected: dict[str, Any], ran: Ran, visit: Recorded | None) -> None:
    detail = f"{name}: exit {ran.code}, " + (
        f"{visit.outcome} {visit.failure} ({visit.detail[:80]})" if visit else "no visit") + \
        f" after {ran.seconds:.1f} s"
    if os.environ.get("PERIPLUS_VERBOSE"):
        print(detail, flush=True)
    found.check("Sanitizer" not in ran.err and "runtime error" not in ran.err,
                f"{name}: sanitizer: {ran.err[-3000:]}")
    if not found.check(ran.code in listed(expected["exit"]),
                       f"{detail}; expected exit {expected['exit']}; {ran.err[-300:]}"):
        return
    if not found.check(visit is not None, f"{name}: nothing was recorded; {ran.err[-300:]}"):
        return
    assert visit
    found.check(visit.outcome in listed(expected["outcome"]),
                f"{detail}; expected {expected['outcome']}")
    if "kind" in expected:
        # Where a start page never answered, its failure is the visit's.
        kinds = {visit.failure, *(page["failure"] for page in visit.pages)}
        found.check(bool(kinds & set(listed(expected["kind"]))),
                    f"{detail}; failures {kinds}, expected {expected['kind']}")
    if "title" in expected:
        titles = [page["title"] for page in visit.pages]
        found.check(expected["title"] in titles, f"{name}: titles {titles}, expected {expected['title']}")
    if "cut" in expected:
        found.check(any(page["cut"] for page in visit.pages), f"{name}: no page is marked as cut")
    if "--json" in WORDS:
        try:
            report = ran.json()
            found.check(isinstance(report, dict), f"{name}: --json gave no object")
            if "score" in expected:
                failing = [rule["id"] for rule in report["rules"] if rule["verdict"] == "fail"]
                found.check(report["score"] == expected["score"],
                            f"{name}: score {report['score']}, expected {expected['score']}; failing: {failing}")
        except ValueError as error:
            found.check(False, f"{name}: --json gave no JSON ({error}): {ran.out[:200]!r}")


def main() -> int:
    found = Findings()
    wanted = sys.argv[1:]
    known = {name: entry["expected"] for name, entry in sites().items()
             if not wanted or name in wanted}
    print(f"{len(known)} sites, {program()}", flush=True)
    with scratch() as folder, web(folder / "web") as there:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            results = {name: pool.submit(audit, there, folder, name, expected)
                       for name, expected in known.items()}
            for name, result in results.items():
                judge(found, name, known[name], *result.result())
        asked: dict[str, list[str]] = {}
        for line in there.log():
            asked.setdefault(line["site"], []).append(line["path"])
        for name, expected in known.items():
            for path in expected.get("must_fetch", []):
                found.check(path in asked.get(name, []), f"{name}: {path} was not asked for")
            for path in expected.get("once", []):
                times = asked.get(name, []).count(path)
                found.check(times == 1, f"{name}: {path} was asked for {times} times")
        log = check_log(there.state, "--floor", "0.2", "--parallel", "3")
        found.check(log.code == 0, f"access log:\n{log.out[-6000:]}{log.err}")
        print(log.out.splitlines()[-1] if log.out else "no log", flush=True)
    return found.end()


if __name__ == "__main__":
    sys.exit(main())
