#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# model.sh [SECONDS]: has spin look at all states of recorder.pml, the model of how threads agree on
# who has a goroutine when recording starts, and find each fault that can be planted there, each
# within this time, by default 120 seconds. Does nothing where spin is not installed.
set -euo pipefail

command -v spin >/dev/null || { echo "skipped: spin is not installed"; exit 0; }
model=$(cd "$(dirname "$0")" && pwd)/recorder.pml
seconds=${1:-120}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# explore [FAULT]: prints how many states and errors there are.
explore() {
  spin -a ${1:+"-D$1"} "$model" >spin.log
  cc -O2 -w -DSAFETY -o pan pan.c
  timeout "$seconds" ./pan -m20000 >pan.log
  grep -o 'errors: [0-9]*' pan.log
}

failed=0
found=$(explore)
echo "model: $found, $(grep 'states, stored' pan.log)"
[ "$found" = "errors: 0" ] || failed=1
for fault in NO_STRICT NO_EXCHANGE NO_STRICT_EXCHANGE ONE_WAIT NO_PART NO_TAG; do
  found=$(explore "$fault")
  echo "$fault: $found"
  [ "$found" != "errors: 0" ] || failed=1
done
exit "$failed"
