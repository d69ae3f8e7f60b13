/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/marks: logs and CPU samples, where they are drawn. */
#include <stdlib.h>

#include "web/answer.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/web.h"

enum {
    BINS_DEFAULT = 1024,
    TRACKS_MAX = 256,
    /* Where there are more, every so many-th is looked at and stands for all. */
    LOOKED_AT_MAX = 300000,
    /* The same where each has to be searched for where it was. */
    SEARCHED_MAX = 60000,
    /* Answers that would be larger are cut. */
    GIVEN_MAX = 50000
};

static const char *const kinds[MARK_KINDS] = {"log", "sample"};

/* The last bin of a track that has any mark. */
struct spot {
    int64_t bin;
    uint64_t first, count;
    uint32_t kind;
};

/* A track that is asked for, by its row. */
struct place {
    uint32_t ordinal;
    uint32_t track;
    struct spot spot;
};

struct marking {
    const struct store *store;
    struct json *json;
    struct query_range range;
    size_t bins;
    uint32_t view;
    struct place *places;
    size_t place_count;
    /* No tracks are asked for: all marks are on one. */
    bool is_whole;
    size_t given;
};

static const char *kind_name(uint32_t kind)
{
    return kinds[kind < MARK_KINDS ? kind : MARK_LOG];
}

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    return (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

/* Tracks of the view that the first of them is of, by row. */
static void find_places(struct marking *marking, const struct query_tracks *tracks)
{
    uint32_t view, ordinal;
    for (size_t i = 0; i < tracks->count; i++) {
        if (!store_track_row(marking->store, tracks->list[i], &view, &ordinal))
            continue;
        if (marking->place_count == 0)
            marking->view = view;
        if (marking->view == view)
            marking->places[marking->place_count++] =
                (struct place){.ordinal = ordinal, .track = tracks->list[i]};
    }
    qsort(marking->places, marking->place_count, sizeof(*marking->places), compare_places);
}

/* The row of the view that a mark is in. */
static uint32_t row_of(const struct marking *marking, const struct mark *mark)
{
    struct span span;
    if (marking->view == VIEW_GOROUTINE || mark->goroutine == STORE_NONE)
        return mark->goroutine;
    if (marking->view == VIEW_TASK ||
        answer_state_at(marking->store, mark->goroutine, mark->time, &span) == STORE_NONE)
        return STORE_NONE;
    return marking->view == VIEW_PROC ? span.proc : span.thread;
}

static struct place *find_place(const struct marking *marking, const struct mark *mark)
{
    struct place key = {.ordinal = 0};
    if (marking->is_whole)
        return marking->places;
    key.ordinal = row_of(marking, mark);
    return bsearch(&key, marking->places, marking->place_count, sizeof(key), compare_places);
}

static void write_spot(struct marking *marking, const struct place *place)
{
    struct json *json = marking->json;
    struct mark mark;
    if (place->spot.count == 0 || marking->given >= GIVEN_MAX ||
        !store_get_mark(marking->store, place->spot.first, &mark))
        return;
    marking->given++;
    json_object(json);
    json_key_int(json, "time", mark.time);
    json_key(json, "track");
    if (marking->is_whole)
        json_null(json);
    else
        json_uint(json, place->track);
    json_key_text(json, "kind", kind_name(place->spot.kind));
    json_key_string(json, "text", mark.text);
    json_key_uint(json, "count", place->spot.count);
    json_end_object(json);
}

/* Counts a mark, that stands for `weight` of them, where it is drawn. */
static void add_mark(struct marking *marking, uint64_t index, uint64_t weight)
{
    struct mark mark;
    if (!store_get_mark(marking->store, index, &mark))
        return;
    struct place *place = find_place(marking, &mark);
    if (place == NULL)
        return;
    int64_t width = (marking->range.end - marking->range.start) / (int64_t) marking->bins + 1;
    int64_t bin = (mark.time - marking->range.start) / width;
    struct spot *spot = &place->spot;
    if (spot->count == 0 || spot->bin != bin) {
        write_spot(marking, place);
        *spot = (struct spot){bin, index, weight, mark.kind};
        return;
    }
    spot->count += weight;
    /* A log says more than a sample. */
    if (spot->kind != MARK_LOG && mark.kind == MARK_LOG) {
        spot->kind = mark.kind;
        spot->first = index;
    }
}

static void write_marks(struct marking *marking)
{
    uint64_t first = store_mark_find(marking->store, marking->range.start);
    uint64_t last = store_mark_find(marking->store, marking->range.end);
    bool is_searched = !marking->is_whole && marking->view != VIEW_GOROUTINE;
    uint64_t step = 1 + (last - first) / (is_searched ? SEARCHED_MAX : LOOKED_AT_MAX);
    json_object(marking->json);
    json_key(marking->json, "marks");
    json_array(marking->json);
    for (uint64_t i = first; i < last; i += step)
        add_mark(marking, i, last - i < step ? last - i : step);
    for (size_t i = 0; i < marking->place_count; i++)
        write_spot(marking, &marking->places[i]);
    json_end_array(marking->json);
    json_key_bool(marking->json, "more", step > 1 || marking->given >= GIVEN_MAX);
    json_end_object(marking->json);
}

/* `tracks` is for the caller to free. */
static void answer(struct marking *marking, struct gt_web *web, const struct query_tracks *tracks,
                   struct gt_response *response)
{
    struct json json;
    marking->places = calloc(tracks->count + 1, sizeof(*marking->places));
    if (marking->places == NULL) {
        gt_response_error(response, 503, "out of memory");
        return;
    }
    marking->store = web->store;
    marking->json = &json;
    if (marking->is_whole)
        marking->place_count = 1;
    json_init(&json, response);
    json_hold(&json);
    store_lock_read(web->store);
    find_places(marking, tracks);
    write_marks(marking);
    store_unlock(web->store);
    json_release(&json);
    free(marking->places);
}

void gt_web_serve_marks(void *data, const struct gt_request *request, struct gt_response *response)
{
    struct gt_web *web = data;
    struct marking marking = {.bins = BINS_DEFAULT, .view = VIEW_GOROUTINE};
    struct query_tracks tracks = {NULL, 0};
    struct query query;
    query_init(&query, request, response);
    query_whole(&query, web->store, &marking.range);
    query_bins(&query, &marking.bins);
    query_view(&query, &marking.view);
    query_tracks(&query, TRACKS_MAX, &tracks);
    marking.is_whole = !query_has(&query, "tracks");
    if (!query.failed)
        answer(&marking, web, &tracks, response);
    query_tracks_free(&tracks);
}
