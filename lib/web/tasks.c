/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/tasks and /api/task: the tasks of runtime/trace, by name. */
#include "web/endpoints.h"
#include "web/taskevents.h"
#include "web/totals_page.h"

enum task_sort {
    GT_SORT_DURATION,
    GT_SORT_START,
    GT_SORT_ID
};

static const char *const sorts[] = {"duration", "start", "id"};

/* The tasks that a request asks for. */
struct filter {
    bool has_name, has_complete, complete, descending;
    gt_string name, log_text;
    struct gt_totals_page_latency latency;
    struct gt_totals_page_part part;
    uint32_t sort;
};

static void task_type_write(struct gt_json *json, const struct gt_totals *totals,
                            const struct gt_totals_task_type *type)
{
    gt_json_object(json);
    gt_json_key_string(json, "name", gt_dictionary_get(&totals->names, type->name));
    gt_json_key_uint(json, "count", type->count);
    gt_json_key_uint(json, "complete", type->lengths.count);
    gt_totals_page_write_lengths(json, &type->lengths);
    gt_json_end(json);
}

void gt_web_serve_tasks(struct gt_web *web, struct gt_query *query)
{
    struct gt_json json;
    struct gt_totals_page_part part;
    gt_totals_page_part_or_all(query, &part);
    const struct gt_totals *totals = gt_totals_page_totals(web, query);
    if (!totals)
        return;
    gt_json_start(&json, query->response);
    size_t end = gt_totals_page_start_part(&json, "types", &part, totals->task_types.count);
    for (size_t i = (size_t) part.first; i < end; i++)
        task_type_write(&json, totals, &totals->task_types.items[i]);
    gt_json_finish(&json);
}

/*
 * As in Go's viewer, a task that is not complete has no latency and so matches no limits of
 * latency.
 */
static bool task_is_asked(const struct gt_totals *totals, const struct filter *filter,
                          uint32_t name, const struct gt_totals_task *task)
{
    bool complete = task->has_begin && task->has_end;
    if (filter->has_name && task->name != name)
        return false;
    if (filter->has_complete && filter->complete != complete)
        return false;
    if (filter->latency.is_asked &&
        !(complete && gt_totals_page_fits(&filter->latency, gt_totals_task_length(totals, task))))
        return false;
    return filter->log_text.size == 0 || gt_taskevents_have(totals, task, filter->log_text.data);
}

static int64_t task_sort_key(const struct gt_totals *totals, const struct filter *filter,
                             const struct gt_totals_task *task)
{
    switch (filter->sort) {
    case GT_SORT_START:
        return task->has_begin ? task->begin : 0;
    case GT_SORT_ID:
        return (int64_t) (task->id & INT64_MAX);
    default:
        return gt_totals_task_length(totals, task);
    }
}

/*
 * Children are linked from the last to the first, but written in order. Returns false if memory
 * runs out.
 */
static bool task_children_write(struct gt_json *json, const struct gt_totals *totals,
                                const struct gt_totals_task *task)
{
    size_t count = 0;
    for (uint32_t i = task->last_child; i != 0; i = totals->tasks.items[i - 1].previous_sibling)
        count++;
    struct gt_mem *mem = json->out->mem;
    uint64_t *ids = gt_mem_alloc(mem, (count + 1) * sizeof(*ids));
    if (!ids)
        return false;
    size_t at = count;
    for (uint32_t i = task->last_child; i != 0; i = totals->tasks.items[i - 1].previous_sibling)
        ids[--at] = totals->tasks.items[i - 1].id;
    gt_json_key_uint(json, "children_total", count);
    gt_json_key_array(json, "children");
    for (size_t i = 0; i < count && i < GT_TASKEVENTS_MAX; i++)
        gt_json_uint(json, ids[i]);
    gt_json_end(json);
    gt_mem_free(mem, ids, (count + 1) * sizeof(*ids));
    return true;
}

static bool task_write(struct gt_json *json, const void *context, uint64_t number)
{
    const struct gt_totals *totals = context;
    const struct gt_totals_task *task = &totals->tasks.items[number];
    gt_json_object(json);
    gt_json_key_uint(json, "id", task->id);
    gt_json_key_string(json, "name", gt_dictionary_get(&totals->names, task->name));
    if (task->parent == GT_NO_TASK)
        gt_json_key_null(json, "parent");
    else
        gt_json_key_uint(json, "parent", task->parent);
    gt_totals_page_write_interval(json, totals, task->has_begin ? task->begin : GT_RECORD_NONE,
                                  task->has_end ? task->end : GT_RECORD_NONE);
    gt_json_key_int(json, "duration", gt_totals_task_length(totals, task));
    gt_json_key_bool(json, "complete", task->has_begin && task->has_end);
    gt_json_key_uint(json, "regions", task->regions);
    bool good = gt_taskevents_write(json, totals, task) && task_children_write(json, totals, task);
    gt_json_end(json);
    return good;
}

static void task_list_write(struct gt_response *response, const struct gt_totals *totals,
                            const struct gt_totals_page_part *part, struct gt_ranking *ranking)
{
    struct gt_json json;
    gt_json_start(&json, response);
    bool good = gt_totals_page_write_part(&json, "tasks", ranking, part, task_write, totals);
    gt_json_finish(&json);
    if (!good)
        gt_response_no_memory(response);
}

static void task_answer(struct gt_response *response, const struct gt_totals *totals,
                        const struct filter *filter)
{
    struct gt_ranking ranking;
    bool good = true;
    uint32_t name = 0, known = 0;
    if (filter->has_name && gt_dictionary_find(&totals->names, filter->name, &name)) {
        for (size_t i = 0; i < totals->task_types.count; i++)
            known |= totals->task_types.items[i].name == name;
    }
    if (filter->has_name && !known) {
        gt_response_error(response, 404, "no task has this name");
        return;
    }
    gt_ranking_init(&ranking, response->mem, (size_t) (filter->part.first + filter->part.count) + 1,
                    filter->descending);
    for (size_t i = 0; i < totals->tasks.count && good; i++) {
        if (task_is_asked(totals, filter, name, &totals->tasks.items[i]))
            good =
                gt_ranking_add(&ranking, task_sort_key(totals, filter, &totals->tasks.items[i]), i);
    }
    if (good)
        task_list_write(response, totals, &filter->part, &ranking);
    else
        gt_response_no_memory(response);
    gt_ranking_free(&ranking);
}

void gt_web_serve_task(struct gt_web *web, struct gt_query *query)
{
    struct filter filter = {.has_name = false};
    filter.has_name = gt_query_text(query, "name", &filter.name);
    filter.has_complete = gt_query_has(query, "complete");
    gt_query_bool(query, "complete", &filter.complete);
    gt_query_text(query, "logtext", &filter.log_text);
    gt_query_word(query, "sort", sorts, sizeof(sorts) / sizeof(sorts[0]), &filter.sort);
    gt_query_bool(query, "desc", &filter.descending);
    gt_totals_page_latency(query, &filter.latency);
    gt_totals_page_part(query, &filter.part);
    const struct gt_totals *totals = gt_totals_page_totals(web, query);
    if (totals)
        task_answer(query->response, totals, &filter);
}
