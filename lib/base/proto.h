/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_PROTO_H
#define GT_BASE_PROTO_H

#include <stdint.h>

#include "base/varint.h"

/*
 * Writing protocol buffers. Each function writes a field, or its beginning, at `to`, and returns
 * the end of what it wrote. `to` must have room for GT_PROTO_FIELD_MAX bytes.
 */

/* The wire types, in the low bits of a tag. */
enum {
    GT_PROTO_VARINT = 0,
    GT_PROTO_FIXED64 = 1,
    GT_PROTO_BYTES = 2,
    GT_PROTO_WIRE_BITS = 3
};

enum {
    /* The most bytes of a tag and a number. Tags have 32 bits. */
    GT_PROTO_FIELD_MAX = 5 + GT_VARINT_MAX
};

static inline uint8_t *gt_proto_put_tag(uint8_t *to, uint32_t field, uint32_t wire)
{
    return gt_varint_put(to, field << GT_PROTO_WIRE_BITS | wire);
}

/* Writes a field with a number. */
static inline uint8_t *gt_proto_put_number(uint8_t *to, uint32_t field, uint64_t value)
{
    return gt_varint_put(gt_proto_put_tag(to, field, GT_PROTO_VARINT), value);
}

/* Writes the tag and the length of a field with `size` bytes, which must follow. */
static inline uint8_t *gt_proto_put_header(uint8_t *to, uint32_t field, uint64_t size)
{
    return gt_varint_put(gt_proto_put_tag(to, field, GT_PROTO_BYTES), size);
}

/* Writes a field with a number of fixed size. */
static inline uint8_t *gt_proto_put_fixed64(uint8_t *to, uint32_t field, uint64_t value)
{
    to = gt_proto_put_tag(to, field, GT_PROTO_FIXED64);
    for (unsigned i = 0; i < 8; i++)
        *to++ = (uint8_t) (value >> 8 * i);
    return to;
}

#endif
