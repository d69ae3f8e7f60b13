/* SPDX-License-Identifier: BSD-3-Clause */

/* gotrace json: its options and inputs. tests/golden checks what it draws. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"
#include "support/sample.h"
#include "support/test.h"

static char *make_trace(unsigned generations)
{
    struct wire wire = {0};
    char *path;

    sample_trace(&wire, 26, generations, 200);
    path = capture_trace(&wire);
    wire_free(&wire);
    return path;
}

static void remove_trace(char *path)
{
    unlink(path);
    free(path);
}

static void test_view_decides_what_rows_are(void **state)
{
    static const char *const views[] = {"proc", "thread", "goroutine"};
    static const char *const types[] = {"\"PROCS\"", "\"OS THREADS\"", "\"G\""};
    char *trace = make_trace(1);
    struct capture run;

    (void) state;
    for (size_t i = 0; i < 3; i++) {
        CAPTURE(&run, "json", "--view", views[i], trace);
        assert_int_equal(run.exit_status, 0);
        assert_string_equal(run.errors, "");
        capture_find(run.output, types[i]);
        capture_free(&run);
    }
    CAPTURE(&run, "json", trace);
    capture_find(run.output, types[0]);
    capture_free(&run);
    remove_trace(trace);
}

static void test_wrong_options_exit_with_2(void **state)
{
    static const char *const wrong[][2] = {
        {"--view=heap", "no view: 'heap'"},
        {"--goid=-1", "not a number: '-1'"},
        {"--taskid=", "not a number: ''"},
        {"--focustask=0x1", "not a number: '0x1'"},
        {"--start=1", "--start and --end go together"},
        {"--end=1", "--start and --end go together"},
        {"--part-size=1k", "not a number: '1k'"},
    };
    struct capture run;

    (void) state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        CAPTURE(&run, "json", wrong[i][0], "/dev/null");
        assert_int_equal(run.exit_status, 2);
        assert_string_equal(run.output, "");
        capture_find(run.errors, wrong[i][1]);
        capture_free(&run);
    }
    CAPTURE(&run, "json", "--goid=1", "--taskid=1", "/dev/null");
    assert_int_equal(run.exit_status, 2);
    capture_find(run.errors, "only one of --goid, --taskid and --focustask");
    capture_free(&run);
}

static void test_unknown_selection_is_an_error(void **state)
{
    char *trace = make_trace(1);
    struct capture run;

    (void) state;
    CAPTURE(&run, "json", "--goid=12345", trace);
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, "");
    capture_find(run.errors, "nothing to show of goroutine 12345\n");
    capture_free(&run);
    CAPTURE(&run, "json", "--focustask=12345", trace);
    assert_int_equal(run.exit_status, 1);
    capture_find(run.errors, "nothing to show of task 12345\n");
    capture_free(&run);
    remove_trace(trace);
}

/* With a selection the trace is read twice, which needs a copy of the pipe. */
static void test_pipe_draws_the_same_as_a_file(void **state)
{
    static const char *const options[] = {"--view=proc", "--goid=1"};
    char *trace = make_trace(1), script[1000];
    struct capture from_file, from_pipe;

    (void) state;
    for (size_t i = 0; i < 2; i++) {
        snprintf(script, sizeof(script), "cat %s | \"$GT_COMMAND\" json %s -", trace, options[i]);
        CAPTURE(&from_file, "json", options[i], trace);
        capture_program(&from_pipe, "sh", (const char *const[]){"-c", script, NULL});
        assert_int_equal(from_pipe.exit_status, 0);
        assert_string_equal(from_pipe.output, from_file.output);
        capture_free(&from_file);
        capture_free(&from_pipe);
    }
    remove_trace(trace);
}

/* The document is complete all the same. */
static void test_cut_trace_is_drawn_before_its_error(void **state)
{
    struct wire wire = {0};
    struct capture run;
    char *trace;

    (void) state;
    sample_trace(&wire, 26, 2, 200);
    wire.size -= 10;
    trace = capture_trace(&wire);
    wire_free(&wire);
    CAPTURE(&run, "json", "--goid=1", trace);
    assert_int_equal(run.exit_status, 1);
    assert_int_equal(capture_count(run.errors, trace), 1);
    capture_find(run.output, "\"stackFrames\":");
    assert_string_equal(run.output + strlen(run.output) - 3, "\n}\n");
    capture_find(run.output, "\"G1 ");
    capture_free(&run);
    remove_trace(trace);
}

static void test_parts_have_their_own_events_and_all_row_names(void **state)
{
    char *trace = make_trace(1);
    struct capture parts, whole, part;
    unsigned events = 0, count;
    char *line;

    (void) state;
    CAPTURE(&whole, "json", trace);
    count = capture_count(whole.output, "\"ph\":\"X\"");
    capture_free(&whole);
    CAPTURE(&parts, "json", trace, "--parts", "--part-size=10000");
    assert_int_equal(parts.exit_status, 0);
    assert_true(capture_count(parts.output, "\n") > 2);
    for (line = strtok(parts.output, "\n"); line; line = strtok(NULL, "\n")) {
        char first[30], last[30];

        assert_int_equal(sscanf(line, "--start %29s --end %29s #", first, last), 2);
        CAPTURE(&part, "json", "--start", first, "--end", last, trace);
        assert_int_equal(part.exit_status, 0);
        assert_true(strlen(part.output) < 15000);
        assert_int_equal(capture_count(part.output, "\"Proc 0\""), 1);
        events += capture_count(part.output, "\"ph\":\"X\"");
        capture_free(&part);
    }
    assert_int_equal(events, count);
    capture_free(&parts);
    CAPTURE(&parts, "json", trace, "--parts");
    assert_int_equal(parts.exit_status, 0);
    assert_string_equal(parts.output, "");
    capture_free(&parts);
    remove_trace(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view_decides_what_rows_are),
        cmocka_unit_test(test_wrong_options_exit_with_2),
        cmocka_unit_test(test_unknown_selection_is_an_error),
        cmocka_unit_test(test_pipe_draws_the_same_as_a_file),
        cmocka_unit_test(test_cut_trace_is_drawn_before_its_error),
        cmocka_unit_test(test_parts_have_their_own_events_and_all_row_names),
    };

    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
