/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Events that a program makes: one that is made of what the getters of another one return equals
 * that one, and what no event of a reader can be is refused by the name of the member.
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/getters.h"
#include "support/probe.h"
#include "support/remake.h"
#include "support/sample.h"
#include "support/test.h"

/* The text of an event, which the caller frees. */
static char *text_of(gt_reader *reader, const gt_event *event)
{
    size_t size;
    assert_status(gt_event_format(reader, event, NULL, 0, &size), GT_OK);
    char *text = calloc(1, size + 1);
    assert_status(gt_event_format(reader, event, text, size + 1, &size), GT_OK);
    return text;
}

static void check_equal(struct fold *read, struct fold *again, const gt_event *event,
                        const gt_event *made)
{
    char *text = text_of(read->reader, event), *same = text_of(NULL, made);
    int64_t seconds[2] = {0, 0};
    uint32_t nanoseconds[2] = {0, 0};
    assert_string_equal(same, text);
    memset(again, 0, sizeof(*again));
    again->copy = made;
    read->hash = 0;
    assert_status(fold_event(read, event), GT_OK);
    assert_status(fold_event(again, made), GT_OK);
    assert_true(again->hash == read->hash);
    assert_int_equal(made->time, event->time);
    assert_int_equal(made->thread, event->thread);
    assert_int_equal(made->proc, event->proc);
    assert_int_equal(made->goroutine, event->goroutine);
    assert_status(gt_event_wall_clock(made, &seconds[0], &nanoseconds[0]),
                  gt_event_wall_clock(event, &seconds[1], &nanoseconds[1]));
    assert_int_equal(seconds[0], seconds[1]);
    assert_int_equal(nanoseconds[0], nanoseconds[1]);
    free(same);
    free(text);
}

/* Makes every event of a trace again, and a copy of each that was made. */
static uint64_t check_trace(const void *data, size_t size, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct fold *read = calloc(1, sizeof(*read)), *again = calloc(1, sizeof(*again));
    struct remake remake;
    const gt_event *event;
    uint64_t events = 0;
    options.flags = flags;
    assert_status(gt_reader_open_memory(&read->reader, data, size, &options, NULL), GT_OK);
    remake_begin(&remake);
    while (gt_reader_next_event(read->reader, &event) == GT_OK) {
        gt_event *made = remake_event(&remake, read->reader, event), *copy;
        check_equal(read, again, event, made);
        assert_status(gt_event_copy(NULL, made, NULL, &copy), GT_OK);
        gt_event_free(&made);
        check_equal(read, again, event, copy);
        gt_event_free(&copy);
        events++;
    }
    remake_end(&remake);
    gt_reader_close(&read->reader);
    free(read);
    free(again);
    return events;
}

static void test_event_made_of_what_getters_return_equals_it(void **state)
{
    static const char *const directories[] = {"v1", "v2"};
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        char *directory = files_join(files_testdata(), directories[i]);
        struct file_list list = {NULL, 0};
        uint64_t events = 0;
        files_list(&list, directory, "", ".trace");
        for (size_t k = 0; k < list.count; k++) {
            char *path = files_join(directory, list.names[k]);
            size_t size;
            uint8_t *data = files_read(path, &size);
            events += check_trace(data, size, GT_READER_LENIENT | GT_READER_AS_RECORDED);
            free(data);
            free(path);
        }
        assert_true(events > 1000);
        files_list_free(&list);
        free(directory);
    }
}

static void test_event_of_every_version_can_be_made(void **state)
{
    static const unsigned versions[] = {5, 7, 11, 19, 21, 22, 23, 25, 26};
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        struct wire wire = {0};
        sample_trace(&wire, versions[i], 3, 300);
        assert_true(check_trace(wire.data, wire.size, 0) > 300);
        wire_free(&wire);
    }
}

/* Changes of states that no reader delivers, as an analyzer may want to see them in its tests. */
static void test_every_pair_of_states_can_be_made(void **state)
{
    (void) state;
    for (uint32_t from = 0; from <= GT_GO_SYSCALL; from++) {
        for (uint32_t to = 0; to <= GT_GO_SYSCALL; to++) {
            gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
            gt_transition change = GT_TRANSITION_INIT, found = GT_TRANSITION_INIT;
            gt_event *event;
            bool is_proc = from <= GT_PROC_IDLE && to <= GT_PROC_IDLE;
            options.kind = GT_EVENT_STATE_TRANSITION;
            options.transition = &change;
            assert_status(gt_goroutine_transition_make(INT64_MIN, from, to, &change), GT_OK);
            change.reason = (gt_string){"because", 7};
            assert_status(gt_event_make(&event, &options, NULL), GT_OK);
            assert_status(gt_event_goroutine_transition(event, &found), GT_OK);
            assert_int_equal(found.resource.id, INT64_MIN);
            assert_int_equal(found.from, from);
            assert_int_equal(found.to, to);
            assert_int_equal(found.reason.size, 7);
            gt_event_free(&event);
            assert_status(gt_proc_transition_make(3, from, to, &change),
                          is_proc ? GT_OK : GT_ERR_INVALID_ARGUMENT);
            assert_status(gt_event_make(&event, &options, NULL), GT_OK);
            assert_status(gt_event_proc_transition(event, &found),
                          is_proc ? GT_OK : GT_ERR_WRONG_KIND);
            gt_event_free(&event);
        }
    }
}

/* The frames are those of the made event, though what it was made of is gone. */
static void test_made_event_owns_its_stacks(void **state)
{
    char function[] = "main.main", file[] = "main.go";
    gt_frame frames[2] = {{1, 10, {function, 9}, {file, 7}}, {2, 20, {function, 9}, {file, 7}}};
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    gt_transition change = GT_TRANSITION_INIT;
    const gt_frame *found;
    gt_event *event;
    size_t count;
    (void) state;
    gt_goroutine_transition_make(1, GT_GO_NOT_EXIST, GT_GO_RUNNABLE, &change);
    change.stack = gt_stack_make(2, 8);
    options.kind = GT_EVENT_STATE_TRANSITION;
    options.stack = gt_stack_make(2, 7);
    options.frames = frames;
    options.frame_count = 2;
    options.transition = &change;
    options.transition_frames = &frames[1];
    options.transition_frame_count = 1;
    assert_status(gt_event_make(&event, &options, NULL), GT_OK);
    memset(function, 'x', sizeof(function));
    memset(file, 'x', sizeof(file));
    memset(frames, 0, sizeof(frames));
    assert_true(gt_event_stack(event) == gt_stack_make(2, 7));
    assert_status(gt_event_frames(NULL, event, gt_event_stack(event), &found, &count), GT_OK);
    assert_int_equal(count, 2);
    assert_int_equal(found[1].line, 20);
    assert_memory_equal(found[1].function.data, "main.main", 9);
    assert_status(gt_event_transition(event, &change), GT_OK);
    assert_status(gt_event_frames(NULL, event, change.stack, &found, &count), GT_OK);
    assert_int_equal(count, 1);
    assert_memory_equal(found[0].file.data, "main.go", 7);
    gt_event_free(&event);
    assert_true(gt_stack_make(0, 1) == GT_STACK_NONE);
    assert_true(gt_stack_make(1, 0) == GT_STACK_NONE);
}

/* A description of an event in which a test makes one member wrong. */
struct description {
    gt_event_make_options options;
    gt_metric metric;
    gt_label label;
    gt_range range;
    gt_task task;
    gt_region region;
    gt_log log;
    gt_transition transition;
    gt_sync sync;
    gt_experimental_batch batch;
    gt_experimental experimental;
    gt_frame frame;
    gt_value values[4];
};

#define TEXT(literal)                                                                              \
    (gt_string)                                                                                    \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

static void describe_values(struct description *d, uint32_t kind)
{
    for (size_t i = 0; i < 4; i++)
        d->values[i].kind = GT_VALUE_UINT64;
    d->options.values =
        kind == GT_EVENT_RANGE_END || kind == GT_EVENT_EXPERIMENTAL ? d->values : NULL;
}

/* Describes a good event of a kind, in goroutine 1 of proc 2. */
static struct description *describe(struct description *d, uint32_t kind)
{
    *d = (struct description){
        .options = GT_EVENT_MAKE_OPTIONS_INIT,
        .metric = {sizeof(d->metric), TEXT("/gc/heap/goal:bytes"), {GT_VALUE_UINT64, 0, 5, {0}}},
        .label = {sizeof(d->label), TEXT("GC (idle)"), {GT_RESOURCE_GOROUTINE, 0, 1}},
        .range = {sizeof(d->range),
                  TEXT("GC incremental sweep"),
                  {"", 0},
                  0,
                  kind == GT_EVENT_RANGE_END ? 2 : 0,
                  {GT_RESOURCE_PROC, 0, 2}},
        .task = {sizeof(d->task), 3, 0, TEXT("task")},
        .region = {sizeof(d->region), 3, TEXT("region")},
        .log = {sizeof(d->log), 3, TEXT("category"), TEXT("message")},
        .transition = {sizeof(d->transition), {GT_RESOURCE_GOROUTINE, 0, 1}, 3, 4, {"", 0}, 0},
        .sync = {sizeof(d->sync), 1, 1, 1, 1, 2, 3, 4, 5, 0},
        .batch = {sizeof(d->batch), TEXT("AllocFree"), 1, 7, TEXT("data")},
        .experimental = {sizeof(d->experimental), TEXT("SpanFree"), TEXT("AllocFree"), 1, 0},
        .frame = {1, 1, TEXT("main.main"), TEXT("main.go")},
    };
    d->options.kind = kind;
    d->options.goroutine = 1;
    d->options.proc = 2;
    d->options.stack = gt_stack_make(1, 1);
    d->options.frames = &d->frame;
    d->options.frame_count = 1;
    d->options.metric = kind == GT_EVENT_METRIC ? &d->metric : NULL;
    d->options.label = kind == GT_EVENT_LABEL ? &d->label : NULL;
    d->options.range =
        kind >= GT_EVENT_RANGE_BEGIN && kind <= GT_EVENT_RANGE_END ? &d->range : NULL;
    d->options.task = kind == GT_EVENT_TASK_BEGIN || kind == GT_EVENT_TASK_END ? &d->task : NULL;
    d->options.region =
        kind == GT_EVENT_REGION_BEGIN || kind == GT_EVENT_REGION_END ? &d->region : NULL;
    d->options.log = kind == GT_EVENT_LOG ? &d->log : NULL;
    d->options.transition = kind == GT_EVENT_STATE_TRANSITION ? &d->transition : NULL;
    d->options.sync = kind == GT_EVENT_SYNC ? &d->sync : NULL;
    d->options.batches = kind == GT_EVENT_SYNC ? &d->batch : NULL;
    d->options.experimental = kind == GT_EVENT_EXPERIMENTAL ? &d->experimental : NULL;
    describe_values(d, kind);
    return d;
}

static void refuse(const struct description *d, const char *text)
{
    gt_error error = GT_ERROR_INIT;
    gt_event *event = (gt_event *) (uintptr_t) 8;
    assert_status(gt_event_make(&event, &d->options, &error), GT_ERR_INVALID_ARGUMENT);
    assert_null(event);
    assert_status(error.status, GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, text);
}

#define REFUSE(kind, member, value, text)                                                          \
    do {                                                                                           \
        struct description d_;                                                                     \
        describe(&d_, GT_EVENT_##kind)->member = (value);                                          \
        refuse(&d_, (text));                                                                       \
    } while (0)

static void test_good_event_of_every_kind_is_made(void **state)
{
    (void) state;
    for (uint32_t kind = GT_EVENT_SYNC; kind <= GT_EVENT_EXPERIMENTAL; kind++) {
        struct description d;
        gt_error error = GT_ERROR_INIT;
        gt_event *event;
        describe(&d, kind)->sync.batch_count = 1;
        if (gt_event_make(&event, &d.options, &error) != GT_OK)
            fail_msg("kind %u: %s", kind, error.message);
        assert_int_equal(event->kind, kind);
        gt_event_free(&event);
    }
}

static void test_wrong_context_is_refused_by_its_name(void **state)
{
    gt_event *event;
    gt_error error = GT_ERROR_INIT;
    const gt_allocator lacking = {.size = sizeof(lacking)};
    (void) state;
    assert_status(gt_event_make(&event, NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "options is NULL");
    assert_status(gt_event_make(NULL, NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "event is NULL");
    error.size = 8;
    assert_status(gt_event_make(&event, NULL, &error), GT_ERR_INVALID_ARGUMENT);
    REFUSE(LOG, options.flags, 2, "options.flags has unknown bits 0x2");
    REFUSE(LOG, options.allocator, &lacking, "options.allocator->allocate is NULL");
    REFUSE(LOG, options.kind, 0, "options.kind is no kind of event");
    REFUSE(LOG, options.kind, 15, "options.kind is no kind of event");
    REFUSE(LOG, options.kind, UINT32_MAX, "options.kind is no kind of event");
    REFUSE(LOG, options.reserved, 1, "options.reserved is not 0");
    REFUSE(LOG, options.kind, GT_EVENT_METRIC, "options.metric is NULL");
    REFUSE(LOG, options.kind, GT_EVENT_STACK_SAMPLE, "options.log does not belong to this kind");
    REFUSE(LOG, options.log, NULL, "options.log is NULL");
    REFUSE(LOG, options.values, d_.values, "options.values does not belong to this kind");
    REFUSE(LOG, options.batches, &d_.batch, "options.batches does not belong to this kind");
    REFUSE(LOG, options.transition_frames, &d_.frame,
           "options.transition_frames does not belong to this kind");
}

static void test_wrong_stack_is_refused_by_its_name(void **state)
{
    (void) state;
    REFUSE(LOG, options.stack, GT_STACK_NONE, "options.stack is none, but has frames");
    REFUSE(LOG, options.stack, 7, "options.stack is not a handle of gt_stack_make");
    REFUSE(LOG, options.stack, UINT64_C(7) << 32, "options.stack is not a handle of gt_stack_make");
    REFUSE(LOG, options.stack, gt_stack_make(1, GT_STACK_EMPTY_SLOT),
           "options.stack is the empty stack, but has frames");
    REFUSE(LOG, options.frames, NULL, "options.stack has no frames, but a number of them");
    REFUSE(LOG, options.frame_count, GT_EVENT_MAKE_MAX_FRAMES + 1,
           "options.stack has too many frames");
    REFUSE(LOG, frame.function.data, NULL, "the function of a frame is NULL");
    REFUSE(LOG, frame.file.data, NULL, "the file of a frame is NULL");
    REFUSE(LOG, frame.file.size, (size_t) INT32_MAX + 1, "the file of a frame is too long");
    REFUSE(STATE_TRANSITION, transition.stack, gt_stack_make(2, 1),
           "options.transition->stack is of another generation than options.stack");
    REFUSE(STATE_TRANSITION, options.transition_frames, &d_.frame,
           "options.transition->stack is none, but has frames");
    REFUSE(STATE_TRANSITION, transition.stack, UINT64_C(1) << 32,
           "options.transition->stack is not a handle of gt_stack_make");
}

static void test_wrong_content_is_refused_by_its_name(void **state)
{
    const gt_resource thread = {GT_RESOURCE_THREAD, 0, 1}, other = {GT_RESOURCE_PROC, 0, 9};
    char text[100];
    (void) state;
    snprintf(text, sizeof(text), "options.metric->size is 8, less than %zu", sizeof(gt_metric));
    REFUSE(METRIC, metric.size, 8, text);
    snprintf(text, sizeof(text), "options.batches->size is 8, less than %zu",
             sizeof(gt_experimental_batch));
    REFUSE(SYNC, batch.size, 8, text);
    REFUSE(METRIC, metric.name, TEXT("/gc/heap"),
           "options.metric->name is no metric of the runtime");
    REFUSE(METRIC, metric.value.kind, GT_VALUE_STRING,
           "options.metric->value is no GT_VALUE_UINT64");
    REFUSE(LABEL, label.resource.id, 2,
           "options.label->resource is not the goroutine of the event");
    REFUSE(LABEL, label.resource, thread,
           "options.label->resource is not the goroutine of the event");
    REFUSE(LABEL, label.label.data, NULL, "options.label->label is NULL");
    REFUSE(TASK_END, task.type.data, NULL, "options.task->type is NULL");
    REFUSE(REGION_END, region.type.data, NULL, "options.region->type is NULL");
    REFUSE(LOG, log.category.data, NULL, "options.log->category is NULL");
    REFUSE(LOG, log.message.data, NULL, "options.log->message is NULL");
    REFUSE(RANGE_BEGIN, range.name, TEXT("GC"), "options.range->name is no range of this kind");
    REFUSE(RANGE_ACTIVE, range.name, TEXT("stop-the-world"),
           "options.range->name is no range of this kind");
    REFUSE(RANGE_BEGIN, range.has_cause, 1, "options.range->has_cause does not fit its name");
    REFUSE(RANGE_BEGIN, range.cause, TEXT("x"), "options.range->has_cause does not fit its name");
    REFUSE(RANGE_BEGIN, range.attribute_count, 2,
           "options.range->attribute_count does not fit its name");
    REFUSE(RANGE_END, range.attribute_count, 0,
           "options.range->attribute_count does not fit its name");
    REFUSE(RANGE_BEGIN, range.scope, thread,
           "options.range->scope is of another kind than its name");
    REFUSE(RANGE_END, range.scope, other, "options.range->scope is not in the event's context");
    REFUSE(RANGE_END, options.values, NULL, "options.values is NULL");
    REFUSE(RANGE_END, values[1].kind, 0, "options.values has one that is no GT_VALUE_UINT64");
    REFUSE(STATE_TRANSITION, transition.resource, thread,
           "options.transition->resource is neither a goroutine nor a proc");
    REFUSE(STATE_TRANSITION, transition.from, 6,
           "options.transition->from is no state of the resource");
    REFUSE(STATE_TRANSITION, transition.to, 256,
           "options.transition->to is no state of the resource");
    REFUSE(STATE_TRANSITION, transition.resource, other,
           "options.transition->to is no state of the resource");
    REFUSE(EXPERIMENTAL, experimental.name, TEXT("SpanFreed"),
           "options.experimental->name is no event of the experiment");
    REFUSE(EXPERIMENTAL, experimental.experiment, TEXT("Alloc"),
           "options.experimental->name is no event of the experiment");
    REFUSE(EXPERIMENTAL, experimental.argument_count, 2,
           "options.experimental->argument_count is not that of the event");
    REFUSE(EXPERIMENTAL, experimental.argument_count, UINT32_MAX,
           "options.experimental->argument_count is not that of the event");
}

static void test_wrong_sync_is_refused_by_its_name(void **state)
{
    (void) state;
    REFUSE(SYNC, sync.batch_count, 0, "options.batches is not NULL");
    REFUSE(SYNC, options.batches, NULL, "options.batches is NULL");
    REFUSE(SYNC, sync.clock_nanoseconds, 1000000000,
           "options.sync->clock_nanoseconds is a second or more");
    REFUSE(SYNC, sync.generation, 0,
           "options.sync->generation is 0, but it has a clock, batches or a stack");
    REFUSE(SYNC, batch.experiment, TEXT("Alloc"),
           "options.batches->experiment is not that of its id");
    REFUSE(SYNC, batch.experiment_id, 99, "options.batches->experiment is not that of its id");
    REFUSE(SYNC, batch.data.data, NULL, "options.batches->data is NULL");
}

static void test_made_event_lacks_no_memory_unnoticed(void **state)
{
    struct probe probe;
    struct description d;
    gt_event *event;
    gt_error error = GT_ERROR_INIT;
    (void) state;
    for (uint64_t fail_at = 1; fail_at <= 4; fail_at++) {
        probe_init(&probe);
        probe.fail_at = fail_at;
        describe(&d, GT_EVENT_SYNC)->options.allocator = &probe.allocator;
        gt_status status = gt_event_make(&event, &d.options, &error);
        assert_status(status, fail_at < 4 ? GT_ERR_NO_MEMORY : GT_OK);
        assert_int_equal(event == NULL, fail_at < 4);
        if (!event)
            assert_status(error.status, GT_ERR_NO_MEMORY);
        gt_event_free(&event);
        probe_check(&probe);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_made_of_what_getters_return_equals_it),
        cmocka_unit_test(test_event_of_every_version_can_be_made),
        cmocka_unit_test(test_every_pair_of_states_can_be_made),
        cmocka_unit_test(test_made_event_owns_its_stacks),
        cmocka_unit_test(test_good_event_of_every_kind_is_made),
        cmocka_unit_test(test_wrong_context_is_refused_by_its_name),
        cmocka_unit_test(test_wrong_stack_is_refused_by_its_name),
        cmocka_unit_test(test_wrong_content_is_refused_by_its_name),
        cmocka_unit_test(test_wrong_sync_is_refused_by_its_name),
        cmocka_unit_test(test_made_event_lacks_no_memory_unnoticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
