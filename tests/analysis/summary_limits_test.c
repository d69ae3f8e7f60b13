/* SPDX-License-Identifier: BSD-3-Clause */

/* Summaries without memory, with wrong arguments and with much data; and sums that always hold. */

#include "summing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/probe.h"

/* Writes some of everything that takes memory. */
static void write_all(struct gen *g)
{
    gen_running(g, 5, 0, 1);
    gen_task_begin(g, 8, 7, "task", 0);
    gen_log(g, 8, "category", "message", 0);
    gen_region_begin(g, 8, "outer", GEN_STACK(g, {"main.main", "m.go", 9}));
    gen_stw_begin(g, "GOMAXPROCS", 0);
    gen_bare(g, EV_STW_END);
    GEN_EVENT(g, EV_GC_SWEEP_BEGIN, 0);
    for (uint64_t goroutine = 2; goroutine < 100; goroutine++)
        gen_go_create(g, goroutine, GEN_STACK(g, {"main.work", "m.go", 9}), 0);
    GEN_EVENT(g, EV_GC_SWEEP_END, 0, 0);
    gen_region_begin(g, 8, "inner", 0);
    gen_region_end(g, 8, "inner", 0);
    gen_region_end(g, 8, "outer", 0);
    gen_syscall_begin(g, 0);
    gen_syscall_end(g);
    gen_go_block(g, "sleep", 0);
    for (uint64_t goroutine = 2; goroutine < 50; goroutine++) {
        gen_go_start(g, goroutine);
        gen_log(g, 8, "category", "message", 0);
        gen_go_destroy(g);
    }
    gen_go_unblock(g, 1, 0);
    gen_go_start(g, 1);
    gen_task_end(g, 8, 0);
}

/* Returns the bytes of that trace. */
static void *write_bytes(struct gen *g, size_t *size)
{
    void *bytes;
    summing_begin(g, 26);
    write_all(g);
    gen_end(g);
    *size = g->wire.size;
    bytes = malloc(*size);
    assert_non_null(bytes);
    memcpy(bytes, g->wire.data, *size);
    gen_free(g);
    return bytes;
}

/* Lets each allocation fail, alone or together with all later ones. */
static void fail_each(uint64_t flags)
{
    struct gen g = {0};
    size_t size;
    void *bytes = write_bytes(&g, &size);
    uint64_t at = 1;
    int good = 0;
    for (; !good; at++) {
        struct probe probe;
        gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
        gt_summary *summary = NULL;
        probe_init(&probe);
        probe.fail_at = at;
        probe.fail_on = at % 2 == 0;
        options.allocator = &probe.allocator;
        options.flags = flags;
        good = summing_bytes(&summary, bytes, size, &options);
        assert_int_equal(good, probe.failed == 0);
        if (!good && summary) {
            assert_status(gt_summary_finish(summary), GT_ERR_NO_MEMORY);
            assert_null(gt_summary_find_goroutine(summary, 1));
        }
        gt_summary_close(&summary);
        probe_check(&probe);
    }
    assert_true(at > 20);
    free(bytes);
}

static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void) state;
    fail_each(0);
    fail_each(GT_SUMMARY_DROP);
}

/* The reported peak suffices as a limit, and one byte less does not. */
static void test_memory_limit_is_kept(void **state)
{
    struct gen g = {0};
    size_t size;
    void *bytes = write_bytes(&g, &size);
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    gt_summary_info info = GT_SUMMARY_INFO_INIT;
    gt_summary *summary;
    (void) state;
    assert_true(summing_bytes(&summary, bytes, size, NULL));
    assert_status(gt_summary_get_info(summary, &info), GT_OK);
    assert_int_equal(info.goroutines, 99);
    assert_int_equal(info.tasks, 2);
    /* All of them were created in a region. */
    assert_int_equal(info.regions, 2 + 98);
    assert_int_equal(info.first_time, 1000);
    assert_true(info.memory > 0 && info.memory <= info.memory_peak);
    gt_summary_close(&summary);
    options.memory_limit = info.memory_peak;
    assert_true(summing_bytes(&summary, bytes, size, &options));
    gt_summary_close(&summary);
    options.memory_limit = info.memory_peak - 1;
    assert_false(summing_bytes(&summary, bytes, size, &options));
    assert_status(gt_summary_finish(summary), GT_ERR_LIMIT);
    gt_summary_close(&summary);
    free(bytes);
}

static void test_bad_arguments_are_refused(void **state)
{
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    gt_summary_info info = GT_SUMMARY_INFO_INIT;
    struct reading r = {0};
    gt_summary *summary;
    size_t count = 1;
    (void) state;
    assert_status(gt_summary_open(NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    options.flags = 1 << 1;
    assert_status(gt_summary_open(&summary, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(summary);
    options.flags = 0;
    options.size = 1;
    assert_status(gt_summary_open(&summary, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_summary_open(&summary, NULL, NULL), GT_OK);
    assert_status(gt_summary_event(summary, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(gt_summary_goroutines(summary, &count));
    assert_int_equal(count, 0);
    assert_null(gt_summary_goroutines(NULL, &count));
    assert_null(gt_summary_find_task(NULL, 0));
    assert_status(gt_summary_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_summary_finish(summary), GT_OK);
    assert_status(gt_summary_finish(summary), GT_OK);
    reading_begin(&r);
    reading_open(&r, NULL);
    assert_status(gt_summary_event(NULL, NULL, reading_next(&r, GT_EVENT_SYNC)),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_summary_event(summary, NULL, r.event), GT_ERR_INVALID_ARGUMENT);
    reading_close(&r);
    assert_status(gt_summary_get_info(NULL, &info), GT_ERR_INVALID_ARGUMENT);
    info.size = 8;
    assert_status(gt_summary_get_info(summary, &info), GT_ERR_INVALID_ARGUMENT);
    gt_summary_close(&summary);
    gt_summary_close(&summary);
    gt_summary_close(NULL);
}

/* A callback that uses the summary that called it, which must refuse. */
static void misuse(void *user_data, const gt_goroutine_summary *goroutine)
{
    gt_summary **summary = user_data, *before = *summary;
    (void) goroutine;
    assert_status(gt_summary_finish(*summary), GT_ERR_INVALID_ARGUMENT);
    gt_summary_close(summary);
    assert_ptr_equal(*summary, before);
}

static void test_calls_from_callbacks_are_refused(void **state)
{
    struct gen g = {0};
    size_t size;
    void *bytes = write_bytes(&g, &size);
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    gt_summary *summary;
    (void) state;
    options.on_goroutine = misuse;
    options.user_data = &summary;
    assert_true(summing_bytes(&summary, bytes, size, &options));
    gt_summary_close(&summary);
    assert_null(summary);
    free(bytes);
}

/* With much that comes and goes, what is dropped leaves nothing behind. */
static uint64_t peak_of(unsigned rounds, uint64_t flags)
{
    struct gen g = {0};
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    gt_summary_info info = GT_SUMMARY_INFO_INIT;
    gt_summary *summary;
    options.flags = flags;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    for (unsigned i = 0; i < rounds; i++) {
        gen_task_begin(&g, i + 1, 0, "task", 0);
        gen_region_begin(&g, i + 1, "region", 0);
        gen_go_create(&g, i + 2, GEN_STACK(&g, {"main.work", "m.go", 9}), 0);
        gen_region_end(&g, i + 1, "region", 0);
        gen_go_stop(&g, "preempted", 0);
        gen_go_start(&g, i + 2);
        gen_log(&g, i + 1, "category", "message", 0);
        gen_go_destroy(&g);
        gen_go_start(&g, 1);
        gen_task_end(&g, i + 1, 0);
    }
    summary = summing_read(&g, &options);
    assert_status(gt_summary_get_info(summary, &info), GT_OK);
    assert_int_equal(info.goroutines, rounds + 1);
    gt_summary_close(&summary);
    return info.memory_peak;
}

/* The same with names that do not repeat. */
static uint64_t peak_of_names(unsigned rounds)
{
    struct gen g = {0};
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    gt_summary_info info = GT_SUMMARY_INFO_INIT;
    gt_summary *summary;
    char name[32];
    options.flags = GT_SUMMARY_DROP;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    for (unsigned i = 0; i < rounds; i++) {
        snprintf(name, sizeof(name), "a task with number %08u", i);
        gen_task_begin(&g, i + 1, 0, name, 0);
        gen_region_begin(&g, i + 1, name, 0);
        gen_region_end(&g, i + 1, name, 0);
        gen_task_end(&g, i + 1, 0);
    }
    summary = summing_read(&g, &options);
    assert_status(gt_summary_get_info(summary, &info), GT_OK);
    gt_summary_close(&summary);
    return info.memory_peak;
}

/* Adds up the numbers of goroutines that tasks have. */
static void count_members(void *user_data, const gt_task_summary *task)
{
    assert_int_equal(task->goroutine_count, 3);
    ++*(size_t *) user_data;
}

/* Overlapping tasks, with three goroutines each that come again and again. */
static void test_goroutines_of_overlapping_tasks_are_counted_once(void **state)
{
    enum {
        OPEN = 60,
        TASKS = 600
    };
    struct gen g = {0};
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    gt_summary *summary;
    size_t tasks = 0;
    (void) state;
    options.flags = GT_SUMMARY_DROP;
    options.on_task = count_members;
    options.user_data = &tasks;
    summing_begin(&g, 26);
    gen_running(&g, 5, 0, 1);
    gen_go_create(&g, 2, 0, 0);
    gen_go_create(&g, 3, 0, 0);
    for (uint64_t i = 1; i <= TASKS; i++) {
        gen_task_begin(&g, i, 0, "task", 0);
        for (uint64_t goroutine = 1; goroutine <= 3; goroutine++) {
            for (uint64_t back = 0; back < OPEN && back < i; back += 7)
                gen_log(&g, i - back, "category", "message", 0);
            gen_go_stop(&g, "preempted", 0);
            gen_go_start(&g, goroutine % 3 + 1);
        }
        if (i >= OPEN)
            gen_task_end(&g, i + 1 - OPEN, 0);
    }
    summary = summing_read(&g, &options);
    assert_int_equal(tasks, TASKS);
    gt_summary_close(&summary);
}

/* Strings of a new generation can be at the addresses of older ones. */
static void test_strings_at_the_same_address_are_distinct(void **state)
{
    static const char *const reasons[] = {"reason a", "reason b"};
    static uint8_t bytes[4096];
    gt_summary *summary;
    const gt_goroutine_summary *const *all;
    const gt_event *event;
    size_t count;
    (void) state;
    assert_status(gt_summary_open(&summary, NULL, NULL), GT_OK);
    for (size_t i = 0; i < 2; i++) {
        struct gen g = {0};
        gt_reader *reader;
        summing_begin(&g, 26);
        gen_running(&g, 5, 0, 1);
        gen_go_block(&g, reasons[i], 0);
        gen_go_unblock(&g, 1, 0);
        gen_end(&g);
        assert_true(g.wire.size < sizeof(bytes));
        memcpy(bytes, g.wire.data, g.wire.size);
        assert_status(gt_reader_open_memory(&reader, bytes, g.wire.size, NULL, NULL), GT_OK);
        while (gt_reader_next_event(reader, &event) == GT_OK)
            assert_status(gt_summary_event(summary, reader, event), GT_OK);
        gt_reader_close(&reader);
        gen_free(&g);
    }
    assert_status(gt_summary_finish(summary), GT_OK);
    all = gt_summary_goroutines(summary, &count);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_named(all[i]->times->blocks, all[i]->times->block_count, 1, reasons[i], 10);
    gt_summary_close(&summary);
}

static void test_dropped_goroutines_take_no_memory(void **state)
{
    (void) state;
    assert_true(peak_of_names(8000) < peak_of_names(4000) + 1024);
    assert_int_equal(peak_of(1000, GT_SUMMARY_DROP), peak_of(100, GT_SUMMARY_DROP));
    assert_true(peak_of(1000, 0) > 5 * peak_of(100, 0));
}

static int64_t sum_of(const gt_summary_times *times)
{
    return times->execution + times->sched_wait + times->syscall + times->syscall_block +
           times->block + times->unknown;
}

/*
 * Returns whether the parts add up, except for system calls that are blocked when the times are
 * taken.
 */
static void check_times(const gt_summary_times *times, int64_t *beyond)
{
    int64_t over = sum_of(times) - times->total;
    assert_true(over >= 0);
    assert_true(over <= times->syscall);
    *beyond += over > 0;
}

static void check_file(const char *path, size_t *goroutines, int64_t *beyond)
{
    size_t size, count;
    uint8_t *bytes = files_read(path, &size);
    gt_reader *reader;
    gt_summary *summary;
    const gt_event *event;
    const gt_goroutine_summary *const *all;
    assert_status(gt_reader_open_memory(&reader, bytes, size, NULL, NULL), GT_OK);
    assert_status(gt_summary_open(&summary, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_summary_event(summary, reader, event), GT_OK);
    gt_reader_close(&reader);
    assert_status(gt_summary_finish(summary), GT_OK);
    all = gt_summary_goroutines(summary, &count);
    for (size_t i = 0; i < count; i++) {
        check_times(all[i]->times, beyond);
        for (size_t j = 0; j < all[i]->region_count; j++)
            check_times(all[i]->regions[j]->times, beyond);
    }
    *goroutines += count;
    gt_summary_close(&summary);
    free(bytes);
}

static void test_times_add_up_in_recorded_traces(void **state)
{
    static const char *const folders[] = {"v1", "v2"};
    size_t goroutines = 0;
    int64_t beyond = 0;
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        struct file_list list = {NULL, 0};
        char *folder = files_join(files_testdata(), folders[i]);
        files_list(&list, folder, "", ".trace");
        for (size_t j = 0; j < list.count; j++) {
            char *path = files_join(folder, list.names[j]);
            check_file(path, &goroutines, &beyond);
            free(path);
        }
        files_list_free(&list);
        free(folder);
    }
    assert_true(goroutines > 1000);
    assert_true(beyond * 50 < (int64_t) goroutines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_memory_limit_is_kept),
        cmocka_unit_test(test_bad_arguments_are_refused),
        cmocka_unit_test(test_calls_from_callbacks_are_refused),
        cmocka_unit_test(test_goroutines_of_overlapping_tasks_are_counted_once),
        cmocka_unit_test(test_strings_at_the_same_address_are_distinct),
        cmocka_unit_test(test_dropped_goroutines_take_no_memory),
        cmocka_unit_test(test_times_add_up_in_recorded_traces),
    };
    return cmocka_run_group_tests_name("summary_limits", tests, NULL, NULL);
}
