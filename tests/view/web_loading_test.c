/* SPDX-License-Identifier: BSD-3-Clause */
/* How libgotrace-web loads and closes a trace, through its public header. */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <gotrace/web.h>

#include "support/files.h"
#include "support/sample.h"
#include "support/test.h"

#include "view/web_client.h"

static void test_wrong_requests_call_nothing(void **state)
{
    struct web_reply reply = {0};
    gt_web_client client = web_client_of(&reply);
    gt_web_request request = GT_WEB_REQUEST_INIT;
    gt_web_progress progress = GT_WEB_PROGRESS_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_web *web = web_open_trace("v2/go1.27-tasks.trace", NULL);
    (void) state;
    assert_status(gt_web_answer(NULL, &request, &client), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_web_answer(web, NULL, &client), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_web_answer(web, &request, NULL), GT_ERR_INVALID_ARGUMENT);
    request.path = "api/trace";
    assert_status(gt_web_answer(web, &request, &client), GT_ERR_INVALID_ARGUMENT);
    request.path = NULL;
    assert_status(gt_web_answer(web, &request, &client), GT_ERR_INVALID_ARGUMENT);
    request.path = "/";
    request.method = NULL;
    assert_status(gt_web_answer(web, &request, &client), GT_ERR_INVALID_ARGUMENT);
    request.method = "GET";
    client.begin = NULL;
    assert_status(gt_web_answer(web, &request, &client), GT_ERR_INVALID_ARGUMENT);
    client = web_client_of(&reply);
    client.size--;
    assert_status(gt_web_answer(web, &request, &client), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(reply.begins, 0);
    assert_status(gt_web_step(web, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_web_step(NULL, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_web_get_progress(web, NULL), GT_ERR_INVALID_ARGUMENT);
    progress.size = 4;
    assert_status(gt_web_get_progress(web, &progress), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_web_error(NULL, &error), GT_ERR_INVALID_ARGUMENT);
    gt_web_close(&web);
    assert_null(web);
}

static void test_steps_load_the_trace(void **state)
{
    struct wire wire = {0};
    gt_web *web;
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    int steps = 0;
    (void) state;
    sample_trace(&wire, 26, 4, 5000);
    options.flags = GT_WEB_NO_THREADS;
    assert_status(gt_web_open_memory(&web, wire.data, wire.size, &options, NULL), GT_OK);
    gt_web_progress progress = web_progress(web);
    assert_int_equal(progress.done, 0);
    assert_int_equal(progress.events, 0);
    assert_int_equal(progress.total, wire.size);
    for (uint64_t before = 0; gt_web_step(web, 0) == GT_OK; before = progress.events) {
        progress = web_progress(web);
        assert_true(progress.events > before);
        steps++;
    }
    assert_true(steps > 2);
    progress = web_progress(web);
    assert_int_equal(progress.done, 1);
    assert_int_equal(progress.status, GT_OK);
    assert_int_equal(progress.bytes, progress.total);
    assert_status(gt_web_step(web, 0), GT_END);
    /* The analysis is made by a step. */
    struct web_reply reply = web_get(web, "/api/groups");
    assert_int_equal(reply.status, 202);
    web_reply_free(&reply);
    assert_status(gt_web_step(web, 0), GT_END);
    reply = web_get(web, "/api/groups");
    assert_int_equal(reply.status, 200);
    web_reply_free(&reply);
    gt_web_close(&web);
    wire_free(&wire);
}

/* A download waits for loading and analysis, and no other thread does that work. */
static void test_download_loads_without_steps(void **state)
{
    gt_web *web = web_open_without_threads("v2/go1.27-gcgens.trace"), *other;
    struct web_reply here, there;
    (void) state;
    here = web_get(web, "/sched?raw=1");
    assert_int_equal(here.status, 200);
    assert_int_equal(web_progress(web).done, 1);
    other = web_open_trace("v2/go1.27-gcgens.trace", NULL);
    there = web_get(other, "/sched?raw=1");
    assert_int_equal(here.size, there.size);
    assert_memory_equal(here.body, there.body, here.size);
    web_reply_free(&here);
    web_reply_free(&there);
    gt_web_close(&web);
    gt_web_close(&other);
}

/* What the host's callbacks were told. */
struct told {
    int loads, repairs;
    uint64_t repairs_in_all;
    gt_status status;
};

static void on_repair(void *user_data, const gt_error *repair)
{
    struct told *told = user_data;
    assert_true(repair->status != GT_OK);
    told->repairs++;
}

static void on_loaded(void *user_data, gt_error *error, uint64_t repairs)
{
    struct told *told = user_data;
    told->loads++;
    told->status = error->status;
    told->repairs_in_all = repairs;
    if (error->status != GT_OK)
        snprintf(error->message, sizeof(error->message), "as the host says it");
}

static gt_status fail_to_open(void *user_data, const gt_reader_options *options, gt_reader **reader,
                              gt_error *error)
{
    int *opened = user_data;
    static const char header[] = "go 1.26 trace\0\0";
    if ((*opened)++ == 0)
        return gt_reader_open_memory(reader, header, sizeof(header), options, error);
    snprintf(error->message, sizeof(error->message), "it is gone");
    error->status = GT_ERR_IO;
    return GT_ERR_IO;
}

static void test_host_is_told_of_the_end(void **state)
{
    struct told told = {0};
    int opened = 0;
    gt_error error = GT_ERROR_INIT;
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web;
    (void) state;
    options.flags = GT_WEB_NO_THREADS;
    options.user_data = &told;
    options.on_repair = on_repair;
    options.on_loaded = on_loaded;
    assert_status(gt_web_open_callback(&web, fail_to_open, &opened, 0, &options, NULL), GT_OK);
    web_load_in_steps(web);
    assert_int_equal(told.loads, 1);
    assert_int_equal(told.status, GT_ERR_IO);
    assert_int_equal(web_progress(web).status, GT_ERR_IO);
    assert_status(gt_web_error(web, &error), GT_OK);
    assert_int_equal(error.status, GT_ERR_IO);
    assert_string_equal(error.message, "as the host says it");
    struct web_reply reply = web_get(web, "/api/trace");
    assert_non_null(strstr(reply.body, "\"error\":\"as the host says it\""));
    web_reply_free(&reply);
    gt_web_close(&web);
    assert_int_equal(told.loads, 1);
}

static gt_status fail_silently(void *user_data, const gt_reader_options *options,
                               gt_reader **reader, gt_error *error)
{
    return *(int *) user_data > 0 ? GT_ERR_NO_MEMORY
                                  : fail_to_open(user_data, options, reader, error);
}

/* A host's function may return a status and leave the error as it is. */
static void test_failure_to_open_needs_no_message(void **state)
{
    struct told told = {0};
    int opened = 0;
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_web *web;
    (void) state;
    options.flags = GT_WEB_NO_THREADS;
    options.user_data = &told;
    options.on_loaded = on_loaded;
    assert_status(gt_web_open_callback(&web, fail_silently, &opened, 0, &options, NULL), GT_OK);
    web_load_in_steps(web);
    assert_int_equal(told.status, GT_ERR_NO_MEMORY);
    assert_int_equal(web_progress(web).status, GT_ERR_NO_MEMORY);
    struct web_reply reply = web_get_made(web, "/api/groups");
    assert_int_equal(reply.status, 503);
    assert_string_equal(reply.body, "{\"error\":\"out of memory\"}\n");
    web_reply_free(&reply);
    gt_web_close(&web);
    assert_status(gt_web_open_callback(&web, fail_silently, &opened, 0, &options, &error),
                  GT_ERR_NO_MEMORY);
    assert_string_equal(error.message, "out of memory");
}

/* A host is told even if it closes the object before it has made the first step. */
static void test_close_without_a_step_tells_of_the_end(void **state)
{
    struct told told = {0};
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    (void) state;
    options.flags = GT_WEB_NO_THREADS;
    options.user_data = &told;
    options.on_loaded = on_loaded;
    gt_web *web = web_open_trace("v2/go1.27-tasks.trace", &options);
    assert_int_equal(told.loads, 0);
    gt_web_close(&web);
    assert_int_equal(told.loads, 1);
    assert_int_equal(told.status, GT_OK);
}

static void test_repairs_are_told_and_counted(void **state)
{
    struct told told = {0};
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    (void) state;
    options.user_data = &told;
    options.on_repair = on_repair;
    options.on_loaded = on_loaded;
    gt_web *web = web_open_trace("v2/go1.22-cut.trace", &options);
    web_await_loaded(web);
    uint64_t repairs = web_progress(web).repairs;
    gt_web_close(&web);
    assert_int_equal(told.loads, 1);
    assert_int_equal(told.status, GT_OK);
    assert_true(repairs > 0);
    assert_int_equal(told.repairs, repairs);
    assert_int_equal(told.repairs_in_all, repairs);
}

/* A trace whose readers, from the second one on, fail in the middle. */
struct failing {
    const uint8_t *data;
    size_t size;
    int opened;
    /* Whether readers fail, and what the last one has read. */
    bool fails;
    size_t used;
};

static int64_t read_some(void *user_data, void *buffer, size_t capacity)
{
    struct failing *from = user_data;
    size_t left = from->size - from->used;
    if (from->fails && left < from->size / 2)
        return -1;
    left = left < capacity ? left : capacity;
    left = left < 4096 ? left : 4096;
    memcpy(buffer, from->data + from->used, left);
    from->used += left;
    return (int64_t) left;
}

static gt_status open_failing(void *user_data, const gt_reader_options *options, gt_reader **reader,
                              gt_error *error)
{
    struct failing *from = user_data;
    from->used = 0;
    return gt_reader_open_callback(reader, read_some, from, options, error);
}

/* Nothing that was made from half of the trace may pass for the whole. */
static void test_answers_fail_if_the_trace_cannot_be_read_again(void **state)
{
    static const char *const asked[] = {"/api/groups", "/sched?raw=1", "/api/mmu"};
    struct wire wire = {0};
    struct web_reply reply = {0};
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web;
    (void) state;
    sample_trace(&wire, 26, 4, 20000);
    struct failing from = {.data = wire.data, .size = wire.size};
    options.flags = GT_WEB_NO_THREADS;
    assert_status(gt_web_open_callback(&web, open_failing, &from, wire.size, &options, NULL),
                  GT_OK);
    web_load_in_steps(web);
    assert_int_equal(web_progress(web).status, GT_OK);
    from.fails = true;
    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
        reply = web_get_made(web, asked[i]);
        assert_int_equal(reply.status, 500);
        web_reply_free(&reply);
    }
    assert_status(web_ask(web, "GET", "/jsontrace", &reply), GT_ERR_NOT_AVAILABLE);
    web_reply_free(&reply);
    reply = web_get(web, "/jsontrace?goid=1");
    assert_int_equal(reply.status, 500);
    web_reply_free(&reply);
    from.fails = false;
    reply = web_get_made(web, "/api/groups");
    assert_int_equal(reply.status, 200);
    web_reply_free(&reply);
    gt_web_close(&web);
    wire_free(&wire);
}

/* If loading ended there as well, the answers are about as much as was loaded. */
static void test_answers_are_about_what_could_be_loaded(void **state)
{
    struct wire wire = {0};
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web;
    (void) state;
    sample_trace(&wire, 26, 4, 20000);
    struct failing from = {.data = wire.data, .size = wire.size, .fails = true};
    options.flags = GT_WEB_NO_THREADS;
    assert_status(gt_web_open_callback(&web, open_failing, &from, wire.size, &options, NULL),
                  GT_OK);
    web_load_in_steps(web);
    assert_int_equal(web_progress(web).status, GT_ERR_IO);
    struct web_reply reply = web_get_made(web, "/api/groups");
    assert_int_equal(reply.status, 200);
    web_reply_free(&reply);
    reply = web_get(web, "/jsontrace");
    assert_int_equal(reply.status, 200);
    web_reply_free(&reply);
    gt_web_close(&web);
    wire_free(&wire);
}

/* A trace whose readers wait in places until the test lets them go on. */
struct gated {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const struct wire *wire;
    size_t used;
    /* How often the trace was opened, and how often it may be opened. */
    int opened, openings;
    /* How many bytes may be read. */
    size_t readable;
};

static void gated_await(struct gated *from, const int *value, int least)
{
    pthread_mutex_lock(&from->lock);
    while (*value < least)
        pthread_cond_wait(&from->changed, &from->lock);
    pthread_mutex_unlock(&from->lock);
}

static void gated_let(struct gated *from, size_t readable, int openings)
{
    pthread_mutex_lock(&from->lock);
    from->readable = readable;
    from->openings = openings;
    pthread_cond_broadcast(&from->changed);
    pthread_mutex_unlock(&from->lock);
}

static int64_t read_gated(void *user_data, void *buffer, size_t capacity)
{
    struct gated *from = user_data;
    size_t size =
        from->wire->size - from->used < capacity ? from->wire->size - from->used : capacity;
    size = size < 4096 ? size : 4096;
    pthread_mutex_lock(&from->lock);
    while (from->used + size > from->readable)
        pthread_cond_wait(&from->changed, &from->lock);
    pthread_mutex_unlock(&from->lock);
    memcpy(buffer, from->wire->data + from->used, size);
    from->used += size;
    return (int64_t) size;
}

static gt_status open_gated(void *user_data, const gt_reader_options *options, gt_reader **reader,
                            gt_error *error)
{
    struct gated *from = user_data;
    pthread_mutex_lock(&from->lock);
    from->opened++;
    pthread_cond_broadcast(&from->changed);
    while (from->opened > from->openings)
        pthread_cond_wait(&from->changed, &from->lock);
    from->used = 0;
    pthread_mutex_unlock(&from->lock);
    return gt_reader_open_callback(reader, read_gated, from, options, error);
}

/* A download that waits for an analysis, in a thread of its own. */
struct download {
    /* Must come first. */
    struct web_reply reply;
    gt_web *web;
    struct gated *from;
    int waits;
};

static int download_is_gone(void *user_data)
{
    struct download *download = user_data;
    pthread_mutex_lock(&download->from->lock);
    download->waits++;
    pthread_cond_broadcast(&download->from->changed);
    pthread_mutex_unlock(&download->from->lock);
    return 0;
}

static void *download_run(void *user_data)
{
    struct download *download = user_data;
    gt_web_client client = web_client_of(&download->reply);
    gt_web_request request = GT_WEB_REQUEST_INIT;
    request.path = "/sched";
    request.query = "raw=1";
    client.is_gone = download_is_gone;
    gt_web_answer(download->web, &request, &client);
    return NULL;
}

/* A download blocks its client, while a page asks again and may have been left. */
static void test_analysis_that_a_download_waits_for_is_made_first(void **state)
{
    struct wire wire = {0};
    struct gated from = {.lock = PTHREAD_MUTEX_INITIALIZER,
                         .changed = PTHREAD_COND_INITIALIZER,
                         .wire = &wire,
                         .openings = 3};
    struct download download = {.from = &from};
    pthread_t thread;
    (void) state;
    sample_trace(&wire, 26, 4, 20000);
    from.readable = wire.size / 2;
    assert_status(gt_web_open_callback(&download.web, open_gated, &from, wire.size, NULL, NULL),
                  GT_OK);
    assert_int_equal(pthread_create(&thread, NULL, download_run, &download), 0);
    gated_await(&from, &download.waits, 1);
    struct web_reply reply = web_get(download.web, "/api/groups");
    assert_int_equal(reply.status, 202);
    web_reply_free(&reply);
    gated_let(&from, wire.size, 3);
    /* Opened to look at its header, to load it, and for the first analysis; now for the second. */
    gated_await(&from, &from.opened, 4);
    reply = web_get(download.web, "/api/groups");
    assert_int_equal(reply.status, 202);
    web_reply_free(&reply);
    gated_let(&from, wire.size, 4);
    pthread_join(thread, NULL);
    assert_int_equal(download.reply.status, 200);
    reply = web_get_made(download.web, "/api/groups");
    assert_int_equal(reply.status, 200);
    web_reply_free(&reply);
    web_reply_free(&download.reply);
    gt_web_close(&download.web);
    wire_free(&wire);
}

/* A trace during whose third reading, the first for an analysis, the progress of that is asked. */
struct watched {
    const struct wire *wire;
    size_t used;
    int opened;
    gt_web *web;
    double progress;
};

static double mmu_progress(gt_web *web)
{
    static const char key[] = "\"progress\":";
    struct web_reply reply = web_get(web, "/api/mmu");
    assert_int_equal(reply.status, 202);
    const char *value = strstr(reply.body, key);
    assert_non_null(value);
    double progress = strtod(value + strlen(key), NULL);
    web_reply_free(&reply);
    return progress;
}

static int64_t read_watched(void *user_data, void *buffer, size_t capacity)
{
    struct watched *from = user_data;
    size_t left = from->wire->size - from->used, size = left < capacity ? left : capacity;
    if (from->opened == 3) {
        double progress = mmu_progress(from->web);
        assert_true(progress >= from->progress);
        from->progress = progress;
    }
    memcpy(buffer, from->wire->data + from->used, size);
    from->used += size;
    return (int64_t) size;
}

static gt_status open_watched(void *user_data, const gt_reader_options *options, gt_reader **reader,
                              gt_error *error)
{
    struct watched *from = user_data;
    from->opened++;
    from->used = 0;
    return gt_reader_open_callback(reader, read_watched, from, options, error);
}

/* The points of the curve come after reading, and their progress begins at 0.7. */
static void test_reading_leaves_progress_for_the_rest_of_an_analysis(void **state)
{
    struct wire wire = {0};
    struct watched from = {.wire = &wire};
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    (void) state;
    sample_trace(&wire, 26, 8, 40000);
    options.flags = GT_WEB_NO_THREADS;
    assert_status(gt_web_open_callback(&from.web, open_watched, &from, wire.size, &options, NULL),
                  GT_OK);
    web_load_in_steps(from.web);
    struct web_reply reply = web_get_made(from.web, "/api/mmu");
    assert_int_equal(reply.status, 200);
    assert_int_equal(from.opened, 3);
    assert_true(from.progress > 0.5);
    assert_true(from.progress <= 0.7);
    web_reply_free(&reply);
    gt_web_close(&from.web);
    wire_free(&wire);
}

/* No answer may keep the store locked. */
static void test_answers_let_loading_go_on(void **state)
{
    static const char *const asked[] = {
        "/api/trace",
        "/api/rows?view=goroutine",
        "/api/row?view=goroutine&id=1",
        "/api/row?view=goroutine&id=12345678",
        "/api/span?track=0&index=0",
        "/api/span?track=123456&index=0",
        "/api/tiles?level=9&index=0&tracks=0",
        "/api/marks",
        "/api/mark?index=0",
        "/api/arrows?tracks=0",
        "/api/counters",
        "/api/counters/at?t=1",
        "/api/gc",
        "/api/minimap",
        "/api/area",
        "/api/area.csv",
        "/api/flame?kind=wall",
        "/api/flame.pprof?kind=wall",
        "/api/search?q=a",
    };
    const struct timespec moment = {0, 5000000};
    struct wire wire = {0};
    struct gated from = {.lock = PTHREAD_MUTEX_INITIALIZER,
                         .changed = PTHREAD_COND_INITIALIZER,
                         .wire = &wire,
                         .openings = 2};
    gt_web *web;
    (void) state;
    sample_trace(&wire, 26, 4, 20000);
    from.readable = wire.size / 2;
    assert_status(gt_web_open_callback(&web, open_gated, &from, wire.size, NULL, NULL), GT_OK);
    struct web_reply row = web_get(web, "/api/row?view=goroutine&id=1");
    for (int i = 0; i < 4000 && row.status == 404; i++) {
        web_reply_free(&row);
        nanosleep(&moment, NULL);
        row = web_get(web, "/api/row?view=goroutine&id=1");
    }
    assert_int_equal(row.status, 200);
    web_reply_free(&row);
    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
        struct web_reply reply = web_get(web, asked[i]);
        assert_in_range(reply.status, 200, 404);
        web_reply_free(&reply);
    }
    assert_int_equal(web_progress(web).done, 0);
    gated_let(&from, wire.size, 2);
    for (int i = 0; i < 4000 && !web_progress(web).done; i++)
        nanosleep(&moment, NULL);
    assert_int_equal(web_progress(web).done, 1);
    gt_web_close(&web);
    wire_free(&wire);
}

/* A trace that is not a file closes no descriptor, above all not the first one. */
static void test_close_leaves_descriptors_of_others(void **state)
{
    struct wire wire = {0};
    gt_web *web;
    (void) state;
    int fd = open("/dev/null", O_RDONLY), first = dup(0);
    assert_int_equal(dup2(fd, 0), 0);
    sample_trace(&wire, 26, 1, 10);
    struct failing from = {.data = wire.data, .size = wire.size};
    assert_status(gt_web_open_callback(&web, open_failing, &from, wire.size, NULL, NULL), GT_OK);
    gt_web_close(&web);
    assert_int_not_equal(fcntl(0, F_GETFD), -1);
    assert_status(gt_web_open_memory(&web, wire.data, wire.size, NULL, NULL), GT_OK);
    gt_web_close(&web);
    assert_int_not_equal(fcntl(0, F_GETFD), -1);
    if (first >= 0) {
        dup2(first, 0);
        close(first);
    }
    close(fd);
    wire_free(&wire);
}

static void test_close_ends_the_loading(void **state)
{
    struct wire wire = {0};
    struct told told = {0};
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web;
    (void) state;
    sample_trace(&wire, 26, 4, 50000);
    options.user_data = &told;
    options.on_loaded = on_loaded;
    for (int i = 0; i < 4; i++) {
        options.flags = i % 2 != 0 ? GT_WEB_NO_THREADS : 0;
        assert_status(gt_web_open_memory(&web, wire.data, wire.size, &options, NULL), GT_OK);
        if (i % 2 != 0)
            assert_status(gt_web_step(web, 0), GT_OK);
        struct web_reply reply = web_get(web, "/api/groups");
        assert_int_equal(reply.status, 202);
        web_reply_free(&reply);
        gt_web_close(&web);
        assert_int_equal(told.loads, i + 1);
    }
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_requests_call_nothing),
        cmocka_unit_test(test_steps_load_the_trace),
        cmocka_unit_test(test_download_loads_without_steps),
        cmocka_unit_test(test_host_is_told_of_the_end),
        cmocka_unit_test(test_failure_to_open_needs_no_message),
        cmocka_unit_test(test_close_without_a_step_tells_of_the_end),
        cmocka_unit_test(test_repairs_are_told_and_counted),
        cmocka_unit_test(test_answers_fail_if_the_trace_cannot_be_read_again),
        cmocka_unit_test(test_answers_are_about_what_could_be_loaded),
        cmocka_unit_test(test_close_leaves_descriptors_of_others),
        cmocka_unit_test(test_close_ends_the_loading),
        cmocka_unit_test(test_analysis_that_a_download_waits_for_is_made_first),
        cmocka_unit_test(test_reading_leaves_progress_for_the_rest_of_an_analysis),
        cmocka_unit_test(test_answers_let_loading_go_on),
    };

    return cmocka_run_group_tests_name("web", tests, NULL, NULL);
}
