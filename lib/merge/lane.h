/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_LANE_H
#define GT_MERGE_LANE_H

#include <stdint.h>

/*
 * What a lane's next event waits for: a number of the format's own for the kind
 * of need, the id of what it needs, and the number that this must have.
 */
struct gt_wish {
    uint64_t id;
    uint64_t seq;
    uint8_t need;
};

/*
 * A row of events that are in order among themselves, of a thread or a proc, in
 * its place among the others. First member of what it is a lane of.
 */
struct gt_lane {
    int64_t time;      /* of the next event */
    uint32_t rank;     /* order of first appearance: settles equal times */
    uint32_t position; /* in the heap of parked lanes */
    uint8_t type;      /* of the next event, by the format's numbers */
    uint8_t tried;     /* whether it was tried to let an event happen */
    uint8_t need;      /* of its wish */

    /* While parked. */
    uint64_t wish_id;
    uint64_t wish_seq;
    struct gt_lane *sibling; /* of the same wish: a pairing heap by time */
    struct gt_lane *child;

    /* Of those with other wishes, those who were woken, or those of a radix heap's slot. */
    struct gt_lane *next;
};

#endif
