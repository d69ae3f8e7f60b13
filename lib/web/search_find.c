/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/search_find.h"

#include <stdlib.h>

#include "web/answer.h"
#include "web/scope.h"
#include "web/search_match.h"
#include "web/search_spans.h"

enum {
    /* The number of elements that are visited before the lock is released for a moment. */
    STEP = 4096
};

/*
 * The use of a text as the name of a function: whether a frame has this name, and the number of
 * goroutines that start with the function.
 */
struct function {
    uint32_t goroutines;
    bool has_frame;
};

/* The state of one search. It belongs to the thread of the request. */
struct finder {
    struct gt_search *search;
    struct gt_search_match match;
    /* Indexed by the id of a text. */
    GT_ARRAY(struct function) functions;
    /* Indexed by frame; see `stacks` of struct gt_search_match. */
    GT_ARRAY(uint16_t) stacks;
};

/*
 * Examines element `index` of a list. Returns false if there is no such element, or if memory ran
 * out.
 */
typedef bool step_fn(struct finder *finder, uint64_t index);

/* Calls `each` with 0, 1, 2 and so on until it returns false. */
static void search_go_through(struct finder *finder, step_fn *each)
{
    struct gt_search *search = finder->search;
    bool more = true;
    for (uint64_t index = 0; more;) {
        if (search->response && gt_response_is_over(search->response))
            finder->match.failed = true;
        if (finder->match.failed)
            return;
        gt_store_lock_read(search->store);
        for (size_t i = 0; i < STEP && more; i++)
            more = each(finder, index++);
        gt_store_unlock(search->store);
    }
}

static void search_add(struct finder *finder, enum gt_search_kind kind, const struct gt_hit *hit)
{
    if (!gt_hits_add(&finder->search->hits[kind], hit))
        finder->match.failed = true;
}

/* Returns the element of a text, and allocates it if needed. Returns NULL if memory runs out. */
static struct function *search_function_of(struct finder *finder, uint32_t text)
{
    if (gt_array_extend(finder->search->mem, &finder->functions, text + (size_t) 1) != GT_OK) {
        finder->match.failed = true;
        return NULL;
    }
    return &finder->functions.items[text];
}

bool gt_search_has_row(const struct gt_search *search, const struct gt_store_row *row)
{
    const struct gt_query_tracks *tracks = search->tracks;
    for (size_t i = 0; tracks && i < row->lane_count; i++) {
        if (gt_scope_names(tracks, row->lanes[i].track))
            return true;
    }
    return !tracks;
}

struct gt_hits gt_search_new_hits(const struct gt_search *search, enum gt_search_kind kind)
{
    return (struct gt_hits){.mem = search->mem,
                            .max = search->max,
                            .kind = kind,
                            .has_length = kind != GT_SEARCH_FUNCTION && kind != GT_SEARCH_LOG,
                            .table = search->table};
}

/* Adds a goroutine or a task if its times match. */
static void search_add_row(struct finder *finder, enum gt_search_kind kind, uint32_t view,
                           uint32_t ordinal)
{
    struct gt_search *search = finder->search;
    struct gt_store_row row;
    if (!gt_store_get_row_brief(search->store, view, ordinal, &row) ||
        !gt_search_has_time(search, row.start, row.end) || !gt_search_has_row(search, &row) ||
        !gt_search_match_times(search->query, search->store, row.start, row.end))
        return;
    const struct gt_hit hit = {
        .start = row.start,
        .end = row.end,
        .view = view,
        .ordinal = ordinal,
        .track = row.lane_count > 0 ? row.lanes[0].track : GT_STORE_NONE,
        .name = row.name_text,
    };
    search_add(finder, kind, &hit);
}

static bool search_has_words(struct finder *finder, const struct gt_store_head *head)
{
    uint32_t wanted = finder->match.terms_of[GT_SEARCH_TEXT];
    return (gt_search_match_row(&finder->match, finder->search->store, head) & wanted) == wanted;
}

static bool search_step_goroutine(struct finder *finder, uint64_t index)
{
    struct gt_search_match *match = &finder->match;
    const struct gt_store *store = finder->search->store;
    struct gt_store_head head;
    if (index >= GT_STORE_NONE ||
        !gt_store_get_head(store, GT_STORE_VIEW_GOROUTINE, (uint32_t) index, &head))
        return false;
    if (match->wants[GT_SEARCH_FUNCTION] && head.name != 0) {
        struct function *function = search_function_of(finder, head.name);
        if (function)
            function->goroutines++;
    }
    if (match->wants[GT_SEARCH_GOROUTINE] && gt_search_match_goroutine(match, store, &head) &&
        search_has_words(finder, &head))
        search_add_row(finder, GT_SEARCH_GOROUTINE, GT_STORE_VIEW_GOROUTINE, (uint32_t) index);
    return !match->failed;
}

/* Looks up the only goroutine that the query is about, by its number. */
static bool search_step_found(struct finder *finder, uint64_t index)
{
    uint32_t ordinal;
    if (index == 0 && gt_store_find_row(finder->search->store, GT_STORE_VIEW_GOROUTINE,
                                        finder->search->query->goroutine, &ordinal))
        search_step_goroutine(finder, ordinal);
    return false;
}

static bool search_step_task(struct finder *finder, uint64_t index)
{
    struct gt_store_head head;
    if (index >= GT_STORE_NONE ||
        !gt_store_get_head(finder->search->store, GT_VIEW_TASK, (uint32_t) index, &head))
        return false;
    if (search_has_words(finder, &head))
        search_add_row(finder, GT_SEARCH_TASK, GT_VIEW_TASK, (uint32_t) index);
    return !finder->match.failed;
}

static bool search_is_of_goroutine(struct finder *finder, uint32_t ordinal)
{
    const struct gt_store *store = finder->search->store;
    struct gt_store_head head;
    struct gt_store_row row;
    if (finder->search->tracks &&
        !(gt_store_get_row_brief(store, GT_STORE_VIEW_GOROUTINE, ordinal, &row) &&
          gt_search_has_row(finder->search, &row)))
        return false;
    if (!finder->search->query->has_goroutine && finder->match.terms_of[GT_SEARCH_FUNC] == 0)
        return true;
    return gt_store_get_head(store, GT_STORE_VIEW_GOROUTINE, ordinal, &head) &&
           gt_search_match_goroutine(&finder->match, store, &head);
}

static bool search_step_log(struct finder *finder, uint64_t index)
{
    const struct gt_store *store = finder->search->store;
    struct gt_mark mark;
    if (!gt_store_get_mark(store, index, &mark))
        return false;
    if (mark.kind != GT_MARK_LOG || !gt_search_has_time(finder->search, mark.time, mark.time))
        return true;
    uint32_t wanted = finder->match.terms_of[GT_SEARCH_TEXT];
    const struct gt_hit hit = {
        .start = mark.time,
        .end = mark.time,
        .view = GT_STORE_VIEW_GOROUTINE,
        .ordinal = mark.goroutine,
        .track = GT_STORE_NONE,
        .name = mark.text_id,
        .number = index,
    };
    if ((gt_search_match_text(&finder->match, store, mark.text_id) & wanted) == wanted &&
        search_is_of_goroutine(finder, mark.goroutine))
        search_add(finder, GT_SEARCH_LOG, &hit);
    return !finder->match.failed;
}

/*
 * The ids of frames begin with 1. A parent's id is less than its child's, so the parent's terms
 * are already known.
 */
static bool search_step_frame(struct finder *finder, uint64_t index)
{
    const struct gt_store *store = finder->search->store;
    struct gt_store_frame frame;
    uint32_t id = (uint32_t) index + 1;
    if (index >= finder->match.stack_count - 1 || !gt_store_frame(store, id, &frame))
        return false;
    if (finder->match.wants[GT_SEARCH_FUNCTION]) {
        struct function *function = search_function_of(finder, frame.function);
        if (function)
            function->has_frame = true;
    }
    uint32_t found = gt_search_match_text(&finder->match, store, frame.function);
    finder->stacks.items[id] = (uint16_t) (found & finder->match.terms_of[GT_SEARCH_STACK]);
    if (frame.parent < id)
        finder->stacks.items[id] |= finder->stacks.items[frame.parent];
    return !finder->match.failed;
}

static bool search_step_function(struct finder *finder, uint64_t index)
{
    struct gt_search_match *match = &finder->match;
    if (index >= finder->functions.count)
        return false;
    struct function function = finder->functions.items[index];
    if (index == 0 || (function.goroutines == 0 && !function.has_frame))
        return true;
    uint32_t wanted = match->terms_of[GT_SEARCH_TEXT];
    uint32_t found = gt_search_match_text(match, finder->search->store, (uint32_t) index);
    struct gt_hit hit = {
        .view = GT_STORE_NONE,
        .ordinal = GT_STORE_NONE,
        .track = GT_STORE_NONE,
        .name = (uint32_t) index,
        .number = function.goroutines,
    };
    if ((found & wanted) != wanted)
        return true;
    if (function.goroutines > 0)
        search_add(finder, GT_SEARCH_FUNCTION, &hit);
    hit.number = 0;
    if (function.has_frame)
        search_add(finder, GT_SEARCH_FUNCTION, &hit);
    return !match->failed;
}

/* Examines one span of the collector's phases or of the stops of the world. */
static bool search_step_phase(struct finder *finder, const struct gt_track *track, uint64_t index)
{
    struct gt_span span;
    if (index >= GT_STORE_NONE || !gt_track_get(track, (uint32_t) index, &span))
        return false;
    /*
     * A phase that belongs to a goroutine is also in one of the goroutine's lanes, and found
     * there.
     */
    if (span.goroutine != GT_STORE_NONE ||
        !gt_search_has_time(finder->search, span.start, span.end))
        return true;
    enum gt_search_kind kind =
        gt_search_match_span(&finder->match, finder->search->store, GT_LANE_RANGE, &span, 0);
    const struct gt_hit hit = {
        .start = span.start,
        .end = span.end,
        .view = GT_STORE_NONE,
        .ordinal = GT_STORE_NONE,
        .track = GT_STORE_NONE,
        .name = span.name,
        .cls = span.cls,
    };
    if (kind == GT_SEARCH_RANGE)
        search_add(finder, GT_SEARCH_RANGE, &hit);
    return !finder->match.failed;
}

static bool search_step_gc(struct finder *finder, uint64_t index)
{
    return search_step_phase(finder, gt_store_gc(finder->search->store), index);
}

static bool search_step_stop(struct finder *finder, uint64_t index)
{
    return search_step_phase(finder, gt_store_stw(finder->search->store), index);
}

static void search_run_stage(struct finder *finder, bool is_wanted, step_fn *step)
{
    if (is_wanted)
        search_go_through(finder, step);
}

/*
 * Searches everything except spans of goroutines. Goroutines and logs may number in the millions.
 */
static void search_run_stages(struct finder *finder)
{
    const struct gt_search_match *match = &finder->match;
    const bool *wants = match->wants, has_id = finder->search->query->has_goroutine;
    bool has_phases = wants[GT_SEARCH_RANGE] && !has_id && !finder->search->tracks &&
                      match->terms_of[GT_SEARCH_FUNC] == 0;
    bool has_goroutines = wants[GT_SEARCH_FUNCTION] || wants[GT_SEARCH_GOROUTINE];
    search_run_stage(finder, has_goroutines && has_id, search_step_found);
    search_run_stage(finder, has_goroutines && !has_id, search_step_goroutine);
    search_run_stage(finder, wants[GT_SEARCH_FUNCTION], search_step_function);
    search_run_stage(finder, wants[GT_SEARCH_TASK], search_step_task);
    search_run_stage(finder, wants[GT_SEARCH_LOG], search_step_log);
    search_run_stage(finder, has_phases, search_step_gc);
    search_run_stage(finder, has_phases, search_step_stop);
}

/* Frames come first, as the search for spans needs to know which stacks match. */
static bool search_find_all(struct finder *finder)
{
    struct gt_search *search = finder->search;
    const struct gt_search_match *match = &finder->match;
    if (match->wants[GT_SEARCH_FUNCTION] || match->terms_of[GT_SEARCH_STACK] != 0)
        search_go_through(finder, search_step_frame);
    if (match->failed || !gt_search_spans(search, &finder->match))
        return false;
    search_run_stages(finder);
    return !match->failed;
}

bool gt_search_find(struct gt_search *search)
{
    struct finder finder = {.search = search};
    gt_store_lock_read(search->store);
    size_t frames = (size_t) gt_store_frame_count(search->store) + 1;
    gt_store_unlock(search->store);
    bool good = gt_array_extend(search->mem, &finder.stacks, frames) == GT_OK;
    for (unsigned kind = 0; kind < GT_SEARCH_KINDS; kind++)
        search->hits[kind] = gt_search_new_hits(search, kind);
    gt_search_match_init(&finder.match, search->mem, search->query, finder.stacks.items, frames);
    good = good && search_find_all(&finder);
    /* A table is sorted as a whole. */
    for (size_t kind = 0; kind < GT_SEARCH_KINDS && !search->table; kind++)
        gt_hits_sort(&search->hits[kind]);
    gt_search_match_free(&finder.match);
    gt_array_free(search->mem, &finder.functions);
    gt_array_free(search->mem, &finder.stacks);
    return good;
}

void gt_search_free(struct gt_search *search)
{
    for (unsigned kind = 0; kind < GT_SEARCH_KINDS; kind++)
        gt_hits_free(&search->hits[kind]);
}
