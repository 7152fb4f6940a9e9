#!/usr/bin/env bash
# tools/setup.sh GROUP… : installs the Debian packages of these groups (run, test, bench) that are missing.
# Works as root or with sudo; asks the network for nothing when everything is there.
set -euo pipefail
cd "$(dirname "$0")/.."
wanted=()
while read -r group package; do
  for want in "$@"; do [ "$group" = "$want" ] && wanted+=("$package"); done
done < <(grep -v '^#' tools/packages.txt)
missing=()
installed=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^ii  *//p' || true)
for package in "${wanted[@]}"; do
  grep -qx -- "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
echo "Installing ${#missing[@]} Debian packages: ${missing[*]}" >&2
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "These packages are missing and neither root nor sudo is at hand: ${missing[*]}" >&2; exit 2; }
  as_root=(sudo)
fi
install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends "${missing[@]}" >/dev/null
}
install 2>/dev/null || { "${as_root[@]}" apt-get -qq update >&2 && install; }
