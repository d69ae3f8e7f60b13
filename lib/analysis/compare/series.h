/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_COMPARE_SERIES_H
#define GT_ANALYSIS_COMPARE_SERIES_H

#include <stdbool.h>

#include <gotrace/compare.h>

#include "analysis/durations.h"
#include "base/array.h"
#include "base/index.h"
#include "base/recent.h"

enum {
    GT_COMPARE_SIDES = 2,
    /* A trace has at most so many pieces, and after it is this long at least half as many. */
    GT_COMPARE_PIECES = 32,
    /* The length of the first pieces in nanoseconds: a second divided by 2^9. */
    GT_COMPARE_PIECE_TIME = 1953125
};

/* What is added up in a series, or counted in a piece of it. */
struct gt_compare_cell {
    uint64_t count;
    double sum;
};

/* How many durations of a piece are in a bucket, which begins at `from`. */
struct gt_compare_bucket {
    uint32_t piece;
    uint32_t count;
    int64_t from;
};

/* The pieces of one side. An array that is too short ends in zeros. */
struct gt_compare_part {
    GT_ARRAY(struct gt_compare_cell) cells;
    GT_ARRAY(struct gt_compare_bucket) buckets; /* by piece, then by bucket */
};

struct gt_compare_key {
    uint32_t subject;
    uint32_t measure;
    uint32_t name;   /* a text */
    uint32_t detail; /* a text */
    bool is_per_one; /* what is added is that of one task, region or goroutine */
};

struct gt_compare_series {
    struct gt_compare_key key;
    struct gt_compare_part parts[GT_COMPARE_SIDES];
    struct gt_durations durations; /* of the current piece */
};

/* A piece of a trace. */
struct gt_compare_piece {
    uint64_t time;
    uint32_t trace;
    bool is_rest; /* it is too short to count apart from the one before */
};

struct gt_compare_set {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_compare_series) list;
    struct gt_index index;
    struct gt_recent recent;
    struct gt_pool octaves;
    uint64_t secret;
    uint64_t most;
    uint64_t stacks; /* the number of series about stacks */
    uint64_t lost;
    GT_ARRAY(struct gt_compare_piece) pieces[GT_COMPARE_SIDES]; /* of the traces that have ended */
    uint32_t side;                                              /* of the current trace */
    int64_t start;
    int64_t now;
    uint64_t piece_time;  /* the length of a piece */
    uint64_t piece_begin; /* when the current one begins, since the start of the trace */
    uint32_t piece;       /* the number of the current one in the trace */
};

void gt_compare_set_init(struct gt_compare_set *set, struct gt_mem *mem, uint64_t most);
void gt_compare_set_destroy(struct gt_compare_set *set);

/* Whether there is no room for another series about a subject. Stacks may have half of them. */
static inline bool gt_compare_set_is_full(const struct gt_compare_set *set, uint32_t subject)
{
    return set->list.count >= set->most ||
           (subject == GT_COMPARE_STACK && set->stacks >= set->most / 2);
}

/* Begins a trace at a time. */
void gt_compare_set_begin(struct gt_compare_set *set, uint32_t side, int64_t time);

/* Goes on to a time, which is not before the previous one. */
gt_status gt_compare_set_advance(struct gt_compare_set *set, int64_t time);

/* Ends the trace. */
gt_status gt_compare_set_end(struct gt_compare_set *set, uint32_t trace);

/* Adds the time from `from` until now to the pieces in which it is. */
gt_status gt_compare_add_time(struct gt_compare_set *set, const struct gt_compare_key *key,
                              int64_t from);

/* Adds what has just been completed. */
gt_status gt_compare_add_one(struct gt_compare_set *set, const struct gt_compare_key *key,
                             double amount);

/* Counts the duration of what has just ended in a histogram. */
gt_status gt_compare_add_duration(struct gt_compare_set *set, const struct gt_compare_key *key,
                                  int64_t duration);

#endif
