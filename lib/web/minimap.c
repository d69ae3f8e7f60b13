/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/minimap: what the procs did over the whole trace. */
#include "web/minimap.h"

#include <string.h>

#include "base/time.h"
#include "web/answer.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/scan.h"

enum {
    BINS_DEFAULT = 1024,
    /* These lines follow those of the procs' classes. */
    LINE_GC = GT_STORE_CLASSES,
    LINE_STW,
    LINES
};

/* How long a minimap may be reused while the trace is still being loaded. */
#define STALE_NS INT64_C(1000000000)

/* The most recent minimap, which is cached for the next request. */
struct gt_minimap {
    pthread_mutex_t mutex;
    size_t bins;
    int64_t end;
    uint32_t procs;
    /*
     * Nanoseconds by line and bin: the procs' time in each class, then garbage collection, then
     * stops of the world.
     */
    int64_t *time;
    size_t capacity; /* of `time` */
    bool done;
    uint64_t events;
    int64_t made;
};

static struct gt_minimap *minimap_get(struct gt_web *web)
{
    pthread_mutex_lock(&web->loading.lock);
    if (!web->minimap) {
        struct gt_minimap *minimap = gt_mem_zeros(&web->mem, sizeof(*minimap));
        if (minimap && pthread_mutex_init(&minimap->mutex, NULL) == 0)
            web->minimap = minimap;
        else
            gt_mem_free(&web->mem, minimap, sizeof(*minimap));
    }
    struct gt_minimap *minimap = web->minimap;
    pthread_mutex_unlock(&web->loading.lock);
    return minimap;
}

void gt_minimap_close(struct gt_web *web)
{
    struct gt_minimap *minimap = web->minimap;
    if (!minimap)
        return;
    gt_mem_free(&web->mem, minimap->time, minimap->capacity * sizeof(*minimap->time));
    pthread_mutex_destroy(&minimap->mutex);
    gt_mem_free(&web->mem, minimap, sizeof(*minimap));
    web->minimap = NULL;
}

/*
 * Returns the time at which a bin begins. Multiplying the end of the trace by `bin` could
 * overflow, so quotient and remainder are multiplied separately.
 */
static int64_t minimap_bin_start(const struct gt_minimap *minimap, size_t bin)
{
    int64_t bins = (int64_t) minimap->bins, i = (int64_t) bin;
    return minimap->end / bins * i + minimap->end % bins * i / bins;
}

static bool minimap_is_empty(const struct gt_track_sums *sums)
{
    for (uint32_t i = 0; i < GT_STORE_CLASSES; i++) {
        if (sums->count[i] != 0)
            return false;
    }
    return true;
}

/* Returns the first bin, from `bin` on, that contains part of a span of the track. */
static size_t minimap_skip_empty(const struct gt_minimap *minimap, const struct gt_track *track,
                                 size_t bin)
{
    struct gt_span span;
    if (!gt_track_get(track, gt_track_find(track, minimap_bin_start(minimap, bin)), &span))
        return minimap->bins;
    while (bin < minimap->bins && minimap_bin_start(minimap, bin + 1) <= span.start)
        bin++;
    return bin;
}

/*
 * Adds the time of a track. If `line` is a class, each class is added to its own line; otherwise
 * all classes are added to `line`.
 */
static void minimap_add_track(struct gt_minimap *minimap, const struct gt_track *track,
                              uint32_t line)
{
    for (size_t bin = 0; bin < minimap->bins; bin++) {
        struct gt_track_sums sums = {.time = {0}};
        gt_track_sum(track, minimap_bin_start(minimap, bin), minimap_bin_start(minimap, bin + 1),
                     &sums);
        if (minimap_is_empty(&sums)) {
            bin = minimap_skip_empty(minimap, track, bin + 1) - 1;
            continue;
        }
        for (uint32_t i = 0; i < GT_STORE_CLASSES; i++) {
            uint32_t to = line < GT_STORE_CLASSES ? i : line;
            gt_time_add_to(&minimap->time[to * minimap->bins + bin], sums.time[i]);
        }
    }
}

/* Releases the store's lock after each row, so that other threads need not wait for all rows. */
static void minimap_add_procs(struct gt_minimap *minimap, struct gt_store *store)
{
    struct gt_store_row row;
    for (uint32_t i = 0; i < minimap->procs; i++) {
        gt_store_lock_read(store);
        if (gt_store_get_row_brief(store, GT_STORE_VIEW_PROC, i, &row) && row.lane_count > 0)
            minimap_add_track(minimap, gt_store_track(store, row.lanes[0].track), GT_CLASS_RUNNING);
        gt_store_unlock(store);
    }
}

static bool minimap_make(struct gt_minimap *minimap, struct gt_mem *mem, struct gt_store *store,
                         size_t bins)
{
    size_t count = LINES * bins;
    if (gt_mem_reserve(mem, &minimap->time, &minimap->capacity, count, sizeof(*minimap->time)) !=
        GT_OK)
        return false;
    memset(minimap->time, 0, count * sizeof(*minimap->time));
    minimap->bins = bins;
    gt_store_lock_read(store);
    minimap->end = gt_store_end(store);
    minimap->procs = gt_store_row_count(store, GT_STORE_VIEW_PROC);
    minimap_add_track(minimap, gt_store_gc(store), LINE_GC);
    minimap_add_track(minimap, gt_store_stw(store), LINE_STW);
    gt_store_unlock(store);
    minimap_add_procs(minimap, store);
    return true;
}

/*
 * Makes the minimap again if it is out of date. The caller holds the minimap's mutex. Returns
 * false if memory runs out.
 */
static bool minimap_refresh(struct gt_minimap *minimap, struct gt_web *web, size_t bins)
{
    pthread_mutex_lock(&web->loading.lock);
    bool done = web->loading.done;
    uint64_t events = web->loading.events;
    pthread_mutex_unlock(&web->loading.lock);
    if (minimap->bins == bins && minimap->done == done &&
        (minimap->events == events || gt_scan_now() - minimap->made < STALE_NS))
        return true;
    if (!minimap_make(minimap, &web->mem, web->store, bins))
        return false;
    minimap->done = done;
    minimap->events = events;
    minimap->made = gt_scan_now();
    return true;
}

/* Writes a line as fractions, from 0 to 1, of the time that `of` rows have in each bin. */
static void minimap_line_write(struct gt_json *json, const char *key,
                               const struct gt_minimap *minimap, uint32_t line, uint32_t of)
{
    gt_json_key_array(json, key);
    for (size_t bin = 0; bin < minimap->bins; bin++) {
        int64_t width = minimap_bin_start(minimap, bin + 1) - minimap_bin_start(minimap, bin);
        double whole = (double) width * of;
        double share = whole > 0 ? (double) minimap->time[line * minimap->bins + bin] / whole : 0;
        gt_json_real(json, share < 1 ? share : 1);
    }
    gt_json_end(json);
}

static bool minimap_line_has_time(const struct gt_minimap *minimap, uint32_t line)
{
    for (size_t bin = 0; bin < minimap->bins; bin++) {
        if (minimap->time[line * minimap->bins + bin] != 0)
            return true;
    }
    return false;
}

static void minimap_write(struct gt_json *json, const struct gt_minimap *minimap)
{
    gt_json_key_uint(json, "bins", minimap->bins);
    gt_json_key_int(json, "start", 0);
    gt_json_key_int(json, "end", minimap->end);
    gt_json_key_object(json, "classes");
    for (uint32_t i = 0; i < GT_STORE_CLASSES; i++) {
        if (minimap_line_has_time(minimap, i))
            minimap_line_write(json, gt_answer_classes[i], minimap, i, minimap->procs);
    }
    gt_json_end(json);
    minimap_line_write(json, "gc", minimap, LINE_GC, 1);
    minimap_line_write(json, "stw", minimap, LINE_STW, 1);
}

void gt_web_serve_minimap(struct gt_web *web, struct gt_query *query)
{
    struct gt_json json;
    size_t bins = BINS_DEFAULT;
    gt_query_bins(query, &bins);
    if (query->failed)
        return;
    struct gt_minimap *minimap = minimap_get(web);
    if (!minimap) {
        gt_response_no_memory(query->response);
        return;
    }
    gt_json_start(&json, query->response);
    pthread_mutex_lock(&minimap->mutex);
    bool good = minimap_refresh(minimap, web, bins);
    if (good)
        minimap_write(&json, minimap);
    pthread_mutex_unlock(&minimap->mutex);
    gt_json_finish(&json);
    if (!good)
        gt_response_no_memory(query->response);
}
