/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libgotrace-web answers while allocations fail. The linker replaces the functions of libc
 * that the library calls by those below, with --wrap.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/web.h>

#include "support/sample.h"
#include "support/test.h"

enum {
    BODY_MAX = 1 << 20
};

/* How many allocations succeed before one fails, or -1 if none does; and whether one did. */
static long successes = -1;
static bool has_failed;
/* Whether all that follow fail as well. */
static bool is_permanent;
/* Blocks that were allocated and not freed. */
static long blocks;

/* NOLINTBEGIN: --wrap defines these names. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void __wrap_free(void *block);

static bool allocation_fails(void)
{
    if (has_failed && is_permanent)
        return true;
    if (successes < 0 || successes-- > 0)
        return false;
    has_failed = true;
    return true;
}

void *__wrap_malloc(size_t bytes)
{
    void *block = allocation_fails() ? NULL : __real_malloc(bytes);
    blocks += block != NULL;
    return block;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    void *block = allocation_fails() ? NULL : __real_calloc(count, bytes);
    blocks += block != NULL;
    return block;
}

void *__wrap_realloc(void *old, size_t bytes)
{
    void *block = allocation_fails() ? NULL : __real_realloc(old, bytes);
    blocks += block && !old;
    return block;
}

void __wrap_free(void *block)
{
    blocks -= block != NULL;
    __real_free(block);
}

/* NOLINTEND */

/* From now on `count` allocations succeed; the next one fails, or all that follow. */
static void fail_after(long count, bool permanently)
{
    successes = count;
    is_permanent = permanently;
    has_failed = false;
}

/* Ends that. Returns whether an allocation failed. */
static bool fail_no_more(void)
{
    bool did = has_failed;
    successes = -1;
    has_failed = false;
    return did;
}

struct reply {
    gt_status status;
    uint32_t code;
    size_t size;
    char body[BODY_MAX];
};

static int begin(void *user_data, uint32_t status, const gt_web_header *headers, size_t count,
                 uint64_t length)
{
    struct reply *reply = user_data;
    (void) headers;
    (void) count;
    (void) length;
    reply->code = status;
    return 0;
}

static int write_body(void *user_data, const void *data, size_t size)
{
    struct reply *reply = user_data;
    assert_true(size < BODY_MAX - reply->size);
    memcpy(reply->body + reply->size, data, size);
    reply->size += size;
    return 0;
}

/* Sends a GET for a path and, behind a '?', its query. */
static void ask(gt_web *web, const char *target, struct reply *reply)
{
    char path[256];
    gt_web_client client = GT_WEB_CLIENT_INIT;
    gt_web_request request = GT_WEB_REQUEST_INIT;
    size_t size = strcspn(target, "?");
    assert_true(size < sizeof(path));
    memcpy(path, target, size);
    path[size] = '\0';
    client.user_data = reply;
    client.begin = begin;
    client.write = write_body;
    request.method = "GET";
    request.path = path;
    request.query = target[size] == '?' ? target + size + 1 : NULL;
    reply->code = 0;
    reply->size = 0;
    reply->status = gt_web_answer(web, &request, &client);
    reply->body[reply->size] = '\0';
}

/* The same, but makes the analysis that the answer needs. */
static void ask_made(gt_web *web, const char *target, struct reply *reply)
{
    ask(web, target, reply);
    for (int i = 0; i < 3 && reply->code == 202; i++) {
        gt_web_step(web, 0);
        ask(web, target, reply);
    }
}

static const char *const targets[] = {
    "/api/rows?view=proc&count=10",
    "/api/rows?view=goroutine&sort=name&desc=1&count=20",
    "/api/rows?view=goroutine&q=string%203&count=20",
    "/api/row?view=goroutine&id=1",
    "/api/tiles?tracks=0,1,2,3&level=3&index=0",
    "/api/span?track=0&index=0",
    "/api/arrows?tracks=0,1,2,3&start=0&end=1000000",
    "/api/marks?tracks=0,1,2,3&start=0&end=1000000",
    "/api/gc?start=0&end=1000000",
    "/api/counters?bins=20",
    "/api/area",
    "/api/area.csv",
    "/api/flame?kind=running",
    "/api/flame?kind=wall",
    "/api/flame?kind=cpu",
    "/api/flame.pprof",
    "/api/search?q=string%202",
    "/api/groups",
    "/api/group?name=string%202%20of%20generation%201",
    "/api/tasks",
    "/api/regions",
    "/api/mmu",
    "/api/mmu/worst?window=10000",
    "/api/profile?kind=sched",
    "/api/minimap?bins=50",
};

enum {
    TARGETS = sizeof(targets) / sizeof(targets[0])
};

static struct wire wire;

static gt_web *open_loaded(void)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web;
    options.flags = GT_WEB_NO_THREADS;
    assert_status(gt_web_open_memory(&web, wire.data, wire.size, &options, NULL), GT_OK);
    while (gt_web_step(web, 0) == GT_OK)
        continue;
    return web;
}

static bool is_same(const struct reply *a, const struct reply *b)
{
    return a->status == b->status && a->code == b->code && a->size == b->size &&
           memcmp(a->body, b->body, a->size) == 0;
}

/* Whether the client learns that the answer is missing or not complete. */
static bool is_refusal(const struct reply *reply)
{
    return reply->status != GT_OK || reply->code == 503;
}

/* Lets each allocation of an answer fail. Returns how many there are. */
static long check_target(gt_web *web, const char *target, bool permanently)
{
    static struct reply expected, reply;
    for (long count = 0;; count++) {
        fail_after(count, permanently);
        ask_made(web, target, &reply);
        bool failed = fail_no_more();
        /* What was made is kept, so this comes behind the first answers. */
        ask_made(web, target, &expected);
        if (expected.status != GT_OK || expected.code != 200)
            fail_msg("%s: %d, %u", target, (int) expected.status, expected.code);
        if (!is_same(&reply, &expected) && !(failed && is_refusal(&reply)))
            fail_msg("%s, without allocation %ld: %u %s", target, count, reply.code, reply.body);
        if (!failed)
            return count;
    }
}

static void check_targets(bool permanently)
{
    long before = blocks, count = 0;
    gt_web *web = open_loaded();
    for (size_t i = 0; i < TARGETS; i++)
        count += check_target(web, targets[i], permanently);
    assert_true(count > 50);
    gt_web_close(&web);
    assert_int_equal(blocks, before);
}

static void test_answer_without_memory_says_so(void **state)
{
    (void) state;
    check_targets(false);
    check_targets(true);
}

/* An analysis is made at the first request, and again if it failed. */
static void test_analysis_without_memory_is_made_again(void **state)
{
    static const char *const analyses[] = {"/api/groups", "/api/mmu", "/api/profile?kind=sched"};
    static struct reply reply;
    (void) state;
    for (size_t i = 0; i < sizeof(analyses) / sizeof(analyses[0]); i++) {
        long before = blocks, count = 0;
        gt_web *web = open_loaded();
        for (bool failed = true; failed; count++) {
            fail_after(count, false);
            ask_made(web, analyses[i], &reply);
            failed = fail_no_more();
            if (!(reply.status == GT_OK && reply.code == 200) && !(failed && is_refusal(&reply)))
                fail_msg("%s, without allocation %ld: %u %s", analyses[i], count, reply.code,
                         reply.body);
            if (reply.code == 200)
                break;
        }
        assert_true(count > 3);
        gt_web_close(&web);
        assert_int_equal(blocks, before);
    }
}

/* A trace that could not be loaded whole is not shown as if it were. */
static void test_loading_without_memory_is_reported(void **state)
{
    static struct reply expected[TARGETS], reply;
    long before = blocks, count = 0;
    gt_web *web = open_loaded();
    (void) state;
    for (size_t i = 0; i < TARGETS; i++)
        ask_made(web, targets[i], &expected[i]);
    gt_web_close(&web);
    for (bool failed = true; failed; count++) {
        gt_web_progress progress = GT_WEB_PROGRESS_INIT;
        gt_web_options options = GT_WEB_OPTIONS_INIT;
        options.flags = GT_WEB_NO_THREADS;
        fail_after(count, false);
        gt_status status = gt_web_open_memory(&web, wire.data, wire.size, &options, NULL);
        while (status == GT_OK && gt_web_step(web, 0) == GT_OK)
            continue;
        failed = fail_no_more();
        assert_true(status == GT_OK || (failed && status == GT_ERR_NO_MEMORY));
        if (status != GT_OK)
            continue;
        assert_status(gt_web_get_progress(web, &progress), GT_OK);
        for (size_t i = 0; i < TARGETS && progress.status == GT_OK; i++) {
            ask_made(web, targets[i], &reply);
            if (!is_same(&reply, &expected[i]))
                fail_msg("%s, loaded without allocation %ld: %s", targets[i], count, reply.body);
        }
        assert_true(progress.status == GT_OK || (failed && progress.status == GT_ERR_NO_MEMORY));
        gt_web_close(&web);
    }
    assert_true(count > 20);
    assert_int_equal(blocks, before);
}

/* Asks for 32 different analyses, more than are kept at a time. */
static void ask_for_many(gt_web *web, const char *path)
{
    static const char *const flags[] = {"stw", "background", "assist", "sweep", "perProc"};
    static struct reply reply;
    for (unsigned set = 0; set < 1u << 5; set++) {
        char target[200];
        size_t used = (size_t) snprintf(target, sizeof(target), "%s", path);
        for (unsigned i = 0; i < 5; i++) {
            if (set >> i & 1)
                used += (size_t) snprintf(target + used, sizeof(target) - used, "%%7C%s", flags[i]);
        }
        ask_made(web, target, &reply);
        if (reply.code != 200)
            fail_msg("%s: %u %s", target, reply.code, reply.body);
    }
}

/* Analyses that nobody uses any more make room for others. */
static void test_analyses_make_room_for_others(void **state)
{
    gt_web *web = open_loaded();
    (void) state;
    ask_for_many(web, "/api/mmu?flags=");
    ask_for_many(web, "/api/mmu/worst?window=1000&flags=");
    gt_web_close(&web);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answer_without_memory_says_so),
        cmocka_unit_test(test_analysis_without_memory_is_made_again),
        cmocka_unit_test(test_loading_without_memory_is_reported),
        cmocka_unit_test(test_analyses_make_room_for_others),
    };
    sample_trace(&wire, 26, 2, 400);
    int failed = cmocka_run_group_tests_name("web_memory", tests, NULL, NULL);
    wire_free(&wire);
    return failed;
}
