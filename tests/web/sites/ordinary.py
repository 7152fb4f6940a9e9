"""Sites as most are: nothing here should surprise a crawler."""
import gzip

import brotli
import zstandard

from core import Out, Request, no_robots, page, site

NAV = ["/", "/about", "/products", "/products/a", "/products/b", "/team", "/news", "/contact"]


@site("plain.test", "a small company site: eight pages, a sitemap, a path closed to all", h2=True,
      outcome="complete", must_fetch=NAV, never=["/private/"], pages=20, max_requests=30)
async def plain(req: Request, out: Out) -> None:
    if req.path == "/robots.txt":
        await out.send(200, f"User-agent: *\nDisallow: /private/\nSitemap: {req.base()}/sitemap.xml\n",
                       "text/plain")
    elif req.path == "/sitemap.xml":
        urls = "".join(f"<url><loc>{req.base()}{p}</loc></url>" for p in NAV)
        await out.send(200, '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/'
                       f'sitemap/0.9">{urls}</urlset>', "application/xml")
    elif req.path in NAV:
        head = (f'<meta name="description" content="All about {req.path} at Plain, a small company.">'
                f'<link rel="canonical" href="{req.base()}{req.path}">')
        await out.send(200, page(f"Plain: {req.path}", "We make plain things well.",
                                 NAV + ["/private/x"], head))
    else:
        await out.send(404, page("Not found"))


@site("faulty.test", "honest but wrong: missing title, broken link, noindex, bad JSON-LD",
      outcome="complete", must_fetch=["/", "/untitled", "/twin-a", "/twin-b"], pages=20, max_requests=30)
async def faulty(req: Request, out: Out) -> None:
    pages = {"/": page("Home", "x", ["/untitled", "/twin-a", "/twin-b", "/gone", "/hidden"]),
             "/untitled": "<html><body><p>No title</body>", "/twin-a": page("Twin", "same"),
             "/twin-b": page("Twin", "same", head='<script type="application/ld+json">{bad</script>'),
             "/hidden": page("Hidden", head='<meta name="robots" content="noindex">')}
    await out.send(200 if req.path in pages else 404, pages.get(req.path, page("Not found")))


@site("moved.test", "http goes to https, www goes to the bare name", h2=True, outcome="complete",
      must_fetch=["/", "/a"], max_requests=20)
async def moved(req: Request, out: Out) -> None:
    if req.scheme == "http" or req.host != "moved.test":
        await out.send(301, "", "text/html", ("Location", req.base("moved.test", "https") + req.path))
    elif not await no_robots(req, out):
        await out.send(200, page("Moved", req.path, ["/", "/a"]))


@site("six.test", "has an IPv6 address only", outcome="complete", must_fetch=["/"], max_requests=10,
      title="Six", names=lambda kind, n: (0, ["::1"] if kind == "AAAA" else [], 60))
async def six(req: Request, out: Out) -> None:
    if not await no_robots(req, out):
        await out.send(200, page("Six", "over IPv6", ["/a"]))


@site("packed.test", "compressed as Accept-Encoding allows: zstd, br or gzip", outcome="complete",
      must_fetch=["/"], title="Packed", max_requests=10)
async def packed(req: Request, out: Out) -> None:
    if await no_robots(req, out):
        return
    body = page("Packed", "text " * 500, ["/a"]).encode()
    for name, pack in (("zstd", zstandard.ZstdCompressor().compress), ("br", brotli.compress),
                       ("gzip", gzip.compress)):
        if name in req.get("accept-encoding"):
            await out.send(200, pack(body), "text/html", ("Content-Encoding", name),
                           ("Vary", "Accept-Encoding"))
            return
    await out.send(200, body)


CHARSETS = {"shift_jis": "日本語のページ", "windows-1252": "Grüße – “zitiert”", "euc-kr": "한국어"}
for _name, _charset in (("sjis", "shift_jis"), ("latin", "windows-1252"), ("korean", "euc-kr")):
    @site(f"{_name}.test", f"written in {_charset}, said in the header", outcome="complete",
          must_fetch=["/"], title=CHARSETS[_charset], max_requests=10)
    async def charset(req: Request, out: Out, code: str = _charset) -> None:
        text = CHARSETS[code]
        if not await no_robots(req, out):
            body = page(text).replace('<meta charset="utf-8">', "").encode(code)
            await out.send(200, body, f"text/html; charset={code}")
