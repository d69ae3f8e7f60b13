#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# recorder.sh BUILD STATE SECONDS [EVENTS]: records random programs, with a scheduler and without
# one, and random sequences of calls, for this time or until there were so many events, by default
# 10^8, each time with other seeds. STATE/recorder has the next seed and the sum of events of all
# runs. Fails if a trace is refused or has not what its program did.
set -euo pipefail

[ $# -ge 3 ] || { echo "usage: recorder.sh BUILD STATE SECONDS [EVENTS]" >&2; exit 2; }
tests=$1/tests/recorder record=$2/recorder end=$(($(date +%s) + $3)) most=${4:-100000000}
export GT_RECORDER_ROUNDS=10
# A process for each trace would take long: this is for our reader.
unset GT_PEER
mkdir -p "$2"
seed=0 total=0 events=0
if [ -f "$record" ]; then read -r seed total <"$record"; fi

# try NAME: runs a test, and adds its events.
try() {
  if ! GT_RECORDER_SEED=$seed "$tests/$1" >"$record.log" 2>&1; then
    echo "$1 failed with seed $seed, see $record.log" >&2
    exit 1
  fi
  more=$(sed -n 's/^\([0-9]*\) events$/\1/p' "$record.log")
  events=$((events + ${more:-0}))
}

while [ "$(date +%s)" -lt "$end" ] && [ "$events" -lt "$most" ]; do
  try stress_test
  try implicit_stress_test
  try calls_test
  seed=$((seed + 1000))
  echo "$seed $((total + events))" >"$record"
done
echo "recorder: $events events, $((total + events)) in all runs"
