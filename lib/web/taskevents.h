/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TASKEVENTS_H
#define GT_WEB_TASKEVENTS_H

/* What happened in a task, and where. */

#include <stdbool.h>

#include "web/json.h"
#include "web/totals.h"

enum {
    /* The first events of a task are listed, and its first goroutines. */
    TASKEVENTS_MAX = 1000
};

/* Whether the task's name, one of its regions or of its logs has the text in it, as in Go. */
bool taskevents_have(const struct totals *totals, const struct totals_task *task, gt_string text);

/*
 * "events", "events_total" and "goroutines", by time. The task of all that belongs to none
 * has no goroutines. False where there is no memory, and nothing is written then.
 */
bool taskevents_write(struct json *json, const struct totals *totals,
                      const struct totals_task *task);

#endif
