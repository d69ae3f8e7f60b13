/* SPDX-License-Identifier: BSD-3-Clause */

/* Traces that were made for the format of Go 1.21, and calls of a downgrader that are wrong. */

#include <string.h>

#include "rewrite/copy.h"
#include "rewrite/lowered.h"
#include "support/gen_events.h"
#include "support/sample.h"
#include "support/test.h"

static void begin(struct gen *g)
{
    gen_begin(g, 26);
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
}

/* Writes a trace, which can be read then. */
static gt_downgrader_info lower(struct gen *g)
{
    struct lowered lowered;
    gen_end(g);
    lowered_init(&lowered);
    lowered_make(&lowered, g->wire.data, g->wire.size);
    lowered_expect_good(&lowered);
    assert_status(copy_validate(lowered.out.data, lowered.out.size).read, GT_END);
    gt_downgrader_info info = lowered.info;
    lowered_free(&lowered);
    gen_free(g);
    return info;
}

/* The trace cannot be written, and the message says why. */
static void expect_refused(struct gen *g, const char *message)
{
    struct lowered lowered;
    gen_end(g);
    lowered_init(&lowered);
    lowered_make(&lowered, g->wire.data, g->wire.size);
    assert_status(lowered.wrote, GT_ERR_NOT_AVAILABLE);
    assert_non_null(strstr(lowered.error.message, message));
    lowered_free(&lowered);
    gen_free(g);
}

/* A malformed trace tells of a goroutine from before the trace after it has come and gone. */
static void test_goroutine_that_ended_in_a_call_is_named_again(void **state)
{
    struct gen g = {0};
    (void) state;
    begin(&g);
    gen_on(&g, 6);
    gen_go_create_syscall(&g, 33);
    gen_go_destroy_syscall(&g);
    gen_on(&g, 5);
    gen_go_status(&g, 33, WIRE_NONE, GO_WAITING);
    gen_go_unblock(&g, 33, 0);
    gt_downgrader_info info = lower(&g);
    assert_int_equal(info.callbacks, 1);
    assert_int_equal(info.renamed, 1);
    assert_int_equal(info.goroutines, 2);
}

/* A callback whose goroutine has the same id is the same goroutine, unless it has open regions. */
static void test_callbacks_come_again_with_their_goroutine(void **state)
{
    struct gen g = {0};
    (void) state;
    begin(&g);
    gen_proc_status(&g, 1, PROC_IDLE);
    for (unsigned i = 0; i < 3; i++) {
        gen_on(&g, 6);
        gen_go_create_syscall(&g, 33);
        gen_syscall_end_blocked(&g);
        gen_proc_start(&g, 1);
        gen_go_start(&g, 33);
        if (i == 1)
            gen_region_begin(&g, 0, "region", 0);
        gen_syscall_begin(&g, 0);
        gen_on(&g, 7);
        gen_proc_steal(&g, 1, 6);
        gen_on(&g, 6);
        gen_go_destroy_syscall(&g);
    }
    gt_downgrader_info info = lower(&g);
    assert_int_equal(info.callbacks, 3);
    assert_int_equal(info.renamed, 1);
}

/* They go on in another generation, which says so again. */
static void test_ranges_last_over_generations(void **state)
{
    struct gen g = {0};
    (void) state;
    gen_begin(&g, 26);
    gen_generation(&g, 1);
    gen_gc_active(&g);
    gen_running(&g, 5, 0, 1);
    GEN_EVENT(&g, EV_GC_SWEEP_BEGIN, 0);
    GEN_EVENT(&g, EV_GC_MARK_ASSIST_BEGIN, 0);
    gen_generation(&g, 2);
    gen_gc_active(&g);
    gen_running(&g, 5, 0, 1);
    GEN_EVENT(&g, EV_GC_SWEEP_ACTIVE, 0);
    GEN_EVENT(&g, EV_GC_MARK_ASSIST_ACTIVE, 1);
    gen_bare(&g, EV_GC_MARK_ASSIST_END);
    GEN_EVENT(&g, EV_GC_SWEEP_END, 8, 4);
    gen_gc_end(&g);
    gen_gc_begin(&g, 0);
    gen_gc_end(&g);
    gt_downgrader_info info = lower(&g);
    assert_int_equal(info.ranges, 0);
    assert_int_equal(info.generations, 2);
}

/* A goroutine waits within an assist that has begun before the trace: it is written when it runs.
 */
static void test_assist_of_a_waiting_goroutine_begins_when_it_runs(void **state)
{
    struct gen g = {0};
    (void) state;
    begin(&g);
    gen_go_status(&g, 2, WIRE_NONE, GO_WAITING);
    GEN_EVENT(&g, EV_GC_MARK_ASSIST_ACTIVE, 2);
    gen_go_unblock(&g, 2, 0);
    gen_go_block(&g, "sync", 0);
    gen_go_start(&g, 2);
    gen_bare(&g, EV_GC_MARK_ASSIST_END);
    assert_int_equal(lower(&g).ranges, 0);
}

/* The end of a goroutine ends its stop of the world, which Go 1.21 would never end. */
static void test_stop_of_the_world_ends_with_its_goroutine(void **state)
{
    struct gen g = {0};
    (void) state;
    begin(&g);
    gen_go_create(&g, 2, 0, 0);
    gen_stw_begin(&g, "GOMAXPROCS", GEN_STACK(&g, {"main.main", "m.go", 9}));
    gen_go_destroy(&g);
    gen_go_start(&g, 2);
    gen_stw_begin(&g, "no such cause", 0);
    gen_bare(&g, EV_STW_END);
    gen_go_destroy(&g);
    gt_downgrader_info info = lower(&g);
    assert_int_equal(info.causes, 1);
    assert_int_equal(info.stacks, 1);
    assert_int_equal(info.ranges, 0);
}

static void test_proc_with_a_number_that_is_too_large_is_refused(void **state)
{
    static const uint64_t procs[] = {1000001, INT32_MAX};
    (void) state;
    for (size_t i = 0; i < sizeof(procs) / sizeof(*procs); i++) {
        struct gen g = {0};
        begin(&g);
        gen_proc_status(&g, procs[i], PROC_IDLE);
        expect_refused(&g, "a proc with a number above 1,000,000 cannot be written");
        gen_begin(&g, 26);
        gen_generation(&g, 1);
        gen_running(&g, 5, procs[i], 1);
        gen_label(&g, "label");
        expect_refused(&g, "a proc with a number above 1,000,000 cannot be written");
    }
}

/* Returns the index of the argument of a record that Go 1.21's viewer takes for a stack. */
static size_t stack_at(const gt_raw_event *event)
{
    return event->type == GT_V1_USER_REGION ? 4 : 3;
}

/*
 * Go 1.21's viewer takes the first frame of what opens a region, without a look whether there is
 * one: of its beginning, or of the creation of the goroutine that inherits it.
 */
static void test_regions_without_a_stack_get_one(void **state)
{
    struct lowered lowered;
    gt_raw_reader *reader;
    const gt_raw_event *event;
    struct gen g = {0};
    size_t regions = 0, creations = 0;
    (void) state;
    begin(&g);
    gen_region_begin(&g, 7, "region", 0);
    gen_go_create(&g, 2, 0, 0);
    gen_region_end(&g, 7, "region", 0);
    gen_end(&g);
    lowered_init(&lowered);
    lowered_make(&lowered, g.wire.data, g.wire.size);
    lowered_expect_good(&lowered);
    assert_status(
        gt_raw_reader_open_memory(&reader, lowered.out.data, lowered.out.size, NULL, NULL), GT_OK);
    while (gt_raw_reader_next_event(reader, &event) == GT_OK) {
        /* What existed at first has no creator. */
        bool is_created = event->type == GT_V1_GO_CREATE && event->arguments[1] == 2;
        regions += event->type == GT_V1_USER_REGION;
        creations += is_created;
        if (event->type == GT_V1_USER_REGION || is_created)
            assert_int_not_equal(event->arguments[stack_at(event)], 0);
    }
    assert_int_equal(regions, 2);
    assert_int_equal(creations, 1);
    gt_raw_reader_close(&reader);
    lowered_free(&lowered);
    gen_free(&g);
}

/* A downgrader of the events of a reader. */
struct calls {
    struct wire wire;
    struct output out;
    gt_reader *reader;
    gt_downgrader *downgrader;
    const gt_event *event; /* the current one */
    uint64_t inside;       /* calls of the write function */
};

static void calls_open(struct calls *calls, gt_write_fn write, void *user_data)
{
    memset(calls, 0, sizeof(*calls));
    sample_trace(&calls->wire, 26, 2, 20000);
    assert_status(
        gt_reader_open_memory(&calls->reader, calls->wire.data, calls->wire.size, NULL, NULL),
        GT_OK);
    assert_status(
        gt_downgrader_open(&calls->downgrader, calls->reader, write, user_data, NULL, NULL), GT_OK);
}

static void calls_close(struct calls *calls)
{
    gt_downgrader_close(&calls->downgrader);
    gt_reader_close(&calls->reader);
    output_free(&calls->out);
    wire_free(&calls->wire);
}

/* A write function that uses its downgrader. */
static int calls_write(void *user_data, const void *data, size_t size)
{
    struct calls *calls = user_data;
    gt_downgrader_info info = GT_DOWNGRADER_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_downgrader *downgrader = calls->downgrader;
    (void) data;
    (void) size;
    calls->inside++;
    assert_status(gt_downgrader_event(downgrader, calls->event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_downgrader_finish(downgrader), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_downgrader_error(downgrader, &error), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_downgrader_get_info(downgrader, &info), GT_ERR_INVALID_ARGUMENT);
    gt_downgrader_close(&downgrader);
    assert_ptr_equal(downgrader, calls->downgrader);
    return 0;
}

static void test_write_function_that_uses_its_downgrader_is_refused(void **state)
{
    struct calls calls;
    (void) state;
    calls_open(&calls, calls_write, &calls);
    while (gt_reader_next_event(calls.reader, &calls.event) == GT_OK)
        assert_status(gt_downgrader_event(calls.downgrader, calls.event), GT_OK);
    assert_status(gt_downgrader_finish(calls.downgrader), GT_OK);
    assert_true(calls.inside > 2);
    calls_close(&calls);
}

static void test_failure_remains(void **state)
{
    struct calls calls;
    struct output out = {.fail_at = 1};
    gt_error error = GT_ERROR_INIT;
    gt_status status = GT_OK;
    const gt_event *event;
    (void) state;
    calls_open(&calls, output_write, &out);
    while (gt_reader_next_event(calls.reader, &event) == GT_OK) {
        gt_status next = gt_downgrader_event(calls.downgrader, event);
        assert_true(next == (status == GT_OK ? next : GT_ERR_IO));
        status = next;
    }
    assert_status(status, GT_ERR_IO);
    assert_status(gt_downgrader_finish(calls.downgrader), GT_ERR_IO);
    assert_status(gt_downgrader_error(calls.downgrader, &error), GT_OK);
    assert_string_equal(error.message, "writing failed");
    assert_int_equal(out.size, 0);
    calls_close(&calls);
}

static void test_nothing_follows_the_end(void **state)
{
    struct calls calls;
    struct output out = {0};
    const gt_event *event;
    (void) state;
    calls_open(&calls, output_write, &out);
    assert_status(gt_reader_next_event(calls.reader, &event), GT_OK);
    assert_status(gt_downgrader_event(calls.downgrader, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_downgrader_event(calls.downgrader, event), GT_OK);
    assert_status(gt_downgrader_finish(calls.downgrader), GT_OK);
    size_t size = out.size;
    assert_status(gt_downgrader_event(calls.downgrader, event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_downgrader_finish(calls.downgrader), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(out.size, size);
    output_free(&out);
    calls_close(&calls);
}

static void test_events_are_those_of_the_reader(void **state)
{
    struct calls calls, others;
    struct output out = {0};
    gt_downgrader_info info = GT_DOWNGRADER_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    const gt_event *event;
    (void) state;
    calls_open(&calls, output_write, &out);
    calls_open(&others, output_write, &out);
    assert_status(gt_reader_next_event(others.reader, &event), GT_OK);
    assert_status(gt_downgrader_event(calls.downgrader, event), GT_ERR_INVALID_ARGUMENT);
    info.size = error.size = 4;
    assert_status(gt_downgrader_get_info(calls.downgrader, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_downgrader_error(calls.downgrader, &error), GT_ERR_INVALID_ARGUMENT);
    /* No event was written. */
    assert_status(gt_downgrader_finish(calls.downgrader), GT_ERR_NOT_AVAILABLE);
    error.size = sizeof(error);
    assert_status(gt_downgrader_error(calls.downgrader, &error), GT_OK);
    assert_string_equal(error.message, "there are no events to write");
    assert_int_equal(out.size, 0);
    calls_close(&calls);
    calls_close(&others);
}

static void test_arguments_that_are_missing_are_named(void **state)
{
    struct calls calls;
    struct output out = {0};
    gt_error error = GT_ERROR_INIT;
    gt_downgrader *downgrader;
    (void) state;
    calls_open(&calls, output_write, &out);
    assert_status(gt_downgrader_open(NULL, calls.reader, output_write, &out, NULL, &error),
                  GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "downgrader is NULL");
    assert_status(gt_downgrader_open(&downgrader, NULL, output_write, &out, NULL, &error),
                  GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "reader is NULL");
    assert_status(gt_downgrader_open(&downgrader, calls.reader, NULL, &out, NULL, &error),
                  GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "write is NULL");
    assert_null(downgrader);
    calls_close(&calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goroutine_that_ended_in_a_call_is_named_again),
        cmocka_unit_test(test_callbacks_come_again_with_their_goroutine),
        cmocka_unit_test(test_ranges_last_over_generations),
        cmocka_unit_test(test_assist_of_a_waiting_goroutine_begins_when_it_runs),
        cmocka_unit_test(test_stop_of_the_world_ends_with_its_goroutine),
        cmocka_unit_test(test_proc_with_a_number_that_is_too_large_is_refused),
        cmocka_unit_test(test_regions_without_a_stack_get_one),
        cmocka_unit_test(test_write_function_that_uses_its_downgrader_is_refused),
        cmocka_unit_test(test_failure_remains),
        cmocka_unit_test(test_nothing_follows_the_end),
        cmocka_unit_test(test_events_are_those_of_the_reader),
        cmocka_unit_test(test_arguments_that_are_missing_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
