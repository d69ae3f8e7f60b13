/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/scope.h"

#include "base/bisect.h"
#include "base/sort.h"
#include "web/listings.h"
#include "web/roworder.h"

static bool scope_track_comes(const void *left, const void *right, void *context)
{
    const uint32_t *a = left, *b = right;
    (void) context;
    return *a < *b;
}

/* Sorts the tracks and removes duplicates, as a track that is named twice must count once. */
static void scope_make_unique(struct gt_query_tracks *tracks)
{
    size_t kept = 0;
    gt_sort(tracks->list, tracks->count, sizeof(*tracks->list), scope_track_comes, NULL);
    for (size_t i = 0; i < tracks->count; i++) {
        if (kept == 0 || tracks->list[kept - 1] != tracks->list[i])
            tracks->list[kept++] = tracks->list[i];
    }
    tracks->count = kept;
}

static bool scope_piece_comes(const void *left, const void *right, void *context)
{
    const struct gt_scope_piece *a = left, *b = right;
    (void) context;
    if (a->track != b->track)
        return a->track < b->track;
    return a->start != b->start ? a->start < b->start : a->end < b->end;
}

/* Adds the times in which a goroutine worked for a task, or all time of a task, on one track. */
static bool scope_add_pieces(struct gt_scope *scope, struct gt_mem *mem,
                             const struct gt_tasktree *tree, const struct gt_tasktree_line *line,
                             uint32_t track)
{
    if (line->view != GT_STORE_VIEW_GOROUTINE) {
        const struct gt_scope_piece whole = {track, scope->start, scope->end};
        return gt_array_add(mem, &scope->pieces, whole) == GT_OK;
    }
    for (uint32_t i = 0; i < line->time_count; i++) {
        const struct gt_tasktree_time *time = &tree->times.items[line->first_time + i];
        const struct gt_scope_piece piece = {
            track, time->start > scope->start ? time->start : scope->start,
            time->end < scope->end ? time->end : scope->end};
        if (piece.start < piece.end && gt_array_add(mem, &scope->pieces, piece) != GT_OK)
            return false;
    }
    return true;
}

static bool scope_add_line(struct gt_scope *scope, struct gt_store *store,
                           const struct gt_tasktree *tree, const struct gt_tasktree_line *line)
{
    struct gt_query_tracks *tracks = &scope->tracks;
    struct gt_store_row row;
    if (!gt_store_get_row_brief(store, line->view, line->ordinal, &row))
        return true;
    if (scope->lanes == GT_SCOPE_FIRST_LANES)
        return scope_add_pieces(scope, tracks->mem, tree, line, row.lanes[0].track);
    if (gt_mem_reserve(tracks->mem, &tracks->list, &tracks->capacity,
                       tracks->count + row.lane_count, sizeof(*tracks->list)) != GT_OK)
        return false;
    for (size_t i = 0; i < row.lane_count; i++)
        tracks->list[tracks->count++] = row.lanes[i].track;
    return true;
}

/*
 * Joins the pieces that overlap, since a goroutine may have worked for several tasks at a time, and
 * lists their tracks.
 */
static bool scope_join_pieces(struct gt_scope *scope)
{
    struct gt_query_tracks *tracks = &scope->tracks;
    struct gt_scope_piece *pieces = scope->pieces.items;
    size_t kept = 0;
    if (gt_mem_reserve(tracks->mem, &tracks->list, &tracks->capacity, scope->pieces.count + 1,
                       sizeof(*tracks->list)) != GT_OK)
        return false;
    gt_sort(pieces, scope->pieces.count, sizeof(*pieces), scope_piece_comes, NULL);
    for (size_t i = 0; i < scope->pieces.count; i++) {
        struct gt_scope_piece *last = kept > 0 ? &pieces[kept - 1] : NULL;
        if (last && last->track == pieces[i].track && last->end >= pieces[i].start)
            last->end = pieces[i].end > last->end ? pieces[i].end : last->end;
        else
            pieces[kept++] = pieces[i];
    }
    for (size_t i = 0; i < kept; i++)
        tracks->list[i] = pieces[i].track;
    scope->pieces.count = tracks->count = kept;
    scope->has_pieces = true;
    return true;
}

/* Makes the scope that of the tree of a task. Returns false if memory runs out. */
static bool scope_take_tree(struct gt_scope *scope, struct gt_web *web,
                            const struct gt_totals *totals, uint64_t task)
{
    struct gt_listing_order order;
    gt_listing_order_init(&order, GT_VIEW_TASK);
    order.sort = GT_SORT_PARENT;
    order.has_task = true;
    order.task = task;
    const struct gt_listing *listing = gt_listings_take(web, totals, &order);
    if (!listing)
        return false;
    bool good = true;
    scope->has_tracks = true;
    scope->tracks.mem = &web->mem;
    gt_store_lock_read(web->store);
    for (size_t i = 0; i < listing->tree.lines.count && good; i++)
        good = scope_add_line(scope, web->store, &listing->tree, &listing->tree.lines.items[i]);
    gt_store_unlock(web->store);
    gt_listings_release(web);
    return good && (scope->lanes == GT_SCOPE_ALL_LANES || scope_join_pieces(scope));
}

bool gt_scope_take(struct gt_scope *scope, struct gt_query *query, struct gt_web *web,
                   enum gt_scope_lanes lanes)
{
    *scope = (struct gt_scope){.view = GT_STORE_VIEW_GOROUTINE,
                               .lanes = lanes,
                               .has_tracks = gt_query_has(query, "tracks")};
    struct gt_query_range range;
    const struct gt_totals *totals;
    uint64_t task = 0;
    bool has_task = false;
    gt_query_whole(query, web->store, &range);
    gt_query_view(query, &scope->view);
    gt_query_tracks(query, GT_QUERY_TRACKS_MAX, &scope->tracks);
    scope->start = range.start;
    scope->end = range.end;
    /* The tracks that are named are those of the tree's rows already. */
    if (query->failed ||
        (!scope->has_tracks && !gt_row_order_tree(query, web, &has_task, &task, &totals)))
        return false;
    if (has_task && !scope_take_tree(scope, web, totals, task)) {
        gt_response_no_memory(query->response);
        return false;
    }
    if (!scope->has_pieces)
        scope_make_unique(&scope->tracks);
    return true;
}

void gt_scope_free(struct gt_scope *scope)
{
    if (scope->tracks.mem)
        gt_array_free(scope->tracks.mem, &scope->pieces);
    gt_query_tracks_free(&scope->tracks);
}

size_t gt_scope_find(const struct gt_query_tracks *tracks, uint32_t track)
{
    size_t at;
    GT_BISECT(at, 0, tracks->count, tracks->list[at] < track);
    return at;
}

bool gt_scope_names(const struct gt_query_tracks *tracks, uint32_t track)
{
    size_t at = gt_scope_find(tracks, track);
    return at < tracks->count && tracks->list[at] == track;
}

bool gt_scope_has(const struct gt_scope *scope, uint32_t track, int64_t time)
{
    if (!scope->has_pieces)
        return gt_scope_names(&scope->tracks, track);
    size_t at;
    const struct gt_scope_piece *pieces = scope->pieces.items;
    GT_BISECT(at, 0, scope->pieces.count,
              pieces[at].track < track || (pieces[at].track == track && pieces[at].end <= time));
    return at < scope->pieces.count && pieces[at].track == track && pieces[at].start <= time;
}

int64_t gt_scope_time_on(const struct gt_scope *scope, uint32_t track, int64_t start, int64_t end)
{
    int64_t sum = 0;
    if (!scope->has_pieces)
        return gt_scope_clip_times(scope, start, end);
    for (size_t at = gt_scope_find(&scope->tracks, track);
         at < scope->pieces.count && scope->pieces.items[at].track == track; at++) {
        const struct gt_scope_piece *piece = &scope->pieces.items[at];
        if (piece->start < end && piece->end > start)
            gt_time_add_to(&sum, gt_time_minus(end < piece->end ? end : piece->end,
                                               start > piece->start ? start : piece->start));
    }
    return sum;
}
