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

/* Puts the values in order and leaves NULLs out. */
static void chunk_gather(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk,
                         const struct gt_pq_values *from, const uint32_t *order)
{
    const uint8_t *valid = from->valid;
    size_t count = 0;
    if (!from->values) {
        memset(writer->indexes.items, 0, chunk->rows * sizeof(*writer->indexes.items));
    } else if (!valid && !order) {
        memcpy(writer->values.items, from->values, chunk->rows * sizeof(*writer->values.items));
        count = chunk->rows;
    } else if (!valid) {
        for (; count < chunk->rows; count++)
            writer->values.items[count] = from->values[order[count]];
    } else {
        for (size_t i = 0; i < chunk->rows; i++) {
            size_t row = order ? order[i] : i;
            writer->indexes.items[i] = valid[row];
            /* Overwritten by the next value if it is none. */
            writer->values.items[count] = from->values[row];
            count += valid[row];
        }
    }
    chunk->count = count;
}

/* Composes the definition levels, which say which rows have a value. */
static void chunk_levels_make(struct gt_pq_writer *writer, const struct gt_pq_chunk *chunk,
                              bool has_nulls)
{
    struct gt_pq_bytes *levels = &writer->levels;
    gt_pq_bytes_clear(levels);
    if (!chunk->column->optional)
        return;
    for (size_t i = 0; i < chunk->rows && !has_nulls; i++)
        writer->indexes.items[i] = 1;
    gt_pq_put_little(levels, 0, LEVELS_SIZE);
    gt_hybrid_put(levels, writer->indexes.items, chunk->rows, 1);
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

static void chunk_numbers_put(struct gt_pq_writer *writer, const int64_t *numbers, size_t count,
                              unsigned bits)
{
    unsigned size = bits / 8;
    uint8_t *to = gt_pq_bytes_room(&writer->page, count * size);
    if (!to)
        return;
    for (size_t i = 0; i < count; i++)
        to = gt_pq_little_put(to, (uint64_t) numbers[i], size);
    gt_pq_bytes_commit(&writer->page, to);
}

static void chunk_texts_put(struct gt_pq_writer *writer, const int64_t *numbers, size_t count,
                            const gt_string *texts)
{
    for (size_t i = 0; i < count; i++) {
        const gt_string *text = &texts[numbers[i]];
        gt_pq_put_little(&writer->page, text->size, sizeof(uint32_t));
        gt_pq_put(&writer->page, text->data, text->size);
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
static void chunk_indexes_put(struct gt_pq_writer *writer, const struct gt_pq_chunk *chunk,
                              size_t entries)
{
    unsigned width = entries > 1 ? gt_bit_width(entries - 1) : 1;
    chunk_page_begin(writer);
    gt_pq_put_byte(&writer->page, (uint8_t) width);
    gt_hybrid_put(&writer->page, writer->indexes.items, chunk->count, width);
}

/*
 * Makes the dictionary of strings: they are numbers already, so that no hash is needed. Returns
 * false if there are too many.
 */
static bool chunk_texts_index(struct gt_pq_writer *writer, const struct gt_pq_chunk *chunk,
                              const struct gt_pq_group *group, size_t *entries)
{
    uint32_t *places = writer->text_places.items;
    memset(places, 0, group->text_count * sizeof(*places));
    *entries = 0;
    for (size_t i = 0; i < chunk->count; i++) {
        uint32_t *place = &places[writer->values.items[i]];
        if (*place == 0 && *entries == GT_DICTIONARY_MAX)
            return false;
        if (*place == 0) {
            writer->dictionary.values[*entries] = writer->values.items[i];
            *place = (uint32_t)++(*entries);
        }
        writer->indexes.items[i] = *place - 1;
    }
    return true;
}

static void chunk_texts_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk,
                              const struct gt_pq_group *group)
{
    size_t entries;
    gt_pq_note(writer, gt_array_extend(&writer->mem, &writer->text_places, group->text_count));
    gt_pq_note(writer, gt_dictionary_reserve(&writer->dictionary));
    if (writer->status != GT_OK)
        return;
    if (chunk_texts_index(writer, chunk, group, &entries)) {
        chunk_texts_bound(chunk, writer->dictionary.values, entries, group->texts);
        chunk->encoding = GT_PQ_DICTIONARY;
        gt_pq_bytes_clear(&writer->page);
        chunk_texts_put(writer, writer->dictionary.values, entries, group->texts);
        gt_pq_dictionary_page_write(writer, chunk, entries);
        chunk_indexes_put(writer, chunk, entries);
    } else {
        chunk_texts_bound(chunk, writer->values.items, chunk->count, group->texts);
        chunk_page_begin(writer);
        chunk_texts_put(writer, writer->values.items, chunk->count, group->texts);
    }
    gt_pq_data_page_write(writer, chunk, chunk->rows);
}

/* Writes the numbers with a dictionary if that makes them shorter. Returns whether it does. */
static bool chunk_dictionary_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk)
{
    struct gt_dictionary *dictionary = &writer->dictionary;
    unsigned bits = chunk_bits(chunk);
    bool worth;
    gt_pq_note(writer, gt_dictionary_make(dictionary, writer->values.items, chunk->count,
                                          writer->indexes.items, &worth));
    if (!worth)
        return false;
    chunk_indexes_put(writer, chunk, dictionary->count);
    size_t size = writer->page.count + dictionary->count * bits / 8;
    /* What takes less than a byte for each value is not worth the comparison. */
    if (size > chunk->count && !writer->plain &&
        gt_delta_size(&writer->delta, writer->values.items, chunk->count, bits) < size)
        return false;
    chunk->encoding = GT_PQ_DICTIONARY;
    gt_pq_bytes_clear(&writer->page);
    chunk_numbers_put(writer, dictionary->values, dictionary->count, bits);
    gt_pq_dictionary_page_write(writer, chunk, dictionary->count);
    chunk_indexes_put(writer, chunk, dictionary->count);
    return true;
}

static void chunk_numbers_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk)
{
    chunk_numbers_bound(writer, chunk);
    if (chunk->column->rises || !chunk_dictionary_write(writer, chunk)) {
        chunk_page_begin(writer);
        chunk->encoding = writer->plain ? GT_PQ_PLAIN : GT_PQ_DELTA;
        if (writer->plain)
            chunk_numbers_put(writer, writer->values.items, chunk->count, chunk_bits(chunk));
        else
            gt_delta_put(&writer->delta, &writer->page, writer->values.items, chunk->count,
                         chunk_bits(chunk));
    }
    gt_pq_data_page_write(writer, chunk, chunk->rows);
}

static void chunk_booleans_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk)
{
    chunk_numbers_bound(writer, chunk);
    chunk_page_begin(writer);
    chunk_booleans_put(writer, chunk->count);
    gt_pq_data_page_write(writer, chunk, chunk->rows);
}

void gt_pq_chunk_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk, size_t index,
                       const struct gt_pq_group *group)
{
    const struct gt_pq_values *from = &group->columns[index];
    *chunk = (struct gt_pq_chunk){
        .column = &writer->schema->columns[index], .rows = group->rows, .encoding = GT_PQ_PLAIN};
    chunk_gather(writer, chunk, from, group->order);
    chunk_levels_make(writer, chunk, !from->values || from->valid);
    if (chunk->count == 0) {
        chunk_page_begin(writer);
        gt_pq_data_page_write(writer, chunk, chunk->rows);
    } else if (chunk->column->kind == GT_PQ_STRING) {
        chunk_texts_write(writer, chunk, group);
    } else if (chunk->column->kind == GT_PQ_BOOLEAN) {
        chunk_booleans_write(writer, chunk);
    } else {
        chunk_numbers_write(writer, chunk);
    }
}
