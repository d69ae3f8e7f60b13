/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_GENERATION_H
#define GT_V2_GENERATION_H

#include "v2/v2.h"

enum gt_v2_outcome {
    GT_V2_READ,         /* a generation was read */
    GT_V2_READ_CUT,     /* a part of a generation was read; the error that follows it is set */
    GT_V2_READ_NOTHING, /* the input has ended */
    GT_V2_READ_AGAIN,   /* the rest of the generation is not available yet: call again when it is */
    GT_V2_READ_FAILED   /* the error is set */
};

/*
 * Reads the next generation: its tables to v2->table, and everything else to v2->generation. All
 * events of the previous generation must have been delivered.
 */
enum gt_v2_outcome gt_v2_generation_read(struct gt_v2 *v2);

void gt_v2_generation_destroy(struct gt_v2 *v2);

/*
 * Converts clock units to nanoseconds, truncated to a whole number, as Go does on amd64: the
 * result is INT64_MIN if it does not fit (internal/trace/base.go, frequency.mul).
 */
int64_t gt_v2_to_ns_slow(double unit, uint64_t units);

static inline int64_t gt_v2_to_ns(const struct gt_v2_generation *generation, uint64_t units)
{
    /*
     * In nearly all traces a unit is a whole number of nanoseconds. This fast path matters, as the
     * conversion is done for every event.
     */
    if (units <= generation->safe_span)
        return (int64_t) (units * generation->scale);
    return gt_v2_to_ns_slow(generation->unit, units);
}

#endif
