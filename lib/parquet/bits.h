/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_BITS_H
#define GT_PARQUET_BITS_H

#include <stdint.h>

#include "base/bits.h"
#include "parquet/bytes.h"

enum {
    /* How many numbers are packed at a time, so that they take whole bytes. */
    GT_PACKED = 8
};

/* The number of bits that a number needs. */
static inline unsigned gt_bit_width(uint64_t value)
{
    return value != 0 ? gt_highest_bit(value) + 1 : 0;
}

/*
 * Writes the low `width` bits of each of GT_PACKED numbers, the lowest bit first, at `to`, and
 * returns the end. No number has more bits.
 */
static inline uint8_t *gt_bits_pack(uint8_t *to, const uint64_t *numbers, unsigned width)
{
    uint64_t word = 0;
    unsigned used = 0;
    for (int i = 0; i < GT_PACKED && width > 0; i++) {
        /* The bits above those that fit are cut off here and come with the next word. */
        unsigned room = 64 - used;
        word |= (room < 64 ? numbers[i] & (UINT64_MAX >> used) : numbers[i]) << used;
        if (width < room) {
            used += width;
            continue;
        }
        to = gt_pq_little_put(to, word, sizeof(word));
        word = room < 64 ? numbers[i] >> room : 0;
        used = width - room;
    }
    return gt_pq_little_put(to, word, used / 8);
}

#endif
