# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What the scripts of this folder share. Each is run as `tests/gates/NAME.sh BUILD`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
gates=$root/tests/gates
export TZ=UTC GT_TESTDATA=$root/testdata

# The exit code of a program in which a tool found something; no program uses it itself.
found=86

fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit 1
}

# set_up BUILD OPTION...: sets up a build of static libraries with clang, unless it exists.
set_up() {
  local build=$1
  shift
  [ -e "$build/build.ninja" ] ||
    CC=clang CXX=clang++ CC_LD=lld CXX_LD=lld meson setup "$build" "$root" -Dpage=disabled \
      -Dbuildtype=debugoptimized -Dwerror=true -Db_lundef=false -Ddefault_library=static \
      "$@" >/dev/null
}

# make BUILD TARGET...
make() {
  ninja -C "$@" >"$1/gate.log" || {
    tail -n 40 "$1/gate.log" >&2
    fail "$1 does not build"
  }
}

# replay_lines BUILD: commands that replay all fuzz targets on their seeds and on earlier finds,
# as the suite of that name does.
replay_lines() {
  meson introspect "$1" --tests | python3 -c '
import json, sys
for test in json.load(sys.stdin):
    if test["cmd"][0].endswith("_replay"):
        print(*test["cmd"])'
}

# make_programs BUILD: the command, and the fuzz targets as programs that replay inputs.
# shellcheck disable=SC2046 # Each name is a target.
make_programs() {
  make "$1" examples/gotrace/gotrace tests/fuzz/seeds \
    $(replay_lines "$1" | cut -d ' ' -f 1 | xargs realpath -m --relative-to="$1")
}

# plant BUILD FLAG...: compiles planted.c like the library, and links it.
plant() {
  local build=$1
  shift
  "${CC:-clang}" -std=c11 -D_POSIX_C_SOURCE=200809L -g -O1 "$@" -I"$root/include" \
    "$gates/planted.c" "$build/lib/libgotrace.a" -pthread -o "$build/planted"
}

# must_find PATTERN COMMAND...: fails if the tool does not report the planted fault.
must_find() {
  local pattern=$1 log status=0
  shift
  log=$("$@" 2>&1) || status=$?
  [ "$status" = "$found" ] && grep -q -- "$pattern" <<<"$log" ||
    fail "no planted fault in '$*', which ended with $status: $log"
}

# run COMMAND...: its exit code may be up to $most, as damaged traces make the command fail. After
# $longest seconds it is aborted, so that a deadlock fails with the stack where it happened.
export most=1 longest=600
run() {
  local log status=0
  log=$(timeout -s ABRT -k 10 "$longest" "$@" 2>&1 >/dev/null </dev/null) || status=$?
  [ "$status" -le "$most" ] && return
  printf '%s\n' "$log" | tail -n 60 >&2
  [ "$status" != 124 ] || fail "'$*' did not end within $longest seconds"
  fail "'$*' ended with $status"
}
export -f fail run

# run_all PREFIX LIST: runs the command in each line of LIST after PREFIX, two at a time.
run_all() {
  xargs -P 2 -I LINE bash -euc "run $1 LINE" "$0" <"$2"
}

# command_lines BUILD TRACE...: all subcommands on each trace.
command_lines() {
  local gotrace=$1/examples/gotrace/gotrace trace words
  shift
  for trace; do
    for words in dump 'dump --lenient' stat check json summary goroutines latency mmu \
      'pprof sync' 'pprof sched --text' footprint wire text; do
      echo "$gotrace $words $trace"
    done
  done
}
