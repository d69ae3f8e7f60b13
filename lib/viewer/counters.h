/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_COUNTERS_H
#define GT_VIEWER_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/emitter.h>

enum {
    GT_COUNTED_STATES = 5,
    GT_COUNTED_THREADS = 3,
    /* The most counts that one event has. */
    GT_COUNTER_COUNTS = 3
};

/*
 * An event of which only the time and the counts change. In most traces every second event is a
 * counter, and making it from scratch would take as long as writing it.
 */
struct gt_known_counter {
    gt_viewer_event event;
    gt_viewer_argument counts[GT_COUNTER_COUNTS];
};

struct gt_counters {
    int64_t goroutines[GT_COUNTED_STATES]; /* by gt_counted_state */
    int64_t threads[GT_COUNTED_THREADS];   /* by gt_counted_thread */
    uint64_t heap;
    uint64_t heap_goal;
    bool inconsistent; /* a count fell below zero */
    struct gt_known_counter of_goroutines;
    struct gt_known_counter of_threads;
    struct gt_known_counter of_heap;
};

/* The structure must not be moved afterwards, because the events point into it. */
void gt_counters_init(struct gt_counters *counters);

#endif
