/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/groups and /api/group: goroutines grouped by the function with which they start. */
#include "web/endpoints.h"
#include "web/totals_page.h"

static const char *const sorts[] = {"id", "created", "started", "ended"};

enum {
    GT_SORT_ID = GT_RECORD_TIMES,
    SORT_CREATED,
    SORT_STARTED,
    SORT_ENDED
};

static void group_write(struct gt_json *json, const struct gt_totals_group *group)
{
    gt_json_object(json);
    gt_json_key_string(json, "name", group->name);
    gt_answer_pc(json, "pc", group->pc);
    gt_json_key_uint(json, "count", group->count);
    gt_record_write_times(json, group->sums);
    gt_json_key_object(json, "percentiles");
    gt_totals_page_write_percentiles(json, "execution", group->percentiles[GT_RECORD_EXECUTION]);
    gt_totals_page_write_percentiles(json, "sched_wait", group->percentiles[GT_RECORD_SCHED_WAIT]);
    gt_totals_page_write_percentiles(json, "block", group->percentiles[GT_RECORD_BLOCK]);
    gt_totals_page_write_percentiles(json, "total", group->percentiles[GT_RECORD_TOTAL]);
    gt_json_end(json);
    gt_json_end(json);
}

void gt_web_serve_groups(struct gt_web *web, struct gt_query *query)
{
    struct gt_json json;
    struct gt_totals_page_part part;
    gt_totals_page_part_or_all(query, &part);
    const struct gt_totals *totals = gt_totals_page_totals(web, query);
    if (!totals)
        return;
    gt_json_start(&json, query->response);
    size_t end = gt_totals_page_start_part(&json, "groups", &part, totals->groups.count);
    for (size_t i = (size_t) part.first; i < end; i++)
        group_write(&json, &totals->groups.items[i]);
    gt_json_finish(&json);
}

static int64_t group_sort_key(const struct gt_totals_page_order *order,
                              const struct gt_record_goroutine *record)
{
    switch (order->key) {
    case GT_SORT_ID:
        return record->id;
    case SORT_CREATED:
        return record->created;
    case SORT_STARTED:
        return record->started;
    case SORT_ENDED:
        return record->ended;
    default:
        return gt_totals_page_key(order, &record->times);
    }
}

static bool group_rank(const struct gt_totals_group *group,
                       const struct gt_totals_page_order *order, struct gt_ranking *ranking)
{
    struct gt_record_goroutine record;
    struct gt_unpack unpack = {&group->records, 0};
    while (!gt_unpack_is_end(&unpack)) {
        size_t at = unpack.at;
        gt_record_get_goroutine(&unpack, &record);
        if (!gt_ranking_add(ranking, group_sort_key(order, &record), at))
            return false;
    }
    return true;
}

/* The source of the goroutines of an answer. */
struct group_source {
    const struct gt_totals *totals;
    const struct gt_totals_group *group;
};

static bool group_goroutine_write(struct gt_json *json, const void *context, uint64_t at)
{
    const struct group_source *source = context;
    const struct gt_dictionary *names = &source->totals->names;
    struct gt_record_goroutine record;
    gt_record_get_goroutine(&(struct gt_unpack){&source->group->records, (size_t) at}, &record);
    gt_json_object(json);
    gt_json_key_int(json, "id", record.id);
    gt_json_key_int(json, "created", record.created);
    gt_record_write_time(json, "started", record.started);
    gt_record_write_time(json, "ended", record.ended);
    gt_record_write_all_times(json, names, &record.times);
    gt_json_end(json);
    return true;
}

static void group_answer(struct gt_response *response, const struct group_source *source,
                         const struct gt_totals_page_part *part,
                         const struct gt_totals_page_order *order)
{
    struct gt_json json;
    struct gt_ranking ranking;
    gt_ranking_init(&ranking, response->mem, (size_t) (part->first + part->count) + 1,
                    order->descending);
    if (group_rank(source->group, order, &ranking)) {
        gt_json_start(&json, response);
        gt_json_key_string(&json, "name", source->group->name);
        gt_totals_page_write_part(&json, "goroutines", &ranking, part, group_goroutine_write,
                                  source);
        gt_json_finish(&json);
    } else {
        gt_response_no_memory(response);
    }
    gt_ranking_free(&ranking);
}

void gt_web_serve_group(struct gt_web *web, struct gt_query *query)
{
    struct gt_totals_page_part part;
    struct gt_totals_page_order order;
    gt_string name = {"", 0};
    gt_query_need(query, "name");
    gt_query_text(query, "name", &name);
    gt_totals_page_part(query, &part);
    struct group_source source = {.totals = gt_totals_page_totals(web, query)};
    if (!source.totals)
        return;
    source.group = gt_totals_find_group(source.totals, name);
    gt_totals_page_order(query, source.totals, sorts, sizeof(sorts) / sizeof(sorts[0]), &order);
    if (query->failed)
        return;
    if (source.group)
        group_answer(query->response, &source, &part, &order);
    else
        gt_response_error(query->response, 404, "no goroutine began in this function");
}
