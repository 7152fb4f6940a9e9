#!/usr/bin/python3
"""What a process owes a site, the next one owes it too: Retry-After in each form with kill -9 or an end in between;
and two audits at once, of two sites and of one."""
from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from testbed import PLAIN, Findings, Web, check_log, program, recorded, run, scratch, web  # noqa: E402

LONG = {"pace": ['floor = "200ms"', 'longest_wait = "30s"']}
SHORT = {"pace": ['floor = "200ms"', 'longest_wait = "1s"']}


def asked(there: Web, site: str) -> list[dict[str, Any]]:
    return [line for line in there.log() if line["site"] == site]


def refusal(there: Web, site: str) -> dict[str, Any] | None:
    return next((line for line in asked(there, site) if line["status"] == 503), None)


def begin(there: Web, home: Path, site: str, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([str(program()), "audit", there.url(site), "--home", str(home), "--json", *words],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=PLAIN)


def wait_for(what: Callable[[], Any], seconds: float = 30) -> bool:
    deadline = time.monotonic() + seconds
    while not what():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def nobody_asks(found: Findings, there: Web, home: Path, site: str) -> None:
    """Within a pause a new process that may not wait so long asks nothing at all, and says that it did not."""
    before = len(asked(there, site))
    ran = run("fetch", there.url(site), "--home", str(home), "--json")
    found.check(ran.code in (3, 6), f"{site}: a fetch within the pause: exit {ran.code}: {ran.out[:300]}")
    found.check(ran.code not in (3, 6) or ran.json()["status"] is None, f"{site}: an answer from nowhere: {ran.out[:300]}")
    found.check(len(asked(there, site)) == before, f"{site}: asked within its pause: {asked(there, site)[before:]}")


def killed_in_a_pause(found: Findings, there: Web, folder: Path, form: str) -> None:
    site = f"pause-{form}.test"
    home = there.home(folder / site, more=LONG)
    process = begin(there, home, site)
    found.check(wait_for(lambda: refusal(there, site)), f"{site}: never came to its 503")
    time.sleep(0.2)  # the answer is on its way to the reader, and into its book
    found.check(process.poll() is None, f"{site}: did not wait out the pause")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    found.check(recorded(home) is None, f"{site}: half a visit was recorded")
    nobody_asks(found, there, there.home(home, more=SHORT), site)
    before = len(asked(there, site))
    ran = run("audit", there.url(site), "--home", str(there.home(home, more=LONG)), "--json")
    found.check(ran.code == 0, f"{site}: the read after the pause: exit {ran.code}: {ran.err[-300:]}")
    after = asked(there, site)[before:]
    line = refusal(there, site)
    found.check(bool(after) and line is not None and after[0]["start"] - line["end"] >= 4.9,
                f"{site}: asked again {after[0]['start'] - line['end'] if after and line else 0:.2f} s after its 503")
    found.check(bool(after) and any(x["path"] == "/tired" for x in after), f"{site}: /tired was not read after all")


def ended_by_a_pause(found: Findings, there: Web, folder: Path, form: str, least: float) -> None:
    site = f"pause-{form}.test"
    home = there.home(folder / site, more=LONG)
    ran = run("audit", there.url(site), "--home", str(home), "--json")
    found.check(ran.code == 6, f"{site}: exit {ran.code}, not 6: {ran.err[-300:]}")
    if ran.code == 6:
        report = ran.json()
        found.check(report["outcome"]["kind"] == "backed-off" and not report["complete"], f"{site}: {report['outcome']}")
        until = time.mktime(time.strptime(report["retry_at"], "%Y-%m-%dT%H:%M:%SZ")) - time.timezone
        found.check(until - time.time() > least, f"{site}: may be asked again at {report['retry_at']}")
    nobody_asks(found, there, home, site)
    again = run("audit", there.url(site), "--home", str(home))
    found.check(again.code == 6 and again.err.startswith("periplus: "), f"{site}: again: {again.code} {again.err}")


def two_sites_at_once(found: Findings, there: Web, folder: Path) -> None:
    home = there.home(folder / "shared")
    readers = {site: begin(there, home, site) for site in ("blog.test", "plain.test")}
    for site, process in readers.items():
        out, err = process.communicate(timeout=60)
        found.check(process.returncode == 0, f"{site} beside another: exit {process.returncode}: {err[-300:]!r}")
    for site in readers:
        found.check((home / "reports" / site / "report.html").exists(), f"{site}: no report")
    times = {site: [line["start"] for line in asked(there, site)] for site in readers}
    together = max(map(min, times.values())) < min(map(max, times.values()))
    found.check(together, "the two reads were not at the same time")
    doctor = run("doctor", "--home", str(home))
    found.check(doctor.code == 0, f"doctor after two at once: {doctor.code} {doctor.out[-300:]}")


def one_site_twice(found: Findings, there: Web, folder: Path) -> None:
    site = "crawl-delay.test"
    home = there.home(folder / "twice", more=LONG)
    first = begin(there, home, site)
    found.check(wait_for(lambda: asked(there, site)), f"{site}: the first read did not begin")
    second = run("audit", there.url(site), "--home", str(home))
    found.check(second.code == 6, f"{site}: the second read: exit {second.code}, not 6")
    found.check(f"{site} is being read by another process (number {first.pid})" in second.err and second.out == "",
                f"{site}: the second read says {second.out[:200]!r} {second.err!r}")
    _, err = first.communicate(timeout=90)
    found.check(first.returncode == 0, f"{site}: the first read: exit {first.returncode}: {err[-300:]!r}")
    visit = recorded(home)
    found.check(visit is not None and visit.outcome == "complete", f"{site}: {visit}")


def main() -> int:
    found = Findings()
    with scratch() as folder, web(folder / "web") as there:
        work = [(killed_in_a_pause, form) for form in ("seconds", "date")]
        work += [(ended_by_a_pause, *form) for form in (("huge", 9 * 365 * 86400), ("year", 9 * 365 * 86400),
                                                        ("negative", 50), ("words", 50), ("none", 50))]
        work += [(two_sites_at_once,), (one_site_twice,)]
        with ThreadPoolExecutor(4) as pool:
            done = [pool.submit(job[0], found, there, folder, *job[1:]) for job in work]
        for job in done:
            job.result()
        log = check_log(there.state, "--floor", "0.2", "--parallel", "3", "--no-limits")
        found.check(log.code == 0, f"access log:\n{log.out[-4000:]}{log.err}")
        print(log.out.splitlines()[-1] if log.out else "no log", flush=True)
    return found.end()


if __name__ == "__main__":
    sys.exit(main())
