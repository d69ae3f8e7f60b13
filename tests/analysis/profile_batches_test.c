/* SPDX-License-Identifier: BSD-3-Clause */

/* Profiles that are given many events with a call. */

#include <stdlib.h>

#include "profiling.h"
#include "support/sample.h"

enum {
    BATCH = 32, /* more events than a reader gives with a call */
    EVENTS = 2000
};

static void open_sample(struct reading *reading, unsigned version)
{
    sample_trace(&reading->wire, version, 3, EVENTS);
    reading_open(reading, NULL);
}

/* Feeds the trace to a profile: `parts` calls for each call of the reader. */
static gt_profile *read_batches(struct reading *reading, size_t parts)
{
    const gt_profile_options options = profiling_options();
    const gt_event *const *events;
    gt_profile *profile;
    size_t count;
    assert_status(gt_profile_open(&profile, &options, NULL), GT_OK);
    while (gt_reader_next_events(reading->reader, &events, &count) == GT_OK) {
        for (size_t i = 0; i < parts; i++) {
            size_t from = count * i / parts, to = count * (i + 1) / parts;
            assert_status(gt_profile_events(profile, reading->reader, events + from, to - from),
                          GT_OK);
        }
    }
    assert_status(gt_profile_finish(profile), GT_OK);
    return profile;
}

static void check_equal(gt_profile *a, gt_profile *b)
{
    for (uint32_t kind = GT_PROFILE_NET; kind <= GT_PROFILE_WALL; kind++) {
        char *lines = profiling_lines(a, kind);
        profiling_expect(b, kind, lines);
        free(lines);
    }
    assert_true(gt_profile_count(a, GT_PROFILE_SCHED) > 0);
}

static void test_many_events_count_as_each_of_them_does(void **state)
{
    static const unsigned versions[] = {22, 23, 25, 26};
    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        const gt_profile_options options = profiling_options();
        struct reading reading = {0};
        open_sample(&reading, versions[i]);
        gt_profile *single = profiling_read(&reading, &options);
        reading_close(&reading);
        for (size_t parts = 1; parts <= BATCH; parts += 3) {
            open_sample(&reading, versions[i]);
            gt_profile *batches = read_batches(&reading, parts);
            check_equal(single, batches);
            gt_profile_close(&batches);
            reading_close(&reading);
        }
        gt_profile_close(&single);
    }
}

static void test_only_the_last_events_of_the_reader_are_taken(void **state)
{
    (void) state;
    const gt_profile_options options = profiling_options();
    const gt_event *const *events;
    const gt_event *wrong[2];
    struct reading reading = {0}, other = {0};
    gt_profile *profile;
    size_t count, last;
    open_sample(&reading, 26);
    open_sample(&other, 26);
    assert_status(gt_profile_open(&profile, &options, NULL), GT_OK);
    assert_status(gt_reader_next_events(other.reader, &events, &count), GT_OK);
    wrong[1] = events[count - 1];
    assert_status(gt_reader_next_events(reading.reader, &events, &count), GT_OK);
    if (count < 2)
        assert_status(gt_reader_next_events(reading.reader, &events, &count), GT_OK);
    assert_true(count >= 2);
    last = count - 1;

    assert_status(gt_profile_events(NULL, reading.reader, events, count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_events(profile, NULL, events, count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_events(profile, other.reader, events, count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_events(profile, reading.reader, NULL, 1), GT_ERR_INVALID_ARGUMENT);
    wrong[0] = events[0];
    assert_status(gt_profile_events(profile, reading.reader, wrong, 2), GT_ERR_INVALID_ARGUMENT);
    wrong[0] = events[last];
    wrong[1] = events[0];
    assert_status(gt_profile_events(profile, reading.reader, wrong, 2), GT_ERR_INVALID_ARGUMENT);
    wrong[0] = wrong[1] = events[0];
    assert_status(gt_profile_events(profile, reading.reader, wrong, 2), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_profile_events(profile, reading.reader, NULL, 0), GT_OK);
    assert_status(gt_profile_events(profile, reading.reader, events, count), GT_OK);

    assert_status(gt_profile_finish(profile), GT_OK);
    assert_status(gt_profile_events(profile, reading.reader, events, count),
                  GT_ERR_INVALID_ARGUMENT);
    gt_profile_close(&profile);
    reading_close(&reading);
    reading_close(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_events_count_as_each_of_them_does),
        cmocka_unit_test(test_only_the_last_events_of_the_reader_are_taken),
    };
    return cmocka_run_group_tests_name("profile_batches", tests, NULL, NULL);
}
