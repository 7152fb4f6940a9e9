#!/usr/bin/env bash
# tools/fuzz.sh SECONDS [NAME…] : runs every fuzz target (or these) that long, six at a time, from its seeds.
# New inputs stay in build/fuzz-corpus/NAME; a finding is left in build/fuzz-findings/ and ends with exit 1.
set -uo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for program in build/asan/fuzz/*_fuzz; do names+=("$(basename "$program" _fuzz)"); done
fi
mkdir -p build/fuzz-findings
one() {
  local name=$1
  mkdir -p "build/fuzz-corpus/$name" "fuzz/corpus/$name"
  local options=()
  [ -f "fuzz/$name.dict" ] && options+=("-dict=fuzz/$name.dict")
  "build/asan/fuzz/${name}_fuzz" -max_total_time="$2" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="build/fuzz-findings/$name-" "${options[@]}" "build/fuzz-corpus/$name" "fuzz/corpus/$name" \
    >"build/fuzz-findings/$name.log" 2>&1 && echo "ok   $name: $(grep -o 'stat::number_of_executed_units: .*' "build/fuzz-findings/$name.log" | tr -s ' ' | cut -d' ' -f2) runs" || {
    echo "FAIL $name"
    tail -n 40 "build/fuzz-findings/$name.log"
    return 1
  }
}
export -f one
printf '%s\n' "${names[@]}" | xargs -P6 -I{} bash -c 'one "$1" "$2"' _ {} "$seconds"
