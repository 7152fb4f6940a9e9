"""Servers that are slow, endless, too big or that swell."""
import asyncio
import gzip

import brotli
import zstandard

from core import Out, Request, no_robots, page, site

MIB = 1 << 20
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


async def _forever(out: Out, piece: bytes, pause: float) -> None:
    out.status, out.close = 200, True
    while True:
        await out.raw(piece)
        await asyncio.sleep(pause)


@site("drip.test", "one octet a second, without end", outcome=["complete", "unreachable"],
      kind=["too-slow", "timeout"], max_requests=6)
async def drip(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await out.raw(HEAD + b"Content-Length: 100000\r\n\r\n")
        await _forever(out, b"x", 1)


@site("slow-head.test", "its header lines never end, one a second", outcome="unreachable",
      kind=["timeout", "too-slow"], max_requests=4, config={"pace": ['floor = "200ms"', 'longest_wait = "30s"'],
                                                           "limits": ['request_time = "1s"']})
async def slow_head(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await out.raw(HEAD)
        await _forever(out, b"X-A: b\r\n", 1)


@site("many-headers.test", "a flood of header lines", outcome="unreachable", kind="headers-too-large",
      max_requests=4)
async def many_headers(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await out.raw(HEAD)
        await _forever(out, b"X-A: b\r\n" * 1000, 0)


@site("long-header.test", "one header line of 1 MiB", outcome="unreachable", kind="headers-too-large",
      max_requests=4)
async def long_header(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        out.close, out.status = True, 200
        await out.raw(HEAD + b"X-A: " + b"b" * MIB + b"\r\n\r\n")


@site("endless.test", "chunks without end", outcome="complete", cut=True, max_requests=6)
async def endless(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await out.raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        await _forever(out, b"2000\r\n" + b"<p>more " * 1024 + b"\r\n", 0.002)


@site("giant.test", "a page of 5 MiB", outcome="complete", cut=True, max_requests=6)
async def giant(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await out.send(200, page("Giant", "word " * MIB))


_PLAIN = b"<p>" + b"a" * (20 * MIB)
_BOMBS = {"gzip": lambda: gzip.compress(_PLAIN), "br": lambda: brotli.compress(_PLAIN, quality=4),
          "zstd": lambda: zstandard.ZstdCompressor().compress(_PLAIN),
          "gzip, gzip": lambda: gzip.compress(gzip.compress(_PLAIN))}
_made: dict[str, bytes] = {}

for _name, _code in (("gzip-bomb", "gzip"), ("br-bomb", "br"), ("zstd-bomb", "zstd"),
                     ("nested-bomb", "gzip, gzip")):
    @site(f"{_name}.test", f"20 MiB of one letter as {_code}", outcome=["complete", "unreachable"],
          kind=["expansion-bomb", "bad-encoding"], max_requests=6)
    async def bomb(req: Request, out: Out, code: str = _code) -> None:
        if not await no_robots(req, out):
            if code not in _made:  # in a thread, so that other answers keep their times
                _made[code] = await asyncio.to_thread(_BOMBS[code])
            body = _made[code]
            await out.send(200, body, "text/html", ("Content-Encoding", code))


@site("deep.test", "200,000 nested elements", outcome="complete", max_requests=6)
async def deep(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await out.send(200, "<title>Deep</title>" + "<div>" * 200_000)


@site("many-links.test", "one page with 50,000 links", outcome="page-limit", pages=4)
async def many_links(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        links = [f"/p{i}" for i in range(50_000)] if req.path == "/" else []
        await out.send(200, page(f"Links {req.path}", links=links))


@site("slowing.test", "each answer takes longer than the one before", outcome="page-limit", pages=4,
      slows_down=True)
async def slowing(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        number = int("".join(c for c in req.path if c.isdigit()) or 0)
        await asyncio.sleep(min(number * 0.25, 8))
        await out.send(200, page(f"Page {number}", links=[f"/{number + 1}"]))
