#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# cost.sh BUILD [RUNS]: what calls cost under `gotrace record` and without it, in nanoseconds of
# processor time: the minimum of some runs in turns. Then the same for programs of the system that
# are installed, in seconds.
set -euo pipefail

[ $# -ge 1 ] || { sed -n '4,7s/^# \?//p' "$0" >&2; exit 2; }
build=$1 runs=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
record=("$build/examples/gotrace/gotrace" record --agent "$(realpath "$build")/lib/agent/libgotrace-agent.so"
  -o "$work/t.trace")

for _ in $(seq "$runs"); do
  "$build/tests/bench/bench_agent" | sed 's/^/plain /'
  "${record[@]}" "$build/tests/bench/bench_agent" 2>/dev/null | sed 's/^/recorded /'
  "${record[@]}" --stack 0 "$build/tests/bench/bench_agent" 2>/dev/null | sed 's/^/no-stacks /'
  "${record[@]}" --only sync "$build/tests/bench/bench_agent" 2>/dev/null | sed 's/^/only-sync /'
done >"$work/calls"

# The processor time of a command, in seconds.
spent() {
  local TIMEFORMAT='%U %S'
  { time "$@" >/dev/null 2>"$work/said"; } 2>&1 | awk '{ print $1 + $2 }'
}

head -c 30000000 /dev/urandom | base64 >"$work/data"
for _ in $(seq "$runs"); do
  for program in 'xz -T2 -0' 'pigz -p2' 'zstd -T2'; do
    command -v "${program%% *}" >/dev/null || continue
    read -ra words <<<"$program"
    echo "plain ${words[0]} $(spent "${words[@]}" -k -c "$work/data")"
    echo "recorded ${words[0]} $(spent "${record[@]}" "${words[@]}" -k -c "$work/data")"
  done
done >"$work/programs"

cat "$work/calls" "$work/programs" | sort -k2,2 -k1,1 -k3,3n | awk '!seen[$1 $2]++'
