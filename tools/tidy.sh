#!/usr/bin/env bash
# clang-tidy over src/. What was clean and has not changed since (nor any header) is not looked at again.
set -uo pipefail
cd "$(dirname "$0")/.."
cmake --preset tidy >/dev/null || exit 1
mkdir -p build/tidy/clean
headers=$(git ls-files -z --cached --others --exclude-standard 'src/*.h' 'src/*.inc' .clang-tidy | xargs -0 cat | sha256sum | cut -c1-16)
one() {
  local mark
  mark=build/tidy/clean/$(cat "$1" <(echo "$2 $1") | sha256sum | cut -c1-32)
  [ -f "$mark" ] && return 0
  clang-tidy-19 --quiet -p build/tidy "$1" 2>/dev/null && touch "$mark"
}
export -f one
git ls-files --cached --others --exclude-standard 'src/*.cpp' | xargs -P2 -I{} bash -c 'one "$1" "$2"' _ {} "$headers"
