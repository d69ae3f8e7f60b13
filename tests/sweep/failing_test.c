/* SPDX-License-Identifier: BSD-3-Clause */

/* Every allocation, every read and every write fails in turn, once and permanently. */

#include "support/test.h"
#include "support/v1wire.h"
#include "sweep/failing.h"

static const char *const small[] = {
    "v1/go1.19-tasks.trace", "v1/go1.21-syscall.trace", "v2/go1.22-tasks.trace",
    "v2/go1.23-coro.trace",  "v2/go1.24-procs.trace",   "v2/go1.25-chan.trace",
    "v2/go1.26-sync.trace",  "v2/go1.27-tasks.trace",
};
#define SMALL (sizeof(small) / sizeof(small[0]))

/* Larger traces with several generations. */
static const char *const large[] = {
    "v1/go1.21-cpu.trace",
    "v2/go1.22-gens.trace",
    "v2/go1.27-flight.trace",
};
#define LARGE (sizeof(large) / sizeof(large[0]))

/* The stride over calls that fail in these, and in the others. */
#define STRIDE       7
#define SMALL_STRIDE TEST_STRIDE(5)

static void sweep(const struct use *uses, size_t count, const struct trace *trace,
                  enum run_source source, uint64_t stride)
{
    for (size_t i = 0; i < count; i++)
        failing_sweep(&uses[i], trace, source, stride);
}

static void sweep_all(const struct trace *trace, enum run_source source, uint64_t stride)
{
    sweep(use_readers, use_reader_count, trace, source, stride);
    sweep(use_raws, use_raw_count, trace, source, stride);
    sweep(use_analyses, use_analysis_count, trace, source, stride);
    sweep(use_drawings, use_drawing_count, trace, source, stride);
}

static void test_failing_calls_are_reported_from_memory(void **state)
{
    (void) state;
    for (size_t i = 0; i < SMALL; i++) {
        struct trace trace;

        trace_load(&trace, small[i]);
        sweep_all(&trace, FROM_MEMORY, SMALL_STRIDE);
        trace_free(&trace);
    }
}

static void test_failing_calls_are_reported_from_a_callback(void **state)
{
    (void) state;
    for (size_t i = 0; i < SMALL; i += 2) {
        struct trace trace;

        trace_load(&trace, small[i]);
        sweep_all(&trace, FROM_CALLBACK, SMALL_STRIDE);
        trace_free(&trace);
    }
}

static void test_failing_calls_are_reported_from_files(void **state)
{
    (void) state;
    for (size_t i = 1; i < SMALL; i += 2) {
        struct trace trace;

        trace_load(&trace, small[i]);
        sweep(use_readers, use_reader_count, &trace, FROM_FILE, SMALL_STRIDE);
        sweep(use_readers, use_reader_count, &trace, FROM_DESCRIPTOR, SMALL_STRIDE);
        sweep(use_raws, use_raw_count, &trace, FROM_FILE, SMALL_STRIDE);
        sweep(use_raws, use_raw_count, &trace, FROM_DESCRIPTOR, SMALL_STRIDE);
        trace_free(&trace);
    }
}

static void test_some_failing_calls_of_large_traces_are_reported(void **state)
{
    (void) state;
    for (size_t i = 0; i < LARGE; i++) {
        struct trace trace;

        trace_load(&trace, large[i]);
        sweep_all(&trace, FROM_CALLBACK, STRIDE);
        trace_free(&trace);
    }
}

/* Uses versions of which there is no recorded trace, with all kinds of events. */
static void test_failing_calls_of_generated_traces_are_reported(void **state)
{
    static const unsigned versions[] = {5, 7, 9, 10, 11, 22, 26};

    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        struct trace trace;

        trace_sample(&trace, versions[i], 40);
        sweep_all(&trace, FROM_MEMORY, SMALL_STRIDE);
        trace_free(&trace);
    }
}

/* One goroutine wakes another one in vain, over and over. */
static void write_futile(struct wire *wire, unsigned version, unsigned times)
{
    unsigned i;

    v1_start(wire, version);
    V1_EVENT(wire, V1_GO_CREATE, 1, 2, 0, 0);
    v1_batch(wire, 1, V1_TICKS + 50);
    V1_EVENT(wire, V1_PROC_START, 1, 6);
    V1_EVENT(wire, V1_GO_START, 1, 2, 1);
    V1_EVENT(wire, V1_GO_BLOCK_RECV, 1, 0);
    for (i = 0; i < times; i++) {
        v1_batch(wire, 0, V1_TICKS + 100 * i + 100);
        V1_EVENT(wire, V1_GO_UNBLOCK, 1, 2, 2 * i + 2, 0);
        v1_batch(wire, 1, V1_TICKS + 100 * i + 110);
        V1_EVENT(wire, V1_GO_START, 1, 2, 2 * i + 3);
        V1_EVENT(wire, V1_FUTILE_WAKEUP, 1);
        V1_EVENT(wire, V1_GO_BLOCK_RECV, 1, 0);
    }
    wire_batch_end(wire);
}

/* Before Go 1.11 the reader searches futile wake-ups before it gives any event. */
static void test_failing_calls_of_futile_wakeups_are_reported(void **state)
{
    static const unsigned versions[] = {5, 7, 10};

    (void) state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        struct wire wire = {0};
        struct trace trace;

        write_futile(&wire, versions[i], 30);
        trace_make(&trace, wire.data, wire.size);
        sweep(use_readers, use_reader_count, &trace, FROM_MEMORY, SMALL_STRIDE);
        trace_free(&trace);
        wire_free(&wire);
    }
}

/* The output is larger than the buffer of the writer. */
static void test_failing_writes_are_reported(void **state)
{
    struct trace trace;

    (void) state;
    trace_load(&trace, "v2/go1.26-flight.trace");
    sweep(use_drawings, use_drawing_count, &trace, FROM_MEMORY, STRIDE);
    trace_free(&trace);
    trace_load(&trace, "v2/go1.27-mix.trace");
    sweep(use_raws, use_raw_count, &trace, FROM_MEMORY, STRIDE);
    trace_free(&trace);
}

/* Uses traces that need repairs, and traces that end with an error of their own. */
static void test_failing_calls_of_damaged_traces_are_reported(void **state)
{
    static const unsigned places[] = {3, 5, 7, 8};

    (void) state;
    for (size_t i = 0; i < SMALL; i++) {
        struct trace whole, trace;

        trace_load(&whole, small[i]);
        for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); k++)
            whole.data[whole.size * places[k] / 9] ^= 0x15;
        trace_make(&trace, whole.data, whole.size - 9);
        sweep(use_readers, use_reader_count, &trace, FROM_MEMORY, SMALL_STRIDE);
        sweep(use_raws, use_raw_count, &trace, FROM_CALLBACK, SMALL_STRIDE);
        sweep(use_analyses, use_analysis_count, &trace, FROM_MEMORY, SMALL_STRIDE);
        trace_free(&trace);
        trace_free(&whole);
    }
}

static void to_text(struct trace *text, const struct trace *trace)
{
    const struct run like = {.trace = trace, .source = FROM_MEMORY};
    struct run run;

    run_init(&run, &like);
    use_raws[1].run(&run, &use_raws[1]);
    assert_status(run.status, GT_END);
    trace_make(text, run.output, run.output_size);
    run_free(&run);
}

/* Uses records in text form. */
static void test_failing_calls_of_text_are_reported(void **state)
{
    (void) state;
    for (size_t i = 0; i < SMALL; i += 3) {
        struct trace trace, text;

        trace_load(&trace, small[i]);
        to_text(&text, &trace);
        sweep(use_raws, use_raw_count, &text, FROM_MEMORY, SMALL_STRIDE);
        sweep(use_raws, use_raw_count, &text, FROM_CALLBACK, SMALL_STRIDE);
        trace_free(&text);
        trace_free(&trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_calls_are_reported_from_memory),
        cmocka_unit_test(test_failing_calls_are_reported_from_a_callback),
        cmocka_unit_test(test_failing_calls_are_reported_from_files),
        cmocka_unit_test(test_some_failing_calls_of_large_traces_are_reported),
        cmocka_unit_test(test_failing_calls_of_generated_traces_are_reported),
        cmocka_unit_test(test_failing_calls_of_futile_wakeups_are_reported),
        cmocka_unit_test(test_failing_writes_are_reported),
        cmocka_unit_test(test_failing_calls_of_damaged_traces_are_reported),
        cmocka_unit_test(test_failing_calls_of_text_are_reported),
    };

    return cmocka_run_group_tests_name("failing", tests, NULL, NULL);
}
