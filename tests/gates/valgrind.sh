#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# valgrind.sh BUILD: finds accesses outside of blocks, and leaks, in a release build that has
# the static libraries, the command and the fuzz replays.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$(realpath -m "${1:?usage: valgrind.sh BUILD}")
checked="valgrind -q --error-exitcode=$found --leak-check=full --errors-for-leak-kinds=all"

CC=${CC:-gcc} plant "$build"
must_find 'definitely lost' $checked "$build/planted" lost "$root/testdata/v2/go1.26-tasks.trace"

gotrace=$build/examples/gotrace/gotrace
{
  for replay in "$build"/tests/fuzz/fuzz_*_replay; do
    echo "$replay $root/tests/fuzz/finds"
  done
  for trace in v2/go1.{22-tasks,23-coro,25-flight,26-cut,27-gcgens} \
    v1/go1.{19-syscall,21-cpu,21-cut,21-tasks}; do
    echo "$gotrace dump $root/testdata/$trace.trace"
  done
  for trace in v2/go1.26-tasks v1/go1.21-tasks; do
    command_lines "$build" "$root/testdata/$trace.trace"
  done
} | sort -u >"$build/gate.lines"
run_all "$checked" "$build/gate.lines"
