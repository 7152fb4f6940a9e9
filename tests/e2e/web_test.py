#!/usr/bin/python3
"""Audits every site of the test web, compares with what each expects, then judges the access log."""
from __future__ import annotations

import json
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
            named(found, name, expected, report)
        except ValueError as error:
            found.check(False, f"{name}: --json gave no JSON ({error}): {ran.out[:200]!r}")


def named(found: Findings, name: str, expected: dict[str, Any], report: dict[str, Any]) -> None:
    """What the report must say by name: failing rules and what their findings quote (`fails`) or must not
    quote (`clean`), traps by kind, and addresses left unread with the reason."""
    rules = {rule["id"]: rule for rule in report["rules"]}
    for rule, quotes in expected.get("fails", {}).items():
        told = json.dumps(rules[rule]["findings"], ensure_ascii=False)
        found.check(rules[rule]["verdict"] == "fail", f"{name}: {rule} is {rules[rule]['verdict']}, expected to fail")
        for quote in quotes:
            found.check(quote in told, f"{name}: {rule} does not name {quote}: {told[:400]}")
    for rule, quotes in expected.get("clean", {}).items():
        told = json.dumps(rules[rule]["findings"], ensure_ascii=False)
        for quote in quotes:
            found.check(quote not in told, f"{name}: {rule} names {quote}, which is sound: {told[:400]}")
    kinds = {trap["kind"] for trap in report["traps"]}
    for kind in expected.get("traps", []):
        found.check(kind in kinds, f"{name}: traps {kinds}, expected {kind}")
    left = {(entry["url"], entry["reason"]) for entry in report["not_fetched"]}
    for path, reason in expected.get("not_fetched", {}).items():
        found.check(any(url.endswith(path) and why == reason for url, why in left),
                    f"{name}: {path} is not left unread for {reason}: {sorted(left)[:6]}")
    for reason in expected.get("left", []):
        found.check(reason in report["not_fetched_counts"],
                    f"{name}: left unread {report['not_fetched_counts']}, expected some for {reason}")


def logged(found: Findings, name: str, expected: dict[str, Any], lines: list[dict[str, Any]]) -> None:
    """What the access log must show of one site."""
    asked = [line["path"] for line in lines]
    for path in expected.get("must_fetch", []):
        found.check(path in asked, f"{name}: {path} was not asked for")
    for path in expected.get("once", []):
        found.check(asked.count(path) == 1, f"{name}: {path} was asked for {asked.count(path)} times")
    for peer in expected.get("peers", []):
        found.check(any(f"'{peer}'" in line["peer"] for line in lines), f"{name}: nothing was asked from {peer}")
    if "version" in expected:
        told = {line["version"] for line in lines if line["scheme"] == "https"}
        found.check(told == {expected["version"]}, f"{name}: HTTP versions {told}, expected {expected['version']}")


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
        lines: dict[str, list[dict[str, Any]]] = {}
        for line in there.log():
            lines.setdefault(line["site"], []).append(line)
        for name, expected in known.items():
            logged(found, name, expected, lines.get(name, []))
        log = check_log(there.state, "--floor", "0.2", "--parallel", "3")
        found.check(log.code == 0, f"access log:\n{log.out[-6000:]}{log.err}")
        print(log.out.splitlines()[-1] if log.out else "no log", flush=True)
    return found.end()


if __name__ == "__main__":
    sys.exit(main())
