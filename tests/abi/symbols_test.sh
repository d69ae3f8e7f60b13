#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# symbols_test.sh LIBRARY MAP HEADER...: the shared library exports exactly what its version
# script lists, and the public headers declare the same.
set -u

library=$1
map=$2
shift 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

nm -D --defined-only "$library" |
    awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported"
# The symbols of a node are between "global:" and "local:" or its end, one per line.
awk '/global:/ { on = 1; next } /local:|^}/ { on = 0 } on { gsub(/[ \t;]/, ""); if ($0) print }' \
    "$map" | sort >"$work/listed"
cat "$@" | grep '^GT_API ' |
    sed 's/^GT_API [^(]*[ *]\(gt_[a-z0-9_]*\)(.*/\1/' | sort >"$work/declared"

status=0
if [ ! -s "$work/listed" ]; then
    echo "$map lists nothing" >&2
    status=1
fi
if ! diff -u "$work/listed" "$work/exported"; then
    echo "the library does not export what $map lists" >&2
    status=1
fi
if ! diff -u "$work/declared" "$work/listed"; then
    echo "$map does not list what the headers declare" >&2
    status=1
fi
exit $status
