#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# pool_test.sh POOL GOTRACE: the thread pool of the examples records a good trace, with all its jobs.
set -u

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

"$1" "$work/pool.trace" || exit 1
"$2" check "$work/pool.trace" || exit 1
jobs=$("$2" summary "$work/pool.trace" | grep -c '"name":"pool.job"')
[ "$jobs" = 127 ] || {
    echo "there are $jobs jobs, not 127" >&2
    exit 1
}
"$1" "$work" 2>/dev/null && {
    echo 'a folder was written' >&2
    exit 1
}
exit 0
