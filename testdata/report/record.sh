#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# record.sh GOROOT GOTRACE [NAME...]
#
# Records each program, or those named, with its fault and mended, as NAME-planted.trace
# and NAME-mended.trace in this folder, and what it has measured beside them. Traces that
# are there are kept. A machine that does something else at the time adds faults of its
# own, which no measurement within the program sees, so a program is recorded again until
# its traces pass the test.
set -euo pipefail

[ $# -ge 2 ] || { sed -n '4,10s/^# \?//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
goroot=$1
export GT_COMMAND=$2 GT_TESTDATA=${here%/*}
shift 2
export GOTOOLCHAIN=local GOFLAGS= GOENV=off CGO_ENABLED=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here" && GOROOT=$goroot "$goroot/bin/go" build -trimpath -o "$work/report" .)

record() { # NAME MODE
    "$work/report" -o "$here/$1-$2.trace" "$1" "$2" >"$here/$1-$2.measured"
    [ "$2" = planted ] || rm "$here/$1-$2.measured"
}

failed=0
for name in ${@:-$("$work/report")}; do
    [ ! -e "$here/$name-mended.trace" ] || continue
    for try in $(seq 40); do
        [ "$name" = healthy ] || record "$name" planted
        record "$name" mended
        if python3 "$here/../../tests/analysis/report_programs_test.py" "$name" 2>"$work/error"
        then continue 2; fi
    done
    echo "record.sh: $name: $(tail -n 1 "$work/error")" >&2
    rm -f "$here/$name"-*
    failed=1
done
exit "$failed"
