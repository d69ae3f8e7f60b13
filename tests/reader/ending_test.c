/* SPDX-License-Identifier: BSD-3-Clause */

/* How the recording of a trace has ended. */

#include "support/reading.h"
#include "support/test.h"

/* Begins a generation with its clock, and thread 5 with goroutine 1 on proc 0. */
static void write_generation(struct wire *wire, uint64_t number)
{
    wire_sync(wire, number, 1000 * number, WIRE_NANOSECONDS);
    wire_batch(wire, number, 5, 1000 * number + 1);
    wire_running(wire, 5, 0, 1);
    wire_generation_end(wire);
}

/* Begins a generation, of which there is only the clock. */
static void write_clock(struct wire *wire, uint64_t number)
{
    wire_sync(wire, number, 1000 * number, WIRE_NANOSECONDS);
    wire_batch_end(wire);
}

/* Reads a trace. How its recording has ended is not known before the Sync at its end. */
static void expect(struct reading *r, gt_ending ending)
{
    const gt_event *event;
    gt_status status;
    reading_open(r, NULL);
    while ((status = gt_reader_next_event(r->reader, &event)) == GT_OK) {
        if (event->kind != GT_EVENT_SYNC)
            assert_int_equal(gt_reader_get_ending(r->reader), GT_ENDING_UNKNOWN);
    }
    assert_status(status, GT_END);
    assert_int_equal(gt_reader_get_ending(r->reader), ending);
    reading_close(r);
}

static void test_recording_that_was_stopped_has_nothing_behind_its_last_marker(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 26);
    write_generation(&r.wire, 1);
    write_generation(&r.wire, 2);
    expect(&r, GT_ENDING_STOPPED);
}

static void test_program_that_ended_has_begun_another_generation(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 26);
    write_generation(&r.wire, 1);
    write_clock(&r.wire, 2);
    expect(&r, GT_ENDING_RUNNING);
}

/* It ended in the first second, or before anything but the header was written. */
static void test_program_that_ended_at_once_leaves_no_generation(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 26);
    write_clock(&r.wire, 1);
    expect(&r, GT_ENDING_RUNNING);
    wire_begin(&r.wire, 26);
    expect(&r, GT_ENDING_RUNNING);
}

static void test_older_formats_do_not_tell(void **state)
{
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 25);
    write_generation(&r.wire, 1);
    write_clock(&r.wire, 2);
    expect(&r, GT_ENDING_UNKNOWN);
    assert_int_equal(gt_reader_get_ending(NULL), GT_ENDING_UNKNOWN);
}

/* What is left of a trace that was cut off does not tell. */
static void test_trace_that_is_cut_off_does_not_tell(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct reading r = {0};
    const gt_event *event;
    gt_status status;
    (void) state;
    options.flags = GT_READER_LENIENT;
    wire_begin(&r.wire, 26);
    write_generation(&r.wire, 1);
    write_generation(&r.wire, 2);
    r.wire.size--; /* the end marker */
    reading_open(&r, &options);
    while ((status = gt_reader_next_event(r.reader, &event)) == GT_OK)
        continue;
    assert_status(status, GT_END);
    assert_int_equal(gt_reader_get_ending(r.reader), GT_ENDING_UNKNOWN);
    reading_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recording_that_was_stopped_has_nothing_behind_its_last_marker),
        cmocka_unit_test(test_program_that_ended_has_begun_another_generation),
        cmocka_unit_test(test_program_that_ended_at_once_leaves_no_generation),
        cmocka_unit_test(test_older_formats_do_not_tell),
        cmocka_unit_test(test_trace_that_is_cut_off_does_not_tell),
    };
    return cmocka_run_group_tests_name("ending", tests, NULL, NULL);
}
