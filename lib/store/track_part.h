/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_TRACK_PART_H
#define GT_STORE_TRACK_PART_H

/* The declarations that the files track*.c share and that are private to them. */

#include "store/chunk.h"
#include "store/track.h"

struct gt_track_piece {
    int64_t base; /* the base of the chunk */
    struct gt_track_chunk *chunk;
};

/* The chunk that has span `index`. */
static inline const struct gt_track_chunk *gt_track_chunk(const struct gt_track *track,
                                                          uint32_t index)
{
    return track->room == 0 ? track->chunk : track->pieces[index / GT_CHUNK_SPANS].chunk;
}

/* Returns the sum. It must fit into an int64_t, but `by` alone need not. */
GT_WRAPS static inline int64_t gt_track_shift(int64_t time, uint64_t by)
{
    return (int64_t) ((uint64_t) time + by);
}

/* The end of the last one of a track's `count` spans, which is in that chunk. */
static inline int64_t gt_track_chunk_end(const struct gt_track_chunk *chunk, uint32_t count)
{
    return gt_track_shift(gt_chunk_base(chunk), gt_chunk_end(chunk, (count - 1) % GT_CHUNK_SPANS));
}

/* The times of a span, which must exist. */
void gt_track_times(const struct gt_track *track, uint32_t index, int64_t *start, int64_t *end);

/* Returns the index of the first span, from `from` on, that ends after `time` or starts at `time`
 * or later; track->count if there is none. No span before `from` may satisfy this condition. */
uint32_t gt_track_seek(const struct gt_track *track, uint32_t from, int64_t time);

/* Prefetches the memory that gt_track_seek will need for `time`. Returns a lower bound of the index
 * that gt_track_seek will find, which the caller may pass as `from` if it has no larger one. */
uint32_t gt_track_expect(const struct gt_track *track, uint32_t from, int64_t time);

/* The part of a track between two times. */
struct gt_track_part {
    int64_t start, end;
    uint32_t from, to; /* spans `from` to `to` - 1; the first may start before `start` */
    bool cut;          /* the part also has the beginning of span `to`, which ends after `end` */
};

/* Sets the tallies, which are indexed by class, to those of the part. */
void gt_track_tally(const struct gt_track *track, const struct gt_track_part *part,
                    struct gt_chunk_tally *tallies);

#endif
