#!/usr/bin/python3
"""The checker must pass a good log and fail each bad one."""
from typing import Any

from check_log import check

UA = ["User-Agent", "Periplus/0.1 (+https://example.org/bot)"]
SITES: dict[str, Any] = {"s.test": {"expected": {"never": ["/no/"], "max_requests": 5}},
                         "d.test": {"expected": {"crawl_delay": 3}},
                         "r.test": {"expected": {"retry_after": "100"}}}


def line(at: float, path: str, site: str = "s.test", took: float = 0.1, **more: Any) -> dict[str, Any]:
    return {"start": at, "end": at + took, "wall_end": at + took, "site": site, "host": site,
            "scheme": "http", "method": "GET", "path": path, "query": "", "headers": [UA],
            "status": 200, **more}


def says(lines: list[dict[str, Any]], words: str, **options: Any) -> None:
    told = [what for what, _ in check(lines, SITES, **options)]
    assert any(words in x for x in told), (words, told)


R = line(0, "/robots.txt")
GOOD = [R, line(2, "/"), line(4, "/a")]
assert check(GOOD, SITES) == [], check(GOOD, SITES)
says([line(0, "/")], "robots.txt was not asked first")
says([R, line(2, "/", scheme="https")], "robots.txt was not asked first")
says([R, line(0.5, "/")], "gap of")
says([R, line(2, "/no/x")], "never be asked")
says([R, line(2, "/", method="HEAD")], "method HEAD")
says([R, line(2, "/", headers=[["User-Agent", "Mozilla/5.0"]])], "User-Agent")
says([R, line(2, "/", headers=[])], "User-Agent")
says([R, line(2, "/", headers=[UA, ["cookie", "a=b"]])], "Cookie")
says([R, line(2, "/", headers=[UA, ["Referer", "x"]])], "Referer")
says([R] + [line(2 * i, "/") for i in range(1, 6)], "at most 5")
says([R, line(2, "/", took=9), line(4, "/a")], "at once")
D = [line(0, "/robots.txt", "d.test"), line(2, "/", "d.test")]
says(D, "gap of")
says([D[0], line(4, "/", "d.test", took=9), line(8, "/a", "d.test")], "at once", parallel=3)
W = [line(0, "/robots.txt", "r.test"), line(2, "/", "r.test", status=429)]
says(W + [line(50, "/", "r.test")], "Retry-After")
assert check(W + [line(103, "/", "r.test")], SITES) == []
P = [R, line(2, "/", took=2), line(2.4, "/a", took=2), line(2.8, "/b", took=2)]
assert check(P, SITES, parallel=3) == [], check(P, SITES, parallel=3)
says(P + [line(3.2, "/c")], "at once", parallel=3)
says([R, line(2, "/"), line(2.15, "/a")], "starts", parallel=3)
print("the checker of logs: all cases right")
