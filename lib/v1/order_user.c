/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

/* Tasks, regions and logs of package runtime/trace, and CPU samples. */

static gt_status add_task(struct gt_v1 *v1, uint64_t id, uint64_t parent, uint32_t name)
{
    struct gt_v1_task *task = gt_pool_take(&v1->task_pool);
    if (!task)
        return gt_v1_fail_memory(v1);
    task->parent = parent;
    task->name = gt_strings_name(&v1->table.strings, &v1->names, name);
    if (task->name && gt_idmap_put(&v1->tasks, id, task) == GT_OK)
        return GT_OK;
    if (task->name)
        gt_names_drop(&v1->names, task->name);
    gt_pool_give(&v1->task_pool, task);
    return gt_v1_fail_memory(v1);
}

int gt_v1_task_create(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    uint64_t parent = gt_v1_number(proc);
    uint64_t name = gt_v1_number(proc);
    gt_v1_read_stack(v1, proc, data);
    gt_status status = GT_OK;
    if (gt_idmap_get(&v1->tasks, id)) {
        status = gt_v1_break(v1, proc, "; it is left out", "%s of task %u, which is active already",
                             id, 0);
        return status != GT_OK ? (int) status : GT_V1_NOTHING;
    }
    status = gt_v1_take_string(v1, proc, name, &data->strings[0]);
    if (status == GT_OK)
        status = add_task(v1, id, parent, data->strings[0]);
    if (status != GT_OK)
        return status;
    data->arguments[0] = id;
    /* 0 is the background task, but here it means that there is no parent. */
    data->arguments[1] = parent == GT_BACKGROUND_TASK ? GT_NO_TASK : parent;
    return GT_V1_GIVEN;
}

/* Go forgets here what 0 means as a parent. */
static uint64_t parent_of(const struct gt_v1 *v1, const struct gt_v1_task *task)
{
    if (task->parent == GT_BACKGROUND_TASK && v1->options.as_recorded)
        return GT_NO_TASK;
    return task->parent;
}

int gt_v1_task_end(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    struct gt_v1_task *task = gt_idmap_get(&v1->tasks, id);
    gt_v1_read_stack(v1, proc, data);
    data->arguments[0] = id;
    data->arguments[2] = GT_NO_TASK;
    data->name = NULL;
    if (!task)
        return GT_V1_GIVEN;
    data->arguments[2] = parent_of(v1, task);
    data->name = task->name;
    gt_names_drop(&v1->names, task->name);
    gt_idmap_remove(&v1->tasks, id);
    gt_pool_give(&v1->task_pool, task);
    return GT_V1_GIVEN;
}

static int begin_region(struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t task,
                        uint64_t name)
{
    struct gt_v1_goroutine *goroutine = gt_v1_find(v1, proc, gt_v1_context_id(proc));
    if (!goroutine)
        goroutine = gt_v1_goroutine_get(v1, gt_v1_context_id(proc));
    struct gt_v1_region *region = goroutine ? gt_pool_take(&v1->region_pool) : NULL;
    if (!region)
        return gt_v1_fail_memory(v1);
    region->task = task;
    region->name = name;
    region->next = goroutine->regions;
    goroutine->regions = region;
    return GT_V1_GIVEN;
}

/* A region that began before the trace did is not known. */
static int end_region(struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t task, uint64_t name)
{
    struct gt_v1_goroutine *goroutine = gt_v1_find(v1, proc, gt_v1_context_id(proc));
    struct gt_v1_region *region = goroutine ? goroutine->regions : NULL;
    if (!region)
        return GT_V1_GIVEN;
    if (region->task != task || region->name != name) {
        gt_status status = gt_v1_break(
            v1, proc, "; it is left out",
            "%s of task %u ends on goroutine %u, whose innermost is another", task, goroutine->id);
        return status != GT_OK ? (int) status : GT_V1_NOTHING;
    }
    goroutine->regions = region->next;
    gt_pool_give(&v1->region_pool, region);
    return GT_V1_GIVEN;
}

int gt_v1_region(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t task = gt_v1_number(proc);
    uint64_t mode = gt_v1_number(proc);
    uint64_t name = gt_v1_number(proc);
    gt_v1_read_stack(v1, proc, data);
    gt_status status = gt_v1_take_string(v1, proc, name, &data->strings[0]);
    if (status != GT_OK)
        return status;
    data->arguments[0] = task;
    if (mode == 0)
        return begin_region(v1, proc, task, name);
    if (mode == 1) {
        data->type = GT_WIRE_USER_REGION_END;
        data->event.kind = GT_EVENT_REGION_END;
        return end_region(v1, proc, task, name);
    }
    status = gt_v1_break(v1, proc, "; it is left out", "%s has the mode %u", mode, 0);
    return status != GT_OK ? (int) status : GT_V1_NOTHING;
}

/* The message is in the event itself. */
int gt_v1_log(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    data->arguments[0] = gt_v1_number(proc);
    uint64_t category = gt_v1_number(proc);
    gt_v1_read_stack(v1, proc, data);
    data->arguments[3] = gt_v1_number(proc);
    data->arguments[2] = (uint64_t) (uintptr_t) proc->pos;
    proc->pos += data->arguments[3];
    data->strings[1] = GT_TEXT_INLINE;
    return gt_v1_take_string(v1, proc, category, &data->strings[0]);
}

int gt_v1_give_sample(struct gt_v1 *v1, size_t index, struct gt_event_data *data)
{
    const struct gt_v1_late_event *late = &v1->samples.events[index];
    const uint8_t *p = gt_v1_after_time(v1, gt_v1_late_offset(late));
    gt_varint_trusted(&p);
    int32_t proc = (int32_t) gt_varint_trusted(&p);
    uint64_t goroutine = gt_varint_trusted(&p);
    gt_stacks_find(&v1->table.stacks, (uint32_t) gt_varint_trusted(&p), &data->stack);
    if (data->stack == 0)
        data->stack = GT_STACK_EMPTY_SLOT;
    data->event.kind = GT_EVENT_STACK_SAMPLE;
    data->event.thread = GT_NO_THREAD;
    data->event.proc = proc;
    data->event.goroutine = goroutine == 0 ? GT_NO_GOROUTINE : (int64_t) goroutine;
    data->type = GT_WIRE_CPU_SAMPLE;
    v1->ticks = late->time;
    return GT_V1_GIVEN;
}
