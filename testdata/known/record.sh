#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# record.sh FOLDER GOROOT...
#
# Records each of the twenty programs by each of these Go versions, with one, two and
# four processors, as FOLDER/NAME-goVERSION-pPROCS.trace. Nothing else should run on the
# machine: what other programs take from these is a fault that the report tells, too.
# tests/analysis/known_programs_test.py FOLDER prints what the report finds.
set -euo pipefail

[ $# -ge 2 ] || { sed -n '4,9s/^# \?//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift
export GOTOOLCHAIN=local GOFLAGS= GOENV=off CGO_ENABLED=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for goroot; do
    version=$(sed -n '1s/^\(go1\.[0-9]*\).*/\1/p' "$goroot/VERSION")
    (cd "$here" && GOROOT=$goroot "$goroot/bin/go" build -trimpath -o "$work/known" .)
    for name in $("$work/known"); do
        for procs in 1 2 4; do
            GOMAXPROCS=$procs "$work/known" -o "$folder/$name-$version-p$procs.trace" "$name"
        done
    done
done
