/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_REMAKE_H
#define TESTS_SUPPORT_REMAKE_H

#include <gotrace/gotrace.h>

/* What gt_event_make is told of an event, as its getters tell it. */
struct remake {
    gt_event_make_options options;
    gt_metric metric;
    gt_label label;
    gt_range range;
    gt_task task;
    gt_region region;
    gt_log log;
    gt_transition transition;
    gt_sync sync; /* of the generation: it is kept from one event to the next */
    gt_experimental_batch *batches;
    gt_experimental experimental;
    gt_value values[4];
};

/* Begins a trace, or ends it. */
void remake_begin(struct remake *remake);
void remake_end(struct remake *remake);

/*
 * Asks the getters of an event for everything, and sets remake->options to it. All events of the
 * trace must be passed, in order. Returns GT_OK, or the error of gt_event_frames.
 */
gt_status remake_describe(struct remake *remake, gt_reader *reader, const gt_event *event);

/* Makes an event from the getters of another one. Asserts that this succeeds. */
gt_event *remake_event(struct remake *remake, gt_reader *reader, const gt_event *event);

#endif
