/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Tests libgotrace-web with an allocator that fails. Whichever allocation fails, an answer must be
 * the right one, status 503, or visibly cut off, and nothing may be lost or leaked.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/web.h>

#include "support/files.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"

#include "view/web_client.h"

/* Up to EACH every allocation is made to fail; of later ones, about FURTHER for each doubling. */
#define EACH    (TEST_SANITIZED ? 20 : 120)
#define FURTHER (TEST_SANITIZED ? 3 : 12)

static const char *const traces[] = {
    NULL,                    /* that of sample_trace */
    "v2/go1.27-tasks.trace", /* with tasks, regions and logs */
    "v1/go1.19-cut.trace",   /* with repairs */
};

enum {
    TRACES = sizeof(traces) / sizeof(traces[0])
};

/* Every path of the interface at least once, with as much of an answer as there can be. */
static const char *const targets[] = {
    "/",
    "/trace",
    "/static/detail.css",
    "/favicon.ico",
    "/goroutines",
    "/nothing/here",
    "/api/rows?view=proc&count=10",
    "/api/rows?view=goroutine&sort=name&desc=1&count=20",
    "/api/rows?view=goroutine&q=string%203&count=20",
    "/api/tiles?tracks=0,1,2,3&level=3&index=0",
    "/api/arrows?tracks=0,1,2,3&start=0&end=1000000",
    "/api/marks?tracks=0,1,2,3&start=0&end=1000000",
    "/api/gc?start=0&end=1000000",
    "/api/counters?bins=20",
    "/api/area.csv",
    "/api/flame?kind=running",
    "/api/flame.pprof",
    "/api/search?q=string%202",
    "/api/group?name=string%202%20of%20generation%201",
    "/api/minimap?bins=50",
    "/api/activity?view=goroutine&headers=0,1,2&bins=20",
    "/api/area",
    "/api/area?tracks=0,1,2,3&start=0&end=1000000000",
    "/api/area.csv?view=goroutine",
    "/api/area.pftrace?view=proc",
    "/api/area.pftrace?start=20&tracks=0,1,2,3",
    "/api/area.trace",
    "/api/area.trace?start=20",
    "/api/arrows?tracks=0,1,2,3,4,5,6,7,8,9,10,11,12",
    "/api/counters",
    "/api/counters/at?t=5000",
    "/api/flame?kind=wall",
    "/api/flame?kind=cpu",
    "/api/flame.pprof?kind=wall",
    "/api/gc",
    "/api/gc/cycles?sort=heap",
    "/api/gc/stops?cause=GC+mark+termination",
    "/api/gc/summary",
    "/api/group?name=main.main",
    "/api/group?name=runtime.bgsweep&sort=execution",
    "/api/groups",
    "/api/groups?first=1&count=2",
    "/api/losses",
    "/api/losses?view=thread&bins=20",
    "/api/mark?index=0",
    "/api/marks",
    "/api/marks?tracks=0,1,2,3,4,5,6,7,8,9",
    "/api/minimap",
    "/api/mmu",
    "/api/mmu?flags=perproc|stw",
    "/api/mmu/worst?window=10000",
    "/api/notes",
    "/api/profile?kind=sched",
    "/api/profile?kind=block",
    "/api/profile?kind=syscall&name=main.main",
    "/api/profile?kind=regionblock&type=step&pc=1",
    "/api/region",
    "/api/region?type=step",
    "/api/regions",
    "/api/report",
    "/api/row?view=goroutine&id=1",
    "/api/rows?view=goroutine",
    "/api/rows?view=goroutine&sort=name&group=1",
    "/api/rows?view=goroutine&sort=parent",
    "/api/rows?view=goroutine&sort=duration&desc=1&filter=main",
    "/api/rows?view=proc&hide=1&start=0&end=1000",
    "/api/rows?view=task",
    "/api/rows?view=task&tree=1&filter=main",
    "/api/row?view=goroutine&id=1&tree=1",
    "/api/area?tree=1",
    "/api/flame?tree=1&kind=wall",
    "/api/search?q=main&tree=1",
    "/api/search?q=main",
    "/api/search?q=kind:state+main",
    "/api/search?q=stack:main+goroutine:1",
    "/api/search?q=running+%3E1us",
    "/api/search?q=ended:no&tracks=0,1,2,3",
    "/api/search/table?q=kind:state+/run|wait/&sort=name",
    "/api/search/table?q=dur%3E1us&latmax=1ms&count=10",
    "/api/search.csv?q=main",
    "/api/span?track=0&index=0",
    "/api/span?track=12&index=1",
    "/api/task",
    "/api/task?sort=id&logtext=a",
    "/api/tasks",
    "/api/tiles?level=12&index=0&tracks=0,1,2,3,4,5,6,7,8,9,10,11,12",
    "/api/trace",
    "/api/why?goroutine=1&nodes=1",
    "/api/why?task=1&count=3&sort=time&desc=1",
    "/api/why?tree=1",
    "/api/why?nodes=1&lines=1&count=5",
    "/io?raw=1",
    "/block?raw=1",
    "/regionblock?raw=1",
    "/jsontrace?start=0&end=1000000",
    "/jsontrace",
};

enum {
    TARGETS = sizeof(targets) / sizeof(targets[0])
};

/* An answer, or what was passed on of it. */
struct reply {
    gt_status result;
    uint32_t status;
    char *body;
    size_t size;
};

static struct reply ask_once(gt_web *web, const char *target)
{
    struct web_reply answer = {0};
    gt_status result = web_ask(web, "GET", target, &answer);
    assert_int_equal(answer.begins, 1);
    return (struct reply){result, answer.status, answer.body, answer.size};
}

/* The answer once the analysis that it needs has been made. */
static struct reply ask(gt_web *web, const char *target)
{
    struct reply reply = ask_once(web, target);
    while (reply.status == 202) {
        free(reply.body);
        gt_web_step(web, UINT64_MAX);
        reply = ask_once(web, target);
    }
    return reply;
}

static bool reply_equals(const struct reply *reply, const struct reply *expected)
{
    return reply->result == GT_OK && reply->status == expected->status &&
           reply->size == expected->size &&
           (reply->size == 0 || memcmp(reply->body, expected->body, reply->size) == 0);
}

/* Whether the reply is a status without a body, or with {"error":...}. */
static bool reply_is_failure(const struct reply *reply)
{
    const char *start = "{\"error\":\"";
    return reply->result == GT_OK && reply->status == 503 &&
           (reply->size == 0 ||
            (reply->size > strlen(start) && memcmp(reply->body, start, strlen(start)) == 0));
}

/* Whether the reply is the beginning of the expected one, and the host knows that. */
static bool reply_is_cut(const struct reply *reply, const struct reply *expected)
{
    return reply->result == GT_ERR_NOT_AVAILABLE && reply->status == expected->status &&
           reply->size < expected->size && memcmp(reply->body, expected->body, reply->size) == 0;
}

/* A trace in memory, and the right answers. */
struct fixture {
    uint8_t *data;
    size_t size;
    struct reply expected[TARGETS];
    /* Whether the web keeps something for the next request, which then allocates less. */
    bool is_kept[TARGETS];
};

static gt_status load_notes(void *user_data, void *buffer, size_t capacity, size_t *size,
                            gt_error *error)
{
    static const char notes[] = "{\"version\":1,\"notes\":[{\"time\":5,\"text\":\"x\"}]}";
    (void) user_data;
    (void) error;
    assert_true(capacity >= strlen(notes));
    *size = strlen(notes);
    memcpy(buffer, notes, *size);
    return GT_OK;
}

static gt_status open_trace(const struct fixture *f, struct probe *probe, gt_web **web)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    options.flags = GT_WEB_NO_THREADS;
    options.name = "trace";
    options.notes_name = "notes";
    options.load_notes = load_notes;
    options.allocator = &probe->allocator;
    gt_status status = gt_web_open_memory(web, f->data, f->size, &options, &error);
    assert_int_equal(error.status, status);
    assert_true((status == GT_OK) == (*web != NULL));
    return status;
}

static gt_web *open_loaded(const struct fixture *f, struct probe *probe)
{
    gt_web *web;
    probe_init(probe);
    assert_status(open_trace(f, probe, &web), GT_OK);
    while (gt_web_step(web, UINT64_MAX) == GT_OK)
        continue;
    return web;
}

static void close_all(gt_web *web, const struct probe *probe)
{
    gt_web_close(&web);
    probe_check(probe);
}

static void fixture_read(struct fixture *f, const char *trace)
{
    struct wire wire = {0};
    if (trace) {
        char *path = files_join(files_testdata(), trace);
        f->data = files_read(path, &f->size);
        assert_non_null(f->data);
        free(path);
    } else {
        sample_trace(&wire, 26, 2, 100);
        f->data = wire.data;
        f->size = wire.size;
    }
}

static void fixture_open(struct fixture *f, const char *trace)
{
    struct probe probe;
    size_t good = 0;
    fixture_read(f, trace);
    for (size_t i = 0; i < TARGETS; i++) {
        gt_web *web = open_loaded(f, &probe);
        uint64_t before = probe.calls;
        f->expected[i] = ask(web, targets[i]);
        uint64_t between = probe.calls;
        struct reply again = ask(web, targets[i]);
        assert_true(reply_equals(&again, &f->expected[i]));
        free(again.body);
        f->is_kept[i] = probe.calls - between != between - before;
        assert_status(f->expected[i].result, GT_OK);
        assert_in_range(f->expected[i].status, 200, 404);
        good += f->expected[i].status == 200;
        close_all(web, &probe);
    }
    assert_true(good >= TARGETS / 2);
    assert_true(trace || good == TARGETS - 6);
}

static void fixture_close(struct fixture *f)
{
    for (size_t i = 0; i < TARGETS; i++)
        free(f->expected[i].body);
    free(f->data);
}

/* The next allocation that is to fail. Where all that follow fail too, few beginnings suffice. */
static uint64_t after(uint64_t n, bool go_on)
{
    return go_on ? 2 * n : n < EACH ? n + 1 : n + n / FURTHER;
}

/*
 * Asks for a target, and lets the allocation number `n` fail, or all from there on. Returns whether
 * that many are made. The next answer must be right again.
 */
static bool fail_answer(const struct fixture *f, gt_web *web, struct probe *probe, size_t i,
                        uint64_t n, bool go_on)
{
    const struct reply *expected = &f->expected[i];
    probe->failed = 0;
    probe->fail_at = probe->calls + n;
    probe->fail_on = go_on;
    struct reply reply = ask(web, targets[i]);
    bool failed = probe->failed > 0;
    if (!reply_equals(&reply, expected) &&
        !(failed && (reply_is_failure(&reply) || reply_is_cut(&reply, expected))))
        fail_msg("%s, allocation %d: %s, status %d, %d of %d bytes: %.*s", targets[i], (int) n,
                 gt_status_text(reply.result), (int) reply.status, (int) reply.size,
                 (int) expected->size, reply.size < 200 ? (int) reply.size : 200,
                 reply.size > 0 ? reply.body : "");
    free(reply.body);
    probe->fail_at = 0;
    reply = ask(web, targets[i]);
    if (go_on && reply_is_failure(&reply)) {
        /* The answer above had no memory to report that the analysis had failed. */
        free(reply.body);
        reply = ask(web, targets[i]);
    }
    if (!reply_equals(&reply, expected))
        fail_msg("%s after allocation %d failed: status %d, %d of %d bytes", targets[i], (int) n,
                 (int) reply.status, (int) reply.size, (int) expected->size);
    free(reply.body);
    return failed;
}

/* Lets each allocation of an answer fail. Returns how many did. */
static uint64_t fail_answers(const struct fixture *f, size_t i, bool go_on)
{
    struct probe probe;
    uint64_t failures = 0;
    gt_web *web = open_loaded(f, &probe);
    for (uint64_t n = 1; fail_answer(f, web, &probe, i, n, go_on); n = after(n, go_on)) {
        failures++;
        if (!f->is_kept[i])
            continue;
        close_all(web, &probe);
        web = open_loaded(f, &probe);
    }
    close_all(web, &probe);
    return failures;
}

static void test_answer_without_memory_is_right_or_503_or_cut(void **state)
{
    uint64_t failures = 0;
    (void) state;
    for (size_t trace = 0; trace < TRACES; trace++) {
        struct fixture f;
        fixture_open(&f, traces[trace]);
        for (size_t i = 0; i < TARGETS; i++) {
            failures += fail_answers(&f, i, false);
            failures += fail_answers(&f, i, true);
        }
        fixture_close(&f);
    }
    assert_true(failures > 2000);
}

static void test_opening_without_memory_is_an_error(void **state)
{
    (void) state;
    for (size_t trace = 0; trace < TRACES; trace++) {
        struct fixture f;
        gt_status status = GT_ERR_NO_MEMORY;
        uint64_t n = 0;
        fixture_open(&f, traces[trace]);
        while (status != GT_OK) {
            struct probe probe;
            gt_web *web;
            probe_init(&probe);
            probe.fail_at = ++n;
            status = open_trace(&f, &probe, &web);
            assert_status(status, probe.failed > 0 ? GT_ERR_NO_MEMORY : GT_OK);
            close_all(web, &probe);
        }
        assert_true(n > 5);
        fixture_close(&f);
    }
}

/* Loads the trace, and lets the allocation number `n` fail. Returns whether it did. */
static bool fail_loading(const struct fixture *f, uint64_t n)
{
    struct probe probe;
    gt_web *web;
    gt_error error = GT_ERROR_INIT;
    probe_init(&probe);
    assert_status(open_trace(f, &probe, &web), GT_OK);
    probe.fail_at = probe.calls + n;
    while (gt_web_step(web, UINT64_MAX) == GT_OK)
        continue;
    bool failed = probe.failed > 0;
    probe.fail_at = 0;
    assert_status(gt_web_error(web, &error), GT_OK);
    if (error.status == GT_OK || !failed) {
        for (size_t i = 0; i < TARGETS; i++) {
            struct reply reply = ask(web, targets[i]);
            if (!reply_equals(&reply, &f->expected[i]))
                fail_msg("%s after allocation %d of loading failed", targets[i], (int) n);
            free(reply.body);
        }
    } else {
        assert_status(error.status, GT_ERR_NO_MEMORY);
    }
    close_all(web, &probe);
    return failed;
}

static void test_loading_without_memory_ends_with_an_error(void **state)
{
    (void) state;
    for (size_t trace = 0; trace < TRACES; trace++) {
        struct fixture f;
        uint64_t n = 1;
        fixture_open(&f, traces[trace]);
        while (fail_loading(&f, n))
            n = after(n, false);
        assert_true(n > 20);
        fixture_close(&f);
    }
}

/* A probe that several threads may use. */
struct shared {
    struct probe probe;
    pthread_mutex_t lock;
    gt_web *web;
    const struct fixture *fixture;
};

static void *shared_allocate(void *context, size_t bytes)
{
    struct shared *shared = context;
    const gt_allocator *allocator = &shared->probe.allocator;
    pthread_mutex_lock(&shared->lock);
    void *block = allocator->allocate(allocator->context, bytes);
    pthread_mutex_unlock(&shared->lock);
    return block;
}

static void *shared_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    struct shared *shared = context;
    const gt_allocator *allocator = &shared->probe.allocator;
    pthread_mutex_lock(&shared->lock);
    void *moved = allocator->reallocate(allocator->context, block, old_bytes, bytes);
    pthread_mutex_unlock(&shared->lock);
    return moved;
}

static void shared_release(void *context, void *block, size_t bytes)
{
    struct shared *shared = context;
    const gt_allocator *allocator = &shared->probe.allocator;
    pthread_mutex_lock(&shared->lock);
    allocator->release(allocator->context, block, bytes);
    pthread_mutex_unlock(&shared->lock);
}

static void *shared_ask(void *user_data)
{
    struct shared *shared = user_data;
    for (size_t i = 0; i < TARGETS; i++) {
        struct reply reply = ask_once(shared->web, targets[i]);
        free(reply.body);
    }
    return NULL;
}

static void test_memory_of_all_threads_comes_from_the_allocator(void **state)
{
    struct shared shared = {.lock = PTHREAD_MUTEX_INITIALIZER};
    const gt_allocator allocator = {
        sizeof(allocator), &shared, shared_allocate, shared_reallocate, shared_release,
    };
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    struct fixture f;
    pthread_t threads[4];
    (void) state;
    fixture_open(&f, traces[0]);
    probe_init(&shared.probe);
    options.reader_flags = GT_READER_AHEAD;
    options.allocator = &allocator;
    assert_status(gt_web_open_memory(&shared.web, f.data, f.size, &options, NULL), GT_OK);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, shared_ask, &shared), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    close_all(shared.web, &shared.probe);
    assert_true(shared.probe.calls > 500);
    fixture_close(&f);
}

/* Asks for 32 different analyses, more than are kept at a time. */
static void ask_for_many(gt_web *web, const char *path)
{
    static const char *const flags[] = {"stw", "background", "assist", "sweep", "perProc"};
    for (unsigned set = 0; set < 1u << 5; set++) {
        char target[200];
        size_t used = (size_t) snprintf(target, sizeof(target), "%s", path);
        for (unsigned i = 0; i < 5; i++) {
            if (set >> i & 1)
                used += (size_t) snprintf(target + used, sizeof(target) - used, "%%7C%s", flags[i]);
        }
        struct reply reply = ask(web, target);
        if (reply.status != 200)
            fail_msg("%s: %u %.*s", target, reply.status, (int) reply.size, reply.body);
        free(reply.body);
    }
}

/* Analyses that nobody uses any more make room for others. */
static void test_analyses_make_room_for_others(void **state)
{
    struct probe probe;
    struct fixture f;
    (void) state;
    fixture_open(&f, NULL);
    gt_web *web = open_loaded(&f, &probe);
    ask_for_many(web, "/api/mmu?flags=");
    ask_for_many(web, "/api/mmu/worst?window=1000&flags=");
    close_all(web, &probe);
    fixture_close(&f);
}

static void test_allocator_without_a_function_is_refused(void **state)
{
    struct probe probe;
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web;
    (void) state;
    probe_init(&probe);
    probe.allocator.release = NULL;
    options.allocator = &probe.allocator;
    assert_status(gt_web_open_memory(&web, "", 0, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(web);
    assert_int_equal(probe.calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answer_without_memory_is_right_or_503_or_cut),
        cmocka_unit_test(test_opening_without_memory_is_an_error),
        cmocka_unit_test(test_loading_without_memory_ends_with_an_error),
        cmocka_unit_test(test_memory_of_all_threads_comes_from_the_allocator),
        cmocka_unit_test(test_analyses_make_room_for_others),
        cmocka_unit_test(test_allocator_without_a_function_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
