/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_LE64_H
#define GT_BASE_LE64_H

#include <stdint.h>

/*
 * Load and store eight bytes at any address, the lowest first, so that the bytes of a small number
 * come first. Compilers turn each into one instruction.
 */
static inline uint64_t gt_le64_load(const uint8_t *p)
{
    return (uint64_t) p[0] | (uint64_t) p[1] << 8 | (uint64_t) p[2] << 16 | (uint64_t) p[3] << 24 |
           (uint64_t) p[4] << 32 | (uint64_t) p[5] << 40 | (uint64_t) p[6] << 48 |
           (uint64_t) p[7] << 56;
}

static inline void gt_le64_store(uint8_t *p, uint64_t value)
{
    p[0] = (uint8_t) value;
    p[1] = (uint8_t) (value >> 8);
    p[2] = (uint8_t) (value >> 16);
    p[3] = (uint8_t) (value >> 24);
    p[4] = (uint8_t) (value >> 32);
    p[5] = (uint8_t) (value >> 40);
    p[6] = (uint8_t) (value >> 48);
    p[7] = (uint8_t) (value >> 56);
}

#endif
