/* SPDX-License-Identifier: BSD-3-Clause */

/* The validator with events that no reader delivers. */

#include <stdbool.h>
#include <string.h>

#include "fake_events.h"
#include "support/test.h"

static gt_string text(const char *literal)
{
    gt_string string = {literal, strlen(literal)};
    return string;
}

static gt_resource resource(uint32_t kind, int64_t id)
{
    gt_resource result = {kind, 0, id};
    return result;
}

/* A validator, and the time of its last event. */
struct bench {
    gt_validator *validator;
    int64_t time;
};

static struct fake event_of(struct bench *bench, uint32_t kind)
{
    struct fake fake;
    memset(&fake, 0, sizeof(fake));
    fake.event.kind = kind;
    fake.event.time = ++bench->time;
    fake.event.thread = 5;
    fake.event.proc = 0;
    fake.event.goroutine = 1;
    fake.metric.name = text("/sched/gomaxprocs:threads");
    fake.metric.value.kind = GT_VALUE_UINT64;
    fake.label.label = text("label");
    fake.range.name = text("GC mark assist");
    fake.range.cause = text("");
    fake.range.scope = resource(GT_RESOURCE_GOROUTINE, 1);
    fake.task.type = text("type");
    fake.task.id = 7;
    fake.task.parent = GT_NO_TASK;
    fake.transition.reason = text("");
    return fake;
}

/* Feeds the event; returns the message of its only finding, or NULL if there is none. */
static const char *feed(struct bench *bench, const struct fake *fake, gt_rule rule)
{
    static gt_finding finding;
    uint64_t before = gt_validator_count(bench->validator);
    assert_status(gt_validator_event(bench->validator, NULL, &fake->event), GT_OK);
    if (gt_validator_count(bench->validator) == before)
        return NULL;
    assert_int_equal(gt_validator_count(bench->validator), before + 1);
    finding.size = sizeof(finding);
    assert_status(gt_validator_finding(bench->validator, before, &finding), GT_OK);
    assert_string_equal(gt_rule_text(finding.rule), gt_rule_text(rule));
    assert_int_equal(finding.kind, fake->event.kind);
    return finding.message;
}

static struct bench bench_open(void)
{
    struct bench bench = {NULL, 0};
    assert_status(gt_validator_open(&bench.validator, NULL, NULL), GT_OK);
    return bench;
}

/* Feeds a transition. */
static const char *change(struct bench *bench, gt_resource what, uint32_t from, uint32_t to,
                          gt_rule rule)
{
    struct fake fake = event_of(bench, GT_EVENT_STATE_TRANSITION);
    fake.transition.resource = what;
    fake.transition.from = from;
    fake.transition.to = to;
    return feed(bench, &fake, rule);
}

static void test_metric_without_name_or_value_is_found(void **state)
{
    struct bench bench = bench_open();
    struct fake fake = event_of(&bench, GT_EVENT_METRIC);
    (void) state;
    assert_null(feed(&bench, &fake, GT_RULE_METRIC));
    fake = event_of(&bench, GT_EVENT_METRIC);
    fake.metric.name = text("threads");
    assert_string_equal(feed(&bench, &fake, GT_RULE_METRIC),
                        "metric 'threads' has no colon in its name");
    fake = event_of(&bench, GT_EVENT_METRIC);
    fake.metric.value.kind = GT_VALUE_NONE;
    assert_string_equal(feed(&bench, &fake, GT_RULE_METRIC),
                        "metric '/sched/gomaxprocs:threads' has no value");
    gt_validator_close(&bench.validator);
}

static const char *label(struct bench *bench, uint32_t kind, int64_t id)
{
    struct fake fake = event_of(bench, GT_EVENT_LABEL);
    fake.label.resource = resource(kind, id);
    return feed(bench, &fake, GT_RULE_LABEL);
}

static void test_label_of_unknown_resource_is_found(void **state)
{
    struct bench bench = bench_open();
    struct fake fake;
    (void) state;
    assert_string_equal(label(&bench, GT_RESOURCE_NONE, 0), "label is for nothing");
    assert_string_equal(label(&bench, GT_RESOURCE_THREAD, 5),
                        "label 'label' is for Thread 5, which is not known");
    assert_string_equal(label(&bench, GT_RESOURCE_PROC, 0),
                        "label 'label' is for Proc 0, which is not known");
    /* From then on they are known. */
    assert_null(label(&bench, GT_RESOURCE_THREAD, 5));
    assert_null(label(&bench, GT_RESOURCE_PROC, 0));
    assert_null(change(&bench, resource(GT_RESOURCE_PROC, 0), GT_PROC_RUNNING, GT_PROC_IDLE,
                       GT_RULE_FIRST_STATE));
    assert_null(change(&bench, resource(GT_RESOURCE_GOROUTINE, 1), GT_GO_UNDETERMINED,
                       GT_GO_RUNNING, GT_RULE_FIRST_STATE));
    assert_null(label(&bench, GT_RESOURCE_GOROUTINE, 1));
    /* A thread is known by what runs on it. */
    fake = event_of(&bench, GT_EVENT_STATE_TRANSITION);
    fake.event.thread = 6;
    fake.transition.resource = resource(GT_RESOURCE_PROC, 3);
    fake.transition.to = GT_PROC_RUNNING;
    assert_null(feed(&bench, &fake, GT_RULE_NO_THREAD));
    assert_null(label(&bench, GT_RESOURCE_THREAD, 6));
    /* A future kind. */
    assert_null(label(&bench, GT_RESOURCE_THREAD + 1, 5));
    gt_validator_close(&bench.validator);
}

/* A range of an unknown resource does not make it known. */
static void test_range_does_not_make_a_goroutine_known(void **state)
{
    struct bench bench = bench_open();
    struct fake fake = event_of(&bench, GT_EVENT_RANGE_BEGIN);
    (void) state;
    assert_null(feed(&bench, &fake, GT_RULE_RANGE_BEGIN));
    assert_string_equal(label(&bench, GT_RESOURCE_GOROUTINE, 1),
                        "label 'label' is for Goroutine 1, which is not known");
    gt_validator_close(&bench.validator);
}

static void test_becoming_undetermined_is_found(void **state)
{
    struct bench bench = bench_open();
    gt_resource proc = resource(GT_RESOURCE_PROC, 0);
    gt_resource goroutine = resource(GT_RESOURCE_GOROUTINE, 1);
    (void) state;
    assert_null(change(&bench, proc, GT_PROC_UNDETERMINED, GT_PROC_IDLE, GT_RULE_UNDETERMINED));
    assert_string_equal(
        change(&bench, proc, GT_PROC_IDLE, GT_PROC_UNDETERMINED, GT_RULE_UNDETERMINED),
        "proc 0 becomes undetermined");
    assert_null(change(&bench, proc, GT_PROC_UNDETERMINED, GT_PROC_RUNNING, GT_RULE_UNDETERMINED));
    assert_string_equal(
        change(&bench, goroutine, GT_GO_NOT_EXIST, GT_GO_UNDETERMINED, GT_RULE_UNDETERMINED),
        "goroutine 1 becomes undetermined");
    gt_validator_close(&bench.validator);
}

static void sync(struct bench *bench, uint64_t number)
{
    struct fake fake = event_of(bench, GT_EVENT_SYNC);
    fake.sync.number = number;
    assert_null(feed(bench, &fake, GT_RULE_SYNC_NUMBER));
}

/* In a later generation: what became undetermined is so, and is where its event says. */
static void test_undetermined_in_a_later_generation_is_found(void **state)
{
    struct bench bench = bench_open();
    gt_resource proc = resource(GT_RESOURCE_PROC, 0);
    struct fake fake;
    (void) state;
    sync(&bench, 1);
    assert_null(change(&bench, proc, GT_PROC_UNDETERMINED, GT_PROC_RUNNING, GT_RULE_OLD_STATE));
    sync(&bench, 2);
    assert_non_null(
        change(&bench, proc, GT_PROC_RUNNING, GT_PROC_UNDETERMINED, GT_RULE_UNDETERMINED));
    assert_null(change(&bench, proc, GT_PROC_UNDETERMINED, GT_PROC_RUNNING, GT_RULE_UNDETERMINED));
    fake = event_of(&bench, GT_EVENT_STATE_TRANSITION);
    fake.event.thread = 6;
    fake.transition.resource = proc;
    fake.transition.to = GT_PROC_RUNNING;
    assert_string_equal(feed(&bench, &fake, GT_RULE_UNDETERMINED),
                        "proc 0 is undetermined after the first generation");
    gt_validator_close(&bench.validator);
}

/* A goroutine whose stop is missing runs on another thread, which is one finding. */
static void test_missing_stop_is_one_finding(void **state)
{
    struct bench bench = bench_open();
    gt_resource goroutine = resource(GT_RESOURCE_GOROUTINE, 1);
    struct fake fake;
    (void) state;
    assert_null(change(&bench, goroutine, GT_GO_UNDETERMINED, GT_GO_RUNNING, GT_RULE_OLD_STATE));
    fake = event_of(&bench, GT_EVENT_STATE_TRANSITION);
    fake.event.thread = 6;
    fake.transition.resource = goroutine;
    fake.transition.from = GT_GO_RUNNABLE;
    fake.transition.to = GT_GO_RUNNING;
    assert_non_null(feed(&bench, &fake, GT_RULE_OLD_STATE));
    gt_validator_close(&bench.validator);
}

/* Up to Go 1.21 a goroutine that is created waiting is first created, and then said to wait. */
static void test_creation_up_to_go_1_21_takes_two_events(void **state)
{
    static const uint32_t versions[] = {21, 22};
    gt_resource goroutine = resource(GT_RESOURCE_GOROUTINE, 1);
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
        gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
        struct bench bench = {NULL, 0};
        options.version = versions[i];
        assert_status(gt_validator_open(&bench.validator, &options, NULL), GT_OK);
        assert_null(change(&bench, goroutine, GT_GO_NOT_EXIST, GT_GO_RUNNABLE, GT_RULE_OLD_STATE));
        const char *found =
            change(&bench, goroutine, GT_GO_UNDETERMINED, GT_GO_WAITING, GT_RULE_OLD_STATE);
        assert_true(i == 0 ? !found : found != NULL);
        found = change(&bench, goroutine, GT_GO_UNDETERMINED, GT_GO_WAITING, GT_RULE_OLD_STATE);
        assert_non_null(found);
        gt_validator_close(&bench.validator);
    }
}

/* A thread belongs to the goroutine that took it last, whatever happens to the one before. */
static void test_thread_belongs_to_the_last_goroutine(void **state)
{
    struct bench bench = bench_open();
    gt_resource all[4];
    (void) state;
    for (int64_t i = 0; i < 4; i++)
        all[i] = resource(GT_RESOURCE_GOROUTINE, i);
    assert_null(change(&bench, all[1], GT_GO_UNDETERMINED, GT_GO_RUNNING, GT_RULE_THREAD_TAKEN));
    assert_string_equal(
        change(&bench, all[2], GT_GO_UNDETERMINED, GT_GO_RUNNING, GT_RULE_THREAD_TAKEN),
        "goroutine 2 runs on thread 5, where goroutine 1 does");
    assert_null(change(&bench, all[1], GT_GO_WAITING, GT_GO_RUNNABLE, GT_RULE_OLD_STATE));
    assert_string_equal(
        change(&bench, all[3], GT_GO_UNDETERMINED, GT_GO_RUNNING, GT_RULE_THREAD_TAKEN),
        "goroutine 3 runs on thread 5, where goroutine 2 does");
    gt_validator_close(&bench.validator);
}

/* The ranges of a goroutine end with it. */
static void test_ranges_are_freed_with_their_goroutine(void **state)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    struct bench bench = {NULL, 0};
    (void) state;
    options.memory_limit = 20000;
    options.keep = 0;
    assert_status(gt_validator_open(&bench.validator, &options, NULL), GT_OK);
    for (int64_t id = 1; id < 1000; id++) {
        struct fake fake = event_of(&bench, GT_EVENT_RANGE_BEGIN);
        fake.range.scope.id = id;
        assert_status(gt_validator_event(bench.validator, NULL, &fake.event), GT_OK);
        fake = event_of(&bench, GT_EVENT_STATE_TRANSITION);
        fake.transition.resource = resource(GT_RESOURCE_GOROUTINE, id);
        fake.transition.to = GT_GO_NOT_EXIST;
        assert_status(gt_validator_event(bench.validator, NULL, &fake.event), GT_OK);
    }
    assert_int_equal(gt_validator_count(bench.validator), 999);
    gt_validator_close(&bench.validator);
}

/* A goroutine that has ended is no longer known, and does not affect a new one. */
static void test_ended_goroutine_is_not_known(void **state)
{
    struct bench bench = bench_open();
    gt_resource goroutine = resource(GT_RESOURCE_GOROUTINE, 1);
    (void) state;
    assert_null(change(&bench, goroutine, GT_GO_NOT_EXIST, GT_GO_RUNNING, GT_RULE_OLD_STATE));
    assert_null(change(&bench, goroutine, GT_GO_RUNNING, GT_GO_NOT_EXIST, GT_RULE_OLD_STATE));
    assert_string_equal(
        change(&bench, goroutine, GT_GO_RUNNING, GT_GO_WAITING, GT_RULE_FIRST_STATE),
        "goroutine 1 leaves the state Running but is not known");
    assert_null(change(&bench, goroutine, GT_GO_WAITING, GT_GO_NOT_EXIST, GT_RULE_OLD_STATE));
    assert_null(change(&bench, goroutine, GT_GO_NOT_EXIST, GT_GO_RUNNING, GT_RULE_OLD_STATE));
    gt_validator_close(&bench.validator);
}

/* A proc ends while it is swept. */
static void test_open_range_at_the_end_of_a_proc_is_found(void **state)
{
    struct bench bench = bench_open();
    struct fake fake = event_of(&bench, GT_EVENT_RANGE_ACTIVE);
    gt_resource proc = resource(GT_RESOURCE_PROC, 0);
    (void) state;
    fake.range.scope = proc;
    assert_null(feed(&bench, &fake, GT_RULE_RANGE_BEGIN));
    assert_null(change(&bench, proc, GT_PROC_NOT_EXIST, GT_PROC_IDLE, GT_RULE_OLD_STATE));
    assert_string_equal(change(&bench, proc, GT_PROC_IDLE, GT_PROC_NOT_EXIST, GT_RULE_OPEN_RANGE),
                        "proc 0 ceases to exist while a range of its is open");
    fake = event_of(&bench, GT_EVENT_RANGE_BEGIN);
    fake.range.scope = proc;
    assert_null(feed(&bench, &fake, GT_RULE_RANGE_BEGIN));
    gt_validator_close(&bench.validator);
}

/* Ranges of a thread, and of a future kind of resource, belong to the program. */
static void test_ranges_of_other_resources_belong_to_the_program(void **state)
{
    struct bench bench = bench_open();
    (void) state;
    for (uint32_t kind = GT_RESOURCE_THREAD; kind <= GT_RESOURCE_THREAD + 1; kind++) {
        struct fake fake = event_of(&bench, GT_EVENT_RANGE_BEGIN);
        fake.range.scope = resource(kind, 5);
        assert_null(feed(&bench, &fake, GT_RULE_RANGE_BEGIN));
        fake.event.time = ++bench.time;
        assert_non_null(feed(&bench, &fake, GT_RULE_RANGE_BEGIN));
        fake.event.time = ++bench.time;
        fake.event.kind = GT_EVENT_RANGE_END;
        assert_null(feed(&bench, &fake, GT_RULE_RANGE_BEGIN));
        fake.event.time = ++bench.time;
        assert_non_null(feed(&bench, &fake, GT_RULE_RANGE_END));
    }
    gt_validator_close(&bench.validator);
}

/* A goroutine blocks with another stack than its event's; the next stop is fine. */
static void test_other_stack_at_a_stop_is_found(void **state)
{
    struct bench bench = bench_open();
    gt_resource goroutine = resource(GT_RESOURCE_GOROUTINE, 1);
    struct fake fake;
    (void) state;
    assert_null(change(&bench, goroutine, GT_GO_UNDETERMINED, GT_GO_RUNNING, GT_RULE_STOP_STACK));
    fake = event_of(&bench, GT_EVENT_STATE_TRANSITION);
    fake.transition.resource = goroutine;
    fake.transition.from = GT_GO_RUNNING;
    fake.transition.to = GT_GO_WAITING;
    fake.stack = 0x100000001;
    assert_string_equal(feed(&bench, &fake, GT_RULE_STOP_STACK),
                        "goroutine 1 stops with a stack that is not the event's");
    assert_null(change(&bench, goroutine, GT_GO_WAITING, GT_GO_RUNNABLE, GT_RULE_STOP_STACK));
    /* Procs have no stacks. */
    assert_null(change(&bench, resource(GT_RESOURCE_PROC, 0), GT_PROC_UNDETERMINED, GT_PROC_RUNNING,
                       GT_RULE_STOP_STACK));
    fake = event_of(&bench, GT_EVENT_STATE_TRANSITION);
    fake.transition.resource = resource(GT_RESOURCE_PROC, 0);
    fake.transition.from = GT_PROC_RUNNING;
    fake.transition.to = GT_PROC_IDLE;
    fake.stack = 0x100000001;
    assert_null(feed(&bench, &fake, GT_RULE_STOP_STACK));
    gt_validator_close(&bench.validator);
}

static const char *task(struct bench *bench, uint64_t id, uint64_t parent)
{
    struct fake fake = event_of(bench, GT_EVENT_TASK_BEGIN);
    fake.task.id = id;
    fake.task.parent = parent;
    return feed(bench, &fake, GT_RULE_TASK_ID);
}

static void test_reserved_task_id_is_found(void **state)
{
    struct bench bench = bench_open();
    (void) state;
    assert_null(task(&bench, 1, GT_NO_TASK));
    assert_null(task(&bench, 2, 1));
    assert_string_equal(task(&bench, GT_NO_TASK, 1),
                        "task 18446744073709551615 ('type') has no id");
    assert_string_equal(task(&bench, 0, 1), "task 0 ('type') has the id of the background");
    assert_string_equal(task(&bench, 3, 0), "task 3 ('type') has the background as its parent");
    gt_validator_close(&bench.validator);
}

/* A transition of a resource without known states. */
static void test_transition_of_other_resource_is_fine(void **state)
{
    struct bench bench = bench_open();
    (void) state;
    assert_null(change(&bench, resource(GT_RESOURCE_THREAD, 5), 7, 8, GT_RULE_OLD_STATE));
    assert_null(change(&bench, resource(GT_RESOURCE_THREAD, 5), 7, 8, GT_RULE_OLD_STATE));
    /* A future state is a state like others. */
    assert_null(
        change(&bench, resource(GT_RESOURCE_PROC, 1), GT_PROC_NOT_EXIST, 99, GT_RULE_OLD_STATE));
    assert_null(change(&bench, resource(GT_RESOURCE_PROC, 1), 99, GT_PROC_IDLE, GT_RULE_OLD_STATE));
    gt_validator_close(&bench.validator);
}

static void test_other_kind_of_event_is_fine(void **state)
{
    struct bench bench = bench_open();
    struct fake fake = event_of(&bench, GT_EVENT_EXPERIMENTAL + 1);
    (void) state;
    assert_null(feed(&bench, &fake, GT_RULE_GETTER));
    fake = event_of(&bench, GT_EVENT_STACK_SAMPLE);
    fake.status = GT_ERR_WRONG_KIND;
    assert_null(feed(&bench, &fake, GT_RULE_GETTER));
    gt_validator_close(&bench.validator);
}

/* Each getter fails in turn. */
static void test_failing_getter_is_found(void **state)
{
    static const struct {
        uint32_t kind;
        const char *getter;
        bool is_part;
    } cases[] = {
        {GT_EVENT_METRIC, "gt_event_metric", 0},
        {GT_EVENT_LABEL, "gt_event_label", 0},
        {GT_EVENT_RANGE_BEGIN, "gt_event_range", 0},
        {GT_EVENT_RANGE_ACTIVE, "gt_event_range", 0},
        {GT_EVENT_RANGE_END, "gt_event_range", 0},
        {GT_EVENT_RANGE_END, "gt_event_range_attribute", 1},
        {GT_EVENT_TASK_BEGIN, "gt_event_task", 0},
        {GT_EVENT_TASK_END, "gt_event_task", 0},
        {GT_EVENT_REGION_BEGIN, "gt_event_region", 0},
        {GT_EVENT_REGION_END, "gt_event_region", 0},
        {GT_EVENT_LOG, "gt_event_log", 0},
        {GT_EVENT_STATE_TRANSITION, "gt_event_transition", 0},
        {GT_EVENT_EXPERIMENTAL, "gt_event_experimental", 0},
        {GT_EVENT_EXPERIMENTAL, "gt_event_experimental_argument", 1},
        {GT_EVENT_SYNC, "gt_event_sync", 0},
    };
    struct bench bench = bench_open();
    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct fake open = event_of(&bench, GT_EVENT_RANGE_ACTIVE), fake;
        char message[GT_FINDING_MESSAGE_SIZE] = "";
        open.range.scope = resource(GT_RESOURCE_NONE, 0);
        assert_null(feed(&bench, &open, GT_RULE_RANGE_BEGIN));
        fake = event_of(&bench, cases[i].kind);
        fake.range.scope = open.range.scope;
        fake.range.attribute_count = 1;
        if (cases[i].is_part)
            fake.part_status = GT_ERR_NOT_AVAILABLE;
        else
            fake.status = GT_ERR_NOT_AVAILABLE;
        strcat(message, cases[i].getter);
        strcat(message, " gives the error 'not in the trace'");
        assert_string_equal(feed(&bench, &fake, GT_RULE_GETTER), message);
    }
    gt_validator_close(&bench.validator);
}

static void test_failing_getter_of_a_sync_is_found(void **state)
{
    struct bench bench = bench_open();
    struct fake fake = event_of(&bench, GT_EVENT_SYNC);
    (void) state;
    fake.sync.number = 1;
    fake.sync.batch_count = 1;
    fake.part_status = GT_ERR_LIMIT;
    assert_string_equal(feed(&bench, &fake, GT_RULE_GETTER),
                        "gt_event_experimental_batch gives the error 'memory limit reached'");
    fake = event_of(&bench, GT_EVENT_SYNC);
    fake.sync.number = 2;
    fake.sync.has_clock = 1;
    fake.sync.clock_trace = fake.sync.clock_seconds = 1;
    fake.sync.clock_monotonic = 1;
    fake.part_status = GT_ERR_NOT_AVAILABLE;
    assert_string_equal(feed(&bench, &fake, GT_RULE_GETTER),
                        "gt_event_wall_clock gives the error 'not in the trace'");
    gt_validator_close(&bench.validator);
}

/* A stack that is no longer valid is a finding; the reader's lack of memory is not. */
static void test_invalid_stack_is_found(void **state)
{
    struct gt_reader *reader = (struct gt_reader *) (uintptr_t) 8;
    gt_finding finding = GT_FINDING_INIT;
    struct bench bench = bench_open();
    struct fake fake = event_of(&bench, GT_EVENT_STACK_SAMPLE);
    (void) state;
    fake.stack = UINT64_C(0x100000000) + (unsigned) -GT_ERR_EXPIRED;
    assert_status(gt_validator_event(bench.validator, reader, &fake.event), GT_OK);
    assert_int_equal(gt_validator_count(bench.validator), 1);
    assert_status(gt_validator_finding(bench.validator, 0, &finding), GT_OK);
    assert_int_equal(finding.rule, GT_RULE_GETTER);
    /* Without frames there is nothing to find. */
    fake = event_of(&bench, GT_EVENT_STACK_SAMPLE);
    fake.stack = UINT64_C(0x1ffffffff);
    assert_status(gt_validator_event(bench.validator, reader, &fake.event), GT_OK);
    fake = event_of(&bench, GT_EVENT_STACK_SAMPLE);
    fake.stack = UINT64_C(0x100000000) + (unsigned) -GT_ERR_LIMIT;
    assert_status(gt_validator_event(bench.validator, reader, &fake.event), GT_ERR_LIMIT);
    fake.stack = GT_STACK_NONE;
    assert_status(gt_validator_event(bench.validator, reader, &fake.event), GT_ERR_LIMIT);
    assert_int_equal(gt_validator_count(bench.validator), 1);
    gt_validator_close(&bench.validator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metric_without_name_or_value_is_found),
        cmocka_unit_test(test_label_of_unknown_resource_is_found),
        cmocka_unit_test(test_range_does_not_make_a_goroutine_known),
        cmocka_unit_test(test_becoming_undetermined_is_found),
        cmocka_unit_test(test_undetermined_in_a_later_generation_is_found),
        cmocka_unit_test(test_missing_stop_is_one_finding),
        cmocka_unit_test(test_creation_up_to_go_1_21_takes_two_events),
        cmocka_unit_test(test_thread_belongs_to_the_last_goroutine),
        cmocka_unit_test(test_ranges_are_freed_with_their_goroutine),
        cmocka_unit_test(test_ended_goroutine_is_not_known),
        cmocka_unit_test(test_open_range_at_the_end_of_a_proc_is_found),
        cmocka_unit_test(test_ranges_of_other_resources_belong_to_the_program),
        cmocka_unit_test(test_other_stack_at_a_stop_is_found),
        cmocka_unit_test(test_reserved_task_id_is_found),
        cmocka_unit_test(test_transition_of_other_resource_is_fine),
        cmocka_unit_test(test_other_kind_of_event_is_fine),
        cmocka_unit_test(test_failing_getter_is_found),
        cmocka_unit_test(test_failing_getter_of_a_sync_is_found),
        cmocka_unit_test(test_invalid_stack_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
