/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_ANALYSIS_PROFILING_H
#define TESTS_ANALYSIS_PROFILING_H

#include "support/gen_events.h"
#include "support/test.h"

/* Every kind of profile. */
#define PROFILING_ALL (GT_PROFILE_BIT(GT_PROFILE_WALL + 1) - GT_PROFILE_BIT(GT_PROFILE_NET))

/* Options that ask for all kinds. */
gt_profile_options profiling_options(void);

/* Opens a profile and feeds it a trace to the end, or to its error; finishes it. */
gt_profile *profiling_read(struct reading *reading, const gt_profile_options *options);

/* The same with the trace of a generator; frees the generator and its reader. */
gt_profile *profiling_of(struct gen *gen, const gt_profile_options *options);

/*
 * Asserts the samples of a kind, in their order, as lines "COUNT NANOSECONDS STACK", where the
 * stack is "FUNCTION:LINE;FUNCTION:LINE" with the leaf first, and a state in brackets before it.
 */
void profiling_expect(gt_profile *profile, uint32_t kind, const char *lines);

/* Returns the samples of a kind as such lines, from malloc. */
char *profiling_lines(gt_profile *profile, uint32_t kind);

#endif
