/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_ORDER_H
#define GT_V1_ORDER_H

#include "v1/v1.h"

/*
 * Which event may come next: Go 1.21's internal/trace/order.go. With N >= 7 events
 * that hand a goroutine on carry its sequence number, and others need it in a
 * certain state.
 */
enum gt_v1_need {
    /* Goroutine `id` to be in this state with the number `seq`, ... */
    GT_V1_NEED_RUNNABLE,
    GT_V1_NEED_WAITING,
    /* ... or with any number. */
    GT_V1_NEED_ANY_RUNNABLE,
    GT_V1_NEED_ANY_RUNNING,
    GT_V1_NEED_ANY_WAITING,
    /* The collector's number to be `seq`. */
    GT_V1_NEED_GC
};

enum {
    GT_V1_READY = 0,
    GT_V1_NOT_READY = 1 /* the proc's wish says what it needs */
};

/*
 * Lets the event happen if it can, and makes its type that of an event whose
 * proc does not matter. `force` lets it happen in any case. Returns one of these,
 * or an error that is set.
 */
int gt_v1_order(struct gt_v1 *v1, struct gt_v1_event *event, int force);

/* The goroutine with this id, made if need be; NULL where there is no memory. */
struct gt_v1_goroutine *gt_v1_goroutine_get(struct gt_v1 *v1, uint64_t id);

#endif
