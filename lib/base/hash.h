/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_HASH_H
#define GT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/wraps.h"

/*
 * Returns a secret for hashing, which no file can know, so that no file can be crafted whose keys
 * all collide. The secret only affects how long reading takes, never the result. `place` is any
 * address of the caller's, which is mixed with the time.
 */
uint64_t gt_hash_secret(const void *place);

/* Mixes the bits of `x` and of a secret. Any bits of the result can serve as an index. */
GT_WRAPS static inline uint64_t gt_hash(uint64_t x, uint64_t secret)
{
    x = (x ^ secret) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 32) * UINT64_C(0xff51afd7ed558ccd);
    return x ^ x >> 29;
}

/* The hash of two numbers, for a key that has two parts. */
GT_WRAPS static inline uint64_t gt_hash_pair(uint64_t a, uint64_t b, uint64_t secret)
{
    return gt_hash(gt_hash(a, secret) ^ b, secret);
}

/* The number of steps from entry `from` to entry `to` in a circular table of `mask` + 1 entries. */
static inline size_t gt_hash_distance(size_t mask, size_t from, size_t to)
{
    return (to + mask + 1 - from) & mask;
}

#endif
