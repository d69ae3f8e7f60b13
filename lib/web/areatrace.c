/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/area.trace: what happened in a range of time, as a trace of its own. */
#include <gotrace/gotrace.h>

#include "base/time.h"
#include "web/download.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/web.h"

/* One request while it is being answered. */
struct areatrace {
    struct gt_download download;
    gt_writer *writer;
    /* The range of times to write, both included, in nanoseconds since the trace's start. */
    struct gt_query_range range;
    int64_t start;
    bool has_start;
};

static gt_status areatrace_take_event(void *user_data, const gt_event *event)
{
    struct areatrace *area = user_data;
    if (!area->has_start) {
        area->has_start = true;
        area->start = event->time;
    }
    int64_t time = gt_time_minus(event->time, area->start);
    if (time > area->range.end)
        return GT_END;
    return time < area->range.start ? gt_writer_skip(area->writer, event)
                                    : gt_writer_event(area->writer, event);
}

/*
 * Ends the answer. A trace that cannot be written, or a range without events, is told with the
 * writer's message.
 */
static void areatrace_end(const struct areatrace *area, gt_status status)
{
    gt_error error = GT_ERROR_INIT;
    bool is_over = gt_response_is_over(area->download.response);
    if (status == GT_ERR_NOT_AVAILABLE || status == GT_ERR_VERSION)
        gt_writer_error(area->writer, &error);
    if (error.status != GT_OK && !is_over)
        gt_response_error(area->download.response, 404, error.message);
    else
        gt_download_end(&area->download, status);
}

static void areatrace_write(struct areatrace *area, gt_reader *reader)
{
    gt_writer_options options = GT_WRITER_OPTIONS_INIT;
    gt_status reading = GT_OK;
    options.allocator = &area->download.web->source.mem->allocator;
    gt_status status =
        gt_writer_open(&area->writer, reader, gt_download_write, &area->download, &options, NULL);
    if (status == GT_OK)
        status = gt_download_read(&area->download, reader, areatrace_take_event, area, &reading);
    if (status == GT_END)
        status = GT_OK;
    if (status == GT_OK && reading == GT_OK)
        status = gt_writer_finish(area->writer);
    areatrace_end(area, status != GT_OK ? status : reading);
}

void gt_web_serve_area_trace(struct gt_web *web, struct gt_query *query)
{
    struct areatrace area = {.download = {web, query->response}};
    gt_reader *reader;
    gt_query_whole(query, web->store, &area.range);
    if (query->failed || gt_download_open(&area.download, &reader) != GT_OK)
        return;
    gt_response_stream(query->response);
    gt_response_set_type(query->response, "application/octet-stream");
    areatrace_write(&area, reader);
    gt_writer_close(&area.writer);
    gt_reader_close(&reader);
}
