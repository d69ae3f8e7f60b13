/* SPDX-License-Identifier: BSD-3-Clause */
#include "drawing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

static const char *const drawing_views[] = {
    [GT_VIEW_PROC] = "proc",
    [GT_VIEW_THREAD] = "thread",
    [GT_VIEW_GOROUTINE] = "goroutine",
};

bool drawing_parse_number(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *text >= '0' && *text <= '9' && *end == '\0';
}

bool drawing_parse_view(const char *text, uint32_t *view)
{
    for (uint32_t i = 0; i < sizeof(drawing_views) / sizeof(drawing_views[0]); i++) {
        *view = i;
        if (strcmp(text, drawing_views[i]) == 0)
            return true;
    }
    return false;
}

static gt_status drawing_select_event(void *user_data, const gt_event *event)
{
    struct drawing *drawing = user_data;
    return gt_selector_event(drawing->selector, event);
}

gt_status drawing_select(struct drawing *drawing, gt_reader *reader, gt_status *reading)
{
    const struct drawing_request *request = &drawing->request;
    *reading = GT_OK;
    gt_status status = gt_selector_open(&drawing->selector, request->selection, request->id, NULL);
    if (status == GT_OK)
        status = input_for_each_event(reader, drawing_select_event, drawing, reading);
    return status == GT_OK ? gt_selector_finish(drawing->selector) : status;
}

static gt_status drawing_open_consumer(struct drawing *drawing, gt_consumer *consumer)
{
    const struct drawing_request *request = &drawing->request;
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    gt_status status;
    if (request->parts) {
        status = gt_splitter_open(&drawing->splitter, request->part_size, NULL);
        if (status == GT_OK)
            status = gt_splitter_consumer(drawing->splitter, consumer);
        return status;
    }
    options.first = request->first;
    options.last = request->last;
    status = gt_json_writer_open(&drawing->writer, drawing->write, drawing->user_data, &options);
    if (status == GT_OK)
        status = gt_json_writer_consumer(drawing->writer, consumer);
    return status;
}

static gt_status drawing_open_timeline(struct drawing *drawing, gt_reader *reader)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter_options emitter = GT_EMITTER_OPTIONS_INIT;
    gt_timeline_options timeline = GT_TIMELINE_OPTIONS_INIT;
    gt_status status = drawing_open_consumer(drawing, &consumer);
    if (status == GT_OK && drawing->selector)
        status = gt_selector_apply(drawing->selector, &emitter);
    if (drawing->request.exact) {
        emitter.flags |= GT_EMITTER_ENCLOSING;
        timeline.flags |= GT_TIMELINE_EXACT;
    }
    timeline.view = drawing->request.view;
    timeline.selector = drawing->selector;
    if (status == GT_OK)
        status = gt_emitter_open(&drawing->emitter, &consumer, &emitter);
    if (status == GT_OK)
        status = gt_timeline_open(&drawing->timeline, reader, drawing->emitter, &timeline);
    return status;
}

static gt_status drawing_draw_event(void *user_data, const gt_event *event)
{
    struct drawing *drawing = user_data;
    return gt_timeline_event(drawing->timeline, event);
}

gt_status drawing_draw(struct drawing *drawing, gt_reader *reader, gt_status *reading)
{
    *reading = GT_OK;
    gt_status status = drawing_open_timeline(drawing, reader);
    if (status == GT_OK)
        status = input_for_each_event(reader, drawing_draw_event, drawing, reading);
    if (status == GT_OK)
        status = gt_timeline_finish(drawing->timeline);
    if (status == GT_OK)
        status = gt_emitter_flush(drawing->emitter);
    if (status == GT_ERR_CALLBACK) {
        gt_status why = drawing->writer ? gt_json_writer_status(drawing->writer)
                                        : gt_splitter_status(drawing->splitter);
        status = why != GT_OK ? why : status;
    }
    return status;
}

void drawing_close(struct drawing *drawing)
{
    gt_timeline_close(&drawing->timeline);
    gt_emitter_close(&drawing->emitter);
    gt_splitter_close(&drawing->splitter);
    gt_json_writer_close(&drawing->writer);
    gt_selector_close(&drawing->selector);
}
