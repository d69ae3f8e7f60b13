/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the fields that sums need from many spans at once. */

#include "base/wraps.h"
#include "store/chunk.h"
#include "store/track_part.h"

GT_WRAPS uint32_t gt_track_briefs(const struct gt_track *track, uint32_t from, uint32_t to,
                                  struct gt_span_brief *briefs)
{
    struct gt_chunk_walk walk;

    to = to < track->count ? to : track->count;
    if (from >= to)
        return 0;
    const struct gt_track_chunk *chunk = gt_track_chunk(track, from);
    const uint8_t *rest = gt_chunk_rest(chunk);
    uint32_t i = from % GT_CHUNK_SPANS, bits = gt_chunk_rest_bits(chunk);
    uint32_t count = GT_CHUNK_SPANS - i < to - from ? GT_CHUNK_SPANS - i : to - from;
    uint32_t name_bits = chunk->widths[GT_FIELD_NAME] & GT_CHUNK_WIDTH_MASK;
    uint64_t name_mask = gt_chunk_masks[name_bits];
    uint64_t goroutine_mask =
        gt_chunk_masks[chunk->widths[GT_FIELD_GOROUTINE] & GT_CHUNK_WIDTH_MASK];
    const uint8_t *at = gt_chunk_dictionaries(chunk);
    struct gt_chunk_dictionary names = gt_chunk_next_dictionary(chunk, GT_FIELD_NAME, &at);
    struct gt_chunk_dictionary goroutines =
        gt_chunk_next_dictionary(chunk, GT_FIELD_GOROUTINE, &at);
    int64_t base = gt_chunk_base(chunk);

    gt_chunk_walk_begin(&walk, chunk, i);
    for (uint32_t k = 0; k < count; k++, i++) {
        struct gt_span_brief *brief = &briefs[k];
        uint64_t name = gt_chunk_bits(rest, i * bits) & name_mask;
        uint64_t goroutine = gt_chunk_bits(rest, i * bits + name_bits) & goroutine_mask;

        gt_chunk_walk_on(&walk);
        brief->end = gt_track_shift(base, walk.last);
        brief->start = gt_track_shift(base, walk.last - walk.length);
        brief->cls = walk.cls;
        brief->name = (uint32_t) gt_chunk_value(&names, name);
        /* gt_track_append stores each ordinal plus 1, and GT_STORE_NONE as 0. */
        brief->goroutine =
            ((uint32_t) gt_chunk_value(&goroutines, goroutine) ^ (track->goroutine + 1)) - 1;
    }
    return count;
}
