/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawings of programs that have nothing to do with Go, and what the emitter refuses of them. */
#include <math.h>
#include <string.h>

#include <gotrace/emitter.h>

#include "support/test.h"
#include "viewer/log.h"

struct fixture {
    struct log log;
    gt_emitter *emitter;
};

static void begin(struct fixture *f)
{
    log_init(&f->log);
    assert_status(gt_emitter_open(&f->emitter, &f->log.consumer, NULL, NULL), GT_OK);
    assert_log(&f->log, "unit ns\n");
}

static void end(struct fixture *f)
{
    gt_emitter_close(&f->emitter);
    assert_null(f->emitter);
}

static void check_fault(const struct fixture *f, const char *expected)
{
    gt_error error = GT_ERROR_INIT;
    assert_status(gt_emitter_error(f->emitter, &error), GT_OK);
    assert_int_equal(error.status, GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, expected);
}

static void test_nothing_is_named_that_is_not_used(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f);
    assert_status(gt_emitter_flush(f.emitter), GT_OK);
    assert_log(&f.log, "flush\n");
    end(&f);
}

/* These can be ids of Linux threads. */
static void test_row_may_have_the_number_of_one_of_go(void **state)
{
    struct fixture f;
    gt_slice slice = GT_SLICE_INIT;
    (void) state;
    begin(&f);
    slice.resource = GT_ROW_GC;
    assert_status(gt_emitter_slice(f.emitter, &slice), GT_OK);
    assert_status(gt_emitter_name_resource(f.emitter, GT_ROW_GC, text_of("worker")), GT_OK);
    assert_status(gt_emitter_flush(f.emitter), GT_OK);
    assert_log(&f.log, "X 0/1000004 @0\n"
                       "!M 0/0 @0 process_name {name=\"\"}\n"
                       "!M 0/0 @0 process_sort_index {sort_index=+2}\n"
                       "!M 0/1000004 @0 thread_name {name=\"worker\"}\n"
                       "!M 0/1000004 @0 thread_sort_index {sort_index=+1000004}\n"
                       "flush\n");
    end(&f);
}

static void test_sections_have_the_names_of_the_caller(void **state)
{
    struct fixture f;
    char name[] = "LOAD";
    (void) state;
    begin(&f);
    assert_status(gt_emitter_name_section(f.emitter, GT_SECTION_STATS, text_of("old")), GT_OK);
    assert_status(gt_emitter_name_section(f.emitter, GT_SECTION_STATS, text_of(name)), GT_OK);
    memset(name, '?', sizeof(name));
    assert_status(gt_emitter_name_section(f.emitter, GT_SECTION_TASKS, text_of("JOBS")), GT_OK);
    assert_status(gt_emitter_name_section(f.emitter, 3, text_of("?")), GT_ERR_INVALID_ARGUMENT);
    check_fault(&f, "there is no such section");
    assert_status(gt_emitter_flush(f.emitter), GT_OK);
    assert_log(&f.log, "!M 1/0 @0 process_name {name=\"LOAD\"}\n"
                       "!M 1/0 @0 process_sort_index {sort_index=+0}\n"
                       "!M 2/0 @0 process_name {name=\"JOBS\"}\n"
                       "!M 2/0 @0 process_sort_index {sort_index=+1}\n"
                       "flush\n");
    end(&f);
}

static void test_counter_has_its_unit_and_values(void **state)
{
    struct fixture f;
    const gt_viewer_argument values[] = {
        {{"a", 1}, GT_VIEWER_DOUBLE, 0, 0, {"", 0}, -0.25},
        {{"b", 1}, GT_VIEWER_UNSIGNED, 0, 7, {"", 0}, 0},
    };
    gt_counter counter = GT_COUNTER_INIT;
    (void) state;
    begin(&f);
    counter.time = 5;
    counter.name = text_of("voltage");
    counter.values = values;
    counter.value_count = 2;
    assert_status(gt_emitter_counter(f.emitter, &counter), GT_OK);
    counter.unit = text_of("V");
    assert_status(gt_emitter_counter(f.emitter, &counter), GT_OK);
    assert_status(gt_emitter_flush(f.emitter), GT_OK);
    assert_log(&f.log, "C 1/0 @5 voltage {a=-0.25,b=7}\n"
                       "C 1/0 @5 voltage (V) {a=-0.25,b=7}\n"
                       "!M 1/0 @0 process_name {name=\"STATS\"}\n"
                       "!M 1/0 @0 process_sort_index {sort_index=+0}\n"
                       "flush\n");
    end(&f);
}

static void test_value_that_json_cannot_express_is_refused(void **state)
{
    static const double bad[] = {INFINITY, -INFINITY, NAN};
    struct fixture f;
    gt_viewer_argument value = {{"a", 1}, GT_VIEWER_DOUBLE, 0, 0, {"", 0}, 0};
    gt_counter counter = GT_COUNTER_INIT;
    (void) state;
    begin(&f);
    assert_status(gt_emitter_counter(f.emitter, &counter), GT_ERR_INVALID_ARGUMENT);
    check_fault(&f, "the counter has no values");
    counter.values = &value;
    counter.value_count = 1;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        value.real = bad[i];
        assert_status(gt_emitter_counter(f.emitter, &counter), GT_ERR_INVALID_ARGUMENT);
        check_fault(&f, "a value of the counter is not valid");
    }
    value.kind = GT_VIEWER_STRING;
    assert_status(gt_emitter_counter(f.emitter, &counter), GT_ERR_INVALID_ARGUMENT);
    check_fault(&f, "a value of the counter is not a number");
    assert_log(&f.log, "");
    end(&f);
}

static void test_error_names_the_member_that_is_wrong(void **state)
{
    struct fixture f;
    gt_error error = GT_ERROR_INIT;
    gt_slice slice = GT_SLICE_INIT;
    (void) state;
    begin(&f);
    assert_status(gt_emitter_error(f.emitter, &error), GT_OK);
    assert_int_equal(error.status, GT_OK);
    slice.duration = -1;
    assert_status(gt_emitter_slice(f.emitter, &slice), GT_ERR_INVALID_ARGUMENT);
    check_fault(&f, "the duration of the slice is negative");
    assert_status(gt_emitter_async_slice(f.emitter, &slice), GT_ERR_INVALID_ARGUMENT);
    slice.duration = 1;
    slice.stack = 1;
    assert_status(gt_emitter_slice(f.emitter, &slice), GT_ERR_INVALID_ARGUMENT);
    check_fault(&f, "the stack of the slice is not one of the emitter's");
    assert_log(&f.log, "");
    assert_status(gt_emitter_error(f.emitter, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_emitter_error(NULL, &error), GT_ERR_INVALID_ARGUMENT);
    end(&f);
}

static void test_event_needs_only_what_the_caller_sets(void **state)
{
    struct fixture f;
    gt_viewer_event event = GT_VIEWER_EVENT_INIT;
    (void) state;
    begin(&f);
    event.name = text_of("own");
    assert_status(gt_emitter_event(f.emitter, &event, 0), GT_OK);
    assert_log(&f.log, "I 0/0 @0 own\n");
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_named_that_is_not_used),
        cmocka_unit_test(test_row_may_have_the_number_of_one_of_go),
        cmocka_unit_test(test_sections_have_the_names_of_the_caller),
        cmocka_unit_test(test_counter_has_its_unit_and_values),
        cmocka_unit_test(test_value_that_json_cannot_express_is_refused),
        cmocka_unit_test(test_error_names_the_member_that_is_wrong),
        cmocka_unit_test(test_event_needs_only_what_the_caller_sets),
    };
    return cmocka_run_group_tests_name("plain", tests, NULL, NULL);
}
