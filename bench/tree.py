#!/usr/bin/env python3
"""Builds the benchmark's tree of HTML pages from Debian documentation packages, into the folder named.

About 4,000 pages, all reachable from /index.html by a[href]; links to pages that are not in the tree become "#", so that
a crawl of it meets no 404. Packages: python3-doc, postgresql-doc-15, debian-handbook, rust-doc.
"""
import html
import os
import pathlib
import posixpath
import re
import sys
from urllib.parse import unquote, urldefrag

DOC = pathlib.Path("/usr/share/doc")
PARTS = [
    ("python", DOC / "python3.11/html", lambda p: True),
    ("postgresql", DOC / "postgresql-doc-15/html", lambda p: True),
    ("handbook", DOC / "debian-handbook/html/en-US", lambda p: True),
    ("rust", DOC / "rust-doc/html", lambda p: p.split("/")[0] in
     {"std", "alloc", "book", "reference", "rust-by-example", "nomicon"} and "/arch/" not in p),
]
ANCHOR = re.compile(rb"(<a\b[^>]*?\bhref\s*=\s*)(\"[^\"]*\"|'[^']*')", re.I | re.S)


def collect():
    pages = {}
    for name, root, wanted in PARTS:
        for path in sorted(root.rglob("*.html")):
            relative = path.relative_to(root).as_posix()
            if wanted(relative) and path.is_file():
                pages[f"{name}/{relative}"] = path.read_bytes()
    return pages


def rewritten(url: str, body: bytes, pages, found: set) -> bytes:
    def one(match):
        href = html.unescape(match[2][1:-1].decode("utf-8", "replace"))
        target, _ = urldefrag(href)
        if not target:
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(url), unquote(target)))
        if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//", href) or path not in pages:
            return match[1] + b'"#"'
        found.add(path)
        return match[0]
    return ANCHOR.sub(one, body)


def main() -> int:
    out = pathlib.Path(sys.argv[1])
    pages = collect()
    if not pages:
        print("none of the documentation packages is installed", file=sys.stderr)
        return 2
    links = {}
    for url in pages:
        links[url] = set()
        pages[url] = rewritten(url, pages[url], pages, links[url])
    starts = [u for u in ("python/index.html", "postgresql/index.html", "handbook/index.html", "rust/std/index.html",
                          "rust/alloc/index.html", "rust/book/index.html", "rust/reference/index.html",
                          "rust/rust-by-example/index.html", "rust/nomicon/index.html") if u in pages]
    reached, line = set(starts), list(starts)
    while line:
        for target in links[line.pop()]:
            if target not in reached:
                reached.add(target)
                line.append(target)
    # What is not reachable leaves the tree, and links to it go to "#".
    pages = {u: b for u, b in pages.items() if u in reached}
    total = 0
    for url, body in pages.items():
        path = out / url
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
        total += len(body)
    index = "<!doctype html><html lang=en><head><meta charset=utf-8><title>Documentation</title></head><body><main><h1>Documentation</h1><ul>"
    index += "".join(f'<li><a href="{u}">{u}</a></li>' for u in starts) + "</ul></main></body></html>"
    (out / "index.html").write_text(index)
    (out / "robots.txt").write_text("User-agent: *\nDisallow: /none/\n")
    print(f"{len(pages) + 1} pages, {total / 1e6:.1f} MB in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
