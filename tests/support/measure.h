/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_MEASURE_H
#define TESTS_SUPPORT_MEASURE_H

#include <stdint.h>

#include "support/arena.h"
#include "support/hostile.h"

/* Room for all that a reader allocates, whether it releases it or not. */
#define MEASURE_ARENA ((size_t) 256 << 20)

/*
 * Seconds of CPU time that a test may take: more where the library is not what
 * is released, and $GT_TIME_SCALE times as much under emulation.
 */
double measure_allowed(double seconds);

/*
 * The least CPU time of five readings of `n` things with GT_READER_ `flags`. Asserts
 * how they end, and that they do not take more memory than their size allows.
 */
double measure_time(const struct hostile *hostile, uint64_t n, uint64_t flags, struct arena *arena);

/* Asserts that the time of a reading does not grow faster than what is read. */
void measure_growth(const struct hostile *hostile, uint64_t flags, struct arena *arena);

#endif
