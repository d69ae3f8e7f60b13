/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_HASH_H
#define GT_STORE_HASH_H

#include <stdint.h>

/* The finisher of SplitMix64: every bit of `x` reaches every bit of it. */
static inline uint64_t gt_hash_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/*
 * What a table's hashes begin with, so that a trace cannot be made to have them collide:
 * where the table is, which differs from process to process.
 */
static inline uint64_t gt_store_hash_secret(const void *table)
{
    return gt_hash_mix((uint64_t) (uintptr_t) table);
}

#endif
