/* SPDX-License-Identifier: BSD-3-Clause */

/* gotrace --one-thread and --threads: the output for long traces is the same with and without. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"
#include "support/files.h"
#include "support/sample.h"
#include "support/test.h"

static void check_dump(const char *trace, const char *option)
{
    struct capture two, one, three;

    if (option) {
        CAPTURE(&two, "dump", option, trace);
        CAPTURE(&one, "dump", "--one-thread", option, trace);
        CAPTURE(&three, "dump", "--threads", "3", option, trace);
    } else {
        CAPTURE(&two, "dump", trace);
        CAPTURE(&one, "dump", "--threads", "1", trace);
        CAPTURE(&three, "dump", "--threads=3", trace);
    }
    assert_int_equal(three.exit_status, two.exit_status);
    assert_string_equal(three.output, two.output);
    assert_string_equal(three.errors, two.errors);
    capture_free(&three);
    assert_int_equal(one.exit_status, two.exit_status);
    assert_string_equal(one.output, two.output);
    assert_string_equal(one.errors, two.errors);
    assert_true(strlen(one.output) > 1000000);
    capture_free(&two);
    capture_free(&one);
}

/* The trace is tested whole, and with a changed byte in the last generation. */
static void check_version(unsigned version)
{
    struct wire wire = {0};
    char *trace;

    sample_trace(&wire, version, 3, version < 22 ? 8000 : 60000);
    assert_true(version < 22 || wire.size > 1 << 20);
    trace = capture_trace(&wire);
    check_dump(trace, NULL);
    unlink(trace);
    free(trace);
    wire.data[wire.size - wire.size / 4] ^= 0x55;
    trace = capture_trace(&wire);
    check_dump(trace, "--lenient");
    unlink(trace);
    free(trace);
    wire_free(&wire);
}

static void test_dump_is_the_same_with_one_thread(void **state)
{
    (void) state;
    check_version(21);
    check_version(26);
}

/* The ring of events of a second thread would count as memory of the reader. */
static void test_stat_never_uses_a_second_thread(void **state)
{
    struct wire wire = {0};
    struct capture two, one;

    (void) state;
    sample_trace(&wire, 26, 3, 8000);
    char *trace = capture_trace(&wire);
    CAPTURE(&two, "stat", trace);
    CAPTURE(&one, "stat", "--one-thread", trace);
    capture_find(one.output, "reader memory, peak");
    assert_string_equal(one.output, two.output);
    capture_free(&two);
    capture_free(&one);
    unlink(trace);
    free(trace);
    wire_free(&wire);
}

/* The option is one of those that all commands that read events share. */
static void test_commands_that_read_events_take_one_thread(void **state)
{
    static const char *const commands[] = {"stat",    "check", "summary", "goroutines",
                                           "latency", "mmu",   "json",    "dump"};
    char *trace = files_join(files_testdata(), "v2/go1.26-tasks.trace");
    struct capture two, one;

    (void) state;
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        CAPTURE(&two, commands[i], trace);
        CAPTURE(&one, commands[i], "--one-thread", trace);
        assert_int_equal(two.exit_status, 0);
        assert_int_equal(one.exit_status, 0);
        assert_string_equal(one.output, two.output);
        capture_free(&two);
        capture_free(&one);
    }
    CAPTURE(&one, "wire", "--one-thread", trace);
    assert_int_equal(one.exit_status, 2);
    capture_free(&one);
    free(trace);
}

/* Runs an analysis of a trace, which is compared with itself. */
static void capture_analysis(struct capture *capture, unsigned analysis, const char *how,
                             const char *trace)
{
    switch (analysis) {
    case 0:
        CAPTURE(capture, "report", "--json", how, trace);
        break;
    case 1:
        CAPTURE(capture, "compare", "--json", "--all", "--stacks", how, trace, trace);
        break;
    case 2:
        CAPTURE(capture, "why", "--region=", "--stacks", "--top=0", how, trace);
        break;
    case 3:
        CAPTURE(capture, "why", "--task=", "--stacks", "--top=0", how, trace);
        break;
    default:
        CAPTURE(capture, "why", "--group=", "--percentile=90", "--top=0", how, trace);
        break;
    }
}

/* The trace is large enough for threads that read ahead. */
static void test_analyses_are_the_same_with_any_number_of_threads(void **state)
{
    static const char *const more[] = {"--threads=2", "--threads=3", "--threads=5"};
    struct wire wire = {0};
    (void) state;
    sample_trace(&wire, 26, 3, 60000);
    assert_true(wire.size > 1 << 20);
    char *trace = capture_trace(&wire);
    for (unsigned analysis = 0; analysis < 5; analysis++) {
        struct capture one, other;
        capture_analysis(&one, analysis, "--one-thread", trace);
        assert_int_equal(one.exit_status, 0);
        assert_true(strlen(one.output) > 200);
        for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
            capture_analysis(&other, analysis, more[i], trace);
            assert_int_equal(other.exit_status, 0);
            assert_string_equal(other.output, one.output);
            capture_free(&other);
        }
        capture_free(&one);
    }
    unlink(trace);
    free(trace);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dump_is_the_same_with_one_thread),
        cmocka_unit_test(test_commands_that_read_events_take_one_thread),
        cmocka_unit_test(test_analyses_are_the_same_with_any_number_of_threads),
        cmocka_unit_test(test_stat_never_uses_a_second_thread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
