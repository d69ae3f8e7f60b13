/* SPDX-License-Identifier: BSD-3-Clause */

#include "store/track.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/chunk.h"
#include "store/track_part.h"

/* Records that a chunk has room for at first. Most tracks have one chunk with few spans; in
 * long ones a chunk that is not full yet matters little. */
#define FIRST_ROOM 1
#define LATER_ROOM 16
#define LONG_TRACK (8 * CHUNK_SPANS)

#define FIRST_PIECES 4

static uint32_t chunk_count(const struct track *track)
{
    return track->count / CHUNK_SPANS + (track->count % CHUNK_SPANS != 0);
}

/* Where the last chunk is, which grows. */
static struct track_chunk **tail_of(struct track *track)
{
    return track->room == 0 ? &track->chunk : &track->pieces[chunk_count(track) - 1].chunk;
}

void track_free(struct track *track)
{
    if (track->room != 0)
        free(track->pieces);
    *track = (struct track){0};
}

/* Makes room in the list for one more chunk. */
static bool reserve_piece(struct track *track, struct pool *pool)
{
    uint32_t room = track->room == 0 ? FIRST_PIECES : track->room + track->room / 2;
    struct track_chunk *only = track->chunk;

    if (chunk_count(track) < track->room)
        return true;
    struct track_piece *pieces = pool_resize(pool, track->room == 0 ? NULL : track->pieces,
                                             track->room * sizeof(*pieces), room * sizeof(*pieces));
    if (pieces == NULL)
        return false;
    if (track->room == 0)
        pieces[0] = (struct track_piece){chunk_base(only), only};
    track->pieces = pieces;
    track->room = room;
    return true;
}

/* Begins another chunk after a full one, in which there is to be the record. */
static bool add_chunk(struct track *track, struct pool *pool, int64_t base,
                      const struct chunk_record *record)
{
    struct chunk_tally before[STORE_CLASSES] = {{0, 0}};
    uint32_t room = track->count < LONG_TRACK ? LATER_ROOM : CHUNK_SPANS;
    uint8_t widths[FIELDS], narrow[FIELDS];

    if (!reserve_piece(track, pool))
        return false;
    struct track_chunk **last = tail_of(track);
    chunk_tally_before(*last, 1, before);
    chunk_tally(*last, 0, CHUNK_SPANS, 1, before);
    chunk_narrow(*last, narrow);
    memcpy(widths, narrow, FIELDS);
    chunk_widen(widths, record);
    struct track_chunk *chunk = chunk_new(pool, base, before, widths, room);
    if (chunk == NULL)
        return false;
    if (!chunk_seal(pool, last, narrow)) {
        chunk_free(pool, chunk);
        return false;
    }
    track->pieces[chunk_count(track)] = (struct track_piece){base, chunk};
    return true;
}

static bool add_first(struct track *track, struct pool *pool, int64_t base,
                      const struct chunk_record *record)
{
    uint8_t widths[FIELDS] = {0};

    chunk_widen(widths, record);
    track->chunk = chunk_new(pool, base, NULL, widths, FIRST_ROOM);
    return track->chunk != NULL;
}

/* Makes the last chunk, which has `count` records, take another. */
static bool grow_tail(struct track_chunk **tail, struct pool *pool, uint32_t count,
                      const struct chunk_record *record)
{
    uint8_t widths[FIELDS];
    uint32_t room = (*tail)->room;

    if (count == room)
        room = room + room / 2 + 1 > CHUNK_SPANS ? CHUNK_SPANS : room + room / 2 + 1;
    memcpy(widths, (*tail)->widths, FIELDS);
    chunk_widen(widths, record);
    return chunk_grow(pool, tail, count, widths, room);
}

/* STORE_NONE is 0, and so costs nothing. */
static uint64_t encode(uint32_t ordinal)
{
    return (uint32_t) (ordinal + 1);
}

static uint32_t decode(uint64_t value)
{
    return (uint32_t) value - 1;
}

/* Makes room for a record where there is none, or none as wide. */
static bool reserve_record(struct track *track, struct pool *pool, int64_t start,
                           const struct chunk_record *record)
{
    uint32_t i = track->count % CHUNK_SPANS;

    if (track->count == 0)
        return add_first(track, pool, start, record);
    if (i == 0)
        return add_chunk(track, pool, start, record);
    return grow_tail(tail_of(track), pool, i, record);
}

bool track_append(struct track *track, struct pool *pool, const struct span *span)
{
    uint32_t i = track->count % CHUNK_SPANS;
    bool first = track->count == 0;
    struct track_chunk *tail = first ? NULL : *tail_of(track);
    int64_t last = first ? span->start : track_chunk_end(tail, track->count);
    int64_t start = span->start < last ? last : span->start;
    int64_t end = span->end < start ? start : span->end;
    struct chunk_record record;

    assert(span->cls < STORE_CLASSES);
    if (track->count == STORE_NONE)
        return false;
    record.values[FIELD_END] = track_length(i == 0 ? start : chunk_base(tail), end);
    record.values[FIELD_GAP] = i == 0 ? 0 : track_length(last, start);
    record.values[FIELD_CLASS] = span->cls | encode(span->proc) << CHUNK_CLASS_BITS;
    record.values[FIELD_NAME] = span->name;
    record.values[FIELD_GOROUTINE] =
        encode(span->goroutine) ^ encode(first ? span->goroutine : track->goroutine);
    record.values[FIELD_BY] = encode(span->by);
    record.values[FIELD_THREAD] = encode(span->thread);
    record.values[FIELD_STACK] = span->stack;
    record.values[FIELD_END_STACK] = first ? 0 : span->stack ^ track->end_stack;
    bool fits = i != 0 && i < tail->room && chunk_fits(tail, &record);
    if (!fits && !reserve_record(track, pool, start, &record))
        return false;
    if (first)
        track->goroutine = span->goroutine;
    track->end_stack = span->end_stack;
    track->count++;
    chunk_write(fits ? tail : *tail_of(track), i, &record);
    return true;
}

uint32_t track_count(const struct track *track)
{
    return track->count;
}

/* The stack at which a span ends, by the record of the next. */
static uint32_t end_stack(const struct track *track, uint32_t index)
{
    struct chunk_record next;

    if (index + 1 == track->count)
        return track->end_stack;
    chunk_read(track_chunk(track, index + 1), (index + 1) % CHUNK_SPANS, &next);
    return (uint32_t) (next.values[FIELD_STACK] ^ next.values[FIELD_END_STACK]);
}

bool track_get(const struct track *track, uint32_t index, struct span *span)
{
    struct chunk_record record;

    if (index >= track->count)
        return false;
    chunk_read(track_chunk(track, index), index % CHUNK_SPANS, &record);
    track_times(track, index, &span->start, &span->end);
    span->index = index;
    span->cls = (uint32_t) record.values[FIELD_CLASS] & CHUNK_CLASS_MASK;
    span->name = (uint32_t) record.values[FIELD_NAME];
    span->goroutine = decode(record.values[FIELD_GOROUTINE] ^ encode(track->goroutine));
    span->by = decode(record.values[FIELD_BY]);
    span->proc = decode(record.values[FIELD_CLASS] >> CHUNK_CLASS_BITS);
    span->thread = decode(record.values[FIELD_THREAD]);
    span->stack = (uint32_t) record.values[FIELD_STACK];
    span->end_stack = end_stack(track, index);
    return true;
}
