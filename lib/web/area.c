/* SPDX-License-Identifier: BSD-3-Clause */

/* /api/area and /api/area.csv: how a part of the trace was spent, by class, function and reason. */

#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "web/answer.h"
#include "web/csvtext.h"
#include "web/dictionary.h"
#include "web/endpoints.h"
#include "web/losses.h"
#include "web/query.h"
#include "web/scope_sums.h"
#include "web/treescope.h"
#include "web/web.h"

enum {
    /*
     * The most functions in the JSON answer, which is for display. The CSV table contains all of
     * them.
     */
    FUNCTIONS_MAX = 100,
    NUMBER_MAX = 32
};

struct area {
    struct gt_scope scope;
    struct gt_scope_sums sums;
    /*
     * The names of the functions and the reasons, in the order of `sums`. They are copies, because
     * the answer is written after the store's lock has been released.
     */
    struct gt_dictionary copies;
    GT_ARRAY(uint32_t) functions;
    GT_ARRAY(uint32_t) reasons;
    struct gt_track_sums gc, stw;
    /* The times that are in no sum, because data of the trace was lost. */
    struct gt_losses_sum lost;
    /* The length of the part of the range that lies within the trace, in nanoseconds. */
    int64_t length;
};

static bool area_copy_names(struct area *area, const struct gt_store *store)
{
    const struct gt_scope_sums *sums = &area->sums;
    const gt_string others = {"(other)", 7};
    struct gt_mem *mem = sums->mem;
    if (gt_array_extend(mem, &area->functions, sums->functions.list.count) != GT_OK ||
        gt_array_extend(mem, &area->reasons, sums->reasons.count) != GT_OK)
        return false;
    for (size_t i = 0; i < sums->functions.list.count; i++) {
        gt_string name = gt_store_text(store, sums->functions.list.items[i].name);
        if (!gt_dictionary_put(&area->copies, name, &area->functions.items[i]))
            return false;
    }
    for (size_t i = 0; i < sums->reasons.count; i++) {
        uint32_t id = sums->reasons.items[i].name;
        gt_string name = id == GT_STORE_NONE ? others : gt_store_text(store, id);
        if (!gt_dictionary_put(&area->copies, name, &area->reasons.items[i]))
            return false;
    }
    return true;
}

static bool area_finish(struct area *area, struct gt_store *store)
{
    const struct gt_scope *scope = &area->scope;
    gt_store_lock_read(store);
    int64_t last = gt_store_end(store);
    bool copied = area_copy_names(area, store);
    gt_track_sum(gt_store_gc(store), scope->start, scope->end, &area->gc);
    gt_track_sum(gt_store_stw(store), scope->start, scope->end, &area->stw);
    gt_losses_add_up(store, scope, &area->lost);
    gt_store_unlock(store);
    int64_t start = scope->start > 0 ? scope->start : 0;
    int64_t end = scope->end < last ? scope->end : last;
    area->length = end > start ? gt_time_minus(end, start) : 0;
    return copied;
}

/*
 * Fills `*area` for a request. Returns false if it has answered with an error instead. In either
 * case area_free must be called.
 */
static bool area_take(struct area *area, struct gt_web *web, struct gt_query *query)
{
    *area = (struct area){.copies.mem = &web->mem};
    bool rough = false;
    gt_query_bool(query, "rough", &rough);
    if (!gt_treescope_take(&area->scope, query, web, GT_TREESCOPE_FIRST_LANES))
        return false;
    if (gt_scope_sums_make(&area->sums, &web->mem, web->store, &area->scope, rough,
                           query->response) &&
        area_finish(area, web->store))
        return true;
    gt_response_no_memory(query->response);
    return false;
}

static void area_free(struct area *area)
{
    gt_scope_sums_free(&area->sums);
    gt_dictionary_free(&area->copies);
    gt_array_free(area->copies.mem, &area->functions);
    gt_array_free(area->copies.mem, &area->reasons);
    gt_scope_free(&area->scope);
}

static void area_put_total(struct gt_json *json, struct gt_distribution *total)
{
    gt_json_key_int(json, "time", total->sum);
    gt_json_key_uint(json, "count", total->count);
    gt_json_key_int(json, "min", total->least);
    gt_json_key_real(json, "mean", gt_distribution_mean(total));
    gt_json_key_int(json, "max", total->most);
    for (size_t i = 0; i < GT_SCOPE_SUMS_PERCENTS; i++) {
        char key[NUMBER_MAX];
        snprintf(key, sizeof(key), "p%u", gt_scope_sums_percents[i]);
        gt_json_key_int(json, key, gt_distribution_percentile(total, gt_scope_sums_percents[i]));
    }
}

static void area_put_classes(struct gt_json *json, struct area *area)
{
    gt_json_key_array(json, "classes");
    for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
        struct gt_distribution *total = &area->sums.classes[cls];
        if (total->count == 0)
            continue;
        gt_json_object(json);
        gt_json_key_text(json, "class", gt_answer_classes[cls]);
        area_put_total(json, total);
        gt_json_end(json);
    }
    gt_json_end(json);
}

static void area_put_functions(struct gt_json *json, const struct area *area)
{
    gt_json_key_array(json, "functions");
    for (size_t i = 0; i < area->sums.functions.list.count && i < FUNCTIONS_MAX; i++) {
        const struct gt_start_function *function = &area->sums.functions.list.items[i];
        gt_json_object(json);
        gt_json_key_string(json, "name",
                           gt_dictionary_get(&area->copies, area->functions.items[i]));
        gt_json_key_uint(json, "goroutines", function->goroutines);
        gt_answer_times(json, "time", function->time);
        gt_json_end(json);
    }
    gt_json_end(json);
}

static void area_put_reasons(struct gt_json *json, struct area *area)
{
    gt_json_key_array(json, "reasons");
    for (size_t i = 0; i < area->sums.reasons.count; i++) {
        gt_json_object(json);
        gt_json_key_string(json, "reason",
                           gt_dictionary_get(&area->copies, area->reasons.items[i]));
        area_put_total(json, &area->sums.reasons.items[i].distribution);
        gt_json_end(json);
    }
    gt_json_end(json);
}

static void area_put_collector(struct gt_json *json, const struct area *area)
{
    int64_t gc = gt_answer_all_time(area->gc.time);
    uint64_t stops = 0;
    for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++)
        stops += area->stw.count[cls];
    gt_json_key_object(json, "gc");
    gt_json_key_int(json, "time", gc);
    gt_json_key_real(json, "fraction", area->length == 0 ? 0 : (double) gc / (double) area->length);
    gt_json_end(json);
    gt_json_key_object(json, "stw");
    gt_json_key_int(json, "time", gt_answer_all_time(area->stw.time));
    gt_json_key_uint(json, "count", stops);
    gt_json_end(json);
}

static void area_put_lost(struct gt_json *json, const struct gt_losses_sum *lost)
{
    gt_json_key_object(json, "lost");
    gt_json_key_int(json, "time", lost->time);
    gt_json_key_uint(json, "count", lost->count);
    gt_json_end(json);
}

void gt_web_serve_area(struct gt_web *web, struct gt_query *query)
{
    struct area area;
    struct gt_json json;
    if (area_take(&area, web, query)) {
        gt_json_start(&json, query->response);
        gt_json_key_int(&json, "start", area.scope.start);
        gt_json_key_int(&json, "end", area.scope.end);
        gt_json_key_uint(&json, "spans", area.sums.spans);
        gt_json_key_bool(&json, "approximate", area.sums.approximate);
        area_put_classes(&json, &area);
        area_put_functions(&json, &area);
        area_put_reasons(&json, &area);
        area_put_collector(&json, &area);
        area_put_lost(&json, &area.lost);
        gt_json_finish(&json);
    }
    area_free(&area);
}

static void area_put_integer(struct gt_response *response, int64_t value)
{
    gt_response_text(response, ",");
    gt_csvtext_int(response, value);
}

/*
 * Writes the line of a class or a reason. The field of the number of goroutines is empty, because
 * that number is not known.
 */
static void area_put_line(struct gt_response *response, const char *kind, gt_string name,
                          const char *cls, struct gt_distribution *total)
{
    int64_t mean = total->count == 0 ? 0 : total->sum / (int64_t) total->count;
    gt_response_text(response, kind);
    gt_response_text(response, ",");
    gt_csvtext_field(response, name);
    gt_response_text(response, ",");
    gt_response_text(response, cls);
    area_put_integer(response, total->sum);
    area_put_integer(response, (int64_t) total->count);
    gt_response_text(response, ",");
    area_put_integer(response, total->least);
    area_put_integer(response, mean);
    area_put_integer(response, total->most);
    for (size_t i = 0; i < GT_SCOPE_SUMS_PERCENTS; i++)
        area_put_integer(response, gt_distribution_percentile(total, gt_scope_sums_percents[i]));
    gt_response_text(response, "\r\n");
}

static void area_put_function_lines(struct gt_response *response, const struct area *area)
{
    for (size_t i = 0; i < area->sums.functions.list.count && !gt_response_is_over(response); i++) {
        const struct gt_start_function *function = &area->sums.functions.list.items[i];
        for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
            if (function->time[cls] == 0)
                continue;
            gt_response_text(response, "function,");
            gt_csvtext_field(response, gt_dictionary_get(&area->copies, area->functions.items[i]));
            gt_response_text(response, ",");
            gt_response_text(response, gt_answer_classes[cls]);
            area_put_integer(response, function->time[cls]);
            gt_response_text(response, ",");
            area_put_integer(response, function->goroutines);
            gt_response_text(response, ",,,,,,\r\n");
        }
    }
}

void gt_web_serve_area_csv(struct gt_web *web, struct gt_query *query)
{
    struct area area;
    if (area_take(&area, web, query)) {
        gt_csvtext_begin(query->response, "attachment; filename=\"area.csv\"",
                         "kind,name,class,time_ns,count,goroutines,min_ns,mean_ns,max_ns,p50_ns,"
                         "p95_ns,p99_ns\r\n");
        for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++) {
            const char *name = gt_answer_classes[cls];
            struct gt_distribution *total = &area.sums.classes[cls];
            if (total->count > 0)
                area_put_line(query->response, "class", (gt_string){name, strlen(name)}, name,
                              total);
        }
        area_put_function_lines(query->response, &area);
        for (size_t i = 0; i < area.sums.reasons.count; i++) {
            area_put_line(query->response, "reason",
                          gt_dictionary_get(&area.copies, area.reasons.items[i]), "",
                          &area.sums.reasons.items[i].distribution);
        }
    }
    area_free(&area);
}
