/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_MEASURE_H
#define TESTS_SUPPORT_MEASURE_H

#include <stdint.h>

#include "support/arena.h"
#include "support/hostile.h"

/* Enough memory for everything that a reader allocates, even if it frees nothing. */
#define MEASURE_ARENA ((size_t) 256 << 20)

/*
 * Returns how many seconds of CPU time a test may take: more if the build is not a release, and
 * $GT_TIME_SCALE times as many under emulation.
 */
double measure_allowed(double seconds);

/*
 * Returns the shortest CPU time of five readings of `n` things with GT_READER_ `flags`. Asserts how
 * they end, and that they take no more memory than their size allows.
 */
double measure_time(const struct hostile *hostile, uint64_t n, uint64_t flags, struct arena *arena);

/* Asserts that the time of a reading grows no faster than the input. */
void measure_growth(const struct hostile *hostile, uint64_t flags, struct arena *arena);

#endif
