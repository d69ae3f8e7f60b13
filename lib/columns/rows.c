/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns/rows.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

enum {
    ROWS_FIRST = 256,
    /* Rows are copied when there is more room for them, so that this is rare. */
    ROWS_GROWTH = 16,
    /* Memory is written only for so many rows in advance, as what is never used costs nothing. */
    ROWS_READY = 1024
};

gt_status gt_rowset_init(struct gt_rowset *rows, struct gt_mem *mem, uint32_t table,
                         struct gt_texts *texts)
{
    *rows = (struct gt_rowset){
        .mem = mem, .schema = &gt_table_list[table].schema, .texts = texts, .has_own = !texts};
    if (texts)
        return GT_OK;
    rows->texts = &rows->own;
    return gt_texts_init(&rows->own, mem);
}

void gt_rowset_destroy(struct gt_rowset *rows)
{
    if (rows->block)
        gt_mem_free(rows->mem, rows->block, gt_rowset_bytes(rows, rows->capacity));
    if (rows->has_own)
        gt_texts_destroy(&rows->own);
}

/* Moves the columns to a new block, in which the values of all columns come first. */
static void rows_move(struct gt_rowset *rows, void *block, size_t capacity)
{
    const size_t columns = rows->schema->count;
    int64_t *values = block;
    uint8_t *valid = (uint8_t *) (values + columns * capacity);
    for (size_t i = 0; i < columns; i++) {
        if (rows->count > 0) {
            memcpy(values, rows->values[i], rows->count * sizeof(*values));
            memcpy(valid, rows->valid[i], rows->count);
        }
        rows->values[i] = values;
        rows->valid[i] = valid;
        values += capacity;
        valid += capacity;
    }
}

static gt_status rows_enlarge(struct gt_rowset *rows)
{
    size_t capacity = rows->capacity == 0 ? ROWS_FIRST : rows->capacity * ROWS_GROWTH;
    if (capacity > rows->most)
        capacity = rows->most;
    void *block = gt_mem_alloc(rows->mem, gt_rowset_bytes(rows, capacity));
    if (!block)
        return gt_mem_failure(rows->mem);
    void *old = rows->block;
    rows_move(rows, block, capacity);
    gt_mem_free(rows->mem, old, gt_rowset_bytes(rows, rows->capacity));
    rows->block = block;
    rows->capacity = capacity;
    return GT_OK;
}

gt_status gt_rowset_grow(struct gt_rowset *rows)
{
    gt_status status = rows->count < rows->capacity ? GT_OK : rows_enlarge(rows);
    if (status != GT_OK)
        return status;
    size_t more = rows->capacity - rows->count;
    more = more < ROWS_READY ? more : ROWS_READY;
    for (size_t i = 0; i < rows->schema->count; i++)
        memset(rows->valid[i] + rows->count, 0, more);
    rows->ready = rows->count + more;
    return GT_OK;
}

gt_status gt_rowset_clear(struct gt_rowset *rows)
{
    memset(rows->filled, 0, sizeof(rows->filled));
    rows->count = rows->ready = 0;
    if (!rows->has_own)
        return GT_OK;
    gt_texts_destroy(&rows->own);
    return gt_texts_init(&rows->own, rows->mem);
}

static gt_status rows_mended_number(struct gt_mem *mem, struct gt_texts *texts, gt_string text,
                                    size_t size, uint32_t *number)
{
    char *mended = gt_mem_alloc(mem, size);
    if (!mended)
        return gt_mem_failure(mem);
    char *to = mended;
    while (text.size > 0) {
        gt_string piece = gt_utf8_take(&text);
        memcpy(to, piece.data, piece.size);
        to += piece.size;
    }
    gt_status status = gt_texts_add(texts, (gt_string){mended, size}, number);
    gt_mem_free(mem, mended, size);
    return status;
}

gt_status gt_rowset_text_number(struct gt_mem *mem, struct gt_texts *texts, gt_string text,
                                uint32_t *number)
{
    bool is_ascii = true;
    for (size_t i = 0; i < text.size && is_ascii; i++)
        is_ascii = (unsigned char) text.data[i] < 0x80;
    if (is_ascii)
        return gt_texts_add(texts, text, number);
    return rows_mended_number(mem, texts, text, gt_utf8_mended_size(text), number);
}

gt_status gt_row_set_text(struct gt_rowset *rows, unsigned column, gt_string text)
{
    uint32_t *number = gt_recent_place(&rows->recent, (uintptr_t) text.data);
    const gt_string *known;
    gt_status status = GT_OK;
    GT_RECENT_FIND(known, &rows->texts->list, number, gt_text_equal(*known, text));
    if (!known)
        status = gt_rowset_text_number(rows->mem, rows->texts, text, number);
    if (status != GT_OK)
        return status;
    if (rows->schema->columns[column].optional)
        gt_row_set_optional(rows, column, *number);
    else
        gt_row_set(rows, column, *number);
    return GT_OK;
}
