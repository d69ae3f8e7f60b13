/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_SOURCE_WATCH_H
#define GT_SOURCE_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <gotrace/reader.h>

/*
 * How the program watches the reading of a trace and cancels it. Code that goes through many bytes
 * without returning to the program calls gt_watch_pass every now and then, and ends with
 * GT_CANCELLED where that returns false. The worker thread of read-ahead only looks at
 * `is_cancelled`.
 */
struct gt_watch {
    atomic_bool *is_cancelled;  /* set by any thread, or by a signal handler */
    gt_progress_fn on_progress; /* may be NULL */
    void *user_data;
    gt_progress progress; /* as far as it is known */
    uint64_t passed;      /* bytes gone through since `on_progress` was called last */
};

enum {
    /* `on_progress` is called when that many bytes more have been gone through. */
    GT_WATCH_STEP = 256 << 10
};

void gt_watch_init(struct gt_watch *watch, atomic_bool *is_cancelled);

/* For any thread and for signal handlers. */
static inline void gt_watch_cancel(const struct gt_watch *watch)
{
    atomic_store_explicit(watch->is_cancelled, true, memory_order_relaxed);
}

static inline bool gt_watch_is_cancelled(const struct gt_watch *watch)
{
    return atomic_load_explicit(watch->is_cancelled, memory_order_relaxed);
}

/*
 * Another `bytes` were gone through in whatever way: were read, checked or decoded. `offset` is how
 * far the input has been read. Returns false if reading is to end.
 */
bool gt_watch_pass(struct gt_watch *watch, uint64_t offset, uint64_t bytes);

#endif
