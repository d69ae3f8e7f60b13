/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_SPEC_H
#define GT_V2_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "model/wire.h"

enum {
    /* Limits of the format, unchanged since Go 1.22: internal/trace/tracev2/events.go. */
    GT_V2_MAX_BATCH = 64 << 10,
    GT_V2_MAX_HEADER = 2 + 4 * 10, /* of a batch: two bytes and four varints */
    GT_V2_MAX_STRING = 1 << 10,
    GT_V2_MAX_FRAMES = 128,

    /* Values of a goroutine's status. */
    GT_V2_GO_BAD = 0,
    GT_V2_GO_RUNNABLE = 1,
    GT_V2_GO_RUNNING = 2,
    GT_V2_GO_SYSCALL = 3,
    GT_V2_GO_WAITING = 4,
    GT_V2_GO_STATUSES = 5,

    /* Values of a proc's status. */
    GT_V2_PROC_BAD = 0,
    GT_V2_PROC_RUNNING = 1,
    GT_V2_PROC_IDLE = 2,
    GT_V2_PROC_SYSCALL = 3,
    GT_V2_PROC_SYSCALL_ABANDONED = 4,
    GT_V2_PROC_STATUSES = 5
};

/*
 * The specification of the record with each first byte. The name is NULL if there is no such
 * record.
 */
extern const gt_wire_spec gt_v2_specs[256];

/* Returns the record of a type in traces of this version, or NULL if the version lacks the type. */
const gt_wire_spec *gt_v2_spec_get(uint32_t version, uint32_t type);

/*
 * Returns whether the type is an event of a thread. A clock snapshot has a time, but is no such
 * event.
 */
static inline bool gt_v2_is_event(uint8_t type)
{
    return (gt_v2_specs[type].flags & GT_WIRE_TIMED) != 0 && type != GT_WIRE_CLOCK_SNAPSHOT;
}

/* Returns the name of an experiment, or "" if it is unknown. */
const char *gt_v2_experiment_name(uint64_t experiment);

#endif
