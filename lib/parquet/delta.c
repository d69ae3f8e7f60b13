/* SPDX-License-Identifier: BSD-3-Clause */
#include "parquet/delta.h"

#include "base/wraps.h"
#include "parquet/bits.h"

enum {
    DELTA_MINIBLOCK = GT_DELTA_BLOCK / GT_DELTA_MINIBLOCKS,
    /* The most bytes of a block: its smallest difference, the widths, and what is packed. */
    DELTA_BLOCK_MAX = GT_VARINT_MAX + GT_DELTA_MINIBLOCKS + GT_DELTA_BLOCK * 8
};

/* The difference in the arithmetic of the column's type, which readers add in the same one. */
GT_WRAPS static int64_t delta_of(int64_t number, int64_t before, unsigned bits)
{
    uint64_t difference = (uint64_t) number - (uint64_t) before;
    return bits == 32 ? (int32_t) (uint32_t) difference : (int64_t) difference;
}

/* Fills in the block of the `count` numbers at `numbers`, which follow another one. */
GT_WRAPS static void delta_block_make(struct gt_delta *block, const int64_t *numbers, size_t count,
                                      unsigned bits)
{
    block->least = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        const int64_t *number = &numbers[i];
        int64_t delta = delta_of(number[0], number[-1], bits);
        block->above[i] = (uint64_t) delta;
        block->least = delta < block->least ? delta : block->least;
    }
    for (size_t mini = 0; mini < GT_DELTA_MINIBLOCKS; mini++) {
        uint64_t all = 0;
        for (size_t i = mini * DELTA_MINIBLOCK; i < (mini + 1) * DELTA_MINIBLOCK; i++) {
            block->above[i] = i < count ? block->above[i] - (uint64_t) block->least : 0;
            all |= block->above[i];
        }
        block->widths[mini] = gt_bit_width(all);
    }
}

static uint8_t *delta_miniblock_put(uint8_t *to, const uint64_t *numbers, unsigned width)
{
    struct gt_packer packer = gt_packer_begin(to);
    for (size_t i = 0; i < DELTA_MINIBLOCK; i++)
        gt_pack(&packer, numbers[i], width);
    return gt_pack_end(&packer);
}

static void delta_block_put(struct gt_pq_bytes *out, const struct gt_delta *block, size_t count)
{
    uint8_t *to = gt_pq_bytes_room(out, DELTA_BLOCK_MAX);
    if (!to)
        return;
    to = gt_varint_put(to, gt_pq_zigzag(block->least));
    for (int mini = 0; mini < GT_DELTA_MINIBLOCKS; mini++)
        *to++ = (uint8_t) block->widths[mini];
    /* Miniblocks without numbers have no bytes. */
    for (size_t mini = 0; mini * DELTA_MINIBLOCK < count; mini++) {
        if (block->widths[mini] > 0)
            to =
                delta_miniblock_put(to, block->above + mini * DELTA_MINIBLOCK, block->widths[mini]);
    }
    gt_pq_bytes_commit(out, to);
}

static size_t delta_block_count(size_t left)
{
    return left < GT_DELTA_BLOCK ? left : GT_DELTA_BLOCK;
}

void gt_delta_put(struct gt_delta *block, struct gt_pq_bytes *out, const int64_t *numbers,
                  size_t count, unsigned bits)
{
    gt_pq_put_varint(out, GT_DELTA_BLOCK);
    gt_pq_put_varint(out, GT_DELTA_MINIBLOCKS);
    gt_pq_put_varint(out, count);
    gt_pq_put_zigzag(out, count > 0 ? numbers[0] : 0);
    for (size_t at = 1; at < count; at += GT_DELTA_BLOCK) {
        size_t part = delta_block_count(count - at);
        delta_block_make(block, numbers + at, part, bits);
        delta_block_put(out, block, part);
    }
}

size_t gt_delta_size(struct gt_delta *block, const int64_t *numbers, size_t count, unsigned bits)
{
    size_t size = 4 * GT_VARINT_MAX;
    for (size_t at = 1; at < count; at += GT_DELTA_BLOCK) {
        size_t part = delta_block_count(count - at);
        delta_block_make(block, numbers + at, part, bits);
        size += GT_VARINT_MAX / 2 + GT_DELTA_MINIBLOCKS;
        for (size_t mini = 0; mini * DELTA_MINIBLOCK < part; mini++)
            size += DELTA_MINIBLOCK / 8 * block->widths[mini];
    }
    return size;
}
