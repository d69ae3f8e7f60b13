/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/scan.h"

#include <time.h>

#include "base/thread.h"
#include "base/wraps.h"

enum {
    /* The limits of a batch, which take about a millisecond to process. */
    PARTS = 128,
    SPANS = 16384,
    /* From this number of spans on, a second thread is worth the cost of starting it. */
    MANY_SPANS = 4 * SPANS,
    /*
     * A sample consists of blocks of this size, because consecutive spans are read much faster than
     * single ones.
     */
    BLOCK = 64
};

struct batch {
    struct gt_scan_part parts[PARTS];
    size_t count;
    uint32_t spans;
};

int64_t gt_scan_now(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

uint32_t gt_scan_lane_of(uint32_t cls)
{
    if (cls <= GT_CLASS_WAIT_OTHER)
        return GT_LANE_STATE;
    if (cls == GT_CLASS_REGION)
        return GT_LANE_REGION;
    return cls == GT_CLASS_TASK ? GT_LANE_TASK : GT_LANE_RANGE;
}

/*
 * Finds the next track of the scope and stores it in `part`. Returns false if there are no more
 * tracks.
 */
static bool scan_find_track(struct gt_scan *scan, struct gt_scan_part *part)
{
    const struct gt_scope *scope = scan->scope;
    size_t count = scope->has_tracks ? scope->tracks.count : gt_store_track_count(scan->store);
    for (; scan->next < count; scan->next++) {
        part->id = scope->has_tracks ? scope->tracks.list[scan->next] : (uint32_t) scan->next;
        part->track = gt_store_track(scan->store, part->id);
        part->from = scope->has_pieces ? scope->pieces.items[scan->next].start : scope->start;
        part->to = scope->has_pieces ? scope->pieces.items[scan->next].end : scope->end;
        if (part->track && gt_store_track_row(scan->store, part->id, &part->view, &part->ordinal) &&
            (scope->has_tracks || part->view == scope->view))
            return true;
    }
    return false;
}

/*
 * Takes the next batch of spans. Parts are not clipped to the range here, as that takes time and
 * the other worker waits for the mutex meanwhile.
 */
static void scan_take(struct gt_scan *scan, struct batch *batch)
{
    batch->count = 0;
    batch->spans = 0;
    while (batch->count < PARTS && batch->spans < SPANS) {
        struct gt_scan_part *part = &batch->parts[batch->count];
        if (!scan_find_track(scan, part))
            return;
        uint32_t count = gt_track_count(part->track);
        uint32_t left = count > scan->next_span ? count - scan->next_span : 0;
        uint32_t taken = left < SPANS - batch->spans ? left : SPANS - batch->spans;
        part->store = scan->store;
        part->first = scan->next_span;
        part->last = scan->next_span + taken;
        part->passed = scan->passed;
        batch->count += taken > 0;
        batch->spans += taken;
        scan->next_span += taken;
        if (taken == left) {
            scan->next_span = 0;
            scan->next++;
        }
    }
}

static bool scan_is_wanted(const struct gt_scan *scan, uint32_t lane)
{
    if (scan->lanes != 0)
        return (scan->lanes >> lane & 1) != 0;
    return scan->scope->has_tracks || lane == GT_LANE_STATE || lane == GT_LANE_TASK;
}

/* Restricts a part to the wanted lanes and its range of time. Returns false if nothing is left. */
static bool scan_clip(const struct gt_scan *scan, struct gt_scan_part *part)
{
    struct gt_span span;
    /*
     * Most goroutines end before a short range begins. This test excludes them without reading a
     * span.
     */
    if (part->from > 0) {
        uint32_t first = gt_track_find(part->track, part->from);
        part->first = first > part->first ? first : part->first;
    }
    if (part->first >= part->last || !gt_track_get(part->track, part->first, &span) ||
        span.start >= part->to)
        return false;
    part->lane = gt_scan_lane_of(span.cls);
    part->start = span.start;
    if (!scan_is_wanted(scan, part->lane))
        return false;
    if (part->to < INT64_MAX && gt_track_get(part->track, part->last - 1, &span) &&
        span.start >= part->to) {
        uint32_t last = gt_track_find(part->track, part->to);
        /*
         * The span at `last` either begins before the end of the range or is the first one after
         * it.
         */
        if (gt_track_get(part->track, last, &span) && span.start < part->to)
            last++;
        part->last = last < part->last ? last : part->last;
    }
    return part->first < part->last;
}

/*
 * Takes a batch, unless the scan has ended. `passed` is the number of spans of the previous batch
 * that were processed. Returns false if there is no batch.
 */
static bool scan_take_next(struct gt_scan *scan, struct batch *batch, uint64_t passed)
{
    pthread_mutex_lock(&scan->mutex);
    scan->passed += passed;
    batch->count = 0;
    if (scan->end == GT_SCAN_DONE)
        scan_take(scan, batch);
    pthread_mutex_unlock(&scan->mutex);
    return batch->count > 0;
}

static void scan_fail(struct gt_scan *scan)
{
    pthread_mutex_lock(&scan->mutex);
    scan->end = GT_SCAN_FAILED;
    pthread_mutex_unlock(&scan->mutex);
}

/*
 * Decides whether a block of a track belongs to the sample. The hash mixes all bits, so that
 * neither a track nor a period in the trace is preferred.
 */
GT_WRAPS static bool scan_is_chosen(const struct gt_scan *scan, uint32_t track, uint32_t block)
{
    uint64_t hash = ((uint64_t) track << 32 | block) + UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return (hash ^ hash >> 31) << (64 - scan->thinning) == 0;
}

/* Visits the blocks of a part that belong to the sample. */
static bool scan_visit_sample(const struct gt_scan *scan, void *worker,
                              const struct gt_scan_part *part)
{
    struct gt_span span;
    for (uint32_t first = part->first, next; first < part->last; first = next) {
        next =
            part->last - first > BLOCK - first % BLOCK ? first + BLOCK - first % BLOCK : part->last;
        if (!scan_is_chosen(scan, part->id, first / BLOCK) ||
            !gt_track_get(part->track, first, &span))
            continue;
        struct gt_scan_part block = *part;
        block.start = span.start;
        block.first = first;
        block.last = next;
        if (!scan->each(worker, &block))
            return false;
    }
    return true;
}

static bool scan_visit(const struct gt_scan *scan, void *worker, const struct gt_scan_part *part)
{
    return scan->thinning == 0 ? scan->each(worker, part) : scan_visit_sample(scan, worker, part);
}

/*
 * Processes batches until none are left or `most` spans were processed. Returns false if none are
 * left. Only the thread of the request may pass its `response`; others pass NULL.
 */
static bool scan_work(struct gt_scan *scan, void *worker, uint64_t most,
                      struct gt_response *response)
{
    struct batch batch;
    uint64_t passed = 0;
    for (uint64_t seen = 0; seen < most; seen += batch.spans + batch.count) {
        if (response && gt_response_is_over(response))
            scan_fail(scan);
        gt_store_lock_read(scan->store);
        bool more = scan_take_next(scan, &batch, passed);
        passed = 0;
        for (size_t i = 0; i < batch.count; i++) {
            struct gt_scan_part *part = &batch.parts[i];
            if ((scan->select && !scan->select(worker, part)) || !scan_clip(scan, part))
                continue;
            passed += part->last - part->first;
            if (!scan_visit(scan, worker, part))
                scan_fail(scan);
        }
        gt_store_unlock(scan->store);
        if (!more)
            return false;
    }
    pthread_mutex_lock(&scan->mutex);
    scan->passed += passed;
    pthread_mutex_unlock(&scan->mutex);
    return true;
}

struct helper {
    struct gt_scan *scan;
    void *worker;
};

static void *scan_help(void *argument)
{
    const struct helper *helper = argument;
    scan_work(helper->scan, helper->worker, UINT64_MAX, NULL);
    return NULL;
}

static enum gt_scan_end scan_run_all(struct gt_scan *scan, void *own, void *other)
{
    struct helper helper = {scan, other};
    pthread_t thread;
    if (pthread_mutex_init(&scan->mutex, NULL) != 0)
        return GT_SCAN_FAILED;
    if (scan_work(scan, own, MANY_SPANS, scan->response)) {
        bool helped =
            gt_store_allows_threads(scan->store) && gt_thread_start(&thread, scan_help, &helper);
        scan_work(scan, own, UINT64_MAX, scan->response);
        if (helped)
            pthread_join(thread, NULL);
    }
    pthread_mutex_destroy(&scan->mutex);
    return scan->end;
}

static bool scan_skip(void *worker, const struct gt_scan_part *part)
{
    (void) worker;
    (void) part;
    return true;
}

enum gt_scan_end gt_scan_run(struct gt_scan *scan, void *own, void *other)
{
    struct gt_scan counting = {.store = scan->store,
                               .scope = scan->scope,
                               .lanes = scan->lanes,
                               .select = scan->select,
                               .each = scan_skip,
                               .response = scan->response};
    if (scan->most == 0)
        return scan_run_all(scan, own, other);
    enum gt_scan_end end = scan_run_all(&counting, own, other);
    while (scan->thinning < 63 && counting.passed >> scan->thinning > scan->most)
        scan->thinning++;
    return end == GT_SCAN_DONE ? scan_run_all(scan, own, other) : end;
}

uint64_t gt_scan_spans(const struct gt_scan *scan)
{
    return scan->passed;
}
