#!/usr/bin/python3
"""Reads the test web's access log and tells every breach of good conduct. Knows nothing of the crawler.

What a site is owed between requests is the greater of --floor and the Crawl-delay its robots.txt
gave. Up to --parallel requests may be open on a site (one where there is a Crawl-delay); the k-th of
them then starts no earlier than what is owed after the end of the one N before it, and starts lie
owed / N apart. 20 ms, and what the server's own loop was late, are forgiven.
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
from urllib.parse import urljoin, urlsplit

import robots_rules

Line = dict[str, Any]
Breach = tuple[str, list[Line]]
AGENT = r"^Periplus/[0-9.]+ \(\+https?://[^)]+\)$"
TOKEN = "Periplus"
TOLERANCE = 0.02  # seconds
HERE = Path(__file__).resolve().parent


def wait_of(line: Line) -> float:
    """Seconds a 429 or 503 answer asks for; 60 where it gives no usable time."""
    value = str(line.get("retry_after", "")).strip()
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - line["wall_end"])
    except (TypeError, ValueError):
        return 60.0


class Origin:
    """What one origin's robots.txt said last, as an observer of the log can tell."""

    def __init__(self) -> None:
        self.asked = False
        self.closed = False
        self.rules = robots_rules.Rules()
        self.had_rules = False
        self.next_hop = ""  # where a redirect of robots.txt leads

    def learn(self, line: Line, body: bytes) -> None:
        status = line["status"]
        self.asked, self.next_hop = True, ""
        if status in (301, 302, 303, 307, 308) and "location" in line:
            self.next_hop = urljoin(address(line), line["location"])
            self.rules, self.closed = robots_rules.Rules(), False
        elif 200 <= status < 300:
            self.rules, self.closed, self.had_rules = robots_rules.parse(body, TOKEN), False, True
        elif 400 <= status < 500 and status != 429:
            self.rules, self.closed = robots_rules.Rules(), False
        elif not self.had_rules:  # with a copy of earlier rules a crawler may go on by them
            self.closed = True


def address(line: Line) -> str:
    return f"{line['scheme']}://{line['host']}{target(line)}"


def target(line: Line) -> str:
    return line.get("target", line["path"])


def robots_body(line: Line, folder: Path | None) -> bytes:
    if "robots_text" in line:  # logs made by hand
        return str(line["robots_text"]).encode()
    if folder is None or "robots" not in line:
        return b""
    return (folder / "robots" / line["robots"]).read_bytes()


def check(lines: list[Line], sites: dict[str, Any], floor: float = 1.0, parallel: int = 1,
          agent: str = AGENT, folder: Path | None = None) -> list[Breach]:
    """All breaches: what was done, and the lines that show it."""
    found: list[Breach] = []
    by_site: dict[str, list[Line]] = defaultdict(list)
    for line in sorted(lines, key=lambda x: x["start"]):
        by_site[line["site"]].append(line)
    for name, asked in by_site.items():
        expected = sites.get(name, {}).get("expected", {})
        found += _manners(asked, expected, agent)
        delays = _robots(asked, folder, found)
        found += _pace(asked, delays, float(expected.get("floor", floor)), parallel)
        limit = expected.get("max_requests")
        if limit is not None and len(asked) > limit:
            found.append((f"{name}: {len(asked)} requests, at most {limit} expected", asked[-1:]))
    return found


def _manners(asked: list[Line], expected: Line, agent: str) -> list[Breach]:
    found: list[Breach] = []
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
        if line["host"] in expected.get("never_hosts", []):
            found.append(("a host that must never be asked", [line]))
    return found


def _robots(asked: list[Line], folder: Path | None, found: list[Breach]) -> list[float]:
    """Judges each request by the robots.txt its origin gave before; the Crawl-delay known at each."""
    origins: dict[tuple[str, str], Origin] = defaultdict(Origin)
    delays: list[float] = []
    delay = 0.0
    for line in asked:
        origin = origins[line["scheme"], line["host"]]
        source = next((o for o in origins.values() if o.next_hop and _same(o.next_hop, line)), None)
        if line["path"] != "/robots.txt" and source is None:
            if not origin.asked:
                found.append(("robots.txt was not asked first", [line]))
            elif origin.closed:
                found.append(("asked although robots.txt could not be had", [line]))
            elif not origin.rules.allows(target(line)):
                found.append(("a path that robots.txt disallows", [line]))
        delays.append(delay)
        if line["path"] == "/robots.txt" or source is not None:
            (source or origin).learn(line, robots_body(line, folder))
            origin.asked = True
        delay = max((o.rules.delay or 0.0 for o in origins.values()), default=0.0)
    return delays


def _same(wanted: str, line: Line) -> bool:
    """Whether a request is for the address `wanted`; ports are not in the log."""
    parts = urlsplit(wanted)
    path = (parts.path or "/") + ("?" + parts.query if parts.query else "")
    return (parts.scheme, parts.hostname, path) == (line["scheme"], line["host"], target(line))


def _pace(asked: list[Line], delays: list[float], floor: float, parallel: int) -> list[Breach]:
    found: list[Breach] = []
    barred, cause = 0.0, asked[0]
    for i, line in enumerate(asked):
        if line["start"] < barred - TOLERANCE:
            found.append((f"asked before Retry-After was over ({barred - line['start']:.1f} s left)",
                          [cause, line]))
        if line["status"] in (429, 503) and line["end"] + wait_of(line) > barred:
            barred, cause = line["end"] + wait_of(line), line
        owed, lanes = max(floor, delays[i]), 1 if delays[i] else parallel
        if i == 0 or owed == 0:
            continue
        before = asked[i - 1]
        forgiven = TOLERANCE + max(x.get("lag", 0.0) for x in asked[max(0, i - lanes):i + 1])
        is_open = [x for x in asked[:i] if x["end"] > line["start"] + forgiven]
        if len(is_open) >= lanes:
            found.append((f"{len(is_open) + 1} requests at once, {lanes} allowed", is_open + [line]))
        apart = line["start"] - before["start"]
        if lanes > 1 and apart < owed / lanes - forgiven:
            found.append((f"starts {apart:.3f} s apart, owed {owed / lanes:.3f} s", [before, line]))
        if i < lanes:
            continue
        ends = sorted(x["end"] for x in asked[:i])
        gap = line["start"] - ends[-lanes]
        if gap < owed - forgiven:
            found.append((f"gap of {gap:.3f} s, owed {owed:.3f} s", [before, line]))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--floor", type=float, default=1.0, help="seconds between requests to a site")
    parser.add_argument("--parallel", type=int, default=1)
    parser.add_argument("--agent-regex", default=AGENT)
    parser.add_argument("--no-limits", action="store_true", help="a site may be read more than once")
    args = parser.parse_args()
    sites = json.loads(subprocess.check_output(
        [sys.executable, "-B", str(HERE / "serve.py"), "--list-json"]))
    if args.no_limits:
        for entry in sites.values():
            entry["expected"].pop("max_requests", None)
    lines = [json.loads(x) for x in args.log.read_text().splitlines() if x.endswith("}")]
    breaches = check(lines, sites, args.floor, args.parallel, args.agent_regex, args.log.parent)
    for what, shown in breaches:
        print(f"BREACH {what}")
        for line in shown:
            print("   ", json.dumps({k: line.get(k) for k in ("site", "scheme", "target", "start", "end",
                                                              "status", "lag", "conn", "headers")}))
    print(f"{len(lines)} requests, {len(breaches)} breaches")
    return 1 if breaches or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
