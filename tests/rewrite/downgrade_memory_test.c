/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The memory of a downgrader comes from the caller's allocator, stays within the limit, and is
 * little; and what fails is reported.
 */

#include <stdio.h>
#include <stdlib.h>

#include "rewrite/lowered.h"
#include "support/files.h"
#include "support/gen_events.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"

static void lower(struct lowered *lowered, const struct wire *wire, struct probe *probe,
                  uint64_t limit)
{
    lowered_init(lowered);
    lowered->options.allocator = &probe->allocator;
    lowered->options.memory_limit = limit;
    lowered_make(lowered, wire->data, wire->size);
    probe_check(probe);
}

static void check_failures(const struct wire *wire)
{
    struct lowered lowered;
    struct probe probe;
    probe_init(&probe);
    lower(&lowered, wire, &probe, 0);
    lowered_expect_good(&lowered);
    lowered_free(&lowered);
    uint64_t calls = probe.calls;
    assert_true(calls > 10);
    for (int on = 0; on < 2; on++) {
        for (uint64_t at = 1; at <= calls; at++) {
            probe_init(&probe);
            probe.fail_at = at;
            probe.fail_on = on;
            lower(&lowered, wire, &probe, 0);
            assert_status(lowered.wrote, GT_ERR_NO_MEMORY);
            lowered_free(&lowered);
        }
    }
}

static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    static const char *const names[] = {"go1.26-tasks", "go1.27-gcgens", "go1.26-net",
                                        "go1.22-cpu",   "go1.23-alloc",  "go1.26-coro"};
    const size_t count = TEST_SANITIZED ? 1 : sizeof(names) / sizeof(*names);
    (void) state;
    for (size_t i = 0; i < count; i++) {
        struct wire wire = {0};
        char path[500];
        snprintf(path, sizeof(path), "%s/v2/%s.trace", getenv("GT_TESTDATA"), names[i]);
        wire.data = files_read(path, &wire.size);
        check_failures(&wire);
        free(wire.data);
    }
}

static void test_failing_write_is_reported_wherever_it_is(void **state)
{
    struct lowered lowered;
    struct wire wire = {0};
    (void) state;
    sample_trace(&wire, 26, 3, 3000);
    lowered_init(&lowered);
    lowered_make(&lowered, wire.data, wire.size);
    lowered_expect_good(&lowered);
    size_t size = lowered.out.size;
    lowered_free(&lowered);
    assert_true(size > 10000);
    for (size_t at = 1; at < size; at += 1 + size / 50) {
        lowered_init(&lowered);
        lowered.out.fail_at = at;
        lowered_make(&lowered, wire.data, wire.size);
        assert_status(lowered.wrote, GT_ERR_IO);
        lowered_free(&lowered);
    }
    wire_free(&wire);
}

static void test_memory_limit_is_kept(void **state)
{
    struct lowered lowered;
    struct wire wire = {0};
    struct probe probe;
    (void) state;
    sample_trace(&wire, 26, 3, 60);
    probe_init(&probe);
    lower(&lowered, &wire, &probe, 0);
    lowered_free(&lowered);
    uint64_t peak = probe.peak_bytes;
    /* A sanitizer takes large blocks from the system each time, which is slow. */
    const uint64_t step = TEST_SANITIZED ? 29989 : 997;
    for (uint64_t limit = 1; limit < 2 * peak; limit += step) {
        probe_init(&probe);
        lower(&lowered, &wire, &probe, limit);
        assert_true(probe.peak_bytes <= limit);
        assert_true(lowered.wrote == GT_ERR_LIMIT || lowered.wrote == GT_OK);
        if (limit < peak)
            assert_status(lowered.wrote, GT_ERR_LIMIT);
        lowered_free(&lowered);
    }
    wire_free(&wire);
}

static void test_many_procs_and_goroutines_take_little_memory(void **state)
{
    const uint64_t threads = 1000, goroutines = 100;
    struct lowered lowered;
    struct gen g = {0};
    struct probe probe;
    (void) state;
    /* A sanitizer makes it ten times as slow, and what it is about is the same. */
    if (TEST_SANITIZED)
        skip();
    gen_begin(&g, 26);
    gen_generation(&g, 1);
    for (uint64_t i = 0; i < threads; i++) {
        gen_running(&g, 10 + i, i, 1 + i);
        for (uint64_t j = 0; j < goroutines; j++)
            gen_go_create(&g, 10000 + i * goroutines + j, 0, 0);
    }
    gen_end(&g);
    probe_init(&probe);
    lower(&lowered, &g.wire, &probe, 0);
    lowered_expect_good(&lowered);
    assert_int_equal(lowered.info.goroutines, threads);
    assert_true(probe.peak_bytes < 20000000);
    lowered_free(&lowered);
    gen_free(&g);
}

/* A trace that goes on as it began needs no more memory for each generation. */
static void test_memory_does_not_grow_with_generations(void **state)
{
    uint64_t bytes[2];
    (void) state;
    for (unsigned i = 0; i < 2; i++) {
        struct lowered lowered;
        struct gen g = {0};
        struct probe probe;
        gen_begin(&g, 26);
        for (uint64_t generation = 1; generation <= (i == 0 ? 50 : 300); generation++) {
            gen_generation(&g, generation);
            gen_running(&g, 5, 0, 1);
            for (uint64_t j = 0; j < 1000; j++)
                gen_label(&g, j % 2 == 0 ? "even" : "odd");
        }
        gen_end(&g);
        probe_init(&probe);
        lower(&lowered, &g.wire, &probe, 0);
        lowered_expect_good(&lowered);
        assert_true(lowered.info.labels > 0);
        bytes[i] = probe.peak_bytes;
        lowered_free(&lowered);
        gen_free(&g);
    }
    assert_int_equal(bytes[0], bytes[1]);
}

/* Wrong arguments are refused, and change nothing. */
static void test_wrong_arguments_are_refused(void **state)
{
    struct lowered lowered;
    gt_downgrader *downgrader;
    gt_reader *reader;
    struct wire wire = {0};
    (void) state;
    lowered_init(&lowered);
    sample_trace(&wire, 26, 1, 60);
    assert_status(gt_reader_open_memory(&reader, wire.data, wire.size, NULL, NULL), GT_OK);
    lowered.options.flags = 1;
    lowered_make(&lowered, wire.data, wire.size);
    assert_status(lowered.wrote, GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_downgrader_open(&downgrader, reader, NULL, NULL, NULL, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_null(downgrader);
    assert_status(gt_downgrader_event(NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_downgrader_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_downgrader_error(NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_downgrader_get_info(NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    gt_downgrader_close(NULL);
    gt_reader_close(&reader);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_failing_write_is_reported_wherever_it_is),
        cmocka_unit_test(test_memory_limit_is_kept),
        cmocka_unit_test(test_many_procs_and_goroutines_take_little_memory),
        cmocka_unit_test(test_memory_does_not_grow_with_generations),
        cmocka_unit_test(test_wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
