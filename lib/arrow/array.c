/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdatomic.h>
#include <string.h>

#include "arrow/arrow.h"
#include "base/array.h"

/* The values of a column, and of one of strings its dictionary. */
struct gt_arrow_column {
    struct ArrowArray array;
    struct ArrowArray texts;
    const void *buffers[2];
    const void *text_buffers[3];
    GT_ARRAY(uint8_t) valid;
    GT_ARRAY(int32_t) narrow; /* the values, in one of the three that its type needs */
    GT_ARRAY(int64_t) wide;
    GT_ARRAY(uint8_t) bits;
    GT_ARRAY(int32_t) offsets;
    GT_ARRAY(char) bytes;
};

/* As in schema.c, each part counts as an owner of the whole. */
struct gt_arrow_array {
    struct gt_mem mem;
    atomic_uint owners;
    uint32_t count;
    struct ArrowArray *list[GT_ARROW_COLUMNS_MAX];
    const void *no_buffers[1];
    struct gt_arrow_column columns[GT_ARROW_COLUMNS_MAX];
    GT_ARRAY(int32_t) places; /* by text of the batch, its place in the dictionary plus 1, or 0 */
};

static void array_free(struct gt_arrow_array *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        struct gt_arrow_column *column = &all->columns[i];
        gt_array_free(&all->mem, &column->valid);
        gt_array_free(&all->mem, &column->narrow);
        gt_array_free(&all->mem, &column->wide);
        gt_array_free(&all->mem, &column->bits);
        gt_array_free(&all->mem, &column->offsets);
        gt_array_free(&all->mem, &column->bytes);
    }
    gt_array_free(&all->mem, &all->places);
    gt_mem_delete(&all->mem, all, sizeof(*all));
}

static void array_release(struct ArrowArray *array)
{
    struct gt_arrow_array *all = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
    }
    if (array->dictionary && array->dictionary->release)
        array->dictionary->release(array->dictionary);
    array->release = NULL;
    if (atomic_fetch_sub(&all->owners, 1) == 1)
        array_free(all);
}

static void array_set(struct gt_arrow_array *all, struct ArrowArray *array, size_t length,
                      const void **buffers, int64_t buffer_count)
{
    *array = (struct ArrowArray){.length = (int64_t) length,
                                 .n_buffers = buffer_count,
                                 .buffers = buffers,
                                 .release = array_release,
                                 .private_data = all};
    atomic_fetch_add(&all->owners, 1);
}

static bool column_has(const gt_batch_column *from, size_t row)
{
    return from->values && (!from->valid || from->valid[row]);
}

/* Sets the bits of the rows that have a value. A column without NULL needs none. */
static gt_status column_valid_make(struct gt_arrow_array *all, struct gt_arrow_column *column,
                                   const gt_batch_column *from, size_t rows)
{
    if (from->values && !from->valid)
        return GT_OK;
    gt_status status = gt_array_extend(&all->mem, &column->valid, (rows + 7) / 8);
    size_t count = 0;
    for (size_t row = 0; status == GT_OK && row < rows; row++) {
        if (!column_has(from, row))
            continue;
        column->valid.items[row / 8] |= (uint8_t) (1 << row % 8);
        count++;
    }
    column->array.null_count = (int64_t) (rows - count);
    column->buffers[0] = column->valid.items;
    return status;
}

static gt_status column_narrow_make(struct gt_arrow_array *all, struct gt_arrow_column *column,
                                    const gt_batch_column *from, size_t rows)
{
    gt_status status = gt_array_extend(&all->mem, &column->narrow, rows);
    for (size_t row = 0; status == GT_OK && row < rows; row++) {
        if (column_has(from, row))
            column->narrow.items[row] = (int32_t) from->values[row];
    }
    column->buffers[1] = column->narrow.items;
    return status;
}

static gt_status column_wide_make(struct gt_arrow_array *all, struct gt_arrow_column *column,
                                  const gt_batch_column *from, size_t rows)
{
    gt_status status = gt_array_extend(&all->mem, &column->wide, rows);
    if (status == GT_OK && from->values)
        memcpy(column->wide.items, from->values, rows * sizeof(*from->values));
    column->buffers[1] = column->wide.items;
    return status;
}

static gt_status column_bits_make(struct gt_arrow_array *all, struct gt_arrow_column *column,
                                  const gt_batch_column *from, size_t rows)
{
    gt_status status = gt_array_extend(&all->mem, &column->bits, (rows + 7) / 8);
    for (size_t row = 0; status == GT_OK && row < rows; row++) {
        if (column_has(from, row) && from->values[row])
            column->bits.items[row / 8] |= (uint8_t) (1 << row % 8);
    }
    column->buffers[1] = column->bits.items;
    return status;
}

/* Appends a text to the dictionary. */
static gt_status column_text_add(struct gt_arrow_array *all, struct gt_arrow_column *column,
                                 gt_string text)
{
    if (text.size > (size_t) INT32_MAX - column->bytes.count)
        return GT_ERR_LIMIT;
    gt_status status = gt_array_reserve(&all->mem, &column->bytes, text.size);
    if (status != GT_OK)
        return status;
    if (text.size > 0)
        memcpy(column->bytes.items + column->bytes.count, text.data, text.size);
    column->bytes.count += text.size;
    return gt_array_add(&all->mem, &column->offsets, (int32_t) column->bytes.count);
}

/* Makes the dictionary of the texts that occur, and the indexes. */
static gt_status column_texts_make(struct gt_arrow_array *all, struct gt_arrow_column *column,
                                   const gt_batch_column *from, const gt_batch *batch)
{
    gt_status status = gt_array_extend(&all->mem, &column->narrow, batch->rows);
    if (status == GT_OK)
        status = gt_array_add(&all->mem, &column->offsets, 0);
    /* Never NULL, even if all texts are empty. */
    if (status == GT_OK)
        status = gt_array_reserve(&all->mem, &column->bytes, 1);
    memset(all->places.items, 0, all->places.count * sizeof(*all->places.items));
    for (size_t row = 0; status == GT_OK && row < batch->rows; row++) {
        if (!column_has(from, row))
            continue;
        int32_t *place = &all->places.items[from->values[row]];
        if (*place == 0) {
            status = column_text_add(all, column, batch->texts[from->values[row]]);
            *place = (int32_t) column->offsets.count - 1;
        }
        column->narrow.items[row] = *place - 1;
    }
    if (status != GT_OK)
        return status;
    column->buffers[1] = column->narrow.items;
    column->text_buffers[1] = column->offsets.items;
    column->text_buffers[2] = column->bytes.items;
    array_set(all, &column->texts, column->offsets.count - 1, column->text_buffers, 3);
    column->array.dictionary = &column->texts;
    return GT_OK;
}

static gt_status column_make(struct gt_arrow_array *all, struct gt_arrow_column *column,
                             uint32_t kind, const gt_batch_column *from, const gt_batch *batch)
{
    array_set(all, &column->array, batch->rows, column->buffers, 2);
    gt_status status = column_valid_make(all, column, from, batch->rows);
    if (status != GT_OK)
        return status;
    switch (kind) {
    case GT_COLUMN_BOOLEAN:
        return column_bits_make(all, column, from, batch->rows);
    case GT_COLUMN_INT32:
        return column_narrow_make(all, column, from, batch->rows);
    case GT_COLUMN_STRING:
        return column_texts_make(all, column, from, batch);
    default:
        return column_wide_make(all, column, from, batch->rows);
    }
}

gt_status gt_arrow_array_make(struct ArrowArray *out, const gt_batch *batch,
                              const gt_allocator *allocator)
{
    gt_table_description about = GT_TABLE_DESCRIPTION_INIT;
    gt_status status = gt_table_describe(batch->table, &about);
    if (status != GT_OK)
        return status;
    struct gt_arrow_array *all =
        gt_mem_create(sizeof(*all), offsetof(struct gt_arrow_array, mem), allocator, 0, &status);
    if (!all)
        return status;
    all->count = about.column_count;
    status = gt_array_extend(&all->mem, &all->places, batch->text_count);
    for (uint32_t i = 0; i < all->count && status == GT_OK; i++) {
        all->list[i] = &all->columns[i].array;
        status =
            column_make(all, &all->columns[i], about.columns[i].kind, &batch->columns[i], batch);
    }
    if (status != GT_OK) {
        array_free(all);
        return status;
    }
    gt_array_free(&all->mem, &all->places);
    array_set(all, out, batch->rows, all->no_buffers, 1);
    out->n_children = all->count;
    out->children = all->list;
    return GT_OK;
}
