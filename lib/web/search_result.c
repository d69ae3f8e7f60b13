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

/* Returns the frame at which a hit begins, or 0 if it has no stack. */
static uint32_t result_stack_of(const struct gt_hit *hit, const struct gt_store *store)
{
    const struct gt_track *track = gt_store_track(store, hit->track);
    struct gt_span span;
    struct gt_mark mark;
    if (hit->kind == GT_SEARCH_LOG)
        return gt_store_get_mark(store, hit->number, &mark) ? mark.stack : 0;
    if (hit->kind == GT_SEARCH_GOROUTINE || hit->kind == GT_SEARCH_TASK)
        return 0;
    return track && gt_track_get(track, hit->index, &span) ? span.stack : 0;
}

/* Adds the frames of the title of the hit's stack. Returns false if memory runs out. */
static bool result_frames_make(struct gt_search_result *result, const struct gt_store *store,
                               struct gt_dictionary *texts)
{
    struct gt_stacktitle title;
    bool good = true;
    gt_stacktitle_find(&title, store, result_stack_of(result->hit, store));
    result->frame_count = title.count;
    result->outside = title.outside;
    for (size_t i = 0; i < result->frame_count && good; i++) {
        struct gt_search_frame *made = &result->frames[i];
        struct gt_store_frame frame = {0};
        gt_store_frame(store, title.frames[i], &frame);
        made->line = frame.line;
        made->pc = frame.pc;
        good = gt_dictionary_put(texts, gt_store_text(store, frame.function), &made->function) &&
               gt_dictionary_put(texts, gt_store_text(store, frame.file), &made->file);
    }
    return good;
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
           gt_dictionary_put(texts, detail, &result->detail) &&
           result_frames_make(result, store, texts);
}

bool gt_search_result_has_row(const struct gt_search_result *result)
{
    return result->hit->view != GT_STORE_NONE && result->hit->ordinal != GT_STORE_NONE;
}

static void result_frames_write(struct gt_json *json, const struct gt_search_result *result,
                                const struct gt_dictionary *texts)
{
    gt_json_key_array(json, "stack");
    for (size_t i = 0; i < result->frame_count; i++) {
        const struct gt_search_frame *frame = &result->frames[i];
        gt_answer_frame(json, gt_dictionary_get(texts, frame->function),
                        gt_dictionary_get(texts, frame->file), frame->line, frame->pc);
    }
    gt_json_end(json);
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
    result_frames_write(json, result, texts);
    gt_json_end(json);
}
