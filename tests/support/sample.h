/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_SAMPLE_H
#define TESTS_SUPPORT_SAMPLE_H

#include "support/wire.h"

/*
 * Writes a good trace of `generations` generations. Each has `events` events or a few more, on two
 * threads, with all kinds of events, strings, stacks, CPU samples and experimental batches. Ends
 * the last generation. Versions before 22 get the trace of v1_sample_trace, which has no
 * generations.
 */
void sample_trace(struct wire *wire, unsigned version, unsigned generations, unsigned events);

#endif
