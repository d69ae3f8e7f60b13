/* SPDX-License-Identifier: BSD-3-Clause */

/* /api/search: goroutines, functions, states and so on, by name, duration and kind. */

#include <string.h>

#include "web/dictionary.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/scope.h"
#include "web/search_find.h"
#include "web/search_result.h"
#include "web/treescope.h"
#include "web/web.h"

enum {
    RESULTS_DEFAULT = 1000,
    RESULTS_MAX = 10000,
    /* The number of results whose texts are copied before the lock is released for a moment. */
    STEP = 512,
    /* The size of the sample for a rough answer, which takes about half a second. */
    ROUGH_SPANS = 16 * 1000 * 1000
};

struct results {
    GT_ARRAY(struct gt_search_result) list;
    struct gt_dictionary copies;
};

/*
 * Divides the number of results in the answer among the kinds. The part that a kind does not need
 * is given to the others.
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

static bool search_copy_all(struct results *results, struct gt_store *store)
{
    bool good = true;
    for (size_t i = 0; i < results->list.count && good;) {
        gt_store_lock_read(store);
        for (size_t step = 0; step < STEP && i < results->list.count && good; step++, i++) {
            struct gt_search_result *result = &results->list.items[i];
            good = gt_search_result_make(result, result->hit, store, &results->copies);
        }
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
                (struct gt_search_result){.hit = &search->hits[kind].list[i]};
    }
    return search_copy_all(results, search->store);
}

static void results_free(struct results *results)
{
    gt_array_free(results->copies.mem, &results->list);
    gt_dictionary_free(&results->copies);
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
        gt_search_result_write(&json, &results->list.items[i], &results->copies);
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
    struct gt_scope scope;
    uint64_t max = RESULTS_DEFAULT;
    bool has_range = gt_query_has(query, "start") || gt_query_has(query, "end"), rough = false;
    const char *text = gt_request_value(query->request, "q");
    gt_query_need(query, "q");
    gt_query_uint(query, "max", 1, RESULTS_MAX, &max);
    gt_query_bool(query, "rough", &rough);
    const char *wrong = text ? gt_search_query_parse(&terms, text) : NULL;
    if (wrong)
        gt_query_fail(query, "q", wrong);
    bool is_good = gt_treescope_take(&scope, query, web, GT_TREESCOPE_ALL_LANES);
    struct gt_query_range range = {scope.start, scope.end};
    struct gt_search search = {.mem = &web->mem,
                               .store = web->store,
                               .query = &terms,
                               .response = query->response,
                               .range = has_range ? &range : NULL,
                               .tracks = scope.has_tracks ? &scope.tracks : NULL,
                               .max = (size_t) max,
                               .most = rough ? ROUGH_SPANS : 0};
    if (is_good)
        search_answer(&search, query->response);
    gt_scope_free(&scope);
}
