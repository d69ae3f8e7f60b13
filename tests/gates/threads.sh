#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# threads.sh BUILD: finds data races in what the headers promise about threads, and in the
# threads of the reader and the viewer.
set -euo pipefail
. "$(dirname "$0")/common.sh"
build=$(realpath -m "${1:?usage: threads.sh BUILD}")
export TSAN_OPTIONS=exitcode=$found:halt_on_error=1:handle_abort=1

tests=(threads/threads_test unit/unit_parallel_test
  recorder/recorder_test recorder/calls_test recorder/conflict_test recorder/stress_test
  reader/reader_ahead_test reader/reader_ahead_thread_test
  reader/reader_executor_test reader/reader_workers_test
  view/view_http_server_test view/view_queue_test view/view_store_test view/view_store_many_test
  view/view_build_test view/view_view_test view/view_web_answer_test
  view/view_web_growing_test view/view_web_loading_test)

set_up "$build" "" -Db_sanitize=thread
make "$build" examples/gotrace/gotrace "${tests[@]/#/tests/}"

plant "$build" -fsanitize=thread
must_find 'data race' "$build/planted" shared "$root/testdata/v2/go1.26-tasks.trace"

# The traces of testdata are enough.
export most=0 GT_CORPUS=/nonexistent GT_COMMAND=$build/examples/gotrace/gotrace
printf "$build/tests/%s\n" "${tests[@]}" >"$build/gate.lines"
echo "python3 $root/tests/columns/jobs_test.py $GT_COMMAND $root/testdata" >>"$build/gate.lines"
run_all '' "$build/gate.lines"
