#!/usr/bin/python3
"""Reads the test web's access log and tells every breach of good conduct. Knows nothing of the crawler.

The gap owed on one site is max(--floor, its Crawl-delay) x 0.9 (the pace may vary by a tenth). With
--parallel N, where no Crawl-delay is set, up to N requests may be open and starts lie owed/N apart;
otherwise the gap runs from the end of an answer to the start of the next request.
"""
from __future__ import annotations

import argparse
import email.utils
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

Line = dict[str, Any]
AGENT = r"^Periplus/[0-9.]+ \(\+https?://[^)]+\)$"
HERE = Path(__file__).resolve().parent


def wait_of(line: Line) -> float:
    """Seconds a 429 or 503 answer asks for, from the site's expectation; 60 where it gives none."""
    value = str(line.get("_retry", ""))
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - line["wall_end"])
    except (TypeError, ValueError):
        return 60.0


def check(lines: list[Line], sites: dict[str, Any], floor: float = 1.0, parallel: int = 1,
          agent: str = AGENT) -> list[tuple[str, list[Line]]]:
    """All breaches: what was done, and the lines that show it."""
    found: list[tuple[str, list[Line]]] = []
    by_site: dict[str, list[Line]] = defaultdict(list)
    for line in sorted(lines, key=lambda x: x["start"]):
        by_site[line["site"]].append(line)
    for name, asked in by_site.items():
        expected = sites.get(name, {}).get("expected", {})
        found += _manners(asked, expected, agent)
        found += _pace(asked, expected, floor, parallel)
        found += _robots_first(asked)
        limit = expected.get("max_requests")
        if limit is not None and len(asked) > limit:
            found.append((f"{name}: {len(asked)} requests, at most {limit} expected", asked[-1:]))
    return found


def _manners(asked: list[Line], expected: Line, agent: str) -> list[tuple[str, list[Line]]]:
    found: list[tuple[str, list[Line]]] = []
    for line in asked:
        fields = {k.lower(): v for k, v in line["headers"]}
        if not re.match(agent, fields.get("user-agent", "")):
            found.append(("User-Agent is not the crawler's own", [line]))
        if line["method"] != "GET":
            found.append((f"method {line['method']}", [line]))
        if "cookie" in fields and not expected.get("cookie_allowed"):
            found.append(("a Cookie was sent", [line]))
        if "referer" in fields:
            found.append(("a Referer was sent", [line]))
        if line["path"] != "/robots.txt" and any(line["path"].startswith(p)
                                                 for p in expected.get("never", [])):
            found.append(("a path that must never be asked", [line]))
    return found


def _pace(asked: list[Line], expected: Line, floor: float, parallel: int) -> list[tuple[str, list[Line]]]:
    found: list[tuple[str, list[Line]]] = []
    delay = float(expected.get("crawl_delay", 0))
    owed = max(floor, delay) * 0.9
    abreast = 1 if delay else parallel
    barred, cause = 0.0, asked[0]
    for i, line in enumerate(asked):
        if line["start"] < barred:
            found.append((f"asked before Retry-After was over ({barred - line['start']:.1f} s left)",
                          [cause, line]))
        if line["status"] in (429, 503) and "retry_after" in expected:
            wait = wait_of({**line, "_retry": expected["retry_after"]})
            if line["end"] + wait * 0.99 > barred:
                barred, cause = line["end"] + wait * 0.99, line
        if i == 0:
            continue
        before = asked[i - 1]
        is_open = [x for x in asked[:i] if x["end"] > line["start"]]
        if len(is_open) >= abreast:
            found.append((f"{len(is_open) + 1} requests at once, {abreast} allowed", is_open + [line]))
        elif abreast > 1 and line["start"] - before["start"] < owed / abreast:
            found.append((f"starts {line['start'] - before['start']:.3f} s apart", [before, line]))
        elif abreast == 1 and line["start"] - max(x["end"] for x in asked[:i]) < owed:
            gap = line["start"] - max(x["end"] for x in asked[:i])
            found.append((f"gap of {gap:.3f} s, owed {owed:.3f} s", [before, line]))
    return found


def _robots_first(asked: list[Line]) -> list[tuple[str, list[Line]]]:
    known: set[tuple[str, str]] = set()
    sources: set[tuple[str, str]] = set()  # robots.txt redirects: their targets may be asked next
    found: list[tuple[str, list[Line]]] = []
    for line in asked:
        origin = (line["scheme"], line["host"])
        if line["path"] == "/robots.txt":
            (sources if line["status"] in range(300, 400) else known).add(origin)
        elif origin in sources:
            sources.discard(origin)
            known.add(origin)
        elif origin not in known:
            found.append(("robots.txt was not asked first", [line]))
            known.add(origin)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--floor", type=float, default=1.0, help="seconds between requests to a site")
    parser.add_argument("--parallel", type=int, default=1)
    parser.add_argument("--agent-regex", default=AGENT)
    args = parser.parse_args()
    sites = json.loads(subprocess.check_output(
        [sys.executable, "-B", str(HERE / "serve.py"), "--list-json"]))
    lines = [json.loads(x) for x in args.log.read_text().splitlines() if x.endswith("}")]
    breaches = check(lines, sites, args.floor, args.parallel, args.agent_regex)
    for what, shown in breaches:
        print(f"BREACH {what}")
        for line in shown:
            print("   ", json.dumps({k: v for k, v in line.items() if not k.startswith("_")}))
    print(f"{len(lines)} requests, {len(breaches)} breaches")
    return 1 if breaches or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
