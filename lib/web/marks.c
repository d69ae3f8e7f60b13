/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /api/marks: logs and CPU samples, grouped by the bin in which they are drawn.
 * /api/mark: one of them.
 */
#include "base/bisect.h"
#include "base/sort.h"
#include "base/time.h"
#include "web/answer.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/web.h"

enum {
    BINS_DEFAULT = 1024,
    TRACKS_MAX = 256,
    /*
     * If a range has more marks than this, only every n-th is examined, and it counts as n marks.
     */
    EXAMINED_MAX = 300000,
    /*
     * The corresponding limit for the views of procs and threads, where the row of each mark must
     * be looked up.
     */
    SEARCHED_MAX = 60000,
    /* The most marks in an answer; if there would be more, the bins become wider. */
    GIVEN_MAX = 20000,
    /* The most bytes of a text; /api/span has all of it. */
    TEXT_MOST = 200
};

static const char *const kinds[GT_MARK_KINDS] = {"log", "sample"};

/* The last bin of a track that has any marks so far. */
struct spot {
    int64_t bin;
    uint64_t first, count;
    uint32_t kind;
};

/* A track of states or of a task that the request names, and the row that it belongs to. */
struct place {
    uint32_t view, ordinal;
    uint32_t track;
    struct spot spot;
};

struct marking {
    const struct gt_store *store;
    struct gt_json *json;
    struct gt_query_range range;
    size_t bins;
    /* The view of the tracks of states, and whether there are any such tracks, or any of tasks. */
    uint32_t view;
    bool has_states, has_tasks;
    /* Sorted by view and row. */
    struct place *places;
    size_t place_count;
    /* The request names no tracks, so all marks are counted in one place without a track. */
    bool is_whole;
    size_t given;
    /* The marks are only counted. */
    bool is_trial;
};

static const char *mark_kind_name(uint32_t kind)
{
    return kinds[kind < GT_MARK_KINDS ? kind : GT_MARK_LOG];
}

/*
 * Returns whether a track is that of the states of a row, or of a task. The row's other lanes have
 * regions and ranges, and the marks are not on these.
 */
static bool marks_track_is_first(const struct gt_store *store, uint32_t view, uint32_t ordinal,
                                 uint32_t track)
{
    struct gt_store_row row;
    return gt_store_get_row_brief(store, view, ordinal, &row) && row.lane_count > 0 &&
           row.lanes[0].track == track;
}

static bool mark_place_comes(const void *left, const void *right, void *context)
{
    const struct place *a = left, *b = right;
    (void) context;
    return a->view != b->view ? a->view < b->view : a->ordinal < b->ordinal;
}

/*
 * Collects the tracks of tasks, and the tracks of states that are in the same view as the first of
 * them, sorted by row.
 */
static void marks_places_find(struct marking *marking, const struct gt_query_tracks *tracks)
{
    uint32_t view, ordinal;
    for (size_t i = 0; i < tracks->count; i++) {
        if (!gt_store_track_row(marking->store, tracks->list[i], &view, &ordinal) ||
            !marks_track_is_first(marking->store, view, ordinal, tracks->list[i]))
            continue;
        bool is_task = view == GT_VIEW_TASK;
        if (!is_task && !marking->has_states)
            marking->view = view;
        if (!is_task && marking->view != view)
            continue;
        marking->has_states = marking->has_states || !is_task;
        marking->has_tasks = marking->has_tasks || is_task;
        marking->places[marking->place_count++] =
            (struct place){.view = view, .ordinal = ordinal, .track = tracks->list[i]};
    }
    gt_sort(marking->places, marking->place_count, sizeof(*marking->places), mark_place_comes,
            NULL);
}

static struct place *mark_place_of(const struct marking *marking, uint32_t view, uint32_t ordinal)
{
    const struct place key = {.view = view, .ordinal = ordinal};
    struct place *places = marking->places;
    size_t at;
    GT_BISECT(at, 0, marking->place_count, mark_place_comes(&places[at], &key, NULL));
    return at < marking->place_count && !mark_place_comes(&key, &places[at], NULL) ? &places[at]
                                                                                   : NULL;
}

/* Returns the place of a mark among the states, or NULL. */
static struct place *mark_place_find(const struct marking *marking, const struct gt_mark *mark)
{
    if (marking->is_whole)
        return marking->places;
    if (!marking->has_states)
        return NULL;
    uint32_t row = gt_answer_row_at(marking->store, marking->view, mark->goroutine, mark->time);
    return mark_place_of(marking, marking->view, row);
}

/* Returns the place of a log on the row of its task, or NULL. */
static struct place *mark_task_place_find(const struct marking *marking, const struct gt_mark *mark)
{
    uint32_t ordinal;
    if (!marking->has_tasks || !mark->has_task ||
        !gt_store_find_row(marking->store, GT_VIEW_TASK, mark->task, &ordinal))
        return NULL;
    return mark_place_of(marking, GT_VIEW_TASK, ordinal);
}

static void marks_spot_write(struct marking *marking, const struct place *place)
{
    struct gt_json *json = marking->json;
    struct gt_mark mark;
    if (place->spot.count == 0 || !gt_store_get_mark(marking->store, place->spot.first, &mark))
        return;
    marking->given++;
    if (marking->is_trial)
        return;
    gt_json_object(json);
    gt_json_key_int(json, "time", mark.time);
    gt_json_key_int_if(json, "track", !marking->is_whole, place->track);
    gt_json_key_text(json, "kind", mark_kind_name(place->spot.kind));
    mark.text.size = gt_answer_fitting(mark.text, TEXT_MOST);
    gt_json_key_string(json, "text", mark.text);
    gt_json_key_uint(json, "count", place->spot.count);
    gt_json_key_uint(json, "index", place->spot.first);
    gt_json_end(json);
}

/* Counts a mark, which stands for `weight` marks, in the bin in which it is drawn at a place. */
static void marks_place_add(struct marking *marking, struct place *place,
                            const struct gt_mark *mark, uint64_t index, uint64_t weight)
{
    int64_t width = gt_time_plus(
        gt_time_minus(marking->range.end, marking->range.start) / (int64_t) marking->bins, 1);
    int64_t bin = gt_time_minus(mark->time, marking->range.start) / width;
    struct spot *spot = &place->spot;
    if (spot->count == 0 || spot->bin != bin) {
        marks_spot_write(marking, place);
        *spot = (struct spot){bin, index, weight, mark->kind};
        return;
    }
    spot->count += weight;
    /* If a bin has both kinds, it shows a log, which says more than a sample. */
    if (spot->kind != GT_MARK_LOG && mark->kind == GT_MARK_LOG) {
        spot->kind = mark->kind;
        spot->first = index;
    }
}

static void marks_mark_add(struct marking *marking, uint64_t index, uint64_t weight)
{
    struct gt_mark mark;
    if (!gt_store_get_mark(marking->store, index, &mark))
        return;
    struct place *state = mark_place_find(marking, &mark);
    struct place *task = mark_task_place_find(marking, &mark);
    if (state)
        marks_place_add(marking, state, &mark, index, weight);
    if (task)
        marks_place_add(marking, task, &mark, index, weight);
}

/* Writes the marks, or counts them. Returns n if every nth mark was examined. */
static uint64_t marks_scan(struct marking *marking)
{
    uint64_t first = gt_store_mark_find(marking->store, marking->range.start);
    uint64_t last = gt_store_mark_find(marking->store, marking->range.end);
    bool is_searched = !marking->is_whole && marking->view != GT_STORE_VIEW_GOROUTINE;
    uint64_t step = 1 + (last - first) / (is_searched ? SEARCHED_MAX : EXAMINED_MAX);
    marking->given = 0;
    for (size_t i = 0; i < marking->place_count; i++)
        marking->places[i].spot.count = 0;
    for (uint64_t i = first; i < last; i += step)
        marks_mark_add(marking, i, last - i < step ? last - i : step);
    for (size_t i = 0; i < marking->place_count; i++)
        marks_spot_write(marking, &marking->places[i]);
    return step;
}

/* Halves the number of bins until the marks are not too many. */
static void marks_bins_choose(struct marking *marking)
{
    marking->is_trial = true;
    for (marks_scan(marking); marking->given > GIVEN_MAX && marking->bins > 1; marks_scan(marking))
        marking->bins /= 2;
    marking->is_trial = false;
}

static void marks_write(struct marking *marking)
{
    size_t bins = marking->bins;
    if (gt_store_mark_count(marking->store) > GIVEN_MAX)
        marks_bins_choose(marking);
    gt_json_key_array(marking->json, "marks");
    uint64_t step = marks_scan(marking);
    gt_json_end(marking->json);
    gt_json_key_uint(marking->json, "bins", marking->bins);
    gt_json_key_bool(marking->json, "more", step > 1 || marking->bins < bins);
}

/* The caller keeps ownership of `tracks`. */
static void marks_answer(struct marking *marking, struct gt_web *web,
                         const struct gt_query_tracks *tracks, struct gt_response *response)
{
    struct gt_json json;
    size_t bytes = (tracks->count + 1) * sizeof(*marking->places);
    marking->places = gt_mem_zeros(&web->mem, bytes);
    if (!marking->places) {
        gt_response_no_memory(response);
        return;
    }
    marking->store = web->store;
    marking->json = &json;
    if (marking->is_whole)
        marking->place_count = 1;
    gt_json_start(&json, response);
    gt_store_lock_read(web->store);
    marks_places_find(marking, tracks);
    marks_write(marking);
    gt_store_unlock(web->store);
    gt_json_finish(&json);
    marking->json = NULL;
    gt_mem_free(&web->mem, marking->places, bytes);
}

void gt_web_serve_marks(struct gt_web *web, struct gt_query *query)
{
    struct marking marking = {.bins = BINS_DEFAULT, .view = GT_STORE_VIEW_GOROUTINE};
    struct gt_query_tracks tracks = {.count = 0};
    gt_query_whole(query, web->store, &marking.range);
    gt_query_bins(query, &marking.bins);
    gt_query_view(query, &marking.view);
    gt_query_tracks(query, TRACKS_MAX, &tracks);
    marking.is_whole = !gt_query_has(query, "tracks");
    if (!query->failed)
        marks_answer(&marking, web, &tracks, query->response);
    gt_query_tracks_free(&tracks);
}

static void mark_task_write(struct gt_json *json, const struct gt_store *store,
                            const struct gt_mark *mark)
{
    struct gt_store_row row;
    uint32_t ordinal;
    if (!gt_json_key_object_if(json, "task", mark->has_task))
        return;
    gt_json_key_int(json, "id", mark->task);
    if (gt_store_find_row(store, GT_VIEW_TASK, mark->task, &ordinal) &&
        gt_store_get_row_brief(store, GT_VIEW_TASK, ordinal, &row))
        gt_answer_key_title(json, "title", &row);
    gt_json_end(json);
}

static void mark_write(struct gt_json *json, const struct gt_store *store,
                       const struct gt_mark *mark)
{
    gt_string message = mark->text;
    /* The text of a log with a category is "[category] message". */
    size_t before = mark->category.size > 0 ? mark->category.size + 3 : 0;
    if (before <= message.size)
        message = (gt_string){message.data + before, message.size - before};
    gt_json_key_int(json, "time", mark->time);
    gt_json_key_text(json, "kind", mark_kind_name(mark->kind));
    gt_answer_goroutine(json, "goroutine", store, mark->goroutine);
    gt_json_key_string(json, "category", mark->category);
    gt_json_key_string(json, "message", message);
    mark_task_write(json, store, mark);
    gt_answer_stack(json, "stack", store, mark->stack);
}

void gt_web_serve_mark(struct gt_web *web, struct gt_query *query)
{
    struct gt_json json;
    struct gt_mark mark;
    uint64_t index = 0;
    gt_query_need(query, "index");
    gt_query_uint(query, "index", 0, INT64_MAX, &index);
    if (query->failed)
        return;
    gt_json_start(&json, query->response);
    gt_store_lock_read(web->store);
    bool found = gt_store_get_mark(web->store, index, &mark);
    if (found)
        mark_write(&json, web->store, &mark);
    gt_store_unlock(web->store);
    gt_json_finish(&json);
    if (!found)
        gt_response_error(query->response, 404, "no such mark");
}
