/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TASKEVENTS_H
#define GT_WEB_TASKEVENTS_H

/* What happened in a task, and where. */

#include <stdbool.h>

#include "web/json.h"
#include "web/totals.h"

enum {
    /* The first events of a task are listed, and its first goroutines. */
    GT_TASKEVENTS_MAX = 1000
};

/* Whether the task's name, one of its regions or of its logs has the text in it, as in Go. */
bool gt_taskevents_have(const struct gt_totals *totals, const struct gt_totals_task *task,
                        gt_string text);

/*
 * "events", "events_total" and "goroutines", by time. The task of all that belongs to none
 * has no goroutines. False where there is no memory, and nothing is written then.
 */
bool gt_taskevents_write(struct gt_json *json, const struct gt_totals *totals,
                         const struct gt_totals_task *task);

#endif
