/* SPDX-License-Identifier: BSD-3-Clause */

/* gotrace mmu: the output in each format, and wrong options. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"
#include "support/gen_events.h"
#include "support/test.h"

#define SECOND UINT64_C(1000000000)

/* Stops the world at `time` for `length` nanoseconds. */
static void stop(struct gen *g, uint64_t time, uint64_t length)
{
    g->dt = time - g->time;
    gen_stw_begin(g, "GC mark termination", 0);
    g->dt = length;
    gen_bare(g, EV_STW_END);
}

static void begin(struct gen *g)
{
    gen_begin(g, 26);
    g->time = 1000;
    gen_generation(g, 1);
    g->dt = 1;
    gen_running(g, 5, 0, 1);
    g->dt = 1000;
    GEN_EVENT(g, EV_PROCS_CHANGE, 2, 0);
}

static char *write_trace(struct gen *g)
{
    char *path;

    gen_end(g);
    path = capture_trace(&g->wire);
    gen_free(g);
    return path;
}

/*
 * Writes a trace of 10 us from 2002 on. The collector has 1 us of the first 5 us, and 2 us of the
 * last 5 us.
 */
static char *make_short(void)
{
    struct gen g = {0};

    begin(&g);
    stop(&g, 4002, 1000);
    stop(&g, 8002, 2000);
    g.dt = 1999;
    GEN_EVENT(&g, EV_HEAP_ALLOC, 1);
    return write_trace(&g);
}

static void drop(char *path)
{
    unlink(path);
    free(path);
}

/* Asserts that the command prints `output` for this trace with these arguments. */
static void expect(const char *trace, const char *const *arguments, const char *output)
{
    const char *all[CAPTURE_ARGUMENTS] = {"mmu"};
    struct capture run;
    size_t i;

    for (i = 0; arguments[i]; i++)
        all[i + 1] = arguments[i];
    all[i + 1] = trace;
    capture_command(&run, all);
    assert_string_equal(run.errors, "");
    assert_string_equal(run.output, output);
    assert_int_equal(run.exit_status, 0);
    capture_free(&run);
}

#define EXPECT(trace, output, ...)                                                                 \
    expect((trace), (const char *const[]){__VA_ARGS__, NULL}, (output))

static void test_default_curves_are_those_of_go(void **state)
{
    static const char *const names[] = {"stw+background+assist", "stw+background+assist+sweep",
                                        "stw", "perproc stw+background+assist"};
    static const char *const values[] = {
        "1\302\265s mmu=0.000000000", "10\302\265s mmu=0.700000000", "100\302\265s mmu=0.700000000",
        "1ms mmu=0.700000000",        "10ms mmu=0.700000000",        "100ms mmu=0.700000000",
        "1s mmu=0.700000000"};
    char *trace = make_short();
    char expected[4096] = "";
    struct capture run;

    (void) state;
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 7; k++) {
            size_t used = strlen(expected);

            snprintf(expected + used, sizeof(expected) - used, "%s window=%s\n", names[i],
                     values[k]);
        }
    }
    CAPTURE(&run, "mmu", trace);
    assert_int_equal(run.exit_status, 0);
    assert_string_equal(run.output, expected);
    assert_string_equal(run.errors, "");
    capture_free(&run);
    drop(trace);
}

static void test_flags_choose_what_counts(void **state)
{
    static const struct {
        const char *flags;
        const char *name;
        const char *mmu;
    } rows[] = {
        {"--flags=stw", "stw", "0.000000000"},
        {"--flags=sweep", "sweep", "1.000000000"},
        {"--flags=perproc,stw", "perproc stw", "0.000000000"},
        {"--flags=sweep+assist,background", "background+assist+sweep", "1.000000000"},
        {"--flags=exact,background,perproc", "perproc background+exact", "1.000000000"},
    };

    char *trace = make_short();
    struct capture run;

    (void) state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char line[128];

        snprintf(line, sizeof(line), "%s window=1\302\265s mmu=%s\n", rows[i].name, rows[i].mmu);
        CAPTURE(&run, "mmu", rows[i].flags, trace);
        assert_int_equal(run.exit_status, 0);
        assert_memory_equal(run.output, line, strlen(line));
        assert_int_equal(capture_count(run.output, "\n"), 7);
        capture_free(&run);
    }
    drop(trace);
}

static void test_windows_are_as_many_as_asked_for(void **state)
{
    char *trace = make_short();

    (void) state;
    EXPECT(trace,
           "stw window=1\302\265s mmu=0.000000000\n"
           "stw window=3.162\302\265s mmu=0.367488931\n"
           "stw window=10\302\265s mmu=0.700000000\n",
           "--flags", "stw", "--windows", "3");
    EXPECT(trace,
           "flags,window_ns,mmu\n"
           "sweep,1000,1.000000000\n"
           "sweep,10000,1.000000000\n",
           "--flags=sweep", "--windows=2", "--csv");
    drop(trace);
}

/* The trace is shorter than 1 us, which is the shortest window. */
static void test_short_trace_has_windows_of_1_us(void **state)
{
    struct gen g = {0};
    char *trace;

    (void) state;
    begin(&g);
    stop(&g, 2500, 250);
    g.dt = 251;
    GEN_EVENT(&g, EV_HEAP_ALLOC, 1);
    trace = write_trace(&g);
    EXPECT(trace,
           "flags,window_ns,mmu\n"
           "stw,1000,0.750000000\n"
           "stw,1000,0.750000000\n",
           "--flags=stw", "--windows=2", "--csv");
    drop(trace);
}

static void test_quantiles_follow_the_minimum(void **state)
{
    char *trace = make_short();

    (void) state;
    EXPECT(trace,
           "stw window=1\302\265s mmu=0.000000000 p0.1=0.000000000 p1=0.000000000 "
           "p5=0.000000000\n"
           "stw window=10\302\265s mmu=0.700000000 p0.1=0.700000000 p1=0.700000000 "
           "p5=0.700000000\n",
           "--flags=stw", "--windows=2", "--quantiles");
    EXPECT(trace,
           "flags,window_ns,mmu,p0.1,p1,p5\n"
           "stw,1000,0.000000000,0.000000000,0.000000000,0.000000000\n"
           "stw,10000,0.700000000,0.700000000,0.700000000,0.700000000\n",
           "--flags=stw", "--windows=2", "--quantiles", "--csv");
    EXPECT(trace,
           "[\n"
           "{\"flags\":\"sweep\",\"window_ns\":1000,\"mmu\":1.000000000,\"p0.1\":1.000000000,"
           "\"p1\":1.000000000,\"p5\":1.000000000},\n"
           "{\"flags\":\"sweep\",\"window_ns\":10000,\"mmu\":1.000000000,\"p0.1\":1.000000000,"
           "\"p1\":1.000000000,\"p5\":1.000000000}\n"
           "]\n",
           "--flags=sweep", "--windows=2", "--quantiles", "--json");
    drop(trace);
}

static void test_worst_windows_are_listed(void **state)
{
    char *trace = make_short();

    (void) state;
    EXPECT(trace,
           "stw Time=7002 after=5\302\265s utilization=0.333333333\n"
           "stw Time=2002 after=0s utilization=0.666666667\n",
           "--flags=stw", "--worst=3us");
    EXPECT(trace,
           "flags,window_ns,time,utilization\n"
           "stw,3000,7002,0.333333333\n"
           "stw,3000,2002,0.666666667\n",
           "--flags=stw", "--worst=3\302\265s", "--csv");
    EXPECT(trace,
           "[\n"
           "{\"flags\":\"stw\",\"window_ns\":3000,\"time\":7002,\"utilization\":0.333333333},\n"
           "{\"flags\":\"stw\",\"window_ns\":3000,\"time\":2002,\"utilization\":0.666666667}\n"
           "]\n",
           "--flags=stw", "--worst", "3000", "--json");
    drop(trace);
}

static void test_durations_are_read_as_go_does(void **state)
{
    static const struct {
        const char *length;
        const char *nanoseconds;
    } rows[] = {
        {"1", "1,"},
        {"1ns", "1,"},
        {"999999999999999999", "999999999999999999,"},
        {"0.5us", "500,"},
        {"1.25ms", "1250000,"},
        {"2s", "2000000000,"},
        {"0.000000001s", "1,"},
        {"1.5m", "90000000000,"},
        {"2h", "7200000000000,"},
        {"2562047h", "9223369200000000000,"},
    };

    static const char *const bad[] = {"",      "0",   "0s",       "x",
                                      "-1s",   "1.",  ".5s",      "1d",
                                      "1s500", "1 s", "2562048h", "1000000000000000000"};
    char *trace = make_short();
    struct capture run;

    (void) state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CAPTURE(&run, "mmu", "--flags=stw", "--csv", "--worst", rows[i].length, trace);
        assert_int_equal(run.exit_status, 0);
        assert_memory_equal(capture_find(run.output, "\nstw,"), rows[i].nanoseconds,
                            strlen(rows[i].nanoseconds));
        capture_free(&run);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        CAPTURE(&run, "mmu", "--worst", bad[i], trace);
        assert_int_equal(run.exit_status, 2);
        capture_find(run.errors, "not a length of time such as 10ms:");
        capture_free(&run);
    }
    drop(trace);
}

/* The times count from the start of the trace. */
static void test_times_of_all_sizes_are_written(void **state)
{
    static const struct {
        uint64_t after;
        const char *text;
    } stops[] = {
        {999, "999ns"},
        {1500, "1.5\302\265s"},
        {1001000, "1.001ms"},
        {59 * SECOND, "59s"},
        {60 * SECOND, "1m0s"},
        {3600 * SECOND + 1, "1h0m0.000000001s"},
        {100 * 3600 * SECOND + 61 * SECOND + 20000000, "100h1m1.02s"},
    };
    struct gen g = {0};
    struct capture run;
    char *trace;
    size_t i;

    (void) state;
    begin(&g);
    for (i = 0; i < sizeof(stops) / sizeof(*stops); i++)
        stop(&g, 2002 + stops[i].after, 100);
    trace = write_trace(&g);
    CAPTURE(&run, "mmu", "--flags=stw", "--worst=100", trace);
    for (i = 0; i < sizeof(stops) / sizeof(*stops); i++) {
        char line[128];

        snprintf(line, sizeof(line), " after=%s utilization=0.000000000\n", stops[i].text);
        capture_find(run.output, line);
    }
    assert_int_equal(capture_count(run.output, "utilization=0.0"), i);
    capture_free(&run);
    drop(trace);
}

static void test_wrong_options_exit_with_2(void **state)
{
    static const char *const bad[][2] = {
        {"--flags=", "not a list of what counts:"},
        {"--flags=perproc", "not a list of what counts:"},
        {"--flags=exact", "not a list of what counts:"},
        {"--flags=stw,", ""},
        {"--flags=stw,,sweep", "not a list of what counts:"},
        {"--flags=stws", "not a list of what counts:"},
        {"--flags=st", "not a list of what counts:"},
        {"--flags=STW", "not a list of what counts:"},
        {"--windows=", "not a number from 2 to 1000:"},
        {"--windows=1", "not a number from 2 to 1000:"},
        {"--windows=1001", "not a number from 2 to 1000:"},
        {"--windows=-5", "not a number from 2 to 1000:"},
        {"--windows=5x", "not a number from 2 to 1000:"},
        {"--windows=99999999999999999999", "not a number from 2 to 1000:"},
    };
    struct capture run;

    (void) state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        CAPTURE(&run, "mmu", bad[i][0], "/no/such/file");
        /* What is good is not complained of; then there is no such file. */
        assert_int_equal(run.exit_status, *bad[i][1] ? 2 : 1);
        assert_string_equal(run.output, "");
        capture_find(run.errors, bad[i][1]);
        capture_free(&run);
    }
    CAPTURE(&run, "mmu", "--json", "--csv", "/no/such/file");
    assert_int_equal(run.exit_status, 2);
    capture_find(run.errors, "--json and --csv exclude each other");
    capture_free(&run);
}

/* That holds for all formats. */
static void test_trace_without_events_prints_nothing(void **state)
{
    static const char *const forms[] = {"--quantiles", "--json", "--csv", "--worst=1ms"};
    struct wire wire = {0};
    struct capture run;
    char *trace;

    (void) state;
    wire_begin(&wire, 21);
    trace = capture_trace(&wire);
    wire_free(&wire);
    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        CAPTURE(&run, "mmu", forms[i], trace);
        assert_int_equal(run.exit_status, 1);
        assert_string_equal(run.output, "");
        assert_memory_equal(run.errors, "gotrace: ", 9);
        capture_free(&run);
    }
    drop(trace);
}

static void test_cut_trace_is_measured_before_its_error(void **state)
{
    struct gen g = {0};
    struct capture run;
    char *trace;

    (void) state;
    begin(&g);
    stop(&g, 3001, 1000);
    gen_generation(&g, 2);
    g.dt = 1;
    gen_running(&g, 5, 0, 2);
    trace = write_trace(&g);
    CAPTURE(&run, "mmu", "--flags=stw", "--windows=2", "--csv", trace);
    assert_int_equal(run.exit_status, 1);
    assert_string_equal(run.output, "flags,window_ns,mmu\n"
                                    "stw,1000,0.000000000\n"
                                    "stw,2001,0.500249875\n");
    assert_memory_equal(run.errors, "gotrace: ", 9);
    capture_free(&run);
    drop(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_curves_are_those_of_go),
        cmocka_unit_test(test_flags_choose_what_counts),
        cmocka_unit_test(test_windows_are_as_many_as_asked_for),
        cmocka_unit_test(test_short_trace_has_windows_of_1_us),
        cmocka_unit_test(test_quantiles_follow_the_minimum),
        cmocka_unit_test(test_worst_windows_are_listed),
        cmocka_unit_test(test_durations_are_read_as_go_does),
        cmocka_unit_test(test_times_of_all_sizes_are_written),
        cmocka_unit_test(test_wrong_options_exit_with_2),
        cmocka_unit_test(test_trace_without_events_prints_nothing),
        cmocka_unit_test(test_cut_trace_is_measured_before_its_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
