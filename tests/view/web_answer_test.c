/* SPDX-License-Identifier: BSD-3-Clause */
/* What libgotrace-web answers, through its public header. */
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

#include "view/web_client.h"

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
    "/api/activity?view=goroutine&headers=0,1,2,3,4,5&bins=20",
    "/api/area",
    "/api/area.csv",
    "/api/area.pftrace",
    "/api/area.trace",
    "/api/flame?kind=running",
    "/api/flame.pprof",
    "/api/search?q=main",
    "/api/gc/cycles",
    "/api/gc/stops",
    "/api/gc/summary",
    "/api/groups",
    "/api/group?name=main.main",
    "/api/tasks",
    "/api/task?type=build",
    "/api/regions",
    "/api/region?type=step",
    "/api/mmu",
    "/api/mmu/worst?window=10000",
    "/api/profile?kind=sched",
    "/api/report",
    "/api/why?count=5&nodes=1",
    "/api/why?task=1",
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
        struct web_reply here = web_get_made(web, targets[i]),
                         there = web_get_made(other, targets[i]);
        if (here.status != there.status || here.size != there.size ||
            memcmp(here.body, there.body, here.size) != 0)
            fail_msg("%s: %u %s, %u %s", targets[i], here.status, here.body, there.status,
                     there.body);
        assert_string_equal(here.headers, there.headers);
        assert_int_equal(here.length, there.length);
        web_reply_free(&here);
        web_reply_free(&there);
    }
}

static void test_all_ways_of_opening_answer_the_same(void **state)
{
    static const char name[] = "v2/go1.27-tasks.trace";
    char *path = web_trace_path(name);
    size_t size;
    uint8_t *bytes = files_read(path, &size);
    int fd = open(path, O_RDONLY);
    gt_web *web = web_open_trace(name, NULL), *others[5];
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    (void) state;
    options.name = path;
    others[0] = web_open_without_threads(name);
    web_load_in_steps(others[0]);
    assert_status(gt_web_open_memory(&others[1], bytes, size, &options, NULL), GT_OK);
    assert_status(gt_web_open_fd(&others[2], fd, &options, NULL), GT_OK);
    /* The copy has moved the descriptor to the end, which does not matter to a mapping. */
    options.flags = GT_WEB_MAP_FD;
    assert_status(gt_web_open_fd(&others[4], fd, &options, NULL), GT_OK);
    options.flags = 0;
    close(fd);
    assert_status(gt_web_open_callback(&others[3], open_file_again, path, 0, &options, NULL),
                  GT_OK);
    web_await_loaded(web);
    for (size_t i = 0; i < 5; i++) {
        web_await_loaded(others[i]);
        assert_same_answers(web, others[i]);
        gt_web_close(&others[i]);
    }
    gt_web_close(&web);
    free(bytes);
    free(path);
}

static void test_head_has_the_length_and_no_body(void **state)
{
    gt_web *web = web_open_without_threads("v2/go1.27-tasks.trace");
    (void) state;
    web_load_in_steps(web);
    for (size_t i = 0; i < TARGETS; i++) {
        struct web_reply reply = web_get_made(web, targets[i]), head = {0};
        assert_status(web_ask(web, "HEAD", targets[i], &head), GT_OK);
        assert_int_equal(head.status, reply.status);
        assert_int_equal(head.length, reply.length);
        assert_string_equal(head.headers, reply.headers);
        assert_int_equal(head.writes, 0);
        web_reply_free(&reply);
        web_reply_free(&head);
    }
    gt_web_close(&web);
}

static void test_unknown_paths_and_methods_are_answered(void **state)
{
    static const char *const methods[] = {"POST", "PUT", "get", "", "GETS", "OPTIONS"};
    gt_web *web = web_open_without_threads("v2/go1.27-tasks.trace");
    struct web_reply reply;
    (void) state;
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        memset(&reply, 0, sizeof(reply));
        assert_status(web_ask(web, methods[i], "/api/trace", &reply), GT_OK);
        assert_int_equal(reply.status, 405);
        assert_non_null(strstr(reply.headers, "Allow: GET, HEAD\n"));
        assert_string_equal(reply.body, "{\"error\":\"only GET and HEAD\"}\n");
        web_reply_free(&reply);
    }
    reply = web_get(web, "/api/");
    assert_int_equal(reply.status, 404);
    assert_non_null(strstr(reply.headers, "Content-Type: application/json\n"));
    web_reply_free(&reply);
    reply = web_get(web, "/api/rows?view=%00");
    assert_int_equal(reply.status, 400);
    web_reply_free(&reply);
    gt_web_close(&web);
}

/* A '%' must come before two digits that are no NUL. */
static void test_malformed_query_is_refused(void **state)
{
    static const char *const values[] = {"%4g", "%g4", "%00", "%4", "%", "a%0"};
    gt_web *web = web_open_without_threads("v2/go1.27-tasks.trace");
    (void) state;
    web_load_in_steps(web);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        char target[100];
        snprintf(target, sizeof(target), "/api/rows?view=task&filter=%s", values[i]);
        struct web_reply reply = web_get(web, target);
        if (reply.status != 400)
            fail_msg("%s: %u", target, reply.status);
        web_reply_free(&reply);
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
    web_await_loaded(web);
    assert_status(web_progress(web).status, GT_OK);
    struct web_reply reply = web_get(web, "/api/rows?view=task&sort=parent");
    assert_int_equal(reply.status, 200);
    for (size_t i = 0; i < 3; i++) {
        const char *found = strstr(reply.body, ids[i]);
        if (!found || strstr(found + 1, ids[i]))
            fail_msg("not once: %s in %s", ids[i], reply.body);
    }
    web_reply_free(&reply);
    gt_web_close(&web);
    wire_free(&wire);
}

/*
 * Times increase up to the largest one, which all later events have. A region of two of those has a
 * length of 0, and no upper limit leaves it out.
 */
static void test_region_without_length_is_listed(void **state)
{
    static const char *const asked[] = {"/api/region", "/api/region?latmax=1ns",
                                        "/api/region?latmin=0"};
    struct wire wire = {0};
    gt_web *web;
    struct web_reply reply;
    (void) state;
    wire_begin(&wire, 26);
    wire_sync(&wire, 1, 100, WIRE_NANOSECONDS);
    /* The largest time of a batch that a double holds; the region begins at INT64_MAX. */
    wire_batch(&wire, 1, 5, INT64_MAX - 1023);
    wire_running(&wire, 5, 0, 1);
    WIRE_EVENT(&wire, EV_USER_REGION_BEGIN, 1021, 0, 1, 0);
    WIRE_EVENT(&wire, EV_USER_REGION_END, 1, 0, 1, 0);
    wire_strings(&wire, 1);
    wire_string(&wire, 1, "instant");
    wire_generation_end(&wire);
    assert_status(gt_web_open_memory(&web, wire.data, wire.size, NULL, NULL), GT_OK);
    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
        reply = web_get_made(web, asked[i]);
        if (!strstr(reply.body, "\"total\":1,"))
            fail_msg("%s: %s", asked[i], reply.body);
        web_reply_free(&reply);
    }
    reply = web_get_made(web, "/api/region?latmin=1ns");
    assert_non_null(strstr(reply.body, "\"total\":0,"));
    web_reply_free(&reply);
    gt_web_close(&web);
    wire_free(&wire);
}

static void test_page_has_its_policy(void **state)
{
    gt_web *web = web_open_without_threads("v2/go1.27-tasks.trace");
    struct web_reply reply = web_get(web, "/");
    (void) state;
    assert_int_equal(reply.status, 200);
    assert_non_null(strstr(reply.headers, "Content-Type: text/html; charset=utf-8\n"));
    assert_non_null(strstr(reply.headers, "Cache-Control: no-store\n"));
    assert_non_null(strstr(reply.headers, "Content-Security-Policy: default-src 'self';"));
    assert_non_null(strstr(reply.headers, "; frame-ancestors 'none'\n"));
    assert_non_null(strstr(reply.headers, "X-Content-Type-Options: nosniff\n"));
    web_reply_free(&reply);
    gt_web_close(&web);
}

/*
 * The files of the page have an address with their version, where browsers may keep them, and one
 * without. Nothing else may be kept.
 */
static void test_only_files_with_their_version_are_kept(void **state)
{
    static const char link[] = "<script type=\"module\" src=\"",
                      kept[] = "max-age=31536000, immutable";

    static const struct {
        const char *file;
        uint32_t status;
        bool is_kept;
    } cases[] = {
        {"app.js", 200, true}, {"style.css", 200, true},  {"none.js", 404, false},
        {"", 404, false},      {"../app.js", 404, false},
    };

    gt_web *web = web_open_without_threads("v2/go1.27-tasks.trace");
    struct web_reply page = web_get(web, "/"), plain = web_get(web, "/static/app.js"), reply;
    char base[64] = "", target[128];
    const char *found = strstr(page.body, link);
    (void) state;
    assert_non_null(found);
    assert_int_equal(sscanf(found + strlen(link), "static/%16[0-9a-f]/", base), 1);
    assert_null(strstr(page.body, "\"static/app.js\""));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(target, sizeof(target), "/static/%s/%s", base, cases[i].file);
        reply = web_get(web, target);
        assert_int_equal(reply.status, cases[i].status);
        assert_int_equal(strstr(reply.headers, kept) != NULL, cases[i].is_kept);
        assert_int_equal(strstr(reply.headers, "no-store") == NULL, cases[i].is_kept);
        web_reply_free(&reply);
    }
    snprintf(target, sizeof(target), "/static/%s/app.js", base);
    reply = web_get(web, target);
    assert_string_equal(reply.body, plain.body);
    assert_non_null(strstr(plain.headers, "Cache-Control: no-store\n"));
    web_reply_free(&reply);
    web_reply_free(&plain);
    /* That of another version is not there. */
    target[strlen("/static/")] ^= 1;
    reply = web_get(web, target);
    assert_int_equal(reply.status, 404);
    web_reply_free(&reply);
    web_reply_free(&page);
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
    struct web_reply reply = web_get(web, "/mmu");
    assert_non_null(
        strstr(reply.headers, "blob:; frame-ancestors 'self' https://tools.example.com:8443\n"));
    web_reply_free(&reply);
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

/* The page learns where the host lists its traces, which can only be on the same site. */
static void test_host_says_where_its_traces_are(void **state)
{
    static const char *const bad[] = {
        "",
        "//evil.example/traces",
        "http://evil.example/",
        "javascript:alert(1)",
        "\\\\evil",
        "a b",
        "a\n",
        "\xc3\xa4",
    };
    static const char *const good[] = {NULL, "traces", "../../traces?\"<", "/traces"};
    static const char *const said[] = {"\"traces_url\":\"\"", "\"traces_url\":\"traces\"",
                                       "\"traces_url\":\"../../traces?\\\"", ":\"/traces\""};
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web = NULL;
    (void) state;
    options.flags = GT_WEB_NO_THREADS;
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
        options.traces_url = good[i];
        assert_status(gt_web_open_memory(&web, "go 1.22 trace\0\0\0", 16, &options, NULL), GT_OK);
        struct web_reply reply = web_get(web, "/api/trace");
        assert_non_null(strstr(reply.body, said[i]));
        web_reply_free(&reply);
        gt_web_close(&web);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        options.traces_url = bad[i];
        assert_status(gt_web_open_memory(&web, "go 1.22 trace\0\0\0", 16, &options, NULL),
                      GT_ERR_INVALID_ARGUMENT);
        assert_null(web);
    }
}

static uint64_t measure(void *user_data)
{
    return *(const uint64_t *) user_data;
}

static void test_memory_of_the_process_is_what_the_host_says(void **state)
{
    uint64_t bytes = 123456789;
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web = NULL;
    (void) state;
    options.flags = GT_WEB_NO_THREADS;
    options.user_data = &bytes;
    for (int i = 0; i < 3; i++) {
        const char *expected =
            i == 1 ? "\"process_memory\":123456789," : "\"process_memory\":null,";
        options.process_memory = i == 0 ? NULL : measure;
        bytes = i == 2 ? 0 : bytes;
        assert_status(gt_web_open_memory(&web, "go 1.22 trace\0\0\0", 16, &options, NULL), GT_OK);
        struct web_reply reply = web_get(web, "/api/trace");
        assert_non_null(strstr(reply.body, expected));
        web_reply_free(&reply);
        gt_web_close(&web);
    }
}

static void test_client_that_goes_away_ends_the_answer(void **state)
{
    gt_web *web = web_open_without_threads("v2/go1.27-tasks.trace");
    struct web_reply reply = {.refuses_begin = true};
    (void) state;
    web_load_in_steps(web);
    assert_status(web_ask(web, "GET", "/jsontrace", &reply), GT_ERR_CALLBACK);
    assert_int_equal(reply.writes, 0);
    web_reply_free(&reply);
    reply.refuses_write = true;
    assert_status(web_ask(web, "GET", "/api/rows?view=proc", &reply), GT_ERR_CALLBACK);
    assert_int_equal(reply.writes, 1);
    web_reply_free(&reply);
    reply.is_gone = true;
    assert_status(web_ask(web, "GET", "/jsontrace", &reply), GT_ERR_CALLBACK);
    assert_int_equal(reply.begins, 0);
    web_reply_free(&reply);
    gt_web_close(&web);
}

/* A body larger than the buffer is passed on in pieces, and its length is not known in advance. */
static void test_long_body_comes_in_pieces(void **state)
{
    struct wire wire = {0};
    struct web_reply reply;
    gt_web *web;
    (void) state;
    sample_trace(&wire, 26, 1, 20000);
    assert_status(gt_web_open_memory(&web, wire.data, wire.size, NULL, NULL), GT_OK);
    reply = web_get(web, "/jsontrace");
    assert_int_equal(reply.status, 200);
    assert_true(reply.length == GT_WEB_LENGTH_UNKNOWN);
    assert_true(reply.writes > 1);
    assert_int_equal(reply.body[reply.size - 1], '\n');
    web_reply_free(&reply);
    reply.refuses_write = true;
    assert_status(web_ask(web, "GET", "/jsontrace", &reply), GT_ERR_CALLBACK);
    assert_int_equal(reply.writes, 1);
    web_reply_free(&reply);
    gt_web_close(&web);
    wire_free(&wire);
}

static void *ask_all(void *user_data)
{
    gt_web *web = user_data;
    for (size_t i = 0; i < TARGETS; i++) {
        struct web_reply reply = web_get_made(web, targets[i]);
        web_reply_free(&reply);
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
    struct web_reply reply;
    (void) state;
    options.flags = GT_WEB_NO_THREADS;
    options.page_directory = files_testdata();
    web = web_open_trace("v2/go1.27-tasks.trace", &options);
    reply = web_get(web, "/static/README.md");
    assert_int_equal(reply.status, 200);
    assert_non_null(strstr(reply.headers, "Cache-Control: no-store\n"));
    assert_true(reply.size > 0);
    web_reply_free(&reply);
    reply = web_get(web, "/static/../meson.build");
    assert_int_equal(reply.status, 404);
    web_reply_free(&reply);
    reply = web_get(web, "/");
    assert_int_equal(reply.status, 404);
    web_reply_free(&reply);
    gt_web_close(&web);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_ways_of_opening_answer_the_same),
        cmocka_unit_test(test_head_has_the_length_and_no_body),
        cmocka_unit_test(test_unknown_paths_and_methods_are_answered),
        cmocka_unit_test(test_malformed_query_is_refused),
        cmocka_unit_test(test_tree_has_tasks_that_are_their_own_ancestors),
        cmocka_unit_test(test_region_without_length_is_listed),
        cmocka_unit_test(test_page_has_its_policy),
        cmocka_unit_test(test_only_files_with_their_version_are_kept),
        cmocka_unit_test(test_host_says_which_sites_may_embed_the_page),
        cmocka_unit_test(test_host_says_where_its_traces_are),
        cmocka_unit_test(test_memory_of_the_process_is_what_the_host_says),
        cmocka_unit_test(test_client_that_goes_away_ends_the_answer),
        cmocka_unit_test(test_long_body_comes_in_pieces),
        cmocka_unit_test(test_threads_may_ask_at_once_while_it_loads),
        cmocka_unit_test(test_page_comes_from_a_directory),
    };

    return cmocka_run_group_tests_name("web", tests, NULL, NULL);
}
