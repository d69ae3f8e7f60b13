/* SPDX-License-Identifier: BSD-3-Clause */
#include "search_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"
#include "search_match.h"

enum {
    /* What is looked at while the lock is held once. */
    STEP = 4096
};

/* What is known of a text: whether a frame has it, and how many goroutines start with it. */
struct function {
    uint32_t goroutines;
    bool has_frame;
};

/* One search at work, in the thread of the request. */
struct finder {
    struct search *search;
    struct search_match match;
    struct function *functions;
    size_t texts;
    /* By frame, for struct search_match. */
    uint16_t *stacks;
};

/* Another thread's share of the spans. */
struct worker {
    struct search_match match;
    struct hits hits[SEARCH_KINDS];
    uint32_t lanes;
};

/* Looks at the element `index` of something; false if there is none, or no memory. */
typedef bool step_fn(struct finder *finder, uint64_t index);

/* Calls `each` for 0, 1, ... until it returns false or time is up. */
static void go_through(struct finder *finder, step_fn *each)
{
    struct search *search = finder->search;
    bool more = true;
    for (uint64_t index = 0; more;) {
        if (scan_now() > search->deadline) {
            search->is_cut = true;
            return;
        }
        if (search->response != NULL && http_failed(search->response))
            finder->match.failed = true;
        if (finder->match.failed)
            return;
        store_lock_read(search->store);
        for (size_t i = 0; i < STEP && more; i++)
            more = each(finder, index++);
        store_unlock(search->store);
    }
}

static void add(struct finder *finder, enum search_kind kind, const struct hit *hit)
{
    if (!hits_add(&finder->search->hits[kind], hit))
        finder->match.failed = true;
}

/* The terms of plain text that are just this number. */
static uint32_t terms_of_number(const struct search_query *query, int64_t number)
{
    char text[24];
    uint32_t terms = 0;
    snprintf(text, sizeof(text), "%lld", (long long) number);
    for (size_t i = 0; i < query->count; i++) {
        if (query->terms[i].field == SEARCH_TEXT && strcmp(query->terms[i].text, text) == 0)
            terms |= UINT32_C(1) << i;
    }
    return terms;
}

/* Makes sure that there is an element for the text, as long as memory lasts. */
static struct function *function_of(struct finder *finder, uint32_t text)
{
    if (text >= finder->texts) {
        size_t texts = (size_t) text + store_text_count(finder->search->store);
        struct function *functions = realloc(finder->functions, texts * sizeof(*functions));
        if (functions == NULL) {
            finder->match.failed = true;
            return NULL;
        }
        memset(functions + finder->texts, 0, (texts - finder->texts) * sizeof(*functions));
        finder->functions = functions;
        finder->texts = texts;
    }
    return &finder->functions[text];
}

static void count_start(struct finder *finder, const struct store_row *row)
{
    uint32_t text;
    if (row->name.size == 0 || !store_find_text(finder->search->store, row->name, &text))
        return;
    struct function *function = function_of(finder, text);
    if (function != NULL)
        function->goroutines++;
}

static bool step_goroutine(struct finder *finder, uint64_t index)
{
    const struct search *search = finder->search;
    const struct search_match *match = &finder->match;
    struct store_row row;
    if (index >= STORE_NONE ||
        !store_get_row(search->store, VIEW_GOROUTINE, (uint32_t) index, &row))
        return false;
    if (match->wants[SEARCH_FUNCTION])
        count_start(finder, &row);
    if (!match->wants[SEARCH_GOROUTINE] || !search_match_goroutine(search->query, &row) ||
        !search_match_duration(search->query, row.start, row.end))
        return !match->failed;
    uint32_t wanted = match->terms_of[SEARCH_TEXT], found = 0;
    if (wanted != 0)
        found = search_terms_in(search->query, row.name) |
                search_terms_in(search->query, row.label) | terms_of_number(search->query, row.id);
    const struct hit hit = {
        .start = row.start,
        .end = row.end,
        .view = VIEW_GOROUTINE,
        .ordinal = row.ordinal,
        .track = row.lane_count > 0 ? row.lanes[0].track : STORE_NONE,
    };
    if ((found & wanted) == wanted)
        add(finder, SEARCH_GOROUTINE, &hit);
    return !match->failed;
}

static bool step_task(struct finder *finder, uint64_t index)
{
    const struct search *search = finder->search;
    struct store_row row;
    if (index >= STORE_NONE || !store_get_row(search->store, VIEW_TASK, (uint32_t) index, &row))
        return false;
    uint32_t wanted = finder->match.terms_of[SEARCH_TEXT];
    uint32_t found =
        search_terms_in(search->query, row.name) | terms_of_number(search->query, row.id);
    const struct hit hit = {
        .start = row.start,
        .end = row.end,
        .view = VIEW_TASK,
        .ordinal = row.ordinal,
        .track = row.lane_count > 0 ? row.lanes[0].track : STORE_NONE,
    };
    if ((found & wanted) == wanted && search_match_duration(search->query, row.start, row.end))
        add(finder, SEARCH_TASK, &hit);
    return !finder->match.failed;
}

static bool step_log(struct finder *finder, uint64_t index)
{
    const struct search *search = finder->search;
    const struct search_query *query = search->query;
    struct mark mark;
    struct store_row row;
    if (!store_get_mark(search->store, index, &mark))
        return false;
    if (mark.kind != MARK_LOG)
        return true;
    bool of_goroutine = query->has_goroutine || finder->match.terms_of[SEARCH_FUNC] != 0;
    if (of_goroutine && (!store_get_row(search->store, VIEW_GOROUTINE, mark.goroutine, &row) ||
                         !search_match_goroutine(query, &row)))
        return true;
    uint32_t wanted = finder->match.terms_of[SEARCH_TEXT];
    const struct hit hit = {
        .start = mark.time,
        .end = mark.time,
        .view = VIEW_GOROUTINE,
        .ordinal = mark.goroutine,
        .track = STORE_NONE,
        .number = index,
    };
    if ((search_terms_in(query, mark.text) & wanted) == wanted)
        add(finder, SEARCH_LOG, &hit);
    return !finder->match.failed;
}

/* Frames are from 1 on, and a parent comes before its child. */
static bool step_frame(struct finder *finder, uint64_t index)
{
    const struct store *store = finder->search->store;
    struct store_frame frame;
    uint32_t id = (uint32_t) index + 1;
    if (index >= finder->match.stack_count - 1 || !store_frame(store, id, &frame))
        return false;
    if (finder->match.wants[SEARCH_FUNCTION]) {
        struct function *function = function_of(finder, frame.function);
        if (function != NULL)
            function->has_frame = true;
    }
    uint32_t found = search_match_text(&finder->match, store, frame.function);
    finder->stacks[id] = (uint16_t) (found & finder->match.terms_of[SEARCH_STACK]);
    if (frame.parent < id)
        finder->stacks[id] |= finder->stacks[frame.parent];
    return !finder->match.failed;
}

static bool step_function(struct finder *finder, uint64_t index)
{
    struct search_match *match = &finder->match;
    if (index >= finder->texts)
        return false;
    struct function function = finder->functions[index];
    if (index == 0 || (function.goroutines == 0 && !function.has_frame))
        return true;
    uint32_t wanted = match->terms_of[SEARCH_TEXT];
    uint32_t found = search_match_text(match, finder->search->store, (uint32_t) index);
    struct hit hit = {
        .view = STORE_NONE,
        .ordinal = STORE_NONE,
        .track = STORE_NONE,
        .name = (uint32_t) index,
        .number = function.goroutines,
    };
    if ((found & wanted) != wanted)
        return true;
    if (function.goroutines > 0)
        add(finder, SEARCH_FUNCTION, &hit);
    hit.number = 0;
    if (function.has_frame)
        add(finder, SEARCH_FUNCTION, &hit);
    return !match->failed;
}

/* One span of the collector's phases or of the stops of the world. */
static bool step_phase(struct finder *finder, const struct track *track, uint64_t index)
{
    struct span span;
    if (index >= STORE_NONE || !track_get(track, (uint32_t) index, &span))
        return false;
    /* A goroutine's is in one of its lanes, too. */
    if (span.goroutine != STORE_NONE)
        return true;
    enum search_kind kind =
        search_match_span(&finder->match, finder->search->store, LANE_RANGE, &span, 0);
    const struct hit hit = {
        .start = span.start,
        .end = span.end,
        .view = STORE_NONE,
        .ordinal = STORE_NONE,
        .track = STORE_NONE,
        .name = span.name,
        .cls = span.cls,
    };
    if (kind == SEARCH_RANGE)
        add(finder, SEARCH_RANGE, &hit);
    return !finder->match.failed;
}

static bool step_gc(struct finder *finder, uint64_t index)
{
    return step_phase(finder, store_gc(finder->search->store), index);
}

static bool step_stop(struct finder *finder, uint64_t index)
{
    return step_phase(finder, store_stw(finder->search->store), index);
}

static bool add_part(void *user_data, const struct scan_part *part)
{
    struct worker *worker = user_data;
    const struct search_query *query = worker->match.query;
    struct store_row row;
    if ((worker->lanes >> part->lane & 1) == 0 ||
        !store_get_row(part->store, part->view, part->ordinal, &row) ||
        !search_match_goroutine(query, &row))
        return true;
    uint32_t in_name = search_terms_in(query, row.name) | search_terms_in(query, row.label);
    for (uint32_t i = part->first; i < part->last; i++) {
        struct span span;
        if (!track_get(part->track, i, &span))
            break;
        enum search_kind kind =
            search_match_span(&worker->match, part->store, part->lane, &span, in_name);
        const struct hit hit = {
            .start = span.start,
            .end = span.end,
            .view = part->view,
            .ordinal = part->ordinal,
            .track = part->id,
            .index = i,
            .name = span.name,
            .cls = span.cls,
        };
        if (kind < SEARCH_KINDS && !hits_add(&worker->hits[kind], &hit))
            return false;
    }
    return !worker->match.failed;
}

/* Which lanes have what is wanted. */
static uint32_t lanes_of(const struct search_match *match)
{
    uint32_t lanes = 0;
    if (match->wants[SEARCH_STATE] || match->wants[SEARCH_REASON])
        lanes |= UINT32_C(1) << LANE_STATE;
    if (match->wants[SEARCH_REGION])
        lanes |= UINT32_C(1) << LANE_REGION;
    if (match->wants[SEARCH_RANGE])
        lanes |= UINT32_C(1) << LANE_RANGE;
    return lanes;
}

/* Narrows the scope down to the one goroutine that is asked for. */
static bool take_goroutine(struct scope *scope, struct store *store, int64_t id)
{
    struct store_row row;
    uint32_t ordinal;
    bool good = true;
    scope->has_tracks = true;
    store_lock_read(store);
    if (store_find_row(store, VIEW_GOROUTINE, id, &ordinal) &&
        store_get_row(store, VIEW_GOROUTINE, ordinal, &row)) {
        scope->tracks.list = calloc(row.lane_count + 1, sizeof(*scope->tracks.list));
        good = scope->tracks.list != NULL;
        for (size_t i = 0; i < row.lane_count && good; i++)
            scope->tracks.list[scope->tracks.count++] = row.lanes[i].track;
    }
    store_unlock(store);
    return good;
}

static bool scan_spans(struct finder *finder, const struct scope *scope, uint32_t lanes)
{
    struct search *search = finder->search;
    struct worker workers[SCAN_WORKERS];
    void *both[SCAN_WORKERS] = {&workers[0], &workers[1]};
    struct scan scan = {.store = search->store,
                        .scope = scope,
                        .lanes = lanes,
                        .each = add_part,
                        .limit_ns = search->deadline - scan_now(),
                        .response = search->response};
    for (size_t i = 0; i < SCAN_WORKERS; i++) {
        workers[i] = (struct worker){.lanes = lanes};
        search_match_init(&workers[i].match, search->query, finder->match.stacks,
                          finder->match.stack_count);
        for (size_t kind = 0; kind < SEARCH_KINDS; kind++)
            workers[i].hits[kind].max = search->max;
    }
    enum scan_end end = scan_run(&scan, both);
    bool good = end != SCAN_FAILED;
    search->is_cut |= end == SCAN_LATE;
    for (size_t i = 0; i < SCAN_WORKERS; i++) {
        for (size_t kind = 0; kind < SEARCH_KINDS; kind++) {
            good = good && hits_merge(&search->hits[kind], &workers[i].hits[kind]);
            hits_free(&workers[i].hits[kind]);
        }
        search_match_free(&workers[i].match);
    }
    return good;
}

static bool find_spans(struct finder *finder)
{
    const struct search_query *query = finder->search->query;
    uint32_t lanes = lanes_of(&finder->match);
    struct scope scope = {.start = -1, .end = INT64_MAX, .view = VIEW_GOROUTINE};
    bool good = true;
    if (lanes == 0)
        return true;
    if (query->has_goroutine)
        good = take_goroutine(&scope, finder->search->store, query->goroutine);
    good = good && scan_spans(finder, &scope, lanes);
    scope_free(&scope);
    return good;
}

/* Everything but spans of goroutines, which are most. */
static void find_others(struct finder *finder)
{
    const struct search_match *match = &finder->match;
    bool of_goroutine = finder->search->query->has_goroutine || match->terms_of[SEARCH_FUNC] != 0;
    if (match->wants[SEARCH_FUNCTION] || match->terms_of[SEARCH_STACK] != 0)
        go_through(finder, step_frame);
    if (match->wants[SEARCH_FUNCTION] || match->wants[SEARCH_GOROUTINE])
        go_through(finder, step_goroutine);
    if (match->wants[SEARCH_FUNCTION])
        go_through(finder, step_function);
    if (match->wants[SEARCH_TASK])
        go_through(finder, step_task);
    if (match->wants[SEARCH_LOG])
        go_through(finder, step_log);
    if (match->wants[SEARCH_RANGE] && !of_goroutine) {
        go_through(finder, step_gc);
        go_through(finder, step_stop);
    }
}

bool search_find(struct search *search)
{
    struct finder finder = {.search = search};
    store_lock_read(search->store);
    size_t frames = (size_t) store_frame_count(search->store) + 1;
    store_unlock(search->store);
    finder.stacks = calloc(frames, sizeof(*finder.stacks));
    /* Half of the time is for spans, whatever the rest takes. */
    search->deadline = scan_now() + search->limit_ns / 2;
    for (size_t kind = 0; kind < SEARCH_KINDS; kind++)
        search->hits[kind] = (struct hits){.max = search->max};
    search_match_init(&finder.match, search->query, finder.stacks, frames);
    if (finder.stacks != NULL)
        find_others(&finder);
    search->deadline += search->limit_ns - search->limit_ns / 2;
    bool good = finder.stacks != NULL && !finder.match.failed && find_spans(&finder);
    for (size_t kind = 0; kind < SEARCH_KINDS; kind++)
        hits_sort(&search->hits[kind]);
    search_match_free(&finder.match);
    free(finder.functions);
    free(finder.stacks);
    return good;
}

void search_free(struct search *search)
{
    for (size_t kind = 0; kind < SEARCH_KINDS; kind++)
        hits_free(&search->hits[kind]);
}
