#!/usr/bin/python3
"""Reads real sites, served by nginx over TLS with a CA of our own, and compares with what a conforming
browser's parsers find in them: the same pages, the same dead links, the same titles.

PERIPLUS_SITES names the folder of sites (default: `sites` beside $PERIPLUS_TESTDATA).
"""
from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))
from testbed import PYTHON, ROOT, WEB, Findings, program, recorded, run, scratch  # noqa: E402

DATA = Path(os.environ.get("PERIPLUS_TESTDATA", ROOT.parent / "shared" / "testdata"))
SITES = Path(os.environ.get("PERIPLUS_SITES", DATA.parent / "sites"))
HOST = "localhost"  # a name the crawler resolves by itself
PAGES = 4000
OTHER = re.compile(r"\.(css|js|png|gif|jpe?g|svg|ico|pdf|zip|gz|tgz|jar|exe|xml\.gz|json|txt\.gz|tar|bz2|xz|deb|rpm)$", re.I)


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def certificate(folder: Path) -> None:
    """ca.pem, and site.pem for HOST, by the test web's own authority."""
    script = ("import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; "
              "from certs import Authority; from core import Site; "
              "f = Path(sys.argv[2]); a = Authority(f); (f / 'ca.pem').write_bytes(a.pem); "
              "a.context(Site(sys.argv[3], '', {}, None), a)")
    subprocess.run([PYTHON, "-B", "-c", script, str(WEB), str(folder), HOST], check=True)


LANGUAGES = "da|de|en|es|fr|ja|ko|pt-br|ru|tr|zh-cn"


def nginx_config(folder: Path, site: Path, manifest: dict[str, Any], port: int) -> str:
    """The site as its manifest wants it; a sitemap names its seeds; everything else answers 404."""
    index = manifest.get("directory_index") or "index.html"
    by_prefix = sorted(manifest.get("content_types_by_prefix", []), key=lambda x: -len(x["prefix"]))
    kinds = "".join(f'    "~^{x["prefix"]}" "{x["content_type"]}";\n' for x in by_prefix)
    seeds = "".join(f"<url><loc>https://{HOST}:{port}{path}</loc></url>" for path in manifest["start"])
    redirect = (f"rewrite ^/(?:(?:{LANGUAGES})/)+((?:{LANGUAGES})/.*)$ /$1 permanent;"
                if "redirect_rule" in manifest else "")
    scratch_paths = " ".join(f"{x}_temp_path {folder}/{x};" for x in
                             ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return f"""daemon off; worker_processes 1; pid {folder}/nginx.pid;
{"user root;" if os.geteuid() == 0 else ""}
events {{ worker_connections 256; }}
http {{
  access_log {folder}/access.log; {scratch_paths}
  types {{ }}
  map $uri $page_type {{
{kinds}    default "{manifest["default_content_type"]}";
  }}
  server {{
    listen 127.0.0.1:{port} ssl; server_name {HOST}; root {site}/www; index {index};
    ssl_certificate {folder}/{HOST}.pem; ssl_certificate_key {folder}/{HOST}.pem;
    absolute_redirect off; default_type ""; {redirect}
    location = /sitemap.xml {{ default_type application/xml; return 200 '<urlset>{seeds}</urlset>'; }}
    location / {{ add_header Content-Type $page_type; try_files $uri ${{uri}}{index} =404; }}
  }}
}}
"""


@contextmanager
def served(folder: Path, site: Path, manifest: dict[str, Any]) -> Iterator[int]:
    """nginx with one site, until the block ends; gives its port."""
    port = free_port()
    (folder / "nginx.conf").write_text(nginx_config(folder, site, manifest, port))
    talk = (folder / "nginx.log").open("wb")
    nginx = subprocess.Popen(["nginx", "-e", str(folder / "error.log"), "-p", str(folder), "-c",
                              str(folder / "nginx.conf")], stdout=talk, stderr=talk)
    try:
        for _ in range(200):
            with socket.socket() as sock:
                if sock.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if nginx.poll() is not None:
                sys.exit(f"nginx did not start: {(folder / 'nginx.log').read_text()}")
            time.sleep(0.05)
        yield port
    finally:
        nginx.send_signal(signal.SIGTERM)
        nginx.wait(10)


def plain_path(url: str) -> str:
    """Path and query, percent-decoded, so that spelling does not count."""
    parts = urlsplit(url)
    return unquote_to_bytes(parts.path + ("?" + parts.query if parts.query else "")).decode("utf-8", "replace")


def compare(found: Findings, name: str, home: Path, expected: dict[str, Any]) -> None:
    visit = recorded(home)
    if not found.check(visit is not None, f"{name}: nothing was recorded"):
        return
    assert visit
    found.check(visit.outcome == "complete", f"{name}: {visit.outcome} ({visit.detail})")
    titles = {plain_path(p["final_url"] or p["url"]): p["title"] for p in visit.pages if p["status"] == 200}
    gone = {plain_path(p["final_url"] or p["url"]) for p in visit.pages if p["status"] == 404}
    wanted = {plain_path(path): page["title"] for path, page in expected["pages"].items()}
    # Addresses whose ending says that they are no page are known to a crawler, but not asked for.
    wanted_gone = {path for path in map(plain_path, expected["not_found"]) if not OTHER.search(path.partition("?")[0])}
    for what, one, other in (("pages", set(titles), set(wanted)), ("dead links", gone, wanted_gone)):
        missing, more = sorted(other - one), sorted(one - other)
        found.check(not missing, f"{name}: {len(missing)} {what} not found: {missing[:5]}")
        found.check(not more, f"{name}: {len(more)} {what} too many: {more[:5]}")
    unlike = [(path, titles[path], wanted[path]) for path in titles.keys() & wanted.keys()
              if " ".join((titles[path] or "").split()) != " ".join((wanted[path] or "").split())]
    found.check(not unlike, f"{name}: {len(unlike)} titles differ: {unlike[:3]}")
    print(f"{name}: {len(titles)} pages, {len(gone)} dead links, {len(titles) - len(unlike)} titles equal",
          flush=True)


def main() -> int:
    wanted = sys.argv[1:]
    if not SITES.is_dir():
        print(f"skip: no folder {SITES} (set PERIPLUS_SITES)")
        return 0
    if shutil.which("nginx") is None:
        print("skip: nginx is not installed")
        return 0
    found = Findings()
    print(f"sites in {SITES.name}, {program()}", flush=True)
    for site in sorted(p.parent.resolve() for p in SITES.glob("*/manifest.json")):
        if wanted and site.name not in wanted:
            continue
        manifest = json.loads((site / "manifest.json").read_text())
        expected = json.loads((site / "expected.json").read_text())
        with scratch() as folder:
            folder.chmod(0o755)
            certificate(folder)
            with served(folder, site, manifest) as port:
                home = folder / "home"
                home.mkdir()
                (home / "periplus.toml").write_text(
                    f'[network]\nca_file = "{folder}/ca.pem"\nallow_private = ["{HOST}"]\n'
                    '[limits]\ndepth = 1000\n')
                ran = run("audit", f"https://{HOST}:{port}{manifest['start'][0]}", "--home", str(home),
                          "--pages", str(PAGES), "--floor", "0", "--format", "json", "--quiet", timeout=300)
                found.check(ran.code == 0, f"{site.name}: exit {ran.code}: {ran.err[-500:]}")
                compare(found, site.name, home, expected)
                print(f"{site.name}: {ran.seconds:.1f} s", flush=True)
    return found.end()


if __name__ == "__main__":
    sys.exit(main())
