/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/groups and /api/group: goroutines by the function that they start with. */
#include "web/endpoints.h"
#include "web/figures.h"

static const char *const sorts[] = {"id", "created", "started", "ended"};

enum {
    SORT_ID = RECORD_TIMES,
    SORT_CREATED,
    SORT_STARTED,
    SORT_ENDED
};

static void write_group(struct json *json, const struct totals_group *group)
{
    const int64_t *sums = group->group->sums;
    const int64_t values[RECORD_TIMES] = {
        [RECORD_EXECUTION] = sums[GROUP_EXECUTION],
        [RECORD_SCHED_WAIT] = sums[GROUP_SCHED_WAIT],
        [RECORD_SYSCALL] = sums[GROUP_SYSCALL],
        [RECORD_SYSCALL_BLOCK] = sums[GROUP_SYSCALL_BLOCK],
        [RECORD_BLOCK] = sums[GROUP_BLOCK],
        [RECORD_UNKNOWN] = sums[GROUP_UNKNOWN],
        [RECORD_TOTAL] = sums[GROUP_TOTAL],
    };
    json_object(json);
    json_key_string(json, "name", (gt_string){group->group->name, group->group->name_size});
    figures_write_pc(json, "pc", group->pc);
    json_key_uint(json, "count", group->group->count);
    record_write_times(json, values);
    json_key(json, "percentiles");
    json_object(json);
    figures_write_percentiles(json, "execution", group->percentiles[RECORD_EXECUTION]);
    figures_write_percentiles(json, "sched_wait", group->percentiles[RECORD_SCHED_WAIT]);
    figures_write_percentiles(json, "block", group->percentiles[RECORD_BLOCK]);
    figures_write_percentiles(json, "total", group->percentiles[RECORD_TOTAL]);
    json_end_object(json);
    json_end_object(json);
}

static void write_groups(struct json *json, const struct totals *totals)
{
    for (size_t i = 0; i < totals->groups.count; i++)
        write_group(json, totals->groups.list[i]->own);
}

void gt_web_serve_groups(void *view, const struct gt_request *request, struct gt_response *response)
{
    (void) request;
    figures_list(view, response, "groups", write_groups);
}

static int64_t key_of(const struct figures_order *order, const struct record_goroutine *record)
{
    switch (order->key) {
    case SORT_ID:
        return record->id;
    case SORT_CREATED:
        return record->created;
    case SORT_STARTED:
        return record->started;
    case SORT_ENDED:
        return record->ended;
    default:
        return figures_key(order, &record->times);
    }
}

static bool rank(const struct totals_group *group, const struct figures_order *order,
                 struct ranking *ranking)
{
    struct record_goroutine record;
    struct unpack unpack = {&group->records, 0};
    while (!unpack_is_end(&unpack)) {
        size_t at = unpack.at;
        record_get_goroutine(&unpack, &record);
        if (!ranking_add(ranking, key_of(order, &record), at))
            return false;
    }
    ranking_finish(ranking);
    return true;
}

static void write_goroutine(struct json *json, const struct totals *totals,
                            const struct totals_group *group, size_t at)
{
    struct record_goroutine record;
    record_get_goroutine(&(struct unpack){&group->records, at}, &record);
    json_object(json);
    json_key_int(json, "id", record.id);
    json_key_int(json, "created", record.created);
    record_write_time(json, "started", record.started);
    record_write_time(json, "ended", record.ended);
    record_write_times(json, record.times.values);
    record_write_named(json, "blocks", &totals->names, &record.times.blocks);
    record_write_named(json, "ranges", &totals->names, &record.times.ranges);
    json_end_object(json);
}

static void answer_group(struct gt_response *response, const struct totals *totals,
                         const struct totals_group *group, const struct figures_part *part,
                         const struct figures_order *order)
{
    struct json json;
    struct ranking ranking;
    ranking_init(&ranking, (size_t) (part->first + part->count) + 1, order->descending);
    if (!rank(group, order, &ranking)) {
        ranking_free(&ranking);
        figures_no_memory(response);
        return;
    }
    json_init(&json, response);
    json_object(&json);
    json_key_string(&json, "name", (gt_string){group->group->name, group->group->name_size});
    json_key_uint(&json, "total", ranking.total);
    json_key(&json, "goroutines");
    json_array(&json);
    for (uint64_t i = part->first; i < part->first + part->count && i < ranking.count; i++)
        write_goroutine(&json, totals, group, (size_t) ranking.list[i].what);
    json_end_array(&json);
    json_end_object(&json);
    ranking_free(&ranking);
}

void gt_web_serve_group(void *view, const struct gt_request *request, struct gt_response *response)
{
    const struct totals *totals;
    struct query query;
    struct figures_part part;
    struct figures_order order;
    gt_string name = {"", 0};
    query_init(&query, request, response);
    query_need(&query, "name");
    query_text(&query, "name", &name);
    figures_part(&query, &part);
    struct analysis_job *job = query.failed ? NULL : figures_totals(view, response, &totals);
    if (job == NULL)
        return;
    const struct totals_group *group = totals_find_group(totals, name);
    figures_order(&query, totals, sorts, sizeof(sorts) / sizeof(sorts[0]), &order);
    if (!query.failed && group == NULL)
        gt_response_error(response, 404, "no goroutine began in this function");
    else if (!query.failed)
        answer_group(response, totals, group, &part, &order);
    analysis_release(view, job);
}
