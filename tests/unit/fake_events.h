/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_UNIT_FAKE_EVENTS_H
#define TESTS_UNIT_FAKE_EVENTS_H

/*
 * Events that no reader delivers. The getters of a program with these replace those of the library:
 * they return what the test stored with the event. Frames of a stack are not available: the lowest
 * byte of its handle is the error, negated.
 */

#include <gotrace/gotrace.h>

/* An event, and what its getters return. */
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
