/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_V1_H
#define GT_RAW_V1_H

#include <gotrace/raw.h>

#include "v1/spec.h"

/*
 * How traces of Go 1.21 and before count a record's numbers: the high 2 bits of its
 * first byte do, or say that a length in bytes follows. Go 1.21's runtime/trace.go,
 * traceEventLocked.
 */

/* How many numbers the first byte counts as none. */
static inline unsigned gt_raw_v1_uncounted(uint32_t version)
{
    return version < 7 ? 2 : 1;
}

static inline uint64_t gt_raw_v1_numbers(const gt_wire_spec *spec, const gt_raw_event *event)
{
    unsigned each = spec->flags & GT_WIRE_BARE_FRAMES ? 1 : 4;
    return spec->argument_count + (uint64_t) event->frame_count * each;
}

/* Whether Go's runtime puts a length before that many numbers. */
static inline int gt_raw_v1_is_counted(uint32_t version, const gt_wire_spec *spec, uint64_t numbers)
{
    return spec->type == GT_V1_STACK || numbers >= GT_V1_COUNTED + gt_raw_v1_uncounted(version);
}

#endif
