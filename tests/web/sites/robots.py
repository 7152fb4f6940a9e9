"""robots.txt in every state: an answer 4xx opens the site, 429, 5xx or none closes it (RFC 9309)."""
import asyncio

from core import Out, Request, page, site

Lines = tuple[tuple[str, str], ...]
RULE = "User-agent: *\nDisallow: /no/\n"
PAD = "# filler line\n"
# name: (status, body, further header lines, is the site open, are the rules of RULE in force)
STATES: dict[str, tuple[int, bytes, Lines, bool, bool]] = {
    "robots-ok": (200, RULE.encode(), (), True, True),
    "robots-empty": (200, b"", (), True, False),
    "robots-html": (200, b"<html><body>Hello</body></html>", (), True, False),
    "robots-bom": (200, b"\xef\xbb\xbf" + RULE.encode(), (), True, True),
    "robots-binary": (200, bytes(range(256)) * 20, (), True, False),
    "robots-giant-first": (200, (RULE + PAD * 225_000).encode(), (), True, True),
    "robots-giant-last": (200, (PAD * 225_000 + RULE).encode(), (), True, False),
    "robots-closed": (200, b"User-agent: *\nDisallow: /\n", (), False, False),
    "robots-not-us": (200, b"User-agent: *\nAllow: /\n\nUser-agent: Periplus\nDisallow: /\n", (),
                      False, False),
    **{f"robots-{s}": (s, b"no", (), True, False) for s in (401, 403, 404, 410)},
    **{f"robots-{s}": (s, b"no", (), False, False) for s in (500, 503)},
    "robots-429": (429, b"no", (("Retry-After", "3600"),), False, False),
}

for _name, (_status, _body, _more, _open, _rules) in STATES.items():
    @site(f"{_name}.test", f"robots.txt: {_name[7:]}", outcome="complete" if _open else "kept-out" if _status == 200 else "robots-unavailable",
          never=["/no/"] if _rules else [] if _open else ["/"], max_requests=8 if _open else 2)
    async def answer(req: Request, out: Out, status: int = _status, body: bytes = _body,
                     more: Lines = _more) -> None:
        if req.path == "/robots.txt":
            await out.send(status, body, "text/plain", *more)
        else:
            await out.send(200, page(f"At {req.path}", links=["/yes", "/no/x"]))


@site("robots-moved.test", "robots.txt redirects once, to the rules", outcome="complete",
      never=["/no/"], max_requests=8)
async def moved(req: Request, out: Out) -> None:
    if req.path == "/robots.txt":
        await out.send(301, "", "", ("Location", "/rules.txt"))
    elif req.path == "/rules.txt":
        await out.send(200, RULE, "text/plain")
    else:
        await out.send(200, page("Moved rules", links=["/no/x"]))


for _name, _to, _kind in (("robots-tls", "robots-tls.test", "tls-expired"),
                          ("robots-tls-away", "tls-wrong-name.test", "tls-wrong-name")):
    @site(f"{_name}.test", f"only its robots.txt leads to a broken TLS, at {_to}", tls="expired",
          outcome=["robots-unavailable", "unreachable"],
          kind=_kind, never=["/"], max_requests=2)
    async def broken_tls(req: Request, out: Out, to: str = _to) -> None:
        if req.path == "/robots.txt":
            await out.send(301, "", "", ("Location", req.base(to, "https") + "/robots.txt"))
        else:
            await out.send(200, page("Should not be read"))


@site("tls-half.test", "sound over http; its links over https meet a broken TLS", tls="expired", outcome="complete",
      must_fetch=["/", "/fine"], max_requests=8)
async def tls_half(req: Request, out: Out) -> None:
    if req.path == "/robots.txt":
        await out.send(404, "none", "text/plain")
    else:
        await out.send(200, page(f"At {req.path}", links=["/fine", req.base(scheme="https") + "/locked"]))


@site("robots-silent.test", "robots.txt is never answered", outcome="robots-unavailable", kind="timeout", never=["/"],
      max_requests=2)
async def silent(req: Request, out: Out) -> None:
    out.close = True
    await asyncio.sleep(600)


@site("robots-reset.test", "robots.txt breaks the connection", outcome="robots-unavailable", kind="connection-lost", never=["/"],
      max_requests=4)
async def reset(req: Request, out: Out) -> None:
    if req.path == "/robots.txt":
        out.reset()
    else:
        await out.send(200, page("Should not be read"))


@site("crawl-delay.test", "asks for two seconds between requests", outcome="complete",
      crawl_delay=2, max_requests=9, config={"pace": ['floor = "200ms"', 'longest_wait = "30s"']})
async def delay(req: Request, out: Out) -> None:
    if req.path == "/robots.txt":
        await out.send(200, "User-agent: *\nCrawl-delay: 2\n", "text/plain")
    else:
        await out.send(200, page(f"At {req.path}", links=["/a", "/b"]))
