/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TASKEVENTS_H
#define GT_WEB_TASKEVENTS_H

/* The events of a task, and the goroutines in which they occurred. */

#include <stdbool.h>

#include "web/json.h"
#include "web/totals.h"

enum {
    /* The number of events, and of goroutines, that are listed for a task. */
    GT_TASKEVENTS_MAX = 1000
};

/*
 * Returns whether the name of the task, of one of its regions, or one of its logs contains the
 * text, as in Go's viewer.
 */
bool gt_taskevents_have(const struct gt_totals *totals, const struct gt_totals_task *task,
                        const char *text);

/* Sets `*region` to the region at a place, which must not be the place that stands for no
 * region. */
void gt_taskevents_region(const struct gt_totals *totals, struct gt_record_place place,
                          struct gt_record_region *region);

/*
 * Writes the members "events", "events_total" and "goroutines", in order of time. The background
 * task, to which everything without a task belongs, has an empty list of goroutines. Returns
 * false if memory runs out.
 */
bool gt_taskevents_write(struct gt_json *json, const struct gt_totals *totals,
                         const struct gt_totals_task *task);

#endif
