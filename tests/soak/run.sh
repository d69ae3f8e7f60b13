#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh MINUTES [STATE]: runs what takes too long for every change, for this many minutes plus
# building: the sweeps, fuzzing with and without sanitizers, mutants, the recorder, and damaged traces
# and one of half a gigabyte in WebAssembly. STATE, by default build-soak in the root, keeps builds,
# corpora, the progress of sweeps, mutants and the recorder, and the finds. With MEMORY=1 it also
# fuzzes with clang's memory sanitizer. With GT_PEER, a program that contains Go's reader, 20,000 mutants of
# traces are compared with it, which takes some minutes more.
set -euo pipefail

[ $# -ge 1 ] || { echo "usage: run.sh MINUTES [STATE]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
seconds=$(($1 * 60))
state=${2:-$root/build-soak}
failed=0

# build NAME OPTION...: sets the build up once, and updates it.
build() {
  local name=$1
  shift
  if [ ! -f "$state/$name/build.ninja" ]; then
    CC=clang CXX=clang++ meson setup "$state/$name" "$root" -Dfuzzing=enabled \
      -Ddefault_library=static -Db_lundef=false "$@" >"$state/$name.log"
  fi
  ninja -C "$state/$name" fuzz tests/sweep/sweep >>"$state/$name.log"
}

# part NAME SHARE COMMAND...: runs the command for a share of the time, in percent.
part() {
  local name=$1 share=$2
  shift 2
  printf '\n== %s, %d s\n' "$name" $((seconds * share / 100))
  "$@" $((seconds * share / 100)) || failed=1
}

mkdir -p "$state"
build checked -Dbuildtype=debugoptimized -Db_sanitize=address,undefined
# With assertions but without sanitizers, and counting only edges: five to ten times as fast.
CFLAGS="-fno-sanitize-coverage=trace-cmp,indirect-calls" \
  build fast -Dbuildtype=release -Db_ndebug=false
if [ "${MEMORY:-0}" = 1 ]; then build memory -Dbuildtype=debugoptimized -Db_sanitize=memory; fi

part "sweeps" 25 "$here/sweeps.sh" "$state/fast" "$state"
part "sweeps with sanitizers" 10 "$here/sweeps.sh" "$state/checked" "$state/sanitized"
part "fuzzing" 25 "$here/fuzz.sh" "$state/fast" "$state"
part "fuzzing with sanitizers" 25 "$here/fuzz.sh" "$state/checked" "$state"
part "mutants" 10 "$root/tests/mutation/mutate.py" --state "$state/mutation" --resume \
  --count 1000000 --seconds
ninja -C "$state/fast" tests/recorder/{stress,implicit_stress,calls}_test >>"$state/fast.log"
part "recorder" 5 "$here/recorder.sh" "$state/fast" "$state"
printf '\n== model of the recorder\n'
"$here/model.sh" || failed=1
if [ "${MEMORY:-0}" = 1 ]; then
  part "fuzzing with the memory sanitizer, besides" 30 "$here/fuzz.sh" "$state/memory" "$state"
fi

printf '\n== WebAssembly\n'
[ -f "$state/page/build.ninja" ] ||
  meson setup "$state/page" "$root" -Dtests=enabled -Dpage=enabled >"$state/page.log"
ninja -C "$state/page" examples/gotrace/gotrace examples/javascript/gotrace.wasm \
  examples/page/gotrace.html tests/bench/bench_synth >>"$state/page.log"
node "$root/tests/javascript/hostile_test.mjs" "$state/page/examples/javascript" \
  "$state/page/examples/gotrace/gotrace" "$root" $((seconds * 5 / 100)) "$RANDOM" || failed=1
# Half a gigabyte, of which a browser takes some three.
"$state/page/tests/bench/bench_synth" --bytes 520000000 --generations 40 "$state/large.trace"
GT_COMMAND=$state/page/examples/gotrace/gotrace GT_TESTDATA=$root/testdata \
  "$here/large_page.py" "$state/page/examples/page/gotrace.html" "$state/large.trace" || failed=1
rm -f "$state/large.trace"

printf '\n== differential\n'
ninja -C "$state/fast" examples/gotrace/gotrace >>"$state/fast.log"
GT_COMMAND=$state/fast/examples/gotrace/gotrace GT_TESTDATA=$root/testdata \
  "$here/differential.py" --seed "$((RANDOM * 32768 + RANDOM))" --keep "$state/finds" 20000 ||
  failed=1

if [ -n "$(ls "$state/finds")" ]; then
  echo "found, now or before: $state/finds" >&2
  failed=1
fi
exit "$failed"
