/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/give.h"

#include "base/varint.h"
#include "v1/order.h"

/* Tasks, regions and logs of package runtime/trace, and CPU samples. */

static gt_status add_task(struct gt_v1 *v1, const struct gt_v1_event *event, uint32_t name)
{
    struct gt_v1_task *task = gt_pool_take(&v1->task_pool);
    if (!task)
        return gt_v1_fail_memory(v1);
    task->parent = event->numbers[1];
    task->name = gt_strings_name(&v1->table.strings, &v1->names, name);
    if (task->name && gt_idmap_put(&v1->tasks, event->numbers[0], task) == GT_OK)
        return GT_OK;
    if (task->name)
        gt_names_drop(&v1->names, task->name);
    gt_pool_give(&v1->task_pool, task);
    return gt_v1_fail_memory(v1);
}

gt_status gt_v1_task_create(struct gt_v1 *v1, struct gt_v1_event *event)
{
    uint32_t name;
    if (gt_idmap_get(&v1->tasks, event->numbers[0]))
        return gt_v1_break(v1, event, "; it is left out", "%s of task %u, which is active already",
                           event->numbers[0], 0);
    gt_status status = gt_v1_take_string(v1, event, event->numbers[2], &name);
    if (status == GT_OK)
        status = add_task(v1, event, name);
    if (status != GT_OK)
        return status;
    struct gt_event_data *data =
        gt_v1_give_stacked(v1, event, GT_WIRE_USER_TASK_BEGIN, GT_EVENT_TASK_BEGIN);
    data->arguments[0] = event->numbers[0];
    /* 0 is the background task, but here it means that there is no parent. */
    data->arguments[1] = event->numbers[1] == GT_BACKGROUND_TASK ? GT_NO_TASK : event->numbers[1];
    data->strings[0] = name;
    return GT_OK;
}

/* Go forgets here what 0 means as a parent. */
static uint64_t parent_of(const struct gt_v1 *v1, const struct gt_v1_task *task)
{
    if (task->parent == GT_BACKGROUND_TASK && v1->options.as_recorded)
        return GT_NO_TASK;
    return task->parent;
}

gt_status gt_v1_task_end(struct gt_v1 *v1, struct gt_v1_event *event)
{
    uint64_t id = event->numbers[0];
    struct gt_v1_task *task = gt_idmap_get(&v1->tasks, id);
    struct gt_event_data *data =
        gt_v1_give_stacked(v1, event, GT_WIRE_USER_TASK_END, GT_EVENT_TASK_END);
    data->arguments[0] = id;
    data->arguments[2] = GT_NO_TASK;
    data->name = NULL;
    if (!task)
        return GT_OK;
    data->arguments[2] = parent_of(v1, task);
    data->name = task->name;
    gt_names_drop(&v1->names, task->name);
    gt_idmap_remove(&v1->tasks, id);
    gt_pool_give(&v1->task_pool, task);
    return GT_OK;
}

static gt_status begin_region(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_goroutine *g = gt_v1_find(v1, event, event->goroutine);
    if (!g)
        g = gt_v1_goroutine_get(v1, event->goroutine);
    struct gt_v1_region *region = g ? gt_pool_take(&v1->region_pool) : NULL;
    if (!region)
        return gt_v1_fail_memory(v1);
    region->task = event->numbers[0];
    region->name = event->numbers[2];
    region->next = g->regions;
    g->regions = region;
    return GT_OK;
}

/* A region that began before the trace did is not known. */
static gt_status end_region(struct gt_v1 *v1, struct gt_v1_event *event, int *good)
{
    struct gt_v1_goroutine *g = gt_v1_find(v1, event, event->goroutine);
    struct gt_v1_region *region = g ? g->regions : NULL;
    if (!region)
        return GT_OK;
    *good = region->task == event->numbers[0] && region->name == event->numbers[2];
    if (!*good)
        return gt_v1_break(v1, event, "; it is left out",
                           "%s of task %u ends on goroutine %u, whose innermost is another",
                           event->numbers[0], event->goroutine);
    g->regions = region->next;
    gt_pool_give(&v1->region_pool, region);
    return GT_OK;
}

gt_status gt_v1_region(struct gt_v1 *v1, struct gt_v1_event *event)
{
    int good = 1;
    uint32_t name;
    uint64_t mode = event->numbers[1];
    gt_status status = gt_v1_take_string(v1, event, event->numbers[2], &name);
    if (status != GT_OK)
        return status;
    if (mode > 1)
        return gt_v1_break(v1, event, "; it is left out", "%s has the mode %u", mode, 0);
    status = mode == 0 ? begin_region(v1, event) : end_region(v1, event, &good);
    if (status != GT_OK || !good)
        return status;
    struct gt_event_data *data = gt_v1_give_stacked(
        v1, event, mode == 0 ? GT_WIRE_USER_REGION_BEGIN : GT_WIRE_USER_REGION_END,
        mode == 0 ? GT_EVENT_REGION_BEGIN : GT_EVENT_REGION_END);
    data->arguments[0] = event->numbers[0];
    data->strings[0] = name;
    return GT_OK;
}

/* The message is in the event itself. */
gt_status gt_v1_log(struct gt_v1 *v1, struct gt_v1_event *event)
{
    uint32_t category;
    gt_status status = gt_v1_take_string(v1, event, event->numbers[1], &category);
    if (status != GT_OK)
        return status;
    struct gt_event_data *data = gt_v1_give_stacked(v1, event, GT_WIRE_USER_LOG, GT_EVENT_LOG);
    const uint8_t *text = event->text;
    data->arguments[0] = event->numbers[0];
    data->arguments[3] = gt_varint_trusted(&text);
    data->arguments[2] = (uint64_t) (uintptr_t) text;
    data->strings[0] = category;
    data->strings[1] = GT_TEXT_INLINE;
    return GT_OK;
}

gt_status gt_v1_sample(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_event_data *data =
        gt_v1_give_stacked(v1, event, GT_WIRE_CPU_SAMPLE, GT_EVENT_STACK_SAMPLE);
    if (data->stack == 0)
        data->stack = GT_STACK_EMPTY_SLOT;
    return GT_OK;
}
