/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/open_find.h"
#include "merge/nesting.h"
#include "v2/order.h"
#include "v2/record.h"

/* Tasks, regions and logs of package runtime/trace. */

/* Little is checked here, because a task may end without having begun, and ids may be reused. */
gt_result gt_v2_task_begin(struct gt_v2 *v2, struct gt_v2_thread *thread,
                           struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 4))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t id = data->arguments[0];
    if (gt_idmap_get(&v2->state.tasks, id))
        return gt_v2_fail(v2, thread, GT_ERR_ORDER, "task %d begins, but is active already",
                          (int64_t) id, 0);
    /* In the trace 0 means that there is no parent. In the API 0 is the background task. */
    if (data->arguments[1] == GT_BACKGROUND_TASK)
        data->arguments[1] = GT_NO_TASK;
    gt_result result = gt_v2_take_string(v2, thread, data, 0, data->arguments[2]);
    if (result != GT_RESULT_DONE)
        return result;
    if (!gt_v2_runs_code(thread))
        return gt_v2_fail_context(v2, thread);
    struct gt_v2_task *task = gt_idmap_add(&v2->state.tasks, id);
    if (!task)
        return gt_v2_fail_memory(v2);
    task->parent = data->arguments[1];
    task->name = gt_strings_name(&v2->table->strings, &v2->names, data->strings[0]);
    if (!task->name) {
        gt_idmap_drop(&v2->state.tasks, id, task);
        return gt_v2_fail_memory(v2);
    }
    return gt_v2_take_stack(v2, thread, data, data->arguments[3]);
}

/* The parent is stored as a third argument, which the record itself does not have. */
gt_result gt_v2_task_end(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 2))
        return gt_v2_fail_decoding(v2, thread);
    uint64_t id = data->arguments[0];
    struct gt_v2_task *task = gt_idmap_get(&v2->state.tasks, id);
    data->name = NULL;
    data->arguments[2] = GT_NO_TASK;
    if (task) {
        data->name = task->name;
        data->arguments[2] = task->parent;
        gt_names_drop(&v2->names, task->name);
        gt_idmap_drop(&v2->state.tasks, id, task);
    }
    if (!gt_v2_runs_code(thread))
        return gt_v2_fail_context(v2, thread);
    return gt_v2_take_stack(v2, thread, data, data->arguments[1]);
}

/*
 * Reads the arguments that the beginning and the end of a region share, and finds the goroutine,
 * which must run code.
 */
static struct gt_v2_subject v2_region_read(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                           struct gt_event_data *data)
{
    struct gt_v2_subject subject = {NULL, GT_RESULT_ERROR};
    if (!gt_v2_read(thread, data, 3)) {
        gt_v2_fail_decoding(v2, thread);
        return subject;
    }
    subject.goroutine = gt_v2_current(v2, thread);
    if (subject.goroutine)
        subject.result = gt_v2_take_string(v2, thread, data, 0, data->arguments[1]);
    else
        gt_v2_fail_context(v2, thread);
    return subject;
}

gt_result gt_v2_region_begin(struct gt_v2 *v2, struct gt_v2_thread *thread,
                             struct gt_event_data *data)
{
    struct gt_v2_subject subject = v2_region_read(v2, thread, data);
    if (subject.result != GT_RESULT_DONE)
        return subject.result;
    struct gt_v2_open *region = gt_pool_take(&v2->state.open_pool);
    if (!region)
        return gt_v2_fail_memory(v2);
    region->task = data->arguments[0];
    region->name = gt_strings_name(&v2->table->strings, &v2->names, data->strings[0]);
    if (!region->name) {
        gt_pool_give(&v2->state.open_pool, region);
        return gt_v2_fail_memory(v2);
    }
    region->next = subject.goroutine->regions;
    subject.goroutine->regions = region;
    return gt_v2_take_stack(v2, thread, data, data->arguments[2]);
}

/*
 * Returns the pointer to the open region that ends: the innermost one, or if the reader is lenient
 * one around it. Returns NULL and sets the error if there is none.
 */
static struct gt_v2_open **v2_region_find(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                          struct gt_v2_goroutine *goroutine,
                                          const struct gt_event_data *data)
{
    const struct gt_v2_open *inner = goroutine->regions;
    struct gt_nesting nesting = {
        .ends = gt_strings_get(&v2->table->strings, data->strings[0]),
        .ends_task = data->arguments[0],
        .inner = {inner->name->text, inner->name->size},
        .inner_task = inner->task,
        .goroutine = goroutine->id,
    };
    const gt_string type = nesting.ends;
    uint64_t hash = gt_names_hash(&v2->names, type.data, type.size);
    struct gt_v2_open **link;
    GT_OPEN_FIND(link, &goroutine->regions, next,
                 (*link)->task == nesting.ends_task && (*link)->name->hash == hash &&
                     gt_name_is((*link)->name, type.data, type.size));
    if (link == &goroutine->regions)
        return link;
    gt_nesting_fail(v2->error, gt_v2_event_offset(v2, thread), v2->generation.number, &nesting);
    return link && gt_nesting_forgive(&v2->repair, v2->error) ? link : NULL;
}

/* Ends a region. A region that began before the trace started is not known. */
gt_result gt_v2_region_end(struct gt_v2 *v2, struct gt_v2_thread *thread,
                           struct gt_event_data *data)
{
    struct gt_v2_subject subject = v2_region_read(v2, thread, data);
    if (subject.result != GT_RESULT_DONE)
        return subject.result;
    struct gt_v2_goroutine *goroutine = subject.goroutine;
    if (goroutine->regions) {
        struct gt_v2_open **link = v2_region_find(v2, thread, goroutine, data);
        if (!link)
            return GT_RESULT_ERROR;
        struct gt_v2_open *region = *link;
        *link = region->next;
        gt_names_drop(&v2->names, region->name);
        gt_pool_give(&v2->state.open_pool, region);
    } else if (v2->is_apart) {
        data->type = GT_V2_OUTER_REGION_END;
    }
    return gt_v2_take_stack(v2, thread, data, data->arguments[2]);
}

gt_result gt_v2_log(struct gt_v2 *v2, struct gt_v2_thread *thread, struct gt_event_data *data)
{
    if (!gt_v2_read(thread, data, 4))
        return gt_v2_fail_decoding(v2, thread);
    if (!gt_v2_runs_code(thread))
        return gt_v2_fail_context(v2, thread);
    gt_result result = gt_v2_take_string(v2, thread, data, 0, data->arguments[1]);
    if (result == GT_RESULT_DONE)
        result = gt_v2_take_string(v2, thread, data, 1, data->arguments[2]);
    return result != GT_RESULT_DONE ? result
                                    : gt_v2_take_stack(v2, thread, data, data->arguments[3]);
}
