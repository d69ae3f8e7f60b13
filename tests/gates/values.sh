#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# values.sh BUILD: nothing depends on memory that was not written, no integer of the library
# overflows, not even an unsigned one, except in functions marked GT_WRAPS, and no implicit
# conversion loses a value. One build has the sanitizers of both, because that takes half the time.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$(realpath -m "${1:?usage: values.sh BUILD}")
export MSAN_OPTIONS=exitcode=$found:handle_abort=1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=$found:handle_abort=1
# ccache does not know that this file takes part in the compilation.
export CCACHE_EXTRAFILES=$gates/values.ignore
checks=-fsanitize=integer,implicit-conversion

# The memory sanitizer of clang 14 knows fstat, but not under the name that it has with
# _FILE_OFFSET_BITS=64, so it takes what that writes for uninitialised memory.
set_up "$build" -Db_sanitize=memory \
  -Dc_args="-U_FILE_OFFSET_BITS $checks -fsanitize-ignorelist=$gates/values.ignore"
make_programs "$build"

plant "$build" -fsanitize=memory $checks
must_find 'use-of-uninitialized-value' "$build/planted" unwritten \
  "$root/testdata/v2/go1.26-tasks.trace"
must_find 'unsigned integer overflow' "$build/planted" wrapped path
must_find 'implicit conversion' "$build/planted" narrowed path
nm "$build/lib/libgotrace.a" | grep __ubsan_handle_implicit_conversion >/dev/null ||
  fail "the library was built without $checks"

# A third of the traces, of all versions and programs.
some=()
for trace in "$root"/testdata/v[12]/*.trace; do
  count=$((${count:-0} + 1))
  [ $((count % 3)) != 0 ] || some+=("$trace")
done

{
  replay_lines "$build"
  command_lines "$build" "${some[@]}"
} >"$build/gate.lines"
run_all '' "$build/gate.lines"
