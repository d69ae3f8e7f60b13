/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_SPEC_H
#define GT_V2_SPEC_H

#include <stdint.h>

#include "model/wire.h"

enum {
    /* Limits of the format, unchanged since Go 1.22: the same file. */
    GT_V2_MAX_BATCH = 64 << 10,
    GT_V2_MAX_STRING = 1 << 10,
    GT_V2_MAX_FRAMES = 128,

    /* Values of a goroutine's status ... */
    GT_V2_GO_BAD = 0,
    GT_V2_GO_RUNNABLE = 1,
    GT_V2_GO_RUNNING = 2,
    GT_V2_GO_SYSCALL = 3,
    GT_V2_GO_WAITING = 4,
    GT_V2_GO_STATUSES = 5,

    /* ... and of a proc's. */
    GT_V2_PROC_BAD = 0,
    GT_V2_PROC_RUNNING = 1,
    GT_V2_PROC_IDLE = 2,
    GT_V2_PROC_SYSCALL = 3,
    GT_V2_PROC_SYSCALL_ABANDONED = 4,
    GT_V2_PROC_STATUSES = 5
};

struct gt_wire_spec {
    const char *name;
    uint8_t numbers; /* how many follow, the time among them; 0: no event of a thread */
    uint8_t experiment;
    const char *argument_names[3]; /* of experimental events */
};

/* By first byte. A name is NULL where no event has that byte. */
extern const struct gt_wire_spec gt_wire_specs[256];

/* The name of an experiment, "" where it is not known. */
const char *gt_v2_experiment_name(uint64_t experiment);

#endif
