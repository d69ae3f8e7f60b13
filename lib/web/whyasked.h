/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_WHYASKED_H
#define GT_WEB_WHYASKED_H

/* The intervals of goroutines whose paths a request asks for. */

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "web/query.h"
#include "web/web.h"
#include "web/whypath.h"

enum {
    /* The most intervals of an area. */
    GT_WHYASKED_MAX = 1000
};

struct gt_whyasked_interval {
    int64_t goroutine; /* its id */
    /* In nanoseconds since the start of the trace. */
    int64_t start, end;
};

enum gt_whyasked_kind {
    GT_WHYASKED_AREA,
    GT_WHYASKED_GOROUTINE,
    GT_WHYASKED_TASK
};

struct gt_whyasked {
    struct gt_mem *mem;
    /* What `id` is the id of. */
    enum gt_whyasked_kind kind;
    uint64_t id;
    /* The times of a goroutine, and whether it is followed to its end instead of range.end. */
    struct gt_query_range range;
    bool to_end;
    GT_ARRAY(struct gt_whyasked_interval) intervals;
    /* How many more intervals the area has. */
    uint64_t left_out;
};

/*
 * Reads "goroutine" with "start" and "end", or "task", or "track" with "index", or an area as
 * gt_treescope_take does. Returns false if the query failed or the request has been answered. The
 * caller frees what was asked in any case.
 */
bool gt_whyasked_take(struct gt_whyasked *asked, struct gt_query *query, struct gt_web *web);
void gt_whyasked_free(struct gt_whyasked *asked);

/*
 * Lists the interval of a task or goroutine; those of an area are listed already. Returns
 * GT_ERR_NOT_AVAILABLE if the trace has nothing of what is asked for. The caller holds why->lock.
 */
gt_status gt_whyasked_resolve(struct gt_whyasked *asked, const struct gt_whypath *why);

#endif
