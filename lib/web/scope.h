/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SCOPE_H
#define GT_WEB_SCOPE_H

/*
 * The part of a trace that a request is about: a range of time, on some tracks or on all rows of
 * a view.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"
#include "store/store.h"
#include "web/query.h"

struct gt_scope {
    int64_t start, end;
    /* If `has_tracks` is set, the scope has these tracks, which are sorted and distinct. */
    bool has_tracks;
    struct gt_query_tracks tracks;
    /* Otherwise it has the first lane of each row of this view. */
    uint32_t view;
};

/*
 * Reads "start", "end", and "tracks" or "view". The default is the whole trace and the states of
 * all goroutines. The caller frees the scope in any case, even if the query failed.
 */
void gt_scope_take(struct gt_scope *scope, struct gt_query *query, struct gt_store *store);
void gt_scope_free(struct gt_scope *scope);

/* Returns how long a span with these times lasts within the scope. */
static inline int64_t gt_scope_clip_times(const struct gt_scope *scope, int64_t start, int64_t end)
{
    start = start > scope->start ? start : scope->start;
    end = end < scope->end ? end : scope->end;
    return gt_time_minus(end, start);
}

/* Returns how long a span lasts within the scope. */
static inline int64_t gt_scope_clip(const struct gt_scope *scope, const struct gt_span *span)
{
    return gt_scope_clip_times(scope, span->start, span->end);
}

#endif
