/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_SPEC_H
#define GT_V1_SPEC_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include <gotrace/wire.h>

/* In addition to gt_v1_type. */
enum {
    GT_V1_NONE = 0,
    GT_V1_TYPES = 50
};

enum {
    /*
     * The argument code, which is in the first byte's high 2 bits: the number of arguments after
     * the time, minus 1; or this, if the arguments' length in bytes comes first.
     */
    GT_V1_COUNTED = 3,

    /* Limits of Go's reader: Go 1.21's internal/trace/parser.go. */
    GT_V1_MAX_TEXT = 1000000,
    GT_V1_MAX_FRAMES = 1000,

    /* The most numbers of an event, not counting frames: those of GoSysExit in version 5. */
    GT_V1_NUMBERS = 5,

    /* Kinds of stopped worlds: Go 1.21's runtime/proc.go, stwReason. */
    GT_V1_STW_KINDS = 17
};

struct gt_v1_spec {
    uint8_t since;           /* the first version that has it; 0: none */
    gt_wire_spec records[2]; /* in the newest version, and in version 5 */
};

/* By type. */
extern const struct gt_v1_spec gt_v1_specs[GT_V1_TYPES];

/* The record of a type in traces of this version, or NULL if it has no such type. */
const gt_wire_spec *gt_v1_spec_get(uint32_t version, uint32_t type);

/* The name of a type, which is the same in all versions. */
static inline const char *gt_v1_name(unsigned type)
{
    return gt_v1_specs[type].records[0].name;
}

static inline bool gt_v1_has_time(unsigned type)
{
    assert(type < GT_V1_TYPES);
    return (gt_v1_specs[type].records[0].flags & GT_WIRE_TIMED) != 0;
}

/*
 * How many numbers an event has in this version, including its time, its stack, and in version 5
 * its sequence number. 0 if the version has no such type.
 */
unsigned gt_v1_numbers(uint32_t version, unsigned type);

#endif
