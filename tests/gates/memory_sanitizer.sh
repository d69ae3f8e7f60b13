#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# memory_sanitizer.sh BUILD: nothing depends on memory that was not written.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$(realpath -m "${1:?usage: memory_sanitizer.sh BUILD}")
export MSAN_OPTIONS=exitcode=$found:handle_abort=1

# The sanitizer of clang 14 knows fstat, but not under the name that it has with
# _FILE_OFFSET_BITS=64, so it takes what that writes for uninitialised memory.
set_up "$build" -U_FILE_OFFSET_BITS -Db_sanitize=memory
make_programs "$build"

plant "$build" -fsanitize=memory
must_find 'use-of-uninitialized-value' "$build/planted" unwritten \
  "$root/testdata/v2/go1.26-tasks.trace"

{
  replay_lines "$build"
  command_lines "$build" "$root"/testdata/v[12]/*.trace
} >"$build/gate.lines"
run_all '' "$build/gate.lines"
