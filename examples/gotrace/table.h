/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TABLE_H
#define TABLE_H

/*
 * Rows of numbers and texts: as aligned columns for people, as CSV, or as a JSON object
 * a line.
 */

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
    /* In a unit that suits it for people, else in nanoseconds. */
    TABLE_DURATION,
    TABLE_TEXT
};

struct table_column {
    /* What people see. */
    const char *label;
    /* The name in CSV and JSON. */
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
    /* Row after row. */
    const struct table_cell *cells;
    size_t row_count;
};

void table_write(struct output *out, const struct table *table, enum table_format format);

#endif
