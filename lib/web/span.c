/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/span: everything that is known about one span. */
#include "web/answer.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/spanlinks.h"
#include "web/web.h"

enum {
    LISTED_MAX = 100,
    /*
     * A span of the whole trace may have millions of marks in its time. No more than these are
     * examined.
     */
    MARKS_EXAMINED_MAX = 500000
};

/* The span that a request is about. */
struct about {
    const struct gt_store *store;
    struct gt_json *json;
    uint32_t track;
    struct gt_span span;
    struct gt_store_row row;
    /*
     * The state of the goroutine at the start of the span: the span itself if it is a state,
     * otherwise the state during which a proc or thread ran it. `state_track` is GT_STORE_NONE if
     * there is none.
     */
    uint32_t state_track;
    struct gt_span state;
};

/* Returns the goroutine of the span. A region or range in a goroutine's row that names no goroutine
 * belongs to the goroutine of the row. */
static uint32_t span_goroutine(const struct about *about)
{
    if (about->span.goroutine == GT_STORE_NONE && about->row.view == GT_STORE_VIEW_GOROUTINE)
        return about->row.ordinal;
    return about->span.goroutine;
}

static bool span_is_state(const struct about *about)
{
    return about->row.view == GT_STORE_VIEW_GOROUTINE && about->row.lane_count > 0 &&
           about->row.lanes[0].track == about->track;
}

/* Finds the span, its row and the goroutine's state. */
static bool span_find(struct about *about, uint32_t index)
{
    uint32_t view, ordinal;
    const struct gt_store *store = about->store;
    const struct gt_track *track = gt_store_track(store, about->track);
    if (!track || !gt_track_get(track, index, &about->span) ||
        !gt_store_track_row(store, about->track, &view, &ordinal) ||
        !gt_store_get_row_brief(store, view, ordinal, &about->row))
        return false;
    about->span.goroutine = span_goroutine(about);
    about->state_track = GT_STORE_NONE;
    if (span_is_state(about)) {
        about->state_track = about->track;
        about->state = about->span;
    } else if (view == GT_STORE_VIEW_PROC || view == GT_STORE_VIEW_THREAD) {
        about->state_track =
            gt_answer_state_at(store, about->span.goroutine, about->span.start, &about->state);
    }
    return true;
}

static void span_title_write(struct gt_json *json, const char *key, const struct gt_store *store,
                             uint32_t view, const struct gt_span *span)
{
    char title[GT_ANSWER_TITLE_MAX];
    size_t size = gt_answer_span_name(store, view, span, title);
    gt_json_key_string(json, key, (gt_string){title, size});
}

static void span_times_write(struct gt_json *json, const struct gt_span *span)
{
    gt_json_key_int(json, "start", span->start);
    gt_json_key_int(json, "end", span->end);
    gt_json_key_text(json, "class", gt_answer_classes[span->cls % GT_STORE_CLASSES]);
}

static void span_row_write(struct gt_json *json, const struct gt_store_row *row)
{
    gt_json_key_object(json, "row");
    gt_answer_row(json, row);
    gt_json_end(json);
}

/* Writes the id of a proc or a thread, or null if there is none. */
static void span_id_write(struct gt_json *json, const char *key, const struct gt_store *store,
                          uint32_t view, uint32_t ordinal)
{
    struct gt_store_row row;
    bool is_known = gt_store_get_row_brief(store, view, ordinal, &row);
    gt_json_key_int_if(json, key, is_known, is_known ? row.id : 0);
}

/*
 * Writes the proc and the thread on which the span ran. If neither the span nor its row determines
 * them, they are taken from the goroutine's state.
 */
static void span_place_write(const struct about *about)
{
    uint32_t proc = about->span.proc, thread = about->span.thread;
    if (about->state_track != GT_STORE_NONE) {
        proc = proc == GT_STORE_NONE ? about->state.proc : proc;
        thread = thread == GT_STORE_NONE ? about->state.thread : thread;
    }
    proc = about->row.view == GT_STORE_VIEW_PROC ? about->row.ordinal : proc;
    thread = about->row.view == GT_STORE_VIEW_THREAD ? about->row.ordinal : thread;
    span_id_write(about->json, "proc", about->store, GT_STORE_VIEW_PROC, proc);
    span_id_write(about->json, "thread", about->store, GT_STORE_VIEW_THREAD, thread);
}

static void span_neighbours_write(const struct about *about)
{
    uint32_t index = about->span.index;
    uint32_t count = gt_track_count(gt_store_track(about->store, about->track));
    gt_answer_place(about->json, "previous", index > 0 ? about->track : GT_STORE_NONE,
                    index > 0 ? index - 1 : 0);
    gt_answer_place(about->json, "next", index + 1 < count ? about->track : GT_STORE_NONE,
                    index + 1);
}

static void span_link_write(const struct about *about, const char *key,
                            const struct gt_span_link *link)
{
    struct gt_json *json = about->json;
    if (!gt_json_key_object_if(json, key, link->goroutine != GT_STORE_NONE))
        return;
    gt_answer_goroutine(json, "goroutine", about->store, link->goroutine);
    gt_json_key_int(json, "time", link->time);
    gt_answer_place(json, "span", link->track, link->index);
    gt_answer_stack(json, "stack", about->store, link->stack);
    gt_json_end(json);
}

static void span_links_write(const struct about *about)
{
    const struct gt_store *store = about->store;
    bool waits = about->state_track != GT_STORE_NONE && gt_answer_is_waiting(about->state.cls);
    const struct gt_span_link creator = gt_span_link_creator(store, about->span.goroutine);
    const struct gt_span_link before =
        gt_span_link_before(store, about->state_track, &about->state);
    const struct gt_span_link unblocked_by =
        gt_span_link_next(store, about->state_track, &about->state);
    span_link_write(about, "creator", &creator);
    span_link_write(about, "by", waits ? &unblocked_by : &before);
    span_link_write(about, "unblocked_by", &unblocked_by);
}

static void span_wakes_write(const struct about *about)
{
    struct gt_json *json = about->json;
    struct gt_wake wakes[LISTED_MAX];
    struct gt_span span;
    uint64_t total = 0;
    size_t count = 0;
    if (about->span.goroutine != GT_STORE_NONE)
        count = gt_store_wakes(about->store, about->span.goroutine, about->span.start,
                               about->span.end, wakes, LISTED_MAX, &total);
    gt_json_key_array(json, "wakes");
    for (size_t i = 0; i < count; i++) {
        uint32_t track = gt_answer_state_at(about->store, wakes[i].goroutine, wakes[i].time, &span);
        gt_json_object(json);
        gt_answer_goroutine(json, "goroutine", about->store, wakes[i].goroutine);
        gt_json_key_int(json, "time", wakes[i].time);
        gt_answer_place(json, "span", track, track != GT_STORE_NONE ? span.index : 0);
        gt_json_end(json);
    }
    gt_json_end(json);
    gt_json_key_uint(json, "wakes_total", total);
}

static void span_mark_write(struct gt_json *json, const struct gt_store *store,
                            const struct gt_mark *mark)
{
    gt_json_object(json);
    gt_json_key_int(json, "time", mark->time);
    gt_json_key_text(json, "kind", mark->kind == GT_MARK_LOG ? "log" : "sample");
    gt_json_key_string(json, "text", mark->text);
    gt_answer_stack(json, "stack", store, mark->stack);
    gt_json_end(json);
}

static void span_marks_write(const struct about *about)
{
    const struct gt_store *store = about->store;
    uint64_t total = 0, examined = 0, at = gt_store_mark_find(store, about->span.start);
    struct gt_mark mark;
    gt_json_key_array(about->json, "marks");
    if (about->span.goroutine == GT_STORE_NONE)
        examined = MARKS_EXAMINED_MAX;
    for (; examined < MARKS_EXAMINED_MAX && gt_store_get_mark(store, at, &mark); at++, examined++) {
        /* A mark at the end of a span belongs to the next span. */
        if (mark.time >= about->span.end)
            break;
        if (mark.goroutine == about->span.goroutine && ++total <= LISTED_MAX)
            span_mark_write(about->json, store, &mark);
    }
    gt_json_end(about->json);
    gt_json_key_uint(about->json, "marks_total", total);
}

/*
 * Writes the spans of a lane that overlap with the span, at most `room`. Returns how much room is
 * left.
 */
static size_t span_overlaps_write(const struct about *about, uint32_t lane, size_t room)
{
    struct gt_json *json = about->json;
    const struct gt_track *track = gt_store_track(about->store, lane);
    struct gt_span span;
    if (!track)
        return room;
    uint32_t index = gt_track_find(track, about->span.start);
    for (; room > 0 && gt_track_get(track, index, &span); index++, room--) {
        if (span.start >= about->span.end)
            break;
        gt_json_object(json);
        span_title_write(json, "name", about->store, GT_STORE_VIEW_GOROUTINE, &span);
        span_times_write(json, &span);
        gt_answer_place(json, "span", lane, index);
        gt_json_end(json);
    }
    return room;
}

static void span_inside_write(const struct about *about)
{
    struct gt_store_row row;
    size_t room = LISTED_MAX;
    gt_json_key_array(about->json, "inside");
    if (gt_store_get_row_brief(about->store, GT_STORE_VIEW_GOROUTINE, about->span.goroutine,
                               &row)) {
        for (size_t i = 0; i < row.lane_count; i++) {
            uint32_t kind = row.lanes[i].kind, track = row.lanes[i].track;
            if (track != about->track && (kind == GT_LANE_REGION || kind == GT_LANE_RANGE))
                room = span_overlaps_write(about, track, room);
        }
    }
    gt_json_end(about->json);
}

static void span_state_write(const struct about *about)
{
    struct gt_json *json = about->json;
    if ((about->row.view != GT_STORE_VIEW_PROC && about->row.view != GT_STORE_VIEW_THREAD) ||
        !gt_json_key_object_if(json, "states", about->state_track != GT_STORE_NONE))
        return;
    gt_json_key_uint(json, "track", about->state_track);
    gt_json_key_uint(json, "index", about->state.index);
    span_times_write(json, &about->state);
    span_title_write(json, "name", about->store, GT_STORE_VIEW_GOROUTINE, &about->state);
    gt_json_end(json);
}

static void span_write(const struct about *about)
{
    struct gt_json *json = about->json;
    bool has_state = about->state_track != GT_STORE_NONE;
    gt_json_key_uint(json, "track", about->track);
    gt_json_key_uint(json, "index", about->span.index);
    span_times_write(json, &about->span);
    span_title_write(json, "name", about->store, about->row.view, &about->span);
    span_row_write(json, &about->row);
    gt_answer_goroutine(json, "goroutine", about->store, about->span.goroutine);
    span_place_write(about);
    gt_answer_stack(json, "stack", about->store,
                    has_state ? about->state.stack : about->span.stack);
    gt_answer_stack(json, "end_stack", about->store,
                    has_state ? about->state.end_stack : about->span.end_stack);
    span_neighbours_write(about);
    span_links_write(about);
    span_wakes_write(about);
    span_marks_write(about);
    span_inside_write(about);
    span_state_write(about);
}

/*
 * Returns the first span that ends after `time`. If there is none and `is_near` is set, returns
 * the last span of the track.
 */
static uint32_t span_index_at(const struct gt_track *track, int64_t time, bool is_near)
{
    const uint32_t index = gt_track_find(track, time), count = gt_track_count(track);
    return is_near && index == count && count > 0 ? count - 1 : index;
}

void gt_web_serve_span(struct gt_web *web, struct gt_query *query)
{
    struct gt_json json;
    struct about about = {.store = web->store, .json = &json};
    uint64_t track = GT_STORE_NONE, index = GT_STORE_NONE;
    int64_t time = 0;
    bool is_near = false;
    gt_query_need(query, "track");
    gt_query_uint(query, "track", 0, GT_STORE_NONE, &track);
    gt_query_uint(query, "index", 0, GT_STORE_NONE, &index);
    gt_query_time(query, "at", &time);
    gt_query_bool(query, "near", &is_near);
    if (!gt_query_has(query, "index"))
        gt_query_need(query, "at");
    if (query->failed)
        return;
    about.track = (uint32_t) track;
    gt_json_start(&json, query->response);
    gt_store_lock_read(web->store);
    if (!gt_query_has(query, "index") && gt_store_track(web->store, about.track))
        index = span_index_at(gt_store_track(web->store, about.track), time, is_near);
    bool found = span_find(&about, (uint32_t) index);
    /* Without "near", a time between two spans selects none. */
    found = found && (gt_query_has(query, "index") || is_near || about.span.start <= time);
    if (found)
        span_write(&about);
    gt_store_unlock(web->store);
    gt_json_finish(&json);
    if (!found)
        gt_response_error(query->response, 404, "no such span");
}
