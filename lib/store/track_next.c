/* SPDX-License-Identifier: BSD-3-Clause */

/* The spans that have something in common. */

#include "store/chunk.h"
#include "store/track_part.h"

#define ALL_CLASSES ((UINT32_C(1) << STORE_CLASSES) - 1)

static uint64_t count_before(const struct track_chunk *chunk, uint32_t classes)
{
    struct chunk_tally tallies[STORE_CLASSES] = {{0, 0}};
    uint64_t count = 0;

    chunk_tally_before(chunk, 1, tallies);
    for (uint32_t cls = 0; cls < STORE_CLASSES; cls++) {
        if (classes >> cls & 1)
            count += tallies[cls].count;
    }
    return count;
}

/* Whether a chunk may have spans of these classes. */
static bool may_have(const struct track *track, uint32_t from, uint32_t classes)
{
    uint32_t next = from - from % CHUNK_SPANS;

    if ((classes & ALL_CLASSES) == ALL_CLASSES || track->count - next <= CHUNK_SPANS)
        return true;
    next += CHUNK_SPANS;
    return count_before(track_chunk(track, from), classes) !=
           count_before(track_chunk(track, next), classes);
}

static bool has_name(const struct track_chunk *chunk, uint32_t i, const struct track_filter *filter)
{
    if (filter->names == NULL)
        return true;
    uint64_t name = chunk_name(chunk, i);
    return name < filter->name_count && (filter->names[name] & filter->name_bit) != 0;
}

/* Records `from` to `to` - 1. */
static uint32_t next_record(const struct track_chunk *chunk, uint32_t from, uint32_t to,
                            const struct track_filter *filter)
{
    struct chunk_walk walk;

    chunk_walk_begin(&walk, chunk, from);
    for (uint32_t i = from; i < to; i++) {
        chunk_walk_on(&walk);
        if ((filter->classes >> walk.cls & 1) && walk.length >= filter->shortest &&
            walk.length <= filter->longest && has_name(chunk, i, filter))
            return i;
    }
    return to;
}

uint32_t track_next(const struct track *track, uint32_t from, uint32_t to,
                    const struct track_filter *filter)
{
    while (from < to) {
        uint32_t first = from % CHUNK_SPANS, base = from - first;
        uint32_t count = to - base < CHUNK_SPANS ? to - base : CHUNK_SPANS;

        /* Asked within a chunk, it was found to have some. */
        if (first != 0 || may_have(track, from, filter->classes)) {
            uint32_t found = next_record(track_chunk(track, from), first, count, filter);
            if (found < count)
                return base + found;
        }
        from = base + count;
    }
    return to;
}
