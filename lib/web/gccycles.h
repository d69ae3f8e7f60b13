/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_GCCYCLES_H
#define GT_WEB_GCCYCLES_H

/*
 * What the garbage collector did: its cycles, the stops of the world, and the assists. Times are
 * nanoseconds since the start of the trace.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "web/analysis.h"
#include "web/dictionary.h"
#include "web/gcmeter.h"

enum gt_gc_worker {
    GT_GC_DEDICATED,
    GT_GC_FRACTIONAL,
    GT_GC_IDLE,
    GT_GC_WORKERS
};

/* The names of the modes of workers in JSON. */
extern const char *const gt_gc_worker_names[GT_GC_WORKERS];

/* A value that the trace may not contain. */
struct gt_gc_value {
    bool is_known;
    uint64_t value;
};

/* The heap and its goal, in bytes. */
struct gt_gc_heap {
    struct gt_gc_value used, goal;
};

/* A time is GT_RECORD_NONE if it is not in the trace. */
struct gt_gc_cycle {
    /* The stop of the world in which the previous sweep ends. */
    int64_t start, start_end;
    int64_t mark, mark_end;
    /* The stop of the world in which marking ends. */
    int64_t termination, termination_end;
    /* The end of the last sweep by the program's own goroutines, and the sum of these. */
    int64_t sweep_end, sweep;
    uint64_t sweeps;
    /* In bytes. */
    struct gt_gc_value swept, reclaimed;
    struct gt_gc_heap before, after;
    /* How long workers ran in each mode, and the sum of the mark assists. */
    int64_t work[GT_GC_WORKERS];
    int64_t assist;
    uint64_t assists;
};

struct gt_gc_stop {
    int64_t start, end;
    int64_t goroutine;
    /* The number of the cause in gt_gc_cycles.causes. */
    uint32_t cause;
};

struct gt_gc_cause {
    uint64_t count;
    /* The sum and the maximum over the stops whose start and end are in the trace. */
    int64_t time, longest;
};

struct gt_gc_cycles {
    GT_ARRAY(struct gt_gc_cycle) list;
    GT_ARRAY(struct gt_gc_stop) stops;
    struct gt_dictionary causes;
    /* By the number of the cause. */
    GT_ARRAY(struct gt_gc_cause) by_cause;
    /* The mark assists by goroutine. */
    struct gt_gc_meter assists;
    /* The sums of the whole trace, also of the time before the first cycle in it. */
    int64_t sweep, work[GT_GC_WORKERS];
    /* Which of these data the trace contains. */
    bool has_workers, has_heap, has_goal, has_swept;
    /* The last time of the trace. */
    int64_t end;
};

/* The kind of analysis, whose result is a struct gt_gc_cycles; its key is empty. */
extern const struct gt_analysis_kind gt_gc_cycles_kind;

#endif
