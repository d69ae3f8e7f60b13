/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_SOURCE_WATCH_H
#define GT_SOURCE_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <gotrace/reader.h>

/*
 * The program's means to watch the reading of a trace and to cancel it. Code that processes many
 * bytes without returning to the program calls gt_watch_pass regularly, and ends with GT_CANCELLED
 * if that returns false. The worker thread of read-ahead only checks `is_cancelled`.
 */
struct gt_watch {
    atomic_bool *is_cancelled;  /* set by any thread, or by a signal handler */
    gt_progress_fn on_progress; /* may be NULL */
    void *user_data;
    gt_progress progress; /* the known part of the progress */
    uint64_t passed;      /* bytes processed since the last call of `on_progress` */
};

enum {
    /* The number of processed bytes after which `on_progress` is called again. */
    GT_WATCH_STEP = 256 << 10
};

void gt_watch_init(struct gt_watch *watch, atomic_bool *is_cancelled);

/* Cancels reading. May be called by any thread and by signal handlers. */
static inline void gt_watch_cancel(const struct gt_watch *watch)
{
    atomic_store_explicit(watch->is_cancelled, true, memory_order_relaxed);
}

static inline bool gt_watch_is_cancelled(const struct gt_watch *watch)
{
    return atomic_load_explicit(watch->is_cancelled, memory_order_relaxed);
}

/*
 * Adds `bytes` to the number of processed bytes, which were read, checked or decoded. The input has
 * been read up to `offset`. Returns false if reading was cancelled.
 */
bool gt_watch_pass(struct gt_watch *watch, uint64_t offset, uint64_t bytes);

#endif
