/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_THRIFT_H
#define GT_PARQUET_THRIFT_H

#include <stdbool.h>

#include "parquet/bytes.h"

/*
 * Writing the compact protocol of Apache Thrift, in which the headers of pages and the footer of a
 * Parquet file are written. The fields of a structure must be written in the order of their numbers
 * and be followed by gt_thrift_stop.
 */
struct gt_thrift {
    struct gt_pq_bytes *out;
    unsigned last; /* the number of the field before */
};

/* The types of the elements of lists. */
enum {
    GT_THRIFT_I32 = 5,
    GT_THRIFT_BINARY = 8,
    GT_THRIFT_STRUCT = 12
};

static inline struct gt_thrift gt_thrift_begin(struct gt_pq_bytes *out)
{
    return (struct gt_thrift){out, 0};
}

void gt_thrift_bool(struct gt_thrift *to, unsigned field, bool value);
void gt_thrift_i32(struct gt_thrift *to, unsigned field, int32_t value);
void gt_thrift_i64(struct gt_thrift *to, unsigned field, int64_t value);
void gt_thrift_binary(struct gt_thrift *to, unsigned field, const void *data, size_t size);
void gt_thrift_string(struct gt_thrift *to, unsigned field, const char *string);

/* Begins a list, whose `count` elements must follow. */
void gt_thrift_list(struct gt_thrift *to, unsigned field, unsigned type, size_t count);

/* Begins a structure within one, which ends with its own gt_thrift_stop. */
struct gt_thrift gt_thrift_struct(struct gt_thrift *to, unsigned field);

void gt_thrift_stop(struct gt_thrift *to);

#endif
