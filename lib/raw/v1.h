/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_V1_H
#define GT_RAW_V1_H

#include <stdbool.h>

#include <gotrace/raw.h>

#include "v1/spec.h"

/*
 * The count of numbers of a record in a trace of Go 1.21 or older: the two high bits of its first
 * byte are the count, or say that the length of the numbers in bytes follows. See Go 1.21's
 * runtime/trace.go, traceEventLocked.
 */

/* The number of numbers of a record whose two high bits are 0. */
static inline unsigned gt_raw_v1_uncounted(uint32_t version)
{
    return version < 7 ? 2 : 1;
}

/* The number of numbers of the record. */
static inline uint64_t gt_raw_v1_numbers(const gt_wire_spec *spec, const gt_raw_event *event)
{
    unsigned each = spec->flags & GT_WIRE_BARE_FRAMES ? 1 : 4;
    return spec->argument_count + (uint64_t) event->frame_count * each;
}

/* Returns whether Go's runtime writes a length before this count of numbers. */
static inline bool gt_raw_v1_is_counted(uint32_t version, const gt_wire_spec *spec,
                                        uint64_t numbers)
{
    return spec->type == GT_V1_STACK || numbers >= GT_V1_COUNTED + gt_raw_v1_uncounted(version);
}

#endif
