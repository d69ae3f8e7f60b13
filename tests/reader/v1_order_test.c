/* SPDX-License-Identifier: BSD-3-Clause */

/* The order of the events of several procs in traces of Go 1.5 to 1.21. */

#include <stdbool.h>

#include "support/fault.h"
#include "support/reading.h"
#include "support/test.h"
#include "support/v1wire.h"

/* The same tick on all procs, far from the start. */
#define NOON 2000u

/* The time of a tick. */
static int64_t at(uint64_t ticks)
{
    return (int64_t) ticks - V1_TICKS - 1;
}

/*
 * Since Go 1.7 each goroutine has its own sequence numbers. There is one version of each set of
 * rules.
 */
static const unsigned versions[] = {7, 9, 11, 21};
#define VERSIONS 4

/* Proc 1 starts, and goroutine 3 on it, 1 tick before noon; its batch stays open. */
static void begin_other(struct reading *r)
{
    v1_batch(&r->wire, 1, NOON - 2);
    V1_EVENT(&r->wire, V1_PROC_START, 0, 6);
    V1_EVENT(&r->wire, V1_GO_START, 1, 3, 1);
}

static void skip_begin(struct reading *r, unsigned more)
{
    reading_open(r, NULL);
    reading_skip(r, V1_FOUR_EVENTS + more);
}

/* The batch of the goroutine that is unblocked comes first in the file, and has the same tick. */
static void test_start_waits_for_unblock(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < VERSIONS; k++) {
        v1_start_four(&r.wire, versions[k]);
        V1_EVENT(&r.wire, V1_GO_END, 1);
        v1_batch(&r.wire, 0, NOON);
        V1_EVENT(&r.wire, V1_GO_START, 0, 2, 3);
        begin_other(&r);
        V1_EVENT(&r.wire, V1_GO_UNBLOCK, 1, 2, 2, 0);
        skip_begin(&r, 3);
        reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
        reading_context(&r, 6, 1, 3);
        reading_time(&r, at(NOON));
        reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reading_context(&r, 5, 0, 2);
        reading_time(&r, at(NOON) + 1);
        reading_end(&r);
    }
}

/* If the clock of the proc that waits is behind, the order is certain, so the clocks are wrong. */
static void test_start_before_its_unblock_is_an_error(void **state)
{
    struct fault fault = {GT_ERR_TIME, 0, 0, V1_FOUR_EVENTS + 4};
    struct reading r = {0};
    int bad = 0;
    (void) state;
    for (size_t k = 0; k < VERSIONS; k++) {
        v1_start_four(&r.wire, versions[k]);
        V1_EVENT(&r.wire, V1_GO_END, 1);
        v1_batch(&r.wire, 0, NOON - 1);
        fault.offset = r.wire.size;
        V1_EVENT(&r.wire, V1_GO_START, 0, 2, 3);
        begin_other(&r);
        V1_EVENT(&r.wire, V1_GO_UNBLOCK, 1, 2, 2, 0);
        bad += fault_check("start before its unblock", &r.wire, &fault);
    }
    assert_int_equal(bad, 0);
}

/* The same if the event that must come first is none for the caller. */
static void test_unblock_before_its_system_call_blocks_is_an_error(void **state)
{
    struct fault fault = {GT_ERR_TIME, 0, 0, V1_START_EVENTS + 2};
    struct reading r = {0};
    int bad = 0;
    (void) state;
    for (size_t k = 1; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GO_SYS_CALL, 10, 0);
        V1_EVENT(&r.wire, V1_GO_SYS_BLOCK, 200);
        v1_batch(&r.wire, 1, V1_TICKS + 50);
        V1_EVENT(&r.wire, V1_PROC_START, 1, 6);
        fault.offset = r.wire.size;
        V1_EVENT(&r.wire, V1_GO_UNBLOCK, 100, 1, 2, 0);
        bad += fault_check("unblock before its block", &r.wire, &fault);
    }
    assert_int_equal(bad, 0);
}

/*
 * The batches of a proc are in the file in the order in which they were written, whatever their
 * times are.
 */
static void test_batch_that_goes_back_in_time_is_an_error(void **state)
{
    struct fault fault = {GT_ERR_TIME, 0, 0, V1_FOUR_EVENTS + 1};
    struct reading r = {0};
    int bad = 0;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start_four(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 100, 1);
        v1_batch(&r.wire, 0, V1_TICKS + 50);
        fault.offset = r.wire.size;
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 2);
        bad += fault_check("a batch that goes back", &r.wire, &fault);
    }
    assert_int_equal(bad, 0);
}

/* Events that need no sequence number take the next one all the same. */
static void test_events_without_a_number_count(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < VERSIONS; k++) {
        v1_start_four(&r.wire, versions[k]);
        V1_EVENT(&r.wire, V1_GO_UNBLOCK_LOCAL, 1, 2, 0);
        V1_EVENT(&r.wire, V1_GO_SCHED, 1, 0);
        V1_EVENT(&r.wire, V1_GO_START_LOCAL, 1, 2);
        V1_EVENT(&r.wire, V1_GO_PREEMPT, 1, 0);
        v1_batch(&r.wire, 1, NOON);
        V1_EVENT(&r.wire, V1_PROC_START, 1, 6);
        V1_EVENT(&r.wire, V1_GO_START, 1, 2, 4);
        skip_begin(&r, 0);
        reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
        reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNABLE);
        reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reading_context(&r, 5, 0, 2);
        reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_RUNNABLE);
        reading_proc(&r, 1, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
        reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
        reading_context(&r, 6, 1, 2);
        reading_end(&r);
    }
}

/* Go takes the highest number for none: it fits any goroutine in the right state, and 0 follows. */
static void test_highest_number_fits_and_zero_follows(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < VERSIONS; k++) {
        v1_start_four(&r.wire, versions[k]);
        V1_EVENT(&r.wire, V1_GO_UNBLOCK, 1, 2, UINT64_MAX, 0);
        V1_EVENT(&r.wire, V1_GO_SYS_EXIT, 1, 4, UINT64_MAX, 0);
        V1_EVENT(&r.wire, V1_GO_SCHED, 1, 0);
        V1_EVENT(&r.wire, V1_GO_START, 1, 3, UINT64_MAX);
        V1_EVENT(&r.wire, V1_GO_SCHED, 1, 0);
        v1_batch(&r.wire, 1, NOON);
        V1_EVENT(&r.wire, V1_PROC_START, 1, 6);
        for (uint64_t id = 2; id <= 4; id++) {
            V1_EVENT(&r.wire, V1_GO_START, 1, id, 0);
            V1_EVENT(&r.wire, V1_GO_END, 1);
        }
        skip_begin(&r, 6);
        for (int64_t id = 2; id <= 4; id++) {
            reading_goroutine(&r, id, GT_GO_RUNNABLE, GT_GO_RUNNING);
            reading_goroutine(&r, id, GT_GO_RUNNING, GT_GO_NOT_EXIST);
        }
        reading_end(&r);
    }
}

static void test_highest_number_of_a_collection_fits_and_zero_follows(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < VERSIONS; k++) {
        v1_start_four(&r.wire, versions[k]);
        V1_EVENT(&r.wire, V1_GC_START, 1, 0, 0);
        V1_EVENT(&r.wire, V1_GC_DONE, 1);
        v1_batch(&r.wire, 0, NOON);
        V1_EVENT(&r.wire, V1_GC_START, 1, 0, 0);
        v1_batch(&r.wire, 1, NOON);
        V1_EVENT(&r.wire, V1_GC_START, 0, UINT64_MAX, 0);
        V1_EVENT(&r.wire, V1_GC_DONE, 0);
        skip_begin(&r, 2);
        reading_next(&r, GT_EVENT_RANGE_BEGIN);
        reading_next(&r, GT_EVENT_RANGE_END);
        reading_next(&r, GT_EVENT_RANGE_BEGIN);
        reading_end(&r);
    }
}

/*
 * A goroutine moves back and forth between two procs, each of which has all its events in one
 * batch.
 */
static void test_goroutine_alternates_between_two_procs(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < VERSIONS; k++) {
        v1_start_four(&r.wire, versions[k]);
        begin_other(&r);
        for (uint64_t i = 0; i < 10; i++)
            V1_EVENT(&r.wire, V1_GO_UNBLOCK, i == 0 ? 1 : 4, 2, 2 + 2 * i, 0);
        v1_batch(&r.wire, 0, NOON - 3);
        V1_EVENT(&r.wire, V1_GO_END, 0);
        for (uint64_t i = 0; i < 10; i++) {
            V1_EVENT(&r.wire, V1_GO_START, 3, 2, 3 + 2 * i);
            V1_EVENT(&r.wire, V1_GO_BLOCK_SYNC, 1, 0);
        }
        skip_begin(&r, 3);
        for (uint64_t i = 0; i < 10; i++) {
            reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
            reading_time(&r, at(NOON + 4 * i));
            reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
            reading_time(&r, at(NOON + 4 * i) + 1);
            reading_goroutine(&r, 2, GT_GO_RUNNING, GT_GO_WAITING);
            reading_time(&r, at(NOON + 4 * i) + 2);
        }
        reading_end(&r);
    }
}

/* Collections are numbered across all procs. */
static void test_collections_are_numbered_over_all_procs(void **state)
{
    struct fault fault = {GT_ERR_TIME, 0, 0, V1_FOUR_EVENTS + 3};
    struct reading r = {0};
    int bad = 0;
    (void) state;
    for (size_t k = 0; k < VERSIONS; k++) {
        v1_start_four(&r.wire, versions[k]);
        v1_batch(&r.wire, 0, NOON);
        V1_EVENT(&r.wire, V1_GC_START, 2, 1, 0);
        V1_EVENT(&r.wire, V1_GC_DONE, 1);
        begin_other(&r);
        V1_EVENT(&r.wire, V1_GC_START, 1, 0, 0);
        V1_EVENT(&r.wire, V1_GC_DONE, 1);
        skip_begin(&r, 2);
        reading_next(&r, GT_EVENT_RANGE_BEGIN);
        reading_time(&r, at(NOON));
        reading_next(&r, GT_EVENT_RANGE_END);
        reading_next(&r, GT_EVENT_RANGE_BEGIN);
        reading_time(&r, at(NOON) + 2);
        reading_next(&r, GT_EVENT_RANGE_END);
        reading_end(&r);
        v1_start_four(&r.wire, versions[k]);
        v1_batch(&r.wire, 0, NOON - 1);
        fault.offset = r.wire.size;
        V1_EVENT(&r.wire, V1_GC_START, 0, 1, 0);
        begin_other(&r);
        V1_EVENT(&r.wire, V1_GC_START, 1, 0, 0);
        bad += fault_check("second collection before the first", &r.wire, &fault);
    }
    assert_int_equal(bad, 0);
}

/* Events that can never happen, each with its `count` arguments. */
static const struct stuck {
    const char *name;
    unsigned least, type, count;
    uint64_t args[4];
} stuck[] = {
    {"GoStart of none", 7, V1_GO_START, 3, {1, 9, 1}},
    {"GoStart of one that waits", 7, V1_GO_START, 3, {1, 2, 2}},
    {"GoStart of one that runs", 7, V1_GO_START, 3, {1, 1, 2}},
    {"GoStart, number too low", 7, V1_GO_START, 3, {1, 3, 0}},
    {"GoStart, number too high", 7, V1_GO_START, 3, {1, 3, 5}},
    {"GoStartLocal of one that waits", 7, V1_GO_START_LOCAL, 2, {1, 2}},
    {"GoStartLabel, number too high", 8, V1_GO_START_LABEL, 4, {1, 3, 5, 0}},
    {"GoUnblock of none", 7, V1_GO_UNBLOCK, 4, {1, 9, 2, 0}},
    {"GoUnblock of one that runs", 7, V1_GO_UNBLOCK, 4, {1, 1, 2, 0}},
    {"GoUnblock, number too low", 7, V1_GO_UNBLOCK, 4, {1, 2, 1, 0}},
    {"GoUnblock, number too high", 7, V1_GO_UNBLOCK, 4, {1, 2, 3, 0}},
    {"GoUnblockLocal of one that can run", 7, V1_GO_UNBLOCK_LOCAL, 3, {1, 3, 0}},
    {"GoSysExit of one that can run", 7, V1_GO_SYS_EXIT, 4, {1, 3, 1, 0}},
    {"GoSysExit, number too high", 7, V1_GO_SYS_EXIT, 4, {1, 2, 3, 0}},
    {"GoSysExitLocal of one that can run", 7, V1_GO_SYS_EXIT_LOCAL, 3, {1, 3, 0}},
    {"GoWaiting of one that waits", 7, V1_GO_WAITING, 2, {1, 2}},
    {"GoInSyscall of one that runs", 7, V1_GO_IN_SYSCALL, 2, {1, 1}},
    {"GCStart, number too high", 7, V1_GC_START, 3, {1, 1, 0}},
};

/* Proc 1 continues to its end, which is later, before the reader gives up. */
static void test_event_that_can_never_happen_is_an_error(void **state)
{
    struct fault fault = {GT_ERR_STUCK, 0, 0, V1_FOUR_EVENTS + 5};
    struct reading r = {0};
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(stuck) / sizeof(*stuck); i++) {
        for (size_t k = 0; k < V1_VERSIONS; k++) {
            if (v1_versions[k] < stuck[i].least)
                continue;
            v1_start_four(&r.wire, v1_versions[k]);
            V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 1);
            fault.offset = r.wire.size;
            v1_event(&r.wire, stuck[i].type, stuck[i].args, stuck[i].count);
            V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 2);
            begin_other(&r);
            V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 3);
            V1_EVENT(&r.wire, V1_GO_SCHED, 1, 0);
            bad += fault_check(stuck[i].name, &r.wire, &fault);
        }
    }
    assert_int_equal(bad, 0);
}

/* Two procs start the same goroutine at the same time, which only one of them can do. */
static void test_second_start_of_a_goroutine_is_an_error(void **state)
{
    struct fault fault = {GT_ERR_STUCK, 0, 0, V1_FOUR_EVENTS + 2};
    struct reading r = {0};
    int bad = 0;
    (void) state;
    for (size_t k = 0; k < VERSIONS; k++) {
        v1_start_four(&r.wire, versions[k]);
        V1_EVENT(&r.wire, V1_GO_END, 1);
        v1_batch(&r.wire, 0, NOON);
        V1_EVENT(&r.wire, V1_GO_START, 0, 3, 1);
        v1_batch(&r.wire, 1, NOON);
        fault.offset = r.wire.size;
        V1_EVENT(&r.wire, V1_GO_START, 0, 3, 1);
        bad += fault_check("two starts", &r.wire, &fault);
    }
    assert_int_equal(bad, 0);
}

/* A proc without a goroutine blocks. */
static void test_block_without_a_goroutine_is_an_error(void **state)
{
    static const unsigned types[] = {
        V1_GO_SCHED,      V1_GO_PREEMPT,    V1_GO_SLEEP,        V1_GO_BLOCK,
        V1_GO_BLOCK_SEND, V1_GO_BLOCK_RECV, V1_GO_BLOCK_SELECT, V1_GO_BLOCK_SYNC,
        V1_GO_BLOCK_COND, V1_GO_BLOCK_NET,  V1_GO_SYS_BLOCK,    V1_GO_BLOCK_GC,
    };
    struct fault fault = {GT_ERR_STUCK, 0, 0, V1_FOUR_EVENTS + 1};
    struct reading r = {0};
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        for (size_t k = 0; k < VERSIONS; k++) {
            if (v1_specs[types[i]].since > versions[k])
                continue;
            v1_start_four(&r.wire, versions[k]);
            V1_EVENT(&r.wire, V1_GO_END, 1);
            fault.offset = r.wire.size;
            if (types[i] == V1_GO_SYS_BLOCK)
                V1_EVENT(&r.wire, types[i], 1);
            else
                V1_EVENT(&r.wire, types[i], 1, 0);
            bad += fault_check("block without a goroutine", &r.wire, &fault);
        }
    }
    assert_int_equal(bad, 0);
}

/* All procs have an event at noon; CPU samples of that time come last. */
static void test_samples_come_last_at_equal_times(void **state)
{
    static const uint64_t procs[] = {4, 2, 3};
    struct reading r = {0};
    (void) state;
    for (size_t k = 1; k < V1_VERSIONS; k++) {
        bool samples = v1_versions[k] >= 19;
        v1_start(&r.wire, v1_versions[k]);
        if (samples)
            V1_EVENT(&r.wire, V1_CPU_SAMPLE, 1, NOON, 0, 1, 0);
        for (size_t i = 0; i < 3; i++) {
            v1_batch(&r.wire, procs[i], NOON);
            V1_EVENT(&r.wire, V1_HEAP_ALLOC, 0, 2 * i + 1);
            V1_EVENT(&r.wire, V1_HEAP_ALLOC, 0, 2 * i + 2);
        }
        v1_batch(&r.wire, 0, NOON);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 0, 0);
        reading_open(&r, NULL);
        reading_skip(&r, V1_START_EVENTS);
        for (size_t i = 0; i < 7; i++) {
            reading_metric(&r, i);
            reading_time(&r, at(NOON) + (int64_t) i);
        }
        if (samples) {
            reading_next(&r, GT_EVENT_STACK_SAMPLE);
            reading_time(&r, at(NOON) + 7);
        }
        reading_end(&r);
    }
}

/* Samples have their own times, even before all other events. */
static void test_samples_are_placed_at_their_times(void **state)
{
    static const uint64_t ticks[] = {NOON + 1, NOON - 1, V1_TICKS - 100, NOON + 1};
    struct reading r = {0};
    (void) state;
    v1_start(&r.wire, 19);
    for (uint64_t i = 0; i < 4; i++)
        V1_EVENT(&r.wire, V1_CPU_SAMPLE, 1, ticks[i], i, 1, 0);
    v1_batch(&r.wire, 0, NOON);
    V1_EVENT(&r.wire, V1_HEAP_ALLOC, 0, 1);
    V1_EVENT(&r.wire, V1_HEAP_ALLOC, 2, 2);
    reading_open(&r, NULL);
    assert_int_equal(reading_sync(&r).number, 1);
    reading_time(&r, -1);
    reading_next(&r, GT_EVENT_STACK_SAMPLE);
    reading_context(&r, GT_NO_THREAD, 2, 1);
    reading_time(&r, 0);
    reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    reading_time(&r, 102);
    reading_skip(&r, 1);
    reading_next(&r, GT_EVENT_STACK_SAMPLE);
    reading_context(&r, GT_NO_THREAD, 1, 1);
    reading_time(&r, 101 + at(NOON) - 1);
    reading_metric(&r, 1);
    reading_next(&r, GT_EVENT_STACK_SAMPLE);
    reading_context(&r, GT_NO_THREAD, 0, 1);
    reading_next(&r, GT_EVENT_STACK_SAMPLE);
    reading_context(&r, GT_NO_THREAD, 3, 1);
    reading_time(&r, 101 + at(NOON) + 2);
    reading_metric(&r, 2);
    reading_end(&r);
}

/* Go 1.5 numbers all events, wherever they are in the file. */
static void test_global_numbers_order_all_events(void **state)
{
    struct reading r = {0};
    (void) state;
    v1_start(&r.wire, 5);
    v1_batch(&r.wire, 1, NOON);
    for (uint64_t i = 0; i < 5; i++) {
        r.wire.sequence = 100 + 2 * i;
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 0, 2 * i);
    }
    r.wire.sequence = 100;
    v1_batch(&r.wire, 0, NOON);
    for (uint64_t i = 0; i < 5; i++) {
        r.wire.sequence = 101 + 2 * i;
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 0, 2 * i + 1);
    }
    reading_open(&r, NULL);
    reading_skip(&r, V1_START_EVENTS);
    for (uint64_t i = 0; i < 10; i++) {
        reading_metric(&r, i);
        assert_int_equal(r.event->proc, 1 - i % 2);
        reading_time(&r, at(NOON) + (int64_t) i);
    }
    reading_end(&r);
}

static void test_global_number_against_time_is_an_error(void **state)
{
    struct fault fault = {GT_ERR_TIME, 0, 0, V1_FOUR_EVENTS + 1};
    struct reading r = {0};
    (void) state;
    v1_start_four(&r.wire, 5);
    r.wire.sequence = 100;
    v1_batch(&r.wire, 1, NOON);
    V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 1);
    v1_batch(&r.wire, 0, NOON);
    fault.offset = r.wire.size;
    V1_EVENT(&r.wire, V1_HEAP_ALLOC, 0, 2);
    assert_int_equal(fault_check("sequence against time", &r.wire, &fault), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_waits_for_unblock),
        cmocka_unit_test(test_start_before_its_unblock_is_an_error),
        cmocka_unit_test(test_unblock_before_its_system_call_blocks_is_an_error),
        cmocka_unit_test(test_batch_that_goes_back_in_time_is_an_error),
        cmocka_unit_test(test_events_without_a_number_count),
        cmocka_unit_test(test_highest_number_fits_and_zero_follows),
        cmocka_unit_test(test_highest_number_of_a_collection_fits_and_zero_follows),
        cmocka_unit_test(test_goroutine_alternates_between_two_procs),
        cmocka_unit_test(test_collections_are_numbered_over_all_procs),
        cmocka_unit_test(test_event_that_can_never_happen_is_an_error),
        cmocka_unit_test(test_second_start_of_a_goroutine_is_an_error),
        cmocka_unit_test(test_block_without_a_goroutine_is_an_error),
        cmocka_unit_test(test_samples_come_last_at_equal_times),
        cmocka_unit_test(test_samples_are_placed_at_their_times),
        cmocka_unit_test(test_global_numbers_order_all_events),
        cmocka_unit_test(test_global_number_against_time_is_an_error),
    };
    return cmocka_run_group_tests_name("v1 order", tests, NULL, NULL);
}
