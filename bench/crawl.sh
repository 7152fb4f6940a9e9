#!/usr/bin/env bash
# The whole crawl of the documentation tree, beside wget2 and Scrapy: CPU seconds, wall and memory per 1,000 pages.
#
#   bench/crawl.sh [ROUNDS [ROUNDS-OF-SCRAPY]]     5 and 1 unless told
#
# PERIPLUS names another binary than build/release/periplus. Scrapy reads 500 pages, the others all of them.
#
# nginx serves the tree from memory on core 0; each client has core 1 and writes to memory. The rounds alternate, for
# on a shared machine only what is measured in turn can be compared.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
rounds=${1:-5}
scrapy_rounds=${2:-1}
periplus=${PERIPLUS:-$root/build/release/periplus}
[ -x "$periplus" ] || { echo "crawl.sh: build the release first: cmake --build --preset release" >&2; exit 2; }
for need in nginx wget2 scrapy taskset /usr/bin/time; do
  command -v "$need" >/dev/null || { echo "crawl.sh: $need is missing (tools/setup.sh bench)" >&2; exit 2; }
done

work=$(mktemp -d /dev/shm/periplus-crawl.XXXXXX)
nginx_pid=
finish() {
  [ -z "$nginx_pid" ] || kill "$nginx_pid" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

python3 "$root/bench/tree.py" "$work/tree" >&2
pages=$(find "$work/tree" -name '*.html' | wc -l)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
site=http://127.0.0.1:$port/
mkdir "$work/nginx"
chmod 755 "$work"
cat >"$work/nginx.conf" <<CONF
worker_processes 1; worker_cpu_affinity 01; daemon off; pid $work/nginx/pid; error_log $work/nginx/error;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=10000;
  types { text/html html; text/plain txt; } default_type application/octet-stream;
  client_body_temp_path $work/nginx/a; proxy_temp_path $work/nginx/b; fastcgi_temp_path $work/nginx/c;
  uwsgi_temp_path $work/nginx/d; scgi_temp_path $work/nginx/e;
  server { listen 127.0.0.1:$port; root $work/tree; charset utf-8; }
}
CONF
nginx -c "$work/nginx.conf" 2>"$work/nginx/said" &
nginx_pid=$!
for _ in $(seq 50); do
  python3 -c "import urllib.request as u; u.urlopen('${site}robots.txt')" 2>/dev/null && break
  sleep 0.1
done

# No page is cut, however long: what is compared is all of them. A cut page would be cheaper.
cat >"$work/periplus.toml" <<'CONF'
[limits]
page_kib = 16384
CONF

# timed NAME COMMAND…: adds "NAME user system wall kilobytes pages" to the table; the client's own words go to $work/said.
timed() {
  local name=$1
  shift
  /usr/bin/time -f '%U %S %e %M' -o "$work/time" taskset -c 1 "$@" >"$work/said" 2>&1 ||
    [ "$name" = wget2 ] || {  # its exit code tells of any fault of any answer; the pages are counted below
    echo "crawl.sh: $name failed:" >&2
    tail -n 5 "$work/said" >&2
    exit 1
  }
}
note() { echo "$1 $(tail -n 1 "$work/time") $2" >>"$work/table"; }

ours() {  # PAGES NAME [OPTION…]
  local most=$1 name=$2
  shift 2
  rm -rf "$work/home"
  mkdir "$work/home"
  timed "$name" "$periplus" audit "$site" --allow-private 127.0.0.1 --floor 0 --pages "$most" --home "$work/home" \
    --config "$work/periplus.toml" "$@"
  if [ "$name" = periplus ]; then
    note "$name" "$(grep -oE '[0-9]+ pages recorded' "$work/said" | grep -oE '[0-9]+')"
  else
    note "$name" "$most"
  fi
}
wget2_crawl() {
  rm -rf "$work/got"
  mkdir "$work/got"
  timed wget2 wget2 -q -r -l inf --follow-tags=a/href --max-threads=16 -P "$work/got" "$site"
  note wget2 "$(find "$work/got" -name '*.html' | wc -l)"
}
cat >"$work/spider.py" <<'SPIDER'
import sys
import scrapy
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Tree(CrawlSpider):
    name = "tree"
    allowed_domains = ["127.0.0.1"]
    rules = (Rule(LinkExtractor(tags=("a",), attrs=("href",)), callback="parse_page", follow=True),)
    custom_settings = {"ROBOTSTXT_OBEY": True, "AUTOTHROTTLE_ENABLED": False, "CONCURRENT_REQUESTS": 64,
                       "CONCURRENT_REQUESTS_PER_DOMAIN": 64, "CLOSESPIDER_PAGECOUNT": 500, "LOG_LEVEL": "ERROR",
                       "TELNETCONSOLE_ENABLED": False}
    pages = 0

    def __init__(self, site=None, **more):
        super().__init__(**more)
        self.start_urls = [site]

    def parse_page(self, response):
        Tree.pages += 1
        return {"title": response.css("title::text").get()}

    def closed(self, reason):
        print(f"{Tree.pages} pages")
SPIDER
scrapy_crawl() {
  timed scrapy scrapy runspider "$work/spider.py" -a "site=$site"
  note scrapy "$(grep -oE '^[0-9]+ pages' "$work/said" | grep -oE '[0-9]+')"
}

for round in $(seq "$rounds"); do
  echo "round $round of $rounds" >&2
  ours 100000 periplus --record-only
  wget2_crawl
  [ "$round" -gt "$scrapy_rounds" ] || scrapy_crawl
done
ours 100 audit-of-100 --format html,json --out "$work/report"

python3 - "$work/table" "$pages" <<'TABLE'
import statistics
import sys

runs = {}
for line in open(sys.argv[1]):
    name, user, system, wall, kilobytes, pages = line.split()
    share = 1000 / int(pages)
    runs.setdefault(name, []).append(((float(user) + float(system)) * share, float(wall) * share, int(kilobytes) / 1024, int(pages)))
whole = int(sys.argv[2])
fault = False


def figure(values, digits):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})"


print(f"{whole} pages, one core each for client and server, memory only")
print("| client | CPU s per 1,000 pages | wall s per 1,000 pages | peak RSS MB | pages | n |")
print("| --- | --- | --- | --- | --- | --- |")
for name, of in runs.items():
    cpu, wall, memory, pages = zip(*of)
    print(f"| {name} | {figure(cpu, 3)} | {figure(wall, 3)} | {figure(memory, 0)} | {min(pages)} | {len(of)} |")
    if name in ("periplus", "wget2") and min(pages) < whole:
        print(f"{name} did not fetch every page", file=sys.stderr)
        fault = True
ours = runs["periplus"]
cpu = statistics.median(run[0] for run in ours)
for peer, bar, wanted in (("wget2", 1.0, "at most 1.00"), ("scrapy", 1 / 50, "at most 0.02")):
    if peer in runs:
        # Of each round by itself: both ran under the same load.
        ratios = [a[0] / b[0] for a, b in zip(ours, runs[peer])]
        ratio = statistics.median(ratios)
        print(f"CPU periplus / {peer}: {ratio:.3f} ({min(ratios):.3f}–{max(ratios):.3f}), bar {wanted}: {'met' if ratio <= bar else 'MISSED'}")
for name, bar in (("periplus", 100), ("audit-of-100", 64)):
    peak = max(run[2] for run in runs[name])
    print(f"peak memory of {name}: {peak:.0f} MB, bar under {bar}: {'met' if peak < bar else 'MISSED'}")
sys.exit(1 if fault else 0)
TABLE
