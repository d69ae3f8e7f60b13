#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# sweeps.sh BUILD STATE SECONDS: runs the sweeps over every trace of testdata and GT_CORPUS up
# to 64 KiB, on all processors for this time. The sweeps of failures, sizes of reads and
# prefixes come first and are complete; that of damage takes turns between all traces. STATE
# keeps the progress, and the next run continues from there. Prints rows for the ledger in
# docs/fuzzing.md. Fails if a sweep did.
set -euo pipefail

[ $# = 3 ] || { echo "usage: sweeps.sh BUILD STATE SECONDS" >&2; exit 2; }
export SWEEP="$1/tests/sweep/sweep" STATE="$2/sweeps"
END=$(($(date +%s) + $3))
export END
here=$(cd "$(dirname "$0")" && pwd)
largest=65536
# How long the sweep of damage stays with a trace, in seconds of CPU time.
export SLICE=20

export ASAN_OPTIONS=abort_on_error=1
export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1

mkdir -p "$STATE"

traces() {
  find "$here/../../testdata" ${GT_CORPUS:+"$GT_CORPUS"} -type f -size -$((largest + 1))c \
    \( -name '*.trace' -o -name '*.v1' \) 2>/dev/null | LC_ALL=C sort
}

# sweep PART FILE: continues a part of the sweeps on a trace. STATE/PART-CHECKSUM, if it
# exists, has the last line about it, with the sums of all runs and seconds.
sweep() {
  local part=$1 file=$2 record from=0 total=0 runs=0 seconds=0 line
  local left=$((END - $(date +%s)))
  if [ "$left" -le 0 ]; then return; fi
  record=$STATE/$part-$(cksum <"$file" | tr ' ' -)
  if [ -f "$record" ]; then read -r from total runs seconds <"$record"; fi
  if [ "$from" = "$total" ] && [ "$total" != 0 ]; then return; fi
  if [ "$part" = change ] && [ "$left" -gt "$SLICE" ]; then left=$SLICE; fi
  if ! line=$("$SWEEP" "$part" "$left" "$from" "$file" 2>"$record.log"); then
    echo "sweep $part 0 $from $file failed: see $record.log" >&2
    return 1
  fi
  rm "$record.log"
  echo "$line" | awk -v runs="$runs" -v seconds="$seconds" \
    '{ print $(NF - 3), $(NF - 2), runs + $(NF - 1), seconds + $NF }' >"$record"
}
export -f sweep

# sweep_all PART: runs the part on all traces once. Fails if one did.
sweep_all() {
  printf '%s\0' "${files[@]}" |
    xargs -0 -P "$(nproc)" -I FILE bash -c 'sweep "$1" "$2" || exit 1' sweep "$1" FILE
}

is_done() {
  cat "$STATE/$1"-* | awk -v files="${#files[@]}" \
    '$1 == $2 { done++ } END { exit done < files }'
}

tell() {
  cat "$STATE/$1"-* | awk -v part="$1" -v date="$(date +%F)" -v files="${#files[@]}" '
    { done += $1; total += $2; runs += $3; seconds += $4 }
    END { printf "| %s | `%s` | %d of %d | %d of %d (%.1f %%) | %d | %d |\n",
      date, part, NR, files, done, total, 100 * done / total, runs, seconds }'
}

mapfile -t files < <(traces)
for part in fail step cut; do sweep_all "$part"; done
while [ "$(date +%s)" -lt "$END" ]; do
  sweep_all change
  if is_done change; then break; fi
done

echo "| Date | Sweep | Traces | Places of these | Runs | CPU s |"
for part in fail step cut change; do
  if compgen -G "$STATE/$part-*" >/dev/null; then tell "$part"; fi
done
