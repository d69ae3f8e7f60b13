/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The first value of GOMAXPROCS of a trace of Go 1.21 or before, which Go's own reader leaves out,
 * is known as if it were an event.
 */

#include <stdlib.h>
#include <string.h>

#include <gotrace/reader.h>

#include "support/files.h"
#include "support/suite.h"
#include "support/test.h"

#define GOMAXPROCS "/sched/gomaxprocs:threads"

static gt_reader *open(const char *path, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    options.flags = flags;
    assert_status(gt_reader_open_file(&reader, path, &options, NULL), GT_OK);
    assert_int_equal(gt_reader_get_first_procs(reader), 0);
    return reader;
}

/* The value that the first event tells, or 0; and the number of events before it. */
static uint64_t read_first_event(const char *path, uint64_t *before)
{
    gt_reader *reader = open(path, GT_READER_AS_RECORDED);
    gt_metric metric = GT_METRIC_INIT;
    const gt_event *event;
    uint64_t procs = 0;
    for (*before = 0; procs == 0; ++*before) {
        if (gt_reader_next_event(reader, &event) != GT_OK)
            break;
        if (event->kind == GT_EVENT_METRIC && gt_event_metric(event, &metric) == GT_OK &&
            metric.name.size == strlen(GOMAXPROCS) &&
            memcmp(metric.name.data, GOMAXPROCS, strlen(GOMAXPROCS)) == 0)
            procs = metric.value.number;
    }
    --*before;
    assert_int_equal(gt_reader_get_first_procs(reader), 0);
    gt_reader_close(&reader);
    return procs;
}

static void check(const char *path, uint64_t flags, uint64_t procs, uint64_t before)
{
    gt_reader *reader = open(path, flags);
    const gt_event *event;
    gt_status status = GT_OK;
    for (uint64_t i = 0; status == GT_OK; i++) {
        status = gt_reader_next_event(reader, &event);
        if (status == GT_OK && i >= before)
            assert_int_equal(gt_reader_get_first_procs(reader), procs);
    }
    if (status == GT_END)
        assert_int_equal(gt_reader_get_first_procs(reader), procs);
    gt_reader_close(&reader);
}

static void test_first_value_is_that_of_the_event_that_is_left_out(void **state)
{
    const char *path = *state;
    uint64_t before, procs = read_first_event(path, &before);
    assert_true(procs > 0);
    check(path, 0, procs, before);
    check(path, GT_READER_AHEAD, procs, before);
    check(path, GT_READER_LENIENT, procs, before);
}

static void test_nothing_is_known_that_is_not_left_out(void **state)
{
    check(*state, 0, 0, 0);
}

static void test_no_reader_knows_nothing(void **state)
{
    (void) state;
    assert_int_equal(gt_reader_get_first_procs(NULL), 0);
}

static void add(struct suite *suite, const char *path, CMUnitTestFunction function)
{
    char *whole = files_join(files_testdata(), path);
    assert_non_null(whole);
    suite_add(suite, path, function, whole);
}

int main(void)
{
    struct suite suite = {NULL, 0};
    suite_add(&suite, "no reader", test_no_reader_knows_nothing, NULL);
    /* The names of what existed before fill several blocks of events. */
    add(&suite, "v1/go1.19-many.trace", test_first_value_is_that_of_the_event_that_is_left_out);
    add(&suite, "v1/go1.21-many.trace", test_first_value_is_that_of_the_event_that_is_left_out);
    add(&suite, "v1/go1.19-procs.trace", test_first_value_is_that_of_the_event_that_is_left_out);
    add(&suite, "v1/found-no-gomaxprocs.trace", test_nothing_is_known_that_is_not_left_out);
    add(&suite, "v2/go1.22-idle.trace", test_nothing_is_known_that_is_not_left_out);
    add(&suite, "v2/go1.27-procs.trace", test_nothing_is_known_that_is_not_left_out);
    int failures = suite_run(&suite, "first_procs");
    suite_free(&suite, free);
    return failures;
}
