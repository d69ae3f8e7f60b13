/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_TRACK_H
#define GT_STORE_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/span.h"

struct gt_mem;
struct gt_store_pool;
struct gt_track_chunk;
struct gt_track_piece;

/*
 * A track is one lane: spans that are ordered by time and do not overlap. A track of zeros is
 * empty, and a track may be moved in memory. The members are private to track*.c. The chunks are in
 * a pool, which tracks may share and which must outlive them.
 *
 * A member of a span takes about as many bits as the largest value among 64 consecutive spans
 * needs. So it takes no memory if it is 0 or GT_STORE_NONE in all of them. Nor do a goroutine that
 * is the same in the whole track, an end_stack that equals the stack of the next span, and a start
 * that equals the end of the span before.
 */
struct gt_track {
    union {
        struct gt_track_chunk *chunk;  /* the only chunk */
        struct gt_track_piece *pieces; /* all chunks, once there were several */
    };

    uint32_t room;      /* of `pieces`, in items; 0 if `chunk` is used */
    uint32_t count;     /* of spans */
    uint32_t goroutine; /* of the first span */
    uint32_t end_stack; /* of the last span */
};

/* Frees all memory outside the pool, whose `mem` is passed; the track is then empty. */
void gt_track_free(struct gt_track *track, struct gt_mem *mem);

/*
 * Appends a span, whose `index` is ignored. If it starts before the end of the last span, its start
 * is moved to that end; if it also ends before that, its length becomes 0. False: out of memory, or
 * the track has 2^32 - 1 spans; nothing changes then.
 */
bool gt_track_append(struct gt_track *track, struct gt_store_pool *pool,
                     const struct gt_span *span);

uint32_t gt_track_count(const struct gt_track *track);
/* Sets `*span`; false if there is no such span. */
bool gt_track_get(const struct gt_track *track, uint32_t index, struct gt_span *span);

/* The most spans that gt_track_briefs reads at once. */
#define GT_TRACK_BRIEFS 64

/* The members of a span that sums need. */
struct gt_span_brief {
    int64_t start, end;
    uint32_t cls, name, goroutine;
};

/* Sets the briefs of spans from `from` on, before `to`, and returns how many it has set: at most
 * GT_TRACK_BRIEFS, and 0 only if there are none. Much faster than gt_track_get for each. */
uint32_t gt_track_briefs(const struct gt_track *track, uint32_t from, uint32_t to,
                         struct gt_span_brief *briefs);

/* The index of the first span that ends after `time`; gt_track_count() if there is none. */
uint32_t gt_track_find(const struct gt_track *track, int64_t time);
/* Sets the start of the first span and the end of the last; false if the track is empty. */
bool gt_track_extent(const struct gt_track *track, int64_t *start, int64_t *end);

struct gt_track_filter {
    uint32_t classes;           /* a set of bits, one for each class that passes */
    uint64_t shortest, longest; /* the range of lengths that pass, in ns, both included */
    /* By the text of a name: the name passes if the byte has the bit `name_bit`, which is a mask.
     * Texts from `name_count` on do not pass. If `names` is NULL, all names pass. */
    const uint8_t *names;
    uint32_t name_count;
    uint8_t name_bit;
};

/* The index of the first span in [from, to) that passes the filter; `to` if there is none. `to`
 * must be at most gt_track_count(). Takes linear time, but skips chunks without spans of the
 * classes. */
uint32_t gt_track_next(const struct gt_track *track, uint32_t from, uint32_t to,
                       const struct gt_track_filter *filter);

struct gt_bar {
    int64_t start, end;
    uint32_t count;                   /* of spans of which at least a part is in the bar */
    struct gt_span span;              /* if count > 1, only `index` is set: the first span's */
    uint8_t shares[GT_STORE_CLASSES]; /* if count > 1: see gt_track_bars */
};

typedef void gt_track_bar_fn(void *user, const struct gt_bar *bar);

/*
 * Calls `give` with each bar in [start, end), in order of time.
 *
 * A span of at least `bin` ns is a bar of its own with its exact times, even where these are
 * outside [start, end). The shorter spans are merged: time is divided into bins, which begin at
 * multiples of `bin`, and the parts of shorter spans that are in one bin and in [start, end) become
 * one bar, from the start of the first to the end of the last. A span that crosses the border
 * between two bins has a part in each. A span without length belongs to where it starts. So there
 * are at most two bars for each bin. Takes logarithmic time for each, however many spans it has. A
 * `bin` below 1 counts as 1.
 *
 * The shares of a bar are the time in each class, in units of 1/255 of the bar's length, rounded. A
 * class of which there is any span has a share of at least 1, which is subtracted from the largest
 * share. If the bar has no length, the shares are those of the number of spans.
 */
void gt_track_bars(const struct gt_track *track, int64_t start, int64_t end, int64_t bin,
                   gt_track_bar_fn *give, void *user);

struct gt_track_sums {
    int64_t time[GT_STORE_CLASSES];   /* in ns; INT64_MAX if it is more */
    uint64_t count[GT_STORE_CLASSES]; /* of spans, including those without length */
};

/*
 * Adds to `*sums`, for each class, the exact time in [start, end) and the number of spans of which
 * any part is in it. Takes logarithmic time.
 */
void gt_track_sum(const struct gt_track *track, int64_t start, int64_t end,
                  struct gt_track_sums *sums);
/* Adds the sums of the whole track to `*sums`. Takes constant time. */
void gt_track_total(const struct gt_track *track, struct gt_track_sums *sums);

#endif
