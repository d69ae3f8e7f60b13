/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks, regions, logs and labels of goroutines, which no other thread looks at. */
#include "recorder/memory.h"
#include "recorder/section.h"
#include "recorder/stack.h"
#include "recorder/texts.h"

enum {
    /* How many ids of tasks a thread takes at once, so that not all write to one place. */
    ANNOTATION_TASKS = 16
};

/* Whether the id is 0, or may be that of a task: a thread may still have it in stock. */
static bool task_is_known(const gt_recorder *recorder, uint64_t task)
{
    return task < gt_atomic_peek(&recorder->next_task);
}

static uint64_t task_next_id(gt_rec_thread *t)
{
    if (t->next_task == t->last_task) {
        t->next_task = gt_atomic_add(&t->recorder->next_task, ANNOTATION_TASKS);
        t->last_task = t->next_task + ANNOTATION_TASKS;
    }
    return t->next_task++;
}

gt_status gt_rec_task_begin(gt_rec_thread *t, uint64_t parent, gt_rec_text type, uint64_t *task)
{
    uint64_t time;
    if (!task)
        return GT_ERR_INVALID_ARGUMENT;
    *task = 0;
    if (!t || !task_is_known(t->recorder, parent) || !gt_recorder_text_is_known(t->recorder, type))
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || !gt_recorder_enter_go(t, &time))
        return GT_ERR_STATE;
    *task = task_next_id(t);
    if (gt_recorder_is_on(t))
        gt_recorder_put(t, time, GT_WIRE_USER_TASK_BEGIN, *task, parent, type,
                        gt_recorder_stack(t));
    gt_recorder_leave(t);
    return GT_OK;
}

gt_status gt_rec_task_end(gt_rec_thread *t, uint64_t task)
{
    uint64_t time;
    if (!t || task == 0 || !task_is_known(t->recorder, task))
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || !gt_recorder_enter_go(t, &time))
        return GT_ERR_STATE;
    if (gt_recorder_is_on(t))
        gt_recorder_put(t, time, GT_WIRE_USER_TASK_END, task, gt_recorder_stack(t));
    gt_recorder_leave(t);
    return GT_OK;
}

static gt_status region_add(const gt_rec_thread *t, uint64_t task, gt_rec_text type)
{
    gt_status status;
    do
        status = gt_array_add(&t->recorder->mem, &gt_recorder_own_go(t)->regions,
                              (struct gt_recorder_region){task, type});
    while (gt_recorder_memory_try_again(t->recorder, status));
    return status;
}

gt_status gt_rec_region_begin(gt_rec_thread *t, uint64_t task, gt_rec_text type)
{
    uint64_t time;
    if (!t || !task_is_known(t->recorder, task) || !gt_recorder_text_is_known(t->recorder, type))
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || !gt_recorder_enter_go(t, &time))
        return GT_ERR_STATE;
    gt_status status = region_add(t, task, type);
    if (status == GT_OK && gt_recorder_is_on(t))
        gt_recorder_put(t, time, GT_WIRE_USER_REGION_BEGIN, task, type, gt_recorder_stack(t));
    gt_recorder_leave(t);
    return status;
}

/* Readers ask for the innermost region, if they have seen one that is open. */
gt_status gt_rec_region_end(gt_rec_thread *t)
{
    uint64_t time;
    if (!t)
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || !gt_recorder_enter_go(t, &time))
        return GT_ERR_STATE;
    gt_rec_go *go = gt_recorder_own_go(t);
    bool is_open = go->regions.count > 0;
    if (is_open)
        go->regions.count--;
    if (is_open && gt_recorder_is_on(t)) {
        const struct gt_recorder_region *region = &go->regions.items[go->regions.count];
        gt_recorder_put(t, time, GT_WIRE_USER_REGION_END, region->task, region->type,
                        gt_recorder_stack(t));
    }
    gt_recorder_leave(t);
    return is_open ? GT_OK : GT_ERR_STATE;
}

gt_status gt_rec_log(gt_rec_thread *t, uint64_t task, gt_rec_text key, const char *text,
                     size_t size)
{
    uint64_t time;
    if (!t || !task_is_known(t->recorder, task) || !gt_recorder_text_is_known(t->recorder, key) ||
        (!text && size > 0))
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || !gt_recorder_enter_go(t, &time))
        return GT_ERR_STATE;
    if (gt_recorder_is_on(t)) {
        uint64_t value = gt_recorder_put_text(t, (gt_string){text, size});
        gt_recorder_put(t, time, GT_WIRE_USER_LOG, task, key, value, gt_recorder_stack(t));
    }
    gt_recorder_leave(t);
    return GT_OK;
}

gt_status gt_rec_go_label(gt_rec_thread *t, gt_rec_text label)
{
    uint64_t time;
    if (!t || label == 0 || !gt_recorder_text_is_known(t->recorder, label))
        return GT_ERR_INVALID_ARGUMENT;
    if (!gt_recorder_is_running(t) || !gt_recorder_enter_go(t, &time))
        return GT_ERR_STATE;
    if (gt_recorder_is_on(t))
        gt_recorder_put(t, time, GT_WIRE_GO_LABEL, label);
    gt_recorder_leave(t);
    return GT_OK;
}
