/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_SPEC_H
#define GT_V1_SPEC_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include <gotrace/wire.h>

/* Values for types that gt_v1_type lacks: the absent type, and the number of types. */
enum {
    GT_V1_NONE = 0,
    GT_V1_TYPES = 50
};

enum {
    /*
     * A value of the argument code, the highest 2 bits of the first byte. This value means that the
     * length of the arguments in bytes follows; other values are the number of arguments after the
     * time, minus 1.
     */
    GT_V1_COUNTED = 3,

    /* Limits of Go's reader: Go 1.21's internal/trace/parser.go. */
    GT_V1_MAX_TEXT = 1000000,
    GT_V1_MAX_FRAMES = 1000,

    /* The most numbers of an event, not counting frames: GoSysExit in version 5 has them. */
    GT_V1_NUMBERS = 5,

    /* The number of kinds of stopped worlds: Go 1.21's runtime/proc.go, stwReason. */
    GT_V1_STW_KINDS = 17
};

struct gt_v1_spec {
    uint8_t since;           /* the first version that has the type; 0: none */
    gt_wire_spec records[2]; /* its records in the newest version and in version 5 */
};

/* The specification of each type. */
extern const struct gt_v1_spec gt_v1_specs[GT_V1_TYPES];

/* The cause of each kind of stopped world in version 21; that of kind 0 is not known. */
extern const char *const gt_v1_stop_texts[GT_V1_STW_KINDS];

/* Returns the record of a type in traces of this version, or NULL if the version lacks the type. */
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
 * The number of numbers of an event in this version, including its time, its stack, and in version
 * 5 its sequence number. The result is 0 if the version lacks the type.
 */
unsigned gt_v1_numbers(uint32_t version, unsigned type);

#endif
