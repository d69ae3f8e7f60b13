/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Hostile input in traces of Go 1.5 to 1.21: memory and time are proportional to the input. Also
 * sources and allocators that fail while the whole input is read.
 */

#include <errno.h>
#include <stdlib.h>

#include "support/digest.h"
#include "support/feed.h"
#include "support/measure.h"
#include "support/probe.h"
#include "support/test.h"
#include "support/v1hostile.h"
#include "support/v1sample.h"
#include "support/v1wire.h"

static struct arena arena;

static int setup_arena(void **state)
{
    (void) state;
    arena_init(&arena, MEASURE_ARENA);
    return 0;
}

static int teardown_arena(void **state)
{
    (void) state;
    arena_free(&arena);
    return 0;
}

static void test_hostile_input_takes_linear_time_and_memory(void **state)
{
    measure_growth(*state, 0, &arena);
    measure_growth(*state, GT_READER_LENIENT | GT_READER_AS_RECORDED, &arena);
    measure_growth(*state, GT_READER_KEEP, &arena);
}

static void test_many_goroutines_take_little_time(void **state)
{
    const struct hostile many = {"goroutines", v1_hostile_goroutines, 100000, GT_END};
    double seconds = measure_time(&many, many.n, 0, &arena);
    (void) state;
    if (seconds > measure_allowed(0.2))
        fail_msg("100,000 goroutines took %.3f s", seconds);
}

/* Reads through a callback, `step` bytes at a time. */
static void read_steps(struct digest *digest, struct feed *feed, const struct wire *wire,
                       const size_t *step, size_t fail_at)
{
    gt_reader *reader;
    feed_init(feed, wire->data, wire->size);
    feed->steps = step;
    feed->step_count = 1;
    feed->fail_at = fail_at;
    feed->failure = -1;
    assert_status(gt_reader_open_callback(&reader, feed_read, feed, NULL, NULL), GT_OK);
    digest_read(digest, &reader);
}

static void test_input_in_pieces_gives_the_same(void **state)
{
    static const size_t steps[] = {1, 2, 7, 16, 100, 4096};
    struct digest whole, pieces;
    struct wire wire = {0};
    struct feed feed;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_sample_trace(&wire, v1_versions[k], 3000);
        digest_memory(&whole, wire.data, wire.size, NULL);
        assert_status(whole.status, GT_END);
        for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
            read_steps(&pieces, &feed, &wire, &steps[i], SIZE_MAX);
            digest_assert_equal(&pieces, &whole);
            digest_free(&pieces);
        }
        digest_free(&whole);
    }
    wire_free(&wire);
}

/*
 * A source that fails, even at its end, gives no events, because nothing can be said before all of
 * the input is read.
 */
static void test_failing_read_gives_no_events(void **state)
{
    static const size_t step = 10;
    struct digest digest;
    struct wire wire = {0};
    struct feed feed;
    (void) state;
    v1_sample_trace(&wire, 21, 60);
    for (size_t fail_at = 20; fail_at <= wire.size; fail_at += 10) {
        read_steps(&digest, &feed, &wire, &step, fail_at);
        assert_status(digest.status, GT_ERR_IO);
        assert_int_equal(digest.count, 0);
        digest_free(&digest);
    }
    wire_free(&wire);
}

static int name_nothing(void *user_data, gt_symbol *symbols, size_t count)
{
    (void) user_data;
    (void) symbols;
    (void) count;
    return 0;
}

/* Reads with an allocator that fails; the reader reports the lack of memory after good events. */
static uint64_t read_failing(const struct wire *wire, uint64_t flags, uint64_t fail_at, int fail_on,
                             const struct digest *whole)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct digest digest;
    struct probe probe;
    probe_init(&probe);
    probe.fail_at = fail_at;
    probe.fail_on = fail_on;
    options.flags = flags;
    options.allocator = &probe.allocator;
    options.symbolize = name_nothing;
    digest_memory(&digest, wire->data, wire->size, &options);
    if (digest.status == GT_END) {
        digest_assert_equal(&digest, whole);
    } else {
        assert_status(digest.status, GT_ERR_NO_MEMORY);
        assert_int_equal(digest_common(&digest, whole), digest.count);
    }
    probe_check(&probe);
    digest_free(&digest);
    return probe.calls;
}

/* So many objects of every kind that each kind needs more memory while reading. */
static void write_many(struct wire *wire, unsigned version, uint64_t n)
{
    v1_sample_trace(wire, version, 300);
    v1_batch(wire, 0, 1000000);
    for (uint64_t i = 1; i <= n; i++) {
        V1_EVENT(wire, V1_GO_CREATE, 1, 1000 * i, i, 0);
        V1_EVENT(wire, V1_GO_IN_SYSCALL, 1, 1000 * i);
        V1_EVENT(wire, V1_TIMER_GOROUTINE, 1000 * i);
        v1_stack_one(wire, 100 + i, (struct v1_frame){100 * i, 1, 1, i});
        if (version >= 7)
            v1_string_sized(wire, 1000 + i, &i, sizeof(i));
        if (version >= 11)
            V1_EVENT(wire, V1_TASK_CREATE, 1, 1000000 + i, 0, 1000 + i, 100 + i);
        if (version >= 11)
            V1_EVENT(wire, V1_REGION, 1, i, 0, 1000 + i, 0);
    }
    for (uint64_t i = 1; i <= n; i++) {
        v1_batch(wire, 100 * i, 2000000 + i);
        V1_EVENT(wire, V1_PROC_START, 1, i);
        V1_EVENT(wire, V1_GO_SYS_EXIT, 1, 1000 * i, version < 7 ? 0 : 2,
                 version < 7 ? 0 : 2000000 + i);
    }
}

static void check_failures(unsigned version, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct wire wire = {0};
    struct digest whole;
    uint64_t calls;
    write_many(&wire, version, 40);
    options.flags = flags;
    digest_memory(&whole, wire.data, wire.size, &options);
    assert_status(whole.status, GT_END);
    calls = read_failing(&wire, flags, 0, 0, &whole);
    for (uint64_t n = 1; n <= calls; n += TEST_STRIDE(3)) {
        read_failing(&wire, flags, n, 0, &whole);
        read_failing(&wire, flags, n, 1, &whole);
    }
    digest_free(&whole);
    wire_free(&wire);
}

static void test_failing_allocation_is_reported(void **state)
{
    (void) state;
    check_failures(5, 0);
    check_failures(10, 0);
    check_failures(21, 0);
    check_failures(21, GT_READER_LENIENT | GT_READER_AS_RECORDED);
    check_failures(5, GT_READER_KEEP);
}

/* Every allocation that a repair makes may fail. */
static void test_failing_allocation_in_a_repair_is_reported(void **state)
{
    static const unsigned versions[] = {5, 10, 21};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct wire wire = {0};
    struct digest whole;
    uint64_t calls;
    size_t cut;
    (void) state;
    options.flags = GT_READER_LENIENT;
    for (size_t k = 0; k < 3; k++) {
        v1_sample_trace(&wire, versions[k], 100);
        /* One event is lost. */
        cut = wire.size / 2;
        wire.data[cut] = 0;
        digest_memory(&whole, wire.data, wire.size, &options);
        assert_status(whole.status, GT_END);
        calls = read_failing(&wire, GT_READER_LENIENT, 0, 0, &whole);
        for (uint64_t n = 1; n <= calls; n += TEST_STRIDE(3))
            read_failing(&wire, GT_READER_LENIENT, n, 1, &whole);
        digest_free(&whole);
    }
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_input_in_pieces_gives_the_same),
        cmocka_unit_test(test_failing_read_gives_no_events),
        cmocka_unit_test(test_failing_allocation_is_reported),
        cmocka_unit_test(test_failing_allocation_in_a_repair_is_reported),
    };
    struct CMUnitTest *hostile_tests = calloc(v1_hostile_count + 1, sizeof(*hostile_tests));
    size_t i;
    int failures;
    if (!hostile_tests)
        return 1;
    for (i = 0; i < v1_hostile_count; i++) {
        hostile_tests[i].name = v1_hostiles[i].name;
        hostile_tests[i].test_func = test_hostile_input_takes_linear_time_and_memory;
        hostile_tests[i].initial_state = (void *) (uintptr_t) &v1_hostiles[i];
    }
    hostile_tests[i].name = "100,000 goroutines";
    hostile_tests[i].test_func = test_many_goroutines_take_little_time;
    failures = cmocka_run_group_tests_name("v1 sources and memory", tests, NULL, NULL);
    failures += _cmocka_run_group_tests("v1 hostile", hostile_tests, v1_hostile_count + 1,
                                        setup_arena, teardown_arena);
    free(hostile_tests);
    return failures;
}
