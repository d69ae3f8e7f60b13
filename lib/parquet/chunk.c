/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/text.h"
#include "parquet/bits.h"
#include "parquet/delta.h"
#include "parquet/hybrid.h"
#include "parquet/writer.h"

enum {
    /* The bytes of the size before definition levels. */
    LEVELS_SIZE = 4
};

static unsigned chunk_bits(const struct gt_pq_chunk *chunk)
{
    return chunk->column->kind == GT_PQ_INT32 ? 32 : 64;
}

/* Whether all rows have the same value. Mostly two of the first show that they have not. */
static bool chunk_is_constant(const struct gt_pq_chunk *chunk, const struct gt_pq_values *from)
{
    size_t row = 1;
    if (!from->values || from->valid)
        return false;
    while (row < chunk->rows && from->values[row] == from->values[0])
        row++;
    return row == chunk->rows;
}

/* Adds the values of up to eight rows that have one at `*to`, and returns which have. */
static GT_ALWAYS_INLINE uint8_t chunk_gather_group(const struct gt_pq_values *from,
                                                   const uint32_t *order, size_t at, size_t count,
                                                   int64_t **to)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < count; i++) {
        size_t row = order ? order[at + i] : at + i;
        unsigned is_valid = from->valid[row] != 0;
        /* Overwritten by the next value if it is none. */
        **to = from->values[row];
        *to += is_valid;
        bits |= is_valid << i;
    }
    return (uint8_t) bits;
}

/* Puts the values of the rows that have one in order, and notes which rows do. */
static GT_ALWAYS_INLINE size_t chunk_gather_valid(struct gt_pq_writer *writer,
                                                  const struct gt_pq_chunk *chunk,
                                                  const struct gt_pq_values *from,
                                                  const uint32_t *order)
{
    int64_t *to = writer->values.items;
    uint8_t *valid = writer->valid.items;
    size_t at = 0;
    for (; at + 8 <= chunk->rows; at += 8)
        *valid++ = chunk_gather_group(from, order, at, 8, &to);
    if (at < chunk->rows)
        *valid = chunk_gather_group(from, order, at, chunk->rows - at, &to);
    return (size_t) (to - writer->values.items);
}

/* Puts the values in order and leaves NULLs out. */
static void chunk_gather(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk,
                         const struct gt_pq_values *from, const uint32_t *order)
{
    int64_t *to = writer->values.items;
    chunk->count = from->values ? chunk->rows : 0;
    /* What is decided here is not asked for each row. */
    if (from->values && from->valid && order)
        chunk->count = chunk_gather_valid(writer, chunk, from, order);
    else if (from->values && from->valid)
        chunk->count = chunk_gather_valid(writer, chunk, from, NULL);
    else if (from->values && !order)
        memcpy(to, from->values, chunk->rows * sizeof(*to));
    else
        for (size_t i = 0; i < chunk->count; i++)
            to[i] = from->values[order[i]];
}

/* Composes the definition levels, which say which rows have a value. */
static void chunk_levels_make(struct gt_pq_writer *writer, const struct gt_pq_chunk *chunk)
{
    struct gt_pq_bytes *levels = &writer->levels;
    gt_pq_bytes_clear(levels);
    if (!chunk->column->optional)
        return;
    gt_pq_put_little(levels, 0, LEVELS_SIZE);
    if (chunk->count == 0 || chunk->count == chunk->rows)
        gt_hybrid_run_put(levels, chunk->count > 0, chunk->rows, 1);
    else
        gt_hybrid_bits_put(levels, writer->valid.items, chunk->rows);
    gt_pq_note(writer, levels->status);
    if (levels->status == GT_OK)
        gt_pq_little_put(levels->items, levels->count - LEVELS_SIZE, LEVELS_SIZE);
}

static void chunk_numbers_bound(const struct gt_pq_writer *writer, struct gt_pq_chunk *chunk)
{
    int64_t min = INT64_MAX, max = INT64_MIN;
    for (size_t i = 0; i < chunk->count; i++) {
        min = writer->values.items[i] < min ? writer->values.items[i] : min;
        max = writer->values.items[i] > max ? writer->values.items[i] : max;
    }
    chunk->min = min;
    chunk->max = max;
}

/* Finds the bounds of `count` strings by their indexes. */
static void chunk_texts_bound(struct gt_pq_chunk *chunk, const int64_t *numbers, size_t count,
                              const gt_string *texts)
{
    chunk->min = chunk->max = numbers[0];
    for (size_t i = 1; i < count; i++) {
        if (gt_text_compare(texts[numbers[i]], texts[chunk->min]) < 0)
            chunk->min = numbers[i];
        if (gt_text_compare(texts[numbers[i]], texts[chunk->max]) > 0)
            chunk->max = numbers[i];
    }
}

static void chunk_page_begin(struct gt_pq_writer *writer)
{
    gt_pq_bytes_clear(&writer->page);
    gt_pq_put(&writer->page, writer->levels.items, writer->levels.count);
}

static void chunk_numbers_put(struct gt_pq_bytes *out, const int64_t *numbers, size_t count,
                              unsigned bits)
{
    unsigned size = bits / 8;
    uint8_t *to = gt_pq_bytes_room(out, count * size);
    if (!to)
        return;
    for (size_t i = 0; i < count; i++)
        to = gt_pq_little_put(to, (uint64_t) numbers[i], size);
    gt_pq_bytes_commit(out, to);
}

static void chunk_texts_put(struct gt_pq_bytes *out, const int64_t *numbers, size_t count,
                            const gt_string *texts)
{
    for (size_t i = 0; i < count; i++) {
        const gt_string *text = &texts[numbers[i]];
        gt_pq_put_little(out, text->size, sizeof(uint32_t));
        gt_pq_put(out, text->data, text->size);
    }
}

static void chunk_booleans_put(struct gt_pq_writer *writer, size_t count)
{
    for (size_t at = 0; at < count; at += 8) {
        uint8_t byte = 0;
        for (size_t i = 0; i < 8 && at + i < count; i++)
            byte |= (uint8_t) ((writer->values.items[at + i] != 0) << i);
        gt_pq_put_byte(&writer->page, byte);
    }
}

/* Composes the page of the indexes, which follow the number of their bits. */
static void chunk_indexes_put(struct gt_pq_writer *writer, const struct gt_pq_chunk *chunk)
{
    size_t entries = writer->dictionary.values.count;
    unsigned width = entries > 1 ? gt_bit_width(entries - 1) : 1;
    chunk_page_begin(writer);
    gt_pq_put_byte(&writer->page, (uint8_t) width);
    if (entries == 1)
        gt_hybrid_run_put(&writer->page, 0, chunk->count, width);
    else
        gt_hybrid_put(&writer->page, writer->indexes.items, chunk->count, width);
}

/* Makes a dictionary of the values, and the page of the indexes. Returns whether it is worth it. */
static bool chunk_dictionary_make(struct gt_pq_writer *writer, const struct gt_pq_chunk *chunk,
                                  bool may_give_up)
{
    const struct gt_dictionary_input input = {.numbers = writer->values.items,
                                              .count = chunk->count,
                                              .min = chunk->min,
                                              .max = chunk->max,
                                              .may_give_up = may_give_up};
    bool worth;
    gt_pq_note(writer,
               gt_dictionary_make(&writer->dictionary, &input, writer->indexes.items, &worth));
    if (worth)
        chunk_indexes_put(writer, chunk);
    return worth;
}

/* Writes both pages. The one of the dictionary is in writer->entries. */
static void chunk_dictionary_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk)
{
    chunk->encoding = GT_PQ_DICTIONARY;
    gt_pq_dictionary_page_write(writer, chunk, &writer->entries, writer->dictionary.values.count);
    gt_pq_data_page_write(writer, chunk, &writer->page, chunk->rows);
}

/* Texts are numbers already, so that no text is hashed. */
static void chunk_texts_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk,
                              const gt_string *texts)
{
    chunk_numbers_bound(writer, chunk);
    if (chunk_dictionary_make(writer, chunk, false)) {
        const int64_t *values = writer->dictionary.values.items;
        size_t count = writer->dictionary.values.count;
        chunk_texts_bound(chunk, values, count, texts);
        gt_pq_bytes_clear(&writer->entries);
        chunk_texts_put(&writer->entries, values, count, texts);
        chunk_dictionary_write(writer, chunk);
    } else {
        chunk_texts_bound(chunk, writer->values.items, chunk->count, texts);
        chunk_page_begin(writer);
        chunk_texts_put(&writer->page, writer->values.items, chunk->count, texts);
        gt_pq_data_page_write(writer, chunk, &writer->page, chunk->rows);
    }
}

/* Whether the numbers are shorter with a dictionary, which is made then. */
static bool chunk_dictionary_pays(struct gt_pq_writer *writer, const struct gt_pq_chunk *chunk)
{
    const unsigned bits = chunk_bits(chunk);
    if (chunk->column->rises || !chunk_dictionary_make(writer, chunk, true))
        return false;
    size_t size = writer->page.count + writer->dictionary.values.count * bits / 8;
    /* What takes less than a byte for each value is not worth the comparison. */
    return size <= chunk->count || writer->plain ||
           gt_delta_size(&writer->delta, writer->values.items, chunk->count, bits) >= size;
}

static void chunk_numbers_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk)
{
    const int64_t *values = writer->values.items;
    const unsigned bits = chunk_bits(chunk);
    chunk_numbers_bound(writer, chunk);
    if (chunk_dictionary_pays(writer, chunk)) {
        gt_pq_bytes_clear(&writer->entries);
        chunk_numbers_put(&writer->entries, writer->dictionary.values.items,
                          writer->dictionary.values.count, bits);
        chunk_dictionary_write(writer, chunk);
        return;
    }
    chunk_page_begin(writer);
    chunk->encoding = writer->plain ? GT_PQ_PLAIN : GT_PQ_DELTA;
    if (writer->plain)
        chunk_numbers_put(&writer->page, values, chunk->count, bits);
    else
        gt_delta_put(&writer->delta, &writer->page, values, chunk->count, bits);
    gt_pq_data_page_write(writer, chunk, &writer->page, chunk->rows);
}

static void chunk_booleans_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk)
{
    chunk_numbers_bound(writer, chunk);
    chunk_page_begin(writer);
    chunk_booleans_put(writer, chunk->count);
    gt_pq_data_page_write(writer, chunk, &writer->page, chunk->rows);
}

void gt_pq_chunk_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk, size_t index,
                       const struct gt_pq_group *group)
{
    *chunk = (struct gt_pq_chunk){
        .column = &writer->schema->columns[index], .rows = group->rows, .encoding = GT_PQ_PLAIN};
    bool is_constant = chunk_is_constant(chunk, &group->columns[index]);
    chunk_gather(writer, chunk, &group->columns[index], is_constant ? NULL : group->order);
    chunk_levels_make(writer, chunk);
    if (chunk->count == 0) {
        chunk_page_begin(writer);
        gt_pq_data_page_write(writer, chunk, &writer->page, chunk->rows);
    } else if (chunk->column->kind == GT_PQ_STRING) {
        chunk_texts_write(writer, chunk, group->texts);
    } else if (chunk->column->kind == GT_PQ_BOOLEAN) {
        chunk_booleans_write(writer, chunk);
    } else {
        chunk_numbers_write(writer, chunk);
    }
}
