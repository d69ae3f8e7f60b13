/* SPDX-License-Identifier: BSD-3-Clause */

/* Validators apart from their rules: options, findings that are kept and reported, arguments. */

#include <string.h>

#include "plant.h"
#include "support/test.h"

/* The findings that a callback got. */
struct told {
    gt_validator *validator;
    const gt_event *event;
    unsigned count;
    uint32_t rules[8];
    uint64_t numbers[8];
};

static void on_finding(void *user_data, const gt_finding *finding)
{
    struct told *told = user_data;
    assert_int_equal(finding->size, sizeof(*finding));
    assert_true(told->count < 8);
    told->rules[told->count] = finding->rule;
    told->numbers[told->count++] = finding->number;
    if (!told->validator)
        return;
    /* The validator may be queried, but not used. */
    assert_int_equal(gt_validator_count(told->validator), told->count);
    assert_status(gt_validator_event(told->validator, NULL, told->event), GT_ERR_INVALID_ARGUMENT);
    gt_validator_close(&told->validator);
    assert_non_null(told->validator);
}

/* Begins a trace of six metrics. Each is a finding if it has the time of the first one. */
static void begin_metrics(struct reading *reading)
{
    reading_begin_running(reading);
    for (unsigned i = 0; i < 6; i++)
        WIRE_EVENT(&reading->wire, EV_HEAP_ALLOC, 1, i);
    reading_open(reading, NULL);
    reading_skip(reading, PLANT_RUNNING_EVENTS + 1);
}

/* Passes an event `count` times, which gives a finding each time but the first. */
static void repeat(gt_validator *validator, const struct reading *reading, unsigned count)
{
    while (count-- > 0)
        assert_status(gt_validator_event(validator, reading->reader, reading->event), GT_OK);
}

static void test_findings_are_kept_up_to_the_limit(void **state)
{
    static const uint64_t keeps[] = {0, 1, 2, 5, 1000};
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    struct reading r = {0};
    gt_validator *validator;
    (void) state;
    assert_int_equal(options.keep, 1000);
    begin_metrics(&r);
    for (size_t i = 0; i < sizeof(keeps) / sizeof(*keeps); i++) {
        gt_finding finding = GT_FINDING_INIT;
        uint64_t kept = keeps[i] < 5 ? keeps[i] : 5, index;
        options.keep = keeps[i];
        assert_status(gt_validator_open(&validator, &options, NULL), GT_OK);
        repeat(validator, &r, 6);
        assert_int_equal(gt_validator_count(validator), 5);
        for (index = 0; index < kept; index++) {
            assert_status(gt_validator_finding(validator, index, &finding), GT_OK);
            assert_int_equal(finding.number, index + 2);
        }
        assert_status(gt_validator_finding(validator, index, &finding), GT_ERR_NOT_AVAILABLE);
        gt_validator_close(&validator);
    }
    reading_close(&r);
}

/* The members of a finding are those of its event. */
static void test_finding_describes_its_event(void **state)
{
    gt_finding finding = GT_FINDING_INIT;
    struct reading r = {0};
    gt_validator *validator;
    (void) state;
    begin_metrics(&r);
    assert_status(gt_validator_open(&validator, NULL, NULL), GT_OK);
    repeat(validator, &r, 2);
    assert_status(gt_validator_finding(validator, 0, &finding), GT_OK);
    assert_int_equal(finding.size, sizeof(finding));
    assert_int_equal(finding.rule, GT_RULE_TIME);
    assert_int_equal(finding.kind, GT_EVENT_METRIC);
    assert_int_equal(finding.number, 2);
    assert_int_equal(finding.time, r.event->time);
    assert_int_equal(finding.thread, 5);
    assert_int_equal(finding.proc, 0);
    assert_int_equal(finding.goroutine, 1);
    assert_string_equal(finding.message, "time is not later than 13, the time of the event before");
    gt_validator_close(&validator);
    reading_close(&r);
}

static void test_callback_gets_every_finding(void **state)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    struct told told = {0};
    struct reading r = {0};
    gt_validator *validator;
    (void) state;
    begin_metrics(&r);
    options.keep = 0;
    options.on_finding = on_finding;
    options.user_data = &told;
    assert_status(gt_validator_open(&validator, &options, NULL), GT_OK);
    repeat(validator, &r, 1);
    assert_int_equal(told.count, 0);
    told.validator = validator;
    told.event = r.event;
    repeat(validator, &r, 2);
    assert_int_equal(told.count, 2);
    assert_int_equal(told.rules[1], GT_RULE_TIME);
    assert_int_equal(told.numbers[0], 2);
    assert_int_equal(told.numbers[1], 3);
    gt_validator_close(&validator);
    assert_null(validator);
    reading_close(&r);
}

static void test_bad_arguments_are_refused(void **state)
{
    gt_finding finding = GT_FINDING_INIT;
    struct reading r = {0};
    gt_validator *validator = NULL;
    (void) state;
    begin_metrics(&r);
    assert_status(gt_validator_open(NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_validator_open(&validator, NULL, NULL), GT_OK);
    assert_status(gt_validator_event(NULL, r.reader, r.event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_validator_event(validator, r.reader, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(gt_validator_count(NULL), 0);
    assert_int_equal(gt_validator_count(validator), 0);
    assert_status(gt_validator_finding(NULL, 0, &finding), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_validator_finding(validator, 0, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_validator_finding(validator, 0, &finding), GT_ERR_NOT_AVAILABLE);
    /* Calls that were refused do not count. */
    repeat(validator, &r, 2);
    assert_status(gt_validator_finding(validator, 0, &finding), GT_OK);
    assert_int_equal(finding.number, 2);
    gt_validator_close(&validator);
    gt_validator_close(&validator);
    gt_validator_close(NULL);
    reading_close(&r);
}

/* The caller's structure is larger or smaller than the library's. */
static void test_finding_is_filled_as_far_as_the_caller_has_room(void **state)
{
    struct {
        gt_finding finding;
        uint64_t more;
    } large = {GT_FINDING_INIT, 77};

    gt_finding finding = GT_FINDING_INIT;
    struct reading r = {0};
    gt_validator *validator;
    (void) state;
    begin_metrics(&r);
    assert_status(gt_validator_open(&validator, NULL, NULL), GT_OK);
    repeat(validator, &r, 2);
    finding.size--;
    assert_status(gt_validator_finding(validator, 0, &finding), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(finding.number, 0);
    large.finding.size = sizeof(large);
    assert_status(gt_validator_finding(validator, 0, &large.finding), GT_OK);
    assert_int_equal(large.finding.size, sizeof(large));
    assert_int_equal(large.finding.number, 2);
    assert_int_equal(large.more, 77);
    gt_validator_close(&validator);
    reading_close(&r);
}

static void expect_refused(const gt_validator_options *options)
{
    gt_validator *validator = (gt_validator *) (uintptr_t) 1;
    assert_status(gt_validator_open(&validator, options, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(validator);
}

static void test_bad_options_are_refused(void **state)
{
    struct {
        gt_validator_options options;
        uint64_t more;
    } large = {GT_VALIDATOR_OPTIONS_INIT, 0};

    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    gt_allocator allocator = {.size = sizeof(allocator)};
    gt_validator *validator;
    (void) state;
    options.size--;
    expect_refused(&options);
    options.size++;
    options.flags = GT_VALIDATOR_COARSE_CLOCK << 1;
    expect_refused(&options);
    options.flags = GT_VALIDATOR_COARSE_CLOCK;
    options.reserved = 1;
    expect_refused(&options);
    options.reserved = 0;
    options.allocator = &allocator;
    expect_refused(&options);
    large.options.size = sizeof(large);
    assert_status(gt_validator_open(&validator, &large.options, NULL), GT_OK);
    gt_validator_close(&validator);
    large.more = 1;
    expect_refused(&large.options);
}

/* Each rule has its own text. */
static void test_each_rule_has_its_own_text(void **state)
{
    (void) state;
    assert_string_equal(gt_rule_text(GT_RULE_TIME), "times rise strictly");
    for (uint32_t rule = GT_RULE_TIME; rule <= GT_RULE_GETTER; rule++) {
        assert_string_not_equal(gt_rule_text(rule), "unknown rule");
        for (uint32_t other = GT_RULE_TIME; other < rule; other++)
            assert_string_not_equal(gt_rule_text(rule), gt_rule_text(other));
    }
    assert_string_equal(gt_rule_text(0), "unknown rule");
    assert_string_equal(gt_rule_text(GT_RULE_GETTER + 1), "unknown rule");
    assert_string_equal(gt_rule_text(UINT32_MAX), "unknown rule");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_findings_are_kept_up_to_the_limit),
        cmocka_unit_test(test_finding_describes_its_event),
        cmocka_unit_test(test_callback_gets_every_finding),
        cmocka_unit_test(test_bad_arguments_are_refused),
        cmocka_unit_test(test_finding_is_filled_as_far_as_the_caller_has_room),
        cmocka_unit_test(test_bad_options_are_refused),
        cmocka_unit_test(test_each_rule_has_its_own_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
