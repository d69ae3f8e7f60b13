#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# integers.sh BUILD: no integer of the library overflows, not even an unsigned one, except in
# functions marked GT_WRAPS, and no implicit conversion loses a value.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$(realpath -m "${1:?usage: integers.sh BUILD}")
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=$found:handle_abort=1
checks=-fsanitize=integer,implicit-conversion

set_up "$build" -Db_sanitize=undefined \
  -Dc_args="$checks -fsanitize-ignorelist=$gates/integers.ignore"
make_programs "$build"

plant "$build" -fsanitize=undefined $checks
must_find 'unsigned integer overflow' "$build/planted" wrapped path
must_find 'implicit conversion' "$build/planted" narrowed path
nm "$build/lib/libgotrace.a" | grep __ubsan_handle_implicit_conversion >/dev/null ||
  fail "the library was built without $checks"

{
  replay_lines "$build"
  command_lines "$build" "$root"/testdata/v[12]/*.trace
} >"$build/gate.lines"
run_all '' "$build/gate.lines"
