#!/bin/sh
# Requests a second of the fetcher beside wrk's, over the same pages: nginx with one worker on core 0, the
# clients in turn on core 1, 64 connections, both asking for every page of the tree in the same order.
#   bench/fetch.sh FOLDER-OF-fetch_bench [ROUNDS] [TREE]
# TREE: a folder of pages (bench/tree.py builds one); without it a temporary one is built.
# Needs nginx, wrk, taskset, python3. Bar: a ratio of 0.5.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bench=$1/fetch_bench
rounds=${2:-5}
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT INT TERM
tree=${3:-}
if [ -z "$tree" ]; then
  tree=$work/tree
  python3 "$here/tree.py" "$tree" >&2
fi
(cd "$tree" && find . -type f -name '*.html' | sed 's|^\.||' | grep -v '[^A-Za-z0-9/._~-]' | LC_ALL=C sort) >"$work/list"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$work/nginx.conf" <<CONF
daemon off;
master_process off;
worker_processes 1;
pid $work/pid;
error_log $work/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  open_file_cache max=20000 inactive=10m;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
  types { text/html html; }
  client_body_temp_path $work/a;
  proxy_temp_path $work/b;
  fastcgi_temp_path $work/c;
  uwsgi_temp_path $work/d;
  scgi_temp_path $work/e;
  server { listen 127.0.0.1:$port; root $tree; }
}
CONF
taskset -c 0 nginx -c "$work/nginx.conf" -p "$work" -e "$work/error.log" &
server=$!
cat >"$work/cycle.lua" <<'LUA'
local paths = {}
for line in io.lines(os.getenv("LIST")) do paths[#paths + 1] = line end
local i = 0
local headers = { ["User-Agent"] = "wrk" }
request = function()
  i = i % #paths + 1
  return wrk.format("GET", paths[i], headers)
end
LUA
base=http://127.0.0.1:$port
first=$(head -n 1 "$work/list")
tries=0
until curl -sf -o "$work/first" "$base$first"; do
  tries=$((tries + 1))
  [ "$tries" -lt 50 ] || { cat "$work/error.log" >&2; exit 2; }
  sleep 0.1
done
pages=$(wc -l <"$work/list")
echo "$pages pages, $rounds rounds" >&2
"$bench" "$work/list" "$base" 64 "$pages" >&2 # warms the page cache
round=0
while [ "$round" -lt "$rounds" ]; do
  LIST=$work/list taskset -c 1 wrk -t1 -c64 -d4s -s "$work/cycle.lua" "$base" >"$work/out"
  awk '/Requests\/sec/ { print $2 }' "$work/out" >>"$work/wrk"
  grep -i 'non-2xx\|socket errors' "$work/out" >&2 || true
  taskset -c 1 "$bench" "$work/list" "$base" 64 30000 | tee -a "$work/ours" >&2
  tail -n 1 "$work/wrk" | sed 's/$/ requests\/s of wrk/' >&2
  round=$((round + 1))
done
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
wrk=$(median <"$work/wrk")
ours=$(median <"$work/ours")
cpu=$(sed 's/.*requests.s, \([0-9.]*\) us.*/\1/' "$work/ours" | median)
awk -v w="$wrk" -v o="$ours" -v c="$cpu" 'BEGIN {
  printf "median: %.0f requests/s (%.1f us CPU each), wrk %.0f requests/s, ratio %.2f\n", o, c, w, o / w }'
