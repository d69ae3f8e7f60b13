/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * gotrace --binary: names for a trace of Go 1.5, which has addresses alone, and
 * what becomes of addr2line's answers and failures. Most tests have an addr2line
 * of their own, a shell script.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture.h"
#include "support/files.h"
#include "support/test.h"
#include "support/v1wire.h"

#define PLACES_MAX 16
#define NAME_SIZE  64

/* A place in the program that $GT_PLACES names. */
struct place {
    uint64_t address;
    char function[NAME_SIZE];
    int line;
};

/* The trace, and the directory that addr2line is looked for in. */
struct fixture {
    struct wire wire;
    char *trace;
    char *path;
    char directory[NAME_SIZE];
};

/* A trace with one stack, of frames with these addresses, and a goroutine that starts at 0. */
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
    strcpy(f->directory, "/tmp/gotrace-test-XXXXXX");
    assert_non_null(mkdtemp(f->directory));
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
    free(f->trace);
    free(f->path);
    free(f);
    return 0;
}

/* From here on addr2line is a shell script with `body`, or is not there. */
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

/* Asserts that dump ends with this error, in one line. */
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

/* Asserts that dump prints these frames as the transition's stack. */
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

static int has_addr2line(void)
{
    return system("addr2line --version >/dev/null 2>&1") == 0;
}

/* Real addresses of a real program come out with its functions, files and lines. */
static void test_places(void **state)
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

/* Addresses that are in no function, more of them than pipes hold on their way in and out. */
static void test_unknown(void **state)
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

/* What addr2line may answer. The addresses that it gets are those before the return addresses. */
static void test_answers(void **state)
{
    static const uint64_t addresses[] = {0x11, 0x22, 0x33, 0x44, 0x55};
    struct fixture *f = *state;

    make_trace(f, addresses, 5);
    fake_addr2line(f, "[ \"$1 $2 $3\" = \"-f -e $GT_PLACES\" ] || exit 9\n"
                      "while read -r address; do\n"
                      "case $address in\n"
                      "0x10) echo main.main; echo '/go/main.go:7' ;;\n"
                      "0x21) echo 'main.(*T).run'; echo '/a:b/main.go:12 (discriminator 3)' ;;\n"
                      "0x0 | 0x32) echo '?\?'; echo '?\?:0' ;;\n"
                      "0x43) echo main.line; echo '/go/x.go:?' ;;\n"
                      "0x54) echo main.place; echo '?\?:?' ;;\n"
                      "esac\n"
                      "done");
    expect_frames(f, "\tmain.main @ 0x11\n\t\t/go/main.go:7\n"
                     "\tmain.(*T).run @ 0x22\n\t\t/a:b/main.go:12\n"
                     "\t @ 0x33\n\t\t:0\n"
                     "\tmain.line @ 0x44\n\t\t/go/x.go:0\n"
                     "\tmain.place @ 0x55\n\t\t:0\n");
}

static void test_failures(void **state)
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
    fake_addr2line(f, "echo a; echo b:1; echo c");
    expect_failure(f, "addr2line answers for 1 of 3 addresses");
    fake_addr2line(f, "echo a; echo b:1; echo c; printf d:1");
    expect_failure(f, "addr2line answers for 1 of 3 addresses");
}

static void test_no_addr2line(void **state)
{
    static const uint64_t address = 0x11;
    struct fixture *f = *state;

    make_trace(f, &address, 1);
    fake_addr2line(f, NULL);
    expect_failure(f, "cannot run addr2line: No such file or directory");
}

static void test_no_program(void **state)
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

/* stat asks too, and says what went wrong. */
static void test_stat(void **state)
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

/* A trace that has names keeps those, and addr2line is left alone. */
static void test_later_trace(void **state)
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
        cmocka_unit_test_setup_teardown(test_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_addr2line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stat, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_later_trace, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
