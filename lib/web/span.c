/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/span: all that is known of one span. */
#include "web/answer.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/spanlinks.h"
#include "web/web.h"

enum {
    LISTED_MAX = 100,
    /* A span of the whole trace may have millions of marks in its time: no more are looked at. */
    MARKS_LOOKED_AT = 500000
};

/* What is asked about. */
struct about {
    const struct store *store;
    struct json *json;
    uint32_t track;
    struct span span;
    struct store_row row;
    /* The goroutine's state then, where `span` itself or one below it; STORE_NONE for none. */
    uint32_t state_track;
    struct span state;
};

/* `from_row` is of goroutines: regions and ranges have the goroutine of their row. */
static uint32_t goroutine_of(const struct about *about)
{
    if (about->span.goroutine == STORE_NONE && about->row.view == VIEW_GOROUTINE)
        return about->row.ordinal;
    return about->span.goroutine;
}

static bool is_state(const struct about *about)
{
    return about->row.view == VIEW_GOROUTINE && about->row.lane_count > 0 &&
           about->row.lanes[0].track == about->track;
}

/* Finds the span, its row and the state. */
static bool find(struct about *about, uint32_t index)
{
    uint32_t view, ordinal;
    const struct store *store = about->store;
    const struct track *track = store_track(store, about->track);
    if (track == NULL || !track_get(track, index, &about->span) ||
        !store_track_row(store, about->track, &view, &ordinal) ||
        !store_get_row_brief(store, view, ordinal, &about->row))
        return false;
    about->span.goroutine = goroutine_of(about);
    about->state_track = STORE_NONE;
    if (is_state(about)) {
        about->state_track = about->track;
        about->state = about->span;
    } else if (view == VIEW_PROC || view == VIEW_THREAD) {
        about->state_track =
            answer_state_at(store, about->span.goroutine, about->span.start, &about->state);
    }
    return true;
}

static void write_title(struct json *json, const char *key, const struct store *store,
                        uint32_t view, const struct span *span)
{
    char title[ANSWER_TITLE_MAX];
    size_t size = answer_span_name(store, view, span, title);
    json_key_string(json, key, (gt_string){title, size});
}

static void write_times(struct json *json, const struct span *span)
{
    json_key_int(json, "start", span->start);
    json_key_int(json, "end", span->end);
    json_key_text(json, "class", answer_classes[span->cls % STORE_CLASSES]);
}

static void write_row(struct json *json, const struct store_row *row)
{
    json_key(json, "row");
    json_object(json);
    json_key_text(json, "view", answer_views[row->view]);
    json_key_uint(json, "ordinal", row->ordinal);
    json_key_int(json, "id", row->id);
    answer_key_title(json, "title", row);
    json_end_object(json);
}

/* The id of a proc or a thread, or null. */
static void write_id(struct json *json, const char *key, const struct store *store, uint32_t view,
                     uint32_t ordinal)
{
    struct store_row row;
    json_key(json, key);
    if (store_get_row_brief(store, view, ordinal, &row))
        json_int(json, row.id);
    else
        json_null(json);
}

/* Where it ran: of a run, its own row and what the state knows. */
static void write_where(const struct about *about)
{
    uint32_t proc = about->span.proc, thread = about->span.thread;
    if (about->state_track != STORE_NONE) {
        proc = proc == STORE_NONE ? about->state.proc : proc;
        thread = thread == STORE_NONE ? about->state.thread : thread;
    }
    proc = about->row.view == VIEW_PROC ? about->row.ordinal : proc;
    thread = about->row.view == VIEW_THREAD ? about->row.ordinal : thread;
    write_id(about->json, "proc", about->store, VIEW_PROC, proc);
    write_id(about->json, "thread", about->store, VIEW_THREAD, thread);
}

static void write_neighbours(const struct about *about)
{
    uint32_t index = about->span.index;
    uint32_t count = track_count(store_track(about->store, about->track));
    answer_place(about->json, "previous", index > 0 ? about->track : STORE_NONE, index - 1);
    answer_place(about->json, "next", index + 1 < count ? about->track : STORE_NONE, index + 1);
}

static void write_link(const struct about *about, const char *key, const struct span_link *link)
{
    struct json *json = about->json;
    json_key(json, key);
    if (link->goroutine == STORE_NONE) {
        json_null(json);
        return;
    }
    json_object(json);
    answer_goroutine(json, "goroutine", about->store, link->goroutine);
    json_key_int(json, "time", link->time);
    answer_place(json, "span", link->track, link->index);
    answer_stack(json, "stack", about->store, link->stack);
    json_end_object(json);
}

static void write_links(const struct about *about)
{
    struct span_link creator, by, unblocked_by;
    span_link_creator(about->store, about->span.goroutine, &creator);
    span_link_next(about->store, about->state_track, &about->state, &unblocked_by);
    if (about->state_track != STORE_NONE && answer_is_waiting(about->state.cls))
        by = unblocked_by;
    else
        span_link_before(about->store, about->state_track, &about->state, &by);
    write_link(about, "creator", &creator);
    write_link(about, "by", &by);
    write_link(about, "unblocked_by", &unblocked_by);
}

static void write_wakes(const struct about *about)
{
    struct json *json = about->json;
    struct wake wakes[LISTED_MAX];
    struct span span;
    uint64_t total = 0;
    size_t count = 0;
    if (about->span.goroutine != STORE_NONE)
        count = store_wakes(about->store, about->span.goroutine, about->span.start, about->span.end,
                            wakes, LISTED_MAX, &total);
    json_key(json, "wakes");
    json_array(json);
    for (size_t i = 0; i < count; i++) {
        uint32_t track = answer_state_at(about->store, wakes[i].goroutine, wakes[i].time, &span);
        json_object(json);
        answer_goroutine(json, "goroutine", about->store, wakes[i].goroutine);
        json_key_int(json, "time", wakes[i].time);
        answer_place(json, "span", track, track != STORE_NONE ? span.index : 0);
        json_end_object(json);
    }
    json_end_array(json);
    json_key_uint(json, "wakes_total", total);
}

static void write_mark(struct json *json, const struct store *store, const struct mark *mark)
{
    json_object(json);
    json_key_int(json, "time", mark->time);
    json_key_text(json, "kind", mark->kind == MARK_LOG ? "log" : "sample");
    json_key_string(json, "text", mark->text);
    answer_stack(json, "stack", store, mark->stack);
    json_end_object(json);
}

static void write_marks(const struct about *about)
{
    const struct store *store = about->store;
    uint64_t total = 0, looked_at = 0, at = store_mark_find(store, about->span.start);
    struct mark mark;
    json_key(about->json, "marks");
    json_array(about->json);
    if (about->span.goroutine == STORE_NONE)
        looked_at = MARKS_LOOKED_AT;
    for (; looked_at < MARKS_LOOKED_AT && store_get_mark(store, at, &mark); at++, looked_at++) {
        /* One at the end of a span is the next one's. */
        if (mark.time >= about->span.end)
            break;
        if (mark.goroutine == about->span.goroutine && ++total <= LISTED_MAX)
            write_mark(about->json, store, &mark);
    }
    json_end_array(about->json);
    json_key_uint(about->json, "marks_total", total);
}

/* Spans of one lane that overlap. Returns how many more may be given. */
static size_t write_overlapping(const struct about *about, uint32_t lane, size_t room)
{
    struct json *json = about->json;
    const struct track *track = store_track(about->store, lane);
    struct span span;
    if (track == NULL)
        return room;
    uint32_t index = track_find(track, about->span.start);
    for (; room > 0 && track_get(track, index, &span); index++, room--) {
        if (span.start >= about->span.end)
            break;
        json_object(json);
        write_title(json, "name", about->store, VIEW_GOROUTINE, &span);
        write_times(json, &span);
        answer_place(json, "span", lane, index);
        json_end_object(json);
    }
    return room;
}

static void write_inside(const struct about *about)
{
    struct store_row row;
    size_t room = LISTED_MAX;
    json_key(about->json, "inside");
    json_array(about->json);
    if (store_get_row_brief(about->store, VIEW_GOROUTINE, about->span.goroutine, &row)) {
        for (size_t i = 0; i < row.lane_count; i++) {
            uint32_t kind = row.lanes[i].kind, track = row.lanes[i].track;
            if (track != about->track && (kind == LANE_REGION || kind == LANE_RANGE))
                room = write_overlapping(about, track, room);
        }
    }
    json_end_array(about->json);
}

static void write_state(const struct about *about)
{
    struct json *json = about->json;
    if (about->row.view != VIEW_PROC && about->row.view != VIEW_THREAD)
        return;
    json_key(json, "states");
    if (about->state_track == STORE_NONE) {
        json_null(json);
        return;
    }
    json_object(json);
    json_key_uint(json, "track", about->state_track);
    json_key_uint(json, "index", about->state.index);
    write_times(json, &about->state);
    write_title(json, "name", about->store, VIEW_GOROUTINE, &about->state);
    json_end_object(json);
}

static void write_span(const struct about *about)
{
    struct json *json = about->json;
    bool has_state = about->state_track != STORE_NONE;
    json_object(json);
    json_key_uint(json, "track", about->track);
    json_key_uint(json, "index", about->span.index);
    write_times(json, &about->span);
    write_title(json, "name", about->store, about->row.view, &about->span);
    write_row(json, &about->row);
    answer_goroutine(json, "goroutine", about->store, about->span.goroutine);
    write_where(about);
    answer_stack(json, "stack", about->store, has_state ? about->state.stack : about->span.stack);
    answer_stack(json, "end_stack", about->store,
                 has_state ? about->state.end_stack : about->span.end_stack);
    write_neighbours(about);
    write_links(about);
    write_wakes(about);
    write_marks(about);
    write_inside(about);
    write_state(about);
    json_end_object(json);
}

/* The first span that ends after a time; when near, the last one where there is none. */
static uint32_t index_at(const struct track *track, int64_t time, bool is_near)
{
    const uint32_t index = track_find(track, time), count = track_count(track);
    return is_near && index == count && count > 0 ? count - 1 : index;
}

void gt_web_serve_span(void *data, const struct gt_request *request, struct gt_response *response)
{
    struct gt_web *web = data;
    struct json json;
    struct about about = {.store = web->store, .json = &json};
    struct query query;
    uint64_t track = STORE_NONE, index = STORE_NONE;
    int64_t time = 0;
    bool is_near = false;
    query_init(&query, request, response);
    query_need(&query, "track");
    query_uint(&query, "track", 0, STORE_NONE, &track);
    query_uint(&query, "index", 0, STORE_NONE, &index);
    query_time(&query, "at", &time);
    query_bool(&query, "near", &is_near);
    if (!query_has(&query, "index"))
        query_need(&query, "at");
    if (query.failed)
        return;
    about.track = (uint32_t) track;
    json_init(&json, response);
    json_hold(&json);
    store_lock_read(web->store);
    if (!query_has(&query, "index") && store_track(web->store, about.track) != NULL)
        index = index_at(store_track(web->store, about.track), time, is_near);
    bool found = find(&about, (uint32_t) index);
    /* Between two spans there is none. */
    found = found && (query_has(&query, "index") || is_near || about.span.start <= time);
    if (found)
        write_span(&about);
    store_unlock(web->store);
    json_release(&json);
    if (!found)
        gt_response_error(response, 404, "no such span");
}
