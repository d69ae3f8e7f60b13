/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Regions that do not nest: what a strict reader says, and what a lenient one makes of them. What
 * analyses make of them is in tests/command/nesting_command_test.py.
 */

#include <string.h>

#include "support/gen_events.h"
#include "support/test.h"
#include "support/v1wire.h"

enum {
    /* The number of open regions among which an end is looked for. */
    REACH = 1024,
    /* How many of them end, and the bytes of their types. */
    TURNS = 10000,
    SHORT_TYPE = 4,
    LONG_TYPE = 1000,
    /* What fits into a batch. */
    BATCH_MAX = 60000
};

/* What a lenient reader has made of a trace. */
struct outcome {
    char message[GT_ERROR_MESSAGE_SIZE]; /* of the last repair */
    unsigned reported;
    uint64_t repairs;
    gt_status status;
    gt_error error;
    unsigned begins, ends;
};

static void note_repair(void *user_data, const gt_error *repair)
{
    struct outcome *outcome = user_data;
    outcome->reported++;
    memcpy(outcome->message, repair->message, sizeof(outcome->message));
}

static struct outcome read_bytes(const struct wire *wire, uint64_t flags)
{
    struct outcome outcome = {.error = GT_ERROR_INIT};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader *reader;
    const gt_event *event;
    options.flags = flags;
    options.on_repair = note_repair;
    options.repair_data = &outcome;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, &options, NULL), GT_OK);
    while ((outcome.status = gt_reader_next_event(reader, &event)) == GT_OK) {
        outcome.begins += event->kind == GT_EVENT_REGION_BEGIN;
        outcome.ends += event->kind == GT_EVENT_REGION_END;
    }
    gt_reader_error(reader, &outcome.error);
    gt_reader_get_info(reader, &info);
    outcome.repairs = info.repairs;
    gt_reader_close(&reader);
    return outcome;
}

static void begin(struct gen *g)
{
    gen_begin(g, 26);
    gen_generation(g, 1);
    gen_running(g, 5, 0, 1);
}

static struct outcome read_trace(struct gen *g, uint64_t flags)
{
    gen_end(g);
    return read_bytes(&g->wire, flags);
}

/* The ends come in the order of the begins, in two generations. */
static void test_ends_are_paired_by_task_and_type_and_reported_once(void **state)
{
    static const char text[] =
        "region \"a\" of task 1 ends on goroutine 1, whose innermost is \"a\" of task 3";
    struct gen g = {0};
    (void) state;
    begin(&g);
    for (uint64_t task = 1; task <= 3; task++)
        gen_region_begin(&g, task, "a", 0);
    gen_region_end(&g, 1, "a", 0);
    gen_generation(&g, 2);
    gen_running(&g, 5, 0, 1);
    gen_region_end(&g, 2, "a", 0);
    gen_region_end(&g, 3, "a", 0);
    gen_region_end(&g, 4, "a", 0);
    struct outcome strict = read_trace(&g, 0);
    assert_status(strict.status, GT_ERR_ORDER);
    assert_string_equal(strict.error.message, text);
    struct outcome lenient = read_bytes(&g.wire, GT_READER_LENIENT);
    assert_status(lenient.status, GT_END);
    assert_int_equal(lenient.begins, 3);
    assert_int_equal(lenient.ends, 4);
    assert_int_equal(lenient.repairs, 2);
    assert_int_equal(lenient.reported, 1);
    assert_int_equal(strncmp(lenient.message, text, strlen(text)), 0);
    assert_string_equal(lenient.message + strlen(text),
                        "; regions that do not nest were paired by name");
    gen_free(&g);
}

/* Nothing is open that could end. */
static void test_end_of_another_region_is_left_out(void **state)
{
    struct gen g = {0};
    (void) state;
    begin(&g);
    gen_region_begin(&g, 1, "a", 0);
    gen_region_end(&g, 1, "b", 0);
    gen_region_end(&g, 1, "a", 0);
    struct outcome lenient = read_trace(&g, GT_READER_LENIENT);
    assert_status(lenient.status, GT_END);
    assert_int_equal(lenient.ends, 1);
    assert_int_equal(lenient.reported, 1);
    assert_string_equal(lenient.message, "region \"b\" of task 1 ends on goroutine 1, whose "
                                         "innermost is \"a\" of task 1; it is left out");
    gen_free(&g);
}

/* The search is bounded, so that its time is proportional to the size of the trace. */
static void test_end_is_looked_for_among_the_innermost_regions(void **state)
{
    (void) state;
    for (uint64_t count = REACH; count <= REACH + 1; count++) {
        struct gen g = {0};
        begin(&g);
        for (uint64_t task = 1; task <= count; task++)
            gen_region_begin(&g, task, "a", 0);
        gen_region_end(&g, 1, "a", 0);
        struct outcome lenient = read_trace(&g, GT_READER_LENIENT);
        assert_status(lenient.status, GT_END);
        assert_int_equal(lenient.ends, count == REACH ? 1 : 0);
        gen_free(&g);
    }
}

/* Types of a size that differ in their last two bytes only. */
static void write_types(struct wire *wire, size_t size)
{
    char type[LONG_TYPE] = {0};
    wire_strings(wire, 1);
    for (uint64_t i = 0; i < REACH; i++) {
        if (wire->size - wire->content_at > BATCH_MAX)
            wire_strings(wire, 1);
        type[size - 2] = (char) (i & 0x7f);
        type[size - 1] = (char) (i >> 7);
        wire_string_sized(wire, 1 + i, type, size);
    }
}

/* As many regions as possible are open, of which it is always the outermost that ends. */
static void write_turns(struct wire *wire, size_t size)
{
    wire_begin(wire, 22);
    wire->size_width = 3;
    wire_sync(wire, 1, 1, WIRE_NANOSECONDS);
    wire_batch(wire, 1, 5, 10);
    wire_running(wire, 5, 0, 1);
    for (uint64_t i = 0; i < REACH + TURNS; i++) {
        if (wire->size - wire->content_at > BATCH_MAX)
            wire_batch(wire, 1, 5, 20);
        if (i >= REACH)
            WIRE_EVENT(wire, EV_USER_REGION_END, 1, 0, 1 + i % REACH, 0);
        WIRE_EVENT(wire, EV_USER_REGION_BEGIN, 1, 0, 1 + i % REACH, 0);
    }
    write_types(wire, size);
}

static double turns_seconds(size_t size)
{
    struct wire wire = {0};
    write_turns(&wire, size);
    double seconds = test_cpu_seconds();
    struct outcome lenient = read_bytes(&wire, GT_READER_LENIENT);
    seconds = test_cpu_seconds() - seconds;
    assert_int_equal(lenient.ends, TURNS);
    wire_free(&wire);
    return seconds;
}

/*
 * A search does not compare the bytes of each type, which took twenty times as long. Some systems
 * tell the time in steps of 10 ms. With a sanitizer each byte of a type is dear that is read once.
 */
static void test_long_types_do_not_make_a_search_slow(void **state)
{
    (void) state;
    if (TEST_SANITIZED)
        skip();
    double time = turns_seconds(SHORT_TYPE), long_time = turns_seconds(LONG_TYPE);
    if (long_time > 4 * time + 0.1)
        fail_msg("%.0f ms with long types, %.0f ms with short ones", long_time * 1e3, time * 1e3);
}

/* Types are shortened at a character, and what would garble a terminal is replaced. */
static void test_message_has_room_for_both_types(void **state)
{
    struct gen g = {0};
    (void) state;
    begin(&g);
    gen_region_begin(&g, UINT64_MAX - 1, "\x1b[31m\"quoted\"\xff \xc3\xa4\xc3\xb6", 0);
    gen_region_end(&g, UINT64_MAX - 1, "0123456789012345678901234\xc3\xa4 and more", 0);
    struct outcome strict = read_trace(&g, 0);
    assert_status(strict.status, GT_ERR_ORDER);
    assert_string_equal(strict.error.message,
                        "region \"0123456789012345678901234...\" of task 18446744073709551614 ends "
                        "on goroutine 1, whose innermost is \"?[31m'quoted'? \xc3\xa4\xc3\xb6\" of "
                        "task 18446744073709551614");
    gen_free(&g);
}

/* Goroutine 1 of a trace of Go 1.21 ends two regions in the order of their begins. */
static void test_regions_before_go_1_22_are_paired_likewise(void **state)
{
    struct wire wire = {0};
    (void) state;
    v1_start(&wire, 21);
    v1_string(&wire, 1, "a");
    v1_string(&wire, 2, "b");
    V1_EVENT(&wire, V1_REGION, 1, 7, 0, 1, 0);
    V1_EVENT(&wire, V1_REGION, 1, 7, 0, 2, 0);
    V1_EVENT(&wire, V1_REGION, 1, 7, 1, 1, 0);
    V1_EVENT(&wire, V1_REGION, 1, 7, 1, 2, 0);
    struct outcome strict = read_bytes(&wire, 0);
    assert_status(strict.status, GT_ERR_ORDER);
    assert_string_equal(strict.error.message, "region \"a\" of task 7 ends on goroutine 1, whose "
                                              "innermost is \"b\" of task 7");
    struct outcome lenient = read_bytes(&wire, GT_READER_LENIENT);
    assert_status(lenient.status, GT_END);
    assert_int_equal(lenient.ends, 2);
    assert_int_equal(lenient.repairs, 1);
    assert_int_equal(lenient.reported, 1);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_are_paired_by_task_and_type_and_reported_once),
        cmocka_unit_test(test_end_of_another_region_is_left_out),
        cmocka_unit_test(test_end_is_looked_for_among_the_innermost_regions),
        cmocka_unit_test(test_long_types_do_not_make_a_search_slow),
        cmocka_unit_test(test_message_has_room_for_both_types),
        cmocka_unit_test(test_regions_before_go_1_22_are_paired_likewise),
    };
    return cmocka_run_group_tests_name("nesting", tests, NULL, NULL);
}
