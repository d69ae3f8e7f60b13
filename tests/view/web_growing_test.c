/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces that grow while libgotrace-web shows them, through its public header. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gotrace/web.h>

#include "support/files.h"
#include "support/test.h"

#include "view/web_client.h"

enum {
    CURSORS = 16,
    DEADLINE = 20
};

/* A recording, of which some bytes have come, and the positions of its readers. */
struct growing {
    uint8_t *data;
    size_t size;
    atomic_size_t come;
    atomic_bool is_over;

    struct cursor {
        struct growing *growing;
        size_t position;
    } cursors[CURSORS];

    atomic_size_t opened;
    atomic_int stops;
};

static int64_t growing_read(void *user_data, void *buffer, size_t capacity)
{
    struct cursor *cursor = user_data;
    bool is_over = atomic_load(&cursor->growing->is_over);
    size_t left = atomic_load(&cursor->growing->come) - cursor->position;
    size_t size = left < capacity ? left : capacity;
    if (size == 0)
        return is_over ? 0 : GT_READ_AGAIN;
    memcpy(buffer, cursor->growing->data + cursor->position, size);
    cursor->position += size;
    return (int64_t) size;
}

static gt_status growing_open(void *user_data, const gt_reader_options *options, gt_reader **reader,
                              gt_error *error)
{
    struct growing *growing = user_data;
    size_t index = atomic_fetch_add(&growing->opened, 1);
    assert_true(index < CURSORS);
    growing->cursors[index] = (struct cursor){.growing = growing};
    return gt_reader_open_callback(reader, growing_read, &growing->cursors[index], options, error);
}

static void growing_stop(void *user_data)
{
    struct growing *growing = user_data;
    atomic_fetch_add(&growing->stops, 1);
}

static void growing_init(struct growing *growing)
{
    char *path = web_trace_path("v2/go1.27-gens.trace");
    memset(growing, 0, sizeof(*growing));
    growing->data = files_read(path, &growing->size);
    free(path);
}

static gt_web *growing_view(struct growing *growing, uint64_t flags)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web;
    options.flags = flags;
    options.user_data = growing;
    options.stop_recording = growing_stop;
    assert_status(gt_web_open_callback(&web, growing_open, growing, 0, &options, NULL), GT_OK);
    return web;
}

static bool answer_has(gt_web *web, const char *text)
{
    struct web_reply reply = web_get(web, "/api/trace");
    bool found = strstr(reply.body, text);
    web_reply_free(&reply);
    return found;
}

/* Waits until /api/trace has a text. */
static void await_answer(gt_web *web, const char *text)
{
    time_t end = time(NULL) + DEADLINE;
    while (!answer_has(web, text)) {
        assert_true(time(NULL) < end);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

static void expect_whole(gt_web *web)
{
    gt_web *whole = web_open_trace("v2/go1.27-gens.trace", NULL);
    const char *const targets[] = {"/api/rows?view=goroutine", "/api/counters", "/api/groups",
                                   "/api/gc/summary"};
    web_await_loaded(whole);
    assert_int_equal(web_progress(web).events, web_progress(whole).events);
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        struct web_reply here = web_get_made(web, targets[i]);
        struct web_reply there = web_get_made(whole, targets[i]);
        assert_string_equal(here.body, there.body);
        web_reply_free(&here);
        web_reply_free(&there);
    }
    gt_web_close(&whole);
}

static void test_timeline_grows_with_the_trace(void **state)
{
    struct growing growing;
    gt_web *web;
    uint64_t events = 0;
    int grown = 0;
    (void) state;
    growing_init(&growing);
    web = growing_view(&growing, 0);
    await_answer(web, "\"live\":true");
    for (size_t come = 0; come < growing.size; come += growing.size / 4) {
        atomic_store(&growing.come, come);
        nanosleep(&(struct timespec){.tv_nsec = 120000000}, NULL);
        grown += web_progress(web).events > events;
        events = web_progress(web).events;
        assert_true(answer_has(web, "\"done\":false") && answer_has(web, "\"live\":true"));
    }
    assert_true(grown >= 2);
    atomic_store(&growing.come, growing.size);
    atomic_store(&growing.is_over, true);
    await_answer(web, "\"done\":true");
    assert_true(answer_has(web, "\"live\":false") && answer_has(web, "\"lag\":null"));
    expect_whole(web);
    gt_web_close(&web);
    free(growing.data);
}

/* What there is can be analysed before the end, and is analysed again after it. */
static void test_analyses_are_made_while_the_trace_grows(void **state)
{
    struct growing growing;
    gt_web *web;
    (void) state;
    growing_init(&growing);
    atomic_store(&growing.come, growing.size / 2);
    web = growing_view(&growing, 0);
    await_answer(web, "\"live\":true");
    struct web_reply half = web_get_made(web, "/api/groups");
    assert_int_equal(half.status, 200);
    struct web_reply again = web_get(web, "/api/groups");
    assert_int_equal(again.status, 200);
    assert_string_equal(half.body, again.body);
    atomic_store(&growing.come, growing.size);
    atomic_store(&growing.is_over, true);
    web_await_loaded(web);
    struct web_reply all = web_get_made(web, "/api/groups");
    assert_int_equal(all.status, 200);
    assert_string_not_equal(half.body, all.body);
    expect_whole(web);
    web_reply_free(&half);
    web_reply_free(&again);
    web_reply_free(&all);
    gt_web_close(&web);
    free(growing.data);
}

/* Neither a step nor an answer waits for what has not been recorded. */
static void test_steps_load_what_has_come(void **state)
{
    struct growing growing;
    gt_web *web;
    (void) state;
    growing_init(&growing);
    atomic_store(&growing.come, growing.size / 2);
    web = growing_view(&growing, GT_WEB_NO_THREADS);
    assert_status(gt_web_step(web, UINT64_MAX), GT_OK);
    uint64_t events = web_progress(web).events;
    assert_true(events > 0);
    assert_true(answer_has(web, "\"live\":true"));
    struct web_reply reply = web_get(web, "/sched?raw=1");
    assert_int_equal(reply.status, 200);
    web_reply_free(&reply);
    assert_status(gt_web_step(web, UINT64_MAX), GT_OK);
    assert_int_equal(web_progress(web).events, events);
    atomic_store(&growing.come, growing.size);
    atomic_store(&growing.is_over, true);
    web_load_in_steps(web);
    gt_web_close(&web);
    free(growing.data);
}

static void expect_get(gt_web *web, const char *target, uint32_t status)
{
    struct web_reply reply = web_get(web, target);
    assert_int_equal(reply.status, status);
    assert_true(status != 410 || strstr(reply.body, "this part of the recording was let go"));
    web_reply_free(&reply);
}

static void test_request_for_another_epoch_is_answered_with_410(void **state)
{
    struct growing growing;
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web;
    (void) state;
    growing_init(&growing);
    atomic_store(&growing.come, growing.size);
    options.epoch = 3;
    options.dropped = 123456789;
    assert_status(gt_web_open_callback(&web, growing_open, &growing, 0, &options, NULL), GT_OK);
    await_answer(web, "\"epoch\":3,\"dropped\":123456789");
    await_answer(web, "\"live\":true");
    assert_int_equal(web_progress(web).live, 1);
    expect_get(web, "/api/rows?view=proc", 200);
    expect_get(web, "/api/rows?view=proc&epoch=3", 200);
    expect_get(web, "/api/rows?view=proc&epoch=2", 410);
    expect_get(web, "/api/area.csv?epoch=4", 410);
    expect_get(web, "/api/rows?view=proc&epoch=x", 400);
    expect_get(web, "/nothing?epoch=2", 404);
    gt_web_close(&web);
    web = growing_view(&growing, 0);
    expect_get(web, "/api/rows?view=proc&epoch=2", 200);
    gt_web_close(&web);
    free(growing.data);
}

static void expect_status(gt_web *web, const char *target, uint64_t flags, uint32_t status)
{
    struct web_reply reply = {0};
    assert_status(web_post(web, target, "", 0, flags, &reply), GT_OK);
    assert_int_equal(reply.status, status);
    web_reply_free(&reply);
}

static void test_recording_is_stopped_by_those_who_may(void **state)
{
    struct growing growing;
    gt_web *web, *other;
    (void) state;
    growing_init(&growing);
    web = growing_view(&growing, 0);
    expect_status(web, "/api/live?do=stop", 0, 403);
    expect_status(web, "/api/live?do=start", GT_WEB_MAY_CHANGE, 400);
    expect_status(web, "/api/live", GT_WEB_MAY_CHANGE, 400);
    assert_int_equal(growing.stops, 0);
    expect_status(web, "/api/live?do=stop", GT_WEB_MAY_CHANGE, 200);
    assert_int_equal(growing.stops, 1);
    other = web_open_trace("v2/go1.27-gens.trace", NULL);
    expect_status(other, "/api/live?do=stop", GT_WEB_MAY_CHANGE, 403);
    gt_web_close(&other);
    gt_web_close(&web);
    free(growing.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_timeline_grows_with_the_trace),
        cmocka_unit_test(test_analyses_are_made_while_the_trace_grows),
        cmocka_unit_test(test_steps_load_what_has_come),
        cmocka_unit_test(test_request_for_another_epoch_is_answered_with_410),
        cmocka_unit_test(test_recording_is_stopped_by_those_who_may),
    };
    return cmocka_run_group_tests_name("web_growing", tests, NULL, NULL);
}
