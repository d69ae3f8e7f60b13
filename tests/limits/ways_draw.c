/* SPDX-License-Identifier: BSD-3-Clause */

/* Ways that draw a trace for a viewer: a timeline, an emitter, and JSON, Perfetto's packets or
 * parts.
 */

#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>
#include <gotrace/viewer_perfetto.h>

#include "limits/ways.h"

/* The object that a way is about. */
enum subject {
    TIMELINE,
    EMITTER,
    JSON,
    PERFETTO,
    SPLITTER
};

/* The objects that are open while a trace is drawn. */
struct drawing {
    struct way_run *run;
    enum subject subject;
    gt_reader *reader;
    gt_json_writer *json;
    gt_perfetto_writer *perfetto;
    gt_splitter *splitter;
    gt_emitter *emitter;
    gt_timeline *timeline;
};

static const gt_allocator *allocator_of(const struct drawing *d, enum subject subject)
{
    return d->subject == subject ? d->run->allocator : NULL;
}

static uint64_t limit_of(const struct drawing *d, enum subject subject)
{
    return d->subject == subject ? d->run->limit : 0;
}

static gt_status open_json(struct drawing *d, gt_consumer *consumer)
{
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    gt_status status;

    options.allocator = allocator_of(d, JSON);
    options.memory_limit = limit_of(d, JSON);
    status = gt_json_writer_open(&d->json, way_write, d->run, &options, NULL);
    return status == GT_OK ? gt_json_writer_consumer(d->json, consumer) : status;
}

static gt_status open_perfetto(struct drawing *d, gt_consumer *consumer)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    gt_status status;

    options.allocator = allocator_of(d, PERFETTO);
    options.memory_limit = limit_of(d, PERFETTO);
    status = gt_perfetto_writer_open(&d->perfetto, way_write, d->run, &options, NULL);
    return status == GT_OK
               ? gt_perfetto_writer_consumer(d->perfetto, GT_PERFETTO_GOROUTINES, consumer)
               : status;
}

static gt_status open_splitter(struct drawing *d, gt_consumer *consumer)
{
    gt_status status = gt_splitter_open(&d->splitter, 1 << 12, allocator_of(d, SPLITTER), NULL);

    return status == GT_OK ? gt_splitter_consumer(d->splitter, consumer) : status;
}

static gt_status open_consumer(struct drawing *d, gt_consumer *consumer)
{
    if (d->subject == SPLITTER)
        return open_splitter(d, consumer);
    return d->subject == PERFETTO ? open_perfetto(d, consumer) : open_json(d, consumer);
}

static gt_status open_emitter(struct drawing *d)
{
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_status status = open_consumer(d, &consumer);

    options.allocator = allocator_of(d, EMITTER);
    options.memory_limit = limit_of(d, EMITTER);
    return status == GT_OK ? gt_emitter_open(&d->emitter, &consumer, &options, NULL) : status;
}

static gt_status open_timeline(struct drawing *d, uint32_t view, uint64_t flags)
{
    gt_timeline_options options = GT_TIMELINE_OPTIONS_INIT;

    options.flags = flags;
    options.view = view;
    options.allocator = allocator_of(d, TIMELINE);
    options.memory_limit = limit_of(d, TIMELINE);
    return gt_timeline_open(&d->timeline, d->reader, d->emitter, &options, NULL);
}

static gt_status draw_events(struct drawing *d)
{
    const gt_event *event;
    gt_status status = GT_OK;

    while (status == GT_OK && gt_reader_next_event(d->reader, &event) == GT_OK)
        status = gt_timeline_event(d->timeline, event);
    if (status == GT_OK)
        status = gt_timeline_finish(d->timeline);
    if (status == GT_OK)
        status = gt_emitter_flush(d->emitter);
    return status == GT_OK && d->perfetto ? gt_perfetto_writer_finish(d->perfetto) : status;
}

/* Returns why a consumer ended the drawing, if the way is about that consumer. */
static gt_status reason_of(const struct drawing *d, gt_status status)
{
    if (status != GT_ERR_CALLBACK)
        return status;
    if (d->perfetto)
        return gt_perfetto_writer_status(d->perfetto);
    return d->splitter ? gt_splitter_status(d->splitter) : gt_json_writer_status(d->json);
}

static void note_memory(struct drawing *d)
{
    gt_timeline_info timeline = GT_TIMELINE_INFO_INIT;
    gt_emitter_info emitter = GT_EMITTER_INFO_INIT;
    gt_perfetto_info perfetto = GT_PERFETTO_INFO_INIT;

    if (d->subject == TIMELINE && gt_timeline_get_info(d->timeline, &timeline) == GT_OK) {
        d->run->told = 1;
        d->run->peak = timeline.memory_peak;
    }
    if (d->subject == EMITTER && gt_emitter_get_info(d->emitter, &emitter) == GT_OK) {
        d->run->told = 1;
        d->run->peak = emitter.memory_peak;
    }
    if (d->subject == PERFETTO && gt_perfetto_writer_get_info(d->perfetto, &perfetto) == GT_OK) {
        d->run->told = 1;
        d->run->peak = perfetto.memory_peak;
    }
}

static void give_parts(struct drawing *d)
{
    const gt_part *parts;
    size_t count;

    parts = gt_splitter_parts(d->splitter, &count);
    way_give(d->run, parts, count * sizeof(*parts));
}

static void draw(struct way_run *run, enum subject subject, uint32_t view, uint64_t flags)
{
    struct drawing d = {.run = run, .subject = subject};
    gt_status status = way_open_reader(run, &d.reader, 0);

    if (status == GT_OK)
        status = open_emitter(&d);
    if (status == GT_OK)
        status = open_timeline(&d, view, flags);
    if (status == GT_OK)
        status = draw_events(&d);
    run->status = reason_of(&d, status);
    if (run->status == GT_OK && subject == SPLITTER)
        give_parts(&d);
    note_memory(&d);
    gt_timeline_close(&d.timeline);
    gt_emitter_close(&d.emitter);
    gt_json_writer_close(&d.json);
    gt_perfetto_writer_close(&d.perfetto);
    gt_splitter_close(&d.splitter);
    way_close_reader(run, &d.reader);
}

void way_timeline(struct way_run *run)
{
    draw(run, TIMELINE, GT_VIEW_PROC, 0);
}

void way_timeline_threads(struct way_run *run)
{
    draw(run, TIMELINE, GT_VIEW_THREAD, GT_TIMELINE_EXACT);
}

void way_timeline_states(struct way_run *run)
{
    draw(run, TIMELINE, GT_VIEW_GOROUTINE, GT_TIMELINE_STATES | GT_TIMELINE_EXACT);
}

void way_emitter(struct way_run *run)
{
    draw(run, EMITTER, GT_VIEW_GOROUTINE, GT_TIMELINE_EXACT);
}

void way_json(struct way_run *run)
{
    draw(run, JSON, GT_VIEW_PROC, GT_TIMELINE_EXACT);
}

void way_perfetto(struct way_run *run)
{
    draw(run, PERFETTO, GT_VIEW_GOROUTINE, GT_TIMELINE_STATES | GT_TIMELINE_EXACT);
}

/* A splitter has no limit of its own. */
void way_split(struct way_run *run)
{
    draw(run, SPLITTER, GT_VIEW_PROC, GT_TIMELINE_EXACT);
}
