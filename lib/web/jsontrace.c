/* SPDX-License-Identifier: BSD-3-Clause */
/* /jsontrace: the trace as JSON for a trace viewer, with the parameters of Go's tool. */
#include <inttypes.h>
#include <stdio.h>

#include "web/drawing.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/web.h"

enum {
    TEXT_MAX = 64
};

/* One request while it is being answered. */
struct job {
    struct gt_web *web;
    struct gt_response *response;
    struct gt_drawing drawing;
};

static void jsontrace_take_number(struct gt_query *query, const char *name, uint64_t *value)
{
    const char *text = gt_request_value(query->request, name);
    if (text && !gt_drawing_parse_number(text, value))
        gt_query_fail(query, name, "no number");
}

static bool jsontrace_is_given(const struct gt_query *query, const char *name)
{
    const char *text = gt_request_value(query->request, name);
    return text && *text != '\0';
}

/*
 * Reads the parameters. As in Go, only the first of `goid`, `focustask` and `taskid` that is given
 * counts, and `start` counts only together with `end`, as does `from` with `to`.
 */
static void jsontrace_take_request(struct gt_query *query, struct gt_drawing_request *request)
{
    static const struct {
        const char *name;
        uint32_t selection;
    } selections[] = {
        {"goid", GT_SELECT_GOROUTINE},
        {"focustask", GT_SELECT_FOCUS_TASK},
        {"taskid", GT_SELECT_TASK},
    };

    *request = (struct gt_drawing_request){.last = UINT64_MAX};
    if (jsontrace_is_given(query, "view"))
        gt_query_word(query, "view", gt_drawing_views, GT_DRAWING_VIEWS, &request->view);
    for (size_t i = 0; i < sizeof(selections) / sizeof(selections[0]); i++) {
        if (!jsontrace_is_given(query, selections[i].name) || request->selection != 0)
            continue;
        request->selection = selections[i].selection;
        jsontrace_take_number(query, selections[i].name, &request->id);
    }
    if (jsontrace_is_given(query, "from") && jsontrace_is_given(query, "to")) {
        jsontrace_take_number(query, "from", &request->from);
        jsontrace_take_number(query, "to", &request->to);
    }
    if (jsontrace_is_given(query, "start") && jsontrace_is_given(query, "end")) {
        jsontrace_take_number(query, "start", &request->first);
        jsontrace_take_number(query, "end", &request->last);
    }
}

static bool jsontrace_is_stopped(void *user_data)
{
    const struct job *job = user_data;
    return gt_response_is_over(job->response) || atomic_load(&job->web->stopping);
}

static int jsontrace_write_part(void *user_data, const void *data, size_t size)
{
    struct job *job = user_data;
    gt_response_bytes(job->response, data, size);
    return gt_response_is_over(job->response);
}

static gt_status jsontrace_open_trace(struct job *job, gt_reader **reader)
{
    gt_error error = GT_ERROR_INIT;
    gt_status status = gt_web_source_open(&job->web->source, reader, &error);
    if (status != GT_OK)
        gt_response_error(job->response, 500, error.message);
    return status;
}

static void jsontrace_fail(struct job *job, gt_status status)
{
    gt_response_error(job->response, status == GT_ERR_NO_MEMORY ? 503 : 500,
                      gt_status_text(status));
}

/* Finds out what the request selects. Returns false if it has answered with an error instead. */
static bool jsontrace_select_part(struct job *job)
{
    char text[TEXT_MAX];
    const struct gt_drawing_request *request = &job->drawing.request;
    gt_reader *reader;
    gt_status reading;
    if (request->selection == 0)
        return true;
    if (jsontrace_open_trace(job, &reader) != GT_OK)
        return false;
    gt_status status = gt_drawing_select(&job->drawing, reader, &reading);
    gt_reader_close(&reader);
    if (gt_web_load_is_failure(job->web, reading)) {
        jsontrace_fail(job, reading);
        return false;
    }
    if (status == GT_ERR_NOT_AVAILABLE) {
        snprintf(text, sizeof(text), "nothing to show of %s %" PRIu64,
                 request->selection == GT_SELECT_GOROUTINE ? "goroutine" : "task", request->id);
        gt_response_error(job->response, 404, text);
    } else if (status != GT_OK) {
        jsontrace_fail(job, status);
    }
    return status == GT_OK;
}

/* Draws the trace. Of a damaged trace everything good is drawn, as in the timeline. */
static void jsontrace_draw(struct job *job)
{
    gt_reader *reader;
    gt_status reading;
    if (jsontrace_open_trace(job, &reader) != GT_OK)
        return;
    gt_response_set_type(job->response, "application/json");
    gt_status status = gt_drawing_draw(&job->drawing, reader, &reading);
    gt_reader_close(&reader);
    /* It is not a failure if the client needs no more, as with HEAD, or is gone. */
    if (gt_response_is_over(job->response))
        return;
    if (status != GT_OK)
        jsontrace_fail(job, status);
    else if (gt_web_load_is_failure(job->web, reading))
        jsontrace_fail(job, reading);
}

void gt_web_serve_jsontrace(struct gt_web *web, struct gt_query *query)
{
    struct job job = {.web = web, .response = query->response};
    jsontrace_take_request(query, &job.drawing.request);
    if (query->failed)
        return;
    job.drawing.write = jsontrace_write_part;
    job.drawing.user_data = &job;
    job.drawing.is_stopped = jsontrace_is_stopped;
    if (jsontrace_select_part(&job))
        jsontrace_draw(&job);
    gt_drawing_close(&job.drawing);
}
