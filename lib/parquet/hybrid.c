/* SPDX-License-Identifier: BSD-3-Clause */
#include "parquet/hybrid.h"

#include "parquet/bits.h"

enum {
    /* The most groups and numbers of a packed run, so that its header has one byte. */
    HYBRID_GROUPS_MAX = 63,
    HYBRID_PACKED_MAX = HYBRID_GROUPS_MAX * GT_PACKED,
    /* The fewest equal numbers that become a run of their own. */
    HYBRID_RUN_MIN = 16,
    /* The same for bytes of bits, as a run has two bytes, and the packed ones behind it one more.
     */
    HYBRID_BYTES_MIN = 4
};

/* Writes the header of a run of packed groups. */
static uint8_t *hybrid_groups_begin(uint8_t *to, size_t groups)
{
    *to = (uint8_t) (groups << 1 | 1);
    return to + 1;
}

/* Writes numbers as packed bits, and zeros to fill the last group. */
static uint8_t *hybrid_groups_put(uint8_t *to, const uint32_t *numbers, size_t count,
                                  unsigned width)
{
    struct gt_packer packer = gt_packer_begin(to);
    for (size_t i = 0; i < count; i++)
        gt_pack(&packer, numbers[i], width);
    for (size_t i = count; i % GT_PACKED != 0; i++)
        gt_pack(&packer, 0, width);
    return gt_pack_end(&packer);
}

/* Appends numbers as packed bits. Only the last run may have a group that is not full. */
static void hybrid_packed_put(struct gt_pq_bytes *out, const uint32_t *numbers, size_t count,
                              unsigned width)
{
    while (count > 0) {
        size_t part = count < HYBRID_PACKED_MAX ? count : HYBRID_PACKED_MAX;
        size_t groups = (part + GT_PACKED - 1) / GT_PACKED;
        uint8_t *to = gt_pq_bytes_room(out, 1 + groups * width);
        if (!to)
            return;
        to = hybrid_groups_begin(to, groups);
        gt_pq_bytes_commit(out, hybrid_groups_put(to, numbers, part, width));
        numbers += part;
        count -= part;
    }
}

void gt_hybrid_run_put(struct gt_pq_bytes *out, uint32_t number, size_t count, unsigned width)
{
    gt_pq_put_varint(out, (uint64_t) count << 1);
    gt_pq_put_little(out, number, (width + 7) / 8);
}

void gt_hybrid_put(struct gt_pq_bytes *out, const uint32_t *numbers, size_t count, unsigned width)
{
    size_t packed = 0; /* where the numbers begin that have not been written */
    size_t at = 0;     /* before it no run begins */
    /* A run that begins soon has the number at `middle`, so that most others are skipped. */
    while (count - at >= HYBRID_RUN_MIN) {
        size_t middle = at + HYBRID_RUN_MIN - 1, begin = middle, end = middle + 1;
        while (begin > at && numbers[begin - 1] == numbers[middle])
            begin--;
        while (end < count && numbers[end] == numbers[middle])
            end++;
        at = end;
        /* The numbers before a run must fill their last group, with some of the run if need be. */
        size_t missing = (GT_PACKED - (begin - packed) % GT_PACKED) % GT_PACKED;
        if (end - begin < missing + HYBRID_RUN_MIN)
            continue;
        hybrid_packed_put(out, numbers + packed, begin + missing - packed, width);
        gt_hybrid_run_put(out, numbers[middle], end - begin - missing, width);
        packed = end;
    }
    hybrid_packed_put(out, numbers + packed, count - packed, width);
}

static void hybrid_bytes_put(struct gt_pq_bytes *out, const uint8_t *bytes, size_t count)
{
    while (count > 0) {
        size_t part = count < HYBRID_GROUPS_MAX ? count : HYBRID_GROUPS_MAX;
        gt_pq_put_byte(out, (uint8_t) (part << 1 | 1));
        gt_pq_put(out, bytes, part);
        bytes += part;
        count -= part;
    }
}

void gt_hybrid_bits_put(struct gt_pq_bytes *out, const uint8_t *bits, size_t count)
{
    const size_t bytes = (count + 7) / 8;
    size_t packed = 0; /* where the bytes begin that have not been written */
    for (size_t at = 0, end; at < bytes; at = end) {
        end = at + 1;
        if (bits[at] != 0 && bits[at] != UINT8_MAX)
            continue;
        while (end < bytes && bits[end] == bits[at])
            end++;
        if (end - at < HYBRID_BYTES_MIN)
            continue;
        hybrid_bytes_put(out, bits + packed, at - packed);
        size_t last = end < bytes ? end * 8 : count;
        gt_hybrid_run_put(out, bits[at] & 1, last - at * 8, 1);
        packed = end;
    }
    hybrid_bytes_put(out, bits + packed, bytes - packed);
}
