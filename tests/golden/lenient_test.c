/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Dumps the traces of the test data and the corpus with --lenient. Whole ones give the same events
 * as without it, and those of Go 1.19 and 1.21 without a consistent order give their events all the
 * same. Each trace is a test, whose state is the path.
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/process.h"
#include "support/report.h"
#include "support/suite.h"
#include "support/test.h"
#include "support/v1wire.h"

#define HEADER_SIZE 16

/* The code in the first byte that says that a length follows instead of the number of arguments. */
#define CODE_LENGTH 3

/* Counts over a dump and its repairs. */
struct tally {
    long transitions;
    long repairs;
};

/* The position in a walk over the events of a trace. */
struct walk {
    const uint8_t *at;
    const uint8_t *end;
};

static uint64_t take_number(struct walk *walk)
{
    uint64_t number = 0;
    unsigned shift = 0;
    uint8_t byte;

    do {
        assert_true(walk->at < walk->end && shift < 64);
        byte = *walk->at++;
        number |= (uint64_t) (byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return number;
}

static void skip_counted(struct walk *walk)
{
    uint64_t size = take_number(walk);

    assert_true(size <= (uint64_t) (walk->end - walk->at));
    walk->at += size;
}

/* Skips an event and returns its type. */
static unsigned take_event(struct walk *walk)
{
    unsigned type = *walk->at & 0x3f, code = *walk->at >> 6, i;

    walk->at++;
    if (type == V1_STRING)
        take_number(walk);
    if (type == V1_STRING || code == CODE_LENGTH)
        skip_counted(walk);
    else
        for (i = 0; i <= code; i++)
            take_number(walk);
    if (type == V1_LOG)
        skip_counted(walk);
    return type;
}

/*
 * Whether an event of this type must give at least one transition. It need not if it belongs to
 * another event of the same goroutine: GoSysBlock to its system call, GoWaiting and GoInSyscall to
 * the creation.
 */
static bool is_transition(unsigned type)
{
    switch (type) {
    case V1_PROC_START:
    case V1_PROC_STOP:
    case V1_GO_CREATE:
    case V1_GO_START_LOCAL:
    case V1_GO_UNBLOCK_LOCAL:
    case V1_GO_SYS_EXIT_LOCAL:
    case V1_GO_START_LABEL:
    case V1_GO_BLOCK_GC:
        return 1;
    default:
        return type >= V1_GO_START && type <= V1_GO_SYS_EXIT;
    }
}

/*
 * Returns the least number of transitions in a trace. The goroutine that began the trace was
 * running already: its creation and start are one transition.
 */
static long count_recorded(const char *path)
{
    size_t size;
    uint8_t *data = files_read(path, &size);
    struct walk walk = {data + HEADER_SIZE, data + size};
    long count = 0;

    assert_true(size > HEADER_SIZE);
    while (walk.at < walk.end)
        count += is_transition(take_event(&walk));
    free(data);
    return count - 1;
}

/* Counts the transitions in a dump. Asserts that times increase. */
static void tally_dump(struct tally *tally, FILE *dump)
{
    char *line = NULL, *field;
    size_t capacity = 0;
    long long time, last = -2;

    while (getline(&line, &capacity, dump) >= 0) {
        if (strncmp(line, "M=", 2) != 0)
            continue;
        field = strstr(line, " Time=");
        assert_non_null(field);
        time = strtoll(field + strlen(" Time="), NULL, 10);
        assert_true(time > last);
        last = time;
        tally->transitions += strstr(line, " StateTransition ") != NULL;
    }
    free(line);
}

/* Counts the repairs. Asserts that there are no other lines. */
static void tally_repairs(struct tally *tally, FILE *errors, const char *path)
{
    char *line = NULL;
    size_t capacity = 0;
    long count;

    while (getline(&line, &capacity, errors) >= 0) {
        assert_string_equal(report_expect_repairs(line, path, &count), "");
        tally->repairs += count;
    }
    free(line);
}

static void test_damaged_trace_keeps_its_recorded_transitions(void **state)
{
    const char *path = *state;
    /* There can be more repairs than a struct process holds of standard error. */
    const char *const dump_command[] = {
        "sh", "-c", "\"$GT_COMMAND\" dump --lenient \"$0\" 2>/dev/null", path, NULL};
    const char *const errors_command[] = {
        "sh", "-c", "\"$GT_COMMAND\" dump --lenient \"$0\" 2>&1 >/dev/null", path, NULL};
    struct process process;
    struct tally tally = {0, 0};
    long recorded = count_recorded(path);

    process_start(&process, dump_command);
    tally_dump(&tally, process.output);
    assert_int_equal(process_wait(&process), 0);
    process_start(&process, errors_command);
    tally_repairs(&tally, process.output, path);
    assert_int_equal(process_wait(&process), 0);
    assert_true(tally.repairs > 0);
    assert_true(recorded > 0);
    /* A repair can add a transition, which does not replace a recorded one. */
    if (tally.transitions - tally.repairs < recorded)
        fail_msg("%ld transitions and %ld repairs where %ld transitions were recorded",
                 tally.transitions, tally.repairs, recorded);
}

/* Asserts that two streams are equal. Returns their size. */
static size_t compare_streams(FILE *a, FILE *b)
{
    char of_a[4096], of_b[4096];
    size_t total = 0, size;

    do {
        size = fread(of_a, 1, sizeof(of_a), a);
        assert_int_equal(fread(of_b, 1, sizeof(of_b), b), size);
        assert_memory_equal(of_a, of_b, size);
        total += size;
    } while (size > 0);
    return total;
}

static void test_whole_trace_is_dumped_as_without_lenient(void **state)
{
    const char *path = *state;
    const char *const strict_command[] = {getenv("GT_COMMAND"), "dump", path, NULL};
    const char *const lenient_command[] = {getenv("GT_COMMAND"), "dump", "--lenient", path, NULL};
    struct process strict, lenient;

    assert_non_null(strict_command[0]);
    process_start(&strict, strict_command);
    process_start(&lenient, lenient_command);
    assert_true(compare_streams(strict.output, lenient.output) > 0);
    assert_int_equal(process_wait(&strict), 0);
    assert_int_equal(process_wait(&lenient), 0);
    assert_string_equal(strict.errors, "");
    assert_string_equal(lenient.errors, "");
}

/* Adds the traces that Go's reader reads to the end, and the others with `damaged` unless NULL. */
static void add_traces(struct suite *suite, const char *directory, const char *prefix,
                       const char *error_suffix, void (*damaged)(void **))
{
    struct file_list list = {NULL, 0};

    files_list(&list, directory, prefix, ".trace");
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(directory, list.names[i]);
        char *error = files_replace(path, ".trace", error_suffix);
        void (*test)(void **) =
            files_exist(error) ? damaged : test_whole_trace_is_dumped_as_without_lenient;

        if (test)
            suite_add(suite, path, test, path);
        else
            free(path);
        free(error);
    }
    files_list_free(&list);
}

/* Returns whether there were any. */
static bool add_testdata(struct suite *suite, const char *name)
{
    char *directory = files_join(files_testdata(), name);
    size_t before = suite->count;

    add_traces(suite, directory, "", ".error", NULL);
    if (suite->count == before)
        fprintf(stderr, "no traces in %s\n", directory);
    free(directory);
    return suite->count > before;
}

static void add_corpus(struct suite *suite)
{
    static const char *const old[] = {"go1.19", "go1.21"};
    static const char *const new[] = {"go1.22", "go1.23", "go1.24", "go1.25", "go1.26", "go1.27"};

    const char *directory = files_corpus();

    if (!directory) {
        suite_add_skipped(suite, "traces in $GT_CORPUS");
        return;
    }
    for (size_t i = 0; i < sizeof(old) / sizeof(*old); i++)
        add_traces(suite, directory, old[i], "/parsed.error",
                   test_damaged_trace_keeps_its_recorded_transitions);
    for (size_t i = 0; i < sizeof(new) / sizeof(*new); i++)
        add_traces(suite, directory, new[i], "/parsed.error", NULL);
}

int main(void)
{
    struct suite suite = {NULL, 0};
    int failures;

    if (!add_testdata(&suite, "v1") || !add_testdata(&suite, "v2")) {
        suite_free(&suite, free);
        return 1;
    }
    add_corpus(&suite);
    failures = suite_run(&suite, "lenient");
    suite_free(&suite, free);
    return failures;
}
