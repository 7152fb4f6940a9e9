#!/usr/bin/python3
"""The checker must pass a good log and fail each bad one."""
from typing import Any

import robots_rules
from check_log import check

UA = ["User-Agent", "Periplus/0.1 (+https://example.org/bot)"]
SITES: dict[str, Any] = {"s.test": {"expected": {"never": ["/no/"], "max_requests": 5,
                                                 "never_hosts": ["in.s.test"]}}}
TESTS = 0


def line(at: float, path: str, site: str = "s.test", took: float = 0.1, **more: Any) -> dict[str, Any]:
    return {"start": at, "end": at + took, "wall_end": at + took, "site": site, "host": site,
            "scheme": "http", "method": "GET", "path": path, "query": "", "headers": [UA],
            "status": 200, **more}


def clean(lines: list[dict[str, Any]], **options: Any) -> None:
    global TESTS
    TESTS += 1
    told = [what for what, _ in check(lines, SITES, **options)]
    assert told == [], told


def says(lines: list[dict[str, Any]], words: str, **options: Any) -> None:
    global TESTS
    TESTS += 1
    told = [what for what, _ in check(lines, SITES, **options)]
    assert any(words in x for x in told), (words, told)


R = line(0, "/robots.txt")
clean([R, line(2, "/"), line(4, "/a")])
# Manners
says([R, line(2, "/no/x")], "never be asked")
says([R, line(2, "/", host="in.s.test")], "host that must never")
says([R, line(2, "/", method="HEAD")], "method HEAD")
says([R, line(2, "/", headers=[["User-Agent", "Mozilla/5.0"]])], "User-Agent")
says([R, line(2, "/", headers=[["User-Agent", UA[1] + " x"]])], "User-Agent")
says([R, line(2, "/", headers=[])], "User-Agent")
says([R, line(2, "/", headers=[UA, ["cookie", "a=b"]])], "Cookie")
says([R, line(2, "/", headers=[UA, ["Referer", "x"]])], "Referer")
says([R] + [line(2 * i, "/") for i in range(1, 6)], "at most 5")
# robots.txt
says([line(0, "/")], "robots.txt was not asked first")
says([R, line(2, "/", scheme="https")], "robots.txt was not asked first")
says([R, line(2, "/", host="www.s.test")], "robots.txt was not asked first")
OURS = "User-agent: *\nAllow: /\n\nUser-agent: Periplus\nDisallow: /x\nAllow: /x/y\n"
R_OURS = line(0, "/robots.txt", robots_text=OURS)
clean([R_OURS, line(2, "/"), line(4, "/x/y")])
says([R_OURS, line(2, "/x/z")], "disallows")
says([R_OURS, line(2, "/q", target="/xq?a")], "disallows")
says([line(0, "/robots.txt", status=500), line(2, "/")], "could not be had")
says([line(0, "/robots.txt", status=0), line(2, "/")], "could not be had")
clean([line(0, "/robots.txt", status=404), line(2, "/")])
clean([line(0, "/robots.txt", status=403), line(2, "/")])
MOVED = [line(0, "/robots.txt", status=301, location="/r.txt"),
         line(2, "/r.txt", robots_text="User-agent: *\nDisallow: /x\n")]
clean(MOVED + [line(4, "/")])
says(MOVED + [line(4, "/x")], "disallows")
clean([R_OURS, line(2, "/robots.txt", status=500), line(4, "/")])
says([R_OURS, line(2, "/robots.txt", status=500), line(4, "/x")], "disallows")
# Pace
says([R, line(0.5, "/")], "gap of")
says([R, line(2, "/", took=9), line(4, "/a")], "at once")
D = line(0, "/robots.txt", "d.test", robots_text="User-agent: *\nCrawl-delay: 3\n")
clean([D, line(3.2, "/", "d.test")])
says([D, line(2, "/", "d.test")], "gap of")
says([D, line(4, "/", "d.test", took=9), line(8, "/a", "d.test")], "at once", parallel=3)
for status in (429, 503):
    W = [line(0, "/robots.txt", "r.test"), line(2, "/", "r.test", status=status, retry_after="100")]
    says(W + [line(50, "/", "r.test")], "Retry-After")
    says(W + [line(50, "/robots.txt", "r.test")], "Retry-After")
    clean(W + [line(103, "/", "r.test")])
N = [line(0, "/robots.txt", "n.test"), line(2, "/", "n.test", status=429)]
says(N + [line(50, "/", "n.test")], "Retry-After")
clean(N + [line(63, "/", "n.test")])
P = [R, line(2, "/", took=2), line(2.4, "/a", took=2), line(2.8, "/b", took=2)]
clean(P, parallel=3)
says(P + [line(3.2, "/c")], "at once", parallel=3)
says(P + [line(4.6, "/c")], "gap of", parallel=3)
clean(P + [line(5.1, "/c")], parallel=3)
says([R, line(2, "/"), line(2.15, "/a")], "starts", parallel=3)
clean([R, line(2, "/", lag=0.2), line(2.15, "/a")], parallel=3)
# The matcher
for pattern, path, wanted in (
        ("/a", "/abc", True), ("/a$", "/abc", False), ("/a$", "/a", True), ("/*.gif$", "/x/y.gif", True),
        ("/*.gif$", "/x.gif?y", False), ("/a*b", "/a/x/b/c", True), ("/b", "/a/b", False), ("*", "/", True),
        ("/%e2%82%ac", "/%E2%82%AC", True), ("/€", "/%E2%82%AC", True), ("/a.c", "/abc", False)):
    TESTS += 1
    assert robots_rules.matches(pattern, path) is wanted, (pattern, path)
assert robots_rules.parse(b"\xef\xbb\xbfUser-Agent: periplus\rDisallow: /a # c\r", "Periplus").disallow == ["/a"]
assert robots_rules.parse(b"User-agent: a\nUser-agent: *\nDisallow: /q\n", "Periplus").disallow == ["/q"]
assert robots_rules.parse(b"#" * 512_000 + b"\nUser-agent: *\nDisallow: /q\n", "Periplus").disallow == []
print(f"the checker of logs: all {TESTS} cases right")
