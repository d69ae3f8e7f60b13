/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/regions and /api/region: the regions of runtime/trace, by type and place. */
#include "base/text.h"
#include "web/endpoints.h"
#include "web/totals_page.h"

static const char *const sorts[] = {"start", "goroutine", "task", "latency"};

enum {
    GT_SORT_START = GT_RECORD_TIMES,
    SORT_GOROUTINE,
    SORT_TASK,
    SORT_LATENCY
};

enum {
    /*
     * A record's location as one number: the number of the type is above these bits, the offset
     * in the type's pack is in them.
     */
    PLACE_BITS = 40
};

/* The regions that a request asks for. */
struct filter {
    bool has_type, has_pc;
    gt_string type;
    uint64_t pc;
    struct gt_totals_page_latency latency;
    struct gt_totals_page_part part;
    struct gt_totals_page_order order;
};

static void region_type_write(struct gt_json *json, const struct gt_totals *totals,
                              const struct gt_totals_region_type *type)
{
    gt_json_object(json);
    gt_json_key_string(json, "type", gt_dictionary_get(&totals->names, type->type));
    gt_json_key_string(json, "function", gt_dictionary_get(&totals->names, type->function));
    gt_json_key_string(json, "file", gt_dictionary_get(&totals->names, type->file));
    gt_json_key_uint(json, "line", type->line);
    gt_answer_pc(json, "pc", type->pc);
    gt_json_key_uint(json, "count", type->lengths.count);
    gt_totals_page_write_lengths(json, &type->lengths);
    gt_json_end(json);
}

void gt_web_serve_regions(struct gt_web *web, struct gt_query *query)
{
    struct gt_json json;
    struct gt_totals_page_part part;
    gt_totals_page_part_or_all(query, &part);
    const struct gt_totals *totals = gt_totals_page_totals(web, query);
    if (!totals)
        return;
    gt_json_start(&json, query->response);
    size_t end = gt_totals_page_start_part(&json, "types", &part, totals->region_types.count);
    for (size_t i = (size_t) part.first; i < end; i++)
        region_type_write(&json, totals, &totals->region_types.items[i]);
    gt_json_finish(&json);
}

static int64_t region_sort_key(const struct gt_totals *totals,
                               const struct gt_totals_page_order *order,
                               const struct gt_record_region *record)
{
    switch (order->key) {
    case GT_SORT_START:
        return record->begin;
    case SORT_GOROUTINE:
        return record->goroutine;
    case SORT_TASK:
        return (int64_t) (record->task & INT64_MAX);
    case SORT_LATENCY:
        return gt_totals_region_length(totals, record);
    default:
        return gt_totals_page_key(order, &record->times);
    }
}

static bool region_type_is_asked(const struct gt_totals *totals, const struct filter *filter,
                                 const struct gt_totals_region_type *type)
{
    gt_string name = gt_dictionary_get(&totals->names, type->type);
    if (filter->has_pc && filter->pc != type->pc)
        return false;
    return !filter->has_type || gt_text_equal(name, filter->type);
}

static bool region_type_rank(const struct gt_totals *totals, const struct filter *filter,
                             size_t number, struct gt_ranking *ranking)
{
    struct gt_record_region record;
    struct gt_unpack unpack = {&totals->region_types.items[number].records, 0};
    while (!gt_unpack_is_end(&unpack)) {
        uint64_t place = (uint64_t) number << PLACE_BITS | unpack.at;
        gt_record_get_region(&unpack, &record);
        if (gt_totals_page_fits(&filter->latency, gt_totals_region_length(totals, &record)) &&
            !gt_ranking_add(ranking, region_sort_key(totals, &filter->order, &record), place))
            return false;
    }
    return true;
}

static bool region_write(struct gt_json *json, const void *context, uint64_t place)
{
    const struct gt_totals *totals = context;
    struct gt_record_region record;
    const struct gt_totals_region_type *type = &totals->region_types.items[place >> PLACE_BITS];
    size_t at = (size_t) (place & ((UINT64_C(1) << PLACE_BITS) - 1));
    gt_record_get_region(&(struct gt_unpack){&type->records, at}, &record);
    gt_json_object(json);
    gt_json_key_int(json, "goroutine", record.goroutine);
    gt_json_key_uint(json, "task", record.task);
    gt_json_key_string(json, "type", gt_dictionary_get(&totals->names, type->type));
    gt_totals_page_write_interval(json, totals, record.begin, record.end);
    gt_record_write_all_times(json, &totals->names, &record.times);
    gt_json_end(json);
    return true;
}

static void region_list_write(struct gt_response *response, const struct gt_totals *totals,
                              const struct gt_totals_page_part *part, struct gt_ranking *ranking)
{
    struct gt_json json;
    gt_json_start(&json, response);
    gt_totals_page_write_part(&json, "regions", ranking, part, region_write, totals);
    gt_json_finish(&json);
}

static void region_answer(struct gt_response *response, const struct gt_totals *totals,
                          const struct filter *filter)
{
    struct gt_ranking ranking;
    size_t types = 0;
    bool good = true;
    gt_ranking_init(&ranking, response->mem, (size_t) (filter->part.first + filter->part.count) + 1,
                    filter->order.descending);
    for (size_t i = 0; good && i < totals->region_types.count; i++) {
        if (!region_type_is_asked(totals, filter, &totals->region_types.items[i]))
            continue;
        types++;
        good = region_type_rank(totals, filter, i, &ranking);
    }
    if (!good)
        gt_response_no_memory(response);
    else if (types == 0 && (filter->has_type || filter->has_pc))
        gt_response_error(response, 404, "no such regions");
    else
        region_list_write(response, totals, &filter->part, &ranking);
    gt_ranking_free(&ranking);
}

void gt_web_serve_region(struct gt_web *web, struct gt_query *query)
{
    struct filter filter = {.has_type = false};
    filter.has_type = gt_query_text(query, "type", &filter.type);
    filter.has_pc = gt_totals_page_pc(query, &filter.pc);
    gt_totals_page_latency(query, &filter.latency);
    gt_totals_page_part(query, &filter.part);
    const struct gt_totals *totals = gt_totals_page_totals(web, query);
    if (!totals)
        return;
    gt_totals_page_order(query, totals, sorts, sizeof(sorts) / sizeof(sorts[0]), &filter.order);
    if (!query->failed)
        region_answer(query->response, totals, &filter);
}
