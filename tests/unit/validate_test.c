/* SPDX-License-Identifier: BSD-3-Clause */

/* The validator on events that no reader delivers. */

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

/* Feeds the event; returns its only finding's message, or NULL without one. */
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

    assert_status(gt_validator_open(&bench.validator, NULL), GT_OK);
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

static void test_metric(void **state)
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

static void test_label(void **state)
{
    struct bench bench = bench_open();
    struct fake fake;

    (void) state;
    assert_string_equal(label(&bench, GT_RESOURCE_NONE, 0), "label is for nothing");
    assert_string_equal(label(&bench, GT_RESOURCE_THREAD, 5),
                        "label 'label' is for Thread 5, which is not known");
    assert_string_equal(label(&bench, GT_RESOURCE_PROC, 0),
                        "label 'label' is for Proc 0, which is not known");
    /* From then on they are. */
    assert_null(label(&bench, GT_RESOURCE_THREAD, 5));
    assert_null(label(&bench, GT_RESOURCE_PROC, 0));
    assert_null(change(&bench, resource(GT_RESOURCE_PROC, 0), GT_PROC_RUNNING, GT_PROC_IDLE,
                       GT_RULE_FIRST_STATE));
    assert_null(change(&bench, resource(GT_RESOURCE_GOROUTINE, 1), GT_GO_UNDETERMINED,
                       GT_GO_RUNNING, GT_RULE_FIRST_STATE));
    assert_null(label(&bench, GT_RESOURCE_GOROUTINE, 1));
    /* A thread is known from what runs on it. */
    fake = event_of(&bench, GT_EVENT_STATE_TRANSITION);
    fake.event.thread = 6;
    fake.transition.resource = resource(GT_RESOURCE_PROC, 3);
    fake.transition.to = GT_PROC_RUNNING;
    assert_null(feed(&bench, &fake, GT_RULE_NO_THREAD));
    assert_null(label(&bench, GT_RESOURCE_THREAD, 6));
    /* A kind that came later. */
    assert_null(label(&bench, GT_RESOURCE_THREAD + 1, 5));
    gt_validator_close(&bench.validator);
}

/* A range of something that is not known yet does not make it known. */
static void test_label_after_range(void **state)
{
    struct bench bench = bench_open();
    struct fake fake = event_of(&bench, GT_EVENT_RANGE_BEGIN);

    (void) state;
    assert_null(feed(&bench, &fake, GT_RULE_RANGE_BEGIN));
    assert_string_equal(label(&bench, GT_RESOURCE_GOROUTINE, 1),
                        "label 'label' is for Goroutine 1, which is not known");
    gt_validator_close(&bench.validator);
}

static void test_undetermined(void **state)
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
static void test_undetermined_later(void **state)
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

/* A goroutine whose stop is missing runs on another thread: one finding. */
static void test_moved(void **state)
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

/* A thread is of who took it last, whatever becomes of who had it before. */
static void test_taken(void **state)
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

/* What ends takes its ranges along. */
static void test_memory(void **state)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    struct bench bench = {NULL, 0};

    (void) state;
    options.memory_limit = 20000;
    options.keep = 0;
    assert_status(gt_validator_open(&bench.validator, &options), GT_OK);
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

/* One that has ended is not known any more, and nothing of it is held against a new one. */
static void test_ended(void **state)
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

/* A proc that ends while it is swept. */
static void test_open_range(void **state)
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

/* Ranges of a thread, and of a kind that came later, which are the program's. */
static void test_scopes(void **state)
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

/* A goroutine that blocks with another stack than its event's; the next stop is fine. */
static void test_stop_stack(void **state)
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
    /* Procs have none. */
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

static void test_task_id(void **state)
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

/* A transition of what has no states that are known here. */
static void test_other_resource(void **state)
{
    struct bench bench = bench_open();

    (void) state;
    assert_null(change(&bench, resource(GT_RESOURCE_THREAD, 5), 7, 8, GT_RULE_OLD_STATE));
    assert_null(change(&bench, resource(GT_RESOURCE_THREAD, 5), 7, 8, GT_RULE_OLD_STATE));
    /* A state that came later is one like others. */
    assert_null(
        change(&bench, resource(GT_RESOURCE_PROC, 1), GT_PROC_NOT_EXIST, 99, GT_RULE_OLD_STATE));
    assert_null(change(&bench, resource(GT_RESOURCE_PROC, 1), 99, GT_PROC_IDLE, GT_RULE_OLD_STATE));
    gt_validator_close(&bench.validator);
}

static void test_other_kind(void **state)
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
static void test_getters(void **state)
{
    static const struct {
        uint32_t kind;
        const char *getter;
        int is_part;
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

static void test_sync_getters(void **state)
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

/* A stack that has gone is a finding, the reader's want of memory is none. */
static void test_stack(void **state)
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
    /* No frames, nothing to find. */
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
        cmocka_unit_test(test_metric),
        cmocka_unit_test(test_label),
        cmocka_unit_test(test_label_after_range),
        cmocka_unit_test(test_undetermined),
        cmocka_unit_test(test_undetermined_later),
        cmocka_unit_test(test_moved),
        cmocka_unit_test(test_taken),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_ended),
        cmocka_unit_test(test_open_range),
        cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_stop_stack),
        cmocka_unit_test(test_task_id),
        cmocka_unit_test(test_other_resource),
        cmocka_unit_test(test_other_kind),
        cmocka_unit_test(test_getters),
        cmocka_unit_test(test_sync_getters),
        cmocka_unit_test(test_stack),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
