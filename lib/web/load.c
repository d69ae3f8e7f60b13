/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/load.h"

#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/thread.h"
#include "base/time.h"
#include "store/store.h"
#include "web/scan.h"
#include "web/web.h"

enum {
    /* Events between two updates of the progress. */
    LOAD_BATCH = 2000,
    /* How long to wait for more of a trace that is being recorded, in nanoseconds. */
    LOAD_NAP = 50000000
};

/*
 * Remembers that the trace ends early on some threads. In a trace of Go 1.21 or earlier, everything
 * after a damaged record is left out, and the damage is found before the first event is returned.
 */
static void load_note_cut(struct gt_web_loading *loading, const gt_error *repair)
{
    bool is_old = repair->generation == 0 && !loading->info.has_first;
    if (repair->status == GT_ERR_TRUNCATED || (is_old && repair->status == GT_ERR_EVENT))
        loading->loader.is_cut = true;
}

static void load_note_repair(void *user_data, const gt_error *repair)
{
    struct gt_web *web = user_data;
    struct gt_web_loading *loading = &web->loading;
    char text[GT_ERROR_TEXT_SIZE];
    gt_error_format(repair, text, sizeof(text));
    if (web->options.on_repair)
        web->options.on_repair(web->options.user_data, repair);
    load_note_cut(loading, repair);
    pthread_mutex_lock(&loading->lock);
    loading->repairs_total++;
    if (!gt_repairkinds_note(&loading->repairkinds, &web->texts, &web->mem, repair,
                             loading->loader.time))
        loading->loader.is_short = true;
    /* A damaged trace may need thousands of repairs, so only the first are kept. */
    if (loading->repair_count < GT_WEB_REPAIRS_MAX) {
        gt_string copy = {text, strlen(text)};
        if (gt_arena_copy(&web->texts, &web->mem, &copy) == GT_OK)
            loading->repairs[loading->repair_count++] = copy;
        else
            loading->loader.is_short = true;
    }
    pthread_mutex_unlock(&loading->lock);
}

static void load_note_progress(struct gt_web *web)
{
    struct gt_web_loading *loading = &web->loading;
    struct gt_web_loader *loader = &loading->loader;
    uint64_t total = web->source.total;
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader_get_info(loader->reader, &info);
    gt_web_source_forget(&web->source, &info, &loader->forgotten);
    pthread_mutex_lock(&loading->lock);
    loading->bytes = info.bytes;
    loading->events = info.events;
    loading->version = info.version;
    /* Regions that do not nest are reported once, however many there are. */
    loading->repairs_total = info.repairs;
    if (total > 0 && info.bytes < total)
        loading->fraction = (double) info.bytes / (double) total;
    else
        loading->fraction = 1;
    pthread_mutex_unlock(&loading->lock);
}

static void load_note_end(struct gt_web *web, gt_error *error)
{
    struct gt_web_loading *loading = &web->loading;
    /* Reading repairs_total needs no lock, because only this thread changes it. */
    if (web->options.on_loaded)
        web->options.on_loaded(web->options.user_data, error, loading->repairs_total);
    pthread_mutex_lock(&loading->lock);
    loading->error = *error;
    loading->done = true;
    loading->is_live = false;
    pthread_mutex_unlock(&loading->lock);
}

static gt_status load_open(struct gt_web *web, gt_error *error)
{
    struct gt_web_loader *loader = &web->loading.loader;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter_options emitter = GT_EMITTER_OPTIONS_INIT;
    gt_timeline_options timeline = GT_TIMELINE_OPTIONS_INIT;
    gt_status status =
        gt_web_source_open_told(&web->source, load_note_repair, web, &loader->reader, error);
    if (status != GT_OK)
        return status;
    emitter.flags = GT_EMITTER_ENCLOSING;
    emitter.allocator = timeline.allocator = &web->mem.allocator;
    timeline.flags = GT_TIMELINE_EXACT | GT_TIMELINE_STATES;
    timeline.view = GT_VIEW_GOROUTINE;
    gt_store_consumer(web->store, &consumer);
    if (web->loading.has_thread && !gt_store_start(web->store))
        status = GT_ERR_NO_MEMORY;
    if (status == GT_OK)
        status = gt_emitter_open(&loader->emitter, &consumer, &emitter, NULL);
    if (status == GT_OK)
        status =
            gt_timeline_open(&loader->timeline, loader->reader, loader->emitter, &timeline, NULL);
    if (status != GT_OK)
        gt_error_plain(error, status);
    return status;
}

static void load_note_info(struct gt_web_loading *loading, const gt_event *event)
{
    if (!gt_trace_info_concern(event->kind))
        return;
    pthread_mutex_lock(&loading->lock);
    uint64_t before = loading->info.gomaxprocs;
    gt_trace_info_note(&loading->info, event);
    if (loading->info.gomaxprocs != before &&
        !gt_counter_append(&loading->gomaxprocs, &loading->samples,
                           gt_time_minus(event->time, loading->info.first),
                           loading->info.gomaxprocs))
        loading->loader.is_short = true;
    pthread_mutex_unlock(&loading->lock);
}

/* Notes GOMAXPROCS at first where no event tells it, which the reader knows once events come. */
static void load_note_first_procs(struct gt_web_loading *loading)
{
    uint64_t procs = gt_reader_get_first_procs(loading->loader.reader);
    if (procs == 0)
        return;
    pthread_mutex_lock(&loading->lock);
    loading->info.gomaxprocs = procs;
    if (!gt_counter_append(&loading->gomaxprocs, &loading->samples, 0, procs))
        loading->loader.is_short = true;
    pthread_mutex_unlock(&loading->lock);
}

/*
 * Whether the event was added by a repair. Only such events have no thread, no proc and no
 * goroutine, because the records that led to the new state are lost.
 */
static bool load_is_added(const gt_event *event)
{
    return event->kind == GT_EVENT_STATE_TRANSITION && event->thread == GT_NO_THREAD &&
           event->proc == GT_NO_PROC && event->goroutine == GT_NO_GOROUTINE;
}

/*
 * Tells the store what an event of a damaged trace shows of losses. Returns false if memory runs
 * out.
 */
static bool load_note_loss(struct gt_web *web, const gt_event *event)
{
    struct gt_web_loader *loader = &web->loading.loader;
    gt_transition transition = GT_TRANSITION_INIT;
    if (loader->is_cut && event->thread != GT_NO_THREAD &&
        !gt_last_seen_note(&loader->last_seen, event->thread, loader->time))
        return false;
    if (!load_is_added(event) || gt_event_transition(event, &transition) != GT_OK ||
        transition.resource.kind != GT_RESOURCE_GOROUTINE)
        return true;
    return gt_store_lose_goroutine(web->store, transition.resource.id, loader->time) == 0;
}

static void load_draw_event(struct gt_web *web, const gt_event *event)
{
    struct gt_web_loading *loading = &web->loading;
    struct gt_web_loader *loader = &loading->loader;
    load_note_info(loading, event);
    if (loading->info.gomaxprocs == 0)
        load_note_first_procs(loading);
    loader->time = gt_time_minus(event->time, loading->info.first);
    if (loading->repairs_total != 0 && !load_note_loss(web, event))
        loader->is_short = true;
    loader->drawing = gt_timeline_event(loader->timeline, event);
}

/*
 * Draws up to LOAD_BATCH events. Returns whether there may be more to draw, though perhaps not yet,
 * see is_waiting.
 */
static bool load_draw_batch(struct gt_web *web)
{
    struct gt_web_loader *loader = &web->loading.loader;
    const gt_event *event;
    loader->is_waiting = false;
    for (int i = 0; i < LOAD_BATCH && loader->reading == GT_OK && loader->drawing == GT_OK; i++) {
        loader->reading = gt_reader_next_event(loader->reader, &event);
        if (loader->reading != GT_OK)
            break;
        load_draw_event(web, event);
    }
    if (loader->reading == GT_AGAIN) {
        loader->is_waiting = true;
        loader->reading = GT_OK;
    }
    return loader->reading == GT_OK && loader->drawing == GT_OK;
}

/* Tells the store, for each thread of a trace that was cut off, the time from which on its events
 * are missing. */
static void load_note_ends(struct gt_web *web)
{
    struct gt_web_loader *loader = &web->loading.loader;
    for (size_t i = 0; i < loader->last_seen.list.count && !loader->is_short; i++) {
        const struct gt_last_seen_thread *thread = &loader->last_seen.list.items[i];
        loader->is_short = gt_store_lose_thread(web->store, thread->id, thread->time) != 0;
    }
}

/* Completes the drawing at the end of the trace. */
static void load_finish(struct gt_web *web)
{
    struct gt_web_loader *loader = &web->loading.loader;
    /* What was read is shown even if an error ended the reading. */
    load_note_ends(web);
    pthread_mutex_lock(&web->loading.lock);
    web->loading.ending = gt_reader_get_ending(loader->reader);
    pthread_mutex_unlock(&web->loading.lock);
    if (loader->drawing == GT_OK && !atomic_load(&web->stopping))
        loader->drawing = gt_timeline_finish(loader->timeline);
    if (loader->drawing == GT_OK)
        loader->drawing = gt_emitter_flush(loader->emitter);
}

static void load_find_error(const struct gt_web *web, gt_error *error)
{
    const struct gt_web_loader *loader = &web->loading.loader;
    /* The store's thread may have failed after the last event was drawn. */
    if (loader->is_short || gt_store_failed(web->store))
        gt_error_plain(error, GT_ERR_NO_MEMORY);
    else if (loader->drawing != GT_OK)
        gt_error_plain(error, loader->drawing);
    else
        gt_web_source_error(&web->source, loader->reader, loader->reading, error);
}

static void load_close(struct gt_web *web)
{
    struct gt_web_loader *loader = &web->loading.loader;
    gt_timeline_close(&loader->timeline);
    gt_emitter_close(&loader->emitter);
    gt_reader_close(&loader->reader);
    gt_last_seen_free(&loader->last_seen);
}

/* Stores the error of loading, if there was one, and ends it. */
static void load_end(struct gt_web *web, gt_error *error)
{
    load_close(web);
    load_note_end(web, error);
}

/* Opens what loading needs. Returns false if that fails; loading has then ended. */
static bool load_begin(struct gt_web *web)
{
    gt_error error = GT_ERROR_INIT;
    web->loading.is_begun = true;
    gt_last_seen_init(&web->loading.loader.last_seen, &web->mem);
    if (load_open(web, &error) == GT_OK)
        return true;
    load_end(web, &error);
    return false;
}

/* Completes what was drawn, and ends loading. */
static void load_complete(struct gt_web *web)
{
    gt_error error = GT_ERROR_INIT;
    load_finish(web);
    gt_store_finish(web->store);
    load_find_error(web, &error);
    load_end(web, &error);
}

/* Lets everything that was read become visible soon. */
static void load_catch_up(struct gt_web *web)
{
    gt_store_flush(web->store);
    pthread_mutex_lock(&web->loading.lock);
    web->loading.is_live = true;
    pthread_mutex_unlock(&web->loading.lock);
}

static void *load_run(void *user_data)
{
    struct gt_web *web = user_data;
    if (!load_begin(web))
        return NULL;
    bool goes_on = true;
    while (goes_on && !atomic_load(&web->stopping)) {
        goes_on = load_draw_batch(web);
        load_note_progress(web);
        if (!web->loading.loader.is_waiting)
            continue;
        load_catch_up(web);
        nanosleep(&(struct timespec){.tv_nsec = LOAD_NAP}, NULL);
    }
    load_complete(web);
    return NULL;
}

gt_status gt_web_load_start(struct gt_web *web)
{
    struct gt_web_loading *loading = &web->loading;
    bool may_start = (web->options.flags & GT_WEB_NO_THREADS) == 0;
    loading->error = (gt_error) GT_ERROR_INIT;
    loading->samples.mem = &web->mem;
    web->store = gt_store_new(!may_start, &web->mem.allocator);
    if (!web->store)
        return GT_ERR_NO_MEMORY;
    if (pthread_mutex_init(&loading->lock, NULL) != 0) {
        gt_store_free(web->store);
        web->store = NULL;
        return GT_ERR_NO_MEMORY;
    }
    /* The new thread reads this member. */
    loading->has_thread = may_start;
    if (!may_start || gt_thread_start(&loading->thread, load_run, web))
        return GT_OK;
    loading->has_thread = false;
    gt_web_load_stop(web);
    return GT_ERR_NO_MEMORY;
}

/* Draws batches until the time `end`, but at least one. Returns whether there is more to draw. */
static bool load_draw_until(struct gt_web *web, int64_t end)
{
    bool goes_on;
    do {
        goes_on = load_draw_batch(web);
        load_note_progress(web);
    } while (goes_on && !web->loading.loader.is_waiting && gt_scan_now() < end);
    return goes_on;
}

bool gt_web_load_step(struct gt_web *web, uint64_t max_ns)
{
    int64_t now = gt_scan_now();
    if (web->loading.done || (!web->loading.is_begun && !load_begin(web)))
        return false;
    int64_t end = max_ns < (uint64_t) (INT64_MAX - now) ? now + (int64_t) max_ns : INT64_MAX;
    if (load_draw_until(web, end)) {
        bool is_waiting = web->loading.loader.is_waiting;
        if (is_waiting)
            load_catch_up(web);
        return !is_waiting;
    }
    load_complete(web);
    return false;
}

void gt_web_load_stop(struct gt_web *web)
{
    struct gt_web_loading *loading = &web->loading;
    if (!web->store)
        return;
    gt_error error = GT_ERROR_INIT;
    atomic_store(&web->stopping, true);
    if (loading->has_thread)
        pthread_join(loading->thread, NULL);
    loading->has_thread = false;
    load_close(web);
    /* The thread has done this itself. If it could not be started, nothing was ever opened. */
    if ((web->options.flags & GT_WEB_NO_THREADS) != 0 && !loading->done)
        load_note_end(web, &error);
    gt_store_free(web->store);
    gt_counter_free(&loading->gomaxprocs, &web->mem);
    gt_store_pool_destroy(&loading->samples);
    pthread_mutex_destroy(&loading->lock);
}

bool gt_web_load_is_done(struct gt_web *web)
{
    pthread_mutex_lock(&web->loading.lock);
    bool done = web->loading.done;
    pthread_mutex_unlock(&web->loading.lock);
    return done;
}

bool gt_web_load_has_caught_up(struct gt_web *web)
{
    pthread_mutex_lock(&web->loading.lock);
    bool has_caught_up = web->loading.done || web->loading.is_live;
    pthread_mutex_unlock(&web->loading.lock);
    return has_caught_up;
}

bool gt_web_load_is_failure(struct gt_web *web, gt_status status)
{
    if (status != GT_ERR_IO)
        return status == GT_ERR_NO_MEMORY;
    pthread_mutex_lock(&web->loading.lock);
    bool had_failed = web->loading.error.status == GT_ERR_IO;
    pthread_mutex_unlock(&web->loading.lock);
    return !had_failed;
}
