#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# sanitizers.sh BUILD: a build with the sanitizers of addresses, undefined behaviour and integers
# finds the faults that are planted, and none in the command. No integer of the library overflows,
# not even an unsigned one, except in functions marked GT_WRAPS, and no implicit conversion loses
# a value.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$(realpath -m "${1:?usage: sanitizers.sh BUILD}")
# A sanitizer ends the program with an exit code of its own.
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=$found:handle_abort=1
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:exitcode=$found:handle_abort=1

plant "$build" -fsanitize=address,undefined,integer,implicit-conversion
trace=$root/testdata/v2/go1.26-tasks.trace
must_find 'heap-buffer-overflow' "$build/planted" outside "$trace"
must_find 'LeakSanitizer: detected memory leaks' "$build/planted" lost "$trace"
must_find 'unsigned integer overflow' "$build/planted" wrapped path
must_find 'implicit conversion' "$build/planted" narrowed path
nm "$build/lib/libgotrace.a" | grep __ubsan_handle_implicit_conversion >/dev/null ||
  fail "the library was built without the checks of integers"

# A twelfth of the traces, of all versions; the suites have the others.
some=()
for trace in "$root"/testdata/v[12]/*.trace; do
  count=$((${count:-0} + 1))
  [ $((count % 12)) != 0 ] || some+=("$trace")
done
command_lines "$build" "${some[@]}" >"$build/gate.lines"
run_all '' "$build/gate.lines"
