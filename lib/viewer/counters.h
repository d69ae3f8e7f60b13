/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_COUNTERS_H
#define GT_VIEWER_COUNTERS_H

#include <stdint.h>

enum {
    GT_COUNTED_STATES = 5,
    GT_COUNTED_THREADS = 3
};

/* By gt_counted_state and gt_counted_thread. */
struct gt_counters {
    int64_t goroutines[GT_COUNTED_STATES];
    int64_t threads[GT_COUNTED_THREADS];
    uint64_t heap;
    uint64_t heap_goal;
    int inconsistent; /* some fell below zero */
};

#endif
