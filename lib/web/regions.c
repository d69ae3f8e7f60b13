/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/regions and /api/region: the regions of runtime/trace, by type and place. */
#include <string.h>

#include "web/endpoints.h"
#include "web/figures.h"

static const char *const sorts[] = {"start", "goroutine", "task", "latency"};

enum {
    SORT_START = RECORD_TIMES,
    SORT_GOROUTINE,
    SORT_TASK,
    SORT_LATENCY
};

enum {
    /* A region's place among all of the types, as one number: the type above these bits. */
    PLACE_BITS = 40
};

/* Which regions are asked for. */
struct filter {
    bool has_type, has_pc;
    gt_string type;
    uint64_t pc;
    struct figures_latency latency;
    struct figures_part part;
    struct figures_order order;
};

static void write_type(struct json *json, const struct totals *totals,
                       const struct totals_region_type *type)
{
    json_object(json);
    json_key_string(json, "type", dictionary_get(&totals->names, type->type));
    json_key_string(json, "function", dictionary_get(&totals->names, type->function));
    json_key_string(json, "file", dictionary_get(&totals->names, type->file));
    json_key_uint(json, "line", type->line);
    figures_write_pc(json, "pc", type->pc);
    json_key_uint(json, "count", type->lengths.count);
    figures_write_lengths(json, &type->lengths);
    json_end_object(json);
}

static void write_types(struct json *json, const struct totals *totals)
{
    for (size_t i = 0; i < totals->region_type_count; i++)
        write_type(json, totals, &totals->region_types[i]);
}

void gt_web_serve_regions(void *view, const struct gt_request *request,
                          struct gt_response *response)
{
    (void) request;
    figures_list(view, response, "types", write_types);
}

static int64_t key_of(const struct totals *totals, const struct figures_order *order,
                      const struct record_region *record)
{
    switch (order->key) {
    case SORT_START:
        return record->begin;
    case SORT_GOROUTINE:
        return record->goroutine;
    case SORT_TASK:
        return (int64_t) (record->task & INT64_MAX);
    case SORT_LATENCY:
        return totals_region_length(totals, record);
    default:
        return figures_key(order, &record->times);
    }
}

static bool is_asked(const struct totals *totals, const struct filter *filter,
                     const struct totals_region_type *type)
{
    gt_string name = dictionary_get(&totals->names, type->type);
    if (filter->has_pc && filter->pc != type->pc)
        return false;
    return !filter->has_type ||
           (name.size == filter->type.size && memcmp(name.data, filter->type.data, name.size) == 0);
}

static bool rank_type(const struct totals *totals, const struct filter *filter, size_t number,
                      struct ranking *ranking)
{
    struct record_region record;
    struct unpack unpack = {&totals->region_types[number].records, 0};
    while (!unpack_is_end(&unpack)) {
        uint64_t place = (uint64_t) number << PLACE_BITS | unpack.at;
        record_get_region(&unpack, &record);
        if (figures_fits(&filter->latency, totals_region_length(totals, &record)) &&
            !ranking_add(ranking, key_of(totals, &filter->order, &record), place))
            return false;
    }
    return true;
}

static void write_region(struct json *json, const struct totals *totals, uint64_t place)
{
    struct record_region record;
    const struct totals_region_type *type = &totals->region_types[place >> PLACE_BITS];
    size_t at = (size_t) (place & ((UINT64_C(1) << PLACE_BITS) - 1));
    record_get_region(&(struct unpack){&type->records, at}, &record);
    json_object(json);
    json_key_int(json, "goroutine", record.goroutine);
    json_key_uint(json, "task", record.task);
    json_key_string(json, "type", dictionary_get(&totals->names, type->type));
    figures_write_interval(json, totals, record.begin, record.end);
    record_write_times(json, record.times.values);
    record_write_named(json, "blocks", &totals->names, &record.times.blocks);
    record_write_named(json, "ranges", &totals->names, &record.times.ranges);
    json_end_object(json);
}

static void answer_regions(struct gt_response *response, const struct totals *totals,
                           const struct filter *filter, struct ranking *ranking)
{
    const struct figures_part *part = &filter->part;
    struct json json;
    ranking_finish(ranking);
    json_init(&json, response);
    json_object(&json);
    json_key_uint(&json, "total", ranking->total);
    json_key(&json, "regions");
    json_array(&json);
    for (uint64_t i = part->first; i < part->first + part->count && i < ranking->count; i++)
        write_region(&json, totals, ranking->list[i].what);
    json_end_array(&json);
    json_end_object(&json);
}

static void find_regions(struct gt_response *response, const struct totals *totals,
                         const struct filter *filter)
{
    struct ranking ranking;
    size_t types = 0;
    bool good = true;
    ranking_init(&ranking, (size_t) (filter->part.first + filter->part.count) + 1,
                 filter->order.descending);
    for (size_t i = 0; good && i < totals->region_type_count; i++) {
        if (!is_asked(totals, filter, &totals->region_types[i]))
            continue;
        types++;
        good = rank_type(totals, filter, i, &ranking);
    }
    if (!good)
        figures_no_memory(response);
    else if (types == 0 && (filter->has_type || filter->has_pc))
        gt_response_error(response, 404, "no such regions");
    else
        answer_regions(response, totals, filter, &ranking);
    ranking_free(&ranking);
}

void gt_web_serve_region(void *view, const struct gt_request *request, struct gt_response *response)
{
    const struct totals *totals;
    struct query query;
    struct filter filter = {.has_type = false};
    query_init(&query, request, response);
    filter.has_type = query_has(&query, "type");
    query_text(&query, "type", &filter.type);
    filter.has_pc = figures_pc(&query, &filter.pc);
    figures_latency(&query, &filter.latency);
    figures_part(&query, &filter.part);
    struct analysis_job *job = query.failed ? NULL : figures_totals(view, response, &totals);
    if (job == NULL)
        return;
    figures_order(&query, totals, sorts, sizeof(sorts) / sizeof(sorts[0]), &filter.order);
    if (!query.failed)
        find_regions(response, totals, &filter);
    analysis_release(view, job);
}
