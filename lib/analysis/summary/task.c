/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analysis/summary/summary.h"

static int drops(const struct gt_summary *s)
{
    return (s->options.flags & GT_SUMMARY_DROP) != 0;
}

struct gt_task_node *gt_summary_get_task(struct gt_summary *s, uint64_t id)
{
    struct gt_task_node *task = gt_idmap_get(&s->tasks, id);
    if (task)
        return task;
    if (gt_mem_reserve(&s->mem, &s->task_list, &s->task_capacity, s->task_count + 1,
                       sizeof(*s->task_list)) != GT_OK)
        return NULL;
    task = gt_pool_take(&s->task_pool);
    if (!task)
        return NULL;
    memset(task, 0, sizeof(*task));
    task->s.id = id;
    task->s.parent = GT_NO_TASK;
    task->s.name.data = "";
    if (gt_idmap_put(&s->tasks, id, task) != GT_OK) {
        gt_pool_give(&s->task_pool, task);
        return NULL;
    }
    s->info.tasks++;
    task->place = s->task_count;
    s->task_list[s->task_count++] = &task->s;
    return task;
}

gt_status gt_task_add_goroutine(struct gt_summary *s, struct gt_task_node *task, int64_t id)
{
    size_t count = task->s.goroutine_count;
    if (count > 0 && task->goroutines[count - 1] == id)
        return GT_OK;
    if (drops(s) && task->s.id == GT_BACKGROUND_TASK)
        return GT_OK;
    struct gt_member member = {task->s.id, id};
    int added;
    gt_status status = gt_mem_reserve(&s->mem, &task->goroutines, &task->goroutine_capacity,
                                      count + 1, sizeof(*task->goroutines));
    if (status == GT_OK)
        status = gt_members_add(&s->members, member, &added);
    if (status == GT_OK && added)
        task->goroutines[task->s.goroutine_count++] = id;
    return status;
}

gt_status gt_task_add_region(struct gt_summary *s, struct gt_task_node *task,
                             struct gt_region_node *region)
{
    size_t at = task->s.region_count++;
    if (drops(s))
        return GT_OK;
    gt_status status = gt_mem_reserve(&s->mem, &task->regions, &task->region_capacity, at + 1,
                                      sizeof(*task->regions));
    if (status == GT_OK)
        task->regions[at] = &region->s;
    return status;
}

static gt_status add_child(struct gt_summary *s, struct gt_task_node *parent, uint64_t id)
{
    size_t at = parent->s.child_count++;
    if (drops(s))
        return GT_OK;
    gt_status status = gt_mem_reserve(&s->mem, &parent->children, &parent->child_capacity, at + 1,
                                      sizeof(*parent->children));
    if (status == GT_OK)
        parent->children[at] = id;
    return status;
}

/* Begin and end both name the parent, which counts once. */
static gt_status set_parent(struct gt_summary *s, struct gt_task_node *task, uint64_t id)
{
    if (id == GT_NO_TASK || task->s.parent != GT_NO_TASK)
        return GT_OK;
    struct gt_task_node *parent = gt_summary_get_task(s, id);
    if (!parent)
        return gt_mem_failure(&s->mem);
    task->s.parent = id;
    return add_child(s, parent, task->s.id);
}

static gt_status set_name(struct gt_summary *s, struct gt_task_node *task, gt_string name)
{
    struct gt_shared_text *text = gt_shared_text_get(&s->texts, name);
    if (!text)
        return gt_mem_failure(&s->mem);
    gt_shared_text_drop(&s->texts, task->name);
    task->name = text;
    task->s.name = text->string;
    return GT_OK;
}

gt_status gt_summary_task(struct gt_summary *s, const gt_event *event)
{
    gt_task what = GT_TASK_INIT;
    gt_status status = gt_event_task(event, &what);
    if (status != GT_OK)
        return status;
    struct gt_task_node *task = gt_summary_get_task(s, what.id);
    if (!task)
        return gt_mem_failure(&s->mem);
    status = set_name(s, task, what.type);
    if (status == GT_OK)
        status = gt_task_add_goroutine(s, task, event->goroutine);
    if (status == GT_OK)
        status = set_parent(s, task, what.parent);
    if (status != GT_OK)
        return status;
    if (event->kind == GT_EVENT_TASK_BEGIN) {
        task->s.has_begin = 1;
        task->s.begin = event->time;
        return GT_OK;
    }
    task->s.has_end = 1;
    task->s.end = event->time;
    gt_task_done(s, task);
    return GT_OK;
}

static gt_status add_log(struct gt_summary *s, struct gt_task_node *task, const gt_log *what,
                         const gt_event *event)
{
    size_t at = task->s.log_count;
    gt_status status =
        gt_mem_reserve(&s->mem, &task->logs, &task->log_capacity, at + 1, sizeof(*task->logs));
    if (status != GT_OK)
        return status;
    const struct gt_shared_text *category = gt_shared_text_get(&s->texts, what->category);
    const struct gt_shared_text *message =
        category ? gt_shared_text_get(&s->texts, what->message) : NULL;
    if (!message)
        return gt_mem_failure(&s->mem);
    gt_task_log log = {event->time, event->goroutine, category->string, message->string};
    task->logs[at] = log;
    return GT_OK;
}

gt_status gt_summary_log(struct gt_summary *s, const gt_event *event)
{
    gt_log what = GT_LOG_INIT;
    gt_status status = gt_event_log(event, &what);
    if (status != GT_OK)
        return status;
    struct gt_task_node *task = gt_summary_get_task(s, what.task);
    if (!task)
        return gt_mem_failure(&s->mem);
    status = gt_task_add_goroutine(s, task, event->goroutine);
    if (status == GT_OK && !drops(s))
        status = add_log(s, task, &what, event);
    task->s.log_count += status == GT_OK;
    return status;
}

static void drop(struct gt_summary *s, struct gt_task_node *task)
{
    gt_task_summary *last = s->task_list[--s->task_count];
    s->task_list[task->place] = last;
    ((struct gt_task_node *) last)->place = task->place;
    gt_idmap_remove(&s->tasks, task->s.id);
    for (size_t i = 0; i < task->s.goroutine_count; i++) {
        struct gt_member member = {task->s.id, task->goroutines[i]};
        gt_members_remove(&s->members, member);
    }
    gt_shared_text_drop(&s->texts, task->name);
    gt_task_free(s, task);
}

void gt_task_free(struct gt_summary *s, struct gt_task_node *task)
{
    gt_mem_free(&s->mem, task->children, task->child_capacity * sizeof(*task->children));
    gt_mem_free(&s->mem, task->logs, task->log_capacity * sizeof(*task->logs));
    gt_mem_free(&s->mem, task->regions, task->region_capacity * sizeof(*task->regions));
    gt_mem_free(&s->mem, task->goroutines, task->goroutine_capacity * sizeof(*task->goroutines));
    gt_pool_give(&s->task_pool, task);
}

void gt_task_done(struct gt_summary *s, struct gt_task_node *task)
{
    if (!drops(s)) {
        task->s.children = task->children;
        task->s.logs = task->logs;
        task->s.regions = (const gt_region_summary *const *) task->regions;
        task->s.goroutines = task->goroutines;
    }
    /* One that was kept after its end comes here again with the end of the trace. */
    if (s->options.on_task && !task->told)
        s->options.on_task(s->options.user_data, &task->s);
    task->told = 1;
    if (drops(s) && !s->finished)
        drop(s, task);
}
