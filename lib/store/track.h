/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_TRACK_H
#define GT_STORE_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/span.h"

struct gt_store_pool;
struct gt_track_chunk;
struct gt_track_piece;

/*
 * One lane: spans in order of time that do not overlap. A track of zeros is an empty one, and
 * may be moved about in memory. Members are private to track*.c. All that it has but the list
 * of chunks is in a pool, which tracks may share, and which must stay as long as they do.
 *
 * A member of spans costs about as many bits as its largest value of 64 neighbours needs. So it
 * costs nothing where it is 0 or GT_STORE_NONE throughout; nor does the goroutine if it is the
 * same for all, an end_stack that is the stack of the next span, or a start that is the end of
 * the last.
 */
struct gt_track {
    union {
        struct gt_track_chunk *chunk;  /* the only one */
        struct gt_track_piece *pieces; /* all chunks, if it ever had more */
    };

    uint32_t room;      /* of `pieces`; 0 if there is but `chunk` */
    uint32_t count;     /* of spans */
    uint32_t goroutine; /* of the first span */
    uint32_t end_stack; /* of the last span */
};

void gt_track_free(struct gt_track *track); /* leaves an empty one; the pool is freed besides */

/*
 * Appends a span; its `index` is ignored. What begins before the last span's end is cut off
 * there, so that a span which ends before it becomes one without length. False: out of memory,
 * or four billion spans; then the track is as it was.
 */
bool gt_track_append(struct gt_track *track, struct gt_store_pool *pool,
                     const struct gt_span *span);

uint32_t gt_track_count(const struct gt_track *track);
bool gt_track_get(const struct gt_track *track, uint32_t index, struct gt_span *span);
/* The first span that ends after `time`; gt_track_count() if there is none. */
uint32_t gt_track_find(const struct gt_track *track, int64_t time);
/* When the first span begins and the last ends; false if there is none. */
bool gt_track_extent(const struct gt_track *track, int64_t *start, int64_t *end);

struct gt_track_filter {
    uint32_t classes;           /* bits */
    uint64_t shortest, longest; /* both included */
    /* By name: bytes in which `name_bit` says that it is meant. Names from `name_count` on are
     * not; all are if `names` is NULL. */
    const uint8_t *names;
    uint32_t name_count;
    uint8_t name_bit;
};

/* The first span from `from` on and before `to`, which is at most gt_track_count(), that passes the
 * filter; `to` if there is none. Walks over spans, but not where none is of these classes. */
uint32_t gt_track_next(const struct gt_track *track, uint32_t from, uint32_t to,
                       const struct gt_track_filter *filter);

struct gt_bar {
    int64_t start, end;
    uint32_t count;                   /* of spans that are in it, if only in part */
    struct gt_span span;              /* the span if count is 1; else just the index of the first */
    uint8_t shares[GT_STORE_CLASSES]; /* if count > 1: see below */
};

typedef void gt_track_bar_fn(void *user, const struct gt_bar *bar);

/*
 * Gives the bars of [start, end), in order. A span of at least `bin` ns is a bar of its own
 * with its exact times, even those beyond start and end. Of each aligned bin (from a multiple
 * of `bin` to the next) the parts of shorter spans that lie in it and in [start, end) make one
 * bar, from the start of the first to the end of the last; a span across an edge has a part on
 * either side. Spans without length are where they start. So there are at most two bars for
 * each bin. Costs a logarithm for each, however many spans are in them. A `bin` below 1 is 1.
 *
 * Shares are the time by class in 1/255 of end - start, rounded. A class of which there is any
 * span has 1 at least; the largest makes up for that. If start == end they are of the count of
 * spans.
 */
void gt_track_bars(const struct gt_track *track, int64_t start, int64_t end, int64_t bin,
                   gt_track_bar_fn *give, void *user);

struct gt_track_sums {
    int64_t time[GT_STORE_CLASSES];   /* INT64_MAX if it is more */
    uint64_t count[GT_STORE_CLASSES]; /* of spans; those without length, too */
};

/*
 * Adds what there is of each class in [start, end): time that is in it, exactly, and spans of
 * which any part is in it. Costs a logarithm.
 */
void gt_track_sum(const struct gt_track *track, int64_t start, int64_t end,
                  struct gt_track_sums *sums);
/* The same for all of it, which costs less. */
void gt_track_total(const struct gt_track *track, struct gt_track_sums *sums);

#endif
