/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/tasks and /api/task: the tasks of runtime/trace, by name. */
#include <stdlib.h>
#include <string.h>

#include "web/endpoints.h"
#include "web/figures.h"
#include "web/taskevents.h"

enum task_sort {
    SORT_DURATION,
    SORT_START,
    SORT_ID
};

static const char *const sorts[] = {"duration", "start", "id"};

/* Which tasks are asked for. */
struct filter {
    bool has_name, has_complete, complete, descending;
    gt_string name, log_text;
    struct figures_latency latency;
    struct figures_part part;
    uint32_t sort;
};

static void write_type(struct json *json, const struct totals *totals,
                       const struct totals_task_type *type)
{
    json_object(json);
    json_key_string(json, "name", dictionary_get(&totals->names, type->name));
    json_key_uint(json, "count", type->count);
    json_key_uint(json, "complete", type->lengths.count);
    figures_write_lengths(json, &type->lengths);
    json_end_object(json);
}

static void write_types(struct json *json, const struct totals *totals)
{
    for (size_t i = 0; i < totals->task_type_count; i++)
        write_type(json, totals, &totals->task_types[i]);
}

void gt_web_serve_tasks(void *view, const struct gt_request *request, struct gt_response *response)
{
    (void) request;
    figures_list(view, response, "types", write_types);
}

/* As in Go a task that is not complete has no latency that would fit. */
static bool is_asked(const struct totals *totals, const struct filter *filter, uint32_t name,
                     const struct totals_task *task)
{
    bool complete = task->has_begin && task->has_end;
    if (filter->has_name && task->name != name)
        return false;
    if (filter->has_complete && filter->complete != complete)
        return false;
    if (filter->latency.is_asked &&
        !(complete && figures_fits(&filter->latency, totals_task_length(totals, task))))
        return false;
    return filter->log_text.size == 0 || taskevents_have(totals, task, filter->log_text);
}

static int64_t key_of(const struct totals *totals, const struct filter *filter,
                      const struct totals_task *task)
{
    switch (filter->sort) {
    case SORT_START:
        return task->has_begin ? task->begin : 0;
    case SORT_ID:
        return (int64_t) (task->id & INT64_MAX);
    default:
        return totals_task_length(totals, task);
    }
}

/* Children are chained from the last to the first. */
static bool write_children(struct json *json, const struct totals *totals,
                           const struct totals_task *task)
{
    size_t count = 0;
    for (uint32_t i = task->last_child; i != 0; i = totals->tasks[i - 1].previous_sibling)
        count++;
    uint64_t *ids = malloc((count + 1) * sizeof(*ids));
    if (ids == NULL)
        return false;
    size_t at = count;
    for (uint32_t i = task->last_child; i != 0; i = totals->tasks[i - 1].previous_sibling)
        ids[--at] = totals->tasks[i - 1].id;
    json_key_uint(json, "children_total", count);
    json_key(json, "children");
    json_array(json);
    for (size_t i = 0; i < count && i < TASKEVENTS_MAX; i++)
        json_uint(json, ids[i]);
    json_end_array(json);
    free(ids);
    return true;
}

static bool write_task(struct json *json, const struct totals *totals,
                       const struct totals_task *task)
{
    json_object(json);
    json_key_uint(json, "id", task->id);
    json_key_string(json, "name", dictionary_get(&totals->names, task->name));
    if (task->parent == GT_NO_TASK)
        json_key_null(json, "parent");
    else
        json_key_uint(json, "parent", task->parent);
    figures_write_interval(json, totals, task->has_begin ? task->begin : RECORD_NONE,
                           task->has_end ? task->end : RECORD_NONE);
    json_key_int(json, "duration", totals_task_length(totals, task));
    json_key_bool(json, "complete", task->has_begin && task->has_end);
    json_key_uint(json, "regions", task->regions);
    bool good = taskevents_write(json, totals, task) && write_children(json, totals, task);
    json_end_object(json);
    return good;
}

static void answer_tasks(struct gt_response *response, const struct totals *totals,
                         const struct filter *filter, struct ranking *ranking)
{
    const struct figures_part *part = &filter->part;
    struct json json;
    bool good = true;
    ranking_finish(ranking);
    json_init(&json, response);
    json_object(&json);
    json_key_uint(&json, "total", ranking->total);
    json_key(&json, "tasks");
    json_array(&json);
    for (uint64_t i = part->first; i < part->first + part->count && i < ranking->count && good; i++)
        good = write_task(&json, totals, &totals->tasks[ranking->list[i].what]) &&
               !gt_response_is_over(response);
    json_end_array(&json);
    json_end_object(&json);
    if (!good)
        figures_no_memory(response);
}

static void find_tasks(struct gt_response *response, const struct totals *totals,
                       const struct filter *filter)
{
    struct ranking ranking;
    bool good = true;
    uint32_t name = 0, known = 0;
    if (filter->has_name && dictionary_find(&totals->names, filter->name, &name)) {
        for (size_t i = 0; i < totals->task_type_count; i++)
            known |= totals->task_types[i].name == name;
    }
    if (filter->has_name && !known) {
        gt_response_error(response, 404, "no task has this name");
        return;
    }
    ranking_init(&ranking, (size_t) (filter->part.first + filter->part.count) + 1,
                 filter->descending);
    for (size_t i = 0; i < totals->task_count && good; i++) {
        if (is_asked(totals, filter, name, &totals->tasks[i]))
            good = ranking_add(&ranking, key_of(totals, filter, &totals->tasks[i]), i);
    }
    if (good)
        answer_tasks(response, totals, filter, &ranking);
    else
        figures_no_memory(response);
    ranking_free(&ranking);
}

void gt_web_serve_task(void *view, const struct gt_request *request, struct gt_response *response)
{
    const struct totals *totals;
    struct query query;
    struct filter filter = {.has_name = false};
    query_init(&query, request, response);
    filter.has_name = query_has(&query, "name");
    query_text(&query, "name", &filter.name);
    filter.has_complete = query_has(&query, "complete");
    query_bool(&query, "complete", &filter.complete);
    query_text(&query, "logtext", &filter.log_text);
    query_word(&query, "sort", sorts, sizeof(sorts) / sizeof(sorts[0]), &filter.sort);
    query_bool(&query, "desc", &filter.descending);
    figures_latency(&query, &filter.latency);
    figures_part(&query, &filter.part);
    struct analysis_job *job = query.failed ? NULL : figures_totals(view, response, &totals);
    if (job == NULL)
        return;
    find_tasks(response, totals, &filter);
    analysis_release(view, job);
}
