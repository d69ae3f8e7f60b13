/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TABLE_H
#define TABLE_H

/* Writes rows of numbers and texts as aligned columns, as CSV, or as one JSON object per line. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "output.h"

enum {
    TABLE_COLUMNS_MAX = 64
};

enum table_format {
    TABLE_COLUMNS,
    TABLE_CSV,
    TABLE_JSON
};

enum table_kind {
    TABLE_COUNT,
    /* In columns with a suitable unit, otherwise in nanoseconds. */
    TABLE_DURATION,
    TABLE_TEXT
};

struct table_column {
    /* The heading of the column. */
    const char *label;
    /* The name of the column in CSV and JSON. */
    const char *key;
    enum table_kind kind;
};

struct table_cell {
    int64_t number;
    gt_string text;
};

struct table {
    /* At most TABLE_COLUMNS_MAX. */
    const struct table_column *columns;
    size_t column_count;
    /* Row by row. */
    const struct table_cell *cells;
    size_t row_count;
};

void table_write(struct output *out, const struct table *table, enum table_format format);

#endif
