/* SPDX-License-Identifier: BSD-3-Clause */
#include "parquet/thrift.h"

#include <string.h>

enum {
    /* Types of fields besides those of the header. */
    THRIFT_TRUE = 1,
    THRIFT_FALSE = 2,
    THRIFT_I64 = 6,
    THRIFT_LIST = 9,
    /* The largest step from one field to the next, and the longest list, that fit into one byte. */
    THRIFT_STEP_MAX = 15,
    THRIFT_COUNT_MAX = 14
};

static void thrift_field(struct gt_thrift *to, unsigned field, unsigned type)
{
    unsigned step = field - to->last;
    if (step <= THRIFT_STEP_MAX) {
        gt_pq_put_byte(to->out, (uint8_t) (step << 4 | type));
    } else {
        gt_pq_put_byte(to->out, (uint8_t) type);
        gt_pq_put_zigzag(to->out, field);
    }
    to->last = field;
}

void gt_thrift_bool(struct gt_thrift *to, unsigned field, bool value)
{
    thrift_field(to, field, value ? THRIFT_TRUE : THRIFT_FALSE);
}

void gt_thrift_i32(struct gt_thrift *to, unsigned field, int32_t value)
{
    thrift_field(to, field, GT_THRIFT_I32);
    gt_pq_put_zigzag(to->out, value);
}

void gt_thrift_i64(struct gt_thrift *to, unsigned field, int64_t value)
{
    thrift_field(to, field, THRIFT_I64);
    gt_pq_put_zigzag(to->out, value);
}

void gt_thrift_binary(struct gt_thrift *to, unsigned field, const void *data, size_t size)
{
    thrift_field(to, field, GT_THRIFT_BINARY);
    gt_pq_put_varint(to->out, size);
    gt_pq_put(to->out, data, size);
}

void gt_thrift_string(struct gt_thrift *to, unsigned field, const char *string)
{
    gt_thrift_binary(to, field, string, strlen(string));
}

void gt_thrift_list(struct gt_thrift *to, unsigned field, unsigned type, size_t count)
{
    thrift_field(to, field, THRIFT_LIST);
    if (count <= THRIFT_COUNT_MAX) {
        gt_pq_put_byte(to->out, (uint8_t) (count << 4 | type));
    } else {
        gt_pq_put_byte(to->out, (uint8_t) (0xf0 | type));
        gt_pq_put_varint(to->out, count);
    }
}

struct gt_thrift gt_thrift_struct(struct gt_thrift *to, unsigned field)
{
    thrift_field(to, field, GT_THRIFT_STRUCT);
    return gt_thrift_begin(to->out);
}

void gt_thrift_stop(struct gt_thrift *to)
{
    gt_pq_put_byte(to->out, 0);
}
