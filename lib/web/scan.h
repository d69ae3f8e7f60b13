/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SCAN_H
#define GT_WEB_SCAN_H

/*
 * Going through all spans of a scope: by two threads where they are many, up to a time
 * limit, and with the store's lock given up every few milliseconds, so that neither the
 * builder nor another request waits for long.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "web/response.h"
#include "web/scope.h"

enum {
    GT_SCAN_WORKERS = 2
};

/* Some spans of one track that are in the scope, if only partly. */
struct gt_scan_part {
    const struct gt_store *store;
    const struct gt_track *track;
    uint32_t id;
    /* The row that it is a lane of. */
    uint32_t view, ordinal;
    uint32_t lane;
    /* When the first span begins. */
    int64_t start;
    /* From the first up to, not including, the last. */
    uint32_t first, last;
    /* Spans that all workers have been given before, or some of them. */
    uint64_t passed;
};

/* Is called with the lock held for reading. Returns false to end all. */
typedef bool gt_scan_fn(void *worker, const struct gt_scan_part *part);

enum gt_scan_end {
    GT_SCAN_DONE,
    /* Out of time. */
    GT_SCAN_LATE,
    /* A function asked to end, or nobody waits for it any more. */
    GT_SCAN_FAILED
};

/* The caller fills in what is before the mutex. */
struct gt_scan {
    struct gt_store *store;
    const struct gt_scope *scope;
    /* Only lanes of these kinds: bits. If there are none, a view's first lanes. */
    uint32_t lanes;
    /* Whether to look at a part at all, whose lane and start are not known yet; NULL: at all. */
    gt_scan_fn *select;
    gt_scan_fn *each;
    /* How long it may take. */
    int64_t limit_ns;
    /* Asked whether anybody still waits for it, unless NULL. */
    struct gt_response *response;

    pthread_mutex_t mutex;
    int64_t deadline;
    enum gt_scan_end end;
    /* The next track, or which of the scope's, and its next span. */
    size_t next;
    uint32_t next_span;
    uint64_t passed;
};

/* `workers` are what `each` is given: one for the calling thread, one for another. */
enum gt_scan_end gt_scan_run(struct gt_scan *scan, void *const workers[GT_SCAN_WORKERS]);

/* Calls `each`, in this thread, for the spans that gt_scan_run did not come to. */
bool gt_scan_rest(struct gt_scan *scan, gt_scan_fn *each, void *worker);

/* The lane of a goroutine's or a task's spans of a class. */
uint32_t gt_scan_lane_of(uint32_t cls);

/* Nanoseconds of a clock that only goes forward. */
int64_t gt_scan_now(void);

#endif
