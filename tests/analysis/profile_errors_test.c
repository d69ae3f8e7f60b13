/* SPDX-License-Identifier: BSD-3-Clause */

/* Profiles without memory, at the memory limit, and with wrong arguments. */

#include <stdlib.h>
#include <string.h>

#include "profiling.h"
#include "support/probe.h"
#include "support/sample.h"

static const char group_name[] = "main.main";

/* Options for profiles that each hold other data. */
static gt_profile_options way(unsigned number)
{
    gt_profile_options options = profiling_options();
    if (number == 1)
        options.goroutine = (gt_string){group_name, strlen(group_name)};
    if (number == 2) {
        options.flags = GT_PROFILE_REGIONS;
        options.region_type = (gt_string){"region", 6};
        options.latency_min = 1;
    }
    if (number == 3)
        options.flags = GT_PROFILE_REGIONS;
    return options;
}

enum {
    WAYS = 4
};

/* Drops what it is given. */
static int drop(void *user_data, const void *data, size_t size)
{
    (void) user_data;
    (void) data;
    (void) size;
    return 0;
}

/* Opens, feeds, finishes and writes a profile as far as possible; returns the first failure. */
static gt_status run(gt_reader *reader, const gt_profile_options *options)
{
    gt_profile *profile;
    const gt_event *event;
    gt_status status = gt_profile_open(&profile, options, NULL);
    if (status != GT_OK) {
        assert_null(profile);
        return status;
    }
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK) {
        status = gt_profile_event(profile, reader, event);
        if (status != GT_OK) {
            assert_status(gt_profile_event(profile, reader, event), status);
            assert_status(gt_profile_finish(profile), status);
        }
    }
    if (status == GT_OK)
        status = gt_profile_finish(profile);
    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL && status == GT_OK; kind++)
        status = gt_profile_write_pprof(profile, kind, drop, NULL);
    gt_profile_close(&profile);
    assert_null(profile);
    return status;
}

static gt_status run_sample(unsigned version, const gt_profile_options *options)
{
    struct reading reading = {0};
    gt_status status;
    sample_trace(&reading.wire, version, 2, 300);
    reading_open(&reading, NULL);
    status = run(reading.reader, options);
    reading_close(&reading);
    return status;
}

/* Lets each allocation fail, alone or together with all later ones. */
static void test_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void) state;
    for (unsigned number = 0; number < WAYS; number++) {
        gt_status status = GT_ERR_NO_MEMORY;
        uint64_t at;
        for (at = 1; status != GT_OK; at++) {
            gt_profile_options options = way(number);
            struct probe probe;
            probe_init(&probe);
            probe.fail_at = at;
            probe.fail_on = at % 2 == 0;
            options.allocator = &probe.allocator;
            status = run_sample(26, &options);
            if (probe.failed > 0)
                assert_status(status, GT_ERR_NO_MEMORY);
            probe_check(&probe);
        }
        assert_true(at > 10);
    }
}

static void test_memory_limit_is_kept(void **state)
{
    (void) state;
    for (unsigned number = 0; number < WAYS; number++) {
        gt_status status = GT_ERR_LIMIT;
        uint64_t limit;
        for (limit = 1; status != GT_OK; limit += limit / 8 + 1) {
            gt_profile_options options = way(number);
            struct probe probe;
            probe_init(&probe);
            options.allocator = &probe.allocator;
            options.memory_limit = limit;
            status = run_sample(26, &options);
            if (status != GT_OK)
                assert_status(status, GT_ERR_LIMIT);
            probe_check(&probe);
            assert_true(probe.peak_bytes <= limit);
        }
        assert_true(limit > 1024);
    }
}

/* The highest amount of memory that a profile of such a trace takes. */
static uint64_t sample_peak(unsigned version, unsigned generations, unsigned events)
{
    struct reading reading = {0};
    gt_profile_options options = profiling_options();
    gt_profile_info info = GT_PROFILE_INFO_INIT;
    sample_trace(&reading.wire, version, generations, events);
    reading_open(&reading, NULL);
    gt_profile *profile = profiling_read(&reading, &options);
    assert_status(gt_profile_get_info(profile, &info), GT_OK);
    assert_true(info.memory <= info.memory_peak && info.memory > 0);
    gt_profile_close(&profile);
    reading_close(&reading);
    return info.memory_peak;
}

/* Memory depends on the numbers of stacks and goroutines, not on that of events. */
static void test_memory_does_not_grow_with_events(void **state)
{
    (void) state;
    assert_true(sample_peak(26, 400, 1000) <= sample_peak(26, 4, 1000) + 64 * 1024);
}

/* What was counted for goroutines that ended is kept until the second generation. */
static void test_memory_of_the_first_generation_is_bounded(void **state)
{
    uint64_t few = sample_peak(26, 2, 1000), many = sample_peak(26, 2, 100000);
    (void) state;
    assert_true(many > few && many <= few + 16 * 100000);
}

/* After all stacks and goroutines were met, nothing is allocated. */
static void test_known_stacks_need_no_allocation(void **state)
{
    struct gen g = {0};
    struct reading reading = {0};
    struct probe probe;
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    const gt_event *event;
    uint64_t calls = 0, i;
    (void) state;
    gen_begin(&g, 26);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    for (i = 0; i < 1000; i++) {
        gen_syscall_begin(&g, GEN_STACK(&g, {"main.read", "main.go", 1}));
        gen_syscall_end(&g);
    }
    gen_read(&g, &reading);
    probe_init(&probe);
    options.allocator = &probe.allocator;
    assert_status(gt_profile_open(&profile, &options, NULL), GT_OK);
    for (i = 0; gt_reader_next_event(reading.reader, &event) == GT_OK; i++) {
        assert_status(gt_profile_event(profile, reading.reader, event), GT_OK);
        if (i == 20)
            calls = probe.calls;
    }
    assert_true(i > 2000);
    assert_int_equal(probe.calls, calls);
    gt_profile_close(&profile);
    reading_close(&reading);
    probe_check(&probe);
}

static void refuse(const gt_profile_options *options)
{
    gt_profile *profile = (gt_profile *) (uintptr_t) 1;
    assert_status(gt_profile_open(&profile, options, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(profile);
}

static void test_bad_options_are_refused(void **state)
{
    gt_profile_options options = profiling_options();
    gt_allocator allocator = {sizeof(allocator), NULL, NULL, NULL, NULL};
    (void) state;
    assert_status(gt_profile_open(NULL, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    refuse(NULL);
    options.size--;
    refuse(&options);
    options = profiling_options();
    options.flags = 1 << 2;
    refuse(&options);
    options = profiling_options();
    options.kinds = 0;
    refuse(&options);
    options.kinds = GT_PROFILE_BIT(0);
    refuse(&options);
    options.kinds = GT_PROFILE_BIT(GT_PROFILE_WALL + 1);
    refuse(&options);
    options = profiling_options();
    options.goroutine.size = 1;
    refuse(&options);
    options = profiling_options();
    options.allocator = &allocator;
    refuse(&options);
}

/* Feeds a new profile of all time with all events of a trace, and with invalid ones. */
static gt_profile *feed(void)
{
    struct reading reading = {0};
    gt_profile_options options = GT_PROFILE_OPTIONS_INIT;
    gt_profile *profile;
    const gt_event *event;
    sample_trace(&reading.wire, 26, 1, 100);
    reading_open(&reading, NULL);
    assert_status(gt_reader_next_event(reading.reader, &event), GT_OK);
    options.kinds = GT_PROFILE_BIT(GT_PROFILE_WALL);
    assert_status(gt_profile_open(&profile, &options, NULL), GT_OK);
    assert_status(gt_profile_event(NULL, reading.reader, event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_event(profile, NULL, event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_event(profile, reading.reader, NULL), GT_ERR_INVALID_ARGUMENT);
    do
        assert_status(gt_profile_event(profile, reading.reader, event), GT_OK);
    while (gt_reader_next_event(reading.reader, &event) == GT_OK);
    reading_close(&reading);
    return profile;
}

static void test_samples_are_there_after_the_finish_only(void **state)
{
    gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;
    gt_profile *profile = feed();
    (void) state;
    assert_int_equal(gt_profile_count(profile, GT_PROFILE_WALL), 0);
    assert_status(gt_profile_get_sample(profile, GT_PROFILE_WALL, 0, &sample),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_write_pprof(profile, GT_PROFILE_WALL, drop, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_finish(profile), GT_OK);
    assert_status(gt_profile_finish(profile), GT_ERR_INVALID_ARGUMENT);
    gt_profile_close(&profile);
}

static void test_bad_arguments_are_refused(void **state)
{
    gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;
    gt_profile_info info = GT_PROFILE_INFO_INIT;
    gt_profile *profile = feed();
    (void) state;
    assert_status(gt_profile_finish(profile), GT_OK);
    assert_true(gt_profile_count(profile, GT_PROFILE_WALL) > 0);
    assert_int_equal(gt_profile_count(NULL, GT_PROFILE_WALL), 0);
    assert_int_equal(gt_profile_count(profile, GT_PROFILE_SCHED), 0);
    assert_int_equal(gt_profile_count(profile, 0), 0);
    assert_int_equal(gt_profile_count(profile, UINT32_MAX), 0);
    assert_status(gt_profile_get_sample(profile, GT_PROFILE_WALL, 0, &sample), GT_OK);
    assert_status(gt_profile_get_sample(profile, GT_PROFILE_WALL,
                                        gt_profile_count(profile, GT_PROFILE_WALL), &sample),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_get_sample(NULL, GT_PROFILE_WALL, 0, &sample),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_get_sample(profile, GT_PROFILE_WALL, 0, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    sample.size--;
    assert_status(gt_profile_get_sample(profile, GT_PROFILE_WALL, 0, &sample),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_get_info(NULL, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_get_info(profile, NULL), GT_ERR_INVALID_ARGUMENT);
    info.size--;
    assert_status(gt_profile_get_info(profile, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_write_pprof(NULL, GT_PROFILE_WALL, drop, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_write_pprof(profile, GT_PROFILE_WALL, NULL, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_write_pprof(profile, GT_PROFILE_NET, drop, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_write_pprof(profile, UINT32_MAX, drop, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_write_pprof(profile, GT_PROFILE_WALL, drop, NULL), GT_OK);
    gt_profile_close(&profile);
    gt_profile_close(&profile);
    gt_profile_close(NULL);
}

static void test_each_kind_has_a_name(void **state)
{
    static const char *const names[] = {
        "bad", "net", "sync", "syscall", "sched", "cpu", "offcpu", "wall", "bad",
    };
    (void) state;
    for (uint32_t kind = 0; kind < sizeof(names) / sizeof(*names); kind++)
        assert_string_equal(gt_profile_kind_name(kind), names[kind]);
    assert_string_equal(gt_profile_kind_name(UINT32_MAX), "bad");
}

/* Uses a profile from the function that it calls. */
struct intruder {
    gt_profile *profile;
    gt_status status;
};

static int intrude(void *user_data, const void *data, size_t size)
{
    struct intruder *intruder = user_data;
    gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;
    (void) data;
    (void) size;
    intruder->status = gt_profile_get_sample(intruder->profile, GT_PROFILE_WALL, 0, &sample);
    gt_profile_close(&intruder->profile);
    assert_non_null(intruder->profile);
    return 0;
}

static void test_calls_from_the_write_function_are_refused(void **state)
{
    struct reading reading = {0};
    gt_profile_options options = profiling_options();
    struct intruder intruder = {NULL, GT_OK};
    (void) state;
    sample_trace(&reading.wire, 26, 1, 100);
    reading_open(&reading, NULL);
    intruder.profile = profiling_read(&reading, &options);
    assert_status(gt_profile_write_pprof(intruder.profile, GT_PROFILE_WALL, intrude, &intruder),
                  GT_OK);
    assert_status(intruder.status, GT_ERR_INVALID_ARGUMENT);
    gt_profile_close(&intruder.profile);
    reading_close(&reading);
}

/* A trace without events is no error. */
static void test_profile_without_events_is_empty(void **state)
{
    gt_profile_options options = profiling_options();
    gt_profile *profile;
    (void) state;
    assert_status(gt_profile_open(&profile, &options, NULL), GT_OK);
    assert_status(gt_profile_finish(profile), GT_OK);
    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL; kind++) {
        assert_int_equal(gt_profile_count(profile, kind), 0);
        assert_status(gt_profile_write_pprof(profile, kind, drop, NULL), GT_OK);
    }
    gt_profile_close(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(test_memory_limit_is_kept),
        cmocka_unit_test(test_memory_does_not_grow_with_events),
        cmocka_unit_test(test_memory_of_the_first_generation_is_bounded),
        cmocka_unit_test(test_known_stacks_need_no_allocation),
        cmocka_unit_test(test_bad_options_are_refused),
        cmocka_unit_test(test_samples_are_there_after_the_finish_only),
        cmocka_unit_test(test_bad_arguments_are_refused),
        cmocka_unit_test(test_each_kind_has_a_name),
        cmocka_unit_test(test_calls_from_the_write_function_are_refused),
        cmocka_unit_test(test_profile_without_events_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
