#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# How many of the branches of lib/ the tests take: run.sh BUILD RELEASE [PERCENT].
# Makes BUILD, in which lib/ and tests count branches, or brings it up to date, and runs
# the tests of lib/ in it but for those that take long and add nothing. Fails
# below PERCENT, and where what BUILD makes of all recorded traces is not what
# RELEASE does, a build without options: then they are not the same program.
# BUILD/missing.txt lists the branches that were not taken; left.md says why some cannot be.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -ge 2 ] || { echo "usage: run.sh BUILD RELEASE [PERCENT]" >&2; exit 2; }
# The least only rises. Where it has to fall, the commit says which lines no test can reach.
build=$1 release=$2 percent=${3:-92.7}

# The first is about time; the second repeats with larger traces what others do.
slow='reader_limits_test|reader_v1_hostile_test'
folders='analysis|columns|raw|reader|recorder|rewrite|timeline|unit|validate|viewer'

export GT_TESTDATA=$root/testdata TZ=UTC
# Counting is slow, and -O0 more so. Only what is in testdata has to be the same everywhere.
export GT_TIME_SCALE=20 GT_CORPUS=$root/testdata/none

[ -f "$build/build.ninja" ] || meson setup "$build" "$root" --buildtype=debug -Doptimization=0 \
  -Db_coverage=true -Db_ndebug=true >/dev/null
build=$(cd "$build" && pwd)
# Counts of another state of the sources do not add up.
find "$build" -name '*.gcda' -delete
# Otherwise the lists below lack tests that are newer than the build.
ninja -C "$build" build.ninja >/dev/null

export GT_COMMAND=$build/examples/gotrace/gotrace
programs=$(ninja -C "$build" -t targets all |
  sed -nE "s#^(tests/($folders)/[a-z0-9_]+_test): .*LINKER.*#\1#p" | grep -vE "$slow")
targets=$(ninja -C "$build" -t targets all |
  sed -nE 's#^(tests/fuzz/fuzz_[a-z0-9]+_replay|tests/viewer/viewer_draw|tests/recorder/libunloaded.so): .*LINKER.*#\1#p' |
  grep -vE 'fuzz_(http|web|command)_')
# shellcheck disable=SC2086
ninja -C "$build" $programs $targets tests/fuzz/seeds tests/recorder/cfi_rows \
  examples/gotrace/gotrace >"$build/ninja.log" ||
  { cat "$build/ninja.log"; exit 1; }

# Runs a command quietly; what it says is shown where it fails.
run() {
  local log
  log=$(mktemp)
  "$@" >"$log" 2>&1 || { cat "$log"; rm -f "$log"; echo "failed: $*"; return 1; }
  rm -f "$log"
}
export -f run
# The command of each test, one a line.
commands() {
  local name seeds
  sed "s#^#$build/#" <<<"$programs"
  for name in analysis:trace columns:trace downgrade:trace elf:elf emitter:emitter raw:trace \
    reader:trace rewrite:trace rewrite:v1 text:text timeline:trace v1:v1 validate:trace; do
    seeds=$build/tests/fuzz/seeds/${name#*:}
    echo "$build/tests/fuzz/fuzz_${name%:*}_replay $seeds $root/tests/fuzz/finds"
  done
  echo "python3 $root/tests/viewer/viewer_test.py $build/tests/viewer/viewer_draw"
  # These read recorded traces with the command.
  for name in commands report_programs report compare_command; do
    echo "python3 -B $root/tests/analysis/${name}_test.py"
  done
  echo "python3 -B $root/tests/columns/command_test.py $GT_COMMAND $root/testdata"
  echo "python3 -B $root/tests/recorder/cfi_test.py $build/tests/recorder/cfi_rows" \
    "$build/tests/recorder/cfi_rows $GT_COMMAND libc.so.6 libm.so.6"
}
commands | xargs -P "$(nproc)" -I '{}' bash -c 'run {}'

# Links the program that sums up traces with the libraries of a build.
hash_with() {
  gcc -std=c11 -O1 -D_POSIX_C_SOURCE=200809L -I"$root/include" -I"$root/tests/portable" \
    -I"$root/tests" "$root"/tests/portable/*.c "$root"/tests/support/{digest,getters,test}.c \
    "$1"/lib/libgotrace{-timeline,-viewer,}.a "${@:2}" -o "$build/hash"
  "$build/hash" "$root"/testdata/v?/*.trace
}
ninja -C "$build" lib/libgotrace{-timeline,-viewer,}.a >/dev/null
hash_with "$release" >"$build/release.txt"
hash_with "$build" -lgcov >"$build/counted.txt"
cmp "$build/release.txt" "$build/counted.txt" ||
  { echo "lib without optimisation reads traces in another way" >&2; exit 1; }

python3 "$root/tests/coverage/report.py" "$build" "$percent" "$build/missing.txt"
