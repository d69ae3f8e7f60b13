#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# record.sh GOROOT
#
# Records the program without a change three times, and once with each change, as
# NAME.trace in this folder.
set -euo pipefail

[ $# -eq 1 ] || { sed -n '4,7s/^# \?//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
export GOTOOLCHAIN=local GOFLAGS= GOENV=off CGO_ENABLED=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here" && GOROOT=$1 "$1/bin/go" build -trimpath -o "$work/compare" .)
for name in plain-1 plain-2 plain-3 slow lock memory; do
    "$work/compare" -o "$here/$name.trace" "${name%%-*}"
done
