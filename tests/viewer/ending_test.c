/* SPDX-License-Identifier: BSD-3-Clause */
/* How emitting ends early: callbacks that ask to end, calls from callbacks, no memory. */
#include <string.h>

#include <gotrace/emitter.h>

#include "support/probe.h"
#include "support/test.h"
#include "viewer/log.h"
#include "viewer/steps.h"

/* The calls of the consumer that all steps lead to: time unit, frames, events, flush. */
#define ALL_CALLS (1 + 2 + 15 + 18 + 1)

/*
 * Runs the steps up to the first one that fails, and checks that all later calls fail in the same
 * way.
 */
static gt_status run_steps(gt_emitter *emitter, size_t *failed)
{
    gt_status status = GT_OK;
    for (*failed = 0; *failed < step_count; (*failed)++) {
        status = steps[*failed].call(emitter);
        if (status != GT_OK)
            break;
    }
    if (status == GT_OK)
        return GT_OK;
    for (size_t i = 0; i < step_count; i++)
        assert_status(steps[i].call(emitter), status);
    return status;
}

static void test_all_steps_succeed_until_the_flush(void **state)
{
    struct log log;
    gt_emitter *emitter;
    gt_emitter_info info = GT_EMITTER_INFO_INIT;
    size_t failed;
    (void) state;
    log_init(&log);
    assert_status(gt_emitter_open(&emitter, &log.consumer, NULL, NULL), GT_OK);
    assert_status(run_steps(emitter, &failed), GT_OK);
    assert_int_equal(log.calls, ALL_CALLS);
    assert_status(gt_emitter_get_info(emitter, &info), GT_OK);
    assert_int_equal(info.frames, 2);
    assert_int_equal(info.events, ALL_CALLS - 4);
    /* After the flush, all calls are refused. */
    for (size_t i = 0; i < step_count; i++)
        assert_status(steps[i].call(emitter), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(log.calls, ALL_CALLS);
    gt_emitter_close(&emitter);
}

static void test_callback_that_asks_to_end_ends_the_emitting(void **state)
{
    struct log log;
    gt_emitter *emitter;
    size_t failed, last = 0;
    (void) state;
    for (size_t end_at = 2; end_at <= ALL_CALLS; end_at++) {
        log_init(&log);
        log.end_at = end_at;
        assert_status(gt_emitter_open(&emitter, &log.consumer, NULL, NULL), GT_OK);
        assert_status(run_steps(emitter, &failed), GT_ERR_CALLBACK);
        assert_int_equal(log.calls, end_at);
        /* A later call belongs to the same step or a later one. */
        assert_true(failed >= last);
        last = failed;
        gt_emitter_close(&emitter);
    }
    assert_int_equal(last, step_count - 1);
}

static void test_first_callback_can_refuse_the_opening(void **state)
{
    struct log log;
    struct probe probe;
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    gt_emitter *emitter = (gt_emitter *) (void *) &log;
    (void) state;
    probe_init(&probe);
    options.allocator = &probe.allocator;
    log_init(&log);
    log.end_at = 1;
    assert_status(gt_emitter_open(&emitter, &log.consumer, &options, NULL), GT_ERR_CALLBACK);
    assert_null(emitter);
    probe_check(&probe);
}

/* A consumer without functions gets nothing, but everything is counted. */
static void test_consumer_without_functions_is_fine(void **state)
{
    gt_consumer none = GT_CONSUMER_INIT;
    gt_emitter_info info = GT_EMITTER_INFO_INIT;
    gt_emitter *emitter;
    size_t failed;
    (void) state;
    assert_status(gt_emitter_open(&emitter, &none, NULL, NULL), GT_OK);
    assert_status(run_steps(emitter, &failed), GT_OK);
    assert_status(gt_emitter_get_info(emitter, &info), GT_OK);
    assert_int_equal(info.frames, 2);
    assert_int_equal(info.events, ALL_CALLS - 4);
    gt_emitter_close(&emitter);
}

struct meddler {
    gt_emitter *emitter;
    size_t calls;
};

/* Uses the emitter that it is called from. */
static void meddle(void *data)
{
    struct meddler *meddler = data;
    gt_emitter *emitter = meddler->emitter;
    gt_emitter_info info = GT_EMITTER_INFO_INIT;
    if (!emitter)
        return;
    meddler->calls++;
    for (size_t i = 0; i < step_count; i++)
        assert_status(steps[i].call(emitter), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_emitter_get_info(emitter, &info), GT_ERR_INVALID_ARGUMENT);
    gt_emitter_close(&emitter);
    assert_non_null(emitter);
}

static void test_calls_from_the_consumer_are_refused(void **state)
{
    static struct log log, quiet;
    struct meddler meddler = {NULL, 0};
    gt_emitter *emitter;
    size_t failed;
    (void) state;
    log_init(&quiet);
    assert_status(gt_emitter_open(&emitter, &quiet.consumer, NULL, NULL), GT_OK);
    assert_status(run_steps(emitter, &failed), GT_OK);
    gt_emitter_close(&emitter);
    log_init(&log);
    log.meddle = meddle;
    log.meddle_data = &meddler;
    assert_status(gt_emitter_open(&meddler.emitter, &log.consumer, NULL, NULL), GT_OK);
    assert_status(run_steps(meddler.emitter, &failed), GT_OK);
    assert_int_equal(meddler.calls, ALL_CALLS - 1);
    gt_emitter_close(&meddler.emitter);
    /* The calls had no effect. */
    assert_int_equal(log.size, quiet.size);
    assert_memory_equal(log.text, quiet.text, log.size);
}

static int meddling_filter(void *user_data, uint64_t resource)
{
    (void) resource;
    meddle(user_data);
    return 1;
}

static void test_calls_from_the_filter_are_refused(void **state)
{
    struct log log;
    struct meddler meddler = {NULL, 0};
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    size_t failed;
    (void) state;
    log_init(&log);
    options.filter = meddling_filter;
    options.filter_data = &meddler;
    assert_status(gt_emitter_open(&meddler.emitter, &log.consumer, &options, NULL), GT_OK);
    assert_status(run_steps(meddler.emitter, &failed), GT_OK);
    assert_int_equal(log.calls, ALL_CALLS);
    /* A slice, both ends of an arrow, an instant, an asynchronous slice, two names. */
    assert_int_equal(meddler.calls, 7);
    gt_emitter_close(&meddler.emitter);
}

/* An allocator that uses the emitter whenever it is asked for memory. */
struct meddling_memory {
    struct probe probe;
    struct meddler meddler;
};

static void *allocate(void *context, size_t bytes)
{
    struct meddling_memory *memory = context;
    meddle(&memory->meddler);
    return memory->probe.allocator.allocate(&memory->probe, bytes);
}

static void *reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    struct meddling_memory *memory = context;
    meddle(&memory->meddler);
    return memory->probe.allocator.reallocate(&memory->probe, block, old_bytes, bytes);
}

static void release(void *context, void *block, size_t bytes)
{
    struct meddling_memory *memory = context;
    memory->probe.allocator.release(&memory->probe, block, bytes);
}

static void test_calls_from_the_allocator_are_refused(void **state)
{
    struct meddling_memory memory;
    const gt_allocator allocator = {sizeof(allocator), &memory, allocate, reallocate, release};
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    gt_consumer none = GT_CONSUMER_INIT;
    size_t failed;
    (void) state;
    probe_init(&memory.probe);
    memset(&memory.meddler, 0, sizeof(memory.meddler));
    options.allocator = &allocator;
    assert_status(gt_emitter_open(&memory.meddler.emitter, &none, &options, NULL), GT_OK);
    assert_status(run_steps(memory.meddler.emitter, &failed), GT_OK);
    assert_true(memory.meddler.calls >= 8);
    gt_emitter_close(&memory.meddler.emitter);
    probe_check(&memory.probe);
}

/* Lets each allocation fail in turn: only that one, and that one and all later ones. */
static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    struct probe probe;
    struct log log;
    (void) state;
    options.allocator = &probe.allocator;
    for (int fail_on = 0; fail_on <= 1; fail_on++) {
        uint64_t n;
        gt_status status = GT_ERR_NO_MEMORY;
        for (n = 1; status != GT_OK; n++) {
            gt_emitter *emitter;
            size_t failed;
            log_init(&log);
            probe_init(&probe);
            probe.fail_at = n;
            probe.fail_on = fail_on;
            status = gt_emitter_open(&emitter, &log.consumer, &options, NULL);
            if (status == GT_OK)
                status = run_steps(emitter, &failed);
            assert_status(status, probe.failed ? GT_ERR_NO_MEMORY : GT_OK);
            gt_emitter_close(&emitter);
            probe_check(&probe);
        }
        assert_true(n > 10);
    }
}

/* Whatever the limit is, the emitter stays within it. */
static void test_memory_limit_is_kept(void **state)
{
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    gt_emitter_info info = GT_EMITTER_INFO_INIT;
    struct probe probe;
    struct log log;
    gt_status status = GT_ERR_LIMIT;
    uint64_t opened = 0;
    (void) state;
    options.allocator = &probe.allocator;
    for (uint64_t limit = 1; status != GT_OK; limit += 7) {
        gt_emitter *emitter;
        size_t failed;
        log_init(&log);
        probe_init(&probe);
        options.memory_limit = limit;
        status = gt_emitter_open(&emitter, &log.consumer, &options, NULL);
        if (status == GT_OK) {
            opened++;
            status = run_steps(emitter, &failed);
            assert_status(gt_emitter_get_info(emitter, &info), GT_OK);
            assert_true(info.memory <= info.memory_peak && info.memory_peak <= limit);
            assert_int_equal(info.memory, probe.live_bytes);
        }
        if (status != GT_OK)
            assert_status(status, GT_ERR_LIMIT);
        gt_emitter_close(&emitter);
        probe_check(&probe);
    }
    assert_true(opened > 10);
}

static void test_closing_nothing_is_fine(void **state)
{
    gt_emitter *emitter = NULL;
    (void) state;
    gt_emitter_close(NULL);
    gt_emitter_close(&emitter);
    assert_null(emitter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_steps_succeed_until_the_flush),
        cmocka_unit_test(test_callback_that_asks_to_end_ends_the_emitting),
        cmocka_unit_test(test_first_callback_can_refuse_the_opening),
        cmocka_unit_test(test_consumer_without_functions_is_fine),
        cmocka_unit_test(test_calls_from_the_consumer_are_refused),
        cmocka_unit_test(test_calls_from_the_filter_are_refused),
        cmocka_unit_test(test_calls_from_the_allocator_are_refused),
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_memory_limit_is_kept),
        cmocka_unit_test(test_closing_nothing_is_fine),
    };
    return cmocka_run_group_tests_name("ending", tests, NULL, NULL);
}
