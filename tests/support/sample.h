/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_SAMPLE_H
#define TESTS_SUPPORT_SAMPLE_H

#include "support/wire.h"

/*
 * Writes a good trace of `generations` generations, each with `events` events
 * or a few more on two threads that use all kinds of event, strings, stacks,
 * CPU samples and experimental batches. Ends the last generation. Of a version
 * before 22 it is v1_sample_trace's, and has one.
 */
void sample_trace(struct wire *wire, unsigned version, unsigned generations, unsigned events);

#endif
