/* SPDX-License-Identifier: BSD-3-Clause */

/* /api/search: goroutines, functions, states and so on, by name, duration and kind. */

#include <stdio.h>
#include <string.h>

#include "web/answer.h"
#include "web/dictionary.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/search_find.h"
#include "web/web.h"

enum {
    RESULTS_DEFAULT = 1000,
    RESULTS_MAX = 10000,
    /* The number of results whose texts are copied before the lock is released for a moment. */
    STEP = 512,
    DETAIL_MAX = 64,
    /* The size of the sample for a rough answer, which takes about half a second. */
    ROUGH_SPANS = 16 * 1000 * 1000
};

/* A hit and what the answer needs to know about it from the store. */
struct result {
    enum gt_search_kind kind;
    const struct gt_hit *hit;
    uint32_t title, detail;
    int64_t row_id;
};

struct results {
    GT_ARRAY(struct result) list;
    struct gt_dictionary copies;
};

/*
 * Divides the places in the answer among the kinds. What one kind does not need is given to the
 * others.
 */
static void search_share(const struct gt_search *search, size_t max, size_t shares[GT_SEARCH_KINDS])
{
    size_t left = max;
    memset(shares, 0, GT_SEARCH_KINDS * sizeof(*shares));
    for (bool changed = true; changed && left > 0;) {
        size_t open = 0;
        for (size_t kind = 0; kind < GT_SEARCH_KINDS; kind++)
            open += shares[kind] < search->hits[kind].count;
        changed = false;
        for (size_t kind = 0; kind < GT_SEARCH_KINDS && open > 0; kind++) {
            size_t wanted = search->hits[kind].count - shares[kind];
            size_t part = left / open > 0 ? left / open : left;
            part = part < wanted ? part : wanted;
            open -= wanted > 0;
            shares[kind] += part;
            left -= part;
            changed |= part > 0;
        }
    }
}

static gt_string search_text_of(const char *text)
{
    return (gt_string){text, strlen(text)};
}

/* Says how a function is used that starts so many goroutines. */
static gt_string search_function_detail(uint64_t goroutines, char text[DETAIL_MAX])
{
    if (goroutines == 0)
        return search_text_of("on stacks");
    snprintf(text, DETAIL_MAX, "starts %llu goroutine%s", (unsigned long long) goroutines,
             goroutines == 1 ? "" : "s");
    return search_text_of(text);
}

/*
 * Copies the texts of a result. One that is a row has the row's title and label; one inside a row
 * has its own name, and the row's title to say where it is.
 */
static bool search_copy(struct results *results, struct result *result,
                        const struct gt_store *store)
{
    char title[GT_ANSWER_TITLE_MAX], starts[DETAIL_MAX];
    const struct gt_hit *hit = result->hit;
    struct gt_store_row row;
    struct gt_mark mark;
    gt_string row_title = {"", 0}, row_label = {"", 0};
    if (hit->view != GT_STORE_NONE &&
        gt_store_get_row_brief(store, hit->view, hit->ordinal, &row)) {
        result->row_id = row.id;
        row_title = (gt_string){title, gt_answer_title(&row, title)};
        row_label = row.label;
    }
    gt_string name = gt_store_text(store, hit->name), detail = row_title;
    if (result->kind == GT_SEARCH_GOROUTINE || result->kind == GT_SEARCH_TASK) {
        name = row_title;
        detail = row_label;
    } else if (result->kind == GT_SEARCH_FUNCTION) {
        detail = search_function_detail(hit->number, starts);
    } else if (result->kind == GT_SEARCH_LOG && gt_store_get_mark(store, hit->number, &mark)) {
        name = mark.text;
    } else if (result->kind == GT_SEARCH_STATE && name.size == 0) {
        name = search_text_of(gt_answer_classes[hit->cls]);
    }
    return gt_dictionary_put(&results->copies, name, &result->title) &&
           gt_dictionary_put(&results->copies, detail, &result->detail);
}

static bool search_copy_all(struct results *results, struct gt_store *store)
{
    bool good = true;
    for (size_t i = 0; i < results->list.count && good;) {
        gt_store_lock_read(store);
        for (size_t step = 0; step < STEP && i < results->list.count && good; step++)
            good = search_copy(results, &results->list.items[i++], store);
        gt_store_unlock(store);
    }
    return good;
}

static bool results_make(struct results *results, const struct gt_search *search)
{
    size_t shares[GT_SEARCH_KINDS];
    search_share(search, search->max, shares);
    *results = (struct results){.copies.mem = search->mem};
    if (gt_array_reserve(search->mem, &results->list, search->max) != GT_OK)
        return false;
    for (uint32_t kind = 0; kind < GT_SEARCH_KINDS; kind++) {
        for (size_t i = 0; i < shares[kind]; i++)
            results->list.items[results->list.count++] =
                (struct result){.kind = kind, .hit = &search->hits[kind].list[i]};
    }
    return search_copy_all(results, search->store);
}

static void results_free(struct results *results)
{
    gt_array_free(results->copies.mem, &results->list);
    gt_dictionary_free(&results->copies);
}

static void search_put_result(struct gt_json *json, const struct results *results,
                              const struct result *result)
{
    const struct gt_hit *hit = result->hit;
    bool has_row = hit->view != GT_STORE_NONE && hit->ordinal != GT_STORE_NONE;
    gt_json_object(json);
    gt_json_key_text(json, "kind", gt_search_kinds[result->kind]);
    gt_json_key_string(json, "title", gt_dictionary_get(&results->copies, result->title));
    gt_json_key_string(json, "detail", gt_dictionary_get(&results->copies, result->detail));
    if (has_row)
        gt_json_key_text(json, "view", gt_answer_views[hit->view]);
    else
        gt_json_key_null(json, "view");
    gt_json_key_int_if(json, "row_id", has_row, result->row_id);
    gt_json_key_int_if(json, "track", hit->track != GT_STORE_NONE, hit->track);
    gt_json_key_int_if(json, "index", hit->track != GT_STORE_NONE, hit->index);
    gt_json_key_int(json, "start", hit->start);
    gt_json_key_int(json, "end", hit->end);
    gt_json_end(json);
}

static void search_put_answer(struct gt_response *response, const struct gt_search *search,
                              const struct results *results)
{
    struct gt_json json;
    uint64_t total = 0;
    for (size_t kind = 0; kind < GT_SEARCH_KINDS; kind++)
        total += search->hits[kind].total;
    gt_json_start(&json, response);
    gt_json_key_uint(&json, "total", total);
    gt_json_key_uint(&json, "spans", search->spans);
    gt_json_key_bool(&json, "approximate", search->approximate);
    gt_json_key_object(&json, "kinds");
    for (size_t kind = 0; kind < GT_SEARCH_KINDS; kind++) {
        if (search->hits[kind].total > 0)
            gt_json_key_uint(&json, gt_search_kinds[kind], search->hits[kind].total);
    }
    gt_json_end(&json);
    gt_json_key_array(&json, "results");
    for (size_t i = 0; i < results->list.count && !gt_response_is_over(response); i++)
        search_put_result(&json, results, &results->list.items[i]);
    gt_json_finish(&json);
}

static void search_answer(struct gt_search *search, struct gt_response *response)
{
    struct results results = {0};
    if (gt_search_find(search) && results_make(&results, search))
        search_put_answer(response, search, &results);
    else
        gt_response_no_memory(response);
    results_free(&results);
    gt_search_free(search);
}

void gt_web_serve_search(struct gt_web *web, struct gt_query *query)
{
    struct gt_search_query terms;
    struct gt_query_range range;
    uint64_t max = RESULTS_DEFAULT;
    bool has_range = gt_query_has(query, "start") || gt_query_has(query, "end"), rough = false;
    const char *text = gt_request_value(query->request, "q");
    gt_query_need(query, "q");
    gt_query_whole(query, web->store, &range);
    gt_query_uint(query, "max", 1, RESULTS_MAX, &max);
    gt_query_bool(query, "rough", &rough);
    const char *wrong = text ? gt_search_query_parse(&terms, text) : NULL;
    if (wrong)
        gt_query_fail(query, "q", wrong);
    if (query->failed)
        return;
    struct gt_search search = {.mem = &web->mem,
                               .store = web->store,
                               .query = &terms,
                               .response = query->response,
                               .range = has_range ? &range : NULL,
                               .max = (size_t) max,
                               .most = rough ? ROUGH_SPANS : 0};
    search_answer(&search, query->response);
}
