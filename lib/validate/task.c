/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "validate/validator.h"

/*
 * Validates tasks: EventTaskBegin and EventTaskEnd in Go's testtrace/validation.go. The rule for
 * ids is not in Go. An open task is represented by its type.
 */

static gt_status task_remember(struct gt_validator *v, const gt_task *task)
{
    struct gt_shared_text *type = gt_shared_text_get(&v->texts, task->type);
    return type ? gt_idmap_put(&v->tasks, task->id, type) : gt_mem_failure(&v->mem);
}

static void task_forget(struct gt_validator *v, uint64_t id, struct gt_shared_text *type)
{
    gt_idmap_remove(&v->tasks, id);
    gt_shared_text_drop(&v->texts, type);
}

/* Describes the fault of a task that begins; NULL if there is none. */
static const char *task_begin_fault(const struct gt_shared_text *open_type, const gt_task *task)
{
    if (task->id == GT_NO_TASK)
        return "has no id";
    if (task->id == GT_BACKGROUND_TASK)
        return "has the id of the background";
    if (open_type)
        return "has the id of an open task";
    return task->parent == GT_BACKGROUND_TASK ? "has the background as its parent" : NULL;
}

static gt_status task_check_begin(struct gt_validator *v, struct gt_shared_text *open_type,
                                  const gt_task *task)
{
    const char *fault = task_begin_fault(open_type, task);
    gt_status status = GT_OK;
    if (fault) {
        struct gt_excerpt type = gt_excerpt_of(task->type);
        status = gt_validator_report(v, GT_RULE_TASK_ID, "task %u ('%s') %s", task->id, type.text,
                                     fault);
    }
    if (open_type)
        task_forget(v, task->id, open_type);
    return status == GT_OK ? task_remember(v, task) : status;
}

static gt_status task_check_end(struct gt_validator *v, struct gt_shared_text *open_type,
                                const gt_task *task)
{
    gt_status status = GT_OK;
    if (!open_type) /* The task may have begun before the trace. */
        return GT_OK;
    if (!gt_text_equal(open_type->string, task->type)) {
        struct gt_excerpt begun = gt_excerpt_of(open_type->string);
        struct gt_excerpt ended = gt_excerpt_of(task->type);
        status = gt_validator_report(v, GT_RULE_TASK_TYPE, "task %u began as '%s' and ends as '%s'",
                                     task->id, begun.text, ended.text);
    }
    task_forget(v, task->id, open_type);
    return status;
}

gt_status gt_validate_task(struct gt_validator *v, const gt_event *event)
{
    gt_task task = GT_TASK_INIT;
    gt_status status = gt_event_task(event, &task);
    if (status != GT_OK)
        return gt_validator_report_getter(v, "gt_event_task", status);
    struct gt_shared_text *open_type = gt_idmap_get(&v->tasks, task.id);
    if (event->kind == GT_EVENT_TASK_BEGIN)
        return task_check_begin(v, open_type, &task);
    return task_check_end(v, open_type, &task);
}
