/* SPDX-License-Identifier: BSD-3-Clause */

/* The final form of a chunk. */

#include <string.h>

#include "base/le64.h"
#include "store/chunk.h"

/* The largest number of values in a dictionary of goroutines and in any other dictionary. The first
 * is larger because many goroutines take turns on a proc. Few fields would shrink with larger
 * dictionaries. */
#define MOST_GOROUTINES 32
#define MOST_VALUES     8
/* A dictionary is not tried for a field with fewer bits, nor is it continued if the first TRIED
 * records have more values than these. */
#define LEAST_WIDTH      6
#define TRIED            16
#define TRIED_GOROUTINES 10
#define TRIED_VALUES     5
/* The number of slots of the hash table in which values are looked up, as a power of two. */
#define SLOT_BITS  6
#define SLOTS      (1 << SLOT_BITS)
#define MULTIPLIER UINT32_C(0x9e3779b1)

/* How to narrow consecutive fields of a record: where each one is, and by how many bits it moves
 * towards the start. */
struct squeeze {
    uint64_t masks[GT_FIELDS];
    uint32_t shifts[GT_FIELDS];
    uint32_t from_bits, to_bits;
};

/* The new records are rounded up to a multiple of `unit` bits. */
GT_WRAPS static struct squeeze seal_make_squeeze(const uint8_t *from, const uint8_t *to, int count,
                                                 uint32_t unit)
{
    struct squeeze squeeze = {.from_bits = 0};

    for (int i = 0; i < count; i++) {
        /* Fields beyond the first 64 bits get wrong values, which are not used. */
        squeeze.masks[i] = gt_chunk_masks[from[i]] << squeeze.from_bits % 64;
        squeeze.shifts[i] = (squeeze.from_bits - squeeze.to_bits) % 64;
        squeeze.from_bits += from[i];
        squeeze.to_bits += to[i];
    }
    squeeze.to_bits = (squeeze.to_bits + unit - 1) / unit * unit;
    return squeeze;
}

/* Narrows records each of which fits into a load of eight bytes. Writes them without gaps, and up
 * to eight bytes more. */
static inline void seal_squeeze_records(const struct squeeze *squeeze, int fields,
                                        const uint8_t *from, uint8_t *to)
{
    uint32_t used = 0, size = squeeze->from_bits / 8;
    uint64_t rest = 0;

    for (uint32_t i = 0; i < GT_CHUNK_SPANS; i++, from += size) {
        uint64_t record = gt_le64_load(from), squeezed = 0;

        for (int field = 0; field < fields; field++)
            squeezed |= (record & squeeze->masks[field]) >> squeeze->shifts[field];
        rest |= squeezed << used;
        used += squeeze->to_bits;
        gt_le64_store(to, rest);
        to += used / 8;
        rest >>= used / 8 * 8;
        used %= 8;
    }
    gt_le64_store(to, rest);
}

/* Writes `width` bits, and keeps all others. */
static void seal_put_bits(uint8_t *bytes, uint32_t bit, uint32_t width, uint64_t value)
{
    uint8_t *at = bytes + bit / 8;

    gt_le64_store(at, (gt_le64_load(at) & ~(gt_chunk_masks[width] << bit % 8)) | value << bit % 8);
}

/* Narrows records that do not fit into a load of eight bytes, field by field. */
static void seal_squeeze_fields(const struct squeeze *squeeze, const uint8_t *from,
                                const uint8_t *from_widths, uint8_t *to, const uint8_t *to_widths,
                                int fields)
{
    for (uint32_t i = 0; i < GT_CHUNK_SPANS; i++) {
        uint32_t from_bit = i * squeeze->from_bits, to_bit = i * squeeze->to_bits;

        for (int field = 0; field < fields; field++) {
            uint64_t value = gt_chunk_bits(from, from_bit) & gt_chunk_masks[from_widths[field]];

            seal_put_bits(to, to_bit, to_widths[field], value);
            from_bit += from_widths[field];
            to_bit += to_widths[field];
        }
    }
}

static void seal_times(const struct gt_track_chunk *from, struct gt_track_chunk *to)
{
    struct squeeze squeeze = seal_make_squeeze(from->widths, to->widths, GT_TIME_FIELDS, 8);

    if (squeeze.from_bits <= 64 && squeeze.to_bits <= GT_CHUNK_LOAD_BITS)
        seal_squeeze_records(&squeeze, GT_TIME_FIELDS, from->times, to->times);
    else
        seal_squeeze_fields(&squeeze, from->times, from->widths, to->times, to->widths,
                            GT_TIME_FIELDS);
}

/* A field other than the time fields: what the records will have, and its dictionary, if any. */
struct column {
    uint32_t numbers[GT_CHUNK_SPANS];
    uint32_t values[MOST_GOROUTINES];
    uint32_t value_count; /* 0 if there is no dictionary */
    uint32_t value_most;  /* the largest number of values at the end, and after TRIED records */
    uint32_t value_tried;
    uint32_t value_size; /* in bytes */
    uint32_t width;      /* of a number, in bits */
};

static void seal_read_column(const struct gt_track_chunk *chunk, int field, struct column *column)
{
    const uint8_t *at = gt_chunk_rest(chunk);
    uint32_t size = gt_chunk_rest_bits(chunk) / 8;
    uint64_t mask = gt_chunk_masks[chunk->widths[field]];

    for (int before = GT_TIME_FIELDS; before < field; before++)
        at += chunk->widths[before] / 8;
    for (uint32_t i = 0; i < GT_CHUNK_SPANS; i++, at += size)
        column->numbers[i] = (uint32_t) (gt_le64_load(at) & mask);
}

/* The number of bits that numbers below `count` need. */
static uint32_t seal_bits_for(uint32_t count)
{
    uint32_t bits = 0;

    while (UINT32_C(1) << bits < count)
        bits++;
    return bits;
}

/* Finds a value in the dictionary, or adds it. Returns its number, or `most` if that is the number
 * of values already. */
GT_WRAPS static uint32_t seal_number_of(struct column *column, uint8_t *slots, uint32_t value,
                                        uint32_t most)
{
    uint32_t slot = value * MULTIPLIER >> (32 - SLOT_BITS);

    for (; slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        if (column->values[slots[slot] - 1] == value)
            return slots[slot] - UINT32_C(1);
    }
    if (column->value_count == most)
        return most;
    column->values[column->value_count++] = value;
    slots[slot] = (uint8_t) column->value_count;
    return column->value_count - 1;
}

/* Gives the column a dictionary if that makes it smaller. */
static void seal_code_column(struct column *column)
{
    uint8_t slots[SLOTS] = {0}, numbers[GT_CHUNK_SPANS];

    for (uint32_t i = 0; i < GT_CHUNK_SPANS; i++) {
        uint32_t most = i < TRIED ? column->value_tried : column->value_most;
        uint32_t number = seal_number_of(column, slots, column->numbers[i], most);

        if (number == most) {
            column->value_count = 0;
            return;
        }
        numbers[i] = (uint8_t) number;
    }
    uint32_t bits = seal_bits_for(column->value_count), size = (column->width + 7) / 8;
    if (GT_CHUNK_SPANS * bits + 8 * (2 + column->value_count * size) >=
        GT_CHUNK_SPANS * column->width) {
        column->value_count = 0;
        return;
    }
    for (uint32_t i = 0; i < GT_CHUNK_SPANS; i++)
        column->numbers[i] = numbers[i];
    column->value_size = size;
    column->width = bits;
}

/* Reads the columns that are not all zeros, and sets their widths. Returns how many they are. */
static uint32_t seal_make_columns(const struct gt_track_chunk *chunk, struct column *columns,
                                  uint8_t *widths)
{
    uint32_t count = 0;

    for (int field = GT_TIME_FIELDS; field < GT_FIELDS; field++) {
        struct column *column = &columns[count];

        if (widths[field] == 0)
            continue;
        column->width = widths[field];
        column->value_count = 0;
        column->value_most = field == GT_FIELD_GOROUTINE ? MOST_GOROUTINES : MOST_VALUES;
        column->value_tried = field == GT_FIELD_GOROUTINE ? TRIED_GOROUTINES : TRIED_VALUES;
        seal_read_column(chunk, field, column);
        if (column->width >= LEAST_WIDTH)
            seal_code_column(column);
        widths[field] = (uint8_t) (column->width | (column->value_count ? GT_CHUNK_CODED : 0));
        count++;
    }
    return count;
}

/* Writes the numbers, record by record, and up to eight bytes more. */
static void seal_write_numbers(const struct column *columns, uint32_t count, uint8_t *to)
{
    uint64_t word = 0;
    uint32_t used = 0;

    for (uint32_t i = 0; i < GT_CHUNK_SPANS; i++) {
        for (uint32_t k = 0; k < count; k++) {
            word |= (uint64_t) columns[k].numbers[i] << used;
            used += columns[k].width;
            if (used < 32)
                continue;
            gt_le64_store(to, word);
            to += 4;
            word >>= 32;
            used -= 32;
        }
    }
    gt_le64_store(to, word);
}

/* Writes the dictionaries of the columns that have one. */
static void seal_write_values(const struct column *columns, uint32_t count, uint8_t *to)
{
    for (uint32_t k = 0; k < count; k++) {
        const struct column *column = &columns[k];

        if (column->value_count == 0)
            continue;
        *to++ = (uint8_t) column->value_count;
        *to++ = (uint8_t) column->value_size;
        for (uint32_t i = 0; i < column->value_count; i++, to += column->value_size)
            gt_le64_store(to, column->values[i]);
    }
}

static size_t seal_values_size(const struct column *columns, uint32_t count)
{
    size_t size = 0;

    for (uint32_t k = 0; k < count; k++) {
        if (columns[k].value_count != 0)
            size += 2 + columns[k].value_count * columns[k].value_size;
    }
    return size;
}

bool gt_chunk_seal(struct gt_store_pool *pool, struct gt_track_chunk **chunk, const uint8_t *narrow)
{
    struct gt_track_chunk *old = *chunk, header = *old;
    struct column columns[GT_FIELDS - GT_TIME_FIELDS];
    uint8_t widths[GT_FIELDS];

    memcpy(widths, narrow, GT_FIELDS);
    uint32_t count = seal_make_columns(old, columns, widths);
    gt_chunk_set_layout(&header, widths, GT_CHUNK_SPANS);
    size_t size = gt_chunk_bytes(&header);
    struct gt_track_chunk *sealed =
        gt_store_pool_take(pool, size + seal_values_size(columns, count));
    if (!sealed)
        return false;
    *sealed = header;
    uint8_t *values = (uint8_t *) sealed + size, *end = values + seal_values_size(columns, count);
    uint64_t following = gt_le64_load(end);
    seal_times(old, sealed);
    memcpy(sealed->times + gt_chunk_before_at(sealed), old->times + gt_chunk_before_at(old),
           old->before);
    seal_write_numbers(columns, count,
                       (uint8_t *) sealed + (gt_chunk_rest(sealed) - (const uint8_t *) sealed));
    seal_write_values(columns, count, values);
    gt_le64_store(end, following);
    gt_chunk_free(pool, old);
    *chunk = sealed;
    return true;
}
