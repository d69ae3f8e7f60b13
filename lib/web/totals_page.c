/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/totals_page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/time.h>

void gt_totals_page_part(struct gt_query *query, struct gt_totals_page_part *part)
{
    *part = (struct gt_totals_page_part){.first = 0, .count = GT_TOTALS_PAGE_ROWS};
    gt_query_uint(query, "first", 0, UINT32_MAX, &part->first);
    gt_query_uint(query, "count", 0, GT_TOTALS_PAGE_ROWS_MAX, &part->count);
}

void gt_totals_page_part_or_all(struct gt_query *query, struct gt_totals_page_part *part)
{
    *part = (struct gt_totals_page_part){.first = 0, .count = UINT32_MAX};
    gt_query_uint(query, "first", 0, UINT32_MAX, &part->first);
    gt_query_uint(query, "count", 0, UINT32_MAX, &part->count);
}

size_t gt_totals_page_start_part(struct gt_json *json, const char *key,
                                 const struct gt_totals_page_part *part, size_t total)
{
    uint64_t end = part->first + part->count;
    gt_json_key_uint(json, "total", total);
    gt_json_key_array(json, key);
    return end < total ? (size_t) end : total;
}

/* If the text begins with the prefix, moves `*text` past it and returns true. */
static bool totals_prefix_skip(const char **text, const char *prefix)
{
    size_t size = strlen(prefix);
    if (strncmp(*text, prefix, size) != 0)
        return false;
    *text += size;
    return true;
}

void gt_totals_page_order(struct gt_query *query, const struct gt_totals *totals,
                          const char *const *words, size_t count,
                          struct gt_totals_page_order *order)
{
    *order = (struct gt_totals_page_order){.key = GT_RECORD_TOTAL, .descending = true};
    gt_query_bool(query, "desc", &order->descending);
    const char *word = gt_request_value(query->request, "sort");
    if (query->failed || !word ||
        gt_query_word_find(gt_record_time_names, GT_RECORD_TIMES, word, &order->key))
        return;
    if (gt_query_word_find(words, count, word, &order->key)) {
        order->key += GT_RECORD_TIMES;
        return;
    }
    order->is_block = totals_prefix_skip(&word, "block:");
    order->is_range = !order->is_block && totals_prefix_skip(&word, "range:");
    gt_string name = {word, strlen(word)};
    if ((!order->is_block && !order->is_range) ||
        !gt_dictionary_find(&totals->names, name, &order->name))
        gt_query_fail(query, "sort", "no such value");
}

int64_t gt_totals_page_key(const struct gt_totals_page_order *order,
                           const struct gt_record_times *times)
{
    if (order->is_block)
        return gt_record_named_time(&times->blocks, order->name);
    if (order->is_range)
        return gt_record_named_time(&times->ranges, order->name);
    return times->values[order->key];
}

static void totals_limit_take(struct gt_query *query, const char *name,
                              struct gt_totals_page_latency *latency, int64_t *value)
{
    const char *text = gt_request_value(query->request, name);
    if (!text || *text == '\0')
        return;
    latency->is_asked = true;
    if (gt_duration_parse(text, value) != GT_OK)
        gt_query_fail(query, name, "no length of time such as 10ms");
}

void gt_totals_page_latency(struct gt_query *query, struct gt_totals_page_latency *latency)
{
    *latency = (struct gt_totals_page_latency){.min = 0, .max = INT64_MAX};
    totals_limit_take(query, "latmin", latency, &latency->min);
    totals_limit_take(query, "latmax", latency, &latency->max);
}

bool gt_totals_page_fits(const struct gt_totals_page_latency *latency, int64_t length)
{
    return length >= latency->min && length <= latency->max;
}

bool gt_totals_page_pc(struct gt_query *query, uint64_t *pc)
{
    const char *text = gt_request_value(query->request, "pc");
    char *end;
    if (!text || *text == '\0')
        return false;
    /* The digits are checked because strtoull also accepts blanks and signs. */
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        text += 2;
    bool good = strspn(text, "0123456789abcdefABCDEF") == strlen(text) && *text != '\0';
    errno = 0;
    *pc = strtoull(text, &end, 16);
    if (!good || errno != 0)
        gt_query_fail(query, "pc", "no hexadecimal number");
    return true;
}

const struct gt_totals *gt_totals_page_totals(struct gt_web *web, struct gt_query *query)
{
    return gt_analysis_demand(web, query, &gt_totals_kind, "", 0, false);
}

bool gt_totals_page_write_part(struct gt_json *json, const char *key, struct gt_ranking *ranking,
                               const struct gt_totals_page_part *part,
                               gt_totals_page_item_fn *write_item, const void *context)
{
    uint64_t end = part->first + part->count;
    bool good = true;
    gt_ranking_finish(ranking);
    gt_json_key_uint(json, "total", ranking->total);
    gt_json_key_array(json, key);
    for (uint64_t i = part->first; i < end && i < ranking->count && good; i++)
        good = write_item(json, context, ranking->list[i].what) && !gt_response_is_over(json->out);
    gt_json_end(json);
    return good;
}

void gt_totals_page_write_percentiles(struct gt_json *json, const char *key, const int64_t *values)
{
    gt_json_key_array(json, key);
    for (size_t i = 0; i < GT_TOTALS_PERCENTILES; i++)
        gt_json_int(json, values[i]);
    gt_json_end(json);
}

void gt_totals_page_write_interval(struct gt_json *json, const struct gt_totals *totals,
                                   int64_t begin, int64_t end)
{
    gt_json_key_int(json, "start", begin != GT_RECORD_NONE ? begin : 0);
    gt_json_key_int(json, "end", end != GT_RECORD_NONE ? end : totals->end);
    gt_json_key_bool(json, "has_start", begin != GT_RECORD_NONE);
    gt_json_key_bool(json, "has_end", end != GT_RECORD_NONE);
}

void gt_totals_page_write_lengths(struct gt_json *json, const struct gt_totals_lengths *lengths)
{
    gt_histogram_write(json, "histogram", &lengths->histogram);
    gt_json_key_int(json, "p50", lengths->percentiles[0]);
    gt_json_key_int(json, "p95", lengths->percentiles[1]);
    gt_json_key_int(json, "p99", lengths->percentiles[2]);
    gt_json_key_int(json, "max", lengths->most);
}
