/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_RANGES_H
#define GT_TIMELINE_RANGES_H

#include <stdint.h>

#include <gotrace/event.h>

#include "base/pool.h"
#include "timeline/texts.h"

struct gt_timeline;

/* A range that is active, or one that is over but was not drawn yet. */
struct gt_tl_range {
    struct gt_tl_range *next;
    gt_string name; /* static */
    struct gt_tl_text *cause;
    /* Whether a slice can begin: not while the goroutine does not run. */
    int has_begin;
    int64_t begin;
    int64_t end;
    int64_t row; /* where it began; of a proc's */
    uint32_t stack;
    uint32_t end_stack;
    const char *blocked; /* of a system call: whether it blocked; else NULL */
};

struct gt_tl_ranges {
    struct gt_pool pool;
};

/* Of the ranges in `*list` the link to this one; where it is not there, to NULL. */
struct gt_tl_range **gt_tl_range_find(struct gt_tl_range **list, const gt_range *range);

/* The range in `*list`, or a new one there; NULL after a failure. */
struct gt_tl_range *gt_tl_range_make(struct gt_timeline *timeline, struct gt_tl_range **list,
                                     const gt_range *range);

/* A range that is in no list; NULL after a failure. */
struct gt_tl_range *gt_tl_range_new(struct gt_timeline *timeline);

/* Takes the range out of its list and frees it. */
void gt_tl_range_remove(struct gt_timeline *timeline, struct gt_tl_range **link);

void gt_tl_ranges_free(struct gt_timeline *timeline, struct gt_tl_range **list);

/* Draws a slice up to range->end. */
void gt_tl_range_draw(struct gt_timeline *timeline, const struct gt_tl_range *range, int64_t row);

/* A begin or an end of a range in `*list`, which is drawn in `row` at its end, whole. */
void gt_tl_range_changes(struct gt_timeline *timeline, struct gt_tl_range **list,
                         const gt_event *event, const gt_range *range, int64_t row);

/* Draws what is in `*list` up to now, and frees it. */
void gt_tl_ranges_finish(struct gt_timeline *timeline, struct gt_tl_range **list, int64_t row);

/* A range that belongs to no resource. */
void gt_tl_global_range(struct gt_timeline *timeline, const gt_event *event, const gt_range *range);
void gt_tl_global_finish(struct gt_timeline *timeline);

#endif
