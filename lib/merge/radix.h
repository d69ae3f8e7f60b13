/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_RADIX_H
#define GT_MERGE_RADIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "merge/lane.h"

enum {
    GT_RADIX_BITS = 4,
    GT_RADIX_SLOTS = 1 << GT_RADIX_BITS,
    GT_RADIX_RANKS = 32 / GT_RADIX_BITS,
    GT_RADIX_LEVELS = GT_RADIX_RANKS + 64 / GT_RADIX_BITS
};

/* The order of lanes. Times are mapped to unsigned numbers, INT64_MIN to 0. */
struct gt_radix_key {
    uint64_t time;
    uint32_t rank;
};

/*
 * A radix heap of lanes. The highest digit in which a lane's key differs from `last` says its
 * level, and the digit itself its slot there. So all lanes of a level precede those of the next
 * level. Adding a lane takes no comparisons. Each lane is moved at most once for each level, and
 * usually once or twice, because a slot with few lanes is taken as a whole.
 */
struct gt_radix {
    struct gt_radix_key last; /* the start of the last slot that was taken: no lane precedes it */
    size_t count;
    uint32_t levels;                 /* a bit for each that has a lane */
    uint16_t slots[GT_RADIX_LEVELS]; /* a bit for each that has a lane */
    uint32_t counts[GT_RADIX_LEVELS][GT_RADIX_SLOTS];
    struct gt_lane *lanes[GT_RADIX_LEVELS][GT_RADIX_SLOTS]; /* chained by `next` */
};

/* Forgets all lanes. */
void gt_radix_clear(struct gt_radix *radix);

/* Allows no lanes that precede `last`. The heap must be empty. */
void gt_radix_start(struct gt_radix *radix, const struct gt_lane *last);

/* Whether the lane can be added. */
bool gt_radix_fits(const struct gt_radix *radix, const struct gt_lane *lane);

void gt_radix_add(struct gt_radix *radix, struct gt_lane *lane);

/*
 * Removes the earliest lanes, and stores them in `lanes`: those of as many slots as have at most
 * `most` lanes together, slot by slot, in no order within a slot. Returns how many, 0 if the
 * heap is empty. All other lanes follow the time and rank of `*until`, and any lane that does can
 * be added from now on.
 */
unsigned gt_radix_take(struct gt_radix *radix, unsigned most, struct gt_lane **lanes,
                       struct gt_lane *until);

#endif
