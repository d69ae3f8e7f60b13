/* SPDX-License-Identifier: BSD-3-Clause */
#include "parquet/hybrid.h"

#include "parquet/bits.h"

enum {
    /* The most numbers of a packed run, so that its header has one byte. */
    HYBRID_PACKED_MAX = 63 * GT_PACKED,
    /* The fewest equal numbers that become a run of their own. */
    HYBRID_RUN_MIN = 16
};

static uint8_t *hybrid_group_put(uint8_t *to, const uint32_t *numbers, size_t count, unsigned width)
{
    uint64_t group[GT_PACKED] = {0};
    for (size_t i = 0; i < GT_PACKED && i < count; i++)
        group[i] = numbers[i];
    return gt_bits_pack(to, group, width);
}

/* Appends numbers as packed bits. Zeros fill up the last group, which only the last run may need.
 */
static void hybrid_packed_put(struct gt_pq_bytes *out, const uint32_t *numbers, size_t count,
                              unsigned width)
{
    while (count > 0) {
        size_t part = count < HYBRID_PACKED_MAX ? count : HYBRID_PACKED_MAX;
        size_t groups = (part + GT_PACKED - 1) / GT_PACKED;
        uint8_t *to = gt_pq_bytes_room(out, 1 + groups * width);
        if (!to)
            return;
        *to++ = (uint8_t) (groups << 1 | 1);
        for (size_t at = 0; at < part; at += GT_PACKED)
            to = hybrid_group_put(to, numbers + at, part - at, width);
        gt_pq_bytes_commit(out, to);
        numbers += part;
        count -= part;
    }
}

static void hybrid_run_put(struct gt_pq_bytes *out, uint32_t number, size_t count, unsigned width)
{
    gt_pq_put_varint(out, (uint64_t) count << 1);
    gt_pq_put_little(out, number, (width + 7) / 8);
}

void gt_hybrid_put(struct gt_pq_bytes *out, const uint32_t *numbers, size_t count, unsigned width)
{
    size_t packed = 0; /* where the numbers begin that have not been written */
    for (size_t at = 0, end; at < count; at = end) {
        for (end = at + 1; end < count && numbers[end] == numbers[at];)
            end++;
        /* The numbers before a run must fill their last group, with some of the run if need be. */
        size_t missing = (GT_PACKED - (at - packed) % GT_PACKED) % GT_PACKED;
        if (end - at < missing + HYBRID_RUN_MIN)
            continue;
        hybrid_packed_put(out, numbers + packed, at + missing - packed, width);
        hybrid_run_put(out, numbers[at], end - at - missing, width);
        packed = end;
    }
    hybrid_packed_put(out, numbers + packed, count - packed, width);
}
