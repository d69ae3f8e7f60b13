/* SPDX-License-Identifier: BSD-3-Clause */

#include "chunk.h"

#include <string.h>

#include "mem.h"

const uint64_t chunk_masks[9] = {
    0,          0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
    UINT64_MAX,
};

static uint8_t width_of(uint64_t value)
{
    uint8_t width = 0;

    while (value > chunk_masks[width])
        width++;
    return width;
}

/* Of fields `from` to `to` - 1. */
static uint8_t size_of(const uint8_t *widths, int from, int to)
{
    uint32_t size = 0;

    for (int field = from; field < to; field++)
        size += widths[field];
    return (uint8_t) size;
}

static void set_layout(struct track_chunk *chunk, const uint8_t *widths, uint32_t room)
{
    memcpy(chunk->widths, widths, FIELDS);
    chunk->time_size = size_of(widths, 0, TIME_FIELDS);
    chunk->size = size_of(widths, TIME_FIELDS, FIELDS);
    chunk->room = (uint8_t) room;
}

size_t chunk_bytes(const struct track_chunk *chunk)
{
    return chunk_rest_at(chunk) + (size_t) chunk->room * chunk->size + CHUNK_SLACK;
}

struct track_chunk *chunk_new(int64_t base, const struct chunk_tally *before, const uint8_t *widths,
                              uint32_t room)
{
    struct track_chunk header = {.base = base};

    set_layout(&header, widths, room);
    for (uint32_t cls = 0; cls < STORE_CLASSES; cls++) {
        if (before[cls].count == 0)
            continue;
        header.classes |= (uint16_t) (1u << cls);
        header.class_count++;
    }
    struct track_chunk *chunk = store_realloc(NULL, chunk_bytes(&header));
    if (chunk == NULL)
        return NULL;
    *chunk = header;
    struct chunk_tally *to = (void *) ((uint8_t *) chunk + chunk_before_at(chunk));
    for (uint32_t cls = 0; cls < STORE_CLASSES; cls++) {
        if (before[cls].count != 0)
            *to++ = before[cls];
    }
    return chunk;
}

struct track_chunk *chunk_copy(const struct track_chunk *chunk, uint32_t count,
                               const uint8_t *widths, uint32_t room)
{
    struct track_chunk header = *chunk;

    set_layout(&header, widths, room);
    struct track_chunk *copy = store_realloc(NULL, chunk_bytes(&header));
    if (copy == NULL)
        return NULL;
    *copy = header;
    memcpy((uint8_t *) copy + chunk_before_at(copy),
           (const uint8_t *) chunk + chunk_before_at(chunk),
           chunk->class_count * sizeof(struct chunk_tally));
    if (memcmp(widths, chunk->widths, FIELDS) == 0) {
        memcpy(copy->times, chunk->times, (size_t) count * copy->time_size);
        memcpy((uint8_t *) copy + chunk_rest_at(copy), chunk_rest(chunk, 0),
               (size_t) count * copy->size);
        return copy;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct chunk_record record;

        chunk_read(chunk, i, &record);
        chunk_write(copy, i, &record);
    }
    return copy;
}

/* Takes fields `from` to `to` - 1 apart. */
static void read_fields(const struct track_chunk *chunk, const uint8_t *at, int from, int to,
                        struct chunk_record *record)
{
    for (int field = from; field < to; field++) {
        record->values[field] = chunk_load(at) & chunk_masks[chunk->widths[field]];
        at += chunk->widths[field];
    }
}

void chunk_read(const struct track_chunk *chunk, uint32_t i, struct chunk_record *record)
{
    read_fields(chunk, chunk_times(chunk, i), 0, TIME_FIELDS, record);
    read_fields(chunk, chunk_rest(chunk, i), TIME_FIELDS, FIELDS, record);
}

void chunk_widen(uint8_t *widths, const struct chunk_record *record)
{
    for (int field = 0; field < FIELDS; field++) {
        uint8_t width = width_of(record->values[field]);

        if (widths[field] < width)
            widths[field] = width;
    }
}

/* Takes apart the union of all records' bits, which shows how wide the largest values are. */
static void join_records(const struct track_chunk *chunk, const uint8_t *records, uint32_t size,
                         int from, int to, struct chunk_record *record)
{
    uint64_t words[5] = {0};
    uint8_t bytes[sizeof(words)];

    for (uint32_t i = 0; i < CHUNK_SPANS; i++, records += size) {
        for (uint32_t word = 0; 8 * word < size; word++)
            words[word] |= chunk_load(records + 8 * word);
    }
    for (uint32_t word = 0; word < sizeof(words) / 8; word++)
        chunk_store(bytes + 8 * word, words[word]);
    read_fields(chunk, bytes, from, to, record);
}

void chunk_narrow(const struct track_chunk *chunk, uint8_t *widths)
{
    struct chunk_record record;

    join_records(chunk, chunk_times(chunk, 0), chunk->time_size, 0, TIME_FIELDS, &record);
    join_records(chunk, chunk_rest(chunk, 0), chunk->size, TIME_FIELDS, FIELDS, &record);
    memset(widths, 0, FIELDS);
    chunk_widen(widths, &record);
}

void chunk_tally(const struct track_chunk *chunk, uint32_t from, uint32_t to, uint64_t sign,
                 struct chunk_tally *tallies)
{
    uint64_t end_mask = chunk_masks[chunk->widths[FIELD_END]];
    uint64_t gap_mask = chunk_masks[chunk->widths[FIELD_GAP]];
    uint64_t class_mask = chunk_masks[chunk->widths[FIELD_CLASS]] & CHUNK_CLASS_MASK;
    uint32_t gap_at = chunk->widths[FIELD_END];
    uint32_t class_at = gap_at + chunk->widths[FIELD_GAP];
    uint64_t last = from == 0 ? 0 : chunk_end(chunk, from - 1);
    const uint8_t *at = chunk_times(chunk, from);

    for (uint32_t i = from; i < to; i++, at += chunk->time_size) {
        uint64_t end = chunk_load(at) & end_mask;
        uint64_t gap = chunk_load(at + gap_at) & gap_mask;
        uint64_t cls = at[class_at] & class_mask;

        tallies[cls].time += sign * (end - last - gap);
        tallies[cls].count += sign;
        last = end;
    }
}

void chunk_tally_before(const struct track_chunk *chunk, uint64_t sign, struct chunk_tally *tallies)
{
    const struct chunk_tally *from =
        (const void *) ((const uint8_t *) chunk + chunk_before_at(chunk));
    uint32_t classes = chunk->classes;

    for (uint32_t cls = 0; classes >> cls != 0; cls++) {
        if (classes >> cls & 1) {
            tallies[cls].time += sign * from->time;
            tallies[cls].count += sign * from++->count;
        }
    }
}
