/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * /api/search/table and /api/search.csv: what a search finds as one list, in any order, with the
 * distribution of the durations.
 */

#include <stdio.h>

#include "web/answer.h"
#include "web/csvtext.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/scope.h"
#include "web/search_find.h"
#include "web/search_result.h"
#include "web/totals_page.h"
#include "web/treescope.h"
#include "web/web.h"

enum {
    /*
     * The largest number of results that pages and files can list. As many results are held in
     * memory while a request is answered.
     */
    LISTED_MAX = 100 * 1000,
    LINES_MAX = 1000 * 1000,
    /* The number of results whose texts are copied before the lock is released for a moment. */
    STEP = 128,
    PERCENTILES = 3,
    KEY_MAX = 8
};

static const unsigned int percents[PERCENTILES] = {50, 95, 99};

static const char *const orders[GT_HITS_ORDERS] = {"start", "duration", "name"};

struct search_table {
    struct gt_search_query terms;
    struct gt_scope scope;
    struct gt_query_range range;
    struct gt_hits_table order;
    struct gt_totals_page_part part;
    struct gt_search search;
    /* The hits of all kinds. */
    struct gt_hits all;
};

/* Returns false if the query is refused, which has been answered then. */
static bool search_table_take(struct search_table *table, struct gt_web *web,
                              struct gt_query *query)
{
    struct gt_totals_page_latency limits;
    uint32_t order = GT_HITS_DURATION;
    *table = (struct search_table){.order = {.store = web->store, .is_descending = true}};
    const char *text = gt_request_value(query->request, "q");
    const char *wrong = text ? gt_search_query_parse(&table->terms, text) : NULL;
    gt_query_need(query, "q");
    gt_query_word(query, "sort", orders, GT_HITS_ORDERS, &order);
    gt_query_bool(query, "desc", &table->order.is_descending);
    gt_totals_page_part(query, &table->part);
    gt_totals_page_latency(query, &limits);
    if (wrong)
        gt_query_fail(query, "q", wrong);
    bool is_good = gt_treescope_take(&table->scope, query, web, GT_TREESCOPE_ALL_LANES);
    table->range = (struct gt_query_range){table->scope.start, table->scope.end};
    table->order.order = order;
    table->order.shortest = limits.min;
    table->order.longest = limits.max;
    return is_good;
}

/* Finds everything, and keeps the first `max` results in `all`. Returns false if that fails. */
static bool search_table_find(struct search_table *table, struct gt_web *web,
                              struct gt_query *query, size_t max)
{
    bool has_range = gt_query_has(query, "start") || gt_query_has(query, "end");
    table->search = (struct gt_search){
        .mem = &web->mem,
        .store = web->store,
        .query = &table->terms,
        .response = query->response,
        .range = has_range ? &table->range : NULL,
        .tracks = table->scope.has_tracks ? &table->scope.tracks : NULL,
        .table = &table->order,
        .max = max,
    };
    table->all = (struct gt_hits){.mem = &web->mem, .max = max, .table = &table->order};
    bool good = gt_search_find(&table->search);
    for (size_t kind = 0; kind < GT_SEARCH_KINDS; kind++)
        good = good && gt_hits_merge(&table->all, &table->search.hits[kind]);
    gt_hits_sort(&table->all);
    return good;
}

static void search_table_free(struct search_table *table)
{
    gt_search_free(&table->search);
    gt_hits_free(&table->all);
    gt_scope_free(&table->scope);
}

/* Writes one result. `texts` has its texts. */
typedef void result_fn(void *user_data, const struct gt_search_result *result,
                       const struct gt_dictionary *texts);

/* Makes up to STEP results. Returns how many, or 0 if memory runs out. */
static size_t search_table_copy(const struct search_table *table, size_t first, size_t end,
                                struct gt_search_result *results, struct gt_dictionary *texts)
{
    struct gt_store *store = table->search.store;
    size_t count = 0;
    bool good = true;
    gt_store_lock_read(store);
    for (; count < STEP && first + count < end && good; count++)
        good =
            gt_search_result_make(&results[count], &table->all.list[first + count], store, texts);
    gt_store_unlock(store);
    return good ? count : 0;
}

/* Writes the results from `first` on, before `end`. Returns false if memory runs out. */
static bool search_table_write(const struct search_table *table, size_t first, size_t end,
                               result_fn *write, void *user_data)
{
    struct gt_search_result results[STEP];
    end = end < table->all.count ? end : table->all.count;
    for (size_t count; first < end; first += count) {
        struct gt_dictionary texts = {.mem = table->search.mem};
        count = search_table_copy(table, first, end, results, &texts);
        for (size_t i = 0; i < count; i++)
            write(user_data, &results[i], &texts);
        gt_dictionary_free(&texts);
        if (count == 0 || gt_response_is_over(table->search.response))
            return count > 0;
    }
    return true;
}

static void search_table_put_row(void *user_data, const struct gt_search_result *result,
                                 const struct gt_dictionary *texts)
{
    gt_search_result_write(user_data, result, texts);
}

static void search_table_put_kinds(struct gt_json *json, const struct gt_search *search)
{
    gt_json_key_object(json, "kinds");
    for (size_t kind = 0; kind < GT_SEARCH_KINDS; kind++) {
        const struct gt_hits *hits = &search->hits[kind];
        if (hits->total == 0)
            continue;
        gt_json_key_object(json, gt_search_kinds[kind]);
        gt_json_key_uint(json, "count", hits->total);
        gt_json_key_int(json, "time", hits->time);
        gt_json_end(json);
    }
    gt_json_end(json);
}

/* Writes the distribution of all durations, whatever limits the list has. */
static void search_table_put_lengths(struct gt_json *json, struct gt_hits *all)
{
    bool approximate = false;
    gt_json_key_uint(json, "count", all->lengths.count);
    gt_histogram_write(json, "histogram", &all->histogram);
    for (size_t i = 0; i < PERCENTILES; i++) {
        char key[KEY_MAX];
        snprintf(key, sizeof(key), "p%u", percents[i]);
        gt_json_key_int(json, key, gt_distribution_percentile(&all->lengths, percents[i]));
        approximate |= !gt_distribution_is_exact(&all->lengths, percents[i]);
    }
    gt_json_key_int(json, "max", all->lengths.most);
    gt_json_key_bool(json, "approximate", approximate);
}

static void search_table_answer(struct search_table *table, struct gt_response *response)
{
    struct gt_json json;
    struct gt_hits *all = &table->all;
    gt_json_start(&json, response);
    gt_json_key_uint(&json, "total", all->total);
    gt_json_key_uint(&json, "listed", all->total < LISTED_MAX ? all->total : LISTED_MAX);
    search_table_put_kinds(&json, &table->search);
    search_table_put_lengths(&json, all);
    gt_json_key_array(&json, "results");
    bool good = search_table_write(table, (size_t) table->part.first,
                                   (size_t) (table->part.first + table->part.count),
                                   search_table_put_row, &json);
    gt_json_finish(&json);
    if (!good)
        gt_response_no_memory(response);
}

void gt_web_serve_search_table(struct gt_web *web, struct gt_query *query)
{
    struct search_table table;
    if (search_table_take(&table, web, query)) {
        uint64_t end = table.part.first + table.part.count;
        size_t max = (size_t) (end < LISTED_MAX ? end : LISTED_MAX);
        if (search_table_find(&table, web, query, max))
            search_table_answer(&table, query->response);
        else
            gt_response_no_memory(query->response);
    }
    search_table_free(&table);
}

/* Writes the columns of the first frame outside of the runtime, which are empty without a stack. */
static void search_table_put_place(struct gt_response *response,
                                   const struct gt_search_result *result,
                                   const struct gt_dictionary *texts)
{
    const struct gt_search_frame *place = &result->frames[result->outside];
    gt_response_text(response, result->frame_count > 0 ? "," : ",,,");
    if (result->frame_count == 0)
        return;
    gt_csvtext_field(response, gt_dictionary_get(texts, place->function));
    gt_response_text(response, ",");
    gt_csvtext_field(response, gt_dictionary_get(texts, place->file));
    gt_response_text(response, ",");
    gt_csvtext_uint(response, place->line);
}

static void search_table_put_line(void *user_data, const struct gt_search_result *result,
                                  const struct gt_dictionary *texts)
{
    struct gt_response *response = user_data;
    const struct gt_hit *hit = result->hit;
    bool has_row = gt_search_result_has_row(result), has_time = hit->kind != GT_SEARCH_FUNCTION;
    gt_response_text(response, gt_search_kinds[hit->kind]);
    gt_response_text(response, ",");
    gt_csvtext_field(response, gt_dictionary_get(texts, result->title));
    gt_response_text(response, ",");
    gt_csvtext_field(response, gt_dictionary_get(texts, result->detail));
    gt_response_text(response, ",");
    gt_response_text(response, has_row ? gt_answer_views[hit->view] : "");
    gt_response_text(response, ",");
    if (has_row)
        gt_csvtext_int(response, result->row_id);
    gt_response_text(response, ",");
    if (has_time)
        gt_csvtext_int(response, hit->start);
    gt_response_text(response, ",");
    if (has_time)
        gt_csvtext_int(response, gt_time_minus(hit->end, hit->start));
    search_table_put_place(response, result, texts);
    gt_response_text(response, "\r\n");
}

void gt_web_serve_search_csv(struct gt_web *web, struct gt_query *query)
{
    struct search_table table;
    if (search_table_take(&table, web, query)) {
        bool good = search_table_find(&table, web, query, LINES_MAX);
        if (good)
            gt_csvtext_begin(
                query->response, "attachment; filename=\"search.csv\"",
                "kind,name,where,view,row,start_ns,duration_ns,function,file,line\r\n");
        good = good &&
               search_table_write(&table, 0, LINES_MAX, search_table_put_line, query->response);
        if (!good)
            gt_response_no_memory(query->response);
    }
    search_table_free(&table);
}
