/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * gotrace --binary: names for a trace of Go 1.5, which has only addresses, and how answers and
 * failures of addr2line are handled. Most tests replace addr2line by a shell script.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture.h"
#include "support/files.h"
#include "support/temporary.h"
#include "support/test.h"
#include "support/v1wire.h"

#define PLACES_MAX 16
#define NAME_SIZE  64

/* A source position in the program that $GT_PLACES names. */
struct place {
    uint64_t address;
    char function[NAME_SIZE];
    int line;
};

/* The trace, and the directory in which addr2line is searched. */
struct fixture {
    struct wire wire;
    char *trace;
    char *path;
    char *directory;
};

/*
 * Writes a trace with one stack of frames with these addresses, and a goroutine that starts at 0.
 */
static void make_trace(struct fixture *f, const uint64_t *addresses, size_t count)
{
    struct v1_frame *frames = calloc(count, sizeof(*frames));

    assert_non_null(frames);
    for (size_t i = 0; i < count; i++)
        frames[i].pc = addresses[i];
    v1_start(&f->wire, 5);
    V1_EVENT(&f->wire, V1_GO_SCHED, 1, 1);
    v1_stack(&f->wire, 1, frames, count);
    f->trace = capture_trace(&f->wire);
    free(frames);
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    assert_non_null(f);
    f->directory = temporary_new_folder();
    f->path = strdup(getenv("PATH"));
    assert_non_null(f->path);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    char *script = files_join(f->directory, "addr2line");

    setenv("PATH", f->path, 1);
    unlink(script);
    rmdir(f->directory);
    if (f->trace)
        unlink(f->trace);
    wire_free(&f->wire);
    free(script);
    free(f->directory);
    free(f->trace);
    free(f->path);
    free(f);
    return 0;
}

/* Replaces addr2line by a shell script with `body`, or removes it if that is NULL. */
static void fake_addr2line(struct fixture *f, const char *body)
{
    char *script = files_join(f->directory, "addr2line");
    size_t size = strlen(f->directory) + strlen(f->path) + 2;
    char *path = malloc(size);
    FILE *file;

    assert_non_null(path);
    if (body) {
        file = fopen(script, "w");
        assert_non_null(file);
        fprintf(file, "#!/bin/sh\n%s\n", body);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(chmod(script, 0700), 0);
    }
    snprintf(path, size, "%s%s%s", f->directory, body ? ":" : "", body ? f->path : "");
    setenv("PATH", path, 1);
    free(path);
    free(script);
}

/* Asserts that dump ends with this error in one line. */
static void expect_failure(const struct fixture *f, const char *message)
{
    struct capture run;
    char line[512];

    CAPTURE(&run, "dump", "--binary", getenv("GT_PLACES"), f->trace);
    snprintf(line, sizeof(line), "gotrace: %s: %s\n", f->trace, message);
    assert_string_equal(run.errors, line);
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, "");
    capture_free(&run);
}

/* Asserts that dump prints these frames as the stack of the transition. */
static void expect_frames(const struct fixture *f, const char *frames)
{
    struct capture run;
    const char *at;

    CAPTURE(&run, "dump", "--binary", getenv("GT_PLACES"), f->trace);
    assert_string_equal(run.errors, "");
    assert_int_equal(run.exit_status, 0);
    at = capture_find(run.output, "TransitionStack=\n");
    if (strncmp(at, frames, strlen(frames)) != 0)
        fail_msg("%s is not\n%s", at, frames);
    capture_free(&run);
}

static size_t read_places(struct place *places)
{
    struct capture run;
    size_t count = 0;
    char *line;

    capture_program(&run, getenv("GT_PLACES"), (const char *const[]){NULL});
    assert_int_equal(run.exit_status, 0);
    for (line = strtok(run.output, "\n"); line && count < PLACES_MAX; line = strtok(NULL, "\n")) {
        assert_int_equal(sscanf(line, "%" SCNu64 " %63s %d", &places[count].address,
                                places[count].function, &places[count].line),
                         3);
        count++;
    }
    capture_free(&run);
    return count;
}

static bool has_addr2line(void)
{
    return system("addr2line --version >/dev/null 2>&1") == 0;
}

/* Uses a real program and the real addr2line. */
static void test_real_addresses_get_names(void **state)
{
    struct place places[PLACES_MAX];
    uint64_t addresses[PLACES_MAX];
    struct capture run;
    const char *at;
    char line[256];
    size_t count;

    if (!has_addr2line())
        skip();
    count = read_places(places);
    assert_true(count > 4);
    for (size_t i = 0; i < count; i++)
        addresses[i] = places[i].address;
    make_trace(*state, addresses, count);
    CAPTURE(&run, "dump", "--binary", getenv("GT_PLACES"), ((struct fixture *) *state)->trace);
    assert_string_equal(run.errors, "");
    assert_int_equal(run.exit_status, 0);
    at = capture_find(run.output, "TransitionStack=\n");
    for (size_t i = 0; i < count; i++) {
        snprintf(line, sizeof(line), "\t%s @ 0x%" PRIx64 "\n\t\t", places[i].function,
                 places[i].address);
        assert_memory_equal(at, line, strlen(line));
        snprintf(line, sizeof(line), "/places.c:%d\n", places[i].line);
        at = capture_find(at, line);
    }
    capture_free(&run);
}

/* There are more addresses and answers than pipes hold, which would block both sides. */
static void test_addresses_outside_functions_get_no_names(void **state)
{
    struct fixture *f = *state;
    struct v1_frame frames[1000] = {{0, 0, 0, 0}};
    struct capture run;

    if (!has_addr2line())
        skip();
    v1_start(&f->wire, 5);
    for (uint64_t stack = 1; stack <= 20; stack++) {
        V1_EVENT(&f->wire, V1_GO_SCHED, 1, stack);
        V1_EVENT(&f->wire, V1_GO_START, 1, 1, 0);
        for (size_t i = 0; i < 1000; i++)
            frames[i].pc = (UINT64_C(1) << 40) + stack * 1000 + i;
        v1_stack(&f->wire, stack, frames, 1000);
    }
    f->trace = capture_trace(&f->wire);
    CAPTURE(&run, "dump", "--binary", getenv("GT_PLACES"), f->trace);
    assert_string_equal(run.errors, "");
    assert_int_equal(run.exit_status, 0);
    capture_find(run.output, "\t @ 0x10000000bb8\n\t\t:0\n");
    assert_int_equal(capture_count(run.output, "\n\t\t:0\n"), 2 * 20 * 1000);
    capture_free(&run);
}

/* addr2line gets the addresses just before the return addresses. */
static void test_each_answer_of_addr2line_is_understood(void **state)
{
    static const uint64_t addresses[] = {0x11, 0x22, 0x33, 0x44, 0x55};
    struct fixture *f = *state;

    make_trace(f, addresses, 5);
    fake_addr2line(f, "[ \"$1 $2 $3\" = \"-afiC -e $GT_PLACES\" ] || exit 9\n"
                      "while read -r address; do\n"
                      "echo $address\n"
                      "case $address in\n"
                      "0x10) echo main.main; echo '/go/main.go:7' ;;\n"
                      "0x21) echo 'main.(*T).run'; echo '/a:b/main.go:12 (discriminator 3)' ;;\n"
                      "0x0 | 0x32) echo '?\?'; echo '?\?:0' ;;\n"
                      "0x43) echo main.line; echo '/go/x.go:?' ;;\n"
                      "0x54) echo main.place; echo '?\?:?'; echo into; echo /go/other.go:1 ;;\n"
                      "esac\n"
                      "done");
    expect_frames(f, "\tmain.main @ 0x11\n\t\t/go/main.go:7\n"
                     "\tmain.(*T).run @ 0x22\n\t\t/a:b/main.go:12\n"
                     "\t @ 0x33\n\t\t:0\n"
                     "\tmain.line @ 0x44\n\t\t/go/x.go:0\n"
                     "\tmain.place @ 0x55\n\t\t:0\n");
}

static void test_failure_of_addr2line_is_an_error(void **state)
{
    static const uint64_t addresses[] = {0x11, 0x22};
    struct fixture *f = *state;

    make_trace(f, addresses, 2);
    fake_addr2line(f, "exit 3");
    expect_failure(f, "addr2line exits with 3");
    fake_addr2line(f, "kill -9 $$");
    expect_failure(f, "addr2line is ended by signal 9");
    fake_addr2line(f,
                   "echo 'addr2line: no good'; echo 'addr2line: bad' >&2; echo more >&2; exit 1");
    expect_failure(f, "addr2line: bad");
    fake_addr2line(f, "read -r address; echo $address; echo a; echo b:1; echo c");
    expect_failure(f, "addr2line answers for 1 of 3 addresses");
    fake_addr2line(f, "read -r address; echo $address; echo a; echo b:1; echo c; printf d:1");
    expect_failure(f, "addr2line answers for 1 of 3 addresses");
}

static void test_missing_addr2line_is_an_error(void **state)
{
    static const uint64_t address = 0x11;
    struct fixture *f = *state;

    make_trace(f, &address, 1);
    fake_addr2line(f, NULL);
    expect_failure(f, "cannot run addr2line or llvm-symbolizer: install binutils");
}

static void test_missing_program_is_an_error(void **state)
{
    static const uint64_t address = 0x11;
    struct fixture *f = *state;
    struct capture run;

    make_trace(f, &address, 1);
    CAPTURE(&run, "stat", "--binary", "/nowhere/prog", f->trace);
    assert_string_equal(
        run.errors, "gotrace: /nowhere/prog: cannot open the file: No such file or directory\n");
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, "");
    capture_free(&run);
}

static void test_stat_names_addresses_and_reports_failures(void **state)
{
    static const uint64_t address = 0x11;
    struct fixture *f = *state;
    struct capture run;

    make_trace(f, &address, 1);
    fake_addr2line(f, "exit 3");
    CAPTURE(&run, "stat", "--json", "--binary", getenv("GT_PLACES"), f->trace);
    capture_find(run.output, "\"message\": \"addr2line exits with 3\"");
    capture_find(run.output, "\"go_version\": \"1.5\"");
    assert_int_equal(run.exit_status, 1);
    capture_free(&run);
}

/* addr2line is not even started. */
static void test_trace_with_names_keeps_them(void **state)
{
    struct fixture *f = *state;
    char *trace = files_join(files_testdata(), "v1/go1.21-idle.trace");
    struct capture with, without;

    fake_addr2line(f, "exit 3");
    CAPTURE(&with, "dump", "--binary", getenv("GT_PLACES"), trace);
    CAPTURE(&without, "dump", trace);
    assert_int_equal(with.exit_status, 0);
    capture_find(with.output, "main.record");
    assert_string_equal(with.output, without.output);
    capture_free(&with);
    capture_free(&without);
    free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_real_addresses_get_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_addresses_outside_functions_get_no_names, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_each_answer_of_addr2line_is_understood, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_failure_of_addr2line_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_addr2line_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_program_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stat_names_addresses_and_reports_failures, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_trace_with_names_keeps_them, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
