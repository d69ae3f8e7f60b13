/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/whypath.h"

/*
 * The most bytes for the past, which are about 110 million changes of state: those of a trace of
 * about 700 MB. Where addresses are small, so is what an analysis may take of them.
 */
#define HISTORY_MAX (SIZE_MAX > UINT32_MAX ? UINT64_C(1) << 30 : UINT64_C(1) << 28)

static void whypath_free(struct gt_mem *mem, void *result)
{
    struct gt_whypath *why = result;
    gt_path_close(&why->path);
    gt_idmap_destroy(&why->task_numbers);
    gt_array_free(mem, &why->tasks);
    pthread_mutex_destroy(&why->lock);
    gt_mem_free(mem, why, sizeof(*why));
}

/* As for `gotrace why`, a task that begins again is one that begins then. */
static gt_status whypath_task_begin(struct gt_whypath *why, uint64_t id, int64_t time)
{
    const struct gt_whypath_task task = {.begin = time};
    size_t number = gt_idmap_get_number(&why->task_numbers, id);
    if (number != 0) {
        why->tasks.items[number - 1] = task;
        return GT_OK;
    }
    gt_status status = gt_array_add(why->mem, &why->tasks, task);
    return status == GT_OK ? gt_idmap_put_number(&why->task_numbers, id, why->tasks.count) : status;
}

static void whypath_task_end(struct gt_whypath *why, uint64_t id, const gt_event *event)
{
    size_t number = gt_idmap_get_number(&why->task_numbers, id);
    struct gt_whypath_task *task = number == 0 ? NULL : &why->tasks.items[number - 1];
    if (!task || task->has_ended)
        return;
    task->end = event->time > task->begin ? event->time : task->begin;
    task->goroutine = event->goroutine;
    task->has_ended = true;
}

static gt_status whypath_on_event(void *user_data, gt_reader *reader, const gt_event *event)
{
    struct gt_whypath *why = user_data;
    gt_task task = GT_TASK_INIT;
    if (!why->has_begun)
        why->start = event->time;
    why->has_begun = true;
    gt_status status = gt_path_event(why->path, reader, event);
    if (status != GT_OK || (event->kind != GT_EVENT_TASK_BEGIN && event->kind != GT_EVENT_TASK_END))
        return status;
    status = gt_event_task(event, &task);
    if (status == GT_OK && event->kind == GT_EVENT_TASK_BEGIN)
        return whypath_task_begin(why, task.id, event->time);
    if (status == GT_OK)
        whypath_task_end(why, task.id, event);
    return status;
}

static void *whypath_run(struct gt_analysis_pass *pass, const void *key)
{
    gt_path_options options = GT_PATH_OPTIONS_INIT;
    struct gt_mem *mem = &pass->web->mem;
    struct gt_whypath *why = gt_mem_zeros(mem, sizeof(*why));
    (void) key;
    if (!why || pthread_mutex_init(&why->lock, NULL) != 0) {
        gt_mem_free(mem, why, sizeof(*why));
        return gt_analysis_fail(pass, GT_ERR_NO_MEMORY);
    }
    why->mem = mem;
    gt_idmap_init(&why->task_numbers, mem);
    options.allocator = &mem->allocator;
    options.history = HISTORY_MAX;
    gt_status status = gt_path_open(&why->path, &options, NULL);
    bool good = status == GT_OK && gt_analysis_read(pass, whypath_on_event, why);
    if (good)
        return why;
    if (status != GT_OK)
        gt_analysis_fail(pass, status);
    whypath_free(mem, why);
    return NULL;
}

const struct gt_analysis_kind gt_whypath_kind = {whypath_run, whypath_free};

const struct gt_whypath_task *gt_whypath_find_task(const struct gt_whypath *why, uint64_t id)
{
    size_t number = gt_idmap_get_number(&why->task_numbers, id);
    const struct gt_whypath_task *task = number == 0 ? NULL : &why->tasks.items[number - 1];
    return task && task->has_ended ? task : NULL;
}
