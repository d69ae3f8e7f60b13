/* SPDX-License-Identifier: BSD-3-Clause */

#include "track.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "chunk.h"
#include "mem.h"
#include "track_part.h"

/* Records that a chunk has room for at first. Most tracks have one chunk with few spans; in
 * long ones a chunk that is not full yet matters little. */
#define FIRST_ROOM 2
#define LATER_ROOM 16
#define LONG_TRACK (8 * CHUNK_SPANS)

#define FIRST_PIECES 4

static uint32_t chunk_count(const struct track *track)
{
    return track->count / CHUNK_SPANS + (track->count % CHUNK_SPANS != 0);
}

void track_free(struct track *track)
{
    for (uint32_t i = 0; track->pieces != NULL && i + 1 < chunk_count(track); i++)
        free(track->pieces[i].chunk);
    free(track->tail);
    free(track->pieces);
    *track = (struct track){0};
}

/* Makes room in the list for one more chunk. */
static bool reserve_piece(struct track *track)
{
    uint32_t room = track->room == 0 ? FIRST_PIECES : track->room + track->room / 2;

    if (chunk_count(track) < track->room)
        return true;
    struct track_piece *pieces = store_realloc(track->pieces, room * sizeof(*pieces));
    if (pieces == NULL)
        return false;
    if (track->pieces == NULL)
        pieces[0] = (struct track_piece){track->tail->base, track->tail};
    track->pieces = pieces;
    track->memory += (room - track->room) * sizeof(*pieces);
    track->room = room;
    return true;
}

/* Begins another chunk, in which there is to be the record. */
static bool add_chunk(struct track *track, int64_t base, const struct chunk_record *record)
{
    struct chunk_tally before[STORE_CLASSES] = {{0, 0}};
    uint8_t widths[FIELDS] = {0};
    uint32_t room = FIRST_ROOM;

    if (track->count != 0) {
        if (!reserve_piece(track))
            return false;
        chunk_tally_before(track->tail, 1, before);
        chunk_tally(track->tail, 0, CHUNK_SPANS, 1, before);
        chunk_narrow(track->tail, widths);
        room = track->count < LONG_TRACK ? LATER_ROOM : CHUNK_SPANS;
    }
    chunk_widen(widths, record);
    struct track_chunk *chunk = chunk_new(base, before, widths, room);
    if (chunk == NULL)
        return false;
    if (track->count != 0)
        track->pieces[chunk_count(track)] = (struct track_piece){base, chunk};
    track->tail = chunk;
    track->memory += chunk_bytes(chunk);
    return true;
}

/* Makes the last chunk, which has `count` records, take another. */
static bool grow_tail(struct track *track, uint32_t count, const struct chunk_record *record)
{
    uint8_t widths[FIELDS];
    uint32_t room = track->tail->room;

    if (count == room)
        room = room + room / 2 + 1 > CHUNK_SPANS ? CHUNK_SPANS : room + room / 2 + 1;
    memcpy(widths, track->tail->widths, FIELDS);
    chunk_widen(widths, record);
    struct track_chunk *chunk = chunk_copy(track->tail, count, widths, room);
    if (chunk == NULL)
        return false;
    track->memory += chunk_bytes(chunk) - chunk_bytes(track->tail);
    free(track->tail);
    track->tail = chunk;
    if (track->pieces != NULL)
        track->pieces[chunk_count(track) - 1].chunk = chunk;
    return true;
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

bool track_append(struct track *track, const struct span *span)
{
    uint32_t i = track->count % CHUNK_SPANS;
    bool first = track->count == 0;
    int64_t last = first ? span->start : track->end;
    int64_t start = span->start < last ? last : span->start;
    int64_t end = span->end < start ? start : span->end;
    struct chunk_record record;

    assert(span->cls < STORE_CLASSES);
    if (track->count == STORE_NONE)
        return false;
    record.values[FIELD_END] = track_length(i == 0 ? start : track->tail->base, end);
    record.values[FIELD_GAP] = i == 0 ? 0 : track_length(last, start);
    record.values[FIELD_CLASS] = span->cls | encode(span->proc) << CHUNK_CLASS_BITS;
    record.values[FIELD_NAME] = span->name;
    record.values[FIELD_GOROUTINE] =
        encode(span->goroutine) ^ encode(first ? span->goroutine : track->goroutine);
    record.values[FIELD_BY] = encode(span->by);
    record.values[FIELD_THREAD] = encode(span->thread);
    record.values[FIELD_STACK] = span->stack;
    record.values[FIELD_END_STACK] = first ? 0 : span->stack ^ track->end_stack;
    if (i == 0) {
        if (!add_chunk(track, start, &record))
            return false;
    } else if (i == track->tail->room || !chunk_fits(track->tail, &record)) {
        if (!grow_tail(track, i, &record))
            return false;
    }
    chunk_write(track->tail, i, &record);
    if (first)
        track->goroutine = span->goroutine;
    track->end_stack = span->end_stack;
    track->end = end;
    track->count++;
    return true;
}

size_t track_memory(const struct track *track)
{
    return track->memory;
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
