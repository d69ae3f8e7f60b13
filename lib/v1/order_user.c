/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/open_find.h"
#include "merge/nesting.h"
#include "v1/order.h"

/* Tasks, regions and logs of package runtime/trace. */

static gt_result v1_task_add(struct gt_v1 *v1, uint64_t id, uint64_t parent, uint32_t name)
{
    struct gt_v1_task *task = gt_idmap_add(&v1->state.tasks, id);
    if (!task)
        return gt_v1_fail_memory(v1);
    task->parent = parent;
    task->name = gt_strings_name(&v1->table.strings, &v1->names, name);
    if (task->name)
        return GT_RESULT_DONE;
    gt_idmap_drop(&v1->state.tasks, id, task);
    return gt_v1_fail_memory(v1);
}

gt_result gt_v1_task_create(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    uint64_t parent = gt_v1_number(proc);
    uint64_t name = gt_v1_number(proc);
    gt_v1_take_stack(v1, proc, data);
    if (gt_idmap_get(&v1->state.tasks, id)) {
        gt_v1_fail_event(v1, proc, GT_ERR_ORDER, "%s of task %u, which is active already", id, 0);
        return gt_v1_leave_out(v1);
    }
    gt_result result = gt_v1_take_string(v1, proc, name, &data->strings[0]);
    if (result == GT_RESULT_DONE)
        result = v1_task_add(v1, id, parent, data->strings[0]);
    data->arguments[0] = id;
    /* In the trace 0 means that there is no parent. In the API 0 is the background task. */
    data->arguments[1] = parent == GT_BACKGROUND_TASK ? GT_NO_TASK : parent;
    return result;
}

/*
 * The parent of a task that ends. Go returns 0 unchanged here, although it means that there is no
 * parent.
 */
static uint64_t v1_task_parent(const struct gt_v1 *v1, const struct gt_v1_task *task)
{
    if (task->parent == GT_BACKGROUND_TASK && v1->options.as_recorded)
        return GT_NO_TASK;
    return task->parent;
}

gt_result gt_v1_task_end(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    struct gt_v1_task *task = gt_idmap_get(&v1->state.tasks, id);
    gt_v1_take_stack(v1, proc, data);
    data->arguments[0] = id;
    data->arguments[2] = GT_NO_TASK;
    data->name = NULL;
    if (!task)
        return GT_RESULT_DONE;
    data->arguments[2] = v1_task_parent(v1, task);
    data->name = task->name;
    gt_names_drop(&v1->names, task->name);
    gt_idmap_drop(&v1->state.tasks, id, task);
    return GT_RESULT_DONE;
}

static gt_result v1_region_begin(struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t task,
                                 uint64_t name)
{
    struct gt_v1_goroutine *goroutine = gt_v1_context_goroutine(v1, proc);
    if (!goroutine)
        goroutine = gt_v1_goroutine_get(v1, gt_v1_context_id(proc));
    struct gt_v1_region *region = goroutine ? gt_pool_take(&v1->state.region_pool) : NULL;
    if (!region)
        return gt_v1_fail_memory(v1);
    region->task = task;
    region->name = name;
    region->next = goroutine->regions;
    goroutine->regions = region;
    return GT_RESULT_DONE;
}

/* Returns the type of a region by the id that its event has; that of an open one is known. */
static gt_string v1_region_type(const struct gt_v1 *v1, uint64_t name)
{
    uint32_t slot = 0;
    gt_strings_find(&v1->table.strings, name, &slot);
    return gt_strings_get(&v1->table.strings, slot);
}

/*
 * Returns the pointer to the open region that ends: the innermost one, or if the reader is lenient
 * one around it. Returns NULL and sets the error if there is none.
 */
static struct gt_v1_region **v1_region_find(struct gt_v1 *v1, const struct gt_v1_proc *proc,
                                            struct gt_v1_goroutine *goroutine,
                                            const struct gt_v1_region *ends)
{
    struct gt_v1_region **link;
    GT_OPEN_FIND(link, &goroutine->regions, next,
                 (*link)->task == ends->task && (*link)->name == ends->name);
    if (link == &goroutine->regions)
        return link;
    const struct gt_v1_region *inner = goroutine->regions;
    const struct gt_nesting nesting = {
        .ends = v1_region_type(v1, ends->name),
        .ends_task = ends->task,
        .inner = v1_region_type(v1, inner->name),
        .inner_task = inner->task,
        .goroutine = (int64_t) goroutine->id,
    };
    gt_nesting_fail(v1->error, gt_v1_offset(v1, proc->event), 0, &nesting);
    return link && gt_nesting_forgive(&v1->repair, v1->error) ? link : NULL;
}

/* Ends a region. A region that began before the trace started is not known. */
static gt_result v1_region_end(struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t task,
                               uint64_t name)
{
    struct gt_v1_goroutine *goroutine = gt_v1_context_goroutine(v1, proc);
    const struct gt_v1_region ends = {.task = task, .name = name};
    if (!goroutine || !goroutine->regions)
        return GT_RESULT_DONE;
    struct gt_v1_region **link = v1_region_find(v1, proc, goroutine, &ends);
    if (!link)
        return gt_v1_leave_out(v1);
    struct gt_v1_region *region = *link;
    *link = region->next;
    gt_pool_give(&v1->state.region_pool, region);
    return GT_RESULT_DONE;
}

gt_result gt_v1_region(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t task = gt_v1_number(proc);
    uint64_t mode = gt_v1_number(proc);
    uint64_t name = gt_v1_number(proc);
    gt_v1_take_stack(v1, proc, data);
    gt_result result = gt_v1_take_string(v1, proc, name, &data->strings[0]);
    if (result != GT_RESULT_DONE)
        return result;
    data->arguments[0] = task;
    if (mode == 0)
        return v1_region_begin(v1, proc, task, name);
    if (mode == 1) {
        data->type = GT_WIRE_USER_REGION_END;
        data->event.kind = GT_EVENT_REGION_END;
        return v1_region_end(v1, proc, task, name);
    }
    gt_v1_fail_event(v1, proc, GT_ERR_ORDER, "%s has the mode %u", mode, 0);
    return gt_v1_leave_out(v1);
}

/* UserLog, which contains its message. */
gt_result gt_v1_log(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    data->arguments[0] = gt_v1_number(proc);
    uint64_t category = gt_v1_number(proc);
    gt_v1_take_stack(v1, proc, data);
    data->arguments[3] = gt_v1_number(proc);
    data->arguments[2] = (uint64_t) (uintptr_t) proc->pos;
    proc->pos += data->arguments[3];
    data->strings[1] = GT_TEXT_INLINE;
    return gt_v1_take_string(v1, proc, category, &data->strings[0]);
}
