/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_BENCH_BENCH_GETTERS_H
#define TESTS_BENCH_BENCH_GETTERS_H

#include <gotrace/gotrace.h>

/*
 * Calls every getter that goes with the event's kind, and walks its stacks.
 * Returns a sum of what they gave.
 */
uint64_t bench_visit(gt_reader *reader, const gt_event *event);

#endif
