/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_RANGES_H
#define GT_TIMELINE_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

#include "base/pool.h"
#include "base/shared_text.h"

struct gt_timeline;

/* A range that is active, or one that has ended but is not drawn yet. Ranges form lists. */
struct gt_tl_range {
    struct gt_tl_range *next;
    gt_string name;               /* one of the reader's own strings, which are static */
    struct gt_shared_text *cause; /* NULL if it has none */
    bool has_begin;               /* `begin` is known; false while its goroutine does not run */
    int64_t begin;
    int64_t end;
    int64_t row; /* the row in which a proc's range began */
    uint32_t stack;
    uint32_t end_stack;
    const char *blocked; /* "yes" or "no" for a system call; NULL for other ranges */
};

struct gt_tl_ranges {
    struct gt_pool pool;
};

/* Returns the link of a list that points to the range, or the link that is NULL at its end. */
struct gt_tl_range **gt_tl_range_find(struct gt_tl_range **list, const gt_range *range);

/* Returns the range of a list, to which it is added if it is new. NULL on failure. */
struct gt_tl_range *gt_tl_range_make(struct gt_timeline *timeline, struct gt_tl_range **list,
                                     const gt_range *range);

/* Returns a range that is in no list. NULL on failure. */
struct gt_tl_range *gt_tl_range_new(struct gt_timeline *timeline);

/* Removes the range to which the link points from its list and frees it. */
void gt_tl_range_remove(struct gt_timeline *timeline, struct gt_tl_range **link);

/* Frees all ranges of a list. */
void gt_tl_ranges_free(struct gt_timeline *timeline, struct gt_tl_range **list);

/* Draws the range as a slice from range->begin to range->end. */
void gt_tl_range_draw(struct gt_timeline *timeline, const struct gt_tl_range *range, int64_t row);

/*
 * Handles an event of a range that belongs in `list` and that is drawn at its end, as one slice
 * in `row`.
 */
void gt_tl_range_event(struct gt_timeline *timeline, struct gt_tl_range **list,
                       const gt_event *event, const gt_range *range, int64_t row);

/* Draws all ranges of a list up to the current time and frees them. */
void gt_tl_ranges_finish(struct gt_timeline *timeline, struct gt_tl_range **list, int64_t row);

/* Handles an event of a range that belongs to no resource. */
void gt_tl_global_range(struct gt_timeline *timeline, const gt_event *event, const gt_range *range);
void gt_tl_global_finish(struct gt_timeline *timeline);

#endif
