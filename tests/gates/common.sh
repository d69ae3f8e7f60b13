# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What the scripts of this folder share. Each is run as `tests/gates/NAME.sh BUILD`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
gates=$root/tests/gates
export TZ=UTC GT_TESTDATA=$root/testdata

# With this a tool ends a program in which it found something; no program does by itself.
found=86

# The fuzz targets and the seeds that are theirs.
replays=(reader:trace raw:trace validate:trace analysis:trace timeline:trace v1:v1 text:text
  emitter:emitter http:http)

fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit 1
}

# set_up BUILD OPTION...: static libraries by clang, unless the build is there.
set_up() {
  local build=$1
  shift
  [ -e "$build/build.ninja" ] ||
    CC=clang CXX=clang++ meson setup "$build" "$root" -Dbuildtype=debugoptimized \
      -Dwerror=true -Db_lundef=false -Ddefault_library=static "$@" >/dev/null
}

# make BUILD TARGET...
make() {
  ninja -C "$@" >"$1/gate.log" || {
    tail -n 40 "$1/gate.log" >&2
    fail "$1 does not build"
  }
}

# The command, and the fuzz targets as programs that run inputs.
# shellcheck disable=SC2046 # Each name is a target.
make_programs() {
  make "$1" examples/gotrace/gotrace tests/fuzz/seeds \
    $(printf 'tests/fuzz/fuzz_%s_replay ' "${replays[@]%:*}")
}

# plant BUILD FLAG...: planted.c, compiled and linked like the library.
plant() {
  local build=$1
  shift
  "${CC:-clang}" -std=c11 -D_POSIX_C_SOURCE=200809L -g -O1 "$@" -I"$root/include" \
    "$gates/planted.c" "$build/lib/libgotrace.a" -pthread -o "$build/planted"
}

# must_find PATTERN COMMAND...: where the planted fault is not reported, the tool is dead.
must_find() {
  local pattern=$1 log status=0
  shift
  log=$("$@" 2>&1) || status=$?
  [ "$status" = "$found" ] && grep -q -- "$pattern" <<<"$log" ||
    fail "no planted fault in '$*', which ended with $status: $log"
}

# run COMMAND...: which may end with at most $most, as the command does where a trace is damaged.
export most=1
run() {
  local log status=0
  log=$("$@" 2>&1 >/dev/null </dev/null) || status=$?
  [ "$status" -le "$most" ] && return
  printf '%s\n' "$log" | tail -n 60 >&2
  fail "'$*' ended with $status"
}
export -f fail run

# run_all PREFIX LIST: each line of LIST, a command, behind PREFIX; two at a time.
run_all() {
  xargs -P 2 -I LINE bash -euc "run $1 LINE" "$0" <"$2"
}

# replay_lines BUILD FILE...: all replays on their seeds, and on what fuzzing has found.
replay_lines() {
  local replay
  for replay in "${replays[@]}"; do
    echo "$1/tests/fuzz/fuzz_${replay%:*}_replay $1/tests/fuzz/seeds/${replay#*:}" \
      "$root/tests/fuzz/finds"
  done
}

# command_lines BUILD TRACE...: what the command can say of each.
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
