/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PATH_INTERVALS_H
#define GT_ANALYSIS_PATH_INTERVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/index.h"
#include "base/recent.h"

/* A row: what goroutines of a group spent with one label. */
struct gt_path_sum {
    uint32_t group; /* the number of the text */
    uint32_t label;
    uint64_t interval; /* the last interval that has time in the row, and its share there */
    uint64_t share;
    uint64_t count; /* in the selection */
    int64_t time;   /* in the selection */
};

/* The time that an interval has in a row. */
struct gt_path_share {
    uint32_t row;
    int64_t time;
};

/* An interval whose path was found. Its shares end where those of the next one begin. */
struct gt_path_found {
    int64_t start;
    int64_t end;
    int64_t goroutine;
    uint64_t task;
    uint64_t first_share;
    uint32_t name;
};

/* All intervals, and the rows of their paths. */
struct gt_intervals {
    struct gt_mem *mem;
    uint64_t secret;
    GT_ARRAY(struct gt_path_found) list;
    GT_ARRAY(struct gt_path_share) shares;
    GT_ARRAY(struct gt_path_sum) rows;
    struct gt_index index;        /* of rows */
    struct gt_recent recent;      /* of rows */
    GT_ARRAY(int64_t) durations;  /* sorted, of the first intervals */
    GT_ARRAY(uint32_t) selection; /* rows by falling time */
    size_t selected;              /* intervals in the selection */
};

void gt_intervals_init(struct gt_intervals *intervals, struct gt_mem *mem);
void gt_intervals_destroy(struct gt_intervals *intervals);

/* Appends an interval, whose parts follow; its `first_share` need not be set. */
gt_status gt_intervals_begin(struct gt_intervals *intervals, const struct gt_path_found *found);

/* Adds the time of a part to the interval that was begun last. */
gt_status gt_intervals_add(struct gt_intervals *intervals, uint32_t group, uint32_t label,
                           int64_t time);

/* See gt_path_select. */
gt_status gt_intervals_select(struct gt_intervals *intervals, int64_t from, int64_t to);

/* See gt_path_quantile. There must be an interval. */
gt_status gt_intervals_quantile(struct gt_intervals *intervals, double part, int64_t *duration);

#endif
