/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/trace: the properties of the trace, and how much of it has been loaded. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include <gotrace/time.h>

#include "base/time.h"
#include "store/store.h"
#include "web/answer.h"
#include "web/endpoints.h"
#include "web/web.h"

enum {
    /* A recording that began longer ago, in seconds, has a clock that is wrong. */
    TRACE_LONGEST = 1000000000
};

static void trace_start_write(struct gt_json *json, const struct gt_trace_info *info)
{
    char text[GT_WALL_CLOCK_TEXT_SIZE];
    size_t size = 0;
    if (info->has_clock)
        size = gt_wall_clock_format(info->seconds, info->nanoseconds, 0, text, sizeof(text));
    gt_json_key_string(json, "start", (gt_string){text, size});
}

/* Writes how the recording has ended, or null if that is not known, as the command's JSON does. */
static void trace_ending_write(struct gt_json *json, gt_ending ending)
{
    static const char *const names[] = {NULL, "stopped", "running"};
    if (names[ending])
        gt_json_key_text(json, "ending", names[ending]);
    else
        gt_json_key_null(json, "ending");
}

static void trace_repairs_write(struct gt_json *json, const struct gt_web_loading *loading)
{
    gt_json_key_array(json, "repairs");
    for (size_t i = 0; i < loading->repair_count; i++)
        gt_json_string(json, loading->repairs[i]);
    gt_json_end(json);
    gt_json_key_uint(json, "repairs_total", loading->repairs_total);
    gt_repairkinds_write(json, &loading->repairkinds);
}

/* Writes the error that ended the loading early, with its position in the trace, or null. */
static void trace_error_write(struct gt_json *json, const gt_error *error)
{
    char text[GT_ERROR_TEXT_SIZE];
    if (error->status == GT_OK) {
        gt_json_key_null(json, "error");
        return;
    }
    gt_error_format(error, text, sizeof(text));
    gt_json_key_text(json, "error", text);
}

/*
 * Writes how long ago the last event was, whose time since the start of the trace is `end`, or null
 * if that is not known.
 */
static void trace_lag_write(struct gt_json *json, const struct gt_web_loading *loading, int64_t end)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t seconds = gt_time_minus((int64_t) now.tv_sec, loading->info.seconds);
    if (!loading->is_live || !loading->info.has_clock || seconds < 0 || seconds > TRACE_LONGEST) {
        gt_json_key_null(json, "lag");
        return;
    }
    int64_t since = gt_time_plus(seconds * 1000000000, (int64_t) now.tv_nsec);
    int64_t lag = gt_time_minus(gt_time_minus(since, loading->info.nanoseconds), end);
    gt_json_key_int(json, "lag", lag > 0 ? lag : 0);
}

/* The caller holds the lock of `loading`. */
static void trace_loading_write(struct gt_json *json, const struct gt_web_loading *loading,
                                bool can_stop, int64_t end)
{
    char header[32];
    snprintf(header, sizeof(header), "go 1.%" PRIu32, loading->version);
    gt_json_key_text(json, "header", loading->version != 0 ? header : "");
    trace_start_write(json, &loading->info);
    gt_json_key_uint(json, "gomaxprocs", loading->info.gomaxprocs);
    gt_json_key_object(json, "progress");
    gt_json_key_bool(json, "done", loading->done);
    gt_json_key_real(json, "fraction", loading->fraction);
    gt_json_key_uint(json, "events", loading->events);
    gt_json_key_bool(json, "live", loading->is_live);
    gt_json_key_bool(json, "can_stop", loading->is_live && can_stop);
    trace_lag_write(json, loading, end);
    gt_json_end(json);
    trace_ending_write(json, loading->ending);
    trace_error_write(json, &loading->error);
    trace_repairs_write(json, loading);
}

static void trace_counts_write(struct gt_json *json, const struct gt_store *store, uint64_t events)
{
    static const char *const keys[GT_STORE_VIEWS] = {"procs", "threads", "goroutines", "tasks"};
    struct gt_store_counts counts;
    gt_store_get_counts(store, &counts);
    gt_json_key_object(json, "counts");
    for (uint32_t i = 0; i < GT_STORE_VIEWS; i++)
        gt_json_key_uint(json, keys[i], gt_store_row_count(store, i));
    gt_json_key_uint(json, "regions", counts.regions);
    gt_json_key_uint(json, "logs", counts.logs);
    gt_json_key_uint(json, "samples", counts.samples);
    gt_json_key_uint(json, "events", events);
    gt_json_end(json);
}

/* Writes the memory of the host's process, or null if the host does not report it. */
static void trace_process_write(struct gt_json *json, const gt_web_options *options)
{
    uint64_t bytes = options->process_memory ? options->process_memory(options->user_data) : 0;
    if (bytes != 0)
        gt_json_key_uint(json, "process_memory", bytes);
    else
        gt_json_key_null(json, "process_memory");
}

void gt_web_change_live(struct gt_web *web, struct gt_query *query)
{
    static const char *const actions[] = {"stop"};
    uint32_t action = 0;
    struct gt_json json;
    gt_query_need(query, "do");
    gt_query_word(query, "do", actions, 1, &action);
    if (query->failed)
        return;
    if (!query->may_change || !web->options.stop_recording) {
        gt_response_error(query->response, 403, "the recording cannot be stopped here");
        return;
    }
    web->options.stop_recording(web->options.user_data);
    gt_json_start(&json, query->response);
    gt_json_finish(&json);
}

void gt_web_serve_trace(struct gt_web *web, struct gt_query *query)
{
    struct gt_json json;
    gt_json_start(&json, query->response);
    gt_json_key_text(&json, "name", web->options.name);
    gt_json_key_text(&json, "source_url", web->options.source_url ? web->options.source_url : "");
    gt_json_key_text(&json, "traces_url", web->options.traces_url ? web->options.traces_url : "");
    gt_json_key_text(&json, "perfetto_url",
                     web->options.perfetto_url ? web->options.perfetto_url : "");
    gt_json_key_text(&json, "comparison_url",
                     web->options.comparison_url ? web->options.comparison_url : "");
    gt_store_lock_read(web->store);
    int64_t end = gt_store_end(web->store);
    gt_store_unlock(web->store);
    pthread_mutex_lock(&web->loading.lock);
    /* The store is read after the progress, so that nothing is missing once "done" is true. */
    uint64_t events = web->loading.events;
    trace_loading_write(&json, &web->loading, query->may_change && web->options.stop_recording,
                        end);
    pthread_mutex_unlock(&web->loading.lock);
    gt_json_key_uint(&json, "epoch", web->options.epoch);
    gt_json_key_int(&json, "dropped", web->options.dropped);
    gt_store_lock_read(web->store);
    gt_json_key_int(&json, "duration", gt_store_end(web->store));
    gt_json_key_uint(&json, "memory", gt_store_memory(web->store));
    trace_counts_write(&json, web->store, events);
    gt_store_unlock(web->store);
    trace_process_write(&json, &web->options);
    gt_json_key_array(&json, "classes");
    for (uint32_t i = 0; i < GT_STORE_CLASSES; i++)
        gt_json_text(&json, gt_answer_classes[i]);
    gt_json_end(&json);
    gt_json_key_text(&json, "version", gt_library_version_text());
    gt_json_finish(&json);
}
