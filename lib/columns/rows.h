/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_COLUMNS_ROWS_H
#define GT_COLUMNS_ROWS_H

#include <stdbool.h>

#include <gotrace/types.h>

#include "base/mem.h"
#include "base/recent.h"
#include "base/texts.h"
#include "columns/schema.h"

enum {
    /* A table with so many bytes of texts of its own is passed on before it has all rows. */
    GT_ROWS_TEXT_MAX = 8 << 20
};

/* The rows of a table that were not passed on yet. */
struct gt_rowset {
    struct gt_mem *mem;
    const struct gt_pq_schema *schema;
    struct gt_texts *texts; /* shared by tables, or `own` */
    struct gt_texts own;
    struct gt_recent recent; /* numbers of texts, by their addresses */
    bool has_own;
    bool is_wanted; /* else no row is added */
    size_t most;    /* with so many rows they are passed on */
    size_t count;
    size_t ready; /* for so many rows there is room, and zeros in `valid` */
    size_t capacity;
    void *block; /* the memory of all columns */
    int64_t *values[GT_PQ_COLUMNS_MAX];
    uint8_t *valid[GT_PQ_COLUMNS_MAX];
    size_t filled[GT_PQ_COLUMNS_MAX]; /* how many rows have a value in an optional column */
};

/* `texts` is NULL for a table whose texts are many and its own. */
gt_status gt_rowset_init(struct gt_rowset *rows, struct gt_mem *mem, uint32_t table,
                         struct gt_texts *texts);
void gt_rowset_destroy(struct gt_rowset *rows);

/* The memory of so many rows. */
static inline size_t gt_rowset_bytes(const struct gt_rowset *rows, size_t count)
{
    return rows->schema->count * count * (sizeof(**rows->values) + sizeof(**rows->valid));
}

/* Makes room for more rows, of which all optional columns are NULL. */
gt_status gt_rowset_grow(struct gt_rowset *rows);

/* Makes room for another row, of which all optional columns are NULL. */
static inline gt_status gt_rowset_reserve(struct gt_rowset *rows)
{
    return rows->count < rows->ready ? GT_OK : gt_rowset_grow(rows);
}

/* Whether the rows must be passed on before another one is added. */
static inline bool gt_rowset_are_full(const struct gt_rowset *rows)
{
    return rows->count == rows->most ||
           (rows->has_own && gt_texts_bytes(&rows->own) > GT_ROWS_TEXT_MAX);
}

/* Forgets the rows, which were passed on. */
gt_status gt_rowset_clear(struct gt_rowset *rows);

/* Set a column of the row that is being added. */
static inline void gt_row_set(struct gt_rowset *rows, unsigned column, int64_t value)
{
    rows->values[column][rows->count] = value;
}

static inline void gt_row_set_optional(struct gt_rowset *rows, unsigned column, int64_t value)
{
    rows->values[column][rows->count] = value;
    rows->valid[column][rows->count] = 1;
    rows->filled[column]++;
}

/* Sets a text, in which U+FFFD replaces what is not UTF-8. */
gt_status gt_row_set_text(struct gt_rowset *rows, unsigned column, gt_string text);

/* Adds a text to an interner, as valid UTF-8. */
gt_status gt_rowset_text_number(struct gt_mem *mem, struct gt_texts *texts, gt_string text,
                                uint32_t *number);

#endif
