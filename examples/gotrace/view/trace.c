/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/trace: what trace this is, and how much of it has been read. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../wallclock.h"
#include "answer.h"
#include "endpoints.h"
#include "view.h"

static void write_start(struct json *json, const struct view_facts *facts)
{
    char text[WALLCLOCK_MAX];
    size_t size = 0;
    if (facts->has_clock)
        size = (size_t) (wallclock_put(text, facts->seconds, facts->nanoseconds, 0) - text);
    json_key_string(json, "start", (gt_string){text, size});
}

static void write_repairs(struct json *json, const struct view_progress *progress)
{
    json_key(json, "repairs");
    json_array(json);
    for (size_t i = 0; i < progress->repair_count; i++)
        json_text(json, progress->repairs[i]);
    json_end_array(json);
    json_key_uint(json, "repairs_total", progress->repairs_total);
}

/* With the lock of the progress held. */
static void write_progress(struct json *json, const struct view_progress *progress)
{
    char header[32];
    snprintf(header, sizeof(header), "go 1.%" PRIu32, progress->version);
    json_key_text(json, "header", progress->version != 0 ? header : "");
    write_start(json, &progress->facts);
    json_key_uint(json, "gomaxprocs", progress->facts.gomaxprocs);
    json_key(json, "progress");
    json_object(json);
    json_key_bool(json, "done", progress->done);
    json_key_real(json, "fraction", progress->fraction);
    json_key_uint(json, "events", progress->events);
    json_end_object(json);
    json_key(json, "error");
    if (progress->error[0] != '\0')
        json_text(json, progress->error);
    else
        json_null(json);
    write_repairs(json, progress);
}

static void write_counts(struct json *json, const struct store *store, uint64_t events)
{
    static const char *const keys[STORE_VIEWS] = {"procs", "threads", "goroutines", "tasks"};
    struct store_counts counts;
    store_get_counts(store, &counts);
    json_key(json, "counts");
    json_object(json);
    for (uint32_t i = 0; i < STORE_VIEWS; i++)
        json_key_uint(json, keys[i], store_row_count(store, i));
    json_key_uint(json, "regions", counts.regions);
    json_key_uint(json, "logs", counts.logs);
    json_key_uint(json, "samples", counts.samples);
    json_key_uint(json, "events", events);
    json_end_object(json);
}

void view_trace(void *data, const struct http_request *request, struct http_response *response)
{
    struct view *view = data;
    struct json json;
    (void) request;
    json_init(&json, response);
    json_hold(&json);
    json_object(&json);
    json_key_text(&json, "name", view->source.name);
    pthread_mutex_lock(&view->progress.lock);
    /* The store is asked later, so that nothing is missing once all is done. */
    uint64_t events = view->progress.events;
    write_progress(&json, &view->progress);
    pthread_mutex_unlock(&view->progress.lock);
    store_lock_read(view->store);
    json_key_int(&json, "duration", store_end(view->store));
    json_key_uint(&json, "memory", store_memory(view->store));
    write_counts(&json, view->store, events);
    store_unlock(view->store);
    json_key(&json, "classes");
    json_array(&json);
    for (uint32_t i = 0; i < STORE_CLASSES; i++)
        json_text(&json, answer_classes[i]);
    json_end_array(&json);
    json_key_text(&json, "version", gt_version_text());
    json_end_object(&json);
    json_release(&json);
}
