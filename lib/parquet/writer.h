/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_WRITER_H
#define GT_PARQUET_WRITER_H

#include "base/mem.h"
#include "parquet/bytes.h"
#include "parquet/crc.h"
#include "parquet/delta.h"
#include "parquet/dictionary.h"
#include "parquet/parquet.h"
#include "parquet/snappy.h"

/* The encodings, by their numbers in the format. */
enum gt_pq_encoding {
    GT_PQ_PLAIN = 0,
    GT_PQ_RLE = 3,
    GT_PQ_DELTA = 5,
    GT_PQ_DICTIONARY = 8
};

/* A column chunk: the values of one column in a row group. */
struct gt_pq_chunk {
    const struct gt_pq_column *column;
    size_t rows;
    size_t count; /* of values that are not NULL */
    enum gt_pq_encoding encoding;
    /* The smallest and the largest value, of strings their indexes; only if there are values. */
    int64_t min;
    int64_t max;
    uint64_t dictionary_at; /* offset in the file; 0 if there is no dictionary */
    uint64_t data_at;
    uint64_t size;     /* in the file */
    uint64_t unpacked; /* the size before compression */
};

struct gt_pq_writer {
    struct gt_mem mem;
    const struct gt_pq_schema *schema;
    bool plain;
    gt_write_fn write;
    void *user_data;
    gt_status status; /* the first failure */
    uint64_t offset;  /* the number of bytes written */
    uint64_t rows;
    size_t groups;
    struct gt_pq_bytes row_groups;                /* what the footer will say of them */
    struct gt_pq_chunk chunks[GT_PQ_COLUMNS_MAX]; /* of the current row group */
    /* Of the current chunk; the memory is freed after each row group. */
    GT_ARRAY(int64_t) values;   /* those that are not NULL, in order */
    GT_ARRAY(uint32_t) indexes; /* of the values in the dictionary */
    GT_ARRAY(uint8_t) valid;    /* a bit for each row: whether it has a value */
    struct gt_dictionary dictionary;
    struct gt_pq_bytes levels;
    struct gt_pq_bytes entries; /* the page of the dictionary */
    struct gt_pq_bytes page;
    struct gt_pq_bytes packed;
    struct gt_pq_bytes header;
    struct gt_delta delta;
    struct gt_snappy snappy;
    struct gt_crc crc;
};

/* Notes the result of a step. The first failure remains. */
static inline void gt_pq_note(struct gt_pq_writer *writer, gt_status status)
{
    if (writer->status == GT_OK)
        writer->status = status;
}

/* Writes bytes to the file, unless something has failed. */
void gt_pq_out(struct gt_pq_writer *writer, const void *data, size_t size);

/* Writes the chunk of the column of this index. */
void gt_pq_chunk_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk, size_t index,
                       const struct gt_pq_group *group);

/* Write a page of `count` values, or of a dictionary of `count` values. */
void gt_pq_data_page_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk,
                           const struct gt_pq_bytes *page, size_t count);
void gt_pq_dictionary_page_write(struct gt_pq_writer *writer, struct gt_pq_chunk *chunk,
                                 const struct gt_pq_bytes *page, size_t count);

/* Adds a row group to those of which the footer will tell. */
void gt_pq_row_group_put(struct gt_pq_writer *writer, const struct gt_pq_chunk *chunks,
                         const struct gt_pq_group *group);

/* Composes the footer in writer->page. */
void gt_pq_footer_put(struct gt_pq_writer *writer);

#endif
