/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_V1SAMPLE_H
#define TESTS_SUPPORT_V1SAMPLE_H

#include "support/wire.h"

/*
 * Writes a good trace of Go 1.5 to 1.21 with `events` events or a few dozen more, on two procs,
 * with all kinds of events of the version. No two events have the same tick, and the file has them
 * in the order of their ticks.
 */
void v1_sample_trace(struct wire *wire, unsigned version, unsigned events);

#endif
