/* SPDX-License-Identifier: BSD-3-Clause */

/* The memory of a writer comes from the caller's allocator, stays within the limit, and is little.
 */

#include <stdio.h>
#include <stdlib.h>

#include "rewrite/copy.h"
#include "support/files.h"
#include "support/gen_events.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"

/* Writes a trace from its event number `first` on, with memory of the probe. */
static void rewrite(struct copy *copy, const struct wire *wire, uint64_t first, struct probe *probe,
                    uint64_t limit)
{
    copy_init(copy);
    copy->first = first;
    copy->options.allocator = &probe->allocator;
    copy->options.memory_limit = limit;
    copy_make(copy, wire->data, wire->size);
    probe_check(probe);
}

static void check_failures(const struct wire *wire, uint64_t first)
{
    struct probe probe;
    struct copy copy;
    probe_init(&probe);
    rewrite(&copy, wire, first, &probe, 0);
    copy_expect_good(&copy);
    copy_free(&copy);
    uint64_t calls = probe.calls;
    assert_true(calls > 10);
    for (int on = 0; on < 2; on++) {
        for (uint64_t at = 1; at <= calls; at++) {
            probe_init(&probe);
            probe.fail_at = at;
            probe.fail_on = on;
            rewrite(&copy, wire, first, &probe, 0);
            assert_status(copy.wrote, GT_ERR_NO_MEMORY);
            assert_int_equal(copy.error.status, GT_ERR_NO_MEMORY);
            copy_free(&copy);
        }
    }
}

/* Also where the output begins within the first or the second generation. */
static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    static const uint64_t firsts[] = {0, 40, 90};
    struct wire wire = {0};
    (void) state;
    sample_trace(&wire, 26, 3, 60);
    for (size_t i = 0; i < sizeof(firsts) / sizeof(*firsts); i++)
        check_failures(&wire, firsts[i]);
    wire_free(&wire);
}

/* All kinds of events, from the beginning and from within the trace. */
static void check_recorded(const char *name)
{
    const char *folder = getenv("GT_TESTDATA");
    struct wire wire = {0};
    char path[500];
    assert_non_null(folder);
    snprintf(path, sizeof(path), "%s/v2/%s.trace", folder, name);
    wire.data = files_read(path, &wire.size);
    check_failures(&wire, 0);
    check_failures(&wire, 60);
    free(wire.data);
}

static void test_failing_allocation_is_reported_in_recorded_traces(void **state)
{
    static const char *const names[] = {"go1.26-tasks", "go1.27-gcgens", "go1.26-net",
                                        "go1.23-stw",   "go1.22-cpu",    "go1.23-alloc"};
    /* A sanitizer makes it twenty times as slow. */
    const size_t count = TEST_SANITIZED ? 1 : sizeof(names) / sizeof(*names);
    (void) state;
    for (size_t i = 0; i < count; i++)
        check_recorded(names[i]);
}

/* Each number of bytes after which the output can be written no further. */
static void test_failing_write_is_reported_wherever_it_is(void **state)
{
    struct gen g = {0};
    struct copy copy;
    size_t size;
    (void) state;
    gen_begin(&g, 26);
    for (uint64_t generation = 1; generation <= 3; generation++) {
        gen_generation(&g, generation);
        gen_running(&g, 5, 0, 1);
        for (uint64_t i = 0; i < 20000; i++)
            gen_label(&g, i % 2 == 0 ? "even" : "odd");
    }
    gen_end(&g);
    copy_init(&copy);
    copy_make(&copy, g.wire.data, g.wire.size);
    copy_expect_good(&copy);
    size = copy.out.size;
    copy_free(&copy);
    for (size_t at = 1; at < size; at += 1 + size / 50) {
        copy_init(&copy);
        copy.out.fail_at = at;
        copy_make(&copy, g.wire.data, g.wire.size);
        assert_status(copy.wrote, GT_ERR_IO);
        copy_free(&copy);
    }
    gen_free(&g);
}

static void test_memory_limit_is_kept(void **state)
{
    struct wire wire = {0};
    struct probe probe;
    struct copy copy;
    (void) state;
    sample_trace(&wire, 26, 3, 60);
    probe_init(&probe);
    rewrite(&copy, &wire, 40, &probe, 0);
    copy_free(&copy);
    uint64_t peak = probe.peak_bytes;
    /* A sanitizer takes large blocks from the system each time, which is slow. */
    const uint64_t step = TEST_SANITIZED ? 29989 : 997;
    for (uint64_t limit = 1; limit < 2 * peak; limit += step) {
        probe_init(&probe);
        rewrite(&copy, &wire, 40, &probe, limit);
        assert_true(probe.peak_bytes <= limit);
        assert_true(copy.wrote == GT_ERR_LIMIT || copy.wrote == GT_OK);
        if (limit < peak)
            assert_status(copy.wrote, GT_ERR_LIMIT);
        copy_free(&copy);
    }
    wire_free(&wire);
}

/* 1000 threads and 100,000 goroutines take less than 16 MB; and batches do, however many there are.
 */
static void test_many_threads_and_goroutines_take_little_memory(void **state)
{
    const uint64_t threads = 1000, goroutines = 100;
    struct gen g = {0};
    struct probe probe;
    struct copy copy;
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
    for (uint64_t i = 0; i < threads; i++) {
        gen_on(&g, 10 + i);
        for (uint64_t j = 0; j < 400; j++)
            gen_label(&g, "label");
    }
    gen_end(&g);
    probe_init(&probe);
    rewrite(&copy, &g.wire, 0, &probe, 0);
    copy_expect_good(&copy);
    assert_true(probe.peak_bytes < 16000000);
    copy_free(&copy);
    probe_init(&probe);
    rewrite(&copy, &g.wire, 200000, &probe, 0);
    copy_expect_good(&copy);
    assert_int_equal(copy.info.made_up, threads * (2 + goroutines));
    assert_true(probe.peak_bytes < 16000000);
    copy_free(&copy);
    gen_free(&g);
}

/* A trace that goes on as it began needs no more memory for each generation. */
static void test_memory_does_not_grow_with_generations(void **state)
{
    uint64_t bytes[2];
    (void) state;
    for (unsigned i = 0; i < 2; i++) {
        struct gen g = {0};
        struct probe probe;
        struct copy copy;
        gen_begin(&g, 26);
        for (uint64_t generation = 1; generation <= (i == 0 ? 50 : 300); generation++) {
            gen_generation(&g, generation);
            gen_running(&g, 5, 0, 1);
            for (uint64_t j = 0; j < 1000; j++)
                gen_label(&g, j % 2 == 0 ? "even" : "odd");
        }
        gen_end(&g);
        probe_init(&probe);
        rewrite(&copy, &g.wire, 0, &probe, 0);
        copy_expect_good(&copy);
        bytes[i] = probe.peak_bytes;
        copy_free(&copy);
        gen_free(&g);
    }
    assert_int_equal(bytes[0], bytes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_failing_allocation_is_reported_in_recorded_traces),
        cmocka_unit_test(test_failing_write_is_reported_wherever_it_is),
        cmocka_unit_test(test_memory_limit_is_kept),
        cmocka_unit_test(test_many_threads_and_goroutines_take_little_memory),
        cmocka_unit_test(test_memory_does_not_grow_with_generations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
