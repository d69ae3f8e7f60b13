/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_RADIX_H
#define GT_MERGE_RADIX_H

#include <stddef.h>
#include <stdint.h>

#include "merge/lane.h"

enum {
    GT_RADIX_BITS = 4,
    GT_RADIX_SLOTS = 1 << GT_RADIX_BITS,
    GT_RADIX_RANKS = 32 / GT_RADIX_BITS,
    GT_RADIX_LEVELS = GT_RADIX_RANKS + 64 / GT_RADIX_BITS
};

/* By this lanes are ordered. Times are taken without sign, INT64_MIN as 0. */
struct gt_radix_key {
    uint64_t time;
    uint32_t rank;
};

/*
 * A radix heap of lanes. A lane is in the level of the highest digit of its key that is not that
 * of `last`, in the slot of that digit; so all lanes of a level come before those of the next. To
 * add one takes no comparison, and each is moved as many times at most as there are levels: once
 * or twice, as a slot with few lanes is taken as it is.
 */
struct gt_radix {
    struct gt_radix_key last; /* where the last slot began that was taken: no lane comes before */
    size_t count;
    uint32_t levels;                 /* a bit for each that has a lane */
    uint16_t slots[GT_RADIX_LEVELS]; /* a bit for each that has a lane */
    uint32_t counts[GT_RADIX_LEVELS][GT_RADIX_SLOTS];
    struct gt_lane *lanes[GT_RADIX_LEVELS][GT_RADIX_SLOTS]; /* chained by `next` */
};

/* Forgets all lanes. */
void gt_radix_clear(struct gt_radix *radix);

/* Only those from `last` on will be added. There must be none. */
void gt_radix_start(struct gt_radix *radix, const struct gt_lane *last);

/* Whether the lane can be added. */
int gt_radix_fits(const struct gt_radix *radix, const struct gt_lane *lane);

void gt_radix_add(struct gt_radix *radix, struct gt_lane *lane);

/*
 * Takes out the earliest lanes into `lanes`: all of as many slots as have no more than `most`
 * together, one slot after the other, in no order within each. Returns how many, 0 where there
 * are none. All others come after the time and rank of `*until`, and those that come after it
 * from now on can be added.
 */
unsigned gt_radix_take(struct gt_radix *radix, unsigned most, struct gt_lane **lanes,
                       struct gt_lane *until);

#endif
