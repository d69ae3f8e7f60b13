/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SCOPE_H
#define GT_WEB_SCOPE_H

/*
 * The part of a trace that a request is about: a range of times, on some tracks or on the
 * rows of a view.
 */

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"
#include "web/query.h"

struct gt_scope {
    int64_t start, end;
    /* These tracks, in order and each once, ... */
    bool has_tracks;
    struct gt_query_tracks tracks;
    /* ... or else the first lanes of all rows of this view. */
    uint32_t view;
};

/*
 * Takes "start", "end", and "tracks" or "view"; without them it is all of the trace, and
 * the states of all goroutines. Free it in any case.
 */
void gt_scope_take(struct gt_scope *scope, struct gt_query *query, struct gt_store *store);
void gt_scope_free(struct gt_scope *scope);

#endif
