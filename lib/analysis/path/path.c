/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/path/path.h"

#include <gotrace/reader.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/object.h"
#include "base/time.h"

#define FLAGS (GT_PATH_TASKS | GT_PATH_REGIONS | GT_PATH_GOROUTINES)

static bool path_options_are_valid(const void *options, gt_error *failure)
{
    const gt_path_options *given = options;
    if (given->name.data || given->name.size == 0)
        return true;
    gt_error_refuse(failure, "options.name.data is NULL");
    return false;
}

static gt_status path_texts_init(struct gt_path *path)
{
    gt_status status = gt_texts_init(&path->texts, &path->mem);
    if (status == GT_OK)
        status = gt_stackset_init(&path->stacks, &path->mem);
    path->selects_name = path->options.name.data != NULL;
    if (status == GT_OK && path->selects_name)
        status = gt_texts_add(&path->texts, path->options.name, &path->name);
    return status;
}

gt_status gt_path_open(gt_path **out, const gt_path_options *options, gt_error *error)
{
    static const gt_path_options defaults = GT_PATH_OPTIONS_INIT;
    static const struct gt_object_layout layout = GT_OBJECT_LAYOUT(
        "path", gt_path, gt_path_options, allocator, FLAGS, &defaults, path_options_are_valid);
    gt_status status;
    struct gt_path *path = gt_object_open(out, &layout, options, error, &status);
    if (!path)
        return status;
    struct gt_mem *mem = &path->mem;
    path->secret = gt_hash_secret(path);
    gt_history_init(&path->history, mem, path->options.history);
    gt_intervals_init(&path->intervals, mem);
    gt_idmap_init(&path->numbers, mem);
    gt_idmap_init(&path->proc_states, mem);
    gt_pool_init(&path->region_pool, mem, sizeof(struct gt_path_region));
    gt_idmap_init_objects(&path->tasks, mem, sizeof(struct gt_path_task));
    status = path_texts_init(path);
    if (status != GT_OK)
        gt_path_close(&path);
    *out = path;
    return gt_error_report_plain(error, status);
}

void gt_path_close(gt_path **out)
{
    struct gt_path *path = out ? *out : NULL;
    if (!path || path->busy)
        return;
    struct gt_mem *mem = &path->mem;
    gt_texts_destroy(&path->texts);
    gt_stackset_destroy(&path->stacks);
    gt_array_free(mem, &path->name_counts);
    gt_array_free(mem, &path->names);
    gt_array_free(mem, &path->labels);
    gt_index_free(&path->label_index, mem);
    gt_history_destroy(&path->history);
    gt_array_free(mem, &path->goroutines);
    gt_array_free(mem, &path->free);
    gt_idmap_destroy(&path->numbers);
    gt_idmap_destroy(&path->proc_states);
    gt_pool_destroy(&path->region_pool);
    gt_idmap_destroy(&path->tasks);
    gt_intervals_destroy(&path->intervals);
    gt_array_free(mem, &path->steps);
    gt_array_free(mem, &path->waits);
    gt_mem_delete(mem, path, sizeof(*path));
    *out = NULL;
}

/* The path of an interval that ends in no known goroutine is not known. */
static gt_status path_interval_add_unknown(struct gt_path *path, int64_t time)
{
    const struct gt_path_label unknown = {GT_PATH_UNKNOWN, 0, 0};
    uint32_t label;
    gt_status status = gt_path_label_number(path, unknown, &label);
    return status == GT_OK && time > 0 ? gt_intervals_add(&path->intervals, 0, label, time)
                                       : status;
}

gt_status gt_path_interval_end(struct gt_path *path, size_t number_plus_1,
                               const struct gt_path_found *found, uint32_t stack)
{
    gt_status status = gt_array_extend(&path->mem, &path->name_counts, (size_t) found->name + 1);
    if (status != GT_OK)
        return status;
    path->name_counts.items[found->name]++;
    if (path->selects_name && found->name != path->name)
        return GT_OK;
    struct gt_path_found interval = *found;
    interval.end = path->now;
    interval.goroutine =
        number_plus_1 == 0 ? GT_NO_GOROUTINE : path->goroutines.items[number_plus_1 - 1].id;
    status = gt_intervals_begin(&path->intervals, &interval);
    if (status != GT_OK)
        return status;
    if (number_plus_1 == 0)
        return path_interval_add_unknown(path, gt_time_minus(interval.end, interval.start));
    struct gt_path_query query = {
        .goroutine = number_plus_1 - 1,
        .start = interval.start,
        .end = interval.end,
        .stack = stack,
    };
    status = gt_path_walk(path, &query);
    path->cut += query.was_cut;
    return status;
}

static gt_status path_dispatch(struct gt_path *path, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_STATE_TRANSITION:
        return gt_path_transition(path, event);
    case GT_EVENT_METRIC:
        gt_path_metric(path, event);
        return GT_OK;
    case GT_EVENT_STACK_SAMPLE:
        return gt_path_sample(path, event);
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return gt_path_task_event(path, event);
    case GT_EVENT_REGION_BEGIN:
        return gt_path_region_begin(path, event);
    case GT_EVENT_REGION_END:
        return gt_path_region_end(path, event);
    default:
        return GT_OK;
    }
}

/* Sets the time of the event, and what paths may cost from now on. */
static void path_event_enter(struct gt_path *path, const gt_event *event)
{
    if (path->events == 0)
        path->start = path->now = event->time;
    if (event->time > path->now)
        path->now = event->time;
    path->events++;
    path->credit = path->credit > UINT64_MAX - path->options.steps
                       ? UINT64_MAX
                       : path->credit + path->options.steps;
}

gt_status gt_path_event(gt_path *path, struct gt_reader *reader, const gt_event *event)
{
    if (!path || !event || path->busy || path->finished ||
        (reader && !gt_reader_has_event(reader, event)))
        return GT_ERR_INVALID_ARGUMENT;
    if (path->failure != GT_OK)
        return path->failure;
    path->busy = true;
    path->reader = reader;
    path->event = event;
    path_event_enter(path, event);
    path->failure = path_dispatch(path, event);
    path->busy = false;
    return path->failure;
}

gt_status gt_path_finish(gt_path *path)
{
    if (!path || path->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (path->finished || path->failure != GT_OK)
        return path->failure;
    path->finished = true;
    path->busy = true;
    if (path->options.flags & GT_PATH_GOROUTINES)
        path->failure = gt_path_goroutines_end(path);
    if (path->failure == GT_OK)
        path->failure = gt_path_names_sort(path);
    path->busy = false;
    return path->failure;
}

gt_status gt_path_follow(gt_path *path, int64_t goroutine, int64_t start, int64_t end)
{
    if (!path || path->busy || end < start)
        return GT_ERR_INVALID_ARGUMENT;
    if (path->failure != GT_OK)
        return path->failure;
    size_t number = gt_path_goroutine_number(path, goroutine);
    if (number == 0)
        return GT_ERR_NOT_AVAILABLE;
    struct gt_path_query query = {
        .goroutine = number - 1, .start = start, .end = end, .keeps = true};
    path->steps.count = 0;
    path->steps_end = end;
    path->busy = true;
    gt_status status = gt_path_walk(path, &query);
    if (status != GT_OK)
        path->steps.count = 0;
    path->busy = false;
    return status;
}

gt_status gt_path_select(gt_path *path, int64_t from, int64_t to)
{
    if (!path || path->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (path->failure != GT_OK)
        return path->failure;
    path->busy = true;
    path->failure = gt_intervals_select(&path->intervals, from, to);
    path->busy = false;
    return path->failure;
}

gt_status gt_path_quantile(gt_path *path, double part, int64_t *duration)
{
    if (!path || path->busy || !duration || !(part >= 0 && part <= 1))
        return GT_ERR_INVALID_ARGUMENT;
    if (path->failure != GT_OK)
        return path->failure;
    if (path->intervals.list.count == 0)
        return GT_ERR_NOT_AVAILABLE;
    path->busy = true;
    path->failure = gt_intervals_quantile(&path->intervals, part, duration);
    path->busy = false;
    return path->failure;
}
