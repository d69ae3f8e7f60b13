/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Compares the mutator utilisation of recorded traces with Go's. Each trace is a test. Go orders
 * events of equal times arbitrarily, and moves each but the first to 1 ns after the one before it,
 * so the collector's time in a window may differ by a few ns.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/process.h"
#include "support/suite.h"
#include "support/test.h"

/* The tolerance, in nanoseconds of a window, and how numbers are rounded. */
#define FORGIVEN 3
#define ROUNDED  1e-9

struct golden {
    char *trace;
    char *mmu;
    /* The file with the error of Go's reader, or NULL if it reads the trace. */
    char *error;
};

/* The time from the first event of the trace to the last. */
static double length_of(const char *trace)
{
    int64_t first = INT64_MIN, last = 0;
    const gt_event *event;
    gt_reader *reader;

    assert_status(gt_reader_open_file(&reader, trace, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        first = first == INT64_MIN ? event->time : first;
        last = event->time;
    }
    gt_reader_close(&reader);
    return (double) (last - first);
}

/* Splits "stw window=10µs mmu=0.5" after "mmu=". */
static double take_mmu(char *line)
{
    char *value = strstr(line, "mmu=");
    double mmu;

    assert_non_null(value);
    value += strlen("mmu=");
    mmu = strtod(value, NULL);
    *value = '\0';
    return mmu;
}

/* In nanoseconds: the powers of ten from 1us to 1s. */
static double take_window(const char *line)
{
    static const struct {
        const char *name;
        double nanoseconds;
    } units[] = {{"\302\265s ", 1e3}, {"ms ", 1e6}, {"s ", 1e9}};

    const char *window = strstr(line, "window=");
    char *unit;
    double number;

    assert_non_null(window);
    number = strtod(window + strlen("window="), &unit);
    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
        if (strncmp(unit, units[i].name, strlen(units[i].name)) == 0)
            return number * units[i].nanoseconds;
    }
    fail_msg("no window in %s", line);
    return 0;
}

static void compare_lines(const struct golden *golden, char *ours, char *theirs)
{
    double our_mmu, their_mmu, difference, window, length;

    if (strcmp(ours, theirs) == 0)
        return;
    our_mmu = take_mmu(ours);
    their_mmu = take_mmu(theirs);
    assert_string_equal(ours, theirs);
    window = take_window(ours);
    length = length_of(golden->trace);
    difference = our_mmu < their_mmu ? their_mmu - our_mmu : our_mmu - their_mmu;
    if (difference * (window < length ? window : length) > FORGIVEN + ROUNDED * length)
        fail_msg("%s%.9f, and Go says %.9f", ours, our_mmu, their_mmu);
}

static void test_utilisation_equals_that_of_go(void **state)
{
    const struct golden *golden = *state;
    const char *const ours_command[] = {getenv("GT_COMMAND"), "mmu", golden->trace, NULL};
    const char *const theirs_command[] = {"gzip", "-dc", golden->mmu, NULL};
    struct process ours, theirs;
    char our_line[256], their_line[256];
    int lines = 0, more = 0, fails = files_exist(golden->error);

    assert_non_null(ours_command[0]);
    process_start(&ours, ours_command);
    process_start(&theirs, theirs_command);
    while (fgets(their_line, sizeof(their_line), theirs.output)) {
        if (!fgets(our_line, sizeof(our_line), ours.output))
            fail_msg("there is no line %d", lines + 1);
        compare_lines(golden, our_line, their_line);
        lines++;
    }
    while (fgets(our_line, sizeof(our_line), ours.output))
        more++;
    assert_int_equal(process_wait(&theirs), 0);
    assert_int_equal(process_wait(&ours), fails);
    assert_int_equal(strlen(ours.errors) > 0, fails);
    /* Go has no events of a trace without generations that it cannot order. */
    assert_true((lines == 28 && more == 0) || (fails && lines == 0));
}

static void free_golden(void *state)
{
    struct golden *golden = state;

    free(golden->trace);
    free(golden->mmu);
    free(golden->error);
    free(golden);
}

/* Adds the traces of a directory that have a golden of this name. */
static void add_traces(struct suite *suite, const char *directory, const char *mmu,
                       const char *error)
{
    struct file_list list = {NULL, 0};

    files_list(&list, directory, "", ".trace");
    for (size_t i = 0; i < list.count; i++) {
        struct golden *golden = calloc(1, sizeof(*golden));

        assert_non_null(golden);
        golden->trace = files_join(directory, list.names[i]);
        golden->mmu = files_replace(golden->trace, ".trace", mmu);
        golden->error = files_replace(golden->trace, ".trace", error);
        if (files_exist(golden->mmu))
            suite_add(suite, golden->trace, test_utilisation_equals_that_of_go, golden);
        else
            free_golden(golden);
    }
    files_list_free(&list);
}

int main(void)
{
    static const char *const names[] = {"v1", "v2"};
    struct suite suite = {NULL, 0};
    size_t before;
    int failures;

    for (size_t i = 0; i < 2; i++) {
        char *directory = files_join(files_testdata(), names[i]);

        before = suite.count;
        add_traces(&suite, directory, ".mmu.gz", ".error");
        if (suite.count == before)
            fprintf(stderr, "no goldens in %s\n", directory);
        free(directory);
        if (suite.count == before) {
            suite_free(&suite, free_golden);
            return 1;
        }
    }
    if (files_corpus())
        add_traces(&suite, files_corpus(), "/mmu.gz", "/parsed.error");
    else
        suite_add_skipped(&suite, "traces in $GT_CORPUS");
    failures = suite_run(&suite, "mmu");
    suite_free(&suite, free_golden);
    return failures;
}
