/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/drawing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Events between two calls of is_stopped. */
    EVENTS_AT_ONCE = 4096
};

const char *const gt_drawing_views[GT_DRAWING_VIEWS] = {
    [GT_VIEW_PROC] = "proc",
    [GT_VIEW_THREAD] = "thread",
    [GT_VIEW_GOROUTINE] = "goroutine",
};

bool gt_drawing_parse_number(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *text >= '0' && *text <= '9' && *end == '\0';
}

typedef gt_status take_event_fn(struct gt_drawing *drawing, const gt_event *event);

/*
 * Passes each event to `take`. Returns the error of that, or GT_ERR_CALLBACK if drawing was
 * stopped. `*reading` becomes the status with which reading ended.
 */
static gt_status drawing_events_pass(struct gt_drawing *drawing, gt_reader *reader,
                                     take_event_fn *take, gt_status *reading)
{
    const gt_event *event;
    gt_status status = GT_OK;
    *reading = GT_OK;
    for (uint64_t count = 1; status == GT_OK; count++) {
        *reading = gt_reader_next_event(reader, &event);
        if (*reading != GT_OK)
            break;
        status = take(drawing, event);
        if (drawing->is_stopped && count % EVENTS_AT_ONCE == 0 && status == GT_OK &&
            drawing->is_stopped(drawing->user_data))
            status = GT_ERR_CALLBACK;
    }
    return status;
}

static gt_status drawing_event_select(struct gt_drawing *drawing, const gt_event *event)
{
    return gt_selector_event(drawing->selector, event);
}

gt_status gt_drawing_select(struct gt_drawing *drawing, gt_reader *reader, gt_status *reading)
{
    const struct gt_drawing_request *request = &drawing->request;
    *reading = GT_OK;
    gt_status status = gt_selector_open(&drawing->selector, request->selection, request->id, NULL);
    if (status == GT_OK)
        status = drawing_events_pass(drawing, reader, drawing_event_select, reading);
    return status == GT_OK ? gt_selector_finish(drawing->selector) : status;
}

static gt_status drawing_consumer_open(struct gt_drawing *drawing, gt_consumer *consumer)
{
    const struct gt_drawing_request *request = &drawing->request;
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    options.first = request->first;
    options.last = request->last;
    gt_status status =
        gt_json_writer_open(&drawing->writer, drawing->write, drawing->user_data, &options);
    if (status == GT_OK)
        status = gt_json_writer_consumer(drawing->writer, consumer);
    return status;
}

static gt_status drawing_timeline_open(struct gt_drawing *drawing, gt_reader *reader)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter_options emitter = GT_EMITTER_OPTIONS_INIT;
    gt_timeline_options timeline = GT_TIMELINE_OPTIONS_INIT;
    gt_status status = drawing_consumer_open(drawing, &consumer);
    if (status == GT_OK && drawing->selector)
        status = gt_selector_apply(drawing->selector, &emitter);
    else if (status == GT_OK && drawing->request.to > 0) {
        uint64_t to = drawing->request.to;
        emitter.range_start = (int64_t) (drawing->request.from < to ? drawing->request.from : to);
        emitter.range_end = to < INT64_MAX ? (int64_t) to : INT64_MAX;
        emitter.flags |= GT_EMITTER_ENCLOSING;
    }
    timeline.view = drawing->request.view;
    timeline.selector = drawing->selector;
    if (status == GT_OK)
        status = gt_emitter_open(&drawing->emitter, &consumer, &emitter);
    if (status == GT_OK)
        status = gt_timeline_open(&drawing->timeline, reader, drawing->emitter, &timeline);
    return status;
}

static gt_status drawing_event_draw(struct gt_drawing *drawing, const gt_event *event)
{
    return gt_timeline_event(drawing->timeline, event);
}

gt_status gt_drawing_draw(struct gt_drawing *drawing, gt_reader *reader, gt_status *reading)
{
    *reading = GT_OK;
    gt_status status = drawing_timeline_open(drawing, reader);
    if (status == GT_OK)
        status = drawing_events_pass(drawing, reader, drawing_event_draw, reading);
    if (status == GT_OK)
        status = gt_timeline_finish(drawing->timeline);
    if (status == GT_OK)
        status = gt_emitter_flush(drawing->emitter);
    if (status == GT_ERR_CALLBACK) {
        gt_status why = gt_json_writer_status(drawing->writer);
        status = why != GT_OK ? why : status;
    }
    return status;
}

void gt_drawing_close(struct gt_drawing *drawing)
{
    gt_timeline_close(&drawing->timeline);
    gt_emitter_close(&drawing->emitter);
    gt_json_writer_close(&drawing->writer);
    gt_selector_close(&drawing->selector);
}
