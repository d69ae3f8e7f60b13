/* SPDX-License-Identifier: BSD-3-Clause */

/* Generations: Syncs, clocks, and what persists from one generation to the next. */

#include <string.h>

#include "support/reading.h"
#include "support/test.h"

/* From here on thread 5 runs goroutine 1 on proc 0; its batch stays open. */
static void begin_generation(struct reading *r, uint64_t gen, uint64_t time)
{
    wire_sync(&r->wire, gen, time, WIRE_NANOSECONDS);
    wire_batch(&r->wire, gen, 5, time + 1);
    wire_running(&r->wire, 5, 0, 1);
}

static void test_sync_has_its_number_and_generation(void **state)
{
    struct reading r = {0};
    gt_sync sync;
    (void) state;
    wire_begin(&r.wire, 26);
    for (uint64_t i = 1; i <= 3; i++) {
        begin_generation(&r, 40 + i, 1000 * i);
        wire_generation_end(&r.wire);
    }
    reading_open(&r, NULL);
    for (uint64_t i = 1; i <= 3; i++) {
        sync = reading_sync(&r);
        assert_int_equal(sync.number, i);
        assert_int_equal(sync.generation, 40 + i);
        assert_int_equal(r.event->time, 1000 * i);
        reading_context(&r, -1, -1, -1);
        assert_true(gt_event_stack(r.event) == GT_STACK_NONE);
        reading_skip(&r, 2);
    }
    sync = reading_sync(&r);
    assert_int_equal(sync.number, 4);
    assert_int_equal(sync.generation, 0);
    assert_int_equal(sync.has_clock, 0);
    assert_int_equal(sync.batch_count, 0);
    assert_int_equal(r.event->time, 3004);
    reading_fail(&r, GT_END);
}

/*
 * A Sync has the least time of the generation's batches, but is later than every event before it.
 */
static void test_sync_has_the_least_time_of_its_batches(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 23);
    wire_batch(&r.wire, 1, 6, 700);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 900, 3, PROC_IDLE);
    begin_generation(&r, 1, 500);
    wire_sync(&r.wire, 2, 400, WIRE_NANOSECONDS);
    reading_open(&r, NULL);
    reading_sync(&r);
    assert_int_equal(r.event->time, 500);
    reading_skip(&r, 3);
    assert_int_equal(r.event->time, 1600);
    reading_sync(&r);
    assert_int_equal(r.event->time, 1601);
    reading_end(&r);
}

static void expect_wall_clock(const struct reading *r, int64_t seconds, uint32_t nanoseconds)
{
    int64_t s;
    uint32_t ns;
    assert_status(gt_event_wall_clock(r->event, &s, &ns), GT_OK);
    assert_int_equal(s, seconds);
    assert_int_equal(ns, nanoseconds);
}

static void test_wall_clock_counts_from_the_snapshot(void **state)
{
    struct reading r = {0};
    gt_sync sync;
    (void) state;
    wire_begin(&r.wire, 26);
    wire_batch(&r.wire, 1, WIRE_NONE, 5000);
    wire_byte(&r.wire, EV_SYNC);
    WIRE_EVENT(&r.wire, EV_FREQUENCY, 500000000);
    WIRE_EVENT(&r.wire, EV_CLOCK_SNAPSHOT, 7, 424242, 1700000000, 999999000);
    wire_batch(&r.wire, 1, 5, 4000);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1007, 0, PROC_RUNNING);
    wire_generation_end(&r.wire);
    reading_open(&r, NULL);
    sync = reading_sync(&r);
    assert_int_equal(sync.has_clock, 1);
    assert_int_equal(sync.clock_trace, 2 * 5007);
    assert_int_equal(sync.clock_monotonic, 424242);
    assert_int_equal(sync.clock_seconds, 1700000000);
    assert_int_equal(sync.clock_nanoseconds, 999999000);
    assert_int_equal(r.event->time, 8000);
    /* 2014 ns before the snapshot, and 2 ns after it. */
    expect_wall_clock(&r, 1700000000, 999999000 - 2014);
    reading_skip(&r, 1);
    expect_wall_clock(&r, 1700000000, 999999000 - 2012);
    reading_skip(&r, 1);
    expect_wall_clock(&r, 1700000000, 999999002);
    reading_skip(&r, 1);
    assert_int_equal(r.event->kind, GT_EVENT_SYNC);
    reading_fail(&r, GT_END);
}

/* The wall clock carries over seconds in both directions. */
static void test_wall_clock_carries_seconds_both_ways(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 25);
    wire_batch(&r.wire, 1, WIRE_NONE, 3000000000u);
    wire_byte(&r.wire, EV_SYNC);
    WIRE_EVENT(&r.wire, EV_CLOCK_SNAPSHOT, 0, 1, 100, 999999999);
    WIRE_EVENT(&r.wire, EV_FREQUENCY, WIRE_NANOSECONDS);
    wire_batch(&r.wire, 1, 5, 500000000);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 0, 0, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 2500000001u, 0, PROC_RUNNING);
    reading_open(&r, NULL);
    reading_skip(&r, 1);
    expect_wall_clock(&r, 98, 499999999);
    reading_skip(&r, 1);
    expect_wall_clock(&r, 98, 500000000);
    reading_skip(&r, 1);
    expect_wall_clock(&r, 101, 0);
    reading_end(&r);
}

/* Nanoseconds of a second or more are added to the seconds. */
static void test_excess_nanoseconds_become_seconds(void **state)
{
    static const uint64_t nanoseconds[] = {UINT64_MAX, 2500000000u, 1000000000u, 0};
    static const int64_t seconds[] = {99, 102, 101, 100};
    static const uint32_t rest[] = {999999999, 500000000, 0, 0};
    struct reading r = {0};
    gt_sync sync;
    (void) state;
    for (size_t i = 0; i < 4; i++) {
        wire_begin(&r.wire, 25);
        wire_batch(&r.wire, 1, WIRE_NONE, 10);
        wire_byte(&r.wire, EV_SYNC);
        WIRE_EVENT(&r.wire, EV_CLOCK_SNAPSHOT, 0, 1, 100, nanoseconds[i]);
        WIRE_EVENT(&r.wire, EV_FREQUENCY, WIRE_NANOSECONDS);
        reading_open(&r, NULL);
        sync = reading_sync(&r);
        assert_int_equal(sync.clock_seconds, seconds[i]);
        assert_int_equal(sync.clock_nanoseconds, rest[i]);
        expect_wall_clock(&r, seconds[i], rest[i]);
        reading_end(&r);
    }
}

/* Beyond the end of its range there is no wall clock. */
static void test_wall_clock_beyond_its_range_is_not_available(void **state)
{
    uint32_t nanoseconds;
    struct reading r = {0};
    int64_t seconds;
    (void) state;
    wire_begin(&r.wire, 25);
    wire_batch(&r.wire, 1, WIRE_NONE, 10);
    wire_byte(&r.wire, EV_SYNC);
    WIRE_EVENT(&r.wire, EV_CLOCK_SNAPSHOT, 0, 1, INT64_MAX, 0);
    WIRE_EVENT(&r.wire, EV_FREQUENCY, WIRE_NANOSECONDS);
    wire_batch(&r.wire, 1, 5, 10);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 999999999, 0, PROC_IDLE);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_IDLE);
    reading_open(&r, NULL);
    reading_skip(&r, 1);
    expect_wall_clock(&r, INT64_MAX, 0);
    reading_skip(&r, 1);
    expect_wall_clock(&r, INT64_MAX, 999999999);
    reading_skip(&r, 1);
    assert_status(gt_event_wall_clock(r.event, &seconds, &nanoseconds), GT_ERR_NOT_AVAILABLE);
    reading_close(&r);
}

static void test_end_of_a_trace_has_a_wall_clock(void **state)
{
    gt_sync sync = GT_SYNC_INIT;
    uint32_t nanoseconds = 77;
    int64_t seconds = 77;
    (void) state;
    assert_status(gt_sync_wall_clock(&sync, 5, &seconds, &nanoseconds), GT_ERR_NOT_AVAILABLE);
    sync.has_clock = 1;
    sync.clock_trace = 1500000000;
    sync.clock_seconds = 100;
    sync.clock_nanoseconds = 600000000;
    assert_status(gt_sync_wall_clock(&sync, 3000000001, &seconds, &nanoseconds), GT_OK);
    assert_int_equal(seconds, 102);
    assert_int_equal(nanoseconds, 100000001);
    assert_status(gt_sync_wall_clock(&sync, 0, &seconds, &nanoseconds), GT_OK);
    assert_int_equal(seconds, 99);
    assert_int_equal(nanoseconds, 100000000);
    assert_status(gt_sync_wall_clock(NULL, 0, &seconds, &nanoseconds), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_sync_wall_clock(&sync, 0, NULL, &nanoseconds), GT_ERR_INVALID_ARGUMENT);
    sync.clock_nanoseconds = 1000000000;
    assert_status(gt_sync_wall_clock(&sync, 0, &seconds, &nanoseconds), GT_ERR_INVALID_ARGUMENT);
}

static void test_no_wall_clock_before_version_25(void **state)
{
    struct reading r = {0};
    uint32_t nanoseconds = 77;
    int64_t seconds = 77;
    gt_sync sync;
    (void) state;
    wire_begin(&r.wire, 23);
    begin_generation(&r, 1, 10);
    reading_open(&r, NULL);
    sync = reading_sync(&r);
    assert_int_equal(sync.has_clock, 0);
    assert_int_equal(sync.clock_trace, 0);
    assert_int_equal(sync.clock_seconds, 0);
    assert_status(gt_event_wall_clock(r.event, &seconds, &nanoseconds), GT_ERR_NOT_AVAILABLE);
    reading_skip(&r, 1);
    assert_status(gt_event_wall_clock(r.event, &seconds, &nanoseconds), GT_ERR_NOT_AVAILABLE);
    reading_close(&r);
}

/* The clock's unit is not a nanosecond: each difference is rounded down to whole nanoseconds. */
static void test_times_are_rounded_down_per_event(void **state)
{
    static const int64_t expected[] = {10, 11, 12, 13};
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 22);
    wire_sync(&r.wire, 1, 30, UINT64_C(3000000000));
    wire_batch(&r.wire, 1, 5, 30);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 2, 0, PROC_RUNNING);
    wire_batch(&r.wire, 1, 5, 300);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 5, 0, PROC_RUNNING);
    reading_open(&r, NULL);
    for (size_t i = 0; i < 4; i++) {
        reading_skip(&r, 1);
        assert_int_equal(r.event->time, expected[i]);
    }
    reading_skip(&r, 1);
    assert_int_equal(r.event->time, 101);
    reading_end(&r);
}

/* The runtime's usual clock has 64 ns per tick. */
static void test_ticks_of_64_ns_become_nanoseconds(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 22);
    wire_sync(&r.wire, 1, 1000, 15625000);
    wire_batch(&r.wire, 1, 5, 1000);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 3, 0, PROC_RUNNING);
    reading_open(&r, NULL);
    reading_sync(&r);
    assert_int_equal(r.event->time, 64000);
    reading_skip(&r, 1);
    assert_int_equal(r.event->time, 64192);
    reading_end(&r);
}

/* Batches of one thread keep the order of the file, even where times go back. */
static void test_batches_keep_file_order(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 22);
    wire_sync(&r.wire, 1, 1, WIRE_NANOSECONDS);
    wire_batch(&r.wire, 1, 5, 1000);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 0, 0, PROC_RUNNING);
    wire_batch(&r.wire, 1, 5, 2000);
    wire_batch(&r.wire, 1, 5, 500);
    WIRE_EVENT(&r.wire, EV_PROC_STOP, 0);
    reading_open(&r, NULL);
    reading_skip(&r, 1);
    reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    assert_int_equal(r.event->time, 1000);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    assert_int_equal(r.event->time, 1001);
    reading_end(&r);
}

/* The end of a task has the name and parent of its begin, whose string ids are no longer valid. */
static void test_task_end_keeps_its_name_over_generations(void **state)
{
    gt_task task = GT_TASK_INIT;
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 26);
    begin_generation(&r, 1, 10);
    WIRE_EVENT(&r.wire, EV_USER_TASK_BEGIN, 1, 7, 3, 1, 0);
    wire_strings(&r.wire, 1);
    wire_string(&r.wire, 1, "request");
    wire_generation_end(&r.wire);
    begin_generation(&r, 2, 100);
    wire_strings(&r.wire, 2);
    wire_string(&r.wire, 1, "another string");
    wire_generation_end(&r.wire);
    begin_generation(&r, 3, 200);
    WIRE_EVENT(&r.wire, EV_USER_TASK_END, 1, 7, 0);
    wire_generation_end(&r.wire);
    reading_open(&r, NULL);
    reading_skip(&r, 10);
    reading_next(&r, GT_EVENT_TASK_END);
    assert_status(gt_event_task(r.event, &task), GT_OK);
    assert_int_equal(task.id, 7);
    assert_int_equal(task.parent, 3);
    assert_text(task.type, "request");
    reading_end(&r);
}

static void test_region_ends_in_a_later_generation(void **state)
{
    gt_region region = GT_REGION_INIT;
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 22);
    begin_generation(&r, 1, 10);
    WIRE_EVENT(&r.wire, EV_USER_REGION_BEGIN, 1, 7, 1, 0);
    wire_strings(&r.wire, 1);
    wire_string(&r.wire, 1, "query");
    begin_generation(&r, 2, 100);
    WIRE_EVENT(&r.wire, EV_USER_REGION_END, 1, 7, 9, 0);
    wire_strings(&r.wire, 2);
    wire_string(&r.wire, 9, "query");
    wire_string(&r.wire, 1, "something else");
    reading_open(&r, NULL);
    reading_skip(&r, 7);
    reading_next(&r, GT_EVENT_REGION_END);
    assert_status(gt_event_region(r.event, &region), GT_OK);
    assert_int_equal(region.task, 7);
    assert_text(region.type, "query");
    reading_end(&r);
}

/* The end of a stop has the cause of its begin, not the text that the id has now. */
static void test_stop_end_keeps_its_cause_over_generations(void **state)
{
    gt_range range = GT_RANGE_INIT;
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 26);
    begin_generation(&r, 1, 10);
    WIRE_EVENT(&r.wire, EV_STW_BEGIN, 1, 4, 0);
    wire_strings(&r.wire, 1);
    wire_string(&r.wire, 4, "start trace");
    wire_generation_end(&r.wire);
    begin_generation(&r, 2, 100);
    WIRE_EVENT(&r.wire, EV_STW_END, 1);
    wire_strings(&r.wire, 2);
    wire_string(&r.wire, 4, "wrong");
    wire_generation_end(&r.wire);
    reading_open(&r, NULL);
    reading_skip(&r, 7);
    reading_next(&r, GT_EVENT_RANGE_END);
    assert_status(gt_event_range(r.event, &range), GT_OK);
    assert_text(range.cause, "start trace");
    assert_int_equal(range.has_cause, 1);
    reading_end(&r);
}

/* Ranges continue: later generations say so with their active events. */
static void test_active_ranges_continue_in_later_generations(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 22);
    begin_generation(&r, 1, 10);
    WIRE_EVENT(&r.wire, EV_GC_BEGIN, 1, 1, 0);
    WIRE_EVENT(&r.wire, EV_GC_SWEEP_BEGIN, 1, 0);
    WIRE_EVENT(&r.wire, EV_GC_MARK_ASSIST_BEGIN, 1, 0);
    begin_generation(&r, 2, 100);
    WIRE_EVENT(&r.wire, EV_GC_ACTIVE, 1, 2);
    WIRE_EVENT(&r.wire, EV_GC_SWEEP_ACTIVE, 1, 0);
    WIRE_EVENT(&r.wire, EV_GC_MARK_ASSIST_ACTIVE, 1, 1);
    WIRE_EVENT(&r.wire, EV_GC_MARK_ASSIST_END, 1);
    WIRE_EVENT(&r.wire, EV_GC_SWEEP_END, 1, 1, 2);
    WIRE_EVENT(&r.wire, EV_GC_END, 1, 3);
    reading_open(&r, NULL);
    reading_skip(&r, 9);
    reading_next(&r, GT_EVENT_RANGE_ACTIVE);
    reading_next(&r, GT_EVENT_RANGE_ACTIVE);
    reading_next(&r, GT_EVENT_RANGE_ACTIVE);
    reading_next(&r, GT_EVENT_RANGE_END);
    reading_next(&r, GT_EVENT_RANGE_END);
    reading_next(&r, GT_EVENT_RANGE_END);
    reading_end(&r);
}

/* Sequence numbers restart in each generation, with the status. */
static void test_sequence_numbers_restart_with_each_generation(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 22);
    begin_generation(&r, 1, 10);
    WIRE_EVENT(&r.wire, EV_GO_STOP, 1, 0, 0);
    WIRE_EVENT(&r.wire, EV_GO_START, 1, 1, 1);
    WIRE_EVENT(&r.wire, EV_GO_STOP, 1, 0, 0);
    WIRE_EVENT(&r.wire, EV_GO_START, 1, 1, 2);
    begin_generation(&r, 2, 100);
    WIRE_EVENT(&r.wire, EV_GO_STOP, 1, 0, 0);
    WIRE_EVENT(&r.wire, EV_GO_START, 1, 1, 1);
    reading_open(&r, NULL);
    reading_skip(&r, 11);
    reading_goroutine(&r, 1, GT_GO_RUNNABLE, GT_GO_RUNNING);
    reading_end(&r);
}

/* Since Go 1.26 any number that is not zero is valid for a generation. */
static void test_any_generation_number_is_good_since_26(void **state)
{
    static const uint64_t numbers[] = {5, 3, 3, UINT64_MAX};
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 26);
    for (size_t i = 0; i < 4; i++) {
        begin_generation(&r, numbers[i], 100 * (i + 1));
        wire_generation_end(&r.wire);
    }
    reading_open(&r, NULL);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(reading_sync(&r).generation, numbers[i]);
        reading_skip(&r, 2);
    }
    reading_end(&r);
}

static void expect_batch(const struct reading *r, uint32_t index, const char *experiment,
                         uint64_t id, int64_t thread, const char *data)
{
    gt_experimental_batch batch = GT_EXPERIMENTAL_BATCH_INIT;
    assert_status(gt_event_experimental_batch(r->event, index, &batch), GT_OK);
    assert_text(batch.experiment, experiment);
    assert_int_equal(batch.experiment_id, id);
    assert_int_equal(batch.thread, thread);
    assert_text(batch.data, data);
}

static void test_sync_has_the_experimental_batches(void **state)
{
    gt_experimental_batch batch = GT_EXPERIMENTAL_BATCH_INIT;
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 26);
    begin_generation(&r, 1, 10);
    wire_experiment(&r.wire, 1, 1, 5, 20);
    wire_bytes(&r.wire, "first", 5);
    wire_experiment(&r.wire, 200, 1, WIRE_NONE, 20);
    wire_bytes(&r.wire, "unknown", 7);
    wire_experiment(&r.wire, 1, 1, 9, 20);
    wire_generation_end(&r.wire);
    begin_generation(&r, 2, 100);
    wire_generation_end(&r.wire);
    reading_open(&r, NULL);
    assert_int_equal(reading_sync(&r).batch_count, 3);
    expect_batch(&r, 0, "AllocFree", 1, 5, "first");
    expect_batch(&r, 1, "", 200, -1, "unknown");
    expect_batch(&r, 2, "AllocFree", 1, 9, "");
    assert_status(gt_event_experimental_batch(r.event, 3, &batch), GT_ERR_INVALID_ARGUMENT);
    batch.size--;
    assert_status(gt_event_experimental_batch(r.event, 0, &batch), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_experimental_batch(r.event, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    reading_skip(&r, 2);
    assert_int_equal(reading_sync(&r).batch_count, 0);
    reading_close(&r);
}

/* Experiment 0 means no experiment: its batch is an ordinary batch. */
static void test_batch_of_experiment_zero_is_an_ordinary_batch(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 23);
    wire_sync(&r.wire, 1, 1, WIRE_NANOSECONDS);
    wire_experiment(&r.wire, 0, 1, 5, 10);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(&r.wire, EV_PROC_STOP, 1);
    reading_open(&r, NULL);
    assert_int_equal(reading_sync(&r).batch_count, 0);
    reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
    reading_proc(&r, 0, GT_PROC_RUNNING, GT_PROC_IDLE);
    reading_end(&r);
}

/* Every number of the wire format may be padded; the runtime pads sizes to 10 bytes. */
static void test_padded_numbers_are_read(void **state)
{
    struct reading r = {0};
    (void) state;
    for (unsigned width = 1; width <= 10; width++) {
        wire_begin(&r.wire, 25);
        r.wire.size_width = width < 2 ? 2 : width;
        r.wire.width = width;
        begin_generation(&r, 1, 10);
        WIRE_EVENT(&r.wire, EV_USER_TASK_BEGIN, 1, 7, UINT64_MAX, 1, 1);
        wire_strings(&r.wire, 1);
        wire_string(&r.wire, 1, "name");
        wire_stacks(&r.wire, 1);
        wire_stack(&r.wire, 1, 1);
        wire_frame(&r.wire, 16, 1, 1, 3);
        wire_samples(&r.wire, 1);
        wire_sample(&r.wire, 13, 5, 0, 1, 1);
        reading_open(&r, NULL);
        assert_int_equal(reading_sync(&r).has_clock, 1);
        reading_skip(&r, 2);
        reading_next(&r, GT_EVENT_STACK_SAMPLE);
        reading_next(&r, GT_EVENT_TASK_BEGIN);
        reading_end(&r);
    }
}

/* Before Go 1.26 the input may end anywhere between batches once the clock has been read. */
static void test_missing_end_is_good_before_26(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 22);
    begin_generation(&r, 7, 10);
    wire_sync(&r.wire, 8, 100, WIRE_NANOSECONDS);
    reading_open(&r, NULL);
    assert_int_equal(reading_sync(&r).generation, 7);
    reading_skip(&r, 2);
    assert_int_equal(reading_sync(&r).generation, 8);
    reading_end(&r);
}

/* Since Go 1.26 tables without the end of their generation are dropped, which is not an error. */
static void test_tables_without_generation_end_are_dropped(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 26);
    begin_generation(&r, 1, 10);
    wire_generation_end(&r.wire);
    wire_sync(&r.wire, 2, 100, WIRE_NANOSECONDS);
    wire_strings(&r.wire, 2);
    reading_open(&r, NULL);
    reading_skip(&r, 3);
    reading_end(&r);
}

/* A trace of Go 1.26 without any generation. */
static void test_header_alone_is_good_since_26(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 26);
    reading_open(&r, NULL);
    assert_int_equal(reading_sync(&r).number, 1);
    reading_fail(&r, GT_END);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sync_has_its_number_and_generation),
        cmocka_unit_test(test_sync_has_the_least_time_of_its_batches),
        cmocka_unit_test(test_wall_clock_counts_from_the_snapshot),
        cmocka_unit_test(test_wall_clock_carries_seconds_both_ways),
        cmocka_unit_test(test_excess_nanoseconds_become_seconds),
        cmocka_unit_test(test_wall_clock_beyond_its_range_is_not_available),
        cmocka_unit_test(test_end_of_a_trace_has_a_wall_clock),
        cmocka_unit_test(test_no_wall_clock_before_version_25),
        cmocka_unit_test(test_times_are_rounded_down_per_event),
        cmocka_unit_test(test_ticks_of_64_ns_become_nanoseconds),
        cmocka_unit_test(test_batches_keep_file_order),
        cmocka_unit_test(test_task_end_keeps_its_name_over_generations),
        cmocka_unit_test(test_region_ends_in_a_later_generation),
        cmocka_unit_test(test_stop_end_keeps_its_cause_over_generations),
        cmocka_unit_test(test_active_ranges_continue_in_later_generations),
        cmocka_unit_test(test_sequence_numbers_restart_with_each_generation),
        cmocka_unit_test(test_any_generation_number_is_good_since_26),
        cmocka_unit_test(test_sync_has_the_experimental_batches),
        cmocka_unit_test(test_batch_of_experiment_zero_is_an_ordinary_batch),
        cmocka_unit_test(test_padded_numbers_are_read),
        cmocka_unit_test(test_missing_end_is_good_before_26),
        cmocka_unit_test(test_tables_without_generation_end_are_dropped),
        cmocka_unit_test(test_header_alone_is_good_since_26),
    };
    return cmocka_run_group_tests_name("generations", tests, NULL, NULL);
}
