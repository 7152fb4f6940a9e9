"""Redirects that go in circles, on and on, or where nobody should follow."""
from core import Out, Request, no_robots, page, site


async def _to(out: Out, where: str, *more: tuple[str, str]) -> None:
    await out.send(302, "", "text/html", ("Location", where), *more)


@site("self-loop.test", "its page redirects to itself", outcome="home-error", kind="redirect-loop", max_requests=6)
async def self_loop(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await _to(out, req.path)


@site("two-loop.test", "two pages redirect to each other", outcome="home-error", kind="redirect-loop", max_requests=6)
async def two_loop(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await _to(out, "/" if req.path == "/b" else "/b")


@site("chain.test", "redirects without end, each to a new page", outcome="home-error",
      kind="too-many-redirects", max_requests=14)
async def chain(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await _to(out, f"/{int(req.path[1:] or 0) + 1}")


@site("cross.test", "redirects to another site", outcome="home-error", kind="off-site", max_requests=4)
async def cross(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await _to(out, req.base("plain.test") + "/")


@site("cookie-once.test", "redirects to itself until its cookie comes back", outcome="complete",
      cookie_allowed=True, title="Welcome", max_requests=8)
async def cookie_once(req: Request, out: Out) -> None:
    if await no_robots(req, out):
        return
    if "seen=1" in req.get("cookie"):
        await out.send(200, page("Welcome"))
    else:
        await _to(out, req.path, ("Set-Cookie", "seen=1; Path=/"))


@site("cookie-never.test", "sets a cookie and redirects to itself for ever", outcome="home-error",
      kind="redirect-loop", cookie_allowed=True, max_requests=14)
async def cookie_never(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await _to(out, req.path, ("Set-Cookie", "seen=1; Path=/"))


for _name, _where, _kind in (
        ("to-ten", "http://10.0.0.1/", ["address-refused", "off-site"]),
        ("to-metadata", "http://169.254.169.254/latest/meta-data/", ["address-refused", "off-site"]),
        ("to-six", "http://[::1]/", ["address-refused", "off-site"]),
        ("to-port", "http://127.0.0.1:22/", ["address-refused", "port-refused", "off-site"]),
        ("to-file", "file:///etc/passwd", ["bad-redirect", "bad-url"]),
        ("to-ftp", "ftp://plain.test/", ["bad-redirect", "bad-url"]),
        ("to-script", "javascript:alert(1)", ["bad-redirect", "bad-url"])):
    @site(f"{_name}.test", f"redirects to {_where}", outcome="home-error", kind=_kind, max_requests=4)
    async def away(req: Request, out: Out, where: str = _where) -> None:
        if not await no_robots(req, out):
            await _to(out, where)


@site("turns.test", "its links redirect to what robots.txt closes, and out of the site", outcome="complete",
      must_fetch=["/", "/closed-way", "/away"], never=["/no/"], max_requests=8,
      not_fetched={"/no/room": "robots", "/private/from-turns": "other-site"})
async def turns(req: Request, out: Out) -> None:
    if req.path == "/robots.txt":
        await out.send(200, "User-agent: *\nDisallow: /no/\n", "text/plain")
    elif req.path == "/closed-way":
        await _to(out, "/no/room")
    elif req.path == "/away":  # plain.test takes a request for it as a breach
        await _to(out, req.base("plain.test") + "/private/from-turns")
    else:
        await out.send(200, page("Turns", links=["/closed-way", "/away"]))


@site("two-ways.test", "two redirects lead to one page: it is fetched once", outcome="complete",
      must_fetch=["/", "/one", "/two", "/page"], once=["/page"], max_requests=8)
async def two_ways(req: Request, out: Out) -> None:
    if await no_robots(req, out):
        return
    if req.path in ("/one", "/two"):
        await out.send(302, "", "text/html", ("Location", "/page"))
    else:
        await out.send(200, page(f"At {req.path}", "Two ways lead here.", ["/one", "/two"] if req.path == "/" else []))
