/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_BYTES_H
#define GT_PARQUET_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/varint.h"

/*
 * Bytes that are composed in memory. The first failure is kept, and nothing is added after it, so
 * that a caller checks `status` once, at the end.
 */
struct gt_pq_bytes {
    struct gt_mem *mem;
    uint8_t *items;
    size_t count;
    size_t capacity;
    gt_status status;
};

static inline void gt_pq_bytes_init(struct gt_pq_bytes *bytes, struct gt_mem *mem)
{
    *bytes = (struct gt_pq_bytes){.mem = mem};
}

static inline void gt_pq_bytes_destroy(struct gt_pq_bytes *bytes)
{
    gt_array_free(bytes->mem, bytes);
}

/* Makes the bytes empty, but keeps their memory and a failure. */
static inline void gt_pq_bytes_clear(struct gt_pq_bytes *bytes)
{
    bytes->count = 0;
}

/*
 * Returns room for `size` more bytes, to be followed by gt_pq_bytes_commit with the end of what was
 * written there; or NULL after a failure.
 */
static inline uint8_t *gt_pq_bytes_room(struct gt_pq_bytes *bytes, size_t size)
{
    if (bytes->status == GT_OK && bytes->capacity - bytes->count < size)
        bytes->status = gt_array_reserve(bytes->mem, bytes, size);
    return bytes->status == GT_OK ? bytes->items + bytes->count : NULL;
}

static inline void gt_pq_bytes_commit(struct gt_pq_bytes *bytes, const uint8_t *end)
{
    bytes->count = (size_t) (end - bytes->items);
}

static inline void gt_pq_put(struct gt_pq_bytes *bytes, const void *data, size_t size)
{
    uint8_t *to = size > 0 ? gt_pq_bytes_room(bytes, size) : NULL;
    if (!to)
        return;
    memcpy(to, data, size);
    bytes->count += size;
}

static inline void gt_pq_put_byte(struct gt_pq_bytes *bytes, uint8_t byte)
{
    gt_pq_put(bytes, &byte, 1);
}

static inline void gt_pq_put_varint(struct gt_pq_bytes *bytes, uint64_t value)
{
    uint8_t *to = gt_pq_bytes_room(bytes, GT_VARINT_MAX);
    if (to)
        gt_pq_bytes_commit(bytes, gt_varint_put(to, value));
}

/* Maps numbers of a small magnitude to small unsigned numbers: 0, -1, 1, -2 to 0, 1, 2, 3. */
static inline uint64_t gt_pq_zigzag(int64_t value)
{
    uint64_t magnitude = (uint64_t) (value < 0 ? ~value : value);
    return (magnitude & (UINT64_MAX >> 1)) * 2 + (value < 0);
}

static inline void gt_pq_put_zigzag(struct gt_pq_bytes *bytes, int64_t value)
{
    gt_pq_put_varint(bytes, gt_pq_zigzag(value));
}

/* Writes the low `size` bytes of a number, the lowest first, at `to`, and returns the end. */
static inline uint8_t *gt_pq_little_put(uint8_t *to, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        *to++ = (uint8_t) (value >> 8 * i);
    return to;
}

static inline void gt_pq_put_little(struct gt_pq_bytes *bytes, uint64_t value, unsigned size)
{
    uint8_t number[sizeof(value)];
    gt_pq_little_put(number, value, size);
    gt_pq_put(bytes, number, size);
}

#endif
