#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# fuzz.sh BUILD STATE SECONDS [TARGET...]: fuzzes all targets, or those that are named, of a
# build with -Dfuzzing=enabled on all processors for this time in total, each time from another
# seed. STATE/corpus/TARGET is kept between runs and shared by all builds; STATE/finds gets the
# finds, and STATE/logs the logs. Prints rows for the ledger in docs/fuzzing.md. Fails if
# anything was found, or if the planted fault was not.
set -euo pipefail

[ $# -ge 3 ] || { echo "usage: fuzz.sh BUILD STATE SECONDS [TARGET...]" >&2; exit 2; }
export BUILD="$1/tests/fuzz" STATE=$2
seconds=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
export DICTIONARIES="$here/../fuzz"

export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export ASAN_OPTIONS=quarantine_size_mb=8:malloc_context_size=8

# Prints the targets of a build, except for the one with the planted fault.
targets() {
  local file name
  for file in "$BUILD"/fuzz_*; do
    name=${file##*/fuzz_}
    case $name in
      *_replay | *_test | *.p | planted | seeds) ;;
      *) [ -f "$file" ] && [ -x "$file" ] && echo "$name" ;;
    esac
  done
}

# fuzz TARGET: prints as much of its log as a row needs.
fuzz() {
  local name=$1 seeds=$BUILD/seeds/$1 dictionary=() log=$STATE/logs/$1.log failed=0
  [ -d "$seeds" ] || seeds=$BUILD/seeds/trace
  [ -f "$DICTIONARIES/$name.dict" ] && dictionary=(-dict="$DICTIONARIES/$name.dict")
  mkdir -p "$STATE/corpus/$name"
  "$BUILD/fuzz_$name" -max_total_time="$SECONDS_EACH" -seed="$((RANDOM * 32768 + RANDOM + 1))" \
    -entropic=0 -timeout=60 -rss_limit_mb=2048 -print_final_stats=1 "${dictionary[@]}" \
    -artifact_prefix="$STATE/finds/$name-" "$STATE/corpus/$name" "$seeds" >"$log" 2>&1 || failed=1
  awk -v name="$name" -v failed="$failed" -v date="$(date +%F)" '
    / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
    /^stat::number_of_executed_units:/ { runs = $2 }
    END { printf "| %s | `%s` | %d | %d | %d |\n", date, name, runs, edges, failed
          exit failed || runs == 0 }' "$log" || { tail -n 60 "$log" >&2; return 1; }
}
export -f fuzz

mkdir -p "$STATE/finds" "$STATE/logs"

# A fuzzer that does not find the planted fault proves nothing.
planted=$STATE/logs/planted
if "$BUILD/fuzz_planted" -max_total_time=300 -seed=1 -entropic=0 -artifact_prefix="$planted-" \
  "$BUILD/seeds/trace" >"$planted.log" 2>&1 || ! grep -q 'the planted fault' "$planted.log"; then
  echo "fuzz_planted did not find its fault: see $planted.log" >&2
  exit 1
fi
rm -f "$planted"-*

[ $# -gt 0 ] || mapfile -t list < <(targets)
[ $# = 0 ] || list=("$@")
jobs=$(nproc)
rounds=$(((${#list[@]} + jobs - 1) / jobs))
export SECONDS_EACH=$((seconds / rounds))
if [ "$SECONDS_EACH" = 0 ]; then SECONDS_EACH=1; fi

echo "| Date | Target | Executions | Edges | Found |"
printf '%s\n' "${list[@]}" | xargs -P "$jobs" -I TARGET bash -c 'fuzz TARGET'
