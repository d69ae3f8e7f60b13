/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_TRACK_PART_H
#define GT_STORE_TRACK_PART_H

/* What the files track*.c share. */

#include "store/chunk.h"
#include "store/track.h"

struct gt_track_piece {
    int64_t base; /* where the chunk begins */
    struct gt_track_chunk *chunk;
};

static inline const struct gt_track_chunk *gt_track_chunk(const struct gt_track *track,
                                                          uint32_t index)
{
    return track->room == 0 ? track->chunk : track->pieces[index / GT_CHUNK_SPANS].chunk;
}

/* INT64_MAX - INT64_MIN still fits. */
static inline uint64_t gt_track_length(int64_t start, int64_t end)
{
    return (uint64_t) end - (uint64_t) start;
}

/* Unlike signed addition this may go beyond an int64 on its way. */
static inline int64_t gt_track_shift(int64_t time, uint64_t by)
{
    return (int64_t) ((uint64_t) time + by);
}

/* Where the last of a track's `count` spans ends, which is in that chunk. */
static inline int64_t gt_track_chunk_end(const struct gt_track_chunk *chunk, uint32_t count)
{
    return gt_track_shift(gt_chunk_base(chunk), gt_chunk_end(chunk, (count - 1) % GT_CHUNK_SPANS));
}

/* The times of a span that is there. */
void gt_track_times(const struct gt_track *track, uint32_t index, int64_t *start, int64_t *end);

/* The first span from `from` on that is not over at `time`: one that ends after it or does not
 * start before it. All before `from` must be over. */
uint32_t gt_track_seek(const struct gt_track *track, uint32_t from, int64_t time);

/* Has the memory fetched that gt_track_seek will need for `time`. Returns what to call it with then
 * as `from`, as long as that is not before what it would be called with. */
uint32_t gt_track_expect(const struct gt_track *track, uint32_t from, int64_t time);

/* What lies between two times. */
struct gt_track_part {
    int64_t start, end;
    uint32_t from, to; /* spans `from` to `to` - 1; the first may begin before `start` */
    bool cut;          /* and `to` as well, which ends after `end` */
};

/* Sets the tallies, of all classes, to what there is in the part. */
void gt_track_tally(const struct gt_track *track, const struct gt_track_part *part,
                    struct gt_chunk_tally *tallies);

#endif
