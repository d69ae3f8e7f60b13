/* SPDX-License-Identifier: BSD-3-Clause */

/* gotrace check: the findings, the last line and the exit code. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"
#include "support/test.h"
#include "support/v1wire.h"

/* What is said of the end of traces before Go 1.26. */
#define UNKNOWN "it cannot be told whether the recording was stopped or the program ended\n"

/* Writes two generations with the same clock; a stack of the second one has a bad frame. */
static char *make_bad(void)
{
    struct wire wire = {0};
    char *path;

    wire_begin(&wire, 26);
    for (uint64_t gen = 1; gen <= 2; gen++) {
        wire_sync(&wire, gen, gen * 100, WIRE_NANOSECONDS);
        wire_batch(&wire, gen, 5, gen * 100 + 1);
        wire_running(&wire, 5, 0, 1);
        if (gen == 2) {
            WIRE_EVENT(&wire, EV_GO_SYSCALL_BEGIN, 1, 1, 1);
            wire_stacks(&wire, gen);
            wire_stack(&wire, 1, 1);
            wire_frame(&wire, 10, 0, 0, 5);
        }
        wire_generation_end(&wire);
    }
    path = capture_trace(&wire);
    wire_free(&wire);
    return path;
}

/* Writes a good trace without its last `cut` bytes. */
static char *make_good(unsigned version, size_t cut)
{
    struct wire wire = {0};
    char *path;

    v1_start(&wire, version);
    wire.size -= cut;
    path = capture_trace(&wire);
    wire_free(&wire);
    return path;
}

static void drop(char *path)
{
    unlink(path);
    free(path);
}

static void test_good_trace_has_no_findings(void **state)
{
    char *trace = make_good(21, 0);
    struct capture run;

    (void) state;
    CAPTURE(&run, "check", trace);
    assert_int_equal(run.exit_status, 0);
    assert_string_equal(run.output, "4 events, no findings\n" UNKNOWN);
    assert_string_equal(run.errors, "");
    capture_free(&run);
    CAPTURE(&run, "check", "--quiet", trace);
    assert_int_equal(run.exit_status, 0);
    assert_string_equal(run.output, "");
    capture_free(&run);
    drop(trace);
}

#define CLOCK                                                                                      \
    "event 4 (Sync, time 104, M=-1 P=-1 G=-1): the snapshot of the wall clock is not later than "  \
    "that of the Sync before\n"
#define FRAME                                                                                      \
    "event 7 (StateTransition, time 204, M=5 P=0 G=1): frame 0 of the stack has no function\n"

static void test_findings_are_printed_and_exit_with_1(void **state)
{
    char *trace = make_bad();
    struct capture run;

    (void) state;
    CAPTURE(&run, "check", trace);
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, CLOCK FRAME "8 events, 2 findings\n");
    assert_string_equal(run.errors, "");
    capture_free(&run);
    CAPTURE(&run, "check", "--coarse-clock", trace);
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, FRAME "8 events, 1 finding\n");
    capture_free(&run);
    CAPTURE(&run, "check", "-quiet", trace);
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, "");
    assert_string_equal(run.errors, "");
    capture_free(&run);
    drop(trace);
}

/* It does so without any finding. */
static void test_unreadable_trace_exits_with_1(void **state)
{
    char *trace = make_good(21, 1);
    struct capture run;

    (void) state;
    CAPTURE(&run, "check", "--strict", trace);
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, "0 events, no findings\n");
    assert_memory_equal(run.errors, "gotrace: ", 9);
    capture_find(run.errors, "is cut off by the end of the input");
    capture_free(&run);
    CAPTURE(&run, "check", "--strict", "--quiet", trace);
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, "");
    capture_find(run.errors, "is cut off by the end of the input");
    capture_free(&run);
    drop(trace);
}

static void test_repaired_trace_exits_with_1_unless_lenient(void **state)
{
    char *trace = make_good(21, 1);
    struct capture run;

    (void) state;
    CAPTURE(&run, "check", trace);
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, "4 events, no findings, 1 repair\n" UNKNOWN);
    assert_int_equal(capture_count(run.errors, "repaired"), 1);
    capture_free(&run);
    CAPTURE(&run, "check", "--quiet", trace);
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, "");
    assert_string_equal(run.errors, "");
    capture_free(&run);
    CAPTURE(&run, "check", "--lenient", trace);
    assert_int_equal(run.exit_status, 0);
    assert_string_equal(run.output, "4 events, no findings, 1 repair\n" UNKNOWN);
    assert_int_equal(capture_count(run.errors, "repaired"), 1);
    capture_free(&run);
    drop(trace);
}

/* A trace of Go 1.5 has no names, which is a finding only for later versions. */
static void test_rules_depend_on_the_version(void **state)
{
    static const struct v1_frame frame = {10, 0, 0, 0};
    static const unsigned versions[] = {5, 7};
    struct capture run;

    (void) state;
    for (size_t i = 0; i < 2; i++) {
        struct wire wire = {0};
        char *trace;

        v1_start(&wire, versions[i]);
        V1_EVENT(&wire, V1_GO_SCHED, 1, 1);
        v1_stack_one(&wire, 1, frame);
        trace = capture_trace(&wire);
        CAPTURE(&run, "check", trace);
        assert_int_equal(run.exit_status, versions[i] == 5 ? 0 : 1);
        assert_int_equal(capture_count(run.output, "has no function"), versions[i] == 5 ? 0 : 1);
        capture_free(&run);
        drop(trace);
        wire_free(&wire);
    }
}

static void test_wrong_options_exit_with_2(void **state)
{
    struct capture run;

    (void) state;
    CAPTURE(&run, "check");
    assert_int_equal(run.exit_status, 2);
    capture_find(run.errors, "usage: gotrace check [OPTION...] FILE");
    capture_free(&run);
    CAPTURE(&run, "check", "--help");
    assert_int_equal(run.exit_status, 0);
    capture_find(run.output, "--coarse-clock");
    capture_find(run.output, "--lenient");
    capture_free(&run);
}

/* Whatever the command: what an option does is told to the right of its name. */
static void test_help_is_wrapped_at_its_column(void **state)
{
    static const char *const commands[] = {"check", "view", "pprof", "cut", "record", "columns"};
    struct capture run;

    (void) state;
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
        const char *line;
        CAPTURE(&run, commands[i], "--help");
        line = strstr(run.output, "\n  -");
        assert_non_null(line);
        for (line++; *line != '\n' && *line != '\0'; line += strcspn(line, "\n") + 1)
            assert_true(strncmp(line, "  -", 3) == 0 || strncmp(line, "      ", 6) == 0);
        capture_free(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_trace_has_no_findings),
        cmocka_unit_test(test_findings_are_printed_and_exit_with_1),
        cmocka_unit_test(test_unreadable_trace_exits_with_1),
        cmocka_unit_test(test_repaired_trace_exits_with_1_unless_lenient),
        cmocka_unit_test(test_rules_depend_on_the_version),
        cmocka_unit_test(test_wrong_options_exit_with_2),
        cmocka_unit_test(test_help_is_wrapped_at_its_column),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
