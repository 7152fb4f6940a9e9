"""Traps, false words, broken TLS, bot walls, refusals and names that change."""
import random
from typing import Any

from core import Out, Request, no_robots, page, site

for _tls, _kind in (("expired", "tls-expired"), ("wrong-name", "tls-wrong-name"),
                    ("self-signed", "tls-untrusted"), ("unknown-ca", "tls-untrusted"),
                    ("handshake", "tls-handshake")):
    @site(f"tls-{_tls}.test", f"TLS: {_tls}", tls=_tls, scheme="https",
          outcome=["unreachable", "robots-unavailable"], kind=_kind, max_requests=0)
    async def never(req: Request, out: Out) -> None:
        await out.send(200, page("Over a broken TLS"))


for _name, _value in (("seconds", "120"), ("date", "Fri, 01 Jan 2100 00:00:00 GMT"), ("garbage", "soon"),
                      ("negative", "-5"), ("none", ""), ("huge", "99999999999999999999")):
    for _status in (429, 503):
        @site(f"retry-{_status}-{_name}.test", f"every page: {_status}, Retry-After: {_value or 'none'}",
              outcome="backed-off", retry_after=_value, max_requests=3)
        async def refuse(req: Request, out: Out, status: int = _status, value: str = _value) -> None:
            if not await no_robots(req, out):
                await out.send(status, "later", "text/plain", *([("Retry-After", value)] if value else []))


for _status in (200, 403, 503):
    @site(f"wall-{_status}.test", f"a bot wall with status {_status}", outcome="bot-wall", max_requests=4)
    async def wall(req: Request, out: Out, status: int = _status) -> None:
        if not await no_robots(req, out):
            await out.send(status, "<title>Just a moment...</title><p>Checking your browser</p>"
                           '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>',
                           "text/html", ("Server", "cloudflare"), ("cf-mitigated", "challenge"))


TRAP_PAGES = 60
SYLLABLES = "ba de fi go hu ka le mi no ru sa te vi zo".split()


def chance_words(rng: random.Random) -> str:
    return " ".join("".join(rng.choices(SYLLABLES, k=3)) for _ in range(60))


def _trap(name: str, does: str, links: object, words: bool = False, **told: Any) -> None:
    """`words`: each page has a text of its own. `told`: what the report must say of it: `traps` by kind, or why addresses were left unread."""
    # Without waits of our own making: a trap must be seen within so many pages, or use up the budget.
    outcome = ["trap", "complete"] if "traps" in told else ["complete", "trap", "page-limit"]
    fails = {"fails": {"url-trap": []}} if "traps" in told else {}

    @site(f"{name}.test", does, outcome=outcome, pages=TRAP_PAGES, floor=0,
          config={"pace": ['floor = "0s"']}, max_requests=TRAP_PAGES + 8, **fails, **told)
    async def trap(req: Request, out: Out) -> None:
        if not await no_robots(req, out):
            text = chance_words(req.rng()) if words else f"w{req.rng().randrange(9999)}"
            await out.send(200, page(f"At {req.path}", text, links(req)))  # type: ignore[operator]


_trap("calendar", "a calendar without end",
      lambda r: [f"/cal?month={int(r.query.partition('=')[2] or 0) + d}" for d in (1, -1)],
      traps=["no-new-text"])
_trap("session", "a new session number in every link",
      lambda r: [f"/{p}?sid={r.rng().randrange(1 << 40):x}" for p in "abc"], traps=["no-new-text"])
_trap("maze", "pages of chance words without end",
      lambda r: [f"/{r.rng().randrange(1 << 30) + i:x}" for i in range(5)], words=True)
_trap("segments", "relative links that grow the path", lambda r: ["a/b/", "c/d/"],
      traps=["repeated-segment"])
_trap("amp", "a query that grows with each link", lambda r: [f"/?{r.query}&amp;amp;p=1"],
      traps=["growing-query"])
_trap("long-urls", "addresses of 9,000 octets", lambda r: ["/" + "x" * 9000], traps=["too-long"])
_trap("subdomains", "links to ever new subdomains of itself",
      lambda r: [f"http://s{r.rng().randrange(1 << 30)}.subdomains.test:{r.ports['http']}/"],
      left=["too-deep"])
_trap("maze-numbers", "numbered pages of ever new words, each leading only to more of them",
      lambda r: [f"/tale/{r.rng().randrange(1 << 30) + i}" for i in range(5)], words=True, traps=["maze"])
_trap("soft404", "every address answers 200 with much the same page", lambda r: ["/a", "/b", "/c"])


# name: (exact octets of the page's answer, outcome, failure kinds)
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
RAW: dict[str, tuple[bytes, str, list[str]]] = {
    "truncated": (_HEAD + b"Content-Length: 9000\r\n\r\n<title>Cut</title>", "unreachable", ["connection-lost"]),
    "http09": (b"<html>no status line</html>", "unreachable", ["bad-response"]),
    "http10": (b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Old</title>", "complete", []),
    "two-types": (_HEAD + b"Content-Type: image/png\r\nContent-Length: 16\r\n\r\n<title>T</title>", "complete", []),
    "two-lengths": (_HEAD + b"Content-Length: 5\r\nContent-Length: 9\r\n\r\n<p>123456", "complete", []),
    "many-cookies": (_HEAD + b"Set-Cookie: a=b\r\n" * 500 + b"\r\n<title>C</title>", "complete", []),
    "binary": (_HEAD + b"\r\n" + bytes(range(256)) * 40, "complete", []),
    "bad-utf8": (_HEAD + b"\r\n<title>\xff\xfe\xc3</title>", "complete", []),
    "nul": (_HEAD + b"\r\n<title>a\0b</title>\0<p>\0", "complete", []),
    "liar": (b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<title>Gr\xfc\xdfe</title>",
             "complete", []),
    "closes": (b"", "unreachable", ["connection-lost", "bad-response"]),
}
for _name, (_bytes, _outcome, _kinds) in RAW.items():
    @site(f"{_name}.test", f"exact octets: {_name}", outcome=_outcome, max_requests=6,
          **({"kind": _kinds} if _kinds else {}))
    async def raw(req: Request, out: Out, data: bytes = _bytes) -> None:
        if not await no_robots(req, out):
            out.status, out.close = 200, True
            await out.raw(data)


for _name, _names, _expected in (
        ("dns-gone", lambda k, n: (3, [], 60), "name-not-found"),
        ("dns-servfail", lambda k, n: (2, [], 0), "name-server-failed"),
        ("dns-silent", lambda k, n: None, "name-server-failed"),
        ("dns-private", lambda k, n: (0, ["10.0.0.1"] if k == "A" else [], 60), "address-refused"),
        ("dns-mixed", lambda k, n: (0, ["127.0.0.1", "10.0.0.1"] if k == "A" else [], 60), "address-refused"),
        ("dns-rebind", lambda k, n: (0, ["10.0.0.1" if n else "127.0.0.1"] if k == "A" else [], 0),
         "address-refused")):
    @site(f"{_name}.test", f"name server: {_name[4:]}", names=_names, outcome="unreachable",
          kind=_expected, max_requests=0, allow="other.test", floor=1, config={"pace": ['floor = "1s"']})
    async def named(req: Request, out: Out) -> None:
        if not await no_robots(req, out):
            await out.send(200, page("Found", links=["/a", "/b"]))


def _moves(kind: str, asked: int) -> tuple[int, list[str], int]:
    return 0, ({"A": ["127.0.0.1"]} if asked == 0 else {"AAAA": ["::1"]}).get(kind, []), 1


# Long enough that the first answers are forgotten in the midst of the visit.
_LASTS = {"pages": 3, "crawl_delay": 2, "config": {"pace": ['floor = "200ms"', 'longest_wait = "30s"']}}
for _name, _does, _names, _after, _expected in (
        ("dns-slow", "answers after 1.2 s", lambda k, n: (0, ["127.0.0.1"] if k == "A" else [], 60), 1.2, {}),
        ("dns-empty", "knows the name, and no address", lambda k, n: (0, [], 60), 0,
         {"outcome": "unreachable", "kind": "name-not-found", "max_requests": 0}),
        ("dns-half", "SERVFAIL for AAAA only", lambda k, n: (0, ["127.0.0.1"], 60) if k == "A" else (2, [], 0), 0, {}),
        ("dns-moves", "IPv4 first, later IPv6 only", _moves, 0, {"peers": ["127.0.0.1", "::1"], "outcome": "page-limit", **_LASTS}),
        ("dns-vanishes", "NXDOMAIN in the midst of a visit",
         lambda k, n: (3, [], 1) if n else (0, ["127.0.0.1"] if k == "A" else [], 1), 0,
         {"kind": "name-not-found", "must_fetch": ["/"], "outcome": "page-limit", **_LASTS})):
    @site(f"{_name}.test", f"name server: {_does}", names=_names, names_after=_after,
          **{"outcome": "complete", "max_requests": 12, **_expected})
    async def moving(req: Request, out: Out, slow: bool = "crawl_delay" in _expected) -> None:
        if req.path == "/robots.txt":
            await out.send(200, "User-agent: *\nCrawl-delay: 2\n" if slow else "", "text/plain")
        else:
            out.close = slow  # so that the next request has to ask for the address anew
            more = [("Connection", "close")] if slow else []
            await out.send(200, page(f"At {req.path}", links=["/a", "/b", "/c"]), "text/html; charset=utf-8", *more)


@site("orders.test", "nofollow and noindex in the page and in the header", outcome="complete",
      never=["/not-followed"], max_requests=6)
async def orders(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        link = "/header" if req.path == "/" else "/not-followed"
        more = () if req.path == "/" else (("X-Robots-Tag", "Periplus: NoFollow, noindex"),)
        await out.send(200, page("Orders", links=[link]), "text/html", *more)


@site("inner.test", "allowed itself; its links, redirect and sitemap lead to a host of its own that is not",
      outcome="complete", allow="inner.test", never_hosts=["secret.inner.test"], max_requests=10)
async def inner(req: Request, out: Out) -> None:
    secret = req.base("secret.inner.test")
    if req.path == "/robots.txt":
        await out.send(200, f"Sitemap: {secret}/sitemap.xml\n", "text/plain")
    elif req.path == "/go":
        await out.send(302, "", "text/html", ("Location", secret + "/b"))
    else:
        await out.send(200, page("Inner", links=["/go", secret + "/a"]))


@site("inner-start.test", "its start page redirects to a host of its own that is not allowed",
      outcome=["unreachable", "home-error"], kind="address-refused", allow="inner-start.test",
      never_hosts=["secret.inner-start.test"], max_requests=4)
async def inner_start(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await out.send(302, "", "text/html", ("Location", req.base("secret.inner-start.test") + "/"))
