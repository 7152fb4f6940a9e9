"""A site without faults, a blog, and sitemaps that are broken in their several ways."""
import gzip

from core import Out, Request, no_robots, page, site

PERFECT = {"/": "Perfect: a site without faults", "/guide": "Guide to writing a page without faults",
           "/about": "About the people behind this site"}


@site("perfect.test", "every rule of an audit passes here, over https", h2=True, outcome="complete",
      must_fetch=list(PERFECT), max_requests=12, score=100)
async def perfect(req: Request, out: Out) -> None:
    base = req.base(scheme="https")
    if req.scheme == "http":
        await out.send(301, "", "text/html", ("Location", base + req.path))
    elif req.path == "/robots.txt":
        await out.send(200, f"User-agent: *\nAllow: /\nSitemap: {base}/sitemap.xml\n", "text/plain")
    elif req.path == "/sitemap.xml":
        await out.send(200, sitemap([base + p for p in PERFECT]), "application/xml")
    elif req.path in PERFECT:
        title = PERFECT[req.path]
        head = (f'<link rel="canonical" href="{base}{req.path}"><meta name="description" content="{title}: '
                'what you find on this page, told in one sentence of fair length.">'
                '<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebPage",'
                f'"name":"{title}"}}</script>')
        words = " ".join(f"{title} part {i} of the text." for i in range(60))
        body = page(title, words, list(PERFECT), head).encode()
        more = [("Strict-Transport-Security", "max-age=31536000"), ("Vary", "Accept-Encoding")]
        if "gzip" in req.get("accept-encoding"):
            body = gzip.compress(body)
            more.append(("Content-Encoding", "gzip"))
        await out.send(200, body, "text/html; charset=utf-8", *more)
    else:
        await out.send(404, page("Not found"))


@site("blog.test", "a blog of three list pages, with a feed", outcome="complete",
      must_fetch=["/", "/page/2", "/page/3", "/post/1"], pages=20, max_requests=30)
async def blog(req: Request, out: Out) -> None:
    if await no_robots(req, out):
        return
    number = int("".join(c for c in req.path if c.isdigit()) or 1)
    if req.path == "/feed.xml":
        await out.send(200, '<rss version="2.0"><channel><title>Blog</title></channel></rss>',
                       "application/rss+xml")
    elif req.path.startswith("/post/"):
        await out.send(200, page(f"Post {number}", f"The text of post {number}.", ["/"]))
    else:
        links = [f"/post/{i}" for i in range(number * 3 - 2, number * 3 + 1)]
        links += [f"/page/{number + 1}"] if number < 3 else []
        await out.send(200, page(f"Blog {number}", "Posts", links,
                                 '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'))


def sitemap(urls: list[str]) -> str:
    return ('<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
            + "".join(f"<url><loc>{u}</loc></url>" for u in urls) + "</urlset>")


def index(urls: list[str]) -> str:
    return ("<sitemapindex>" + "".join(f"<sitemap><loc>{u}</loc></sitemap>" for u in urls)
            + "</sitemapindex>")


MAPS = {
    "malformed": lambda b: sitemap([b + "/a"])[:-20], "html": lambda b: page("No map"),
    "gz": lambda b: gzip.compress(sitemap([b + "/a"]).encode()),
    "many": lambda b: sitemap([f"{b}/u{i}" for i in range(60_000)]),
    "foreign": lambda b: sitemap(["http://plain.test/x", b + "/a"]),
    "entities": lambda b: sitemap([b + "/a?x=1&amp;y=2"]),
    "bom": lambda b: "\ufeff\n  " + sitemap([b + "/a"]),
    "loop": lambda b: index([b + "/map"]),
}
for _name in MAPS:
    @site(f"map-{_name}.test", f"a sitemap: {_name}", must_fetch=["/", "/map"],
          **({"outcome": "page-limit"} if _name == "many" else {"max_requests": 8}))
    async def mapped(req: Request, out: Out, name: str = _name) -> None:
        if req.path == "/robots.txt":
            await out.send(200, f"Sitemap: {req.base()}/map\n", "text/plain")
        elif req.path == "/map":
            await out.send(200, MAPS[name](req.base()), "application/xml")
        else:
            await out.send(200, page(f"At {req.path}"))


@site("map-index.test", "a gzip index of two gzip maps and of an index, which may not stand in one", must_fetch=[
      "/", "/index.gz", "/one.gz", "/two.gz", "/inner.xml", "/a", "/b"], never=["/deepest.xml"], max_requests=12)
async def map_index(req: Request, out: Out) -> None:
    base = req.base()
    maps = {"/index.gz": gzip.compress(index([base + p for p in ("/one.gz", "/two.gz", "/inner.xml")]).encode()),
            "/one.gz": gzip.compress(sitemap([base + "/a"]).encode()),
            "/two.gz": gzip.compress(sitemap([base + "/b"]).encode()),
            "/inner.xml": index([base + "/deepest.xml"]), "/deepest.xml": sitemap([base + "/c"])}
    if req.path == "/robots.txt":
        await out.send(200, f"Sitemap: {base}/index.gz\n", "text/plain")
    elif req.path in maps:
        kind = "application/gzip" if req.path.endswith(".gz") else "application/xml"
        await out.send(200, maps[req.path], kind)
    else:
        await out.send(200, page(f"At {req.path}"))


@site("h2-only.test", "speaks HTTP/2 and nothing else", h2=True, scheme="https", outcome="complete",
      must_fetch=["/", "/a", "/b"], version="2", max_requests=12)
async def h2_only(req: Request, out: Out) -> None:
    if req.version != "2":
        out.reset()
    elif not await no_robots(req, out):
        await out.send(200, page(f"At {req.path}", "over HTTP/2", ["/", "/a", "/b"]))


@site("docs.test", "documentation: links to places within pages, one of which is not there", outcome="complete",
      must_fetch=["/", "/guide"], once=["/", "/guide"], max_requests=8, fails={"fragment-broken": ["#no-such-place"]},
      clean={"fragment-broken": ["#install", "#use", "#top", "caf"]})
async def docs(req: Request, out: Out) -> None:
    if req.path == "/guide":
        body = "".join(f'<h2 id="{i}">{i}</h2><p>How to {i}.</p>' for i in ("install", "use", "caf\u00e9"))
        await out.send(200, page("Guide", links=["#install", "/guide#use", "/#top"]).replace("</main>", body + "</main>"))
    else:
        links = [f"/guide#{i}" for i in ("install", "use", "caf%C3%A9", "no-such-place")]
        await out.send(200 if req.path == "/" else 404, page("Docs", links=links))


@site("mixed.test", "https pages with a script, a picture and a form over http", scheme="https", outcome="complete",
      must_fetch=["/"], never=["/x.js", "/x.png", "/form"], max_requests=6,
      fails={"mixed-active": ["x.js"], "mixed-passive": ["x.png"], "form-insecure": ["/form"]})
async def mixed(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        base = req.base(scheme="http")
        await out.send(200, page("Mixed").replace("</main>", f'<img src="{base}/x.png" alt="x"><form action="{base}'
                                                  f'/form"><input name="q"></form></main><script src="{base}/x.js">'
                                                  "</script>"))


@site("refresh.test", "its start page sends readers on by a meta refresh", outcome="complete",
      must_fetch=["/", "/next"], title="Next", max_requests=6, fails={"redirect-refresh": ["/next"]})
async def refresh(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        head = '<meta http-equiv="refresh" content="0; url=/next">' if req.path == "/" else ""
        await out.send(200, page("Next" if req.path == "/next" else "First", head=head))


@site("empty.test", "a start page of no octets", outcome="complete", must_fetch=["/"], max_requests=6, score=None)
async def empty(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await out.send(200, b"")


@site("soft-gone.test", "pages that are not there answer 200 and say so in words", outcome="complete",
      must_fetch=["/", "/old", "/older"], max_requests=8, fails={"soft-404": ["/old"]})
async def soft_gone(req: Request, out: Out) -> None:
    if await no_robots(req, out):
        return
    if req.path == "/":
        await out.send(200, page("A shop of lamps", "Lamps of all kinds, made by hand.", ["/old", "/older"]))
    else:
        await out.send(200, page("Page not found", "Sorry, the page you asked for does not exist."))


TONGUES = ("en", "de", "fr")


@site("tongues-header.test", "three languages, told in Link headers; the French page does not link back",
      outcome="complete", must_fetch=["/en", "/de", "/fr"], max_requests=9, fails={"hreflang-return": ["/fr"]})
async def tongues_header(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        links = ", ".join(f'<{req.base()}/{t}>; rel="alternate"; hreflang="{t}"' for t in TONGUES)
        more = [("Link", links)] if req.path in ("/en", "/de") else []
        await out.send(200, page(f"At {req.path}", links=[f"/{t}" for t in TONGUES]), "text/html; charset=utf-8", *more)


@site("tongues-map.test", "three languages, told in the sitemap; the French page does not link back",
      outcome="complete", must_fetch=["/en", "/de", "/fr"], max_requests=9, fails={"hreflang-return": ["/fr"]})
async def tongues_map(req: Request, out: Out) -> None:
    base = req.base()
    if req.path == "/robots.txt":
        await out.send(200, f"Sitemap: {base}/map\n", "text/plain")
    elif req.path == "/map":
        others = "".join(f'<xhtml:link rel="alternate" hreflang="{t}" href="{base}/{t}"/>' for t in TONGUES)
        entries = "".join(f"<url><loc>{base}/{t}</loc>{others if t != 'fr' else ''}</url>" for t in TONGUES)
        await out.send(200, '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
                       f'xmlns:xhtml="http://www.w3.org/1999/xhtml">{entries}</urlset>', "application/xml")
    else:
        await out.send(200, page(f"At {req.path}", links=[f"/{t}" for t in TONGUES]))


@site("robots-six.test", "robots.txt redirects six times: as if there were none", outcome="complete", max_requests=9)
async def six_hops(req: Request, out: Out) -> None:
    number = int(req.path[2:] or 0) if req.path.startswith("/r") and req.path[2:].isdigit() else 0
    if req.path == "/robots.txt" or 0 < number < 6:
        await out.send(301, "", "", ("Location", f"/r{number + 1}"))
    else:
        await out.send(200, page("Six"))
