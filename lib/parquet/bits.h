/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_BITS_H
#define GT_PARQUET_BITS_H

#include <stdint.h>

#include "base/bits.h"
#include "base/likely.h"
#include "base/wraps.h"
#include "parquet/bytes.h"

enum {
    /* Numbers are packed in groups of so many, which take whole bytes. */
    GT_PACKED = 8
};

/* The number of bits that a number needs. */
static inline unsigned gt_bit_width(uint64_t value)
{
    return value != 0 ? gt_highest_bit(value) + 1 : 0;
}

/* Numbers on their way to memory, without the bits that they do not need, the lowest bit first. */
struct gt_packer {
    uint8_t *to;
    uint64_t word;
    unsigned used; /* the bits of `word`, fewer than 64 */
};

static inline struct gt_packer gt_packer_begin(uint8_t *to)
{
    return (struct gt_packer){.to = to};
}

/* Adds a number of at most `width` bits, which is from 1 to 64. */
GT_WRAPS static GT_ALWAYS_INLINE void gt_pack(struct gt_packer *packer, uint64_t number,
                                              unsigned width)
{
    packer->word |= number << packer->used;
    packer->used += width;
    if (packer->used < 64)
        return;
    packer->to = gt_pq_little_put(packer->to, packer->word, sizeof(packer->word));
    packer->used -= 64;
    packer->word = packer->used > 0 ? number >> (width - packer->used) : 0;
}

/* Writes what is left, which is whole bytes after a group, and returns the end. */
static inline uint8_t *gt_pack_end(const struct gt_packer *packer)
{
    return gt_pq_little_put(packer->to, packer->word, packer->used / 8);
}

#endif
