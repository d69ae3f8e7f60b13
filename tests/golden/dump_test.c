/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The command's dump of recorded traces against the recorded dumps of Go's own
 * reader: one test a trace.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/dumps.h"
#include "support/files.h"
#include "support/process.h"
#include "support/test.h"

/* A trace and the dump that it must have. */
struct golden {
    char *trace;
    char *dump;
    /* Where Go's reader fails on the trace, the file with its error. */
    char *error;
};

static char *append(const char *path, const char *suffix)
{
    size_t size = strlen(path) + strlen(suffix) + 1;
    char *result = malloc(size);

    assert_non_null(result);
    snprintf(result, size, "%s%s", path, suffix);
    return result;
}

static char *without_suffix(const char *path)
{
    char *result = strdup(path);

    assert_non_null(result);
    result[strlen(result) - strlen(".trace")] = '\0';
    return result;
}

/* Asserts that `at` begins with `text`, and returns what follows it. */
static const char *expect(const char *at, const char *text)
{
    assert_non_null(at);
    if (strncmp(at, text, strlen(text)) != 0)
        fail_msg("\"%s\" where \"%s\" should be", at, text);
    return at + strlen(text);
}

static const char *expect_number(const char *at)
{
    size_t digits = strspn(at, "0123456789");

    assert_true(digits > 0);
    return at + digits;
}

/* One line "gotrace: FILE: what (offset N, generation N)". */
static void check_error_line(const struct golden *golden, const char *errors)
{
    const char *at = expect(errors, "gotrace: ");

    at = expect(at, golden->trace);
    at = expect(at, ": ");
    at = expect(strstr(at, "(offset "), "(offset ");
    at = expect(expect_number(at), ", generation ");
    at = expect(expect_number(at), ")\n");
    assert_string_equal(at, "");
}

static void test_dump(void **state)
{
    const struct golden *golden = *state;
    const char *const ours_command[] = {getenv("GT_COMMAND"), "dump", golden->trace, NULL};
    const char *const theirs_command[] = {"gzip", "-dc", golden->dump, NULL};
    struct process ours, theirs;
    int fails = golden->error && files_exist(golden->error), exit_status;
    long count;

    assert_non_null(ours_command[0]);
    process_start(&ours, ours_command);
    process_start(&theirs, theirs_command);
    count = dumps_compare(ours.output, theirs.output, fails);
    assert_int_equal(process_wait(&theirs), 0);
    exit_status = process_wait(&ours);
    assert_true(count > 0);
    assert_int_equal(exit_status, fails);
    if (fails)
        check_error_line(golden, ours.errors);
    else
        assert_string_equal(ours.errors, "");
}

static void test_no_corpus(void **state)
{
    (void) state;
    skip();
}

struct suite {
    struct CMUnitTest *tests;
    size_t count;
};

static void add_test(struct suite *suite, const char *name, CMUnitTestFunction function,
                     void *state)
{
    struct CMUnitTest *test;

    suite->tests = realloc(suite->tests, (suite->count + 1) * sizeof(*suite->tests));
    assert_non_null(suite->tests);
    test = &suite->tests[suite->count++];
    *test = (struct CMUnitTest){name, function, NULL, NULL, state};
}

static struct golden *new_golden(const char *directory, const char *name)
{
    struct golden *golden = calloc(1, sizeof(*golden));

    assert_non_null(golden);
    golden->trace = files_join(directory, name);
    return golden;
}

static void add_testdata(struct suite *suite)
{
    char *directory = files_join(files_testdata(), "v2");
    struct file_list list = {NULL, 0};
    struct golden *golden;
    char *stem;
    size_t i;

    files_list(&list, directory, "", ".trace");
    for (i = 0; i < list.count; i++) {
        golden = new_golden(directory, list.names[i]);
        stem = without_suffix(golden->trace);
        golden->dump = append(stem, ".dump.gz");
        golden->error = append(stem, ".error");
        add_test(suite, golden->trace, test_dump, golden);
        free(stem);
    }
    files_list_free(&list);
    free(directory);
}

static void add_corpus(struct suite *suite)
{
    static const char *const versions[] = {"go1.22", "go1.23", "go1.24",
                                           "go1.25", "go1.26", "go1.27"};
    const char *directory = files_corpus();
    struct file_list list = {NULL, 0};
    struct golden *golden;
    char *stem;
    size_t i;

    if (!directory) {
        add_test(suite, "corpus", test_no_corpus, NULL);
        return;
    }
    for (i = 0; i < sizeof(versions) / sizeof(*versions); i++)
        files_list(&list, directory, versions[i], ".trace");
    for (i = 0; i < list.count; i++) {
        golden = new_golden(directory, list.names[i]);
        stem = without_suffix(golden->trace);
        golden->dump = append(stem, "/parsed.gz");
        golden->error = append(stem, "/parsed.error");
        add_test(suite, golden->trace, test_dump, golden);
        free(stem);
    }
    files_list_free(&list);
}

static void free_suite(struct suite *suite)
{
    struct golden *golden;
    size_t i;

    for (i = 0; i < suite->count; i++) {
        golden = suite->tests[i].initial_state;
        if (!golden)
            continue;
        free(golden->trace);
        free(golden->dump);
        free(golden->error);
        free(golden);
    }
    free(suite->tests);
}

int main(void)
{
    struct suite suite = {NULL, 0};
    int failures;

    setenv("TZ", "UTC", 1);
    add_testdata(&suite);
    if (suite.count == 0) {
        fprintf(stderr, "no traces in %s/v2\n", files_testdata());
        return 1;
    }
    add_corpus(&suite);
    failures = _cmocka_run_group_tests("dump", suite.tests, suite.count, NULL, NULL);
    free_suite(&suite);
    return failures;
}
