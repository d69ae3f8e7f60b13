/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/figures.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "web/duration.h"

enum {
    PC_TEXT_MAX = 32
};

void figures_part(struct query *query, struct figures_part *part)
{
    *part = (struct figures_part){.first = 0, .count = FIGURES_ROWS};
    query_uint(query, "first", 0, UINT32_MAX, &part->first);
    query_uint(query, "count", 0, FIGURES_ROWS_MAX, &part->count);
}

static bool find_word(const char *const *words, size_t count, const char *word, uint32_t *index)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0) {
            *index = (uint32_t) i;
            return true;
        }
    }
    return false;
}

/* Moves behind the prefix if the text has it. */
static bool skip_prefix(const char **text, const char *prefix)
{
    size_t size = strlen(prefix);
    if (strncmp(*text, prefix, size) != 0)
        return false;
    *text += size;
    return true;
}

void figures_order(struct query *query, const struct totals *totals, const char *const *words,
                   size_t count, struct figures_order *order)
{
    *order = (struct figures_order){.key = RECORD_TOTAL, .descending = true};
    query_bool(query, "desc", &order->descending);
    const char *word = gt_request_value(query->request, "sort");
    if (query->failed || word == NULL ||
        find_word(record_time_names, RECORD_TIMES, word, &order->key))
        return;
    if (find_word(words, count, word, &order->key)) {
        order->key += RECORD_TIMES;
        return;
    }
    order->is_block = skip_prefix(&word, "block:");
    order->is_range = !order->is_block && skip_prefix(&word, "range:");
    gt_string name = {word, strlen(word)};
    if ((!order->is_block && !order->is_range) ||
        !dictionary_find(&totals->names, name, &order->name))
        query_fail(query, "sort", "no such value");
}

int64_t figures_key(const struct figures_order *order, const struct record_times *times)
{
    if (order->is_block)
        return record_named_time(&times->blocks, order->name);
    if (order->is_range)
        return record_named_time(&times->ranges, order->name);
    return times->values[order->key];
}

static void take_latency(struct query *query, const char *name, struct figures_latency *latency,
                         int64_t *value)
{
    const char *text = gt_request_value(query->request, name);
    if (text == NULL || *text == '\0')
        return;
    latency->is_asked = true;
    if (!gt_web_duration_parse(text, value))
        query_fail(query, name, "no length of time such as 10ms");
}

void figures_latency(struct query *query, struct figures_latency *latency)
{
    *latency = (struct figures_latency){.min = 0, .max = INT64_MAX};
    take_latency(query, "latmin", latency, &latency->min);
    take_latency(query, "latmax", latency, &latency->max);
}

bool figures_fits(const struct figures_latency *latency, int64_t length)
{
    return length >= latency->min && length <= latency->max;
}

bool figures_pc(struct query *query, uint64_t *pc)
{
    const char *text = gt_request_value(query->request, "pc");
    char *end;
    if (text == NULL || *text == '\0')
        return false;
    /* strtoull by itself would take blanks and signs. */
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        text += 2;
    bool good = strspn(text, "0123456789abcdefABCDEF") == strlen(text) && *text != '\0';
    errno = 0;
    *pc = strtoull(text, &end, 16);
    if (!good || errno != 0)
        query_fail(query, "pc", "no hexadecimal number");
    return true;
}

struct analysis_job *figures_totals(void *view, struct gt_response *response,
                                    const struct totals **totals)
{
    struct analysis_job *job = analysis_demand(view, &totals_kind, "", 0, false, response);
    if (job != NULL)
        *totals = analysis_result(job);
    return job;
}

void figures_list(void *view, struct gt_response *response, const char *key,
                  figures_write_fn *write_all)
{
    const struct totals *totals;
    struct json json;
    struct analysis_job *job = figures_totals(view, response, &totals);
    if (job == NULL)
        return;
    json_init(&json, response);
    json_object(&json);
    json_key(&json, key);
    json_array(&json);
    write_all(&json, totals);
    json_end_array(&json);
    json_end_object(&json);
    analysis_release(view, job);
}

void figures_write_pc(struct json *json, const char *key, uint64_t pc)
{
    char text[PC_TEXT_MAX];
    snprintf(text, sizeof(text), "0x%" PRIx64, pc);
    json_key_text(json, key, text);
}

void figures_write_percentiles(struct json *json, const char *key, const int64_t *values)
{
    json_key(json, key);
    json_array(json);
    for (size_t i = 0; i < TOTALS_PERCENTILES; i++)
        json_int(json, values[i]);
    json_end_array(json);
}

void figures_write_interval(struct json *json, const struct totals *totals, int64_t begin,
                            int64_t end)
{
    json_key_int(json, "start", begin != RECORD_NONE ? begin : 0);
    json_key_int(json, "end", end != RECORD_NONE ? end : totals->end);
    json_key_bool(json, "has_start", begin != RECORD_NONE);
    json_key_bool(json, "has_end", end != RECORD_NONE);
}

void figures_write_lengths(struct json *json, const struct totals_lengths *lengths)
{
    histogram_write(json, "histogram", &lengths->histogram);
    json_key_int(json, "p50", lengths->percentiles[0]);
    json_key_int(json, "p95", lengths->percentiles[1]);
    json_key_int(json, "p99", lengths->percentiles[2]);
    json_key_int(json, "max", lengths->most);
}

void figures_no_memory(struct gt_response *response)
{
    gt_response_error(response, 503, "out of memory");
}
