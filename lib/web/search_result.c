/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/search_result.h"

#include <stdio.h>
#include <string.h>

#include "web/answer.h"
#include "web/search_query.h"

enum {
    DETAIL_MAX = 64
};

static gt_string result_text_of(const char *text)
{
    return (gt_string){text, strlen(text)};
}

/* Says how a function is used that starts so many goroutines. */
static gt_string result_function_detail(uint64_t goroutines, char text[DETAIL_MAX])
{
    if (goroutines == 0)
        return result_text_of("on stacks");
    snprintf(text, DETAIL_MAX, "starts %llu goroutine%s", (unsigned long long) goroutines,
             goroutines == 1 ? "" : "s");
    return result_text_of(text);
}

/*
 * A result that is a row has the row's title and label; one inside a row has its own name, and the
 * row's title to say where it is.
 */
bool gt_search_result_make(struct gt_search_result *result, const struct gt_hit *hit,
                           const struct gt_store *store, struct gt_dictionary *texts)
{
    char title[GT_ANSWER_TITLE_MAX], starts[DETAIL_MAX];
    struct gt_store_row row;
    struct gt_mark mark;
    gt_string row_title = {"", 0}, row_label = {"", 0};
    *result = (struct gt_search_result){.hit = hit};
    if (hit->view != GT_STORE_NONE &&
        gt_store_get_row_brief(store, hit->view, hit->ordinal, &row)) {
        result->row_id = row.id;
        row_title = (gt_string){title, gt_answer_title(&row, title)};
        row_label = row.label;
    }
    gt_string name = gt_store_text(store, hit->name), detail = row_title;
    if (hit->kind == GT_SEARCH_GOROUTINE || hit->kind == GT_SEARCH_TASK) {
        name = row_title;
        detail = row_label;
    } else if (hit->kind == GT_SEARCH_FUNCTION) {
        detail = result_function_detail(hit->number, starts);
    } else if (hit->kind == GT_SEARCH_LOG && gt_store_get_mark(store, hit->number, &mark)) {
        name = mark.text;
    } else if (hit->kind == GT_SEARCH_STATE && name.size == 0) {
        name = result_text_of(gt_answer_classes[hit->cls]);
    }
    return gt_dictionary_put(texts, name, &result->title) &&
           gt_dictionary_put(texts, detail, &result->detail);
}

bool gt_search_result_has_row(const struct gt_search_result *result)
{
    return result->hit->view != GT_STORE_NONE && result->hit->ordinal != GT_STORE_NONE;
}

void gt_search_result_write(struct gt_json *json, const struct gt_search_result *result,
                            const struct gt_dictionary *texts)
{
    const struct gt_hit *hit = result->hit;
    bool has_row = gt_search_result_has_row(result);
    gt_json_object(json);
    gt_json_key_text(json, "kind", gt_search_kinds[hit->kind]);
    gt_json_key_string(json, "title", gt_dictionary_get(texts, result->title));
    gt_json_key_string(json, "detail", gt_dictionary_get(texts, result->detail));
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
