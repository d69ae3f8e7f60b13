/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>

#include "support/test.h"
#include "sweep/use.h"

#define PART_BYTES 4096

/* Bits of use->flags besides GT_TIMELINE_ ones. */
enum {
    TO_JSON = 0,
    TO_PARTS = 1 << 8,
    TO_CONSUMER = 1 << 9
};

#define TIMELINE_FLAGS (GT_TIMELINE_EXACT | GT_TIMELINE_STATES)

struct drawing {
    struct run *run;
    const struct use *use;
    gt_selector *selector;
    gt_json_writer *writer;
    gt_splitter *splitter;
    gt_emitter *emitter;
    gt_timeline *timeline;
};

/* A consumer of the caller. */
static int take_unit(void *user_data, const char *unit)
{
    return run_write(user_data, unit, 1);
}

static int take_event(void *user_data, const gt_viewer_event *event, int required)
{
    const char bytes[] = {(char) event->phase, (char) required};

    return run_write(user_data, bytes, sizeof(bytes));
}

static int take_frame(void *user_data, const gt_viewer_frame *frame)
{
    return run_write(user_data, &frame->id, sizeof(frame->id));
}

static int take_flush(void *user_data)
{
    return run_write(user_data, "", 1);
}

/* Reads the trace once for a selection. */
static gt_status select_rows(struct drawing *d)
{
    gt_selector_options options = GT_SELECTOR_OPTIONS_INIT;
    const gt_event *event;
    gt_reader *reader;
    gt_status status = run_open(d->run, 0, &reader), read = GT_END;

    options.allocator = &d->run->probe.allocator;
    if (status == GT_OK)
        status = gt_selector_open(&d->selector, d->use->kind >> 8, d->use->id, &options, NULL);
    while (status == GT_OK && (read = gt_reader_next_event(reader, &event)) == GT_OK) {
        status = gt_selector_event(d->selector, event);
        if (status != GT_OK)
            assert_status(gt_selector_event(d->selector, event), status);
    }
    gt_reader_close(&reader);
    if (status == GT_OK)
        status = read == GT_END ? gt_selector_finish(d->selector) : read;
    return status;
}

static gt_status open_consumer(struct drawing *d, gt_consumer *consumer)
{
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    gt_status status;

    if (d->use->flags & TO_CONSUMER) {
        *consumer =
            (gt_consumer){sizeof(*consumer), d->run, take_unit, take_event, take_frame, take_flush};
        return GT_OK;
    }
    if (d->use->flags & TO_PARTS) {
        status = gt_splitter_open(&d->splitter, PART_BYTES, &d->run->probe.allocator, NULL);
        return status == GT_OK ? gt_splitter_consumer(d->splitter, consumer) : status;
    }
    options.allocator = &d->run->probe.allocator;
    status = gt_json_writer_open(&d->writer, run_write, d->run, &options, NULL);
    return status == GT_OK ? gt_json_writer_consumer(d->writer, consumer) : status;
}

static gt_status open_emitter(struct drawing *d)
{
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_status status = open_consumer(d, &consumer);

    if (status != GT_OK)
        return status;
    if (d->selector)
        assert_status(gt_selector_apply(d->selector, &options), GT_OK);
    options.allocator = &d->run->probe.allocator;
    return gt_emitter_open(&d->emitter, &consumer, &options, NULL);
}

static gt_status draw_events(struct drawing *d, gt_reader *reader)
{
    gt_timeline_options options = GT_TIMELINE_OPTIONS_INIT;
    const gt_event *event;
    gt_status status, read = GT_OK;

    options.flags = d->use->flags & TIMELINE_FLAGS;
    options.view = d->use->kind & 255;
    options.selector = d->selector;
    options.allocator = &d->run->probe.allocator;
    status = gt_timeline_open(&d->timeline, reader, d->emitter, &options, NULL);
    while (status == GT_OK && (read = gt_reader_next_event(reader, &event)) == GT_OK) {
        status = gt_timeline_event(d->timeline, event);
        if (status != GT_OK)
            assert_status(gt_timeline_event(d->timeline, event), status);
    }
    if (status == GT_OK && read != GT_END)
        return read;
    if (status == GT_OK)
        status = gt_timeline_finish(d->timeline);
    if (status == GT_OK && (status = gt_emitter_flush(d->emitter)) != GT_OK)
        assert_status(gt_emitter_flush(d->emitter), status);
    return status;
}

/* The consumer has the reason of a GT_ERR_CALLBACK of the emitter. */
static gt_status ask_consumer(const struct drawing *d, gt_status status)
{
    if (status == GT_ERR_CALLBACK && d->writer)
        return gt_json_writer_status(d->writer);
    if (status == GT_ERR_CALLBACK && d->splitter)
        return gt_splitter_status(d->splitter);
    return status;
}

static void add_parts(struct drawing *d)
{
    size_t count;
    const gt_part *parts = gt_splitter_parts(d->splitter, &count);

    for (size_t i = 0; i < count; i++) {
        run_add(d->run, parts[i].first);
        run_add(d->run, parts[i].last);
    }
}

static void run_drawing(struct run *run, const struct use *use)
{
    struct drawing d = {run, use, NULL, NULL, NULL, NULL, NULL};
    gt_reader *reader = NULL;
    gt_status status = use->kind >> 8 ? select_rows(&d) : GT_OK;

    if (status == GT_OK)
        status = open_emitter(&d);
    if (status == GT_OK)
        status = run_open(run, 0, &reader);
    if (status == GT_OK)
        status = draw_events(&d, reader);
    run->status = ask_consumer(&d, status);
    if (run->status == GT_OK && d.splitter)
        add_parts(&d);
    gt_timeline_close(&d.timeline);
    gt_emitter_close(&d.emitter);
    gt_json_writer_close(&d.writer);
    gt_splitter_close(&d.splitter);
    gt_selector_close(&d.selector);
    gt_reader_close(&reader);
}

#define SELECT(selection) ((selection) << 8 | GT_VIEW_GOROUTINE)

const struct use use_drawings[] = {
    {"procs to JSON", run_drawing, TO_JSON, GT_VIEW_PROC, 0, GT_ERR_IO},
    {"threads to parts", run_drawing, TO_PARTS | GT_TIMELINE_EXACT, GT_VIEW_THREAD, 0, GT_OK},
    {"goroutines to a consumer", run_drawing, TO_CONSUMER, GT_VIEW_GOROUTINE, 0, GT_ERR_CALLBACK},
    {"states to JSON", run_drawing, TO_JSON | GT_TIMELINE_EXACT | GT_TIMELINE_STATES,
     GT_VIEW_GOROUTINE, 0, GT_ERR_IO},
    {"a goroutine to JSON", run_drawing, TO_JSON, SELECT(GT_SELECT_GOROUTINE), 1, GT_ERR_IO},
    {"a task to a consumer", run_drawing, TO_CONSUMER, SELECT(GT_SELECT_TASK), 1, GT_ERR_CALLBACK},
    {"a task among all to JSON", run_drawing, TO_JSON, GT_SELECT_FOCUS_TASK << 8 | GT_VIEW_PROC, 1,
     GT_ERR_IO},
};

const size_t use_drawing_count = sizeof(use_drawings) / sizeof(use_drawings[0]);
