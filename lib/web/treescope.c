/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/treescope.h"

#include "base/sort.h"
#include "web/listings.h"
#include "web/roworder.h"

static bool treescope_piece_comes(const void *left, const void *right, void *context)
{
    const struct gt_scope_piece *a = left, *b = right;
    (void) context;
    if (a->track != b->track)
        return a->track < b->track;
    return a->start != b->start ? a->start < b->start : a->end < b->end;
}

/* Adds the times in which a goroutine worked for a task, or all time of a task, on one track. */
static bool treescope_add_pieces(struct gt_scope *scope, struct gt_mem *mem,
                                 const struct gt_tasktree *tree,
                                 const struct gt_tasktree_line *line, uint32_t track)
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

static bool treescope_add_line(struct gt_scope *scope, struct gt_store *store,
                               const struct gt_tasktree *tree, const struct gt_tasktree_line *line,
                               enum gt_treescope_lanes lanes)
{
    struct gt_query_tracks *tracks = &scope->tracks;
    struct gt_store_row row;
    if (!gt_store_get_row_brief(store, line->view, line->ordinal, &row))
        return true;
    if (lanes == GT_TREESCOPE_FIRST_LANES)
        return treescope_add_pieces(scope, tracks->mem, tree, line, row.lanes[0].track);
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
static bool treescope_join_pieces(struct gt_scope *scope)
{
    struct gt_query_tracks *tracks = &scope->tracks;
    struct gt_scope_piece *pieces = scope->pieces.items;
    size_t kept = 0;
    if (gt_mem_reserve(tracks->mem, &tracks->list, &tracks->capacity, scope->pieces.count + 1,
                       sizeof(*tracks->list)) != GT_OK)
        return false;
    gt_sort(pieces, scope->pieces.count, sizeof(*pieces), treescope_piece_comes, NULL);
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
static bool treescope_take_tree(struct gt_scope *scope, struct gt_web *web,
                                const struct gt_tasktree_maker *maker, uint64_t task,
                                enum gt_treescope_lanes lanes)
{
    struct gt_listing_order order;
    gt_listing_order_init(&order, GT_VIEW_TASK);
    order.sort = GT_SORT_PARENT;
    order.has_task = true;
    order.task = task;
    const struct gt_listing *listing = gt_listings_take(web, maker, &order);
    if (!listing)
        return false;
    bool good = true;
    scope->has_tracks = true;
    scope->tracks.mem = &web->mem;
    gt_store_lock_read(web->store);
    for (size_t i = 0; i < listing->tree.lines.count && good; i++)
        good = treescope_add_line(scope, web->store, &listing->tree, &listing->tree.lines.items[i],
                                  lanes);
    gt_store_unlock(web->store);
    gt_listings_release(web);
    if (lanes == GT_TREESCOPE_FIRST_LANES)
        return good && treescope_join_pieces(scope);
    gt_scope_sort_tracks(&scope->tracks);
    return good;
}

bool gt_treescope_take(struct gt_scope *scope, struct gt_query *query, struct gt_web *web,
                       enum gt_treescope_lanes lanes)
{
    struct gt_tasktree_maker maker;
    uint64_t task = 0;
    bool has_task;
    gt_scope_take(scope, query, web->store);
    if (query->failed)
        return false;
    /* If the request names tracks, they belong to rows of the tree, and the tree itself is not
     * needed. */
    if (scope->has_tracks)
        return true;
    if (!gt_row_order_tree(query, web, &has_task, &task, &maker))
        return false;
    if (has_task && !treescope_take_tree(scope, web, &maker, task, lanes)) {
        gt_response_no_memory(query->response);
        return false;
    }
    return true;
}
