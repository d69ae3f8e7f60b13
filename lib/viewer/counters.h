/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_COUNTERS_H
#define GT_VIEWER_COUNTERS_H

#include <stdint.h>

#include <gotrace/emitter.h>

enum {
    GT_COUNTED_STATES = 5,
    GT_COUNTED_THREADS = 3,
    /* The most counts that one event has. */
    GT_COUNTS = 3
};

/*
 * An event that is always the same but for its time and its counts. It is every second one
 * of most traces, and to make it anew takes as long as to write it.
 */
struct gt_counter {
    gt_viewer_event event;
    gt_viewer_argument counts[GT_COUNTS];
};

/* By gt_counted_state and gt_counted_thread. */
struct gt_counters {
    int64_t goroutines[GT_COUNTED_STATES];
    int64_t threads[GT_COUNTED_THREADS];
    uint64_t heap;
    uint64_t heap_goal;
    int inconsistent; /* some fell below zero */
    struct gt_counter of_goroutines;
    struct gt_counter of_threads;
    struct gt_counter of_heap;
};

/* They must stay where they are then. */
void gt_counters_init(struct gt_counters *counters);

#endif
