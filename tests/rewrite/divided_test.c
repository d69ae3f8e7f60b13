/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Generations that are divided: gt_writer_options.generation_bytes. If $GT_PEER names a binary that
 * does what `go tool trace` does, it has to read the copies, too.
 */

#include <stdlib.h>
#include <string.h>

#include "rewrite/copy.h"
#include "support/files.h"
#include "support/gen_events.h"
#include "support/test.h"
#include "support/v1wire.h"

static const char *const traces[] = {
    "v1/go1.19-sync.trace",   "v1/go1.21-gc.trace",     "v1/go1.21-syscall.trace",
    "v1/go1.21-tasks.trace",  "v1/go1.21-thread.trace", "v2/go1.22-gcgens.trace",
    "v2/go1.23-gens.trace",   "v2/go1.24-gcgens.trace", "v2/go1.26-gcgens.trace",
    "v2/go1.27-gcgens.trace", "v2/go1.27-gens.trace",   "v2/go1.27-mix.trace",
};

/* Returns whether an event tells what exists, which the input need not do there. */
static bool names_something(const gt_event *event)
{
    gt_wire_event wire = GT_WIRE_EVENT_INIT;
    assert_status(gt_event_wire(event, &wire), GT_OK);
    switch (wire.type) {
    case GT_WIRE_PROC_STATUS:
    case GT_WIRE_GO_STATUS:
    case GT_WIRE_GC_SWEEP_ACTIVE:
    case GT_WIRE_GC_MARK_ASSIST_ACTIVE:
    case GT_WIRE_GC_ACTIVE:
        return true;
    default:
        return event->kind == GT_EVENT_SYNC;
    }
}

/* Returns the next event that names nothing, or NULL at the end. */
static const gt_event *next_event(gt_reader *reader, unsigned *named)
{
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        if (!names_something(event))
            return event;
        ++*named;
    }
    assert_status(status, GT_END);
    return NULL;
}

/* Asserts that the copy has the events of the input besides those that name something. */
static void expect_events(gt_reader *input, const struct copy *copy, int64_t offset, bool is_old)
{
    gt_reader *output = copy_open(copy);
    unsigned named[2] = {0, 0};
    const gt_event *a, *b;
    do {
        a = next_event(input, &named[0]);
        b = next_event(output, &named[1]);
        if (!a || !b)
            break;
        assert_int_equal(a->kind, b->kind);
        /* Events of Go 1.21 may have to move. */
        if (!is_old) {
            assert_int_equal(a->goroutine, b->goroutine);
            assert_int_equal(a->thread, b->thread);
        }
        if (copy->info.delayed == 0)
            assert_int_equal(a->time + offset, b->time);
    } while (true);
    assert_ptr_equal(a, b);
    assert_true(named[1] >= named[0]);
    gt_reader_close(&output);
}

static void check_size(const uint8_t *data, size_t size, uint64_t generation_bytes, bool is_old)
{
    gt_reader *input;
    struct copy whole, copy;
    copy_init(&whole);
    copy_make(&whole, data, size);
    copy_init(&copy);
    copy.options.generation_bytes = generation_bytes;
    copy_make(&copy, data, size);
    copy_expect_good(&copy);
    assert_int_equal(copy_validate(copy.out.data, copy.out.size).findings,
                     copy_validate(data, size).findings);
    assert_status(gt_reader_open_memory(&input, data, size, NULL, NULL), GT_OK);
    if (!is_old || copy.info.handed_over == 0)
        expect_events(input, &copy, is_old ? GT_WRITER_V1_OFFSET : 0, is_old);
    gt_reader_close(&input);
    assert_true(copy.info.generations >= whole.info.generations);
    /* The first generation of newer traces stays as it is, and may be the only one. */
    if (generation_bytes == 1 && (is_old || whole.info.generations > 2))
        assert_true(copy.info.generations > whole.info.generations);
    output_expect_peer_reads(copy.out.data, copy.out.size);
    copy_free(&copy);
    copy_free(&whole);
}

static void test_divided_generations_have_the_same_events(void **state)
{
    static const uint64_t sizes[] = {1, 1000, 10000};
    (void) state;
    for (size_t i = 0; i < sizeof(traces) / sizeof(*traces); i++) {
        size_t size;
        char *path = files_join(files_testdata(), traces[i]);
        uint8_t *data = files_read(path, &size);
        for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
            check_size(data, size, sizes[s], traces[i][1] == '1');
        free(data);
        free(path);
    }
}

/* Asserts that a copy with such generations is divided, but not much larger than the trace. */
static void check_growth(const struct wire *wire, uint64_t generation_bytes, uint64_t generations)
{
    struct copy copy;
    copy_init(&copy);
    copy.options.generation_bytes = generation_bytes;
    copy_make(&copy, wire->data, wire->size);
    copy_expect_good(&copy);
    assert_status(copy_validate(copy.out.data, copy.out.size).read, GT_END);
    assert_true(copy.info.generations > generations);
    assert_true(copy.out.size < 8 * wire->size);
    copy_free(&copy);
}

/* All goroutines together need more bytes for their names than a generation should have. */
static void test_many_goroutines_are_not_named_for_every_event(void **state)
{
    struct wire wire = {0};
    (void) state;
    v1_start_open(&wire, 21);
    for (uint64_t i = 0; i < 20000; i++)
        v1_waiting(&wire, 2 + i);
    V1_EVENT(&wire, V1_GOMAXPROCS, 1, 4, 0);
    for (uint64_t i = 0; i < 300000; i++)
        V1_EVENT(&wire, V1_HEAP_ALLOC, 1, i);
    check_growth(&wire, 100000, 1);
    wire_free(&wire);
}

/* Each generation of the input would be divided only once. */
static void test_many_goroutines_are_not_named_in_every_generation(void **state)
{
    struct gen g = {0};
    (void) state;
    gen_begin(&g, 23);
    gen_generation(&g, 1);
    gen_running(&g, 5, 0, 1);
    g.dt = 100000;
    for (uint64_t i = 0; i < 3000; i++)
        gen_go_status(&g, 2 + i, WIRE_NONE, GO_WAITING);
    for (uint64_t number = 2; number < 1000; number++) {
        gen_generation(&g, number);
        gen_running(&g, 5, 0, 1);
        for (uint64_t i = 0; i < (number == 500 ? 100000 : 300); i++)
            GEN_EVENT(&g, EV_HEAP_ALLOC, i);
    }
    gen_end(&g);
    check_growth(&g.wire, 1000, 999);
    gen_free(&g);
}

/* The stack of all events needs more bytes than a generation should have. */
static void test_large_stacks_are_not_repeated_for_every_event(void **state)
{
    static char name[1000];
    struct wire wire = {0};
    struct v1_frame frames[128];
    (void) state;
    v1_start_open(&wire, 21);
    memset(name, 'x', sizeof(name));
    for (uint64_t i = 0; i < 128; i++) {
        name[0] = (char) i;
        v1_string_sized(&wire, 1 + i, name, sizeof(name));
        frames[i] = (struct v1_frame){1 + i, 1 + i, 1 + i, 1};
    }
    v1_stack(&wire, 1, frames, 128);
    for (unsigned i = 0; i < 100000; i++)
        V1_EVENT(&wire, V1_GOMAXPROCS, 1, 4, 1);
    check_growth(&wire, 1000, 1);
    wire_free(&wire);
}

/* Writes the events of goroutine 1, which yields to no other one and starts again. */
static void put_pause(struct wire *wire, uint64_t *sequence, unsigned during)
{
    V1_EVENT(wire, V1_GO_SCHED, 1, 0);
    V1_EVENT(wire, during, 1);
    V1_EVENT(wire, V1_GO_START, 1, 1, ++*sequence);
}

/* In the output, goroutine 1 stops the world when it is not running, so that cannot be. */
static void put_stop_without_end(struct wire *wire, uint64_t *sequence)
{
    V1_EVENT(wire, V1_STW_START, 1, 1);
    put_pause(wire, sequence, V1_STW_DONE);
}

static void put_metrics(struct wire *wire, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        V1_EVENT(wire, V1_HEAP_ALLOC, 1, i);
}

/* What goroutine 1 has begun is still open in the output until its next stop ends. */
static void test_generations_are_divided_after_a_stop_without_an_end(void **state)
{
    struct wire wire = {0};
    uint64_t sequence = 1;
    (void) state;
    v1_start(&wire, 21);
    put_stop_without_end(&wire, &sequence);
    for (unsigned i = 0; i < 10; i++) {
        put_metrics(&wire, 2000);
        V1_EVENT(&wire, V1_STW_START, 1, 1);
        V1_EVENT(&wire, V1_STW_DONE, 1);
        put_stop_without_end(&wire, &sequence);
    }
    check_growth(&wire, 1000, 20);
    wire_free(&wire);
}

/*
 * The end of the next stop ends the one that has none, in a later generation, too: there Go's
 * reader finds the cause by the id that it had where the stop began.
 */
static void test_stop_without_an_end_ends_with_the_next_one(void **state)
{
    (void) state;
    for (unsigned divided = 0; divided < 2; divided++) {
        struct wire wire = {0};
        uint64_t sequence = 1;
        struct copy copy;
        v1_start(&wire, 21);
        put_stop_without_end(&wire, &sequence);
        for (unsigned i = 0; i < 2; i++) {
            put_metrics(&wire, 2000);
            V1_EVENT(&wire, V1_STW_START, 1, 1);
            V1_EVENT(&wire, V1_STW_DONE, 1);
        }
        copy_init(&copy);
        copy.options.generation_bytes = divided ? 1000 : 0;
        copy_make(&copy, wire.data, wire.size);
        copy_expect_good(&copy);
        assert_status(copy_validate(copy.out.data, copy.out.size).read, GT_END);
        output_expect_peer_reads(copy.out.data, copy.out.size);
        assert_int_equal(copy.info.left_out, 2);
        assert_true(divided ? copy.info.generations > 2 : copy.info.generations == 1);
        copy_free(&copy);
        wire_free(&wire);
    }
}

/* The stop is over where the output begins, so the output does not have it. */
static void test_stop_without_an_end_does_not_begin_anew(void **state)
{
    struct wire wire = {0};
    uint64_t sequence = 1;
    struct copy copy;
    (void) state;
    v1_start(&wire, 21);
    put_stop_without_end(&wire, &sequence);
    put_metrics(&wire, 10);
    copy_init(&copy);
    copy.first = V1_START_EVENTS + 7;
    copy_make(&copy, wire.data, wire.size);
    copy_expect_good(&copy);
    gt_reader *reader = copy_open(&copy);
    const gt_event *event;
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_int_not_equal(event->kind, GT_EVENT_RANGE_BEGIN);
    gt_reader_close(&reader);
    copy_free(&copy);
    wire_free(&wire);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divided_generations_have_the_same_events),
        cmocka_unit_test(test_many_goroutines_are_not_named_for_every_event),
        cmocka_unit_test(test_many_goroutines_are_not_named_in_every_generation),
        cmocka_unit_test(test_large_stacks_are_not_repeated_for_every_event),
        cmocka_unit_test(test_generations_are_divided_after_a_stop_without_an_end),
        cmocka_unit_test(test_stop_without_an_end_ends_with_the_next_one),
        cmocka_unit_test(test_stop_without_an_end_does_not_begin_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
