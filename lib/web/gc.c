/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/gc: where the garbage collector worked, and where it stopped the world. */
#include <stdlib.h>

#include "web/answer.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/web.h"

enum {
    BINS_DEFAULT = 1024
};

/* What one track gives. */
struct slices {
    struct json *json;
    const struct store *store;
    const struct track *track;
    /* Whether names are told. */
    bool named;
};

/* How much of a bar is taken up; more exactly than it says itself. */
static double share_of(const struct track *track, const struct bar *bar)
{
    struct track_sums sums = {.time = {0}};
    int64_t time = 0;
    if (bar->count == 1 || bar->end == bar->start)
        return 1;
    track_sum(track, bar->start, bar->end, &sums);
    for (uint32_t i = 0; i < STORE_CLASSES; i++)
        time += sums.time[i];
    return (double) time / (double) (bar->end - bar->start);
}

static void write_name(const struct slices *slices, const struct bar *bar)
{
    char title[ANSWER_TITLE_MAX];
    struct span span;
    /* A merged bar has the name of the first. */
    if (!track_get(slices->track, bar->span.index, &span))
        return;
    size_t size = answer_span_name(slices->store, STORE_VIEWS, &span, title);
    json_string(slices->json, (gt_string){title, size});
}

static void write_slice(void *user, const struct bar *bar)
{
    const struct slices *slices = user;
    json_array(slices->json);
    json_int(slices->json, bar->start);
    json_int(slices->json, bar->end);
    json_real(slices->json, share_of(slices->track, bar));
    if (slices->named)
        write_name(slices, bar);
    json_end_array(slices->json);
}

static void write_slices(struct slices *slices, const char *key, const struct query_range *range,
                         size_t bins)
{
    int64_t bin = (range->end - range->start) / (int64_t) bins;
    json_key(slices->json, key);
    json_array(slices->json);
    track_bars(slices->track, range->start, range->end, bin, write_slice, slices);
    json_end_array(slices->json);
}

void gt_web_serve_gc(void *data, const struct gt_request *request, struct gt_response *response)
{
    struct gt_web *web = data;
    struct query query;
    struct query_range range;
    struct json json;
    size_t bins = BINS_DEFAULT;
    query_init(&query, request, response);
    query_whole(&query, web->store, &range);
    query_bins(&query, &bins);
    if (query.failed)
        return;
    json_init(&json, response);
    json_hold(&json);
    json_object(&json);
    store_lock_read(web->store);
    struct slices gc = {&json, web->store, store_gc(web->store), false};
    struct slices stw = {&json, web->store, store_stw(web->store), true};
    write_slices(&gc, "gc", &range, bins);
    write_slices(&stw, "stw", &range, bins);
    store_unlock(web->store);
    json_end_object(&json);
    json_release(&json);
}
