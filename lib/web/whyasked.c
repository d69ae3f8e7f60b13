/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/whyasked.h"

#include "base/time.h"
#include "web/treescope.h"

void gt_whyasked_free(struct gt_whyasked *asked)
{
    gt_array_free(asked->mem, &asked->intervals);
}

/*
 * Adds the time of a goroutine's states within a range. An area has no time before the goroutine
 * was created or after its end.
 */
static bool whyasked_add_row(struct gt_whyasked *asked, const struct gt_store *store,
                             const struct gt_store_row *row, int64_t start, int64_t end)
{
    int64_t first, last;
    const struct gt_track *states = gt_store_track(store, row->lanes[0].track);
    if (row->view != GT_STORE_VIEW_GOROUTINE || !gt_track_extent(states, &first, &last))
        return true;
    const struct gt_whyasked_interval interval = {row->id, start > first ? start : first,
                                                  end < last ? end : last};
    if (interval.start >= interval.end)
        return true;
    if (asked->intervals.count < GT_WHYASKED_MAX)
        return gt_array_add(asked->mem, &asked->intervals, interval) == GT_OK;
    asked->left_out++;
    return true;
}

/* Adds the rows to which the tracks of a scope belong; each piece, or else each row, once. */
static bool whyasked_add_tracks(struct gt_whyasked *asked, const struct gt_store *store,
                                const struct gt_scope *scope)
{
    uint32_t last = GT_STORE_NONE, view, ordinal;
    struct gt_store_row row;
    bool good = true;
    for (size_t i = 0; i < scope->tracks.count && good; i++) {
        const struct gt_scope_piece whole = {scope->tracks.list[i], scope->start, scope->end};
        const struct gt_scope_piece *piece = scope->has_pieces ? &scope->pieces.items[i] : &whole;
        if (!gt_store_track_row(store, piece->track, &view, &ordinal) ||
            view != GT_STORE_VIEW_GOROUTINE || (!scope->has_pieces && ordinal == last) ||
            !gt_store_get_row_brief(store, view, ordinal, &row))
            continue;
        last = ordinal;
        good = whyasked_add_row(asked, store, &row, piece->start, piece->end);
    }
    return good;
}

static bool whyasked_add_view(struct gt_whyasked *asked, const struct gt_store *store,
                              const struct gt_scope *scope)
{
    struct gt_store_row row;
    bool good = true;
    uint32_t count = gt_store_row_count(store, GT_STORE_VIEW_GOROUTINE);
    for (uint32_t i = 0; i < count && good; i++) {
        if (gt_store_get_row_brief(store, GT_STORE_VIEW_GOROUTINE, i, &row))
            good = whyasked_add_row(asked, store, &row, scope->start, scope->end);
    }
    return good;
}

static bool whyasked_take_area(struct gt_whyasked *asked, struct gt_query *query,
                               struct gt_web *web)
{
    struct gt_scope scope;
    bool good = gt_treescope_take(&scope, query, web, GT_TREESCOPE_FIRST_LANES);
    /* The analysis that a tree is made from is needed no more, and a request can hold only one. */
    if (query->release)
        query->release(query->held);
    query->release = NULL;
    if (good) {
        gt_store_lock_read(web->store);
        good = scope.has_tracks ? whyasked_add_tracks(asked, web->store, &scope)
                                : whyasked_add_view(asked, web->store, &scope);
        gt_store_unlock(web->store);
        if (!good)
            gt_query_no_memory(query);
    }
    gt_scope_free(&scope);
    return good;
}

/* Makes a span what is asked for: a task, or the time of the goroutine that it is about. */
static bool whyasked_find_span(struct gt_whyasked *asked, const struct gt_store *store,
                               uint32_t number, uint32_t index)
{
    uint32_t view, ordinal;
    struct gt_span span;
    struct gt_store_head head;
    const struct gt_track *track = gt_store_track(store, number);
    if (!track || !gt_track_get(track, index, &span) ||
        !gt_store_track_row(store, number, &view, &ordinal))
        return false;
    asked->kind = view == GT_VIEW_TASK ? GT_WHYASKED_TASK : GT_WHYASKED_GOROUTINE;
    asked->range = (struct gt_query_range){span.start, span.end};
    if (view == GT_STORE_VIEW_PROC || view == GT_STORE_VIEW_THREAD) {
        view = GT_STORE_VIEW_GOROUTINE;
        ordinal = span.goroutine;
    }
    if (!gt_store_get_head(store, view, ordinal, &head))
        return false;
    asked->id = (uint64_t) head.id;
    return true;
}

static bool whyasked_take_span(struct gt_whyasked *asked, struct gt_query *query,
                               struct gt_web *web)
{
    uint64_t track = GT_STORE_NONE, index = GT_STORE_NONE;
    gt_query_uint(query, "track", 0, GT_STORE_NONE, &track);
    gt_query_need(query, "index");
    gt_query_uint(query, "index", 0, GT_STORE_NONE, &index);
    if (query->failed)
        return false;
    gt_store_lock_read(web->store);
    bool found = whyasked_find_span(asked, web->store, (uint32_t) track, (uint32_t) index);
    gt_store_unlock(web->store);
    if (!found)
        gt_response_error(query->response, 404, "no such span, or it is about no goroutine");
    return found;
}

static void whyasked_take_goroutine(struct gt_whyasked *asked, struct gt_query *query,
                                    struct gt_web *web)
{
    int64_t goroutine = GT_NO_GOROUTINE;
    asked->kind = GT_WHYASKED_GOROUTINE;
    asked->to_end = !gt_query_has(query, "end");
    gt_query_int(query, "goroutine", INT64_MIN, INT64_MAX, &goroutine);
    asked->id = (uint64_t) goroutine;
    gt_query_whole(query, web->store, &asked->range);
}

bool gt_whyasked_take(struct gt_whyasked *asked, struct gt_query *query, struct gt_web *web)
{
    *asked = (struct gt_whyasked){.mem = &web->mem};
    bool has_goroutine = gt_query_has(query, "goroutine"), has_task = gt_query_has(query, "task");
    if (has_goroutine + has_task + gt_query_has(query, "track") > 1)
        gt_query_fail(query, has_task ? "task" : "track", "does not go with another interval");
    if (query->failed)
        return false;
    if (gt_query_has(query, "track"))
        return whyasked_take_span(asked, query, web);
    if (!has_goroutine && !has_task)
        return whyasked_take_area(asked, query, web);
    if (has_goroutine)
        whyasked_take_goroutine(asked, query, web);
    else
        gt_query_uint(query, "task", 0, UINT64_MAX, &asked->id);
    if (has_task)
        asked->kind = GT_WHYASKED_TASK;
    return !query->failed;
}

/*
 * Ends the interval of a goroutine with the goroutine, as `gotrace why` does: the time after that
 * would be one of which nothing is known.
 */
static gt_status whyasked_trim(struct gt_whyasked_interval *interval, const struct gt_whypath *why)
{
    gt_path_info info = GT_PATH_INFO_INIT;
    gt_path_part last = GT_PATH_PART_INIT;
    gt_path_get_info(why->path, &info);
    interval->end = gt_time_minus(info.end, why->start);
    if (interval->end < interval->start)
        interval->end = interval->start;
    gt_status status =
        gt_path_follow(why->path, interval->goroutine, gt_time_plus(why->start, interval->start),
                       gt_time_plus(why->start, interval->end));
    size_t count = gt_path_part_count(why->path);
    if (status != GT_OK || count < 2)
        return status;
    gt_path_get_part(why->path, count - 1, &last);
    if (last.state == GT_PATH_UNKNOWN)
        interval->end = gt_time_minus(last.start, why->start);
    return GT_OK;
}

static gt_status whyasked_find_task(struct gt_whyasked_interval *interval, uint64_t id,
                                    const struct gt_whypath *why)
{
    const struct gt_whypath_task *task = gt_whypath_find_task(why, id);
    if (!task)
        return GT_ERR_NOT_AVAILABLE;
    *interval =
        (struct gt_whyasked_interval){task->goroutine, gt_time_minus(task->begin, why->start),
                                      gt_time_minus(task->end, why->start)};
    return GT_OK;
}

gt_status gt_whyasked_resolve(struct gt_whyasked *asked, const struct gt_whypath *why)
{
    struct gt_whyasked_interval interval = {(int64_t) asked->id, asked->range.start,
                                            asked->range.end};
    gt_status status = GT_OK;
    if (asked->kind == GT_WHYASKED_AREA)
        return asked->intervals.count > 0 ? GT_OK : GT_ERR_NOT_AVAILABLE;
    if (asked->kind == GT_WHYASKED_TASK)
        status = whyasked_find_task(&interval, asked->id, why);
    else if (asked->to_end)
        status = whyasked_trim(&interval, why);
    return status == GT_OK ? gt_array_add(asked->mem, &asked->intervals, interval) : status;
}
