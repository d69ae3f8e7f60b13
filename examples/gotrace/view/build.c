/* SPDX-License-Identifier: BSD-3-Clause */
#include "build.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>

#include "../problem.h"
#include "../store/store.h"
#include "view.h"

enum {
    /* Events after which the progress is told. */
    BATCH = 2000,
    /* Events after which the bytes that were read are let go of; few are read again. */
    FORGET = 500000
};

struct build {
    struct view *view;
    gt_reader *reader;
    gt_emitter *emitter;
    gt_timeline *timeline;
    /* How the reading ended, and the drawing. */
    gt_status reading, drawing;
    uint64_t forgotten;
};

static void note_repair(void *user_data, const gt_error *repair)
{
    struct view *view = user_data;
    struct view_progress *progress = &view->progress;
    char text[PROBLEM_TEXT_MAX];
    problem_describe(repair, text);
    pthread_mutex_lock(&progress->lock);
    /* A damaged trace may take thousands. */
    if (progress->repairs_total++ == 0)
        problem_report(view->source.name, "repaired: ", repair);
    if (progress->repair_count < VIEW_REPAIRS_MAX) {
        char *copy = malloc(strlen(text) + 1);
        if (copy != NULL) {
            strcpy(copy, text);
            progress->repairs[progress->repair_count++] = copy;
        }
    }
    pthread_mutex_unlock(&progress->lock);
}

static void note_progress(struct build *b)
{
    struct view_progress *progress = &b->view->progress;
    uint64_t size = b->view->source.size;
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader_get_info(b->reader, &info);
    if (info.events - b->forgotten >= FORGET) {
        view_source_forget(&b->view->source, info.bytes);
        b->forgotten = info.events;
    }
    pthread_mutex_lock(&progress->lock);
    progress->events = info.events;
    progress->version = info.version;
    if (size > 0 && info.bytes < size)
        progress->fraction = (double) info.bytes / (double) size;
    else
        progress->fraction = 1;
    pthread_mutex_unlock(&progress->lock);
}

static void note_end(struct build *b, const gt_error *error)
{
    struct view_progress *progress = &b->view->progress;
    pthread_mutex_lock(&progress->lock);
    if (error->status != GT_OK)
        problem_describe(error, progress->error);
    progress->done = true;
    uint64_t repairs = progress->repairs_total;
    pthread_mutex_unlock(&progress->lock);
    if (repairs > 1)
        fprintf(stderr, "gotrace: %s: repaired: %" PRIu64 " faults in all\n", b->view->source.name,
                repairs);
    if (error->status != GT_OK)
        problem_report(b->view->source.name, "", error);
}

static gt_status open_all(struct build *b, gt_error *error)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter_options emitter = GT_EMITTER_OPTIONS_INIT;
    gt_timeline_options timeline = GT_TIMELINE_OPTIONS_INIT;
    gt_status status =
        view_source_open_told(&b->view->source, note_repair, b->view, &b->reader, error);
    if (status != GT_OK)
        return status;
    emitter.flags = GT_EMITTER_ENCLOSING;
    timeline.flags = GT_TIMELINE_EXACT | GT_TIMELINE_STATES;
    timeline.view = GT_VIEW_GOROUTINE;
    store_consumer(b->view->store, &consumer);
    if (!store_start(b->view->store))
        status = GT_ERR_NO_MEMORY;
    if (status == GT_OK)
        status = gt_emitter_open(&b->emitter, &consumer, &emitter);
    if (status == GT_OK)
        status = gt_timeline_open(&b->timeline, b->reader, b->emitter, &timeline);
    if (status != GT_OK)
        problem_set_status(error, status);
    return status;
}

static void note_facts(struct build *b, const gt_event *event)
{
    struct view_progress *progress = &b->view->progress;
    if (!facts_concern(event->kind))
        return;
    pthread_mutex_lock(&progress->lock);
    facts_note(&progress->facts, event);
    pthread_mutex_unlock(&progress->lock);
}

/* Whether there is more to draw. */
static bool draw_batch(struct build *b)
{
    const gt_event *event;
    for (int i = 0; i < BATCH && b->reading == GT_OK && b->drawing == GT_OK; i++) {
        b->reading = gt_reader_next_event(b->reader, &event);
        if (b->reading != GT_OK)
            break;
        note_facts(b, event);
        b->drawing = gt_timeline_event(b->timeline, event);
    }
    return b->reading == GT_OK && b->drawing == GT_OK;
}

static void draw(struct build *b)
{
    bool goes_on = true;
    while (goes_on && !atomic_load(&b->view->stopping)) {
        goes_on = draw_batch(b);
        note_progress(b);
    }
    /* What was read is shown, whatever ended it. */
    if (b->drawing == GT_OK && !atomic_load(&b->view->stopping))
        b->drawing = gt_timeline_finish(b->timeline);
    if (b->drawing == GT_OK)
        b->drawing = gt_emitter_flush(b->emitter);
    store_finish(b->view->store);
}

static void find_error(const struct build *b, gt_error *error)
{
    if (b->drawing == GT_ERR_CALLBACK && store_failed(b->view->store))
        problem_set_status(error, GT_ERR_NO_MEMORY);
    else if (b->drawing != GT_OK)
        problem_set_status(error, b->drawing);
    else
        view_source_error(&b->view->source, b->reader, b->reading, error);
}

static void *run(void *user_data)
{
    struct build b = {.view = user_data};
    gt_error error = GT_ERROR_INIT;
    if (open_all(&b, &error) == GT_OK) {
        draw(&b);
        find_error(&b, &error);
    }
    gt_timeline_close(&b.timeline);
    gt_emitter_close(&b.emitter);
    gt_reader_close(&b.reader);
    note_end(&b, &error);
    return NULL;
}

bool view_build_start(struct view *view)
{
    view->source.lenient = true;
    view->store = store_new();
    if (view->store == NULL)
        return false;
    view->is_building = pthread_create(&view->builder, NULL, run, view) == 0;
    if (!view->is_building) {
        store_free(view->store);
        view->store = NULL;
    }
    return view->is_building;
}

void view_build_stop(struct view *view)
{
    atomic_store(&view->stopping, true);
    if (view->is_building)
        pthread_join(view->builder, NULL);
    view->is_building = false;
    store_free(view->store);
    view->store = NULL;
}
