/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SWEEP_FAILING_H
#define TESTS_SWEEP_FAILING_H

#include "sweep/use.h"

/*
 * Uses a trace from this source twice for each allocation, each read of a callback and each write:
 * that call fails, or that call and all later ones. Asserts that the failure is reported after a
 * beginning of the usual results, and that all memory is freed. `stride`: only every stride-th call
 * fails. Returns how many runs there were.
 */
uint64_t failing_sweep(const struct use *use, const struct trace *trace, enum run_source source,
                       uint64_t stride);

#endif
