/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_UNIT_FAKE_EVENTS_H
#define TESTS_UNIT_FAKE_EVENTS_H

/*
 * Events that no reader delivers. The getters of a program with these take the place
 * of the library's: what an event says is what a test put behind it. A stack's frames
 * cannot be had: the lowest byte of its handle is the error, negated.
 */

#include <gotrace/gotrace.h>

/* An event with all that it can say, and what its getters return. */
struct fake {
    gt_event event;
    gt_status status;
    gt_status part_status; /* of attributes, batches, arguments and the wall clock */
    gt_stack stack;
    gt_metric metric;
    gt_label label;
    gt_range range;
    gt_task task;
    gt_transition transition;
    gt_sync sync;
};

#endif
