#!/usr/bin/env bash
# A demonstration on this machine alone: starts the project's own web of ordinary and hostile sites on
# loopback, audits one of them, says where its report lies and what else to try. Takes under a minute.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
periplus=${PERIPLUS:-$root/build/release/periplus}
python=/usr/bin/python3
[ -x "$python" ] || python=python3
home=${PERIPLUS_DEMO_HOME:-$root/build/demo}
state=$(mktemp -d "${TMPDIR:-/tmp}/periplus-web.XXXXXX")
server=

finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  [ -z "$server" ] || wait "$server" 2>/dev/null || true
  rm -rf "$state"
}
trap finish EXIT
trap 'exit 130' INT TERM

[ -x "$periplus" ] || { echo "no program at $periplus: build it with ./run --help" >&2; exit 70; }
"$python" -B "$root/tests/web/serve.py" --state "$state" >"$state/server.log" 2>&1 &
server=$!
for _ in $(seq 200); do
  [ ! -f "$state/ports.json" ] || break
  kill -0 "$server" 2>/dev/null || { cat "$state/server.log" >&2; exit 70; }
  sleep 0.05
done
port() { "$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$state/ports.json" "$1"; }
http=$(port http) https=$(port https) dns=$(port dns)

# Each demonstration starts afresh: the last one's site would still be owed its ten minutes of rest.
rm -rf "$home"
mkdir -p "$home"
cat >"$home/periplus.toml" <<TOML
[pace]
floor = "600ms"                  # under a second for one's own machine only; the public web is given two
[network]
dns = ["127.0.0.1:$dns"]
ca_file = "$state/ca.pem"
ports = [$http, $https]
allow_private = ["*"]
TOML

site=https://faulty.test:$https/
cat <<TEXT
A web of $("$python" -B "$root/tests/web/serve.py" --list-json | "$python" -c 'import json, sys; print(len(json.load(sys.stdin)))') small sites runs on this machine, the good, the careless and the hostile.
One of them is read now: $site
TEXT
code=0
"$periplus" audit "$site" --home "$home" || code=$?
asked=$(grep -c '"site": "faulty.test"' "$state/access.jsonl" || true)
report=$(find "$home/reports" -name report.html -print -quit 2>/dev/null || true)
cat <<TEXT

The site's own log counts $asked requests, each with our name, none closer to the last than agreed.
${report:+The report: $report}

Try next:
  ./run audit https://your.site        a site of yours: two seconds between requests, robots.txt obeyed
  ./run explain https://your.site/x    every decision about one address
  ./run rules                          what is judged, and why
  ./run --help                         the rest
TEXT
exit "$code"
