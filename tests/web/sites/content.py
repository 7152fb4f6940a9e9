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


MAPS = {
    "malformed": lambda b: sitemap([b + "/a"])[:-20], "html": lambda b: page("No map"),
    "gz": lambda b: gzip.compress(sitemap([b + "/a"]).encode()),
    "many": lambda b: sitemap([f"{b}/u{i}" for i in range(60_000)]),
    "foreign": lambda b: sitemap(["http://plain.test/x", b + "/a"]),
    "entities": lambda b: sitemap([b + "/a?x=1&amp;y=2"]),
    "bom": lambda b: "\ufeff\n  " + sitemap([b + "/a"]),
    "loop": lambda b: f"<sitemapindex><sitemap><loc>{b}/map</loc></sitemap></sitemapindex>",
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


@site("robots-six.test", "robots.txt redirects six times: as if there were none", outcome="complete", max_requests=9)
async def six_hops(req: Request, out: Out) -> None:
    number = int(req.path[2:] or 0) if req.path.startswith("/r") and req.path[2:].isdigit() else 0
    if req.path == "/robots.txt" or 0 < number < 6:
        await out.send(301, "", "", ("Location", f"/r{number + 1}"))
    else:
        await out.send(200, page("Six"))
