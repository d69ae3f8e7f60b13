/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_PARQUET_H
#define GT_PARQUET_PARQUET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/write.h>

/*
 * A writer of Parquet files with one flat schema and data pages of version 1. It writes from the
 * start to the end and never seeks.
 */

enum gt_pq_kind {
    GT_PQ_BOOLEAN,
    GT_PQ_INT32,
    GT_PQ_INT64,
    /* Microseconds since 1970-01-01 UTC. */
    GT_PQ_TIMESTAMP,
    GT_PQ_STRING
};

struct gt_pq_column {
    const char *name;
    enum gt_pq_kind kind;
    bool optional;
    /* Values mostly rise, so that a dictionary is not worth a try. */
    bool rises;
};

/* The rows of a row group in one column. */
struct gt_pq_values {
    /* A value for each row; of a string its index in gt_pq_group.texts. NULL if no row has one. */
    const int64_t *values;
    /* 1 for each row that has a value, else 0; NULL if all have. Only for optional columns. */
    const uint8_t *valid;
};

struct gt_pq_group {
    size_t rows; /* at most GT_PQ_ROWS_MAX */
    const struct gt_pq_values *columns;
    /* The index of each row in the arrays, in the order in which rows are written; or NULL. */
    const uint32_t *order;
    /* What the strings are: valid UTF-8, each of them once. */
    const gt_string *texts;
    size_t text_count;
};

enum {
    GT_PQ_ROWS_MAX = 262144,
    GT_PQ_COLUMNS_MAX = 32
};

struct gt_pq_schema {
    const struct gt_pq_column *columns;
    size_t count; /* at most GT_PQ_COLUMNS_MAX */
    /* A pair of strings for the metadata of the file. */
    const char *key;
    const char *value;
};

struct gt_pq_writer;

/*
 * Opens a writer. `schema` is not copied. With `plain` pages are not compressed, and numbers have
 * the encoding PLAIN, which all readers know. `allocator` is NULL for malloc. Returns NULL if there
 * is no memory.
 */
struct gt_pq_writer *gt_pq_open(const struct gt_pq_schema *schema, bool plain,
                                const gt_allocator *allocator, gt_write_fn write, void *user_data);

/*
 * Writes a row group. Returns GT_ERR_NO_MEMORY, or GT_ERR_CALLBACK if `write` has ended the
 * writing; then all later calls fail likewise.
 */
gt_status gt_pq_write(struct gt_pq_writer *writer, const struct gt_pq_group *group);

/* Writes the end of the file. Returns what gt_pq_write does. */
gt_status gt_pq_finish(struct gt_pq_writer *writer);

/* Frees a writer, which may be NULL. */
void gt_pq_close(struct gt_pq_writer *writer);

#endif
