/* SPDX-License-Identifier: BSD-3-Clause */

/* What becomes of the events of Go 1.5 to 1.21 that change no state. */

#include <stdbool.h>

#include "support/reading.h"
#include "support/test.h"
#include "support/v1wire.h"

/* Asserts the context of goroutine 1, which runs on proc 0 and thread 5. */
static void expect_running(const struct reading *r)
{
    reading_context(r, 5, 0, 1);
}

/* Opens the trace, and reads the events of v1_start. */
static void open_started(struct reading *r)
{
    reading_open(r, NULL);
    reading_skip(r, V1_START_EVENTS);
}

static void expect_metric(struct reading *r, const char *name, uint64_t value)
{
    gt_metric metric = GT_METRIC_INIT;
    assert_status(gt_event_metric(reading_next(r, GT_EVENT_METRIC), &metric), GT_OK);
    assert_text(metric.name, name);
    assert_int_equal(metric.value.kind, GT_VALUE_UINT64);
    assert_int_equal(metric.value.number, value);
}

/* The pc of the only frame of a stack, or 0 if there is no stack. */
static uint64_t pc_of(const struct reading *r, gt_stack stack)
{
    gt_frame frame = {0};
    size_t count;
    if (stack == GT_STACK_NONE)
        return 0;
    assert_status(gt_stack_frames(r->reader, stack, &frame, 1, &count), GT_OK);
    assert_int_equal(count, 1);
    return frame.pc;
}

static uint64_t event_pc(const struct reading *r)
{
    return pc_of(r, gt_event_stack(r->event));
}

static void test_trace_begins_and_ends_with_a_sync(void **state)
{
    struct reading r = {0};
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_sync sync;
    int64_t last;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1000, 1);
        reading_open(&r, NULL);
        sync = reading_sync(&r);
        assert_int_equal(sync.number, 1);
        assert_int_equal(sync.generation, 1);
        assert_int_equal(sync.has_clock, 0);
        assert_int_equal(sync.batch_count, 0);
        assert_int_equal(r.event->time, -1);
        reading_context(&r, GT_NO_THREAD, GT_NO_PROC, GT_NO_GOROUTINE);
        reading_skip(&r, V1_START_EVENTS);
        last = r.event->time;
        sync = reading_sync(&r);
        assert_int_equal(sync.number, 2);
        assert_int_equal(sync.generation, 0);
        assert_int_equal(r.event->time, last + 1);
        assert_status(gt_reader_get_info(r.reader, &info), GT_OK);
        assert_int_equal(info.generations, 1);
        assert_int_equal(info.bytes, r.wire.size);
        reading_fail(&r, GT_END);
    }
}

/* Ticks become nanoseconds since the first event, rounded down. */
static void test_ticks_become_nanoseconds_since_the_start(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        wire_begin(&r.wire, v1_versions[k]);
        v1_batch(&r.wire, 0, UINT64_C(1) << 60);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 7, 1);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 10, 2);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 3);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 3000000000u, 4);
        V1_EVENT(&r.wire, V1_FREQUENCY, 3000000000u);
        reading_open(&r, NULL);
        reading_skip(&r, 2);
        assert_int_equal(r.event->time, 0);
        reading_skip(&r, 1);
        assert_int_equal(r.event->time, 3);
        reading_skip(&r, 1);
        assert_int_equal(r.event->time, 4);
        reading_skip(&r, 1);
        assert_int_equal(r.event->time, 1000000003);
        reading_end(&r);
    }
}

static void test_metric_has_name_value_and_stack(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, UINT64_MAX);
        V1_EVENT(&r.wire, V1_HEAP_GOAL, 1, 4 << 20);
        V1_EVENT(&r.wire, V1_GOMAXPROCS, 1, 8, 1);
        V1_EVENT(&r.wire, V1_GOMAXPROCS, 1, 9, 0);
        v1_stack_one(&r.wire, 1, (struct v1_frame){0x77, 0, 0, 0});
        open_started(&r);
        expect_metric(&r, "/memory/classes/heap/objects:bytes", UINT64_MAX);
        expect_running(&r);
        assert_true(gt_event_stack(r.event) == GT_STACK_NONE);
        expect_metric(&r, "/gc/heap/goal:bytes", 4 << 20);
        expect_running(&r);
        expect_metric(&r, "/sched/gomaxprocs:threads", 8);
        expect_running(&r);
        assert_int_equal(event_pc(&r), 0x77);
        expect_metric(&r, "/sched/gomaxprocs:threads", 9);
        assert_true(gt_event_stack(r.event) == GT_STACK_NONE);
        reading_end(&r);
    }
}

/* A batch without a proc. */
static void test_batch_without_proc_has_no_context(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        v1_batch(&r.wire, WIRE_NONE, V1_TICKS + 100);
        V1_EVENT(&r.wire, V1_HEAP_ALLOC, 1, 2);
        open_started(&r);
        expect_metric(&r, "/memory/classes/heap/objects:bytes", 2);
        reading_context(&r, GT_NO_THREAD, GT_NO_PROC, GT_NO_GOROUTINE);
        reading_end(&r);
    }
}

static gt_range expect_range(struct reading *r, uint32_t kind, const char *name)
{
    gt_range range = GT_RANGE_INIT;
    assert_status(gt_event_range(reading_next(r, kind), &range), GT_OK);
    assert_text(range.name, name);
    return range;
}

static void test_collection_begins_on_the_gc_proc(void **state)
{
    struct reading r = {0};
    gt_range range;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_GC_START, 1, 0, 1);
        V1_EVENT(&r.wire, V1_GC_DONE, 1);
        v1_stack_one(&r.wire, 1, (struct v1_frame){0x77, 0, 0, 0});
        open_started(&r);
        range = expect_range(&r, GT_EVENT_RANGE_BEGIN, "GC concurrent mark phase");
        assert_int_equal(range.scope.kind, GT_RESOURCE_NONE);
        assert_int_equal(range.has_cause, 0);
        reading_context(&r, GT_NO_THREAD, GT_STAND_IN_GC, 1);
        assert_int_equal(event_pc(&r), 0x77);
        range = expect_range(&r, GT_EVENT_RANGE_END, "GC concurrent mark phase");
        assert_int_equal(range.scope.kind, GT_RESOURCE_NONE);
        assert_int_equal(range.attribute_count, 0);
        expect_running(&r);
        reading_end(&r);
    }
}

static void expect_attribute(const struct reading *r, uint32_t index, const char *name,
                             uint64_t number)
{
    gt_string text;
    gt_value value;
    assert_status(gt_event_range_attribute(r->event, index, &text, &value), GT_OK);
    assert_text(text, name);
    assert_int_equal(value.kind, GT_VALUE_UINT64);
    assert_int_equal(value.number, number);
}

/* The amount that was swept is recorded since Go 1.9. */
static void test_sweep_is_a_range_of_its_proc(void **state)
{
    struct reading r = {0};
    gt_range range;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        bool told = v1_versions[k] >= 9;
        v1_start(&r.wire, v1_versions[k]);
        V1_EVENT(&r.wire, V1_SWEEP_START, 1, 1);
        V1_EVENT(&r.wire, V1_SWEEP_DONE, 1, 8192, 4096);
        v1_stack_one(&r.wire, 1, (struct v1_frame){0x77, 0, 0, 0});
        open_started(&r);
        range = expect_range(&r, GT_EVENT_RANGE_BEGIN, "GC incremental sweep");
        assert_int_equal(range.scope.kind, GT_RESOURCE_PROC);
        assert_int_equal(range.scope.id, 0);
        expect_running(&r);
        assert_int_equal(event_pc(&r), 0x77);
        range = expect_range(&r, GT_EVENT_RANGE_END, "GC incremental sweep");
        assert_int_equal(range.scope.kind, GT_RESOURCE_PROC);
        assert_int_equal(range.attribute_count, 2);
        expect_attribute(&r, 0, "bytes swept", told ? 8192 : 0);
        expect_attribute(&r, 1, "bytes reclaimed", told ? 4096 : 0);
        expect_running(&r);
        reading_end(&r);
    }
}

static void test_mark_assist_is_a_range_of_its_goroutine(void **state)
{
    static const unsigned versions[] = {9, 10, 11, 19, 21};
    struct reading r = {0};
    gt_range range;
    (void) state;
    for (size_t k = 0; k < 5; k++) {
        v1_start(&r.wire, versions[k]);
        V1_EVENT(&r.wire, V1_MARK_ASSIST_START, 1, 1);
        V1_EVENT(&r.wire, V1_MARK_ASSIST_DONE, 1);
        v1_stack_one(&r.wire, 1, (struct v1_frame){0x77, 0, 0, 0});
        open_started(&r);
        for (int i = 0; i < 2; i++) {
            range =
                expect_range(&r, i ? GT_EVENT_RANGE_END : GT_EVENT_RANGE_BEGIN, "GC mark assist");
            assert_int_equal(range.scope.kind, GT_RESOURCE_GOROUTINE);
            assert_int_equal(range.scope.id, 1);
            expect_running(&r);
            assert_int_equal(event_pc(&r), i ? 0 : 0x77);
        }
        reading_end(&r);
    }
}

/* The cause of a stop, as each version numbers it. */
static const struct stop {
    unsigned version;
    uint64_t kind;
    const char *cause;
} stops[] = {
    {5, 0, "GC mark termination"},
    {7, 0, "GC mark termination"},
    {8, 0, "GC mark termination"},
    {9, 0, "GC mark termination"},
    {10, 0, "GC mark termination"},
    {10, 1, "GC sweep termination"},
    {11, 0, "GC mark termination"},
    {11, 1, "GC sweep termination"},
    {11, 2, ""},
    {19, 0, "GC mark termination"},
    {19, 1, "GC sweep termination"},
    {19, UINT64_MAX, ""},
    {21, 0, ""},
    {21, 1, "GC mark termination"},
    {21, 2, "GC sweep termination"},
    {21, 3, "write heap dump"},
    {21, 4, "goroutine profile"},
    {21, 5, "goroutine profile cleanup"},
    {21, 6, "all goroutine stack trace"},
    {21, 7, "read mem stats"},
    {21, 8, "AllThreadsSyscall"},
    {21, 9, "GOMAXPROCS"},
    {21, 10, "start trace"},
    {21, 11, "stop trace"},
    {21, 12, "CountPagesInUse (test)"},
    {21, 13, "ReadMetricsSlow (test)"},
    {21, 14, "ReadMemStatsSlow (test)"},
    {21, 15, "PageCachePagesLeaked (test)"},
    {21, 16, "ResetDebugLog (test)"},
    {21, 17, ""},
    {21, UINT64_MAX, ""},
};

static void test_stop_has_the_cause_of_its_version(void **state)
{
    struct reading r = {0};
    gt_range range;
    (void) state;
    for (size_t k = 0; k < sizeof(stops) / sizeof(*stops); k++) {
        v1_start(&r.wire, stops[k].version);
        V1_EVENT(&r.wire, V1_STW_START, 1, stops[k].kind);
        V1_EVENT(&r.wire, V1_STW_DONE, 1);
        open_started(&r);
        for (int i = 0; i < 2; i++) {
            range =
                expect_range(&r, i ? GT_EVENT_RANGE_END : GT_EVENT_RANGE_BEGIN, "stop-the-world");
            assert_int_equal(range.has_cause, 1);
            assert_text(range.cause, stops[k].cause);
            assert_int_equal(range.scope.kind, GT_RESOURCE_GOROUTINE);
            assert_int_equal(range.scope.id, 1);
            expect_running(&r);
        }
        reading_end(&r);
    }
}

/* An end has the cause of the begin before it, whichever goroutine stopped the world. */
static void test_end_of_stop_has_the_cause_of_its_begin(void **state)
{
    struct reading r = {0};
    gt_range range;
    (void) state;
    v1_start(&r.wire, 21);
    V1_EVENT(&r.wire, V1_STW_START, 1, 9);
    v1_batch(&r.wire, 1, V1_TICKS + 100);
    V1_EVENT(&r.wire, V1_PROC_START, 1, 6);
    V1_EVENT(&r.wire, V1_STW_DONE, 1);
    open_started(&r);
    reading_skip(&r, 2);
    range = expect_range(&r, GT_EVENT_RANGE_END, "stop-the-world");
    assert_text(range.cause, "GOMAXPROCS");
    assert_int_equal(range.scope.id, GT_NO_GOROUTINE);
    reading_context(&r, 6, 1, GT_NO_GOROUTINE);
    reading_end(&r);
}

static void expect_task(struct reading *r, uint32_t kind, uint64_t id, uint64_t parent,
                        const char *type)
{
    gt_task task = GT_TASK_INIT;
    assert_status(gt_event_task(reading_next(r, kind), &task), GT_OK);
    assert_int_equal(task.id, id);
    assert_true(task.parent == parent);
    assert_text(task.type, type);
    expect_running(r);
}

static const unsigned annotated[] = {11, 19, 21};

/* As in Go, the end of a task without a parent says that its parent is 0. */
static void test_task_has_name_and_parent(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < 3; k++) {
        v1_start(&r.wire, annotated[k]);
        v1_string(&r.wire, 1, "a task");
        V1_EVENT(&r.wire, V1_TASK_CREATE, 1, 7, 0, 1, 1);
        V1_EVENT(&r.wire, V1_TASK_CREATE, 1, 8, 7, 0, 0);
        V1_EVENT(&r.wire, V1_TASK_END, 1, 8, 0);
        V1_EVENT(&r.wire, V1_TASK_END, 1, 7, 1);
        V1_EVENT(&r.wire, V1_TASK_END, 1, 9, 1);
        v1_stack_one(&r.wire, 1, (struct v1_frame){0x77, 0, 0, 0});
        open_started(&r);
        expect_task(&r, GT_EVENT_TASK_BEGIN, 7, GT_NO_TASK, "a task");
        assert_int_equal(event_pc(&r), 0x77);
        expect_task(&r, GT_EVENT_TASK_BEGIN, 8, 7, "");
        assert_int_equal(event_pc(&r), 0);
        expect_task(&r, GT_EVENT_TASK_END, 8, 7, "");
        expect_task(&r, GT_EVENT_TASK_END, 7, 0, "a task");
        assert_int_equal(event_pc(&r), 0x77);
        expect_task(&r, GT_EVENT_TASK_END, 9, GT_NO_TASK, "");
        reading_end(&r);
    }
}

static void expect_region(struct reading *r, uint32_t kind, uint64_t task, const char *type)
{
    gt_region region = GT_REGION_INIT;
    assert_status(gt_event_region(reading_next(r, kind), &region), GT_OK);
    assert_int_equal(region.task, task);
    assert_text(region.type, type);
    expect_running(r);
    assert_int_equal(event_pc(r), 0x77);
}

static void test_region_has_task_and_name(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < 3; k++) {
        v1_start(&r.wire, annotated[k]);
        V1_EVENT(&r.wire, V1_REGION, 1, 7, 0, 1, 1);
        V1_EVENT(&r.wire, V1_REGION, 1, 0, 0, 0, 1);
        V1_EVENT(&r.wire, V1_REGION, 1, 0, 1, 0, 1);
        V1_EVENT(&r.wire, V1_REGION, 1, 7, 1, 1, 1);
        v1_string(&r.wire, 1, "a region");
        v1_stack_one(&r.wire, 1, (struct v1_frame){0x77, 0, 0, 0});
        open_started(&r);
        expect_region(&r, GT_EVENT_REGION_BEGIN, 7, "a region");
        expect_region(&r, GT_EVENT_REGION_BEGIN, GT_BACKGROUND_TASK, "");
        expect_region(&r, GT_EVENT_REGION_END, GT_BACKGROUND_TASK, "");
        expect_region(&r, GT_EVENT_REGION_END, 7, "a region");
        reading_end(&r);
    }
}

static void expect_log(struct reading *r, uint64_t task, const char *category, const char *message,
                       uint64_t pc)
{
    gt_log log = GT_LOG_INIT;
    assert_status(gt_event_log(reading_next(r, GT_EVENT_LOG), &log), GT_OK);
    assert_int_equal(log.task, task);
    assert_text(log.category, category);
    assert_text(log.message, message);
    expect_running(r);
    assert_int_equal(event_pc(r), pc);
}

/* Messages follow the other numbers of an event, and do not count into its length. */
static void test_log_has_category_and_message(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < 3; k++) {
        v1_start(&r.wire, annotated[k]);
        v1_string(&r.wire, 1, "category");
        v1_log(&r.wire, 7, 1, 1, "first");
        v1_log(&r.wire, 0, 0, 0, "");
        v1_log(&r.wire, 7, 1, 0, "first");
        v1_stack_one(&r.wire, 1, (struct v1_frame){0x77, 0, 0, 0});
        v1_log(&r.wire, 7, 1, 0, "last");
        open_started(&r);
        expect_log(&r, 7, "category", "first", 0x77);
        expect_log(&r, 0, "", "", 0);
        expect_log(&r, 7, "category", "first", 0);
        expect_log(&r, 7, "category", "last", 0);
        reading_end(&r);
    }
}

static void test_sample_has_its_own_context(void **state)
{
    struct reading r = {0};
    (void) state;
    for (size_t k = 1; k < 3; k++) {
        v1_start(&r.wire, annotated[k]);
        v1_stack_one(&r.wire, 1, (struct v1_frame){0x77, 0, 0, 0});
        V1_EVENT(&r.wire, V1_CPU_SAMPLE, 1, 3000, 0, 1, 1);
        V1_EVENT(&r.wire, V1_CPU_SAMPLE, 1, 3001, 9, 77, 1);
        V1_EVENT(&r.wire, V1_CPU_SAMPLE, 1, 3002, WIRE_NONE, 0, 1);
        open_started(&r);
        reading_next(&r, GT_EVENT_STACK_SAMPLE);
        reading_context(&r, GT_NO_THREAD, 0, 1);
        assert_int_equal(event_pc(&r), 0x77);
        reading_next(&r, GT_EVENT_STACK_SAMPLE);
        reading_context(&r, GT_NO_THREAD, 9, 77);
        reading_next(&r, GT_EVENT_STACK_SAMPLE);
        reading_context(&r, GT_NO_THREAD, GT_NO_PROC, GT_NO_GOROUTINE);
        reading_end(&r);
    }
}

/*
 * Names that do not exist: the event that uses one is the bad one, and those before it are
 * delivered.
 */
static void test_unknown_name_is_an_error(void **state)
{
    struct reading r = {0};
    gt_error error = GT_ERROR_INIT;
    const gt_event *event;
    size_t offset;
    (void) state;
    for (int i = 0; i < 4; i++) {
        v1_start(&r.wire, 11);
        v1_string(&r.wire, 1, "the only one");
        V1_EVENT(&r.wire, V1_GO_SCHED, 1, 0);
        offset = r.wire.size;
        if (i == 0)
            V1_EVENT(&r.wire, V1_GO_START_LABEL, 1, 1, 2, 9);
        if (i == 1)
            V1_EVENT(&r.wire, V1_TASK_CREATE, 1, 7, 0, 9, 0);
        if (i == 2)
            V1_EVENT(&r.wire, V1_REGION, 1, 7, 0, 9, 0);
        if (i == 3)
            v1_log(&r.wire, 7, 9, 0, "message");
        open_started(&r);
        reading_skip(&r, 1);
        while (gt_reader_next_event(r.reader, &event) == GT_OK)
            assert_int_equal(event->kind, GT_EVENT_STATE_TRANSITION);
        assert_status(gt_reader_error(r.reader, &error), GT_OK);
        assert_status((gt_status) error.status, GT_ERR_REFERENCE);
        assert_int_equal(error.offset, offset);
        assert_int_equal(error.generation, 0);
        reading_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trace_begins_and_ends_with_a_sync),
        cmocka_unit_test(test_ticks_become_nanoseconds_since_the_start),
        cmocka_unit_test(test_metric_has_name_value_and_stack),
        cmocka_unit_test(test_batch_without_proc_has_no_context),
        cmocka_unit_test(test_collection_begins_on_the_gc_proc),
        cmocka_unit_test(test_sweep_is_a_range_of_its_proc),
        cmocka_unit_test(test_mark_assist_is_a_range_of_its_goroutine),
        cmocka_unit_test(test_stop_has_the_cause_of_its_version),
        cmocka_unit_test(test_end_of_stop_has_the_cause_of_its_begin),
        cmocka_unit_test(test_task_has_name_and_parent),
        cmocka_unit_test(test_region_has_task_and_name),
        cmocka_unit_test(test_log_has_category_and_message),
        cmocka_unit_test(test_sample_has_its_own_context),
        cmocka_unit_test(test_unknown_name_is_an_error),
    };
    return cmocka_run_group_tests_name("v1 conversion", tests, NULL, NULL);
}
