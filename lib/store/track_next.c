/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds spans that pass a filter. */

#include "store/chunk.h"
#include "store/track_part.h"

#define ALL_CLASSES ((UINT32_C(1) << GT_STORE_CLASSES) - 1)

/* The number of spans of these classes before a chunk. */
static uint64_t track_count_before(const struct gt_track_chunk *chunk, uint32_t classes)
{
    struct gt_chunk_tally tallies[GT_STORE_CLASSES] = {{0, 0}};
    uint64_t count = 0;

    gt_chunk_tally_before(chunk, 1, tallies);
    for (uint32_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
        if (classes >> cls & 1)
            count += tallies[cls].count;
    }
    return count;
}

/* Whether the chunk that has span `from` may have spans of these classes. */
static bool track_may_have(const struct gt_track *track, uint32_t from, uint32_t classes)
{
    uint32_t next = from - from % GT_CHUNK_SPANS;

    if ((classes & ALL_CLASSES) == ALL_CLASSES || track->count - next <= GT_CHUNK_SPANS)
        return true;
    next += GT_CHUNK_SPANS;
    return track_count_before(gt_track_chunk(track, from), classes) !=
           track_count_before(gt_track_chunk(track, next), classes);
}

static bool track_has_name(const struct gt_track_chunk *chunk, uint32_t i,
                           const struct gt_track_filter *filter)
{
    if (!filter->names)
        return true;
    const uint8_t *at = gt_chunk_dictionaries(chunk);
    struct gt_chunk_dictionary names = gt_chunk_next_dictionary(chunk, GT_FIELD_NAME, &at);
    uint32_t width = chunk->widths[GT_FIELD_NAME] & GT_CHUNK_WIDTH_MASK;
    uint64_t number = gt_chunk_bits(gt_chunk_rest(chunk), i * gt_chunk_rest_bits(chunk));
    uint64_t name = gt_chunk_value(&names, number & gt_chunk_masks[width]);
    return name < filter->name_count && (filter->names[name] & filter->name_bit) != 0;
}

/* The first of records `from` to `to` - 1 that passes; `to` if none does. */
static uint32_t track_next_record(const struct gt_track_chunk *chunk, uint32_t from, uint32_t to,
                                  const struct gt_track_filter *filter)
{
    struct gt_chunk_walk walk;

    gt_chunk_walk_begin(&walk, chunk, from);
    for (uint32_t i = from; i < to; i++) {
        gt_chunk_walk_on(&walk);
        if ((filter->classes >> walk.cls & 1) && walk.length >= filter->shortest &&
            walk.length <= filter->longest && track_has_name(chunk, i, filter))
            return i;
    }
    return to;
}

uint32_t gt_track_next(const struct gt_track *track, uint32_t from, uint32_t to,
                       const struct gt_track_filter *filter)
{
    while (from < to) {
        uint32_t first = from % GT_CHUNK_SPANS, base = from - first;
        uint32_t count = to - base < GT_CHUNK_SPANS ? to - base : GT_CHUNK_SPANS;

        /* If the search begins inside a chunk, an earlier call has found that the chunk has such
         * spans. */
        if (first != 0 || track_may_have(track, from, filter->classes)) {
            uint32_t found = track_next_record(gt_track_chunk(track, from), first, count, filter);
            if (found < count)
                return base + found;
        }
        from = base + count;
    }
    return to;
}
