/* SPDX-License-Identifier: BSD-3-Clause */
/* /jsontrace: the trace as JSON for a trace viewer, with the parameters of Go's tool. */
#include <inttypes.h>
#include <stdio.h>

#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>

#include "web/download.h"
#include "web/endpoints.h"
#include "web/jsonrows.h"
#include "web/query.h"
#include "web/web.h"

enum {
    TEXT_MAX = 64,
    VIEWS = 3
};

/* The names of the views; the index is a GT_VIEW_ value. */
static const char *const jsontrace_views[VIEWS] = {
    [GT_VIEW_PROC] = "proc",
    [GT_VIEW_THREAD] = "thread",
    [GT_VIEW_GOROUTINE] = "goroutine",
};

/* The part of the trace that is drawn. */
struct selection {
    /* A GT_VIEW_ value. */
    uint32_t view;
    /* What to select: a GT_SELECT_ value and the id, or 0 for the whole trace. */
    uint32_t kind;
    uint64_t id;
    /* The numbers of the first and the last event to write; see gt_json_options. */
    uint64_t first, last;
    /*
     * The range of times to draw, in nanoseconds since the trace's start; all of it if `to` is 0.
     * Ignored if something is selected.
     */
    uint64_t from, to;
};

/* One request while it is being answered. */
struct job {
    struct gt_download download;
    struct selection asked;
    /* The parts that draw. */
    gt_selector *selector;
    gt_json_writer *writer;
    struct gt_json_rows rows;
    gt_emitter *emitter;
    gt_timeline *timeline;
};

static void jsontrace_take_number(struct gt_query *query, const char *name, uint64_t *value)
{
    if (!gt_request_u64(query->request, name, value))
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
static void jsontrace_take_selection(struct gt_query *query, struct selection *asked)
{
    static const struct {
        const char *name;
        uint32_t kind;
    } selections[] = {
        {"goid", GT_SELECT_GOROUTINE},
        {"focustask", GT_SELECT_FOCUS_TASK},
        {"taskid", GT_SELECT_TASK},
    };

    *asked = (struct selection){.last = UINT64_MAX};
    if (jsontrace_is_given(query, "view"))
        gt_query_word(query, "view", jsontrace_views, VIEWS, &asked->view);
    for (size_t i = 0; i < sizeof(selections) / sizeof(selections[0]); i++) {
        if (!jsontrace_is_given(query, selections[i].name) || asked->kind != 0)
            continue;
        asked->kind = selections[i].kind;
        jsontrace_take_number(query, selections[i].name, &asked->id);
    }
    if (jsontrace_is_given(query, "from") && jsontrace_is_given(query, "to")) {
        jsontrace_take_number(query, "from", &asked->from);
        jsontrace_take_number(query, "to", &asked->to);
    }
    if (jsontrace_is_given(query, "start") && jsontrace_is_given(query, "end")) {
        jsontrace_take_number(query, "start", &asked->first);
        jsontrace_take_number(query, "end", &asked->last);
    }
}

static gt_status jsontrace_select_event(void *user_data, const gt_event *event)
{
    struct job *job = user_data;
    return gt_selector_event(job->selector, event);
}

static gt_status jsontrace_draw_event(void *user_data, const gt_event *event)
{
    struct job *job = user_data;
    return gt_timeline_event(job->timeline, event);
}

/*
 * Reads the trace to find out what the request selects. Returns false if it has answered with an
 * error instead.
 */
static bool jsontrace_select_part(struct job *job)
{
    char text[TEXT_MAX];
    const struct selection *asked = &job->asked;
    gt_reader *reader;
    gt_status reading = GT_OK;
    if (asked->kind == 0)
        return true;
    if (gt_download_open(&job->download, &reader) != GT_OK)
        return false;
    gt_status status = gt_selector_open(&job->selector, asked->kind, asked->id, NULL, NULL);
    if (status == GT_OK)
        status = gt_download_read(&job->download, reader, jsontrace_select_event, job, &reading);
    if (status == GT_OK)
        status = gt_selector_finish(job->selector);
    gt_reader_close(&reader);
    if (reading != GT_OK || status != GT_ERR_NOT_AVAILABLE)
        return gt_download_check(&job->download, reading != GT_OK ? reading : status);
    snprintf(text, sizeof(text), "nothing to show of %s %" PRIu64,
             asked->kind == GT_SELECT_GOROUTINE ? "goroutine" : "task", asked->id);
    gt_response_error(job->download.response, 404, text);
    return false;
}

static gt_status jsontrace_open_consumer(struct job *job, gt_consumer *consumer)
{
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    options.first = job->asked.first;
    options.last = job->asked.last;
    gt_status status =
        gt_json_writer_open(&job->writer, gt_download_write, &job->download, &options, NULL);
    if (status == GT_OK)
        status = gt_json_writer_consumer(job->writer, consumer);
    return status;
}

static gt_status jsontrace_open_timeline(struct job *job, gt_reader *reader)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter_options emitter = GT_EMITTER_OPTIONS_INIT;
    gt_timeline_options timeline = GT_TIMELINE_OPTIONS_INIT;
    gt_status status = jsontrace_open_consumer(job, &consumer);
    if (status == GT_OK && job->selector)
        status = gt_selector_apply(job->selector, &emitter);
    else if (status == GT_OK && job->asked.to > 0) {
        uint64_t to = job->asked.to;
        emitter.range_start = (int64_t) (job->asked.from < to ? job->asked.from : to);
        emitter.range_end = to < INT64_MAX ? (int64_t) to : INT64_MAX;
        emitter.flags |= GT_EMITTER_ENCLOSING;
        emitter.filter = gt_json_rows_filter;
        emitter.filter_data = &job->rows;
        gt_json_rows_wrap(&job->rows, &consumer);
    }
    timeline.view = job->asked.view;
    timeline.selector = job->selector;
    if (status == GT_OK)
        status = gt_emitter_open(&job->emitter, &consumer, &emitter, NULL);
    if (status == GT_OK)
        status = gt_timeline_open(&job->timeline, reader, job->emitter, &timeline, NULL);
    return status;
}

/* Draws the trace. The readable parts of a damaged trace are drawn, as in the timeline. */
static void jsontrace_draw(struct job *job)
{
    gt_reader *reader;
    gt_status reading = GT_OK;
    if (gt_download_open(&job->download, &reader) != GT_OK)
        return;
    gt_response_stream(job->download.response);
    gt_response_set_type(job->download.response, "application/json");
    gt_status status = jsontrace_open_timeline(job, reader);
    if (status == GT_OK)
        status = gt_download_read(&job->download, reader, jsontrace_draw_event, job, &reading);
    if (status == GT_OK)
        status = gt_timeline_finish(job->timeline);
    if (status == GT_OK)
        status = gt_emitter_flush(job->emitter);
    if (status == GT_ERR_CALLBACK && gt_json_writer_status(job->writer) != GT_OK)
        status = gt_json_writer_status(job->writer);
    gt_reader_close(&reader);
    gt_download_end(&job->download, status != GT_OK ? status : reading);
}

/* Takes the chosen rows, which count only with a range. False if it has answered with an error. */
static bool jsontrace_choose_rows(struct job *job, struct gt_query *query)
{
    static const uint32_t views[VIEWS] = {
        [GT_VIEW_PROC] = GT_STORE_VIEW_PROC,
        [GT_VIEW_THREAD] = GT_STORE_VIEW_THREAD,
        [GT_VIEW_GOROUTINE] = GT_STORE_VIEW_GOROUTINE,
    };
    struct gt_query_tracks tracks = {0};
    bool good = true;
    if (!jsontrace_is_given(query, "tracks"))
        return !query->failed;
    gt_query_tracks(query, GT_QUERY_TRACKS_MAX, &tracks);
    if (!query->failed)
        good = gt_json_rows_choose(&job->rows, job->download.web->store, views[job->asked.view],
                                   &tracks);
    gt_query_tracks_free(&tracks);
    if (!good)
        gt_response_no_memory(query->response);
    return good && !query->failed;
}

void gt_web_serve_jsontrace(struct gt_web *web, struct gt_query *query)
{
    struct job job = {.download = {web, query->response}};
    gt_json_rows_open(&job.rows, &web->mem);
    jsontrace_take_selection(query, &job.asked);
    if (jsontrace_choose_rows(&job, query) && jsontrace_select_part(&job))
        jsontrace_draw(&job);
    gt_timeline_close(&job.timeline);
    gt_emitter_close(&job.emitter);
    gt_json_writer_close(&job.writer);
    gt_json_rows_close(&job.rows);
    gt_selector_close(&job.selector);
}
