/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /api/arrows: causes and effects between the tracks that are shown, such as the unblocking of a
 * goroutine by another.
 */

#include "base/array.h"
#include "base/bisect.h"
#include "base/sort.h"
#include "web/answer.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/web.h"

enum {
    TRACKS_MAX = 256,
    ARROWS_DEFAULT = 2000,
    ARROWS_MAX = 20000,
    /* The largest number of spans of goroutines that are examined. If the range has more, only
     * every nth span is examined. */
    EXAMINED_MAX = 200000,
    /* The corresponding limit for runs of procs and threads, which is lower because each run costs
     * three searches. */
    RUNS_MAX = 10000
};

enum arrow_kind {
    ARROW_CREATE,
    ARROW_UNBLOCK,
    ARROW_SYSCALL,
    ARROW_TASK
};

static const char *const kinds[] = {"create", "unblock", "syscall", "task"};

struct arrow {
    enum arrow_kind kind;
    uint32_t from, to;
    int64_t from_time, to_time;
};

/* A track that is shown. */
struct arrow_track {
    uint32_t ordinal; /* the ordinal of its row, by which tracks are sorted */
    uint32_t id;
    const struct gt_track *track;
    /* The spans that are in the range; `last` is not included. */
    uint32_t first, last;
};

struct gt_drawing {
    const struct gt_store *store;
    struct gt_query_range range;
    uint32_t view;
    struct arrow_track *shown;
    size_t shown_count;
    /* The difference between the indexes of two consecutive spans that are examined; 1 means that
     * all spans are. */
    uint32_t step;
    struct gt_mem *mem;
    GT_ARRAY(struct arrow) arrows;
    bool failed;
};

static const struct arrow_track *arrow_track_find(const struct gt_drawing *drawing,
                                                  uint32_t ordinal)
{
    const struct arrow_track *shown = drawing->shown;
    size_t at;
    GT_BISECT(at, 0, drawing->shown_count, shown[at].ordinal < ordinal);
    return at < drawing->shown_count && shown[at].ordinal == ordinal ? &shown[at] : NULL;
}

static bool arrow_track_comes(const void *a, const void *b, void *context)
{
    const struct arrow_track *left = a, *right = b;
    (void) context;
    return left->ordinal < right->ordinal;
}

static void arrow_track_add(struct gt_drawing *drawing, uint32_t id)
{
    uint32_t view, ordinal;
    struct gt_store_row row;
    if (!gt_store_track_row(drawing->store, id, &view, &ordinal) ||
        !gt_store_get_row_brief(drawing->store, view, ordinal, &row))
        return;
    if (drawing->shown_count == 0)
        drawing->view = view;
    /* Arrows connect only the first lanes of rows of one view. */
    if (view != drawing->view || row.lane_count == 0 || row.lanes[0].track != id)
        return;
    struct arrow_track *shown = &drawing->shown[drawing->shown_count++];
    *shown = (struct arrow_track){.ordinal = ordinal, .id = id};
    shown->track = gt_store_track(drawing->store, id);
    shown->first = gt_track_find(shown->track, drawing->range.start);
    shown->last = gt_track_find(shown->track, drawing->range.end);
    shown->last += shown->last < gt_track_count(shown->track);
}

static void arrow_tracks_find(struct gt_drawing *drawing, const struct gt_query_tracks *tracks)
{
    uint64_t spans = 0;
    for (size_t i = 0; i < tracks->count; i++)
        arrow_track_add(drawing, tracks->list[i]);
    for (size_t i = 0; i < drawing->shown_count; i++)
        spans += drawing->shown[i].last - drawing->shown[i].first;
    uint64_t limit = drawing->view == GT_STORE_VIEW_GOROUTINE ? EXAMINED_MAX : RUNS_MAX;
    drawing->step = (uint32_t) (spans / limit) + 1;
    gt_sort(drawing->shown, drawing->shown_count, sizeof(*drawing->shown), arrow_track_comes, NULL);
}

static void arrow_add(struct gt_drawing *drawing, const struct arrow *arrow)
{
    if (arrow->to_time < drawing->range.start || arrow->from_time > drawing->range.end)
        return;
    if (gt_array_add(drawing->mem, &drawing->arrows, *arrow) != GT_OK)
        drawing->failed = true;
}

/*
 * Adds the arrow to a goroutine that starts to run in the row `to`, after it was runnable during
 * `runnable`, a span of its `states`, or at the begin of this span because another one has switched
 * to it.
 */
static void arrow_unblock_add(struct gt_drawing *drawing, const struct gt_track *states,
                              const struct gt_span *runnable, const struct arrow_track *to)
{
    struct arrow arrow = {.kind = ARROW_UNBLOCK, .to = to->id};
    uint32_t row = GT_STORE_NONE;
    struct gt_span before = {.cls = GT_STORE_CLASSES};
    if (runnable->index == 0)
        arrow.kind = ARROW_CREATE;
    else
        gt_track_get(states, runnable->index - 1, &before);
    if (before.cls == GT_CLASS_SYSCALL_BLOCKED || before.cls == GT_CLASS_SYSCALL) {
        arrow.kind = ARROW_SYSCALL;
        /* In the view of goroutines the arrow would lead from the goroutine to itself. */
        if (drawing->view != GT_STORE_VIEW_GOROUTINE)
            row = drawing->view == GT_STORE_VIEW_PROC ? before.proc : before.thread;
    } else {
        row = gt_answer_row_at(drawing->store, drawing->view, runnable->by,
                               gt_span_wake_time(runnable));
    }
    const struct arrow_track *from = arrow_track_find(drawing, row);
    if (!from)
        return;
    arrow.from = from->id;
    arrow.from_time = gt_span_wake_time(runnable);
    arrow.to_time = runnable->cls == GT_CLASS_RUNNABLE ? runnable->end : runnable->start;
    arrow_add(drawing, &arrow);
}

static void arrows_of_states_add(struct gt_drawing *drawing, const struct arrow_track *shown)
{
    struct gt_span span;
    for (uint64_t i = shown->first; i < shown->last; i += drawing->step) {
        if (gt_track_get(shown->track, (uint32_t) i, &span) && gt_span_is_woken(&span))
            arrow_unblock_add(drawing, shown->track, &span, shown);
    }
}

/*
 * Adds an arrow for each run that begins where the goroutine stopped being runnable, or where
 * another one has switched to it. Any other run continues what the goroutine did before, and gets
 * no arrow.
 */
static void arrows_of_runs_add(struct gt_drawing *drawing, const struct arrow_track *shown)
{
    struct gt_span run, state;
    for (uint64_t i = shown->first; i < shown->last; i += drawing->step) {
        if (!gt_track_get(shown->track, (uint32_t) i, &run))
            return;
        uint32_t id = gt_answer_state_at(drawing->store, run.goroutine, run.start, &state);
        const struct gt_track *states = gt_store_track(drawing->store, id);
        if (!states || state.start != run.start)
            continue;
        if (gt_span_is_woken(&state) ||
            (state.index > 0 && gt_track_get(states, state.index - 1, &state) &&
             state.cls == GT_CLASS_RUNNABLE))
            arrow_unblock_add(drawing, states, &state, shown);
    }
}

static void arrow_of_task_add(struct gt_drawing *drawing, const struct arrow_track *shown)
{
    struct gt_store_row row;
    if (!gt_store_get_row_brief(drawing->store, GT_VIEW_TASK, shown->ordinal, &row) ||
        row.parent == GT_STORE_NONE)
        return;
    const struct arrow_track *parent = arrow_track_find(drawing, row.parent);
    if (!parent)
        return;
    struct arrow arrow = {ARROW_TASK, parent->id, shown->id, row.start, row.start};
    arrow_add(drawing, &arrow);
}

static void arrows_find(struct gt_drawing *drawing)
{
    for (size_t i = 0; i < drawing->shown_count; i++) {
        const struct arrow_track *shown = &drawing->shown[i];
        if (drawing->view == GT_STORE_VIEW_GOROUTINE)
            arrows_of_states_add(drawing, shown);
        else if (drawing->view == GT_VIEW_TASK)
            arrow_of_task_add(drawing, shown);
        else
            arrows_of_runs_add(drawing, shown);
    }
}

static void arrow_end_write(struct gt_json *json, const char *key, uint32_t track, int64_t time)
{
    gt_json_key_object(json, key);
    gt_json_key_uint(json, "track", track);
    gt_json_key_int(json, "time", time);
    gt_json_end(json);
}

/* Writes at most `max` arrows, chosen evenly from all of them. */
static void arrows_write(const struct gt_drawing *drawing, size_t max, struct gt_response *response)
{
    struct gt_json json;
    size_t count = drawing->arrows.count < max ? drawing->arrows.count : max;
    gt_json_start(&json, response);
    gt_json_key_array(&json, "arrows");
    for (size_t i = 0; i < count; i++) {
        const struct arrow *arrow = &drawing->arrows.items[i * drawing->arrows.count / count];
        gt_json_object(&json);
        gt_json_key_text(&json, "kind", kinds[arrow->kind]);
        arrow_end_write(&json, "from", arrow->from, arrow->from_time);
        arrow_end_write(&json, "to", arrow->to, arrow->to_time);
        gt_json_end(&json);
    }
    gt_json_end(&json);
    gt_json_key_uint(&json, "total", drawing->arrows.count);
    gt_json_key_bool(&json, "more", drawing->step > 1 || drawing->arrows.count > count);
    gt_json_finish(&json);
}

static void arrows_answer(struct gt_drawing *drawing, struct gt_web *web,
                          const struct gt_query_tracks *tracks, size_t max,
                          struct gt_response *response)
{
    drawing->store = web->store;
    drawing->mem = &web->mem;
    size_t bytes = (tracks->count + 1) * sizeof(*drawing->shown);
    drawing->shown = gt_mem_alloc(&web->mem, bytes);
    if (drawing->shown) {
        gt_store_lock_read(web->store);
        arrow_tracks_find(drawing, tracks);
        arrows_find(drawing);
        gt_store_unlock(web->store);
    }
    if (!drawing->shown || drawing->failed)
        gt_response_no_memory(response);
    else
        arrows_write(drawing, max, response);
    gt_mem_free(&web->mem, drawing->shown, bytes);
    gt_array_free(&web->mem, &drawing->arrows);
}

void gt_web_serve_arrows(struct gt_web *web, struct gt_query *query)
{
    struct gt_drawing drawing = {.shown_count = 0};
    struct gt_query_tracks tracks = {.count = 0};
    uint64_t max = ARROWS_DEFAULT;
    gt_query_whole(query, web->store, &drawing.range);
    gt_query_need(query, "tracks");
    gt_query_tracks(query, TRACKS_MAX, &tracks);
    gt_query_uint(query, "max", 0, ARROWS_MAX, &max);
    if (!query->failed)
        arrows_answer(&drawing, web, &tracks, (size_t) max, query->response);
    gt_query_tracks_free(&tracks);
}
