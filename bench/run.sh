#!/usr/bin/env bash
# Every benchmark, one after the other, each beside its reference: bench/run.sh [ROUNDS of the crawl]
# Needs the packages of "tools/setup.sh bench". Prints to stdout what bench/RESULTS.md records.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
cmake --preset bench >/dev/null
cmake --build --preset bench -j"$(nproc)" >&2
echo "$(date -u +%F), $(nproc) cores, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(. /etc/os-release && echo "$PRETTY_NAME")"
tree=$(mktemp -d /dev/shm/periplus-tree.XXXXXX)
trap 'rm -rf "$tree"' EXIT
python3 bench/tree.py "$tree" >&2
for program in build/bench/bench/*_bench; do
  name=$(basename "$program")
  echo
  echo "## $name"
  case $name in
    html_bench | store_bench) taskset -c 1 "$program" "$tree" ;;
    fetch_bench) bench/fetch.sh build/bench/bench 5 "$tree" ;;
    *) taskset -c 1 "$program" ;;
  esac || echo "$name failed with $?"
done
rm -rf "$tree"
echo
echo "## the whole crawl"
PERIPLUS=build/bench/periplus bench/crawl.sh "${1:-5}"
