/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/tasks.h"

#include <string.h>

#include "timeline/selector.h"
#include "timeline/timeline.h"

/* Rows of tasks: emitTask in cmd/trace/gen.go, for what internal/trace/summary.go finds. */

static struct gt_tl_task *add_task(struct gt_timeline *timeline, uint64_t id)
{
    struct gt_tl_tasks *tasks = &timeline->tasks;
    struct gt_tl_task *task = gt_pool_take(&tasks->pool);
    if (!task || gt_idmap_put(&tasks->map, id, task) != GT_OK) {
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
        if (task)
            gt_pool_give(&tasks->pool, task);
        return NULL;
    }
    memset(task, 0, sizeof(*task));
    task->id = id;
    task->parent = GT_NO_TASK;
    task->place = tasks->places++;
    task->previous = tasks->last;
    if (tasks->last)
        tasks->last->next = task;
    else
        tasks->first = task;
    tasks->last = task;
    return task;
}

static void unlink_task(struct gt_timeline *timeline, struct gt_tl_task *task)
{
    if (task->previous)
        task->previous->next = task->next;
    else
        timeline->tasks.first = task->next;
    if (task->next)
        task->next->previous = task->previous;
    else
        timeline->tasks.last = task->previous;
}

void gt_tl_tasks_open(struct gt_timeline *timeline)
{
    struct gt_tl_tasks *tasks = &timeline->tasks;
    int is_selected = timeline->selector && timeline->selector->selection != GT_SELECT_GOROUTINE;
    int is_of_task = timeline->selector && timeline->selector->selection == GT_SELECT_TASK;
    tasks->has_all_tasks = timeline->exact && !is_selected;
    tasks->first_begun = UINT64_MAX;
    tasks->has_tasks = is_selected || tasks->has_all_tasks;
    tasks->has_all_regions = timeline->exact && timeline->view == GT_VIEW_GOROUTINE;
    tasks->has_regions = is_of_task || tasks->has_all_regions;
    gt_idmap_init(&tasks->map, &timeline->mem);
    gt_pool_init(&tasks->pool, &timeline->mem, sizeof(struct gt_tl_task));
    gt_pool_init(&tasks->region_pool, &timeline->mem, sizeof(struct gt_tl_region));
    for (size_t i = 0; is_selected && i < timeline->selector->shown.count; i++)
        add_task(timeline, timeline->selector->shown.items[i]->id);
}

void gt_tl_tasks_close(struct gt_timeline *timeline)
{
    gt_idmap_destroy(&timeline->tasks.map);
    gt_pool_destroy(&timeline->tasks.pool);
    gt_pool_destroy(&timeline->tasks.region_pool);
}

/* Numbers that are 0 are left out, as Go does. */
static void add_argument(gt_viewer_argument *arguments, size_t *count, gt_string key,
                         uint64_t number)
{
    if (number == 0)
        return;
    memset(&arguments[*count], 0, sizeof(*arguments));
    arguments[*count].key = key;
    arguments[*count].kind = GT_VIEWER_UNSIGNED;
    arguments[*count].number = number;
    arguments[(*count)++].string = GT_TL_STRING("");
}

static void name_task(struct gt_timeline *timeline, const struct gt_tl_task *task)
{
    gt_tl_name_string(timeline, GT_TL_STRING("T"));
    gt_tl_name_number(timeline, task->id);
    gt_tl_name_string(timeline, GT_TL_STRING(" "));
    if (task->name)
        gt_tl_name_text(timeline, task->name);
    gt_string name = gt_tl_name_take(timeline);
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_name_task(timeline->emitter, task->id, name, task->place));
}

static void draw_task(struct gt_timeline *timeline, const struct gt_tl_task *task)
{
    gt_viewer_argument arguments[3];
    size_t count = 1;
    gt_slice slice = gt_tl_slice(timeline, (int64_t) task->id, task->start, task->end.time);
    memset(&arguments[0], 0, sizeof(arguments[0]));
    arguments[0].key = GT_TL_STRING("id");
    arguments[0].kind = GT_VIEWER_UNSIGNED;
    arguments[0].number = task->id;
    arguments[0].string = GT_TL_STRING("");
    add_argument(arguments, &count, GT_TL_STRING("start_g"), (uint64_t) task->start_goroutine);
    add_argument(arguments, &count, GT_TL_STRING("end_g"), (uint64_t) task->end.goroutine);
    if (task->name) {
        slice.name.data = task->name->data;
        slice.name.size = task->name->size;
    }
    slice.stack = task->start_stack;
    slice.end_stack = task->end.stack;
    slice.arguments = arguments;
    slice.argument_count = count;
    if (!timeline->states)
        name_task(timeline, task);
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_task_slice(timeline->emitter, &slice));
}

static void draw_parent(struct gt_timeline *timeline, const struct gt_tl_task *task)
{
    if (task->parent == GT_NO_TASK || !task->has_start || timeline->status != GT_OK)
        return;
    gt_arrow arrow = GT_ARROW_INIT;
    arrow.from = task->parent;
    arrow.to = task->id;
    arrow.from_time = arrow.to_time = gt_tl_elapsed(timeline, task->start);
    arrow.name = GT_TL_STRING("newTask");
    arrow.from_stack = task->start_stack;
    gt_tl_note(timeline, gt_emitter_task_arrow(timeline->emitter, &arrow));
}

/* Draws the task, of which nothing more can come, and forgets it. */
static void close_task(struct gt_timeline *timeline, struct gt_tl_task *task)
{
    if (!task->has_start)
        task->start = timeline->start;
    if (!task->has_end)
        task->end.time = timeline->now;
    draw_task(timeline, task);
    draw_parent(timeline, task);
    gt_tl_text_drop(&timeline->texts, task->name);
    unlink_task(timeline, task);
    gt_idmap_remove(&timeline->tasks.map, task->id);
    gt_pool_give(&timeline->tasks.pool, task);
}

/*
 * The task of an event if it is shown, else NULL. Ids come from a counter
 * (runtime/trace/annotation.go): what ends without a begin began before the trace if all
 * that began in it came later; otherwise it ends once more.
 */
static struct gt_tl_task *find_task(struct gt_timeline *timeline, const gt_event *event,
                                    uint64_t id)
{
    struct gt_tl_tasks *tasks = &timeline->tasks;
    struct gt_tl_task *task = gt_idmap_get(&tasks->map, id);
    int begins = event->kind == GT_EVENT_TASK_BEGIN;
    if (begins && id < tasks->first_begun)
        tasks->first_begun = id;
    if (task || !tasks->has_all_tasks || (!begins && id >= tasks->first_begun))
        return task;
    return add_task(timeline, id);
}

void gt_tl_task_changes(struct gt_timeline *timeline, const gt_event *event)
{
    gt_task change = GT_TASK_INIT;
    gt_event_task(event, &change);
    struct gt_tl_task *task = find_task(timeline, event, change.id);
    if (!task)
        return;
    gt_tl_text_drop(&timeline->texts, task->name);
    task->name = gt_tl_text_of_trace(&timeline->texts, change.type);
    if (!task->name)
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
    if (task->parent == GT_NO_TASK)
        task->parent = change.parent;
    if (event->kind == GT_EVENT_TASK_BEGIN) {
        task->has_start = 1;
        task->start = event->time;
        task->start_goroutine = event->goroutine;
        task->start_stack = timeline->stack;
        return;
    }
    task->has_end = 1;
    task->end.time = event->time;
    task->end.goroutine = event->goroutine;
    task->end.stack = timeline->stack;
    /* A task may be ended twice, and then Go goes by the last time. */
    if (timeline->exact)
        close_task(timeline, task);
}

void gt_tl_tasks_finish(struct gt_timeline *timeline)
{
    while (timeline->tasks.first && timeline->status == GT_OK)
        close_task(timeline, timeline->tasks.first);
}
