/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Events that cannot be decoded. The event before the bad one is delivered, and the error's offset
 * is that of the bad event's first byte.
 */

#include "support/fault.h"
#include "support/reading.h"
#include "support/test.h"

/* Begins a trace with two good events, and sets the position of the bad one. */
static void begin(struct wire *wire, unsigned version, struct fault *fault)
{
    wire_begin(wire, version);
    fault_generation(wire, 1);
    *fault = (struct fault){GT_ERR_EVENT, wire->size, 1, FAULT_GENERATION_EVENTS};
}

/* Does the same, and writes the bad event's type and `kept` of its numbers. */
static void begin_event(struct wire *wire, unsigned type, unsigned kept, struct fault *fault)
{
    begin(wire, fault_versions[type % FAULT_VERSIONS], fault);
    wire_byte(wire, type);
    while (kept-- > 0)
        wire_byte(wire, 1);
}

static int finish(const char *name, unsigned number, struct wire *wire, const struct fault *fault)
{
    int bad;
    wire_generation_end(wire);
    bad = fault_check(name, wire, fault);
    if (bad)
        print_error("    with %u\n", number);
    return bad;
}

static void test_unknown_type_is_an_error(void **state)
{
    struct wire wire = {0};
    struct fault fault;
    int bad = 0;
    (void) state;
    for (unsigned type = 0; type < 256; type++) {
        if (wire_event_counts[type] != 0 || type == EV_CLOCK_SNAPSHOT)
            continue;
        for (size_t k = 0; k < FAULT_VERSIONS; k++) {
            begin(&wire, fault_versions[k], &fault);
            WIRE_EVENT(&wire, type, 1, 1, 1, 1, 1);
            bad += finish("unknown type", type, &wire, &fault);
        }
    }
    assert_int_equal(bad, 0);
}

/* The first byte of a table starts a table only in versions that have that table. */
static void test_table_of_another_version_is_an_error(void **state)
{
    struct wire wire = {0};
    struct fault fault = {GT_ERR_EVENT, 0, 1, 1};
    (void) state;
    for (size_t k = 0; k < FAULT_VERSIONS; k++) {
        wire_begin(&wire, fault_versions[k]);
        wire_sync(&wire, 1, 1, WIRE_NANOSECONDS);
        wire_batch(&wire, 1, 5, 10);
        fault.offset = wire.size;
        wire_byte(&wire, fault_versions[k] >= 25 ? EV_FREQUENCY : EV_SYNC);
        assert_int_equal(finish("table", fault_versions[k], &wire, &fault), 0);
    }
}

/*
 * The byte that ends a generation does so between batches only. (Go also looks for it at the start
 * of any batch's content, and drops the rest of that batch.)
 */
static void test_generation_end_within_a_batch_is_an_error(void **state)
{
    struct wire wire = {0};
    struct fault fault = {GT_ERR_EVENT, 0, 1, 1};
    (void) state;
    for (size_t k = 0; k < FAULT_VERSIONS; k++) {
        wire_begin(&wire, fault_versions[k]);
        wire_sync(&wire, 1, 1, WIRE_NANOSECONDS);
        wire_batch(&wire, 1, 5, 10);
        fault.offset = wire.size;
        wire_byte(&wire, EV_END_OF_GENERATION);
        wire_running(&wire, 5, 0, 1);
        assert_int_equal(finish("end", fault_versions[k], &wire, &fault), 0);
    }
}

/* Every number of every event is cut off by the end of the batch. */
static void test_cut_event_is_an_error(void **state)
{
    struct wire wire = {0};
    struct fault fault;
    int bad = 0;
    (void) state;
    for (unsigned type = 0; type < 256; type++) {
        for (unsigned kept = 0; kept < wire_event_counts[type]; kept++) {
            begin_event(&wire, type, kept, &fault);
            bad += finish("event without a number", type, &wire, &fault);
            begin_event(&wire, type, kept, &fault);
            wire_byte(&wire, 0x80);
            bad += finish("event cut in a number", type, &wire, &fault);
        }
    }
    assert_int_equal(bad, 0);
}

/* The next batch does not complete an event that the end of its batch cuts off. */
static void test_cut_events_are_not_completed(void **state)
{
    struct wire wire = {0};
    struct fault fault;
    (void) state;
    begin(&wire, 22, &fault);
    wire_byte(&wire, EV_HEAP_ALLOC);
    wire_byte(&wire, 1);
    wire_byte(&wire, 0x81);
    wire_batch(&wire, 1, 5, 2000);
    WIRE_EVENT(&wire, EV_PROC_STOP, 1);
    assert_int_equal(finish("event over a batch's end", 0, &wire, &fault), 0);
}

static void test_number_of_over_64_bits_is_an_error(void **state)
{
    struct wire wire = {0};
    struct fault fault;
    int bad = 0;
    (void) state;
    for (unsigned type = 0; type < 256; type++) {
        for (unsigned kept = 0; kept < wire_event_counts[type]; kept++) {
            begin_event(&wire, type, kept, &fault);
            wire_varint_overlong(&wire);
            for (unsigned i = kept + 1; i < wire_event_counts[type]; i++)
                wire_byte(&wire, 1);
            bad += finish("overlong number", type, &wire, &fault);
        }
    }
    assert_int_equal(bad, 0);
}

/* A number has at most ten bytes, and the tenth holds one bit. */
static void test_tenth_byte_holds_only_one_bit(void **state)
{
    static const uint8_t most[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    static const uint8_t more[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02};
    gt_metric metric = GT_METRIC_INIT;
    struct reading r = {0};
    struct fault fault;
    (void) state;
    begin(&r.wire, 22, &fault);
    wire_bytes(&r.wire, (const uint8_t[]){EV_HEAP_ALLOC, 1}, 2);
    wire_bytes(&r.wire, most, sizeof(most));
    reading_open(&r, NULL);
    reading_skip(&r, FAULT_GENERATION_EVENTS);
    reading_next(&r, GT_EVENT_METRIC);
    assert_status(gt_event_metric(r.event, &metric), GT_OK);
    assert_true(metric.value.number == UINT64_MAX);
    reading_end(&r);
    begin(&r.wire, 22, &fault);
    wire_bytes(&r.wire, (const uint8_t[]){EV_HEAP_ALLOC, 1}, 2);
    wire_bytes(&r.wire, more, sizeof(more));
    assert_int_equal(finish("tenth byte", 2, &r.wire, &fault), 0);
}

/* A clock snapshot has the form of an event, but is not valid in a thread's batch. */
static void test_clock_snapshot_of_a_thread_is_an_error(void **state)
{
    struct wire wire = {0};
    struct fault fault;
    (void) state;
    for (size_t k = 0; k < FAULT_VERSIONS; k++) {
        begin(&wire, fault_versions[k], &fault);
        WIRE_EVENT(&wire, EV_CLOCK_SNAPSHOT, 1, 2, 3, 4);
        assert_int_equal(finish("clock snapshot", fault_versions[k], &wire, &fault), 0);
    }
}

/*
 * The bad event is the first of its thread: the Sync and the events of other threads are still
 * delivered.
 */
static void test_bad_first_event_of_a_thread_is_an_error(void **state)
{
    struct wire wire = {0};
    struct fault fault;
    (void) state;
    begin(&wire, 26, &fault);
    wire_batch(&wire, 1, 6, 5000);
    fault.offset = wire.size;
    wire_byte(&wire, 127);
    assert_int_equal(finish("first event", 127, &wire, &fault), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown_type_is_an_error),
        cmocka_unit_test(test_table_of_another_version_is_an_error),
        cmocka_unit_test(test_generation_end_within_a_batch_is_an_error),
        cmocka_unit_test(test_cut_event_is_an_error),
        cmocka_unit_test(test_cut_events_are_not_completed),
        cmocka_unit_test(test_number_of_over_64_bits_is_an_error),
        cmocka_unit_test(test_tenth_byte_holds_only_one_bit),
        cmocka_unit_test(test_clock_snapshot_of_a_thread_is_an_error),
        cmocka_unit_test(test_bad_first_event_of_a_thread_is_an_error),
    };
    return cmocka_run_group_tests_name("decode errors", tests, NULL, NULL);
}
