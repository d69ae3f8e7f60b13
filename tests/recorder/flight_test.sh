#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# flight_test.sh FLIGHT GOTRACE: the flight recorder of the examples writes a good trace of what was
# before the end of the slow request, in which others wait for a lock.
set -u

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

"$1" "$work/slow.trace" >"$work/said" || exit 1
grep -q '^request 150 was slow, see ' "$work/said" || exit 1
"$2" check "$work/slow.trace" || exit 1
requests=$("$2" summary "$work/slow.trace" | grep -c '"name":"flight.request"')
[ "$requests" -gt 100 ] || {
    echo "there are $requests requests" >&2
    exit 1
}
"$1" "$work" 2>/dev/null && {
    echo 'a folder was written' >&2
    exit 1
}
"$1" 2>/dev/null && {
    echo 'no trace was named' >&2
    exit 1
}
exit 0
