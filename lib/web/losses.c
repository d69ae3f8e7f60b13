/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/losses: when it is not known what goroutines did, because data of the trace was lost. */
#include "web/losses.h"

#include "base/array.h"
#include "base/time.h"
#include "web/endpoints.h"
#include "web/lostrows.h"
#include "web/query.h"
#include "web/web.h"

enum {
    LOSSES_MAX = 10000,
    LOSSES_BINS = 1024
};

/* A loss on the row's first track, or several that are too close to be told apart. */
struct loss_place {
    int64_t start, end;
    uint32_t track;
};

struct loss_places {
    struct gt_mem *mem;
    GT_ARRAY(struct loss_place) list;
    /* By the row's ordinal: the index of its last element of `list`, plus 1, or 0. */
    GT_ARRAY(uint32_t) last;
    /* There are more than LOSSES_MAX. */
    bool is_cut;
};

static bool loss_track(const struct gt_store *store, const struct gt_loss *loss, uint32_t view,
                       uint32_t *track)
{
    struct gt_store_row row;
    if (!gt_store_get_row_brief(store, view, gt_lostrows_of(loss, view), &row))
        return false;
    *track = row.lanes[0].track;
    return true;
}

/* Returns whether the scope contains one of the rows of the loss. Sets `*time` to the duration of
 * the loss within the scope. */
static bool loss_is_in(const struct gt_store *store, const struct gt_loss *loss,
                       const struct gt_scope *scope, int64_t *time)
{
    uint32_t track;
    *time = gt_scope_clip_times(scope, loss->start, loss->end);
    if (!scope->has_tracks)
        return gt_lostrows_of(loss, scope->view) != GT_STORE_NONE;
    for (uint32_t view = 0; view < GT_STORE_VIEWS; view++) {
        if (!loss_track(store, loss, view, &track) || !gt_scope_names(&scope->tracks, track))
            continue;
        *time = gt_scope_time_on(scope, track, loss->start, loss->end);
        return *time > 0 || !scope->has_pieces;
    }
    return false;
}

void gt_losses_add_up(const struct gt_store *store, const struct gt_scope *scope,
                      struct gt_losses_sum *sum)
{
    struct gt_loss loss;
    int64_t time;
    for (size_t i = 0; gt_store_get_loss(store, i, &loss); i++) {
        if (!gt_lostrows_overlaps(&loss, scope->start, scope->end) ||
            !loss_is_in(store, &loss, scope, &time))
            continue;
        gt_time_add_to(&sum->time, time);
        sum->count++;
    }
}

/* Adds a loss to its row. If the last loss of the row ended less than `gap` before, that one is
 * extended instead. */
static bool loss_place_add(struct loss_places *places, const struct gt_loss *loss, uint32_t ordinal,
                           uint32_t track, int64_t gap)
{
    if (gt_array_extend(places->mem, &places->last, ordinal + (size_t) 1) != GT_OK)
        return false;
    uint32_t last = places->last.items[ordinal];
    struct loss_place *before = last != 0 ? &places->list.items[last - 1] : NULL;
    if (before && gt_time_minus(loss->start, before->end) < gap) {
        before->end = loss->end > before->end ? loss->end : before->end;
        return true;
    }
    places->is_cut = places->list.count == LOSSES_MAX;
    if (places->is_cut)
        return true;
    struct loss_place place = {loss->start, loss->end, track};
    if (gt_array_add(places->mem, &places->list, place) != GT_OK)
        return false;
    places->last.items[ordinal] = (uint32_t) places->list.count;
    return true;
}

/* Returns false if memory runs out. */
static bool loss_places_find(struct loss_places *places, const struct gt_store *store,
                             uint32_t view, const struct gt_query_range *range, int64_t gap)
{
    struct gt_loss loss;
    uint32_t track;
    for (size_t i = 0; !places->is_cut && gt_store_get_loss(store, i, &loss); i++) {
        if (gt_lostrows_overlaps(&loss, range->start, range->end) &&
            loss_track(store, &loss, view, &track) &&
            !loss_place_add(places, &loss, gt_lostrows_of(&loss, view), track, gap))
            return false;
    }
    return true;
}

static void losses_write(struct gt_query *query, const struct loss_places *places)
{
    struct gt_json json;
    gt_json_start(&json, query->response);
    gt_json_key_array(&json, "losses");
    for (size_t i = 0; i < places->list.count; i++) {
        const struct loss_place *place = &places->list.items[i];
        gt_json_object(&json);
        gt_json_key_uint(&json, "track", place->track);
        gt_json_key_int(&json, "start", place->start);
        gt_json_key_int(&json, "end", place->end);
        gt_json_end(&json);
    }
    gt_json_end(&json);
    if (places->is_cut)
        gt_json_key_bool(&json, "truncated", true);
    gt_json_finish(&json);
}

void gt_web_serve_losses(struct gt_web *web, struct gt_query *query)
{
    struct gt_query_range range;
    struct loss_places places = {.mem = &web->mem};
    size_t bins = LOSSES_BINS;
    uint32_t view = GT_STORE_VIEW_GOROUTINE;
    gt_query_whole(query, web->store, &range);
    gt_query_bins(query, &bins);
    gt_query_view(query, &view);
    if (query->failed)
        return;
    int64_t gap = gt_time_minus(range.end, range.start) / (int64_t) bins;
    gt_store_lock_read(web->store);
    bool is_good = loss_places_find(&places, web->store, view, &range, gap);
    gt_store_unlock(web->store);
    if (is_good)
        losses_write(query, &places);
    else
        gt_query_no_memory(query);
    gt_array_free(places.mem, &places.list);
    gt_array_free(places.mem, &places.last);
}
