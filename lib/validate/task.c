/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/validator.h"

/* EventTaskBegin and EventTaskEnd in testtrace/validation.go; the ids' own rule is ours. */

static gt_status keep_task(struct gt_validator *v, const gt_task *task)
{
    struct gt_open_task *open = gt_pool_take(&v->task_pool);
    if (!open)
        return gt_mem_failure(&v->mem);
    gt_status status = gt_kept_set(&v->texts, &open->type, task->type);
    return status != GT_OK ? status : gt_idmap_put(&v->tasks, task->id, open);
}

static void drop_task(struct gt_validator *v, uint64_t id, struct gt_open_task *open)
{
    gt_idmap_remove(&v->tasks, id);
    gt_kept_free(&v->texts, &open->type);
    gt_pool_give(&v->task_pool, open);
}

/* What is wrong with a task that begins, or NULL. */
static const char *wrong_begin(const struct gt_open_task *open, const gt_task *task)
{
    if (task->id == GT_NO_TASK)
        return "has no id";
    if (task->id == GT_BACKGROUND_TASK)
        return "has the id of the background";
    if (open)
        return "has the id of an open task";
    return task->parent == GT_BACKGROUND_TASK ? "has the background as its parent" : NULL;
}

static gt_status begin_task(struct gt_validator *v, struct gt_open_task *open, const gt_task *task)
{
    const char *wrong = wrong_begin(open, task);
    gt_status status = GT_OK;
    if (wrong) {
        struct gt_shown type = gt_shown_make(task->type);
        status = gt_found(v, GT_RULE_TASK_ID, "task %u ('%s') %s", task->id, type.text, wrong);
    }
    if (open)
        drop_task(v, task->id, open);
    return status != GT_OK ? status : keep_task(v, task);
}

static gt_status end_task(struct gt_validator *v, struct gt_open_task *open, const gt_task *task)
{
    gt_status status = GT_OK;
    if (!open) /* it may have begun before the trace */
        return GT_OK;
    if (!gt_kept_is(&open->type, task->type)) {
        struct gt_shown begun = gt_shown_make(gt_kept_text(&open->type));
        struct gt_shown ended = gt_shown_make(task->type);
        status = gt_found(v, GT_RULE_TASK_TYPE, "task %u began as '%s' and ends as '%s'", task->id,
                          begun.text, ended.text);
    }
    drop_task(v, task->id, open);
    return status;
}

gt_status gt_look_task(struct gt_validator *v, const gt_event *event)
{
    gt_task task = GT_TASK_INIT;
    gt_status status = gt_event_task(event, &task);
    if (status != GT_OK)
        return gt_found_getter(v, "gt_event_task", status);
    struct gt_open_task *open = gt_idmap_get(&v->tasks, task.id);
    if (event->kind == GT_EVENT_TASK_BEGIN)
        return begin_task(v, open, &task);
    return end_task(v, open, &task);
}
