/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_LANE_H
#define GT_MERGE_LANE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What a lane's next event waits for: the kind of need, numbered by each format, the id of the
 * resource, and the sequence number that it must have.
 */
struct gt_wish {
    uint64_t id;
    uint64_t seq;
    uint8_t need;
};

/*
 * A sequence of events in order, those of one thread or proc, which is merged with others. Must be
 * the first member of the thread or proc.
 */
struct gt_lane {
    int64_t time;      /* of the next event */
    uint32_t rank;     /* the order of first appearance: the lower one precedes at equal times */
    uint32_t position; /* in the heap of parked lanes */
    uint8_t type;      /* of the next event, by the format's numbers */
    bool tried;        /* an event of the lane happened, or was tried */
    uint8_t need;      /* of its wish */

    /* While it is parked. */
    uint64_t wish_id;
    uint64_t wish_seq;
    struct gt_lane *sibling; /* in the pairing heap of lanes with the same wish */
    struct gt_lane *child;

    /* In a list: heads of such heaps, or lanes that were woken. */
    struct gt_lane *next;
};

#endif
