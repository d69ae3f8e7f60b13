/* SPDX-License-Identifier: BSD-3-Clause */

#include "store/track.h"

#include <assert.h>
#include <string.h>

#include "base/time.h"
#include "base/wraps.h"
#include "store/chunk.h"
#include "store/track_part.h"

/* The number of records that a new chunk has room for: FIRST_ROOM in the first chunk of a track,
 * and more in later chunks. A track of at least LONG_TRACK spans gets chunks of full size. Most
 * tracks have one chunk with few spans, whereas in a long track the unused room of one chunk
 * matters little. */
#define FIRST_ROOM 1
#define LATER_ROOM 16
#define LONG_TRACK (8 * GT_CHUNK_SPANS)

#define FIRST_PIECES 4

static uint32_t track_chunk_count(const struct gt_track *track)
{
    return track->count / GT_CHUNK_SPANS + (track->count % GT_CHUNK_SPANS != 0);
}

/* The pointer to the last chunk, which is the only one that grows. */
static struct gt_track_chunk **track_tail_of(struct gt_track *track)
{
    return track->room == 0 ? &track->chunk : &track->pieces[track_chunk_count(track) - 1].chunk;
}

void gt_track_free(struct gt_track *track, struct gt_mem *mem)
{
    if (track->room != 0)
        gt_mem_free(mem, track->pieces, track->room * sizeof(*track->pieces));
    *track = (struct gt_track){0};
}

/* Makes room in `pieces` for one more chunk. */
static bool track_reserve_piece(struct gt_track *track, struct gt_store_pool *pool)
{
    uint32_t room = track->room == 0 ? FIRST_PIECES : track->room + track->room / 2;
    struct gt_track_chunk *only = track->chunk;

    if (track_chunk_count(track) < track->room)
        return true;
    struct gt_track_piece *pieces =
        gt_pool_resize(pool, track->room == 0 ? NULL : track->pieces, track->room * sizeof(*pieces),
                       room * sizeof(*pieces));
    if (!pieces)
        return false;
    if (track->room == 0)
        pieces[0] = (struct gt_track_piece){gt_chunk_base(only), only};
    track->pieces = pieces;
    track->room = room;
    return true;
}

/* Seals the last chunk, which is full, and adds a chunk with room for the record. */
static bool track_add_chunk(struct gt_track *track, struct gt_store_pool *pool, int64_t base,
                            const struct gt_chunk_record *record)
{
    struct gt_chunk_tally before[GT_STORE_CLASSES] = {{0, 0}};
    uint32_t room = track->count < LONG_TRACK ? LATER_ROOM : GT_CHUNK_SPANS;
    uint8_t widths[GT_FIELDS], narrow[GT_FIELDS];

    if (!track_reserve_piece(track, pool))
        return false;
    struct gt_track_chunk **last = track_tail_of(track);
    gt_chunk_tally_before(*last, 1, before);
    gt_chunk_tally(*last, 0, GT_CHUNK_SPANS, 1, before);
    gt_chunk_narrow(*last, narrow);
    memcpy(widths, narrow, GT_FIELDS);
    gt_chunk_widen(widths, record);
    struct gt_track_chunk *chunk = gt_chunk_new(pool, base, before, widths, room);
    if (!chunk)
        return false;
    if (!gt_chunk_seal(pool, last, narrow)) {
        gt_chunk_free(pool, chunk);
        return false;
    }
    track->pieces[track_chunk_count(track)] = (struct gt_track_piece){base, chunk};
    return true;
}

/* Adds the first chunk, with room for the record. */
static bool track_add_first(struct gt_track *track, struct gt_store_pool *pool, int64_t base,
                            const struct gt_chunk_record *record)
{
    uint8_t widths[GT_FIELDS] = {0};

    gt_chunk_widen(widths, record);
    track->chunk = gt_chunk_new(pool, base, NULL, widths, FIRST_ROOM);
    return track->chunk;
}

/* Makes room in the last chunk, which has `count` records, for another. */
static bool track_grow_tail(struct gt_track_chunk **tail, struct gt_store_pool *pool,
                            uint32_t count, const struct gt_chunk_record *record)
{
    uint8_t widths[GT_FIELDS];
    uint32_t room = (*tail)->room;

    if (count == room)
        room = room + room / 2 + 1 > GT_CHUNK_SPANS ? GT_CHUNK_SPANS : room + room / 2 + 1;
    memcpy(widths, (*tail)->widths, GT_FIELDS);
    gt_chunk_widen(widths, record);
    return gt_chunk_grow(pool, tail, count, widths, room);
}

/* Encodes GT_STORE_NONE as 0, which takes no bits. */
GT_WRAPS static uint64_t track_encode(uint32_t ordinal)
{
    return (uint32_t) (ordinal + 1);
}

GT_WRAPS static uint32_t track_decode(uint64_t value)
{
    return (uint32_t) value - 1;
}

/* Makes room for a record that does not fit into the last chunk. */
static bool track_reserve_record(struct gt_track *track, struct gt_store_pool *pool, int64_t start,
                                 const struct gt_chunk_record *record)
{
    uint32_t i = track->count % GT_CHUNK_SPANS;

    if (track->count == 0)
        return track_add_first(track, pool, start, record);
    if (i == 0)
        return track_add_chunk(track, pool, start, record);
    return track_grow_tail(track_tail_of(track), pool, i, record);
}

bool gt_track_append(struct gt_track *track, struct gt_store_pool *pool, const struct gt_span *span)
{
    uint32_t i = track->count % GT_CHUNK_SPANS;
    bool first = track->count == 0;
    struct gt_track_chunk *tail = first ? NULL : *track_tail_of(track);
    int64_t last = first ? span->start : gt_track_chunk_end(tail, track->count);
    int64_t start = span->start < last ? last : span->start;
    int64_t end = span->end < start ? start : span->end;
    struct gt_chunk_record record;

    assert(span->cls < GT_STORE_CLASSES);
    if (track->count == GT_STORE_NONE)
        return false;
    record.values[GT_FIELD_END] = gt_time_span(i == 0 ? start : gt_chunk_base(tail), end);
    record.values[GT_FIELD_GAP] = i == 0 ? 0 : gt_time_span(last, start);
    record.values[GT_FIELD_CLASS] = span->cls | track_encode(span->proc) << GT_CHUNK_CLASS_BITS;
    record.values[GT_FIELD_NAME] = span->name;
    record.values[GT_FIELD_GOROUTINE] =
        track_encode(span->goroutine) ^ track_encode(first ? span->goroutine : track->goroutine);
    record.values[GT_FIELD_BY] = track_encode(span->by);
    record.values[GT_FIELD_THREAD] = track_encode(span->thread);
    record.values[GT_FIELD_STACK] = span->stack;
    record.values[GT_FIELD_END_STACK] = first ? 0 : span->stack ^ track->end_stack;
    bool fits = i != 0 && i < tail->room && gt_chunk_fits(tail, &record);
    if (!fits && !track_reserve_record(track, pool, start, &record))
        return false;
    if (first)
        track->goroutine = span->goroutine;
    track->end_stack = span->end_stack;
    track->count++;
    gt_chunk_write(fits ? tail : *track_tail_of(track), i, &record);
    return true;
}

uint32_t gt_track_count(const struct gt_track *track)
{
    return track->count;
}

/* Returns the stack at which a span ends. It is stored in the record of the next span, as a
 * difference. */
static uint32_t track_end_stack(const struct gt_track *track, uint32_t index)
{
    struct gt_chunk_record next;

    if (index + 1 == track->count)
        return track->end_stack;
    gt_chunk_read(gt_track_chunk(track, index + 1), (index + 1) % GT_CHUNK_SPANS, &next);
    return (uint32_t) (next.values[GT_FIELD_STACK] ^ next.values[GT_FIELD_END_STACK]);
}

bool gt_track_get(const struct gt_track *track, uint32_t index, struct gt_span *span)
{
    struct gt_chunk_record record;

    if (index >= track->count)
        return false;
    gt_chunk_read(gt_track_chunk(track, index), index % GT_CHUNK_SPANS, &record);
    gt_track_times(track, index, &span->start, &span->end);
    span->index = index;
    span->cls = (uint32_t) record.values[GT_FIELD_CLASS] & GT_CHUNK_CLASS_MASK;
    span->name = (uint32_t) record.values[GT_FIELD_NAME];
    span->goroutine =
        track_decode(record.values[GT_FIELD_GOROUTINE] ^ track_encode(track->goroutine));
    span->by = track_decode(record.values[GT_FIELD_BY]);
    span->proc = track_decode(record.values[GT_FIELD_CLASS] >> GT_CHUNK_CLASS_BITS);
    span->thread = track_decode(record.values[GT_FIELD_THREAD]);
    span->stack = (uint32_t) record.values[GT_FIELD_STACK];
    span->end_stack = track_end_stack(track, index);
    return true;
}
