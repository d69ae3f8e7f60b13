/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters: what is counted, which events it leads to, and whether the counts are consistent. */
#include <gotrace/emitter.h>

#include "support/test.h"
#include "viewer/log.h"

struct fixture {
    struct log log;
    gt_emitter *emitter;
};

static void begin(struct fixture *f, int64_t start, int64_t end)
{
    gt_emitter_options options = GT_EMITTER_OPTIONS_INIT;
    log_init(&f->log);
    options.range_start = start;
    options.range_end = end;
    assert_status(gt_emitter_open(&f->emitter, &f->log.consumer, &options, NULL), GT_OK);
    assert_log(&f->log, "unit ns\n");
}

static void end(struct fixture *f)
{
    gt_emitter_close(&f->emitter);
    assert_null(f->emitter);
}

static void test_change_of_goroutine_state_emits_counts(void **state)
{
    struct fixture f;
    static const uint32_t changes[][2] = {
        {GT_COUNTED_DEAD, GT_COUNTED_RUNNABLE},       {GT_COUNTED_RUNNABLE, GT_COUNTED_RUNNABLE},
        {GT_COUNTED_RUNNABLE, GT_COUNTED_RUNNING},    {GT_COUNTED_RUNNING, GT_COUNTED_WAITING_GC},
        {GT_COUNTED_WAITING_GC, GT_COUNTED_RUNNABLE}, {GT_COUNTED_RUNNABLE, GT_COUNTED_WAITING},
        {GT_COUNTED_WAITING, GT_COUNTED_DEAD},
    };
    (void) state;
    /* The last event but one is outside the range, but counts nevertheless. */
    begin(&f, 0, 5);
    for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
        int64_t time = i == 5 ? 6 : i == 6 ? 5 : (int64_t) i;
        assert_status(gt_emitter_count_goroutine(f.emitter, time, changes[i][0], changes[i][1]),
                      GT_OK);
    }
    assert_log(&f.log, "C 1/0 @0 Goroutines {Running=0,Runnable=1,GCWaiting=0}\n"
                       "C 1/0 @2 Goroutines {Running=1,Runnable=0,GCWaiting=0}\n"
                       "C 1/0 @3 Goroutines {Running=0,Runnable=0,GCWaiting=1}\n"
                       "C 1/0 @4 Goroutines {Running=0,Runnable=1,GCWaiting=0}\n"
                       "C 1/0 @5 Goroutines {Running=0,Runnable=0,GCWaiting=0}\n");
    assert_status(gt_emitter_count_goroutine(f.emitter, 0, 5, 0), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_emitter_count_goroutine(f.emitter, 0, 0, 5), GT_ERR_INVALID_ARGUMENT);
    assert_log(&f.log, "");
    assert_int_equal(gt_emitter_is_consistent(f.emitter), 1);
    end(&f);
}

static void test_change_of_thread_count_emits_counts(void **state)
{
    struct fixture f;
    (void) state;
    begin(&f, 0, 5);
    assert_status(gt_emitter_count_threads(f.emitter, 0, GT_COUNTED_THREAD_RUNNING, 2), GT_OK);
    assert_status(gt_emitter_count_threads(f.emitter, 1, GT_COUNTED_IN_SYSCALL, 1), GT_OK);
    assert_status(gt_emitter_count_threads(f.emitter, 2, GT_COUNTED_IN_SYSCALL, 0), GT_OK);
    assert_status(gt_emitter_count_threads(f.emitter, 3, GT_COUNTED_IN_SYSCALL_RUNTIME, 1), GT_OK);
    assert_status(gt_emitter_count_threads(f.emitter, 9, GT_COUNTED_IN_SYSCALL, 1), GT_OK);
    assert_status(gt_emitter_count_threads(f.emitter, 5, GT_COUNTED_THREAD_RUNNING, -3), GT_OK);
    assert_log(&f.log, "C 1/0 @0 Threads {Running=+2,InSyscall=+0}\n"
                       "C 1/0 @1 Threads {Running=+2,InSyscall=+1}\n"
                       "C 1/0 @3 Threads {Running=+2,InSyscall=+1}\n"
                       "C 1/0 @5 Threads {Running=-1,InSyscall=+2}\n");
    assert_int_equal(gt_emitter_is_consistent(f.emitter), 1);
    assert_status(gt_emitter_count_threads(f.emitter, 0, 3, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_emitter_count_threads(f.emitter, 0, 0, INT64_MAX), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_emitter_count_threads(f.emitter, 0, 2, INT64_MIN), GT_ERR_INVALID_ARGUMENT);
    assert_log(&f.log, "");
    end(&f);
}

static void test_change_of_heap_or_goal_emits_both(void **state)
{
    struct fixture f;
    const uint64_t most = UINT64_C(1) << 50;
    (void) state;
    begin(&f, 0, 5);
    assert_status(gt_emitter_heap(f.emitter, 0, 0), GT_OK);
    assert_status(gt_emitter_heap_goal(f.emitter, 0, most + 1), GT_OK);
    assert_log(&f.log, "");
    assert_status(gt_emitter_heap(f.emitter, 0, 100), GT_OK);
    assert_status(gt_emitter_heap(f.emitter, 1, 100), GT_OK);
    assert_status(gt_emitter_heap_goal(f.emitter, 2, 99), GT_OK);
    assert_status(gt_emitter_heap_goal(f.emitter, 3, most), GT_OK);
    assert_status(gt_emitter_heap(f.emitter, 6, 200), GT_OK);
    assert_status(gt_emitter_heap_goal(f.emitter, 5, UINT64_MAX), GT_OK);
    assert_log(&f.log, "C 1/0 @0 Heap {Allocated=100,NextGC=0}\n"
                       "C 1/0 @2 Heap {Allocated=100,NextGC=0}\n"
                       "C 1/0 @3 Heap {Allocated=100,NextGC=1125899906842524}\n"
                       "C 1/0 @5 Heap {Allocated=200,NextGC=0}\n");
    end(&f);
}

/* Some counts cannot fall below zero. The others can, because a trace may begin at any time. */
static void test_count_below_zero_is_inconsistent(void **state)
{
    struct fixture f;
    (void) state;
    for (uint32_t i = 0; i < 8; i++) {
        static const int expected[] = {1, 0, 0, 1, 1, 0, 0, 1};
        begin(&f, INT64_MIN, INT64_MAX);
        assert_int_equal(gt_emitter_is_consistent(f.emitter), 1);
        if (i < 5) {
            gt_emitter_count_goroutine(f.emitter, 0, i, (i + 1) % 5);
            gt_emitter_count_goroutine(f.emitter, 0, (i + 1) % 5, i);
        } else {
            gt_emitter_count_threads(f.emitter, 0, i - 5, -1);
            gt_emitter_count_threads(f.emitter, 0, i - 5, 1);
        }
        assert_int_equal(gt_emitter_is_consistent(f.emitter), expected[i]);
        end(&f);
    }
    assert_int_equal(gt_emitter_is_consistent(NULL), 0);
}

/* Emits one value of a counter, and returns the status and the message. */
static gt_status emit_counter(struct fixture *f, gt_counter counter, uint32_t kind, gt_error *error)
{
    gt_viewer_argument value = {{"value", 5}, kind, 0, 7, {"text", 4}, 0};
    counter.values = &value;
    counter.value_count = 1;
    gt_status status = gt_emitter_counter(f->emitter, &counter);
    assert_status(gt_emitter_error(f->emitter, error), GT_OK);
    return status;
}

static void test_counter_of_the_caller_has_its_unit_in_its_name(void **state)
{
    gt_counter counter = GT_COUNTER_INIT;
    gt_error error = GT_ERROR_INIT;
    struct fixture f;
    (void) state;
    begin(&f, 0, 5);
    counter.name = (gt_string){"heat", 4};
    assert_status(emit_counter(&f, counter, GT_VIEWER_UNSIGNED, &error), GT_OK);
    counter.unit = (gt_string){"K", 1};
    assert_status(emit_counter(&f, counter, GT_VIEWER_SIGNED, &error), GT_OK);
    counter.name = (gt_string){NULL, 0};
    assert_status(emit_counter(&f, counter, GT_VIEWER_UNSIGNED, &error), GT_OK);
    counter.time = 6;
    assert_status(emit_counter(&f, counter, GT_VIEWER_UNSIGNED, &error), GT_OK);
    assert_log(&f.log, "C 1/0 @0 heat {value=7}\n"
                       "C 1/0 @0 heat (K) {value=+7}\n"
                       "C 1/0 @0  (K) {value=7}\n");
    end(&f);
}

static void test_counter_that_is_wrong_is_refused(void **state)
{
    gt_counter counter = GT_COUNTER_INIT;
    gt_error error = GT_ERROR_INIT;
    struct fixture f;
    (void) state;
    begin(&f, 0, 5);
    counter.name = (gt_string){NULL, 4};
    assert_status(emit_counter(&f, counter, GT_VIEWER_UNSIGNED, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "the name of the counter has no data");
    counter.name = (gt_string){"heat", 4};
    counter.unit = (gt_string){NULL, 4};
    assert_status(emit_counter(&f, counter, GT_VIEWER_UNSIGNED, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "the unit of the counter has no data");
    counter.unit.size = 0;
    assert_status(emit_counter(&f, counter, GT_VIEWER_STRING, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "a value of the counter is not a number");
    assert_status(emit_counter(&f, counter, 9, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "a value of the counter is not valid");
    counter.size = 8;
    assert_status(emit_counter(&f, counter, GT_VIEWER_UNSIGNED, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "the size of the counter is wrong");
    counter.size = sizeof(counter);
    assert_status(gt_emitter_counter(f.emitter, &counter), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_emitter_error(f.emitter, &error), GT_OK);
    assert_string_equal(error.message, "the counter has no values");
    assert_log(&f.log, "");
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_change_of_goroutine_state_emits_counts),
        cmocka_unit_test(test_change_of_thread_count_emits_counts),
        cmocka_unit_test(test_change_of_heap_or_goal_emits_both),
        cmocka_unit_test(test_count_below_zero_is_inconsistent),
        cmocka_unit_test(test_counter_of_the_caller_has_its_unit_in_its_name),
        cmocka_unit_test(test_counter_that_is_wrong_is_refused),
    };
    return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
