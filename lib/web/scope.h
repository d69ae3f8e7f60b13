/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SCOPE_H
#define GT_WEB_SCOPE_H

/*
 * The part of a trace that a request is about: a range of time, on some tracks, on all rows of a
 * view, or on the rows of the tree of a task.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/time.h"
#include "store/store.h"
#include "web/query.h"

/* A part of a track. */
struct gt_scope_piece {
    uint32_t track;
    int64_t start, end;
};

struct gt_scope {
    int64_t start, end;
    /* If `has_tracks` is set, the scope has these tracks, which are sorted and distinct. */
    bool has_tracks;
    struct gt_query_tracks tracks;
    /*
     * If `has_pieces` is set, the scope has only these parts of its tracks, which are disjoint and
     * sorted by track and time. `tracks` then has the track of each of them, so that a track may
     * be there several times.
     */
    bool has_pieces;
    GT_ARRAY(struct gt_scope_piece) pieces;
    /* Otherwise it has the first lane of each row of this view. */
    uint32_t view;
};

/*
 * Reads "start", "end", and "tracks" or "view". The default is the whole trace and the states of
 * all goroutines. The caller frees the scope in any case, even if the query failed.
 */
void gt_scope_take(struct gt_scope *scope, struct gt_query *query, struct gt_store *store);
void gt_scope_free(struct gt_scope *scope);

/* Sorts a list of tracks and removes duplicates, as a track that is named twice must count once. */
void gt_scope_sort_tracks(struct gt_query_tracks *tracks);
/* Returns the position of the first element that is `track` or more in a sorted list of tracks. */
size_t gt_scope_find(const struct gt_query_tracks *tracks, uint32_t track);
/* Returns whether a sorted list of tracks has a track. */
bool gt_scope_names(const struct gt_query_tracks *tracks, uint32_t track);
/* Returns whether a scope with tracks has a track at a time that is in the scope's range. */
bool gt_scope_has(const struct gt_scope *scope, uint32_t track, int64_t time);
/* Returns how long something on a track of the scope lasts within the scope. */
int64_t gt_scope_time_on(const struct gt_scope *scope, uint32_t track, int64_t start, int64_t end);

/* Returns how long a span with these times lasts within the scope. */
static inline int64_t gt_scope_clip_times(const struct gt_scope *scope, int64_t start, int64_t end)
{
    return gt_time_overlap(start, end, scope->start, scope->end);
}

#endif
