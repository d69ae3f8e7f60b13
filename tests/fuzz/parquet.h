/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_PARQUET_H
#define TESTS_FUZZ_PARQUET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A reader of Parquet files that accepts no more than what libgotrace writes, and checks all that
 * it reads: sizes, offsets, CRCs, statistics, encodings and UTF-8. It shares no code with the
 * writer.
 */

enum {
    PARQUET_COLUMNS_MAX = 64
};

enum parquet_kind {
    PARQUET_BOOLEAN,
    PARQUET_INT32,
    PARQUET_INT64,
    /* In microseconds. */
    PARQUET_TIMESTAMP,
    PARQUET_STRING
};

struct parquet_column {
    const uint8_t *name;
    size_t name_size;
    enum parquet_kind kind;
    bool optional;
};

struct parquet_value {
    bool is_null;
    int64_t number;
    const uint8_t *text; /* of PARQUET_STRING */
    size_t size;
};

struct parquet_file {
    struct parquet_column columns[PARQUET_COLUMNS_MAX];
    size_t column_count;
    uint64_t rows;
    /* Receives each value of each row group, column by column. May be NULL. */
    void (*take)(void *user_data, const struct parquet_file *file, size_t column,
                 const struct parquet_value *value);
    void *user_data;
};

/* Reads a file. Returns NULL, or what is wrong with it. */
const char *parquet_read(struct parquet_file *file, const uint8_t *data, size_t size);

#endif
