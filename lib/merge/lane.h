/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MERGE_LANE_H
#define GT_MERGE_LANE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The condition that a lane's next event waits for: the kind of need, numbered by each format, the
 * id of the resource, and the sequence number that the resource must have.
 */
struct gt_wish {
    uint64_t id;
    uint64_t seq;
    uint8_t need;
};

/*
 * An ordered sequence of events, those of one thread or proc, which is merged with others. The
 * structure must be the first member of the thread or proc.
 */
struct gt_lane {
    int64_t time;      /* the time of the next event */
    uint32_t rank;     /* by first appearance; at equal times the lower rank comes first */
    uint32_t position; /* the index in the heap of parked lanes */
    uint8_t type;      /* the type of the next event, by the format's numbers */
    bool tried;        /* some event of the lane happened or was tried */
    uint8_t need;      /* the kind of need of its wish */

    /* Members that are used while the lane is parked. */
    uint64_t wish_id;
    uint64_t wish_seq;
    struct gt_lane *sibling; /* the next sibling in the pairing heap of lanes with the same wish */
    struct gt_lane *child;

    /* The next lane in a list, either of heads of pairing heaps or of lanes that were woken. */
    struct gt_lane *next;
};

#endif
