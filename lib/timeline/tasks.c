/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/tasks.h"

#include "timeline/arguments.h"
#include "timeline/selector.h"
#include "timeline/timeline.h"

/* Rows of tasks: emitTask in cmd/trace/gen.go draws what internal/trace/summary.go finds. */

static struct gt_tl_task *task_add(struct gt_timeline *timeline, uint64_t id)
{
    struct gt_tl_tasks *tasks = &timeline->tasks;
    struct gt_tl_task *task = gt_idmap_add(&tasks->map, id);
    if (!task) {
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
        return NULL;
    }
    task->id = id;
    task->parent = GT_NO_TASK;
    task->place = tasks->next_place++;
    task->previous = tasks->last;
    if (tasks->last)
        tasks->last->next = task;
    else
        tasks->first = task;
    tasks->last = task;
    return task;
}

static void task_unlink(struct gt_tl_tasks *tasks, struct gt_tl_task *task)
{
    if (task->previous)
        task->previous->next = task->next;
    else
        tasks->first = task->next;
    if (task->next)
        task->next->previous = task->previous;
    else
        tasks->last = task->previous;
}

void gt_tl_tasks_open(struct gt_timeline *timeline)
{
    struct gt_tl_tasks *tasks = &timeline->tasks;
    const gt_selector *selector = timeline->selector;
    bool has_selection = selector && selector->selection != GT_SELECT_GOROUTINE;
    tasks->has_all_tasks = timeline->exact && !has_selection;
    tasks->lowest_begun = UINT64_MAX;
    tasks->has_tasks = has_selection || tasks->has_all_tasks;
    tasks->has_all_regions = timeline->exact && timeline->view == GT_VIEW_GOROUTINE;
    tasks->has_regions =
        tasks->has_all_regions || (selector && selector->selection == GT_SELECT_TASK);
    gt_idmap_init_objects(&tasks->map, &timeline->mem, sizeof(struct gt_tl_task));
    gt_pool_init(&tasks->region_pool, &timeline->mem, sizeof(struct gt_tl_region));
    for (size_t i = 0; has_selection && i < selector->shown.count; i++)
        task_add(timeline, selector->shown.items[i]->id);
}

void gt_tl_tasks_close(struct gt_timeline *timeline)
{
    gt_idmap_destroy(&timeline->tasks.map);
    gt_pool_destroy(&timeline->tasks.region_pool);
}

static void task_name_row(struct gt_timeline *timeline, const struct gt_tl_task *task)
{
    gt_tl_name_string(&timeline->name, GT_TL_STRING("T"));
    gt_tl_name_number(&timeline->name, task->id);
    gt_tl_name_string(&timeline->name, GT_TL_STRING(" "));
    if (task->name)
        gt_tl_name_string(&timeline->name, task->name->string);
    gt_string name = gt_tl_name_end(timeline);
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_name_task(timeline->emitter, task->id, name, task->place));
}

/* Go omits goroutines that are 0. */
static void task_add_goroutine(struct gt_tl_arguments *arguments, gt_string key, int64_t goroutine)
{
    if (goroutine != 0)
        gt_tl_arguments_add(arguments, key, GT_VIEWER_UNSIGNED, (uint64_t) goroutine);
}

static void task_draw(struct gt_timeline *timeline, const struct gt_tl_task *task)
{
    struct gt_tl_arguments arguments;
    gt_slice slice = gt_tl_slice(timeline, (int64_t) task->id, task->start, task->end);
    arguments.count = 0;
    gt_tl_arguments_add(&arguments, GT_TL_STRING("id"), GT_VIEWER_UNSIGNED, task->id);
    task_add_goroutine(&arguments, GT_TL_STRING("start_g"), task->start_goroutine);
    task_add_goroutine(&arguments, GT_TL_STRING("end_g"), task->end_goroutine);
    if (task->name)
        slice.name = task->name->string;
    slice.stack = task->start_stack;
    slice.end_stack = task->end_stack;
    slice.arguments = arguments.list;
    slice.argument_count = arguments.count;
    if (!timeline->states)
        task_name_row(timeline, task);
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_task_slice(timeline->emitter, &slice));
}

/* Draws the arrow from the task's parent. */
static void task_draw_parent(struct gt_timeline *timeline, const struct gt_tl_task *task)
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

/* Draws a task that no later event can change, and frees it. */
static void task_complete(struct gt_timeline *timeline, struct gt_tl_task *task)
{
    if (!task->has_start)
        task->start = timeline->start;
    if (!task->has_end)
        task->end = timeline->now;
    task_draw(timeline, task);
    task_draw_parent(timeline, task);
    gt_shared_text_drop(&timeline->texts, task->name);
    task_unlink(&timeline->tasks, task);
    gt_idmap_drop(&timeline->tasks.map, task->id, task);
}

/*
 * Returns the task of an event, or NULL if it is not drawn. A counter gives tasks their ids
 * (runtime/trace/annotation.go). So a task that ends without having begun is older than the trace
 * if its id is lower than those of all tasks that began; otherwise it ends a second time.
 */
static struct gt_tl_task *task_find(struct gt_timeline *timeline, const gt_event *event,
                                    uint64_t id)
{
    struct gt_tl_tasks *tasks = &timeline->tasks;
    struct gt_tl_task *task = gt_idmap_get(&tasks->map, id);
    bool begins = event->kind == GT_EVENT_TASK_BEGIN;
    if (begins && id < tasks->lowest_begun)
        tasks->lowest_begun = id;
    if (task || !tasks->has_all_tasks || (!begins && id >= tasks->lowest_begun))
        return task;
    return task_add(timeline, id);
}

void gt_tl_task_event(struct gt_timeline *timeline, const gt_event *event)
{
    gt_task told = GT_TASK_INIT;
    gt_event_task(event, &told);
    struct gt_tl_task *task = task_find(timeline, event, told.id);
    if (!task)
        return;
    gt_shared_text_drop(&timeline->texts, task->name);
    task->name = gt_tl_text_get(timeline, told.type);
    if (task->parent == GT_NO_TASK)
        task->parent = told.parent;
    if (event->kind == GT_EVENT_TASK_BEGIN) {
        task->has_start = true;
        task->start = event->time;
        task->start_goroutine = event->goroutine;
        task->start_stack = timeline->stack;
        return;
    }
    task->has_end = true;
    task->end = event->time;
    task->end_goroutine = event->goroutine;
    task->end_stack = timeline->stack;
    /* A task may end more than once, and Go uses the last of these times. */
    if (timeline->exact)
        task_complete(timeline, task);
}

void gt_tl_tasks_finish(struct gt_timeline *timeline)
{
    while (timeline->tasks.first && timeline->status == GT_OK)
        task_complete(timeline, timeline->tasks.first);
}
