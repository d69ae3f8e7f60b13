/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SWEEP_FAILING_H
#define TESTS_SWEEP_FAILING_H

#include "sweep/use.h"

/*
 * Uses a trace from this source once for each allocation, once for each read of a callback
 * and once for each write, and once more for each: it fails, or it and all after it do.
 * Asserts that this is told, behind what comes without, and that all memory comes back.
 * With a stride only each so-manieth fails. Returns how many runs there were.
 */
uint64_t failing_sweep(const struct use *use, const struct trace *trace, enum run_source source,
                       uint64_t stride);

#endif
