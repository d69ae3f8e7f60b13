/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_TRACK_PART_H
#define GT_STORE_TRACK_PART_H

/* What the files track*.c share. Private to them. */

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

/* The sum, which must fit into an int64_t, while `by` need not. */
static inline int64_t gt_track_shift(int64_t time, uint64_t by)
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

/* The index of the first span, from `from` on, that ends after `time` or does not start before it;
 * track->count if there is none. No span before `from` may be such. */
uint32_t gt_track_seek(const struct gt_track *track, uint32_t from, int64_t time);

/* Prefetches the memory that gt_track_seek will need for `time`. The result can be passed to it as
 * `from`, if that is larger than the `from` that the caller has by then. */
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
