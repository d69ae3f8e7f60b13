/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge/radix.h"

#include <string.h>

#include "base/bits.h"

static const uint64_t radix_sign = UINT64_C(1) << 63;

static struct gt_radix_key radix_key_of(const struct gt_lane *lane)
{
    struct gt_radix_key key = {(uint64_t) lane->time ^ radix_sign, lane->rank};
    return key;
}

static unsigned radix_highest_digit(uint64_t number)
{
    return gt_highest_bit(number | 1) / GT_RADIX_BITS;
}

void gt_radix_clear(struct gt_radix *radix)
{
    memset(radix, 0, sizeof(*radix));
}

void gt_radix_start(struct gt_radix *radix, const struct gt_lane *last)
{
    radix->last = radix_key_of(last);
}

bool gt_radix_fits(const struct gt_radix *radix, const struct gt_lane *lane)
{
    struct gt_radix_key key = radix_key_of(lane);
    return key.time != radix->last.time ? key.time > radix->last.time
                                        : key.rank >= radix->last.rank;
}

static void radix_put(struct gt_radix *radix, struct gt_lane *lane)
{
    struct gt_radix_key key = radix_key_of(lane);
    uint64_t differs = key.time ^ radix->last.time;
    unsigned level, slot;
    if (differs != 0) {
        level = radix_highest_digit(differs);
        slot = key.time >> GT_RADIX_BITS * level & (GT_RADIX_SLOTS - 1);
        level += GT_RADIX_RANKS;
    } else {
        level = radix_highest_digit(key.rank ^ radix->last.rank);
        slot = key.rank >> GT_RADIX_BITS * level & (GT_RADIX_SLOTS - 1);
    }
    lane->next = radix->lanes[level][slot];
    radix->lanes[level][slot] = lane;
    radix->counts[level][slot]++;
    radix->slots[level] |= (uint16_t) (1U << slot);
    radix->levels |= 1U << level;
}

void gt_radix_add(struct gt_radix *radix, struct gt_lane *lane)
{
    radix_put(radix, lane);
    radix->count++;
}

/* `number` with the digit at `shift` replaced by `slot`, and 0 in all lower digits. */
static uint64_t radix_slot_start(uint64_t number, unsigned shift, unsigned slot)
{
    uint64_t digit = (uint64_t) (GT_RADIX_SLOTS - 1) << shift;
    uint64_t below = ((uint64_t) 1 << shift) - 1;
    return (number & ~(digit | below)) | (uint64_t) slot << shift;
}

/* Removes all lanes of a slot, and moves `last` to its start. `*end` becomes its last key. */
static struct gt_lane *radix_empty_slot(struct gt_radix *radix, unsigned level, unsigned slot,
                                        struct gt_radix_key *end)
{
    struct gt_lane *lanes = radix->lanes[level][slot];
    if (level >= GT_RADIX_RANKS) {
        unsigned shift = GT_RADIX_BITS * (level - GT_RADIX_RANKS);
        radix->last.time = radix_slot_start(radix->last.time, shift, slot);
        radix->last.rank = 0;
        end->time = radix->last.time | (((uint64_t) 1 << shift) - 1);
        end->rank = UINT32_MAX;
    } else {
        unsigned shift = GT_RADIX_BITS * level;
        radix->last.rank = (uint32_t) radix_slot_start(radix->last.rank, shift, slot);
        end->time = radix->last.time;
        end->rank = radix->last.rank | ((1U << shift) - 1);
    }
    radix->lanes[level][slot] = NULL;
    radix->counts[level][slot] = 0;
    radix->slots[level] &= (uint16_t) ~(1U << slot);
    if (radix->slots[level] == 0)
        radix->levels &= ~(1U << level);
    return lanes;
}

/* Distributes the lanes of a slot, which was emptied, to lower levels. */
static void radix_spread(struct gt_radix *radix, struct gt_lane *lane)
{
    while (lane) {
        struct gt_lane *next = lane->next;
        radix_put(radix, lane);
        lane = next;
    }
}

unsigned gt_radix_take(struct gt_radix *radix, unsigned most, struct gt_lane **lanes,
                       struct gt_lane *until)
{
    unsigned taken = 0;
    while (radix->levels != 0) {
        unsigned level = gt_lowest_bit(radix->levels);
        unsigned slot = gt_lowest_bit(radix->slots[level]);
        uint32_t count = radix->counts[level][slot];
        struct gt_radix_key end;
        if (taken > 0 && taken + count > most)
            break;
        struct gt_lane *lane = radix_empty_slot(radix, level, slot, &end);
        if (count > most) {
            radix_spread(radix, lane);
            continue;
        }
        for (; lane; lane = lane->next)
            lanes[taken++] = lane;
        until->time = (int64_t) (end.time ^ radix_sign);
        until->rank = end.rank;
    }
    radix->count -= taken;
    return taken;
}
