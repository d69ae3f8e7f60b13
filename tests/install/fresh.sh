#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# fresh.sh [FOLDER]: runs the two commands of the README, exactly as they are there, on a new and
# minimal Debian 12, which debootstrap makes in FOLDER, by default a temporary one that is removed.
# What is committed is tested. Needs root, and Debian's mirror. Prints how long each took.
set -Eeuo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
if [ $# -ge 1 ]; then
  debian=$1
else
  work=$(mktemp -d)
  debian=$work/debian
fi

leave() {
  umount "$debian/proc" 2>/dev/null || true
  [ -z "${work:-}" ] || rm -rf "$work"
}
trap leave EXIT

for tool in debootstrap git chroot; do
  command -v "$tool" >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done

[ -x "$debian/usr/bin/apt-get" ] || debootstrap --variant=minbase bookworm "$debian" >/dev/null
cp /etc/resolv.conf /etc/hosts "$debian/etc"
mount -t proc proc "$debian/proc" || echo "left out: /proc, which may not be mounted here"
rm -rf "$debian/root/checkout"
mkdir "$debian/root/checkout"
git -C "$source" archive HEAD | tar -x -C "$debian/root/checkout"

# The lines of code of the README that install what they need.
mapfile -t commands < <(sed -n 's/^    \(apt-get update .*\)/\1/p' "$source/README.md")
[ "${#commands[@]}" = 2 ] || { echo "the README has ${#commands[@]} commands, not 2"; exit 1; }
for command in "${commands[@]}"; do
  before=$SECONDS
  echo "+ $command"
  chroot "$debian" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TZ=UTC \
    DEBIAN_FRONTEND=noninteractive bash -euc "cd /root/checkout && $command"
  echo "it took $((SECONDS - before)) s"
done
