/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SCAN_H
#define GT_WEB_SCAN_H

/*
 * A scan visits all spans of a scope, or a sample of them. If there are many, two threads share the
 * work. A scan releases the store's lock every few milliseconds, so that neither the loading nor
 * another request waits for long.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/time.h"
#include "store/store.h"
#include "web/response.h"
#include "web/scope.h"

enum {
    GT_SCAN_WORKERS = 2
};

/* Consecutive spans of one track that lie in the scope, at least partly. */
struct gt_scan_part {
    const struct gt_store *store;
    const struct gt_track *track;
    uint32_t id;
    /* The row that the track belongs to. */
    uint32_t view, ordinal;
    uint32_t lane;
    /* The range of time that the scope has on this track. */
    int64_t from, to;
    /* The time at which the first span begins. */
    int64_t start;
    /* The range of indexes: `last` is not included. */
    uint32_t first, last;
    /* A lower bound of the number of spans that all workers together were given before. */
    uint64_t passed;
};

/* Called with the store locked for reading. Returns false to end the scan. */
typedef bool gt_scan_fn(void *worker, const struct gt_scan_part *part);

enum gt_scan_end {
    GT_SCAN_DONE,
    /* A function returned false, or the client is gone. */
    GT_SCAN_FAILED
};

/* The caller sets the members before the mutex, and all other bytes to 0. */
struct gt_scan {
    struct gt_store *store;
    const struct gt_scope *scope;
    /* Bits of the kinds of lanes to visit; 0: the first lane of each row of the view. */
    uint32_t lanes;
    /*
     * Decides whether to visit a part, whose lane and start are not known yet. NULL: all parts
     * are visited.
     */
    gt_scan_fn *select;
    gt_scan_fn *each;
    /*
     * About how many spans to visit; 0: all of them. If the scope has more, a sample of them is
     * visited: blocks of consecutive spans that are spread over all tracks and all of the time.
     * Every span has the same chance, and the sample of the same store is always the same.
     */
    uint64_t most;
    /* Tells whether the client is gone, unless NULL. */
    struct gt_response *response;

    /* Set when the scan runs: the sample has one span in 2^`thinning`. */
    unsigned int thinning;
    pthread_mutex_t mutex;
    enum gt_scan_end end;
    /* The next track, or its position in the scope's list, and its next span. */
    size_t next;
    uint32_t next_span;
    uint64_t passed;
};

/* The calling thread passes the worker `own` to `each`, the other one passes `other`. */
enum gt_scan_end gt_scan_run(struct gt_scan *scan, void *own, void *other);

/* The number of spans of a scan that has ended: those of the scope, even if only a sample of them
 * was visited. */
uint64_t gt_scan_spans(const struct gt_scan *scan);

/* Returns how long a span with these times, which is in a part, lasts within the scope. */
static inline int64_t gt_scan_clip(const struct gt_scan_part *part, int64_t start, int64_t end)
{
    return gt_time_overlap(start, end, part->from, part->to);
}

/* The kind of lane that contains spans of a class, of a goroutine or a task. */
uint32_t gt_scan_lane_of(uint32_t cls);

/* The time of a monotonic clock in nanoseconds. */
int64_t gt_scan_now(void);

#endif
