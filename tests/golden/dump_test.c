/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Compares the command's dumps of recorded traces with those of Go's own reader. Each trace is a
 * test.
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/dumps.h"
#include "support/files.h"
#include "support/process.h"
#include "support/report.h"
#include "support/suite.h"
#include "support/test.h"

/* A trace and the dump that it must have. */
struct golden {
    char *trace;
    char *dump;
    /* The file with the error of Go's reader, or NULL if it reads the trace. */
    char *error;
    /* Whether the trace has generations, as those of Go 1.22 and later do. */
    bool has_generations;
};

static void test_dump_equals_that_of_go(void **state)
{
    const struct golden *golden = *state;
    const char *const ours_command[] = {getenv("GT_COMMAND"), "dump", golden->trace, NULL};
    const char *const theirs_command[] = {"gzip", "-dc", golden->dump, NULL};
    struct process ours, theirs;
    int fails = files_exist(golden->error), exit_status;
    long count;

    assert_non_null(ours_command[0]);
    process_start(&ours, ours_command);
    process_start(&theirs, theirs_command);
    count = dumps_compare(ours.output, theirs.output, fails);
    assert_int_equal(process_wait(&theirs), 0);
    exit_status = process_wait(&ours);
    /* Go gives no event of a trace without generations that it cannot order. */
    assert_true(count > 0 || (fails && !golden->has_generations && count == 0));
    assert_int_equal(exit_status, fails);
    if (fails)
        assert_string_equal(report_expect(ours.errors, golden->trace, "", golden->has_generations),
                            "");
    else
        assert_string_equal(ours.errors, "");
}

static void free_golden(void *state)
{
    struct golden *golden = state;

    free(golden->trace);
    free(golden->dump);
    free(golden->error);
    free(golden);
}

/*
 * Adds the traces of a directory whose names begin with `prefix`; their goldens are named after
 * them.
 */
static void add_traces(struct suite *suite, const char *directory, const char *prefix,
                       const char *dump, const char *error, bool has_generations)
{
    struct file_list list = {NULL, 0};
    struct golden *golden;

    files_list(&list, directory, prefix, ".trace");
    for (size_t i = 0; i < list.count; i++) {
        golden = calloc(1, sizeof(*golden));
        assert_non_null(golden);
        golden->trace = files_join(directory, list.names[i]);
        golden->dump = files_replace(golden->trace, ".trace", dump);
        golden->error = files_replace(golden->trace, ".trace", error);
        golden->has_generations = has_generations;
        suite_add(suite, golden->trace, test_dump_equals_that_of_go, golden);
    }
    files_list_free(&list);
}

/* Returns whether there were any. */
static int add_testdata(struct suite *suite, const char *name, bool has_generations)
{
    char *directory = files_join(files_testdata(), name);
    size_t before = suite->count;

    add_traces(suite, directory, "", ".dump.gz", ".error", has_generations);
    if (suite->count == before)
        fprintf(stderr, "no traces in %s\n", directory);
    free(directory);
    return suite->count > before;
}

static void add_corpus(struct suite *suite)
{
    static const struct {
        const char *prefix;
        bool has_generations;
    } versions[] = {
        {"go1.19", 0}, {"go1.21", 0}, {"go1.22", 1}, {"go1.23", 1},
        {"go1.24", 1}, {"go1.25", 1}, {"go1.26", 1}, {"go1.27", 1},
    };

    const char *directory = files_corpus();

    if (!directory) {
        suite_add_skipped(suite, "traces in $GT_CORPUS");
        return;
    }
    for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)
        add_traces(suite, directory, versions[i].prefix, "/parsed.gz", "/parsed.error",
                   versions[i].has_generations);
}

int main(void)
{
    struct suite suite = {NULL, 0};
    int failures;

    setenv("TZ", "UTC", 1);
    if (!add_testdata(&suite, "v1", 0) || !add_testdata(&suite, "v2", 1)) {
        suite_free(&suite, free_golden);
        return 1;
    }
    add_corpus(&suite);
    failures = suite_run(&suite, "dump");
    suite_free(&suite, free_golden);
    return failures;
}
