/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/trace: what trace this is, and how much of it has been read. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "web/answer.h"
#include "web/endpoints.h"
#include "web/wallclock.h"
#include "web/web.h"

static void write_start(struct json *json, const struct gt_web_facts *facts)
{
    char text[GT_WEB_WALLCLOCK_MAX];
    size_t size = 0;
    if (facts->has_clock)
        size = (size_t) (gt_web_wallclock_put(text, facts->seconds, facts->nanoseconds) - text);
    json_key_string(json, "start", (gt_string){text, size});
}

static void write_repairs(struct json *json, const struct gt_web_loading *loading)
{
    json_key(json, "repairs");
    json_array(json);
    for (size_t i = 0; i < loading->repair_count; i++)
        json_text(json, loading->repairs[i]);
    json_end_array(json);
    json_key_uint(json, "repairs_total", loading->repairs_total);
}

/* What ended the loading early, with its place. */
static void write_error(struct json *json, const gt_error *error)
{
    char text[GT_WEB_ERROR_TEXT_MAX];
    if (error->status == GT_OK) {
        json_key_null(json, "error");
        return;
    }
    gt_web_error_describe(error, text);
    json_key_text(json, "error", text);
}

/* With the lock of the loading held. */
static void write_loading(struct json *json, const struct gt_web_loading *loading)
{
    char header[32];
    snprintf(header, sizeof(header), "go 1.%" PRIu32, loading->version);
    json_key_text(json, "header", loading->version != 0 ? header : "");
    write_start(json, &loading->facts);
    json_key_uint(json, "gomaxprocs", loading->facts.gomaxprocs);
    json_key(json, "progress");
    json_object(json);
    json_key_bool(json, "done", loading->done);
    json_key_real(json, "fraction", loading->fraction);
    json_key_uint(json, "events", loading->events);
    json_end_object(json);
    write_error(json, &loading->error);
    write_repairs(json, loading);
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

void gt_web_serve_trace(void *data, const struct gt_request *request, struct gt_response *response)
{
    struct gt_web *web = data;
    struct json json;
    (void) request;
    json_init(&json, response);
    json_hold(&json);
    json_object(&json);
    json_key_text(&json, "name", web->name);
    pthread_mutex_lock(&web->loading.lock);
    /* The store is asked later, so that nothing is missing once all is done. */
    uint64_t events = web->loading.events;
    write_loading(&json, &web->loading);
    pthread_mutex_unlock(&web->loading.lock);
    store_lock_read(web->store);
    json_key_int(&json, "duration", store_end(web->store));
    json_key_uint(&json, "memory", store_memory(web->store));
    write_counts(&json, web->store, events);
    store_unlock(web->store);
    json_key(&json, "classes");
    json_array(&json);
    for (uint32_t i = 0; i < STORE_CLASSES; i++)
        json_text(&json, answer_classes[i]);
    json_end_array(&json);
    json_key_text(&json, "version", gt_version_text());
    json_end_object(&json);
    json_release(&json);
}
