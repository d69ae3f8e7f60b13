/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_DELTA_H
#define GT_PARQUET_DELTA_H

#include "parquet/bytes.h"

enum {
    GT_DELTA_BLOCK = 128,
    GT_DELTA_MINIBLOCKS = 4
};

/* A block of numbers, as the differences to the ones before, above the smallest difference. */
struct gt_delta {
    int64_t least;
    uint64_t above[GT_DELTA_BLOCK]; /* zeros where the block has no numbers */
    unsigned widths[GT_DELTA_MINIBLOCKS];
};

/*
 * Appends numbers in Parquet's encoding DELTA_BINARY_PACKED, with blocks of 128 in 4 miniblocks.
 * `bits` is 32 or 64: the type of the column, whose arithmetic wraps around.
 * `block` is room for a block, which is too large for the stack.
 */
void gt_delta_put(struct gt_delta *block, struct gt_pq_bytes *out, const int64_t *numbers,
                  size_t count, unsigned bits);

/* About as many bytes as gt_delta_put would append; a few for each block may be too many or too
 * few. */
size_t gt_delta_size(struct gt_delta *block, const int64_t *numbers, size_t count, unsigned bits);

#endif
