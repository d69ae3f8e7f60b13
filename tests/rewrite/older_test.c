/* SPDX-License-Identifier: BSD-3-Clause */

/* A writer for the tools of Go 1.22, whose format lacks some records, and the default version. */

#include <stdlib.h>
#include <string.h>

#include "rewrite/copy.h"
#include "support/files.h"
#include "support/gen_events.h"
#include "support/test.h"

/* Goroutine 1 creates coroutine 2 and switches to it, which switches back and ends. */
static void describe_coroutine(struct gen *g)
{
    gen_begin(g, 23);
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
    gen_go_create_blocked(g, 2, GEN_STACK(g, {"main.two", "a.go", 2}), 0);
    gen_go_switch(g, 2);
    gen_label(g, "two");
    gen_go_switch_destroy(g, 1);
}

/* Writes a trace that is described, for Go 1.22, up to event number `last`; 0: all of it. */
static void write_older(struct gen *gen, struct copy *copy, uint64_t last)
{
    gen_end(gen);
    copy_init(copy);
    copy->options.version = 22;
    copy->first = last != 0;
    copy->last = last;
    copy_make(copy, gen->wire.data, gen->wire.size);
    gen_free(gen);
    assert_status(copy->wrote, GT_OK);
    assert_int_equal(copy->info.version, 22);
    copy_expect_own_records(copy);
    struct findings found = copy_validate(copy->out.data, copy->out.size);
    assert_status(found.read, GT_END);
    assert_int_equal(found.findings, 0);
}

static void test_switches_are_what_they_consist_of(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    describe_coroutine(&g);
    write_older(&g, &copy, 0);
    r.reader = copy_open(&copy);
    reading_sync(&r);
    reading_skip(&r, 2);
    reading_goroutine(&r, 2, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    /* It waits, as the coroutine does: 1 lets it run for that. */
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNABLE);
    reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_WAITING);
    reading_goroutine(&r, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_WAITING);
    reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_next(&r, GT_EVENT_LABEL);
    reading_goroutine(&r, 1, GT_GO_WAITING, GT_GO_RUNNABLE);
    reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_NOT_EXIST);
    reading_goroutine(&r, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_end(&r);
    assert_int_equal(copy.info.made_up, 4);
    copy_free(&copy);
}

/* The scheduler creates a coroutine that waits while no goroutine runs. */
static void test_coroutine_that_no_goroutine_creates_runs_for_a_moment(void **state)
{
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    gen_begin(&g, 23);
    gen_generation(&g, 1);
    gen_on(&g, 5);
    gen_proc_status(&g, 0, PROC_RUNNING);
    gen_go_create_blocked(&g, 2, 0, 0);
    gen_go_unblock(&g, 2, 0);
    write_older(&g, &copy, 0);
    r.reader = copy_open(&copy);
    reading_sync(&r);
    reading_skip(&r, 1);
    reading_goroutine(&r, 2, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_WAITING);
    reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
    reading_end(&r);
    assert_int_equal(copy.info.made_up, 2);
    copy_free(&copy);
}

static void test_experiments_are_left_out_and_counted(void **state)
{
    static const char batch[] = "\1\0\0\0";
    struct reading r = {0};
    struct gen g = {0};
    struct copy copy;
    (void) state;
    gen_begin(&g, 23);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    GEN_EVENT(&g, EV_SPAN_FREE, 7);
    gen_label(&g, "after");
    gen_experiment(&g, 1, batch, sizeof(batch));
    write_older(&g, &copy, 0);
    assert_int_equal(copy.info.left_out, 1);
    assert_int_equal(copy.info.events, 3);
    r.reader = copy_open(&copy);
    reading_sync(&r);
    reading_skip(&r, 2);
    reading_next(&r, GT_EVENT_LABEL);
    reading_end(&r);
    copy_free(&copy);
}

static void test_statuses_lose_their_stacks(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    gen_begin(&g, 23);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    gen_go_status_stack(&g, 2, WIRE_NONE, GO_WAITING, GEN_STACK(&g, {"main.two", "a.go", 2}));
    write_older(&g, &copy, 0);
    struct reading r = {.reader = copy_open(&copy)};
    reading_sync(&r);
    reading_skip(&r, 2);
    reading_goroutine(&r, 2, GT_GO_UNDETERMINED, GT_GO_WAITING);
    assert_true(gt_event_stack(r.event) == GT_STACK_NONE);
    reading_end(&r);
    copy_free(&copy);
}

/* The reader of Go 1.22 takes a generation without events for a broken trace. */
static void test_generation_without_events_is_left_out(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    for (unsigned events = 0; events < 2; events++) {
        gen_begin(&g, 23);
        gen_generation(&g, 1);
        gen_running(&g, 5, 0, 1);
        gen_generation(&g, 2);
        gen_running(&g, 5, 0, 1);
        write_older(&g, &copy, 4 + events);
        assert_int_equal(copy.info.generations, 1 + events);
        assert_int_equal(copy.info.events, 2 + events);
        copy_free(&copy);
    }
}

static void test_trace_without_events_has_one_generation(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    gen_begin(&g, 23);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    write_older(&g, &copy, 1);
    assert_int_equal(copy.info.generations, 1);
    assert_int_equal(copy.info.events, 0);
    copy_free(&copy);
}

static void test_no_time_is_left_for_a_coroutine(void **state)
{
    struct gen g = {0};
    struct copy copy;
    (void) state;
    gen_begin(&g, 23);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    gen_go_create_blocked(&g, 2, 0, 0);
    gen_end(&g);
    copy_init(&copy);
    copy.options.version = 22;
    copy.options.offset = INT64_MAX - 3 - (int64_t) g.time;
    copy_make(&copy, g.wire.data, g.wire.size);
    assert_status(copy.wrote, GT_ERR_NOT_AVAILABLE);
    assert_non_null(strstr(copy.error.message, "no times left"));
    gen_free(&g);
    copy_free(&copy);
}

/* Asserts which version a trace of testdata is written in if the caller does not say it. */
static void expect_default(const char *name, uint32_t version)
{
    char *path = files_join(files_testdata(), name);
    struct copy copy;
    size_t size;
    uint8_t *data = files_read(path, &size);
    copy_init(&copy);
    copy_make(&copy, data, size);
    assert_status(copy.wrote, GT_OK);
    assert_int_equal(copy.info.version, version);
    copy_free(&copy);
    free(data);
    free(path);
}

static void test_default_is_a_version_that_the_recording_go_reads(void **state)
{
    (void) state;
    expect_default("v2/go1.22-chan.trace", 22);
    expect_default("v2/go1.23-chan.trace", 23);
    expect_default("v2/go1.24-chan.trace", 23);
    expect_default("v2/go1.25-chan.trace", 25);
    expect_default("v2/go1.26-chan.trace", 26);
    expect_default("v2/go1.27-chan.trace", 26);
    expect_default("v1/go1.21-chan.trace", 23);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_switches_are_what_they_consist_of),
        cmocka_unit_test(test_coroutine_that_no_goroutine_creates_runs_for_a_moment),
        cmocka_unit_test(test_experiments_are_left_out_and_counted),
        cmocka_unit_test(test_statuses_lose_their_stacks),
        cmocka_unit_test(test_generation_without_events_is_left_out),
        cmocka_unit_test(test_trace_without_events_has_one_generation),
        cmocka_unit_test(test_no_time_is_left_for_a_coroutine),
        cmocka_unit_test(test_default_is_a_version_that_the_recording_go_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
