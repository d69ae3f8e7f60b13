/* SPDX-License-Identifier: BSD-3-Clause */

/* A violation of each other rule is found once, at its event, and nothing else is found. */

#include <string.h>

#include "plant.h"
#include "support/test.h"

/* An event is earlier than the one before it. */
static void test_earlier_time_is_found(void **state)
{
    struct plant p = {0};
    (void) state;
    plant_begin_running(&p);
    WIRE_EVENT(&p.first.wire, EV_HEAP_ALLOC, 1, 1);
    WIRE_EVENT(&p.first.wire, EV_HEAP_ALLOC, 1, 2);
    WIRE_EVENT(&p.second.wire, EV_HEAP_ALLOC, 1, 3);
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, PLANT_RUNNING_EVENTS);
    reading_skip(&p.second, PLANT_RUNNING_EVENTS);
    plant_feed(&p, &p.second, 1);
    plant_feed(&p, &p.first, 1);
    plant_expect(&p, GT_RULE_TIME);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

/* An event has the same time as the one before it. */
static void test_equal_time_is_found(void **state)
{
    struct plant p = {0};
    (void) state;
    plant_begin_running(&p);
    WIRE_EVENT(&p.first.wire, EV_HEAP_ALLOC, 1, 1);
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, PLANT_RUNNING_EVENTS + 1);
    assert_status(gt_validator_event(p.validator, p.first.reader, p.first.event), GT_OK);
    p.fed++;
    plant_expect(&p, GT_RULE_TIME);
    plant_close(&p);
}

/* A label without a text, and a label of a goroutine whose status was missed. */
static void test_empty_label_is_found(void **state)
{
    struct plant p = {0};
    (void) state;
    reading_begin_running(&p.first);
    WIRE_EVENT(&p.first.wire, EV_GO_LABEL, 1, 1);
    WIRE_EVENT(&p.first.wire, EV_GO_LABEL, 1, 0);
    plant_strings(&p.first.wire);
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, PLANT_RUNNING_EVENTS + 2);
    assert_string_equal(plant_expect(&p, GT_RULE_LABEL), "label is empty");
    plant_close(&p);
}

static void test_label_of_unknown_goroutine_is_found(void **state)
{
    struct plant p = {0};
    (void) state;
    reading_begin_running(&p.first);
    WIRE_EVENT(&p.first.wire, EV_GO_LABEL, 1, 1);
    WIRE_EVENT(&p.first.wire, EV_GO_LABEL, 1, 1);
    WIRE_EVENT(&p.first.wire, EV_GO_STOP, 1, 1, 0);
    WIRE_EVENT(&p.first.wire, EV_GO_START, 1, 1, 1);
    plant_strings(&p.first.wire);
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, 2);
    reading_skip(&p.first, 1);
    plant_feed(&p, &p.first, 1);
    assert_string_equal(plant_expect(&p, GT_RULE_LABEL),
                        "label 'main.f' is for Goroutine 1, which is not known");
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

/* A goroutine that exists from the start appears only in the second generation. */
static void test_late_undetermined_goroutine_is_found(void **state)
{
    struct plant p = {0};
    (void) state;
    plant_begin(&p);
    WIRE_EVENT(&p.first.wire, EV_PROC_STATUS, 1, 0, PROC_IDLE);
    plant_generation(&p.first.wire, 2);
    WIRE_EVENT(&p.second.wire, EV_GO_STATUS, 1, 9, WIRE_NONE, GO_WAITING);
    wire_running(&p.second.wire, 5, 1, 2);
    WIRE_EVENT(&p.second.wire, EV_GO_UNBLOCK, 1, 9, 1, 0);
    WIRE_EVENT(&p.second.wire, EV_GO_STOP, 1, 0, 0);
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, 4);
    reading_skip(&p.second, 1);
    plant_feed(&p, &p.second, 1);
    assert_string_equal(plant_expect(&p, GT_RULE_UNDETERMINED),
                        "goroutine 9 is undetermined after the first generation");
    plant_feed(&p, &p.second, 1);
    assert_string_equal(plant_expect(&p, GT_RULE_UNDETERMINED),
                        "proc 1 is undetermined after the first generation");
    plant_feed(&p, &p.second, 1);
    plant_expect(&p, GT_RULE_UNDETERMINED);
    plant_feed(&p, &p.second, 2);
    plant_close(&p);
}

/* A generation without events of its own does not tell what exists. */
static void test_empty_generation_is_fine(void **state)
{
    struct plant p = {0};
    (void) state;
    reading_begin(&p.first);
    wire_samples(&p.first.wire, 1);
    wire_sample(&p.first.wire, 20, 5, 0, 1, 0);
    plant_generation(&p.first.wire, 2);
    plant_open(&p, NULL);
    plant_feed_rest(&p, &p.first);
    assert_int_equal(p.fed, 5);
    plant_close(&p);
}

/* Goroutine 2 waits, is woken, and runs instead of goroutine 1. */
static void begin_handover(struct plant *plant)
{
    struct wire *wire = &plant->first.wire;
    reading_begin_running(&plant->first);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 2, WIRE_NONE, GO_WAITING);
    WIRE_EVENT(wire, EV_GO_UNBLOCK, 1, 2, 1, 0);
    WIRE_EVENT(wire, EV_GO_STOP, 1, 0, 0);
    WIRE_EVENT(wire, EV_GO_START, 1, 2, 2);
    WIRE_EVENT(wire, EV_GO_BLOCK, 1, 0, 0);
    WIRE_EVENT(wire, EV_GO_START, 1, 1, 1);
    WIRE_EVENT(wire, EV_PROC_STOP, 1);
    WIRE_EVENT(wire, EV_PROC_START, 1, 0, 1);
    plant_open(plant, NULL);
}

/* The event at `missing` is left out, and the one at `at` reveals that. */
static void check_missing(unsigned missing, unsigned at, gt_rule rule, const char *message)
{
    struct plant p = {0};
    begin_handover(&p);
    plant_feed(&p, &p.first, missing - 1);
    reading_skip(&p.first, 1);
    plant_feed(&p, &p.first, at - missing);
    assert_string_equal(plant_expect(&p, rule), message);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

static void test_missing_transition_is_found(void **state)
{
    struct plant p = {0};
    (void) state;
    begin_handover(&p);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
    check_missing(4, 5, GT_RULE_FIRST_STATE,
                  "goroutine 2 leaves the state Waiting but is not known");
    check_missing(5, 7, GT_RULE_OLD_STATE,
                  "goroutine 2 leaves the state Runnable but is in Waiting");
    check_missing(6, 7, GT_RULE_THREAD_TAKEN,
                  "goroutine 2 runs on thread 5, where goroutine 1 does");
    check_missing(7, 8, GT_RULE_OLD_STATE,
                  "goroutine 2 leaves the state Running but is in Runnable");
    check_missing(10, 11, GT_RULE_OLD_STATE, "proc 0 leaves the state Idle but is in Running");
}

/* Goroutine 1 runs on thread 5 in one trace, and on thread 6 in the other. */
static void begin_threads(struct plant *plant)
{
    reading_begin_running(&plant->first);
    wire_begin(&plant->second.wire, 23);
    wire_sync(&plant->second.wire, 1, 5000, WIRE_NANOSECONDS);
    wire_batch(&plant->second.wire, 1, 6, 5001);
    wire_running(&plant->second.wire, 6, 1, 1);
}

static void test_goroutine_on_two_threads_is_found(void **state)
{
    struct plant p = {0};
    (void) state;
    begin_threads(&p);
    WIRE_EVENT(&p.second.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 0);
    WIRE_EVENT(&p.second.wire, EV_GO_SYSCALL_END, 1);
    WIRE_EVENT(&p.second.wire, EV_GO_BLOCK, 1, 0, 0);
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, PLANT_RUNNING_EVENTS);
    reading_skip(&p.second, PLANT_RUNNING_EVENTS);
    plant_feed(&p, &p.second, 1);
    assert_string_equal(plant_expect(&p, GT_RULE_THREAD_TAKEN),
                        "goroutine 1 runs on thread 6 and also on thread 5");
    plant_feed(&p, &p.second, 2);
    plant_close(&p);
}

static void test_stop_on_another_thread_is_found(void **state)
{
    struct plant p = {0};
    (void) state;
    begin_threads(&p);
    WIRE_EVENT(&p.second.wire, EV_GO_BLOCK, 1, 0, 0);
    WIRE_EVENT(&p.second.wire, EV_GO_UNBLOCK, 1, 1, 1, 0);
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, PLANT_RUNNING_EVENTS);
    reading_skip(&p.second, PLANT_RUNNING_EVENTS);
    plant_feed(&p, &p.second, 1);
    assert_string_equal(plant_expect(&p, GT_RULE_NOT_RUNNING),
                        "goroutine 1 stops on thread 6 but runs on thread 5");
    plant_feed(&p, &p.second, 1);
    plant_close(&p);
}

/* Another thread may take the proc from a thread in a system call. */
static void test_stolen_proc_is_fine(void **state)
{
    struct plant p = {0};
    struct wire *wire = &p.first.wire;
    (void) state;
    reading_begin_running(&p.first);
    WIRE_EVENT(wire, EV_GO_SYSCALL_BEGIN, 1, 1, 0);
    wire_batch(wire, 1, 6, 50);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 1, PROC_RUNNING);
    WIRE_EVENT(wire, EV_PROC_STEAL, 1, 0, 2, 5);
    WIRE_EVENT(wire, EV_PROC_STOP, 1);
    WIRE_EVENT(wire, EV_PROC_START, 1, 0, 3);
    plant_open(&p, NULL);
    plant_feed_rest(&p, &p.first);
    assert_int_equal(p.fed, 9);
    plant_close(&p);
}

/* Goroutine 1 has two ranges, one after the other, and ends. */
static void begin_ranges(struct plant *plant)
{
    struct wire *wire = &plant->first.wire;
    reading_begin_running(&plant->first);
    WIRE_EVENT(wire, EV_GC_MARK_ASSIST_BEGIN, 1, 0);
    WIRE_EVENT(wire, EV_STW_BEGIN, 1, 1, 0);
    WIRE_EVENT(wire, EV_STW_END, 1);
    WIRE_EVENT(wire, EV_GC_MARK_ASSIST_END, 1);
    WIRE_EVENT(wire, EV_GC_MARK_ASSIST_BEGIN, 1, 0);
    WIRE_EVENT(wire, EV_GC_MARK_ASSIST_END, 1);
    WIRE_EVENT(wire, EV_GC_BEGIN, 1, 1, 0);
    WIRE_EVENT(wire, EV_GC_END, 1, 2);
    WIRE_EVENT(wire, EV_GO_DESTROY, 1);
    plant_strings(wire);
    plant_open(plant, NULL);
}

static void check_missing_range(unsigned missing, unsigned at, gt_rule rule, const char *message)
{
    struct plant p = {0};
    begin_ranges(&p);
    plant_feed(&p, &p.first, missing - 1);
    reading_skip(&p.first, 1);
    plant_feed(&p, &p.first, at - missing);
    assert_string_equal(plant_expect(&p, rule), message);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

static void test_missing_begin_or_end_of_a_range_is_found(void **state)
{
    struct plant p = {0};
    (void) state;
    begin_ranges(&p);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
    check_missing_range(4, 7, GT_RULE_RANGE_END,
                        "range 'GC mark assist' of Goroutine 1 ends but is not open");
    check_missing_range(5, 6, GT_RULE_RANGE_END,
                        "range 'stop-the-world (main.f)' of Goroutine 1 ends but is not open");
    check_missing_range(6, 12, GT_RULE_OPEN_RANGE,
                        "goroutine 1 ceases to exist while a range of its is open");
    check_missing_range(7, 8, GT_RULE_RANGE_BEGIN,
                        "range 'GC mark assist' of Goroutine 1 begins but is open already");
    check_missing_range(10, 11, GT_RULE_RANGE_END,
                        "range 'GC concurrent mark phase' ends but is not open");
}

/* Ranges with different causes are different ranges. */
static void test_ranges_of_other_causes_are_distinct(void **state)
{
    struct plant p = {0};
    struct wire *wire = &p.first.wire;
    (void) state;
    reading_begin_running(&p.first);
    WIRE_EVENT(wire, EV_STW_BEGIN, 1, 1, 0);
    WIRE_EVENT(wire, EV_STW_END, 1);
    WIRE_EVENT(wire, EV_STW_BEGIN, 1, 2, 0);
    WIRE_EVENT(wire, EV_STW_END, 1);
    plant_strings(wire);
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, PLANT_RUNNING_EVENTS + 1);
    reading_skip(&p.first, 1);
    plant_feed(&p, &p.first, 2);
    plant_close(&p);
}

/* A later generation reports a range that is open, or the range proves to be open. */
static void test_active_range_may_be_repeated(void **state)
{
    struct plant p = {0};
    struct wire *wire = &p.first.wire;
    (void) state;
    reading_begin_running(&p.first);
    WIRE_EVENT(wire, EV_GC_ACTIVE, 1, 1);
    wire_sync(wire, 2, 100, WIRE_NANOSECONDS);
    wire_batch(wire, 2, 5, 101);
    wire_running(wire, 5, 0, 1);
    WIRE_EVENT(wire, EV_GC_ACTIVE, 1, 2);
    WIRE_EVENT(wire, EV_GC_END, 1, 3);
    plant_open(&p, NULL);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

/* Task 7 begins and ends twice, with two types. */
static void begin_tasks(struct plant *plant, const char *first, const char *second)
{
    struct wire *wire = &plant->first.wire;
    reading_begin_running(&plant->first);
    WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, 7, 3, 1, 0);
    WIRE_EVENT(wire, EV_USER_TASK_END, 1, 7, 0);
    WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, 7, 3, 2, 0);
    WIRE_EVENT(wire, EV_USER_TASK_END, 1, 7, 0);
    WIRE_EVENT(wire, EV_USER_TASK_END, 1, 7, 0);
    wire_strings(wire, 1);
    wire_string(wire, 1, first);
    wire_string(wire, 2, second);
    plant_open(plant, NULL);
}

static void test_id_of_open_task_is_found(void **state)
{
    struct plant p = {0};
    (void) state;
    begin_tasks(&p, "one", "two");
    plant_feed(&p, &p.first, PLANT_RUNNING_EVENTS + 1);
    reading_skip(&p.first, 1);
    plant_feed(&p, &p.first, 1);
    assert_string_equal(plant_expect(&p, GT_RULE_TASK_ID),
                        "task 7 ('two') has the id of an open task");
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

static void check_task_type(const char *first, const char *second, const char *message)
{
    struct plant p = {0};
    begin_tasks(&p, first, second);
    plant_feed(&p, &p.first, PLANT_RUNNING_EVENTS + 1);
    reading_skip(&p.first, 2);
    plant_feed(&p, &p.first, 1);
    assert_string_equal(plant_expect(&p, GT_RULE_TASK_TYPE), message);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

/* Types can be of any length and contain any bytes. */
static void test_other_type_at_the_end_is_found(void **state)
{
    char long_one[200], long_other[200];
    (void) state;
    check_task_type("one", "two", "task 7 began as 'one' and ends as 'two'");
    check_task_type("one", "", "task 7 began as 'one' and ends as ''");
    check_task_type("a\nb", "a'b\x01", "task 7 began as 'a\\nb' and ends as 'a'b\\x01'");
    memset(long_one, 'x', sizeof(long_one));
    long_one[sizeof(long_one) - 1] = '\0';
    memcpy(long_other, long_one, sizeof(long_one));
    long_other[sizeof(long_one) - 2] = 'y';
    check_task_type(long_one, long_other,
                    "task 7 began as 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' and ends "
                    "as 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'");
    check_task_type(long_one, "y",
                    "task 7 began as 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' and ends "
                    "as 'y'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_earlier_time_is_found),
        cmocka_unit_test(test_equal_time_is_found),
        cmocka_unit_test(test_empty_label_is_found),
        cmocka_unit_test(test_label_of_unknown_goroutine_is_found),
        cmocka_unit_test(test_late_undetermined_goroutine_is_found),
        cmocka_unit_test(test_empty_generation_is_fine),
        cmocka_unit_test(test_missing_transition_is_found),
        cmocka_unit_test(test_goroutine_on_two_threads_is_found),
        cmocka_unit_test(test_stop_on_another_thread_is_found),
        cmocka_unit_test(test_stolen_proc_is_fine),
        cmocka_unit_test(test_missing_begin_or_end_of_a_range_is_found),
        cmocka_unit_test(test_ranges_of_other_causes_are_distinct),
        cmocka_unit_test(test_active_range_may_be_repeated),
        cmocka_unit_test(test_id_of_open_task_is_found),
        cmocka_unit_test(test_other_type_at_the_end_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
