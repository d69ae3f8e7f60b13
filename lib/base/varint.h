/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_VARINT_H
#define GT_BASE_VARINT_H

#include <stddef.h>
#include <stdint.h>

#include "base/likely.h"
#include "base/wraps.h"

/*
 * Varints: unsigned LEB128 numbers of at most 64 bits. They have up to 10 bytes, of which the tenth
 * may only be 0 or 1. Encodings longer than needed are legal: the runtime reserves 10 bytes for the
 * size of a batch before it knows the size, and pads.
 */
enum {
    GT_VARINT_MAX = 10
};

/* Writes a varint of at most GT_VARINT_MAX bytes at `to`, and returns its end. */
static inline uint8_t *gt_varint_put(uint8_t *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t) (value | 0x80);
    *to++ = (uint8_t) value;
    return to;
}

/*
 * Reads a varint of two bytes or more, and returns its end, or NULL if it has more than 64 bits.
 * GT_VARINT_MAX bytes must be readable at `p`.
 */
GT_WRAPS static inline const uint8_t *gt_varint_long(const uint8_t *p, uint64_t *value)
{
    uint64_t x = p[0] & 0x7f;
    for (unsigned i = 1; i < GT_VARINT_MAX; i++) {
        uint8_t byte = p[i];
        x |= (uint64_t) (byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            if (i == GT_VARINT_MAX - 1 && byte > 1)
                return NULL;
            *value = x;
            return p + i + 1;
        }
    }
    return NULL;
}

/*
 * Reads a varint of any length, and returns its end, or NULL if it has more than 64 bits.
 * GT_VARINT_MAX bytes must be readable at `p`.
 */
static inline const uint8_t *gt_varint_read(const uint8_t *p, uint64_t *value)
{
    uint64_t x = *p;
    if (x < 0x80) {
        *value = x;
        return p + 1;
    }
    return gt_varint_long(p, value);
}

/* The value of a varint, and its end. */
struct gt_varint {
    const uint8_t *end;
    uint64_t value;
};

/*
 * Reads a varint of at most four bytes. The end is NULL if the varint has more, of which the first
 * four are read. All bytes of a varint except for the last have their highest bit set. These bits
 * are added with the bytes, and their sum is subtracted once at the end.
 */
static GT_ALWAYS_INLINE struct gt_varint gt_varint_short(const uint8_t *p)
{
    enum {
        AFTER_1 = 0x80,
        AFTER_2 = AFTER_1 | AFTER_1 << 7,
        AFTER_3 = AFTER_2 | AFTER_1 << 14
    };

    uint32_t sum = p[0];
    if (p[0] < 0x80)
        return (struct gt_varint){p + 1, sum};
    sum += (uint32_t) p[1] << 7;
    if (p[1] < 0x80)
        return (struct gt_varint){p + 2, sum - AFTER_1};
    sum += (uint32_t) p[2] << 14;
    if (p[2] < 0x80)
        return (struct gt_varint){p + 3, sum - AFTER_2};
    sum += (uint32_t) p[3] << 21;
    if (p[3] < 0x80)
        return (struct gt_varint){p + 4, sum - AFTER_3};
    return (struct gt_varint){NULL, 0};
}

/* Reads a varint that is known to be well formed, and advances `*p` past it. */
static inline uint64_t gt_varint_trusted(const uint8_t **p)
{
    const uint8_t *at = *p;
    uint64_t x = *at++;
    if (x >= 0x80) {
        x = (x & 0x7f) | (uint64_t) *at << 7;
        for (unsigned shift = 14; *at++ >= 0x80; shift += 7)
            x = (x & ((UINT64_C(1) << shift) - 1)) | (uint64_t) *at << shift;
    }
    *p = at;
    return x;
}

/* The faults that reading a varint can have. */
enum gt_varint_fault {
    GT_VARINT_OK,
    GT_VARINT_CUT,     /* the data ends within it */
    GT_VARINT_OVERFLOW /* it has more than 64 bits */
};

/*
 * Reads varints and bytes up to an end. The first fault is kept and makes every later read return
 * 0, so the caller may read a whole record and check for a fault once.
 */
struct gt_cursor {
    const uint8_t *p;
    const uint8_t *end;
    enum gt_varint_fault fault;
};

static inline struct gt_cursor gt_cursor_make(const uint8_t *data, size_t size)
{
    struct gt_cursor cursor = {data, data + size, GT_VARINT_OK};
    return cursor;
}

static inline size_t gt_cursor_left(const struct gt_cursor *c)
{
    return (size_t) (c->end - c->p);
}

static inline uint64_t gt_cursor_fail(struct gt_cursor *c, enum gt_varint_fault fault)
{
    if (c->fault == GT_VARINT_OK)
        c->fault = fault;
    c->p = c->end;
    return 0;
}

static inline uint8_t gt_cursor_byte(struct gt_cursor *c)
{
    return c->p < c->end ? *c->p++ : (uint8_t) gt_cursor_fail(c, GT_VARINT_CUT);
}

GT_WRAPS static inline uint64_t gt_cursor_varint(struct gt_cursor *c)
{
    uint64_t x = 0;
    for (unsigned i = 0; i < GT_VARINT_MAX; i++) {
        if (c->p == c->end)
            return gt_cursor_fail(c, GT_VARINT_CUT);
        uint8_t byte = *c->p++;
        x |= (uint64_t) (byte & 0x7f) << (7 * i);
        if (byte < 0x80)
            return i == GT_VARINT_MAX - 1 && byte > 1 ? gt_cursor_fail(c, GT_VARINT_OVERFLOW) : x;
    }
    return gt_cursor_fail(c, GT_VARINT_OVERFLOW);
}

#endif
