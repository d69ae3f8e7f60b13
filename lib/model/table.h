/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_TABLE_H
#define GT_MODEL_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/array.h"
#include "model/stacks.h"
#include "model/strings.h"

/* A batch that an experiment recorded, in the input. */
struct gt_experiment_batch {
    const uint8_t *data;
    uint64_t experiment;
    int64_t thread;
    uint32_t size;
};

/* One moment on three clocks. */
struct gt_clock {
    int64_t trace;        /* in nanoseconds, as the times of events */
    uint64_t monotonic;   /* of the monotonic clock, in nanoseconds */
    int64_t seconds;      /* of the wall clock, since 1970 */
    uint32_t nanoseconds; /* below 10^9 */
    uint32_t known;
};

/*
 * What the events of a generation refer to. The reader owns it. It lives as long as handles to its
 * strings and stacks are valid.
 */
struct gt_table {
    uint32_t ordinal;    /* 1 for the first generation of the trace; part of every gt_stack */
    uint64_t generation; /* its number in the trace */
    struct gt_strings strings;
    struct gt_stacks stacks;
    struct gt_arena bytes; /* of a stream: what strings, stacks and experiments point at */
    struct gt_clock clock;
    GT_ARRAY(struct gt_experiment_batch) experiments;
};

#endif
