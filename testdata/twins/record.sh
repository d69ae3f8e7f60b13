#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# record.sh GOROOT
#
# Records each of the programs as NAME.trace in this folder.
set -euo pipefail

[ $# -eq 1 ] || { sed -n '4,6s/^# \?//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
export GOTOOLCHAIN=local GOFLAGS= GOENV=off CGO_ENABLED=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here" && GOROOT=$1 "$1/bin/go" build -trimpath -o "$work/twins" main.go)
for name in pipeline convoy fan tree; do
    "$work/twins" "$name" "$here/$name.trace"
done
