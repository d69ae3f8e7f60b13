/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TASKWORK_H
#define GT_WEB_TASKWORK_H

/* What goroutines did for tasks: the regions and events of tasks, by task and goroutine. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "store/store.h"
#include "web/totals.h"

enum gt_taskwork_kind {
    GT_TASKWORK_REGION,
    /* From the begin of the task to its end, if one goroutine did both. */
    GT_TASKWORK_WHOLE,
    GT_TASKWORK_LOG,
    /* The begin or the end of the task. */
    GT_TASKWORK_EDGE,
    /* The life of a goroutine that was created during a region or the whole. */
    GT_TASKWORK_LIFE
};

struct gt_taskwork_item {
    /* The number that the caller has given to the task. */
    uint32_t task;
    /* The ordinal of the goroutine. */
    uint32_t goroutine;
    uint32_t kind; /* enum gt_taskwork_kind */
    int64_t start, end;
};

/* An object of zeros is empty, but `mem` must be set. */
struct gt_taskwork {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_taskwork_item) list;
};

/* Adds what goroutines did for a task itself. Returns false if memory runs out. */
bool gt_taskwork_add(struct gt_taskwork *work, const struct gt_store *store,
                     const struct gt_totals *totals, const struct gt_totals_task *task,
                     uint32_t number);
/*
 * Adds the goroutines that were created while their creators worked for a task. If a creator worked
 * for several tasks, the goroutine belongs to the task that the creator began to work for last.
 * Must be called after all tasks were added. Returns false if memory runs out.
 */
bool gt_taskwork_add_created(struct gt_taskwork *work, const struct gt_store *store);
/* Sorts the items by task, goroutine and start. */
void gt_taskwork_sort(struct gt_taskwork *work);
void gt_taskwork_free(struct gt_taskwork *work);

#endif
