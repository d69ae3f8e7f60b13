/* SPDX-License-Identifier: BSD-3-Clause */

/* Events that are not transitions: each kind, and everything that its getter returns. */

#include "support/reading.h"
#include "support/test.h"

/* The id of the first string that a test defines. */
#define TEXT 1

/* Ends the trace with a table of these strings, whose ids start at TEXT. */
static void strings(struct reading *r, const char *first, const char *second, const char *third)
{
    wire_strings(&r->wire, 1);
    wire_string(&r->wire, TEXT, first);
    wire_string(&r->wire, TEXT + 1, second);
    wire_string(&r->wire, TEXT + 2, third);
}

/* Opens the trace and skips the events of reading_begin_running. */
static void open_events(struct reading *r)
{
    reading_open(r, NULL);
    reading_skip(r, 3);
}

static void expect_metric(struct reading *r, const char *name, uint64_t value)
{
    gt_metric metric = GT_METRIC_INIT;
    reading_next(r, GT_EVENT_METRIC);
    assert_status(gt_event_metric(r->event, &metric), GT_OK);
    assert_text(metric.name, name);
    assert_int_equal(metric.value.kind, GT_VALUE_UINT64);
    assert_int_equal(metric.value.number, value);
    assert_non_null(metric.value.string.data);
}

static void test_metric_has_name_and_value(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_PROCS_CHANGE, 1, 8, 0);
    WIRE_EVENT(&r.wire, EV_HEAP_ALLOC, 1, 123456789);
    WIRE_EVENT(&r.wire, EV_HEAP_GOAL, 1, UINT64_MAX);
    WIRE_EVENT(&r.wire, EV_GO_STOP, 1, 0, 0);
    WIRE_EVENT(&r.wire, EV_HEAP_ALLOC, 1, 0);
    open_events(&r);
    expect_metric(&r, "/sched/gomaxprocs:threads", 8);
    reading_context(&r, 5, 0, 1);
    expect_metric(&r, "/memory/classes/heap/objects:bytes", 123456789);
    expect_metric(&r, "/gc/heap/goal:bytes", UINT64_MAX);
    reading_skip(&r, 1);
    expect_metric(&r, "/memory/classes/heap/objects:bytes", 0);
    reading_context(&r, 5, 0, -1);
    reading_end(&r);
}

static void test_label_names_the_goroutine(void **state)
{
    gt_label label = GT_LABEL_INIT;
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_LABEL, 1, TEXT);
    WIRE_EVENT(&r.wire, EV_GO_LABEL, 1, 0);
    strings(&r, "GC (dedicated)", "", "");
    open_events(&r);
    reading_next(&r, GT_EVENT_LABEL);
    assert_status(gt_event_label(r.event, &label), GT_OK);
    assert_text(label.label, "GC (dedicated)");
    assert_int_equal(label.resource.kind, GT_RESOURCE_GOROUTINE);
    assert_int_equal(label.resource.id, 1);
    reading_next(&r, GT_EVENT_LABEL);
    assert_status(gt_event_label(r.event, &label), GT_OK);
    assert_text(label.label, "");
    reading_end(&r);
}

static void test_log_has_task_category_and_message(void **state)
{
    gt_log log = GT_LOG_INIT;
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_USER_LOG, 1, 7, TEXT, TEXT + 1, 0);
    WIRE_EVENT(&r.wire, EV_USER_LOG, 1, 0, 0, 0, 0);
    strings(&r, "category", "a message", "");
    open_events(&r);
    reading_next(&r, GT_EVENT_LOG);
    assert_status(gt_event_log(r.event, &log), GT_OK);
    assert_int_equal(log.task, 7);
    assert_text(log.category, "category");
    assert_text(log.message, "a message");
    reading_next(&r, GT_EVENT_LOG);
    assert_status(gt_event_log(r.event, &log), GT_OK);
    assert_true(log.task == GT_BACKGROUND_TASK);
    assert_text(log.category, "");
    assert_text(log.message, "");
    reading_end(&r);
}

/* Strings hold any bytes, including those that are not UTF-8. */
static void test_strings_hold_any_bytes(void **state)
{
    static const char bytes[] = {'a', '\0', (char) 0xff, (char) 0xc3, '\n', '"'};
    static char longest[1024];
    gt_log log = GT_LOG_INIT;
    struct reading r = {0};
    (void) state;
    longest[1023] = 'z';
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_USER_LOG, 1, 0, TEXT, UINT64_MAX, 0);
    wire_strings(&r.wire, 1);
    wire_string_sized(&r.wire, TEXT, bytes, sizeof(bytes));
    wire_strings(&r.wire, 1);
    wire_string_sized(&r.wire, UINT64_MAX, longest, sizeof(longest));
    open_events(&r);
    reading_next(&r, GT_EVENT_LOG);
    assert_status(gt_event_log(r.event, &log), GT_OK);
    assert_int_equal(log.category.size, sizeof(bytes));
    assert_memory_equal(log.category.data, bytes, sizeof(bytes));
    assert_int_equal(log.message.size, sizeof(longest));
    assert_memory_equal(log.message.data, longest, sizeof(longest));
    reading_end(&r);
}

static void test_sample_has_its_own_context_and_stack(void **state)
{
    struct reading r = {0};
    size_t frames;
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_HEAP_ALLOC, 100, 1);
    wire_samples(&r.wire, 1);
    wire_sample(&r.wire, 500, 6, WIRE_NONE, 0, 0);
    wire_sample(&r.wire, 12, 9, 3, 7, 0);
    wire_samples(&r.wire, 1);
    wire_sample(&r.wire, 13, 5, 0, 1, 1);
    wire_stacks(&r.wire, 1);
    wire_stack(&r.wire, 1, 1);
    wire_frame(&r.wire, 16, 0, 0, 0);
    reading_open(&r, NULL);
    reading_skip(&r, 3);
    /* At equal times the thread's event comes before the sample. */
    assert_int_equal(r.event->time, 12);
    assert_int_equal(r.event->kind, GT_EVENT_STATE_TRANSITION);
    reading_next(&r, GT_EVENT_STACK_SAMPLE);
    assert_int_equal(r.event->time, 13);
    reading_context(&r, 9, 3, 7);
    reading_next(&r, GT_EVENT_STACK_SAMPLE);
    assert_int_equal(r.event->time, 14);
    reading_context(&r, 5, 0, 1);
    assert_status(gt_stack_frames(r.reader, gt_event_stack(r.event), NULL, 0, &frames), GT_OK);
    assert_int_equal(frames, 1);
    reading_next(&r, GT_EVENT_METRIC);
    reading_next(&r, GT_EVENT_STACK_SAMPLE);
    assert_int_equal(r.event->time, 500);
    reading_context(&r, 6, -1, -1);
    reading_end(&r);
}

/* Samples are sorted by time, and at equal times keep the order of the file. */
static void test_samples_are_sorted(void **state)
{
    struct reading r = {0};
    uint64_t time, last = 0, seed = 3;
    (void) state;
    reading_begin_running(&r);
    wire_samples(&r.wire, 1);
    for (uint64_t i = 0; i < 300; i++) {
        time = 1000 + 10 * (test_random(&seed) % 100);
        wire_sample(&r.wire, time, time, 0, 1 + i, 0);
    }
    open_events(&r);
    for (uint64_t i = 0; i < 300; i++) {
        reading_next(&r, GT_EVENT_STACK_SAMPLE);
        time = (uint64_t) r.event->thread * 1000 + (uint64_t) r.event->goroutine;
        assert_true(time > last);
        last = time;
    }
    reading_end(&r);
}

/* Reads a range event and asserts everything except the attributes. */
static void expect_range(struct reading *r, uint32_t kind, const char *name, uint32_t scope,
                         int64_t id)
{
    gt_range range = GT_RANGE_INIT;
    reading_next(r, kind);
    assert_status(gt_event_range(r->event, &range), GT_OK);
    assert_text(range.name, name);
    assert_text(range.cause, "");
    assert_int_equal(range.has_cause, 0);
    assert_int_equal(range.scope.kind, scope);
    assert_int_equal(range.scope.id, id);
}

static void test_collection_is_a_range_without_resource(void **state)
{
    static const char name[] = "GC concurrent mark phase";
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GC_ACTIVE, 1, 3);
    WIRE_EVENT(&r.wire, EV_GC_END, 1, 4);
    WIRE_EVENT(&r.wire, EV_GC_BEGIN, 1, 5, 0);
    WIRE_EVENT(&r.wire, EV_GC_END, 1, 6);
    open_events(&r);
    expect_range(&r, GT_EVENT_RANGE_ACTIVE, name, GT_RESOURCE_NONE, 0);
    expect_range(&r, GT_EVENT_RANGE_END, name, GT_RESOURCE_NONE, 0);
    expect_range(&r, GT_EVENT_RANGE_BEGIN, name, GT_RESOURCE_NONE, 0);
    reading_context(&r, 5, 0, 1);
    expect_range(&r, GT_EVENT_RANGE_END, name, GT_RESOURCE_NONE, 0);
    reading_end(&r);
}

/* A collection begins on one thread and ends on another: sequence numbers order its events. */
static void test_collection_end_waits_for_its_begin(void **state)
{
    static const char name[] = "GC concurrent mark phase";
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GC_BEGIN, 1, 1, 0);
    WIRE_EVENT(&r.wire, EV_GC_BEGIN, 1, 3, 0);
    wire_batch(&r.wire, 1, 6, 100);
    wire_running(&r.wire, 6, 1, 2);
    WIRE_EVENT(&r.wire, EV_GC_END, 1, 2);
    WIRE_EVENT(&r.wire, EV_GC_END, 1, 4);
    open_events(&r);
    expect_range(&r, GT_EVENT_RANGE_BEGIN, name, GT_RESOURCE_NONE, 0);
    reading_skip(&r, 2);
    expect_range(&r, GT_EVENT_RANGE_END, name, GT_RESOURCE_NONE, 0);
    reading_context(&r, 6, 1, 2);
    assert_int_equal(r.event->time, 103);
    expect_range(&r, GT_EVENT_RANGE_BEGIN, name, GT_RESOURCE_NONE, 0);
    reading_context(&r, 5, 0, 1);
    assert_int_equal(r.event->time, 104);
    expect_range(&r, GT_EVENT_RANGE_END, name, GT_RESOURCE_NONE, 0);
    assert_int_equal(r.event->time, 105);
    reading_end(&r);
}

static void expect_attribute(const struct reading *r, uint32_t index, const char *expected,
                             uint64_t number)
{
    gt_string name;
    gt_value value;
    assert_status(gt_event_range_attribute(r->event, index, &name, &value), GT_OK);
    assert_text(name, expected);
    assert_int_equal(value.kind, GT_VALUE_UINT64);
    assert_int_equal(value.number, number);
}

static void test_sweep_is_a_range_of_its_proc(void **state)
{
    static const char name[] = "GC incremental sweep";
    gt_range range = GT_RANGE_INIT;
    struct reading r = {0};
    gt_string text;
    gt_value value;
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_PROC_STATUS, 1, 3, PROC_IDLE);
    WIRE_EVENT(&r.wire, EV_GC_SWEEP_ACTIVE, 1, 3);
    WIRE_EVENT(&r.wire, EV_GC_SWEEP_BEGIN, 1, 0);
    WIRE_EVENT(&r.wire, EV_GC_SWEEP_END, 1, 8192, 4096);
    open_events(&r);
    reading_skip(&r, 1);
    expect_range(&r, GT_EVENT_RANGE_ACTIVE, name, GT_RESOURCE_PROC, 3);
    reading_context(&r, 5, 0, 1);
    expect_range(&r, GT_EVENT_RANGE_BEGIN, name, GT_RESOURCE_PROC, 0);
    assert_status(gt_event_range_attribute(r.event, 0, &text, &value), GT_ERR_WRONG_KIND);
    expect_range(&r, GT_EVENT_RANGE_END, name, GT_RESOURCE_PROC, 0);
    assert_status(gt_event_range(r.event, &range), GT_OK);
    assert_int_equal(range.attribute_count, 2);
    expect_attribute(&r, 0, "bytes swept", 8192);
    expect_attribute(&r, 1, "bytes reclaimed", 4096);
    assert_status(gt_event_range_attribute(r.event, 2, &text, &value), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_range_attribute(r.event, 0, NULL, &value), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_range_attribute(r.event, 0, &text, NULL), GT_ERR_INVALID_ARGUMENT);
    reading_end(&r);
}

static void test_mark_assist_is_a_range_of_its_goroutine(void **state)
{
    static const char name[] = "GC mark assist";
    gt_range range = GT_RANGE_INIT;
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_STATUS, 1, 8, WIRE_NONE, GO_WAITING);
    WIRE_EVENT(&r.wire, EV_GC_MARK_ASSIST_ACTIVE, 1, 8);
    WIRE_EVENT(&r.wire, EV_GC_MARK_ASSIST_BEGIN, 1, 0);
    WIRE_EVENT(&r.wire, EV_GC_MARK_ASSIST_END, 1);
    open_events(&r);
    reading_skip(&r, 1);
    expect_range(&r, GT_EVENT_RANGE_ACTIVE, name, GT_RESOURCE_GOROUTINE, 8);
    reading_context(&r, 5, 0, 1);
    expect_range(&r, GT_EVENT_RANGE_BEGIN, name, GT_RESOURCE_GOROUTINE, 1);
    expect_range(&r, GT_EVENT_RANGE_END, name, GT_RESOURCE_GOROUTINE, 1);
    assert_status(gt_event_range(r.event, &range), GT_OK);
    assert_int_equal(range.attribute_count, 0);
    reading_end(&r);
}

static void expect_stop(struct reading *r, uint32_t kind, const char *cause)
{
    gt_range range = GT_RANGE_INIT;
    reading_next(r, kind);
    assert_status(gt_event_range(r->event, &range), GT_OK);
    assert_text(range.name, "stop-the-world");
    assert_text(range.cause, cause);
    assert_int_equal(range.has_cause, 1);
    assert_int_equal(range.attribute_count, 0);
    assert_int_equal(range.scope.kind, GT_RESOURCE_GOROUTINE);
    assert_int_equal(range.scope.id, 1);
}

static void test_stopped_world_is_a_range_with_its_cause(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_STW_BEGIN, 1, TEXT, 0);
    WIRE_EVENT(&r.wire, EV_STW_END, 1);
    WIRE_EVENT(&r.wire, EV_STW_BEGIN, 1, 0, 0);
    WIRE_EVENT(&r.wire, EV_STW_END, 1);
    strings(&r, "GC sweep termination", "", "");
    open_events(&r);
    expect_stop(&r, GT_EVENT_RANGE_BEGIN, "GC sweep termination");
    expect_stop(&r, GT_EVENT_RANGE_END, "GC sweep termination");
    expect_stop(&r, GT_EVENT_RANGE_BEGIN, "");
    expect_stop(&r, GT_EVENT_RANGE_END, "");
    reading_end(&r);
}

/* Two stops of different kinds can be open; an end closes the older and has its kind. */
static void test_end_of_stop_closes_the_older(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_STW_BEGIN, 1, TEXT, 0);
    WIRE_EVENT(&r.wire, EV_STW_BEGIN, 1, TEXT + 1, 0);
    WIRE_EVENT(&r.wire, EV_STW_END, 1);
    WIRE_EVENT(&r.wire, EV_STW_END, 1);
    strings(&r, "older", "newer", "");
    open_events(&r);
    expect_stop(&r, GT_EVENT_RANGE_BEGIN, "older");
    expect_stop(&r, GT_EVENT_RANGE_BEGIN, "newer");
    expect_stop(&r, GT_EVENT_RANGE_END, "older");
    expect_stop(&r, GT_EVENT_RANGE_END, "newer");
    reading_end(&r);
}

static void expect_task(struct reading *r, uint32_t kind, uint64_t id, uint64_t parent,
                        const char *type)
{
    gt_task task = GT_TASK_INIT;
    reading_next(r, kind);
    assert_status(gt_event_task(r->event, &task), GT_OK);
    assert_int_equal(task.id, id);
    assert_int_equal(task.parent, parent);
    assert_text(task.type, type);
}

static void test_task_end_has_name_and_parent(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_USER_TASK_BEGIN, 1, 7, 0, TEXT, 0);
    WIRE_EVENT(&r.wire, EV_USER_TASK_BEGIN, 1, 8, 7, TEXT + 1, 0);
    WIRE_EVENT(&r.wire, EV_USER_TASK_END, 1, 8, 0);
    WIRE_EVENT(&r.wire, EV_USER_TASK_END, 1, 7, 0);
    WIRE_EVENT(&r.wire, EV_USER_TASK_END, 1, 7, 0);
    WIRE_EVENT(&r.wire, EV_USER_TASK_BEGIN, 1, 7, 99, 0, 0);
    strings(&r, "request", "query", "");
    open_events(&r);
    expect_task(&r, GT_EVENT_TASK_BEGIN, 7, GT_NO_TASK, "request");
    expect_task(&r, GT_EVENT_TASK_BEGIN, 8, 7, "query");
    expect_task(&r, GT_EVENT_TASK_END, 8, 7, "query");
    expect_task(&r, GT_EVENT_TASK_END, 7, GT_NO_TASK, "request");
    expect_task(&r, GT_EVENT_TASK_END, 7, GT_NO_TASK, "");
    expect_task(&r, GT_EVENT_TASK_BEGIN, 7, 99, "");
    reading_end(&r);
}

static void expect_region(struct reading *r, uint32_t kind, uint64_t task, const char *type)
{
    gt_region region = GT_REGION_INIT;
    reading_next(r, kind);
    assert_status(gt_event_region(r->event, &region), GT_OK);
    assert_int_equal(region.task, task);
    assert_text(region.type, type);
}

static void test_region_has_task_and_name(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_USER_REGION_END, 1, 3, TEXT + 2, 0);
    WIRE_EVENT(&r.wire, EV_USER_REGION_BEGIN, 1, 7, TEXT, 0);
    WIRE_EVENT(&r.wire, EV_USER_REGION_BEGIN, 1, 0, TEXT + 1, 0);
    WIRE_EVENT(&r.wire, EV_USER_REGION_END, 1, 0, TEXT + 1, 0);
    WIRE_EVENT(&r.wire, EV_USER_REGION_END, 1, 7, TEXT, 0);
    strings(&r, "outer", "inner", "from before the trace");
    open_events(&r);
    expect_region(&r, GT_EVENT_REGION_END, 3, "from before the trace");
    expect_region(&r, GT_EVENT_REGION_BEGIN, 7, "outer");
    expect_region(&r, GT_EVENT_REGION_BEGIN, GT_BACKGROUND_TASK, "inner");
    expect_region(&r, GT_EVENT_REGION_END, GT_BACKGROUND_TASK, "inner");
    expect_region(&r, GT_EVENT_REGION_END, 7, "outer");
    reading_end(&r);
}

/* Regions are told apart by name, not by string id: one text may have two ids. */
static void test_region_names_are_text(void **state)
{
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_USER_REGION_BEGIN, 1, 7, TEXT, 0);
    WIRE_EVENT(&r.wire, EV_USER_REGION_END, 1, 7, TEXT + 1, 0);
    strings(&r, "same", "same", "");
    open_events(&r);
    expect_region(&r, GT_EVENT_REGION_BEGIN, 7, "same");
    expect_region(&r, GT_EVENT_REGION_END, 7, "same");
    reading_end(&r);
}

struct experimental {
    unsigned type;
    const char *name;
    const char *arguments[3];
};

static const struct experimental experimentals[] = {
    {EV_SPAN, "Span", {"id", "npages_value", "kindclass"}},
    {EV_SPAN_ALLOC, "SpanAlloc", {"id", "npages_value", "kindclass"}},
    {EV_SPAN_FREE, "SpanFree", {"id"}},
    {EV_HEAP_OBJECT, "HeapObject", {"id", "type"}},
    {EV_HEAP_OBJECT_ALLOC, "HeapObjectAlloc", {"id", "type"}},
    {EV_HEAP_OBJECT_FREE, "HeapObjectFree", {"id"}},
    {EV_GOROUTINE_STACK, "GoroutineStack", {"id", "order"}},
    {EV_GOROUTINE_STACK_ALLOC, "GoroutineStackAlloc", {"id", "order"}},
    {EV_GOROUTINE_STACK_FREE, "GoroutineStackFree", {"id"}},
};

#define EXPERIMENTALS (sizeof(experimentals) / sizeof(*experimentals))

static uint32_t argument_count(const struct experimental *e)
{
    uint32_t count = 0;
    while (count < 3 && e->arguments[count])
        count++;
    return count;
}

static void expect_experimental(struct reading *r, const struct experimental *expected)
{
    gt_experimental e = GT_EXPERIMENTAL_INIT;
    gt_string name;
    gt_value value;
    uint32_t i;
    reading_next(r, GT_EVENT_EXPERIMENTAL);
    assert_status(gt_event_experimental(r->event, &e), GT_OK);
    assert_text(e.name, expected->name);
    assert_text(e.experiment, "AllocFree");
    assert_int_equal(e.argument_count, argument_count(expected));
    for (i = 0; i < e.argument_count; i++) {
        assert_status(gt_event_experimental_argument(r->event, i, &name, &value), GT_OK);
        assert_text(name, expected->arguments[i]);
        assert_int_equal(value.kind, GT_VALUE_UINT64);
        assert_int_equal(value.number, 1000 * expected->type + i);
    }
    assert_status(gt_event_experimental_argument(r->event, i, &name, &value),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_experimental_argument(r->event, 0, NULL, &value),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_experimental_argument(r->event, 0, &name, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_experimental_argument(NULL, 0, &name, &value), GT_ERR_INVALID_ARGUMENT);
}

static void test_experimental_event_has_its_arguments(void **state)
{
    struct reading r = {0};
    uint64_t args[4];
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_GO_STOP, 1, 0, 0);
    WIRE_EVENT(&r.wire, EV_PROC_STOP, 1);
    for (size_t i = 0; i < EXPERIMENTALS; i++) {
        args[0] = 1;
        args[1] = 1000 * experimentals[i].type;
        args[2] = args[1] + 1;
        args[3] = args[1] + 2;
        wire_event(&r.wire, experimentals[i].type, args, 1 + argument_count(&experimentals[i]));
    }
    open_events(&r);
    reading_skip(&r, 2);
    for (size_t i = 0; i < EXPERIMENTALS; i++)
        expect_experimental(&r, &experimentals[i]);
    reading_context(&r, 5, -1, -1);
    reading_end(&r);
}

/* The arguments of the getters themselves. */
static void test_getters_refuse_bad_arguments(void **state)
{
    gt_metric metric = GT_METRIC_INIT;
    struct reading r = {0};
    (void) state;
    reading_begin_running(&r);
    WIRE_EVENT(&r.wire, EV_HEAP_ALLOC, 1, 5);
    open_events(&r);
    reading_next(&r, GT_EVENT_METRIC);
    assert_status(gt_event_metric(r.event, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_event_metric(NULL, &metric), GT_ERR_INVALID_ARGUMENT);
    metric.size = sizeof(metric) - 1;
    assert_status(gt_event_metric(r.event, &metric), GT_ERR_INVALID_ARGUMENT);
    metric.size = 0;
    assert_status(gt_event_metric(r.event, &metric), GT_ERR_INVALID_ARGUMENT);
    assert_null(metric.name.data);
    metric.size = sizeof(metric) + 64;
    assert_status(gt_event_metric(r.event, &metric), GT_OK);
    assert_int_equal(metric.size, sizeof(metric) + 64);
    assert_int_equal(metric.value.number, 5);
    assert_status(gt_event_wall_clock(r.event, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    reading_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metric_has_name_and_value),
        cmocka_unit_test(test_label_names_the_goroutine),
        cmocka_unit_test(test_log_has_task_category_and_message),
        cmocka_unit_test(test_strings_hold_any_bytes),
        cmocka_unit_test(test_sample_has_its_own_context_and_stack),
        cmocka_unit_test(test_samples_are_sorted),
        cmocka_unit_test(test_collection_is_a_range_without_resource),
        cmocka_unit_test(test_collection_end_waits_for_its_begin),
        cmocka_unit_test(test_sweep_is_a_range_of_its_proc),
        cmocka_unit_test(test_mark_assist_is_a_range_of_its_goroutine),
        cmocka_unit_test(test_stopped_world_is_a_range_with_its_cause),
        cmocka_unit_test(test_end_of_stop_closes_the_older),
        cmocka_unit_test(test_task_end_has_name_and_parent),
        cmocka_unit_test(test_region_has_task_and_name),
        cmocka_unit_test(test_region_names_are_text),
        cmocka_unit_test(test_experimental_event_has_its_arguments),
        cmocka_unit_test(test_getters_refuse_bad_arguments),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
