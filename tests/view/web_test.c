/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests libgotrace-web through its public header. */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gotrace/web.h>

#include "support/files.h"
#include "support/sample.h"
#include "support/test.h"

/* What gt_web_answer returned, and how the client behaves. */
struct reply {
    uint32_t status;
    /* The headers, as lines "NAME: VALUE". */
    char headers[4096];
    uint64_t length;
    char *body;
    size_t size;
    int begins, writes;
    /* Which of the client's functions report that it has gone away. */
    bool refuses_begin, refuses_write, is_gone;
};

static int begin(void *user_data, uint32_t status, const gt_web_header *headers, size_t count,
                 uint64_t length)
{
    struct reply *reply = user_data;
    size_t used = 0;
    reply->status = status;
    reply->length = length;
    reply->begins++;
    for (size_t i = 0; i < count; i++)
        used += (size_t) snprintf(reply->headers + used, sizeof(reply->headers) - used, "%s: %s\n",
                                  headers[i].name, headers[i].value);
    assert_true(used < sizeof(reply->headers));
    return reply->refuses_begin;
}

static int write_body(void *user_data, const void *data, size_t size)
{
    struct reply *reply = user_data;
    assert_int_equal(reply->begins, 1);
    assert_true(size > 0);
    reply->body = realloc(reply->body, reply->size + size + 1);
    assert_non_null(reply->body);
    memcpy(reply->body + reply->size, data, size);
    reply->size += size;
    reply->body[reply->size] = '\0';
    reply->writes++;
    return reply->refuses_write;
}

static int is_gone(void *user_data)
{
    const struct reply *reply = user_data;
    return reply->is_gone;
}

static gt_web_client client_of(struct reply *reply)
{
    gt_web_client client = GT_WEB_CLIENT_INIT;
    client.user_data = reply;
    client.begin = begin;
    client.write = write_body;
    client.is_gone = is_gone;
    return client;
}

/* Sends a request for a target such as "/api/rows?view=proc". */
static gt_status ask(gt_web *web, const char *method, const char *target, struct reply *reply)
{
    char path[500];
    gt_web_client client = client_of(reply);
    gt_web_request request = GT_WEB_REQUEST_INIT;
    size_t size = strcspn(target, "?");
    assert_true(size < sizeof(path));
    memcpy(path, target, size);
    path[size] = '\0';
    request.method = method;
    request.path = path;
    request.query = target[size] == '?' ? target + size + 1 : NULL;
    return gt_web_answer(web, &request, &client);
}

static void reply_free(struct reply *reply)
{
    free(reply->body);
    memset(reply, 0, sizeof(*reply));
}

/* Returns the answer to a GET, which must be complete. The caller frees it with reply_free. */
static struct reply get(gt_web *web, const char *target)
{
    struct reply reply = {0};
    assert_status(ask(web, "GET", target, &reply), GT_OK);
    assert_int_equal(reply.begins, 1);
    if (reply.length != GT_WEB_LENGTH_UNKNOWN)
        assert_int_equal(reply.length, reply.size);
    return reply;
}

/* The same, after waiting until the analysis that it needs is done. */
static struct reply get_made(gt_web *web, const char *target)
{
    struct reply reply = get(web, target);
    while (reply.status == 202) {
        const struct timespec moment = {0, 5000000};
        reply_free(&reply);
        if (gt_web_step(web, 1000000) == GT_ERR_INVALID_ARGUMENT)
            nanosleep(&moment, NULL);
        reply = get(web, target);
    }
    return reply;
}

static char *trace_path(const char *name)
{
    return files_join(files_testdata(), name);
}

static gt_web *open_trace(const char *name, const gt_web_options *options)
{
    char *path = trace_path(name);
    gt_web *web;
    gt_error error = GT_ERROR_INIT;
    if (gt_web_open_file(&web, path, options, &error) != GT_OK)
        fail_msg("%s: %s", path, error.message);
    free(path);
    return web;
}

static gt_web *open_without_threads(const char *name)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    options.flags = GT_WEB_NO_THREADS;
    options.name = name;
    return open_trace(name, &options);
}

static gt_web_progress progress_of(gt_web *web)
{
    gt_web_progress progress = GT_WEB_PROGRESS_INIT;
    assert_status(gt_web_get_progress(web, &progress), GT_OK);
    return progress;
}

static void await_loaded(gt_web *web)
{
    const struct timespec moment = {0, 1000000};
    while (!progress_of(web).done)
        nanosleep(&moment, NULL);
}

static void load_in_steps(gt_web *web)
{
    while (gt_web_step(web, 0) == GT_OK)
        continue;
    assert_int_equal(progress_of(web).done, 1);
}

static void test_wrong_arguments_are_refused(void **state)
{
    static const char bytes[] = "no trace at all, but long enough";
    gt_web *web;
    gt_error error = GT_ERROR_INIT;
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    (void) state;
    assert_status(gt_web_open_file(NULL, "x", NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_web_open_file(&web, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(web);
    assert_status(gt_web_open_fd(&web, -1, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_web_open_memory(&web, NULL, 1, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_web_open_callback(&web, NULL, NULL, 0, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    options.flags = 1u << 20;
    assert_status(gt_web_open_memory(&web, bytes, sizeof(bytes), &options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    options.flags = 0;
    options.size = 8;
    assert_status(gt_web_open_memory(&web, bytes, sizeof(bytes), &options, &error),
                  GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "invalid argument");
    assert_status(gt_web_open_memory(&web, bytes, sizeof(bytes), NULL, &error), GT_ERR_NOT_A_TRACE);
    assert_null(web);
    assert_int_equal(error.status, GT_ERR_NOT_A_TRACE);
    assert_status(gt_web_open_memory(&web, NULL, 0, NULL, NULL), GT_ERR_NOT_A_TRACE);
    assert_status(gt_web_open_file(&web, "/nowhere/at all", NULL, &error), GT_ERR_IO);
    assert_string_equal(error.message, "cannot open the file: No such file or directory");
    options = (gt_web_options) GT_WEB_OPTIONS_INIT;
    options.reader_flags = UINT64_C(1) << 40;
    char *path = trace_path("v2/go1.27-tasks.trace");
    assert_status(gt_web_open_file(&web, path, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    free(path);
    gt_web_close(NULL);
    gt_web_close(&web);
}

static void test_wrong_requests_call_nothing(void **state)
{
    struct reply reply = {0};
    gt_web_client client = client_of(&reply);
    gt_web_request request = GT_WEB_REQUEST_INIT;
    gt_web_progress progress = GT_WEB_PROGRESS_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_web *web = open_trace("v2/go1.27-tasks.trace", NULL);
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
    client.begin = begin;
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
    gt_web_progress progress = progress_of(web);
    assert_int_equal(progress.done, 0);
    assert_int_equal(progress.events, 0);
    assert_int_equal(progress.total, wire.size);
    for (uint64_t before = 0; gt_web_step(web, 0) == GT_OK; before = progress.events) {
        progress = progress_of(web);
        assert_true(progress.events > before);
        steps++;
    }
    assert_true(steps > 2);
    progress = progress_of(web);
    assert_int_equal(progress.done, 1);
    assert_int_equal(progress.status, GT_OK);
    assert_int_equal(progress.bytes, progress.total);
    assert_status(gt_web_step(web, 0), GT_END);
    /* The analysis is made by a step. */
    struct reply reply = get(web, "/api/groups");
    assert_int_equal(reply.status, 202);
    reply_free(&reply);
    assert_status(gt_web_step(web, 0), GT_END);
    reply = get(web, "/api/groups");
    assert_int_equal(reply.status, 200);
    reply_free(&reply);
    gt_web_close(&web);
    wire_free(&wire);
}

/* A download waits for loading and analysis, and no other thread does that work. */
static void test_download_loads_without_steps(void **state)
{
    gt_web *web = open_without_threads("v2/go1.27-gcgens.trace"), *other;
    struct reply here, there;
    (void) state;
    here = get(web, "/sched?raw=1");
    assert_int_equal(here.status, 200);
    assert_int_equal(progress_of(web).done, 1);
    other = open_trace("v2/go1.27-gcgens.trace", NULL);
    there = get(other, "/sched?raw=1");
    assert_int_equal(here.size, there.size);
    assert_memory_equal(here.body, there.body, here.size);
    reply_free(&here);
    reply_free(&there);
    gt_web_close(&web);
    gt_web_close(&other);
}

static gt_status open_file_again(void *user_data, const gt_reader_options *options,
                                 gt_reader **reader, gt_error *error)
{
    return gt_reader_open_file(reader, user_data, options, error);
}

static const char *const targets[] = {
    "/",
    "/trace",
    "/static/app.js",
    "/static/none",
    "/favicon.ico",
    "/goroutines",
    "/mmu",
    "/io",
    "/sched?raw=1",
    "/nothing",
    "/api/rows?view=proc",
    "/api/rows?view=goroutine&sort=name&desc=1",
    "/api/rows?view=none",
    "/api/row?view=goroutine&id=1",
    "/api/tiles?tracks=0,1,2,3&start=0&end=1000000&bins=100",
    "/api/span?track=0&index=0",
    "/api/arrows?tracks=0,1,2,3&start=0&end=1000000",
    "/api/marks?tracks=0,1,2,3&start=0&end=1000000",
    "/api/gc?start=0&end=1000000",
    "/api/minimap?bins=50",
    "/api/counters?bins=20",
    "/api/counters/at?time=5000",
    "/api/area",
    "/api/area.csv",
    "/api/flame?kind=running",
    "/api/flame.pprof",
    "/api/search?q=main",
    "/api/groups",
    "/api/group?name=main.main",
    "/api/tasks",
    "/api/task?type=build",
    "/api/regions",
    "/api/region?type=step",
    "/api/mmu",
    "/api/mmu/worst?window=10000",
    "/api/profile?kind=sched",
    "/jsontrace",
    "/jsontrace?goid=1",
    "/api/rows?view=%",
};

enum {
    TARGETS = sizeof(targets) / sizeof(targets[0])
};

static void assert_same_answers(gt_web *web, gt_web *other)
{
    for (size_t i = 0; i < TARGETS; i++) {
        struct reply here = get_made(web, targets[i]), there = get_made(other, targets[i]);
        if (here.status != there.status || here.size != there.size ||
            memcmp(here.body, there.body, here.size) != 0)
            fail_msg("%s: %u %s, %u %s", targets[i], here.status, here.body, there.status,
                     there.body);
        assert_string_equal(here.headers, there.headers);
        assert_int_equal(here.length, there.length);
        reply_free(&here);
        reply_free(&there);
    }
}

static void test_all_ways_of_opening_answer_the_same(void **state)
{
    static const char name[] = "v2/go1.27-tasks.trace";
    char *path = trace_path(name);
    size_t size;
    uint8_t *bytes = files_read(path, &size);
    int fd = open(path, O_RDONLY);
    gt_web *web = open_trace(name, NULL), *others[4];
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    (void) state;
    options.name = path;
    others[0] = open_without_threads(name);
    load_in_steps(others[0]);
    assert_status(gt_web_open_memory(&others[1], bytes, size, &options, NULL), GT_OK);
    assert_status(gt_web_open_fd(&others[2], fd, &options, NULL), GT_OK);
    close(fd);
    assert_status(gt_web_open_callback(&others[3], open_file_again, path, 0, &options, NULL),
                  GT_OK);
    await_loaded(web);
    for (size_t i = 0; i < 4; i++) {
        await_loaded(others[i]);
        assert_same_answers(web, others[i]);
        gt_web_close(&others[i]);
    }
    gt_web_close(&web);
    free(bytes);
    free(path);
}

static void test_head_has_the_length_and_no_body(void **state)
{
    gt_web *web = open_without_threads("v2/go1.27-tasks.trace");
    (void) state;
    load_in_steps(web);
    for (size_t i = 0; i < TARGETS; i++) {
        struct reply reply = get_made(web, targets[i]), head = {0};
        assert_status(ask(web, "HEAD", targets[i], &head), GT_OK);
        assert_int_equal(head.status, reply.status);
        assert_int_equal(head.length, reply.length);
        assert_string_equal(head.headers, reply.headers);
        assert_int_equal(head.writes, 0);
        reply_free(&reply);
        reply_free(&head);
    }
    gt_web_close(&web);
}

static void test_unknown_paths_and_methods_are_answered(void **state)
{
    static const char *const methods[] = {"POST", "PUT", "get", "", "GETS", "OPTIONS"};
    gt_web *web = open_without_threads("v2/go1.27-tasks.trace");
    struct reply reply;
    (void) state;
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        memset(&reply, 0, sizeof(reply));
        assert_status(ask(web, methods[i], "/api/trace", &reply), GT_OK);
        assert_int_equal(reply.status, 405);
        assert_non_null(strstr(reply.headers, "Allow: GET, HEAD\n"));
        assert_string_equal(reply.body, "{\"error\":\"only GET and HEAD\"}\n");
        reply_free(&reply);
    }
    reply = get(web, "/api/");
    assert_int_equal(reply.status, 404);
    assert_non_null(strstr(reply.headers, "Content-Type: application/json\n"));
    reply_free(&reply);
    reply = get(web, "/api/rows?view=%00");
    assert_int_equal(reply.status, 400);
    reply_free(&reply);
    gt_web_close(&web);
}

/* A '%' must come before two digits that are no NUL. */
static void test_malformed_query_is_refused(void **state)
{
    static const char *const values[] = {"%4g", "%g4", "%00", "%4", "%", "a%0"};
    gt_web *web = open_without_threads("v2/go1.27-tasks.trace");
    (void) state;
    load_in_steps(web);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        char target[100];
        snprintf(target, sizeof(target), "/api/rows?view=task&filter=%s", values[i]);
        struct reply reply = get(web, target);
        if (reply.status != 400)
            fail_msg("%s: %u", target, reply.status);
        reply_free(&reply);
    }
    gt_web_close(&web);
}

/* Tasks that are each other's parents are in the tree all the same, once each. */
static void test_tree_has_tasks_that_are_their_own_ancestors(void **state)
{
    static const char *const ids[] = {"\"id\":7,", "\"id\":8,", "\"id\":9,"};
    struct wire wire = {0};
    gt_web *web;
    (void) state;
    wire_begin(&wire, 26);
    wire_sync(&wire, 1, 100, WIRE_NANOSECONDS);
    wire_batch(&wire, 1, 5, 101);
    wire_running(&wire, 5, 0, 1);
    WIRE_EVENT(&wire, EV_USER_TASK_BEGIN, 1, 7, 8, 1, 0);
    WIRE_EVENT(&wire, EV_USER_TASK_BEGIN, 1, 8, 7, 1, 0);
    WIRE_EVENT(&wire, EV_USER_TASK_BEGIN, 1, 9, 7, 1, 0);
    wire_strings(&wire, 1);
    wire_string(&wire, 1, "circle");
    wire_generation_end(&wire);
    assert_status(gt_web_open_memory(&web, wire.data, wire.size, NULL, NULL), GT_OK);
    await_loaded(web);
    assert_status(progress_of(web).status, GT_OK);
    struct reply reply = get(web, "/api/rows?view=task&sort=parent");
    assert_int_equal(reply.status, 200);
    for (size_t i = 0; i < 3; i++) {
        const char *found = strstr(reply.body, ids[i]);
        if (!found || strstr(found + 1, ids[i]))
            fail_msg("not once: %s in %s", ids[i], reply.body);
    }
    reply_free(&reply);
    gt_web_close(&web);
    wire_free(&wire);
}

static void test_page_has_its_policy(void **state)
{
    gt_web *web = open_without_threads("v2/go1.27-tasks.trace");
    struct reply reply = get(web, "/");
    (void) state;
    assert_int_equal(reply.status, 200);
    assert_non_null(strstr(reply.headers, "Content-Type: text/html; charset=utf-8\n"));
    assert_non_null(strstr(reply.headers, "Cache-Control: no-store\n"));
    assert_non_null(strstr(reply.headers, "Content-Security-Policy: default-src 'self';"));
    assert_non_null(strstr(reply.headers, "; frame-ancestors 'none'\n"));
    assert_non_null(strstr(reply.headers, "X-Content-Type-Options: nosniff\n"));
    reply_free(&reply);
    gt_web_close(&web);
}

/* A host may name the sites that embed the page, but nothing that would change the policy. */
static void test_host_says_which_sites_may_embed_the_page(void **state)
{
    static const char *const bad[] = {
        "", "'self'; script-src *", "a, b", "a\r\nX: y", "a\x7f", "\xc3\xa4", "\t",
    };
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    char longest[1002];
    gt_web *web = NULL;
    (void) state;
    options.flags = GT_WEB_NO_THREADS;
    options.frame_ancestors = "'self' https://tools.example.com:8443";
    assert_status(gt_web_open_memory(&web, "go 1.22 trace\0\0\0", 16, &options, NULL), GT_OK);
    struct reply reply = get(web, "/mmu");
    assert_non_null(
        strstr(reply.headers, "blob:; frame-ancestors 'self' https://tools.example.com:8443\n"));
    reply_free(&reply);
    gt_web_close(&web);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        options.frame_ancestors = bad[i];
        assert_status(gt_web_open_memory(&web, "go 1.22 trace\0\0\0", 16, &options, NULL),
                      GT_ERR_INVALID_ARGUMENT);
        assert_null(web);
    }
    memset(longest, 'a', sizeof(longest));
    options.frame_ancestors = longest;
    longest[1001] = '\0';
    assert_status(gt_web_open_memory(&web, "go 1.22 trace\0\0\0", 16, &options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    longest[1000] = '\0';
    assert_status(gt_web_open_memory(&web, "go 1.22 trace\0\0\0", 16, &options, NULL), GT_OK);
    gt_web_close(&web);
}

static void test_client_that_goes_away_ends_the_answer(void **state)
{
    gt_web *web = open_without_threads("v2/go1.27-tasks.trace");
    struct reply reply = {.refuses_begin = true};
    (void) state;
    load_in_steps(web);
    assert_status(ask(web, "GET", "/jsontrace", &reply), GT_ERR_CALLBACK);
    assert_int_equal(reply.writes, 0);
    reply_free(&reply);
    reply.refuses_write = true;
    assert_status(ask(web, "GET", "/api/rows?view=proc", &reply), GT_ERR_CALLBACK);
    assert_int_equal(reply.writes, 1);
    reply_free(&reply);
    reply.is_gone = true;
    assert_status(ask(web, "GET", "/jsontrace", &reply), GT_ERR_CALLBACK);
    assert_int_equal(reply.begins, 0);
    reply_free(&reply);
    gt_web_close(&web);
}

/* A body larger than the buffer is passed on in pieces, and its length is not known in advance. */
static void test_long_body_comes_in_pieces(void **state)
{
    struct wire wire = {0};
    struct reply reply;
    gt_web *web;
    (void) state;
    sample_trace(&wire, 26, 1, 20000);
    assert_status(gt_web_open_memory(&web, wire.data, wire.size, NULL, NULL), GT_OK);
    reply = get(web, "/jsontrace");
    assert_int_equal(reply.status, 200);
    assert_true(reply.length == GT_WEB_LENGTH_UNKNOWN);
    assert_true(reply.writes > 1);
    assert_int_equal(reply.body[reply.size - 1], '\n');
    reply_free(&reply);
    reply.refuses_write = true;
    assert_status(ask(web, "GET", "/jsontrace", &reply), GT_ERR_CALLBACK);
    assert_int_equal(reply.writes, 1);
    reply_free(&reply);
    gt_web_close(&web);
    wire_free(&wire);
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
    load_in_steps(web);
    assert_int_equal(told.loads, 1);
    assert_int_equal(told.status, GT_ERR_IO);
    assert_int_equal(progress_of(web).status, GT_ERR_IO);
    assert_status(gt_web_error(web, &error), GT_OK);
    assert_int_equal(error.status, GT_ERR_IO);
    assert_string_equal(error.message, "as the host says it");
    struct reply reply = get(web, "/api/trace");
    assert_non_null(strstr(reply.body, "\"error\":\"as the host says it\""));
    reply_free(&reply);
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
    load_in_steps(web);
    assert_int_equal(told.status, GT_ERR_NO_MEMORY);
    assert_int_equal(progress_of(web).status, GT_ERR_NO_MEMORY);
    struct reply reply = get_made(web, "/api/groups");
    assert_int_equal(reply.status, 503);
    assert_string_equal(reply.body, "{\"error\":\"out of memory\"}\n");
    reply_free(&reply);
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
    gt_web *web = open_trace("v2/go1.27-tasks.trace", &options);
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
    gt_web *web = open_trace("v2/go1.22-cut.trace", &options);
    await_loaded(web);
    uint64_t repairs = progress_of(web).repairs;
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
    struct reply reply = {0};
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web;
    (void) state;
    sample_trace(&wire, 26, 4, 20000);
    struct failing from = {.data = wire.data, .size = wire.size};
    options.flags = GT_WEB_NO_THREADS;
    assert_status(gt_web_open_callback(&web, open_failing, &from, wire.size, &options, NULL),
                  GT_OK);
    load_in_steps(web);
    assert_int_equal(progress_of(web).status, GT_OK);
    from.fails = true;
    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
        reply = get_made(web, asked[i]);
        assert_int_equal(reply.status, 500);
        reply_free(&reply);
    }
    assert_status(ask(web, "GET", "/jsontrace", &reply), GT_ERR_NOT_AVAILABLE);
    reply_free(&reply);
    reply = get(web, "/jsontrace?goid=1");
    assert_int_equal(reply.status, 500);
    reply_free(&reply);
    from.fails = false;
    reply = get_made(web, "/api/groups");
    assert_int_equal(reply.status, 200);
    reply_free(&reply);
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
    load_in_steps(web);
    assert_int_equal(progress_of(web).status, GT_ERR_IO);
    struct reply reply = get_made(web, "/api/groups");
    assert_int_equal(reply.status, 200);
    reply_free(&reply);
    reply = get(web, "/jsontrace");
    assert_int_equal(reply.status, 200);
    reply_free(&reply);
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
        struct reply reply = get(web, "/api/groups");
        assert_int_equal(reply.status, 202);
        reply_free(&reply);
        gt_web_close(&web);
        assert_int_equal(told.loads, i + 1);
    }
    wire_free(&wire);
}

static void *ask_all(void *user_data)
{
    gt_web *web = user_data;
    for (size_t i = 0; i < TARGETS; i++) {
        struct reply reply = get_made(web, targets[i]);
        reply_free(&reply);
    }
    return NULL;
}

static void test_threads_may_ask_at_once_while_it_loads(void **state)
{
    pthread_t threads[4];
    struct wire wire = {0};
    gt_web *web;
    (void) state;
    sample_trace(&wire, 26, 4, 5000);
    assert_status(gt_web_open_memory(&web, wire.data, wire.size, NULL, NULL), GT_OK);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_all, web), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    gt_web_close(&web);
    wire_free(&wire);
}

static void test_page_comes_from_a_directory(void **state)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web;
    struct reply reply;
    (void) state;
    options.flags = GT_WEB_NO_THREADS;
    options.page_directory = files_testdata();
    web = open_trace("v2/go1.27-tasks.trace", &options);
    reply = get(web, "/static/README.md");
    assert_int_equal(reply.status, 200);
    assert_true(reply.size > 0);
    reply_free(&reply);
    reply = get(web, "/static/../meson.build");
    assert_int_equal(reply.status, 404);
    reply_free(&reply);
    reply = get(web, "/");
    assert_int_equal(reply.status, 404);
    reply_free(&reply);
    gt_web_close(&web);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_arguments_are_refused),
        cmocka_unit_test(test_wrong_requests_call_nothing),
        cmocka_unit_test(test_steps_load_the_trace),
        cmocka_unit_test(test_download_loads_without_steps),
        cmocka_unit_test(test_all_ways_of_opening_answer_the_same),
        cmocka_unit_test(test_head_has_the_length_and_no_body),
        cmocka_unit_test(test_unknown_paths_and_methods_are_answered),
        cmocka_unit_test(test_malformed_query_is_refused),
        cmocka_unit_test(test_tree_has_tasks_that_are_their_own_ancestors),
        cmocka_unit_test(test_page_has_its_policy),
        cmocka_unit_test(test_host_says_which_sites_may_embed_the_page),
        cmocka_unit_test(test_client_that_goes_away_ends_the_answer),
        cmocka_unit_test(test_long_body_comes_in_pieces),
        cmocka_unit_test(test_host_is_told_of_the_end),
        cmocka_unit_test(test_failure_to_open_needs_no_message),
        cmocka_unit_test(test_close_without_a_step_tells_of_the_end),
        cmocka_unit_test(test_repairs_are_told_and_counted),
        cmocka_unit_test(test_answers_fail_if_the_trace_cannot_be_read_again),
        cmocka_unit_test(test_answers_are_about_what_could_be_loaded),
        cmocka_unit_test(test_close_leaves_descriptors_of_others),
        cmocka_unit_test(test_close_ends_the_loading),
        cmocka_unit_test(test_threads_may_ask_at_once_while_it_loads),
        cmocka_unit_test(test_page_comes_from_a_directory),
    };

    return cmocka_run_group_tests_name("web", tests, NULL, NULL);
}
