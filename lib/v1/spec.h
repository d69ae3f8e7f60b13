/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_SPEC_H
#define GT_V1_SPEC_H

#include <assert.h>
#include <stdint.h>

#include <gotrace/wire.h>

/* Beside the gt_v1_type. */
enum {
    GT_V1_NONE = 0,
    GT_V1_TYPES = 50
};

enum {
    /* The first byte's high 2 bits: one less than the arguments after the time, or this. */
    GT_V1_COUNTED = 3, /* the arguments' length in bytes comes first */

    /* Limits of Go's reader: Go 1.21's internal/trace/parser.go. */
    GT_V1_MAX_TEXT = 1000000,
    GT_V1_MAX_FRAMES = 1000,

    /* The most numbers that an event has, but for stacks: N = 5, GoSysExit. */
    GT_V1_NUMBERS = 5,

    /* Kinds of stopped worlds: Go 1.21's runtime/proc.go, stwReason. */
    GT_V1_STW_KINDS = 17
};

struct gt_v1_spec {
    uint8_t since;           /* N of the first header that has it; 0: no event */
    gt_wire_spec records[2]; /* with the newest N, and with N = 5 */
};

/* By type. */
extern const struct gt_v1_spec gt_v1_specs[GT_V1_TYPES];

/* The record of a type in traces with header N. NULL where N has no such type. */
const gt_wire_spec *gt_v1_spec_get(uint32_t version, uint32_t type);

/* Its name, whatever the version. */
static inline const char *gt_v1_name(unsigned type)
{
    return gt_v1_specs[type].records[0].name;
}

static inline int gt_v1_has_time(unsigned type)
{
    assert(type < GT_V1_TYPES);
    return (gt_v1_specs[type].records[0].flags & GT_WIRE_TIMED) != 0;
}

/*
 * How many numbers an event of a trace with header N has, the time, its
 * sequence number with N = 5, and the stack among them; 0 where N has no such type.
 */
unsigned gt_v1_numbers(uint32_t version, unsigned type);

#endif
