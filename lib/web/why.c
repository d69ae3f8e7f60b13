/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/why: what goroutines, regions, tasks or areas spent their time on: their critical paths. */
#include "base/time.h"
#include "web/answer.h"
#include "web/calltree.h"
#include "web/endpoints.h"
#include "web/totals_page.h"
#include "web/whyasked.h"
#include "web/whysums.h"

enum {
    /* The most sums in an answer. */
    SUMS_MAX = 1000,
    /* After so many parts no further interval of an area is followed. */
    PARTS_MAX = 2000000,
    /* The most bytes of the names of one stack, which is cut after them. */
    STACK_TEXTS_MAX = 40000
};

enum why_sort {
    GT_SORT_START,
    GT_SORT_TIME
};

static const char *const why_sorts[] = {"start", "time"};

/* The parameters besides the interval. */
struct why_form {
    struct gt_totals_page_part part;
    uint32_t sort;
    bool descending, has_stacks, has_nodes, by_line;
    /* Only parts that have time in this range are listed. */
    int64_t from, to;
};

/* A part that is listed. */
struct why_listed {
    uint64_t number; /* among all parts, in the order of intervals and times */
    uint32_t interval;
    struct gt_whystack stack;
    gt_path_part part;
};

/* What an answer is made from. */
struct why_answer {
    struct gt_whypath *why;
    struct gt_whyasked *asked;
    const struct why_form *form;
    struct gt_response *response;
    struct gt_whysums sums;
    struct gt_ranking ranking;
    GT_ARRAY(struct why_listed) listed;
    /* The intervals that were followed, and the number of their parts. */
    size_t followed;
    uint64_t parts;
};

static int64_t why_time(const struct why_answer *answer, int64_t time)
{
    return gt_time_minus(time, answer->why->start);
}

static gt_status why_follow(const struct why_answer *answer, size_t number)
{
    const struct gt_whyasked_interval *interval = &answer->asked->intervals.items[number];
    int64_t start = answer->why->start;
    return gt_path_follow(answer->why->path, interval->goroutine,
                          gt_time_plus(start, interval->start), gt_time_plus(start, interval->end));
}

/* Ranks those parts of the path that was followed that may be listed. */
static bool why_rank(struct why_answer *answer)
{
    size_t count = gt_path_part_count(answer->why->path);
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        gt_path_part part = GT_PATH_PART_INIT;
        gt_path_get_part(answer->why->path, i, &part);
        int64_t key =
            answer->form->sort == GT_SORT_TIME ? gt_time_minus(part.end, part.start) : part.start;
        if (why_time(answer, part.start) < answer->form->to &&
            why_time(answer, part.end) > answer->form->from)
            good = gt_ranking_add(&answer->ranking, key, answer->parts + i);
    }
    answer->parts += count;
    return good;
}

/*
 * Follows the intervals and adds up their parts. A goroutine of an area that the analysis does not
 * know has no parts.
 */
static gt_status why_add_up(struct why_answer *answer)
{
    size_t count = answer->asked->intervals.count;
    for (; answer->followed < count && answer->parts < PARTS_MAX; answer->followed++) {
        if (gt_response_is_over(answer->response))
            return GT_OK;
        gt_status status = why_follow(answer, answer->followed);
        if (status == GT_ERR_NOT_AVAILABLE && answer->asked->kind == GT_WHYASKED_AREA)
            continue;
        if (status != GT_OK)
            return status;
        if (!gt_whysums_add(&answer->sums, answer->why->path) || !why_rank(answer))
            return GT_ERR_NO_MEMORY;
    }
    answer->asked->left_out += count - answer->followed;
    return GT_OK;
}

/* Takes over the listed parts that are among those of an interval, whose first has this number. */
static bool why_take_parts(struct why_answer *answer, size_t interval, uint64_t first)
{
    const gt_path *path = answer->why->path;
    for (size_t i = 0; i < answer->listed.count; i++) {
        struct why_listed *listed = &answer->listed.items[i];
        if (listed->number < first || listed->number - first >= gt_path_part_count(path))
            continue;
        size_t index = (size_t) (listed->number - first);
        listed->interval = (uint32_t) interval;
        listed->part = (gt_path_part) GT_PATH_PART_INIT;
        gt_path_get_part(path, index, &listed->part);
        if (!gt_whysums_find_stack(&answer->sums, path, index, &listed->stack))
            return false;
    }
    return true;
}

/* Lists the part of the ranking that is asked for. The parts of several intervals are found again,
 * since only those of one are kept. */
static gt_status why_list(struct why_answer *answer)
{
    const struct gt_totals_page_part *asked = &answer->form->part;
    gt_status status = GT_OK;
    uint64_t first = 0;
    gt_ranking_finish(&answer->ranking);
    for (uint64_t i = asked->first;
         i < asked->first + asked->count && i < answer->ranking.count && status == GT_OK; i++) {
        const struct why_listed listed = {.number = answer->ranking.list[i].what};
        status = gt_array_add(answer->response->mem, &answer->listed, listed);
    }
    for (size_t i = 0; i < answer->followed && status == GT_OK; i++) {
        status = answer->asked->intervals.count > 1 ? why_follow(answer, i) : GT_OK;
        if (status == GT_ERR_NOT_AVAILABLE)
            status = GT_OK;
        else if (status == GT_OK && !why_take_parts(answer, i, first))
            status = GT_ERR_NO_MEMORY;
        first += gt_path_part_count(answer->why->path);
    }
    return status;
}

static void why_write_intervals(const struct why_answer *answer, struct gt_json *json)
{
    int64_t time = 0;
    gt_json_key_array(json, "intervals");
    for (size_t i = 0; i < answer->followed; i++) {
        const struct gt_whyasked_interval *interval = &answer->asked->intervals.items[i];
        gt_time_add_to(&time, gt_time_minus(interval->end, interval->start));
        gt_json_object(json);
        gt_json_key_int(json, "goroutine", interval->goroutine);
        gt_json_key_int(json, "start", interval->start);
        gt_json_key_int(json, "end", interval->end);
        gt_json_end(json);
    }
    gt_json_end(json);
    gt_json_key_uint(json, "left_out", answer->asked->left_out);
    gt_json_key_int(json, "time", time);
}

/* Writes a text of the trace, or the beginning of one that is very long. */
static void why_write_text(struct gt_json *json, const char *key, gt_string text)
{
    text.size = gt_answer_fitting(text, GT_ANSWER_TITLE_MAX);
    gt_json_key_string(json, key, text);
}

/* Writes the members that a sum and a part have in common. */
static void why_write_what(const struct why_answer *answer, struct gt_json *json,
                           const gt_path_part *part, uint32_t where)
{
    why_write_text(json, "group", part->group);
    why_write_text(json, "where", gt_dictionary_get(&answer->sums.texts, where));
    why_write_text(json, "reason", part->reason);
    gt_json_key_text(json, "state", gt_path_state_name(part->state));
    uint32_t cls = gt_whysums_class(part);
    gt_json_key_text(json, "class", cls < GT_STORE_CLASSES ? gt_answer_classes[cls] : "");
}

static void why_write_place(const struct why_answer *answer, struct gt_json *json,
                            const gt_path_part *part)
{
    gt_json_key_int(json, "start", why_time(answer, part->start));
    gt_json_key_int(json, "end", why_time(answer, part->end));
    gt_json_key_int(json, "goroutine", part->goroutine);
}

static void why_write_sums(const struct why_answer *answer, struct gt_json *json)
{
    gt_json_key_uint(json, "sums_total", answer->sums.list.count);
    gt_json_key_array(json, "sums");
    for (size_t i = 0; i < answer->sums.list.count && i < SUMS_MAX; i++) {
        const struct gt_whysum *sum = &answer->sums.list.items[answer->sums.order.items[i]];
        gt_json_object(json);
        gt_json_key_int(json, "time", sum->time);
        gt_json_key_uint(json, "count", sum->count);
        why_write_what(answer, json, &sum->longest, sum->where);
        gt_json_key_object(json, "longest");
        why_write_place(answer, json, &sum->longest);
        gt_json_end(json);
        gt_json_end(json);
    }
    gt_json_end(json);
}

static void why_write_stack(const struct why_answer *answer, struct gt_json *json, uint32_t leaf)
{
    const struct gt_whysums *sums = &answer->sums;
    size_t room = STACK_TEXTS_MAX;
    gt_json_key_array(json, "stack");
    while (leaf != 0) {
        const struct gt_store_frame *frame = &sums->frames.items[leaf];
        gt_string function = gt_dictionary_get(&sums->texts, frame->function);
        gt_string file = gt_dictionary_get(&sums->texts, frame->file);
        if (function.size + file.size > room)
            break;
        room -= function.size + file.size;
        gt_answer_frame(json, function, file, frame->line, frame->pc);
        leaf = frame->parent;
    }
    gt_json_end(json);
}

static void why_write_parts(const struct why_answer *answer, struct gt_json *json)
{
    gt_json_key_uint(json, "total", answer->ranking.total);
    gt_json_key_array(json, "parts");
    for (size_t i = 0; i < answer->listed.count && !gt_response_is_over(answer->response); i++) {
        const struct why_listed *listed = &answer->listed.items[i];
        gt_json_object(json);
        gt_json_key_uint(json, "number", listed->number);
        gt_json_key_uint(json, "interval", listed->interval);
        why_write_place(answer, json, &listed->part);
        why_write_what(answer, json, &listed->part, listed->stack.where);
        if (answer->form->has_stacks)
            why_write_stack(answer, json, listed->stack.leaf);
        gt_json_end(json);
    }
    gt_json_end(json);
}

/* Writes the tree of the stacks. Returns false if memory runs out. */
static bool why_write_nodes(const struct why_answer *answer, struct gt_json *json)
{
    const struct gt_whysums *sums = &answer->sums;
    struct gt_calltree tree = {.by_line = answer->form->by_line};
    bool good = gt_calltree_make(&tree, &sums->weights, sums->frames.items, sums->frames.count);
    if (good) {
        gt_json_key_text(json, "unit", "ns");
        gt_json_key_int(json, "tree_total", tree.nodes[0].total);
        good = gt_flame_write_nodes(json, &tree, gt_whysums_text, sums);
    }
    gt_calltree_free(&tree);
    return good;
}

static void why_write(struct why_answer *answer)
{
    struct gt_json json;
    gt_path_info info = GT_PATH_INFO_INIT;
    gt_path_get_info(answer->why->path, &info);
    gt_json_start(&json, answer->response);
    gt_json_key_uint(&json, "forgotten", info.forgotten);
    why_write_intervals(answer, &json);
    why_write_sums(answer, &json);
    why_write_parts(answer, &json);
    bool good = !answer->form->has_nodes || why_write_nodes(answer, &json);
    gt_json_finish(&json);
    if (!good)
        gt_response_no_memory(answer->response);
}

/* Answers with 404 where the request names something that the trace does not have. */
static void why_refuse(const struct why_answer *answer, gt_status status)
{
    static const char *const missing[] = {
        [GT_WHYASKED_AREA] = "there is no goroutine in this area",
        [GT_WHYASKED_GOROUTINE] = "the trace has no such goroutine",
        [GT_WHYASKED_TASK] = "no such task begins and ends in the trace",
    };
    if (status == GT_ERR_NOT_AVAILABLE)
        gt_response_error(answer->response, 404, missing[answer->asked->kind]);
    else
        gt_response_no_memory(answer->response);
}

static gt_status why_make(struct why_answer *answer)
{
    const struct gt_totals_page_part *part = &answer->form->part;
    struct gt_mem *mem = answer->response->mem;
    gt_ranking_init(&answer->ranking, mem, (size_t) (part->first + part->count) + 1,
                    answer->form->descending);
    gt_status status = gt_whysums_init(&answer->sums, mem) ? GT_OK : GT_ERR_NO_MEMORY;
    if (status == GT_OK)
        status = why_add_up(answer);
    if (status == GT_OK && !gt_whysums_sort(&answer->sums))
        status = GT_ERR_NO_MEMORY;
    return status == GT_OK ? why_list(answer) : status;
}

static void why_serve(struct why_answer *answer)
{
    struct gt_mem *mem = answer->response->mem;
    pthread_mutex_lock(&answer->why->lock);
    gt_status status = gt_whyasked_resolve(answer->asked, answer->why);
    if (status == GT_OK)
        status = why_make(answer);
    pthread_mutex_unlock(&answer->why->lock);
    if (status == GT_OK)
        why_write(answer);
    else
        why_refuse(answer, status);
    gt_ranking_free(&answer->ranking);
    gt_array_free(mem, &answer->listed);
    gt_whysums_free(&answer->sums);
}

static void why_take_form(struct why_form *form, struct gt_query *query)
{
    *form = (struct why_form){.has_stacks = true, .from = INT64_MIN, .to = INT64_MAX};
    gt_totals_page_part(query, &form->part);
    gt_query_word(query, "sort", why_sorts, sizeof(why_sorts) / sizeof(why_sorts[0]), &form->sort);
    gt_query_bool(query, "desc", &form->descending);
    gt_query_bool(query, "stacks", &form->has_stacks);
    gt_query_bool(query, "nodes", &form->has_nodes);
    gt_query_bool(query, "lines", &form->by_line);
    gt_query_time(query, "from", &form->from);
    gt_query_time(query, "to", &form->to);
}

/* Has the past of the trace read, if that has not been done, so that the next question is answered
 * at once. */
static void why_prepare(struct gt_web *web, struct gt_query *query)
{
    struct gt_json json;
    if (!gt_analysis_demand(web, query, &gt_whypath_kind, "", 0, false))
        return;
    gt_json_start(&json, query->response);
    gt_json_key_bool(&json, "ready", true);
    gt_json_finish(&json);
}

void gt_web_serve_why(struct gt_web *web, struct gt_query *query)
{
    struct why_form form;
    struct gt_whyasked asked;
    bool prepares = false;
    gt_query_bool(query, "prepare", &prepares);
    if (prepares) {
        why_prepare(web, query);
        return;
    }
    why_take_form(&form, query);
    if (gt_whyasked_take(&asked, query, web)) {
        struct gt_whypath *why = gt_analysis_demand(web, query, &gt_whypath_kind, "", 0, false);
        struct why_answer answer = {why, &asked, &form, query->response, .sums.mem = &web->mem};
        answer.ranking.mem = &web->mem;
        if (why)
            why_serve(&answer);
    }
    gt_whyasked_free(&asked);
}
