/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * gotrace --lenient, --strict and --as-recorded: what they change in the output for a trace of Go
 * 1.21.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"
#include "support/files.h"
#include "support/test.h"
#include "support/v1wire.h"

/*
 * Writes a good trace with a garbage collection, followed by the first `extra` bytes of an event.
 */
static char *make_trace(int extra)
{
    struct wire wire = {0};
    char *path;

    v1_start(&wire, 21);
    V1_EVENT(&wire, V1_GC_START, 1, 0, 0);
    V1_EVENT(&wire, V1_GC_DONE, 1);
    if (extra > 0)
        wire_byte(&wire, V1_HEAP_ALLOC | 1 << 6);
    if (extra > 1)
        wire_byte(&wire, 1);
    path = capture_trace(&wire);
    wire_free(&wire);
    return path;
}

static unsigned long number_after(const char *whole, const char *text)
{
    return strtoul(capture_find(whole, text), NULL, 10);
}

static void test_cut_trace_is_an_error(void **state)
{
    char *trace = make_trace(2);
    struct capture run;

    (void) state;
    CAPTURE(&run, "dump", trace);
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, "");
    capture_free(&run);
    CAPTURE(&run, "stat", "--strict", trace);
    assert_int_equal(run.exit_status, 1);
    capture_find(run.output, "ended by an error");
    assert_int_equal(capture_count(run.output, "repairs"), 0);
    capture_free(&run);
    CAPTURE(&run, "dump", "--strict", trace);
    assert_int_equal(run.exit_status, 2);
    capture_free(&run);
    unlink(trace);
    free(trace);
}

static void test_lenient_dump_reports_each_repair(void **state)
{
    char *good = make_trace(0), *trace = make_trace(2);
    struct capture run, plain;
    char line[256];

    (void) state;
    CAPTURE(&plain, "dump", good);
    assert_int_equal(plain.exit_status, 0);
    CAPTURE(&run, "dump", "--lenient", trace);
    assert_int_equal(run.exit_status, 0);
    assert_string_equal(run.output, plain.output);
    snprintf(line, sizeof(line), "gotrace: %s: repaired: ", trace);
    assert_memory_equal(run.errors, line, strlen(line));
    assert_int_equal(capture_count(run.errors, "\n"), 1);
    capture_find(run.errors, " (offset ");
    capture_free(&run);
    capture_free(&plain);
    unlink(good);
    unlink(trace);
    free(good);
    free(trace);
}

/* It does so in both formats. */
static void test_stat_counts_repairs(void **state)
{
    char *good = make_trace(0), *trace = make_trace(1);
    struct capture run;

    (void) state;
    CAPTURE(&run, "stat", "--lenient", "--json", trace);
    assert_int_equal(run.exit_status, 0);
    assert_int_equal(number_after(run.output, "\"repairs\": "), 1);
    capture_find(run.output, "\"complete\": false,\n  \"first_repair\": {");
    capture_find(run.output, "\"error\": null");
    capture_free(&run);
    CAPTURE(&run, "stat", "--lenient", trace);
    assert_int_equal(run.exit_status, 0);
    assert_int_equal(number_after(run.output, "\nrepairs "), 1);
    capture_free(&run);
    CAPTURE(&run, "stat", "--lenient", good);
    assert_int_equal(number_after(run.output, "\nrepairs "), 0);
    assert_string_equal(run.errors, "");
    capture_free(&run);
    unlink(good);
    unlink(trace);
    free(good);
    free(trace);
}

/* What it says to try is an option that it has, and that works. */
static void test_trace_without_its_end_names_the_option_that_reads_it(void **state)
{
    struct wire wire = {0};
    struct capture run;
    char *trace;

    (void) state;
    wire_begin(&wire, 21);
    v1_batch(&wire, 0, V1_TICKS);
    V1_EVENT(&wire, V1_HEAP_ALLOC, 1, 77);
    trace = capture_trace(&wire);
    CAPTURE(&run, "dump", trace);
    assert_int_equal(run.exit_status, 1);
    capture_find(run.errors, ": cut off before its frequency; try --lenient (offset ");
    capture_free(&run);
    CAPTURE(&run, "dump", "--lenient", trace);
    assert_int_equal(run.exit_status, 0);
    capture_find(run.output, "Value{Uint64(77)}");
    capture_find(run.errors, ": repaired: cut off before its frequency; 39062500 ticks a second");
    capture_free(&run);
    CAPTURE(&run, "stat", "--strict", trace);
    capture_find(run.output, "cut off before its frequency; try --lenient");
    capture_free(&run);
    unlink(trace);
    free(trace);
    wire_free(&wire);
}

/* Without --lenient stat repairs as well, but the trace counts as bad. */
static void test_stat_reports_its_first_repair_and_exits_with_1(void **state)
{
    char *good = make_trace(0), *path = files_join(files_testdata(), "v2/go1.26-cut.trace");
    struct capture run, lenient;

    (void) state;
    CAPTURE(&run, "stat", path);
    CAPTURE(&lenient, "stat", "--lenient", path);
    assert_int_equal(run.exit_status, 1);
    assert_int_equal(lenient.exit_status, 0);
    assert_string_equal(run.output, lenient.output);
    capture_find(run.output, "\ncomplete              no, repaired: batch is cut off");
    assert_int_equal(capture_count(run.errors, "\n"), 2);
    assert_int_equal(capture_count(lenient.errors, "\n"), number_after(run.output, "\nrepairs "));
    assert_memory_equal(run.errors, lenient.errors, strcspn(lenient.errors, "\n"));
    capture_find(run.errors, ": repaired: 3 more; --lenient names them\n");
    capture_free(&lenient);
    capture_free(&run);
    CAPTURE(&run, "stat", good);
    assert_int_equal(run.exit_status, 0);
    assert_string_equal(run.errors, "");
    assert_int_equal(capture_count(run.output, "repair"), 0);
    capture_free(&run);
    unlink(good);
    free(good);
    free(path);
}

static void test_strict_excludes_lenient(void **state)
{
    struct capture run;

    (void) state;
    CAPTURE(&run, "stat", "--strict", "--lenient", "x");
    assert_int_equal(run.exit_status, 2);
    capture_find(run.errors, "--strict and --lenient exclude each other");
    capture_free(&run);
}

/* Go's own reader drops it. */
static void test_as_recorded_includes_the_first_gomaxprocs(void **state)
{
    static const char metric[] = "Metric Time=3 Name=\"/sched/gomaxprocs:threads\" "
                                 "Value=Value{Uint64(4)}";
    char *trace = make_trace(0);
    struct capture run;

    (void) state;
    CAPTURE(&run, "dump", trace);
    assert_int_equal(run.exit_status, 0);
    assert_int_equal(capture_count(run.output, metric), 0);
    capture_free(&run);
    CAPTURE(&run, "dump", "--as-recorded", trace);
    assert_int_equal(run.exit_status, 0);
    assert_int_equal(capture_count(run.output, metric), 1);
    capture_free(&run);
    CAPTURE(&run, "stat", "--as-recorded", trace);
    assert_int_equal(number_after(run.output, "GOMAXPROCS, peak"), 4);
    capture_free(&run);
    unlink(trace);
    free(trace);
}

/* A garbage collection begins on a stand-in for a proc. */
static void test_stand_in_is_not_counted_as_a_proc(void **state)
{
    char *trace = make_trace(0);
    struct capture run;

    (void) state;
    CAPTURE(&run, "dump", trace);
    capture_find(run.output, " P=1000004 ");
    capture_free(&run);
    CAPTURE(&run, "stat", trace);
    assert_int_equal(run.exit_status, 0);
    capture_find(run.output, "header                go 1.21\n");
    assert_int_equal(number_after(run.output, "\ngenerations "), 1);
    assert_int_equal(number_after(run.output, "\nprocs "), 1);
    assert_int_equal(number_after(run.output, "\nthreads "), 1);
    assert_int_equal(number_after(run.output, "\nGC cycles "), 1);
    capture_free(&run);
    unlink(trace);
    free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_trace_is_an_error),
        cmocka_unit_test(test_lenient_dump_reports_each_repair),
        cmocka_unit_test(test_trace_without_its_end_names_the_option_that_reads_it),
        cmocka_unit_test(test_stat_reports_its_first_repair_and_exits_with_1),
        cmocka_unit_test(test_strict_excludes_lenient),
        cmocka_unit_test(test_stat_counts_repairs),
        cmocka_unit_test(test_as_recorded_includes_the_first_gomaxprocs),
        cmocka_unit_test(test_stand_in_is_not_counted_as_a_proc),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
