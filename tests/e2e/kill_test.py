#!/usr/bin/python3
"""kill -9 at chance moments of an audit, over and over: nothing half-written, no politeness forgotten,
and in the end the same report as of a read that nobody disturbed.

PERIPLUS_KILLS says how often (10); PERIPLUS_SEED makes the moments the same again.
"""
from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from testbed import PLAIN, Findings, Web, check_log, program, recorded, run, scratch, web  # noqa: E402

KILLS = int(os.environ.get("PERIPLUS_KILLS", "10"))
SITE = "blog.test"
# What differs between two reads of the same site: when, and how long things took.
TIMES = re.compile(r"(^|_)(at|started|ended|made|date|time|times|timings|ms|seconds|waited|duration|version|"
                   r"next_read|read_at|generated|expires|not_after|visit|id|reused|took)($|_)")


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if not TIMES.search(k)}
    if isinstance(value, list):
        return [without_times(v) for v in value]
    if isinstance(value, str):
        value = re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "TIME", value)
        return re.sub(r"\d+(\.\d+)? (ms|s|seconds)\b", "N s", value)
    return value


def differences(a: Any, b: Any, at: str = "") -> list[str]:
    """Where two JSON values differ, a few of them."""
    if type(a) is not type(b):
        return [f"{at}: {a!r} | {b!r}"]
    if isinstance(a, dict):
        return [d for k in sorted(a.keys() | b.keys()) for d in differences(a.get(k), b.get(k), f"{at}.{k}")]
    if isinstance(a, list):
        if len(a) != len(b):
            return [f"{at}: {len(a)} | {len(b)} entries"]
        return [d for i, (x, y) in enumerate(zip(a, b)) for d in differences(x, y, f"{at}[{i}]")]
    return [] if a == b else [f"{at}: {str(a)[:80]!r} | {str(b)[:80]!r}"]


def audit_words(there: Web, home: Path) -> list[str]:
    return ["audit", there.url(SITE), "--home", str(home), "--pages", "30", "--json"]


def killed_after(words: list[str], seconds: float) -> bool:
    """Runs and kills; False when the run was over before."""
    process = subprocess.Popen([str(program()), *words], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env=PLAIN)
    try:
        process.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True


def litter(home: Path) -> list[str]:
    """Files a killed run may not leave for good: half-written reports."""
    return [str(p.relative_to(home)) for p in home.rglob("*.part*")]


def main() -> int:
    found = Findings()
    seed = int(os.environ.get("PERIPLUS_SEED", str(random.randrange(1 << 30))))
    chance = random.Random(seed)
    with scratch() as folder, web(folder / "web") as there:
        calm = there.home(folder / "calm")
        undisturbed = run(*audit_words(there, calm))
        if not found.check(undisturbed.code == 0, f"undisturbed: exit {undisturbed.code}: {undisturbed.err}"):
            return found.end()
        whole = undisturbed.seconds
        print(f"undisturbed: {whole:.1f} s; {KILLS} kills, seed {seed}", flush=True)

        home = there.home(folder / "home")
        kills = 0
        for number in range(KILLS * 3):
            if kills == KILLS:
                break
            after = chance.uniform(0.0, whole * 1.02)
            if not killed_after(audit_words(there, home), after):
                # It got to its end: its report is written, and the site has its ten minutes. Anew.
                found.check(recorded(home) is not None, f"run {number} ended and recorded nothing")
                home = there.home(folder / f"home{number}")
                # A new home knows nothing of the old one's debts; time lets them pass.
                time.sleep(0.3)
                continue
            kills += 1
            doctor = run("doctor", "--home", str(home))
            found.check(doctor.code == 0, f"kill {kills} after {after:.2f} s: doctor says {doctor.code}: "
                        f"{doctor.out[-500:]}{doctor.err[-300:]}")
            visit = recorded(home)
            found.check(visit is None or visit.outcome == "complete",
                        f"kill {kills} after {after:.2f} s: half a visit was recorded")
            if visit is not None:  # killed while reports were written: the visit itself is kept
                home = there.home(folder / f"home{number}")
                time.sleep(0.3)
        found.check(kills == KILLS, f"only {kills} kills came about")

        last = run(*audit_words(there, home))
        found.check(last.code == 0, f"the read after the kills: exit {last.code}: {last.err[-400:]}")
        if last.code == 0:
            unlike = differences(without_times(undisturbed.json()), without_times(last.json()))
            found.check(not unlike, "the report differs from the undisturbed one: " + "; ".join(unlike[:8]))
            on_disk = json.loads((home / "reports" / SITE / "report.json").read_text())
            unlike = differences(without_times(undisturbed.json()), without_times(on_disk))
            found.check(not unlike, "the written report differs: " + "; ".join(unlike[:8]))
        found.check(not litter(home), f"left behind: {litter(home)}")
        log = check_log(there.state, "--floor", "0.2", "--parallel", "3", "--no-limits")
        found.check(log.code == 0, f"access log:\n{log.out[-3000:]}{log.err}")
        print(log.out.splitlines()[-1] if log.out else "no log", flush=True)
    return found.end()


if __name__ == "__main__":
    sys.exit(main())
