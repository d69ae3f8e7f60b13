/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_V1HOSTILE_H
#define TESTS_SUPPORT_V1HOSTILE_H

#include "support/hostile.h"

/* The same for traces of Go 1.5 to 1.21. A lenient reader reads all to their end. */
extern const struct hostile v1_hostiles[];
extern const size_t v1_hostile_count;

/* Goroutines that were there before the trace started, all told of at once. */
void v1_hostile_goroutines(struct wire *wire, uint64_t n);

#endif
