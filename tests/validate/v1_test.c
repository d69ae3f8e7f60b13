/* SPDX-License-Identifier: BSD-3-Clause */

/* Traces of Go 1.21 and older may have what those of later versions may not. */

#include "plant.h"
#include "support/test.h"
#include "support/v1wire.h"

/* Opens the trace that was written, which is validated by the rules of `version`. */
static void begin(struct plant *plant, uint32_t version)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    options.version = version;
    plant_open(plant, &options);
}

static void feed_missing(struct plant *plant, unsigned missing)
{
    plant_feed(plant, &plant->first, missing - 1);
    reading_skip(&plant->first, 1);
    plant_feed_rest(plant, &plant->first);
}

/*
 * Goroutines 2 and 4 were in system calls when the trace began, and it is not known on which
 * threads.
 */
static void write_syscalls(struct wire *wire)
{
    wire_begin(wire, 21);
    v1_batch(wire, 0, V1_TICKS);
    V1_EVENT(wire, V1_FREQUENCY, WIRE_NANOSECONDS);
    V1_EVENT(wire, V1_GO_CREATE, 1, 2, 0, 0);
    V1_EVENT(wire, V1_GO_IN_SYSCALL, 1, 2);
    V1_EVENT(wire, V1_GO_CREATE, 1, 4, 0, 0);
    V1_EVENT(wire, V1_GO_IN_SYSCALL, 1, 4);
    V1_EVENT(wire, V1_PROC_START, 1, 5);
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 4, 0);
}

static void test_goroutine_without_thread_is_fine_in_old_traces(void **state)
{
    struct plant p = {0};
    (void) state;
    write_syscalls(&p.first.wire);
    begin(&p, 21);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
    p = (struct plant){0};
    write_syscalls(&p.first.wire);
    begin(&p, 22);
    plant_feed(&p, &p.first, 2);
    assert_string_equal(plant_expect(&p, GT_RULE_NO_THREAD), "goroutine 2 runs on no thread");
    plant_feed(&p, &p.first, 1);
    assert_string_equal(plant_expect(&p, GT_RULE_NO_THREAD), "goroutine 4 runs on no thread");
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

/* An assist without a begin, of a goroutine that is older than the trace. */
static void write_assist(struct wire *wire)
{
    v1_start(wire, 21);
    V1_EVENT(wire, V1_MARK_ASSIST_START, 1, 0);
    V1_EVENT(wire, V1_MARK_ASSIST_DONE, 1);
}

static void test_range_from_before_is_fine_in_old_traces(void **state)
{
    struct plant p = {0};
    (void) state;
    write_assist(&p.first.wire);
    begin(&p, 21);
    feed_missing(&p, V1_START_EVENTS + 1);
    plant_close(&p);
    p = (struct plant){0};
    write_assist(&p.first.wire);
    begin(&p, 22);
    plant_feed(&p, &p.first, V1_START_EVENTS);
    reading_skip(&p.first, 1);
    plant_feed(&p, &p.first, 1);
    plant_expect(&p, GT_RULE_RANGE_END);
    plant_close(&p);
}

/* All ranges of a goroutine that was created in the trace are known. */
static void test_range_of_new_goroutine_needs_its_begin(void **state)
{
    struct plant p = {0};
    struct wire *wire = &p.first.wire;
    (void) state;
    v1_start(wire, 21);
    V1_EVENT(wire, V1_GO_CREATE, 1, 8, 0, 0);
    V1_EVENT(wire, V1_GO_SCHED, 1, 0);
    V1_EVENT(wire, V1_GO_START, 1, 8, 1);
    V1_EVENT(wire, V1_MARK_ASSIST_START, 1, 0);
    V1_EVENT(wire, V1_MARK_ASSIST_DONE, 1);
    begin(&p, 21);
    plant_feed(&p, &p.first, V1_START_EVENTS + 3);
    reading_skip(&p.first, 1);
    plant_feed(&p, &p.first, 1);
    assert_string_equal(plant_expect(&p, GT_RULE_RANGE_END),
                        "range 'GC mark assist' of Goroutine 8 ends but is not open");
    plant_close(&p);
}

/* A collection was in progress when the trace began. */
static void test_collection_from_before_is_fine(void **state)
{
    struct plant p = {0};
    (void) state;
    v1_start(&p.first.wire, 21);
    V1_EVENT(&p.first.wire, V1_GC_START, 1, 0, 0);
    V1_EVENT(&p.first.wire, V1_GC_DONE, 1);
    begin(&p, 21);
    feed_missing(&p, V1_START_EVENTS + 1);
    plant_close(&p);
}

/* Two procs without a goroutine stop the world at the same time. */
static void test_procs_may_stop_the_world_together(void **state)
{
    struct plant p = {0};
    struct wire *wire = &p.first.wire;
    (void) state;
    v1_start(wire, 9);
    for (uint64_t proc = 1; proc <= 2; proc++) {
        v1_batch(wire, proc, V1_TICKS + 100 + proc);
        V1_EVENT(wire, V1_PROC_START, 1, 5 + proc);
        V1_EVENT(wire, V1_STW_START, 10, 0);
        V1_EVENT(wire, V1_STW_DONE, 10);
    }
    begin(&p, 9);
    plant_feed_rest(&p, &p.first);
    assert_int_equal(p.fed, V1_START_EVENTS + 7);
    plant_close(&p);
}

/*
 * A thread is known by the start of its proc, so the missing stop of a goroutine reveals nothing.
 */
static void test_missing_stop_is_fine_on_old_threads(void **state)
{
    struct plant p = {0};
    (void) state;
    v1_start_four(&p.first.wire, 21);
    V1_EVENT(&p.first.wire, V1_GO_SCHED, 1, 0);
    V1_EVENT(&p.first.wire, V1_GO_START, 1, 3, 1);
    begin(&p, 21);
    feed_missing(&p, V1_FOUR_EVENTS + 1);
    plant_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goroutine_without_thread_is_fine_in_old_traces),
        cmocka_unit_test(test_range_from_before_is_fine_in_old_traces),
        cmocka_unit_test(test_range_of_new_goroutine_needs_its_begin),
        cmocka_unit_test(test_collection_from_before_is_fine),
        cmocka_unit_test(test_procs_may_stop_the_world_together),
        cmocka_unit_test(test_missing_stop_is_fine_on_old_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
