/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/gc: when the garbage collector worked, and when it stopped the world. */
#include "base/time.h"
#include "web/answer.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/web.h"

enum {
    BINS_DEFAULT = 1024
};

/* One of the two tracks, and the JSON to which its slices are written. */
struct slices {
    struct gt_json *json;
    const struct gt_store *store;
    const struct gt_track *track;
    /* The name is written as well. */
    bool named;
};

/*
 * Returns which part of a bar is covered by spans, from 0 to 1. It is more exact than the shares of
 * the bar.
 */
static double slice_share(const struct gt_track *track, const struct gt_bar *bar)
{
    struct gt_track_sums sums = {.time = {0}};
    int64_t time = 0;
    if (bar->count == 1 || bar->end == bar->start)
        return 1;
    gt_track_sum(track, bar->start, bar->end, &sums);
    for (uint32_t i = 0; i < GT_STORE_CLASSES; i++)
        gt_time_add_to(&time, sums.time[i]);
    return (double) time / (double) gt_time_minus(bar->end, bar->start);
}

static void slice_name_write(const struct slices *slices, const struct gt_bar *bar)
{
    char title[GT_ANSWER_TITLE_MAX];
    struct gt_span span;
    /* A bar of several spans has the name of the first of them. */
    if (!gt_track_get(slices->track, bar->span.index, &span))
        return;
    size_t size = gt_answer_span_name(slices->store, GT_STORE_VIEWS, &span, title);
    gt_json_string(slices->json, (gt_string){title, size});
}

static void slice_write(void *user, const struct gt_bar *bar)
{
    const struct slices *slices = user;
    gt_json_array(slices->json);
    gt_json_int(slices->json, bar->start);
    gt_json_int(slices->json, bar->end);
    gt_json_real(slices->json, slice_share(slices->track, bar));
    if (slices->named)
        slice_name_write(slices, bar);
    gt_json_end(slices->json);
}

static void slices_write(struct slices *slices, const char *key, const struct gt_query_range *range,
                         size_t bins)
{
    int64_t bin = gt_time_minus(range->end, range->start) / (int64_t) bins;
    gt_json_key_array(slices->json, key);
    gt_track_bars(slices->track, range->start, range->end, bin, slice_write, slices);
    gt_json_end(slices->json);
}

void gt_web_serve_gc(struct gt_web *web, struct gt_query *query)
{
    struct gt_query_range range;
    struct gt_json json;
    size_t bins = BINS_DEFAULT;
    gt_query_whole(query, web->store, &range);
    gt_query_bins(query, &bins);
    if (query->failed)
        return;
    gt_json_start(&json, query->response);
    gt_store_lock_read(web->store);
    struct slices gc = {&json, web->store, gt_store_gc(web->store), false};
    struct slices stw = {&json, web->store, gt_store_stw(web->store), true};
    slices_write(&gc, "gc", &range, bins);
    slices_write(&stw, "stw", &range, bins);
    gt_store_unlock(web->store);
    gt_json_finish(&json);
}
