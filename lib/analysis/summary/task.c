/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/summary.h"

struct gt_task_node *gt_summary_task_get(struct gt_summary *summary, uint64_t id)
{
    struct gt_task_node *task = gt_idmap_get(&summary->tasks, id);
    if (task)
        return task;
    if (gt_array_reserve(&summary->mem, &summary->task_list, 1) != GT_OK)
        return NULL;
    task = gt_idmap_add(&summary->tasks, id);
    if (!task)
        return NULL;
    task->public.size = sizeof(task->public);
    task->public.id = id;
    task->public.parent = GT_NO_TASK;
    task->public.name.data = "";
    summary->info.tasks++;
    task->position = summary->task_list.count;
    summary->task_list.items[summary->task_list.count++] = &task->public;
    return task;
}

gt_status gt_summary_task_add_goroutine(struct gt_summary *summary, struct gt_task_node *task,
                                        int64_t id)
{
    size_t count = task->goroutines.count;
    if (count > 0 && task->goroutines.items[count - 1] == id)
        return GT_OK;
    /* The background task never ends, so its members would never be dropped. */
    if (gt_summary_drops(summary) && task->public.id == GT_BACKGROUND_TASK)
        return GT_OK;
    struct gt_member member = {task->public.id, id};
    bool added = false;
    gt_status status = gt_array_reserve(&summary->mem, &task->goroutines, 1);
    if (status == GT_OK)
        status = gt_members_add(&summary->members, member, &added);
    if (status != GT_OK || !added)
        return status;
    task->goroutines.items[task->goroutines.count++] = id;
    task->public.goroutine_count = task->goroutines.count;
    return GT_OK;
}

gt_status gt_summary_task_add_region(struct gt_summary *summary, struct gt_task_node *task,
                                     struct gt_region_node *region)
{
    task->public.region_count++;
    if (gt_summary_drops(summary))
        return GT_OK;
    return gt_array_add(&summary->mem, &task->regions, &region->public);
}

static gt_status task_child_add(struct gt_summary *summary, struct gt_task_node *parent,
                                uint64_t id)
{
    parent->public.child_count++;
    if (gt_summary_drops(summary))
        return GT_OK;
    return gt_array_add(&summary->mem, &parent->children, id);
}

/* The begin and the end of a task both name its parent: the first one counts. */
static gt_status task_parent_set(struct gt_summary *summary, struct gt_task_node *task, uint64_t id)
{
    if (id == GT_NO_TASK || task->public.parent != GT_NO_TASK)
        return GT_OK;
    struct gt_task_node *parent = gt_summary_task_get(summary, id);
    if (!parent)
        return gt_mem_failure(&summary->mem);
    task->public.parent = id;
    return task_child_add(summary, parent, task->public.id);
}

static gt_status task_name_set(struct gt_summary *summary, struct gt_task_node *task,
                               gt_string name)
{
    struct gt_shared_text *text = gt_shared_text_get(&summary->texts, name);
    if (!text)
        return gt_mem_failure(&summary->mem);
    gt_shared_text_drop(&summary->texts, task->name);
    task->name = text;
    task->public.name = text->string;
    return GT_OK;
}

gt_status gt_summary_task(struct gt_summary *summary, const gt_event *event)
{
    gt_task what = GT_TASK_INIT;
    gt_status status = gt_event_task(event, &what);
    if (status != GT_OK)
        return status;
    struct gt_task_node *task = gt_summary_task_get(summary, what.id);
    if (!task)
        return gt_mem_failure(&summary->mem);
    status = task_name_set(summary, task, what.type);
    if (status == GT_OK)
        status = gt_summary_task_add_goroutine(summary, task, event->goroutine);
    if (status == GT_OK)
        status = task_parent_set(summary, task, what.parent);
    if (status != GT_OK)
        return status;
    if (event->kind == GT_EVENT_TASK_BEGIN) {
        task->public.has_begin = 1;
        task->public.begin = event->time;
        return GT_OK;
    }
    task->public.has_end = 1;
    task->public.end = event->time;
    gt_summary_task_end(summary, task);
    return GT_OK;
}

static gt_status task_log_add(struct gt_summary *summary, struct gt_task_node *task,
                              const gt_log *what, const gt_event *event)
{
    gt_status status = gt_array_reserve(&summary->mem, &task->logs, 1);
    if (status != GT_OK)
        return status;
    const struct gt_shared_text *category = gt_shared_text_get(&summary->texts, what->category);
    const struct gt_shared_text *message =
        category ? gt_shared_text_get(&summary->texts, what->message) : NULL;
    if (!message)
        return gt_mem_failure(&summary->mem);
    task->logs.items[task->logs.count++] =
        (gt_task_log){event->time, event->goroutine, category->string, message->string};
    return GT_OK;
}

gt_status gt_summary_log(struct gt_summary *summary, const gt_event *event)
{
    gt_log what = GT_LOG_INIT;
    gt_status status = gt_event_log(event, &what);
    if (status != GT_OK)
        return status;
    struct gt_task_node *task = gt_summary_task_get(summary, what.task);
    if (!task)
        return gt_mem_failure(&summary->mem);
    status = gt_summary_task_add_goroutine(summary, task, event->goroutine);
    if (status == GT_OK && !gt_summary_drops(summary))
        status = task_log_add(summary, task, &what, event);
    task->public.log_count += status == GT_OK;
    return status;
}

static void task_drop(struct gt_summary *summary, struct gt_task_node *task)
{
    gt_task_summary *last = summary->task_list.items[--summary->task_list.count];
    summary->task_list.items[task->position] = last;
    ((struct gt_task_node *) last)->position = task->position;
    for (size_t i = 0; i < task->public.goroutine_count; i++) {
        struct gt_member member = {task->public.id, task->goroutines.items[i]};
        gt_members_remove(&summary->members, member);
    }
    gt_shared_text_drop(&summary->texts, task->name);
    gt_summary_task_free(summary, task);
}

void gt_summary_task_free(struct gt_summary *summary, struct gt_task_node *task)
{
    gt_array_free(&summary->mem, &task->children);
    gt_array_free(&summary->mem, &task->logs);
    gt_array_free(&summary->mem, &task->regions);
    gt_array_free(&summary->mem, &task->goroutines);
    gt_idmap_drop(&summary->tasks, task->public.id, task);
}

void gt_summary_task_publish(const struct gt_summary *summary, struct gt_task_node *task)
{
    if (gt_summary_drops(summary))
        return;
    task->public.children = task->children.items;
    task->public.logs = task->logs.items;
    task->public.regions = (const gt_region_summary *const *) task->regions.items;
    task->public.goroutines = task->goroutines.items;
}

void gt_summary_task_end(struct gt_summary *summary, struct gt_task_node *task)
{
    gt_summary_task_publish(summary, task);
    /* A task that was kept after its end event gets here again at the end of the trace. */
    if (summary->options.on_task && !task->reported)
        summary->options.on_task(summary->options.user_data, &task->public);
    task->reported = true;
    if (gt_summary_drops(summary) && !summary->finished)
        task_drop(summary, task);
}
