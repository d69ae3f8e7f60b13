#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# fibers_test.sh FIBERS GOTRACE: the fibers of the examples record a good trace of what they did.
set -u

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

"$1" "$work/fibers.trace" || exit 1
"$2" check "$work/fibers.trace" || exit 1
starts=$("$2" dump "$work/fibers.trace" | grep -c 'Runnable->Running')
regions=$("$2" dump "$work/fibers.trace" | grep -c 'RegionEnd.*Type="add"')
[ "$starts $regions" = "12 10" ] || {
    echo "there are $starts starts and $regions regions, not 12 and 10" >&2
    exit 1
}
"$1" "$work" 2>/dev/null && {
    echo 'a folder was written' >&2
    exit 1
}
exit 0
