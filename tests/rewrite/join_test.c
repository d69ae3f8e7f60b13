/* SPDX-License-Identifier: BSD-3-Clause */

/* Parts of a trace that a writer joins: each is described by itself. */

#include <stdlib.h>
#include <string.h>

#include "rewrite/copy.h"
#include "support/files.h"
#include "support/gen_events.h"
#include "support/test.h"

enum {
    FIRST_TIME = 1000000, /* the time of the Sync of the first part */
    PARTS_MOST = 3
};

/* Begins the first generation of a part. */
static void begin_at(struct gen *g, unsigned part, uint64_t number, uint64_t time)
{
    *g = (struct gen){0};
    gen_begin(g, 26);
    g->clock.monotonic = g->clock.seconds = 1000 + part;
    g->time = time;
    gen_generation(g, number);
}

/* Begins the first generation of a part, a millisecond after the one before. */
static void begin(struct gen *g, unsigned part, uint64_t number)
{
    begin_at(g, part, number, FIRST_TIME * (part + 1));
}

/* Goroutine 1 runs with proc 0, goroutine 2 waits, and a collection has begun. */
static void begin_first(struct gen *g)
{
    begin(g, 0, 1);
    gen_running(g, 5, 0, 1);
    gen_go_create_blocked(g, 2, GEN_STACK(g, {"main.two", "a.go", 2}), 0);
    gen_gc_begin(g, GEN_STACK(g, {"runtime.gc", "gc.go", 1}));
}

static void name_collector(struct gen *g)
{
    gen_on(g, WIRE_NONE);
    gen_gc_active(g);
    gen_on(g, 5);
}

/* The names of what there is at the end of the first part. */
static void name_all(struct gen *g)
{
    gen_running(g, 5, 0, 1);
    gen_on(g, WIRE_NONE);
    gen_go_status(g, 2, WIRE_NONE, 4);
    name_collector(g);
}

/* The part that follows, in generation `number`, up to the names of what there is. */
static void begin_second(struct gen *g, uint64_t number)
{
    begin(g, 1, number);
    name_all(g);
}

/* The parts, of which those that were begun are joined, and the writing. */
struct joining {
    struct gen parts[PARTS_MOST];
    struct copy copy;
    unsigned skipped; /* the number of events of the second part that are not given */
};

static gt_status take_all(gt_writer *writer, gt_reader *reader, unsigned skipped)
{
    const gt_event *event;
    gt_status status = GT_OK, read;
    while (status == GT_OK && (read = gt_reader_next_event(reader, &event)) == GT_OK) {
        if (skipped == 0)
            status = gt_writer_event(writer, event);
        else
            skipped--;
    }
    return status;
}

/* Writes the parts, which are freed. */
static void join(struct joining *j)
{
    gt_reader *reader = NULL;
    gt_writer *writer = NULL;
    gt_status status = GT_OK;
    copy_init(&j->copy);
    j->copy.error = (gt_error) GT_ERROR_INIT;
    j->copy.info = (gt_writer_info) GT_WRITER_INFO_INIT;
    for (int i = 0; i < PARTS_MOST && j->parts[i].wire.size != 0 && status == GT_OK; i++) {
        const struct wire *wire = &j->parts[i].wire;
        gt_reader *before = reader;
        gen_end(&j->parts[i]);
        assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
        status = i == 0 ? gt_writer_open(&writer, reader, output_write, &j->copy.out, NULL, NULL)
                        : gt_writer_join(writer, reader);
        gt_reader_close(&before);
        if (status == GT_OK)
            status = take_all(writer, reader, i == 0 ? 0 : j->skipped);
    }
    j->copy.wrote = status == GT_OK ? gt_writer_finish(writer) : status;
    assert_status(gt_writer_error(writer, &j->copy.error), GT_OK);
    assert_status(gt_writer_get_info(writer, &j->copy.info), GT_OK);
    gt_writer_close(&writer);
    gt_reader_close(&reader);
    for (int i = 0; i < PARTS_MOST; i++)
        gen_free(&j->parts[i]);
}

/* Joins the parts, and opens the result, which has to be a trace without findings. */
static void join_and_open(struct joining *j, struct reading *reading)
{
    join(j);
    assert_status(j->copy.wrote, GT_OK);
    struct findings found = copy_validate(j->copy.out.data, j->copy.out.size);
    assert_status(found.read, GT_END);
    assert_int_equal(found.findings, 0);
    output_expect_peer_reads(j->copy.out.data, j->copy.out.size);
    reading->reader = copy_open(&j->copy);
    reading_sync(reading);
}

static void expect_refusal(struct joining *j, const char *message)
{
    join(j);
    assert_status(j->copy.wrote, GT_ERR_NOT_AVAILABLE);
    assert_non_null(strstr(j->copy.error.message, message));
    copy_free(&j->copy);
}

static void test_part_of_the_same_generation_continues_it(void **state)
{
    struct reading r = {0};
    struct joining j = {.skipped = 0};
    (void) state;
    begin_first(&j.parts[0]);
    begin_second(&j.parts[1], 1);
    gen_gc_end(&j.parts[1]);
    gen_go_block(&j.parts[1], "sleep", GEN_STACK(&j.parts[1], {"main.one", "a.go", 1}));
    join_and_open(&j, &r);
    assert_int_equal(j.copy.info.events, 6);
    assert_int_equal(j.copy.info.generations, 1);
    reading_skip(&r, 2);
    reading_goroutine(&r, 2, GT_GO_NOT_EXIST, GT_GO_WAITING);
    reading_next(&r, GT_EVENT_RANGE_BEGIN);
    reading_next(&r, GT_EVENT_RANGE_END);
    reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_WAITING);
    reading_end(&r);
    copy_free(&j.copy);
}

static void test_part_of_the_next_generation_keeps_its_names(void **state)
{
    struct reading r = {0};
    struct joining j = {.skipped = 0};
    (void) state;
    begin_first(&j.parts[0]);
    begin_second(&j.parts[1], 2);
    gen_gc_end(&j.parts[1]);
    join_and_open(&j, &r);
    assert_int_equal(j.copy.info.generations, 2);
    reading_skip(&r, 4);
    reading_sync(&r);
    reading_skip(&r, 3);
    /* A goroutine that runs tells that the collector is active. */
    reading_next(&r, GT_EVENT_RANGE_ACTIVE);
    reading_next(&r, GT_EVENT_RANGE_END);
    reading_end(&r);
    copy_free(&j.copy);
}

/*
 * The names of the second part begin before the end of the first one, so they are delayed until
 * after the first event of the third part. That one is nevertheless behind what it is joined to.
 */
static void test_part_may_begin_within_the_delayed_names_of_the_one_before(void **state)
{
    struct reading r = {0};
    struct joining j = {.skipped = 0};
    (void) state;
    begin_first(&j.parts[0]);
    uint64_t end = j.parts[0].time;
    for (unsigned part = 1; part <= 2; part++) {
        struct gen *g = &j.parts[part];
        begin_at(g, part, 2, end - 10);
        name_all(g);
        g->time = end - 1 + part;
        gen_on(g, 5);
        gen_label(g, part == 1 ? "one" : "two");
    }
    join_and_open(&j, &r);
    assert_int_equal(j.copy.info.generations, 2);
    /* The Sync takes a time, too; that the collector is active is told before the first label. */
    assert_int_equal(j.copy.info.delayed, 5);
    reading_skip(&r, 4);
    reading_sync(&r);
    reading_skip(&r, 4);
    for (uint64_t i = 0; i < 2; i++) {
        const gt_event *event = reading_next(&r, GT_EVENT_LABEL);
        assert_true((uint64_t) event->time > end + i);
    }
    reading_end(&r);
    copy_free(&j.copy);
}

static void test_ranges_and_stops_are_not_begun_again(void **state)
{
    struct reading r = {0};
    struct joining j = {.skipped = 0};
    (void) state;
    for (uint64_t number = 1; number <= 2; number++) {
        begin_first(&j.parts[0]);
        GEN_EVENT(&j.parts[0], EV_GC_SWEEP_BEGIN, 0);
        GEN_EVENT(&j.parts[0], EV_GC_MARK_ASSIST_BEGIN, 0);
        /* Go's reader looks for the cause of a stop in the generation in which it ends. */
        if (number == 1)
            gen_stw_begin(&j.parts[0], "GC mark termination", 0);
        begin_second(&j.parts[1], number);
        gen_on(&j.parts[1], WIRE_NONE);
        GEN_EVENT(&j.parts[1], EV_GC_SWEEP_ACTIVE, 0);
        GEN_EVENT(&j.parts[1], EV_GC_MARK_ASSIST_ACTIVE, 1);
        gen_on(&j.parts[1], 5);
        if (number == 1) {
            gen_stw_begin(&j.parts[1], "GC mark termination", 0);
            gen_bare(&j.parts[1], EV_STW_END);
        }
        gen_bare(&j.parts[1], EV_GC_MARK_ASSIST_END);
        GEN_EVENT(&j.parts[1], EV_GC_SWEEP_END, 8, 8);
        join_and_open(&j, &r);
        reading_skip(&r, number == 1 ? 7 : 6);
        if (number == 2) {
            reading_sync(&r);
            reading_skip(&r, 3);
            reading_next(&r, GT_EVENT_RANGE_ACTIVE);
            reading_next(&r, GT_EVENT_RANGE_ACTIVE);
            reading_next(&r, GT_EVENT_RANGE_ACTIVE);
        }
        for (unsigned i = 0; i < (number == 1 ? 3 : 2); i++)
            reading_next(&r, GT_EVENT_RANGE_END);
        reading_end(&r);
        copy_free(&j.copy);
    }
}

static void test_goroutines_may_become_known_in_a_later_part(void **state)
{
    struct reading r = {0};
    struct joining j = {.skipped = 0};
    (void) state;
    begin_first(&j.parts[0]);
    begin_second(&j.parts[1], 1);
    gen_on(&j.parts[1], WIRE_NONE);
    gen_go_status(&j.parts[1], 9, WIRE_NONE, 4);
    gen_go_status(&j.parts[1], 2, WIRE_NONE, 4); /* for the second time, so it is kept */
    gen_on(&j.parts[1], 5);
    gen_go_unblock(&j.parts[1], 9, 0);
    join_and_open(&j, &r);
    reading_skip(&r, 4);
    reading_goroutine(&r, 9, GT_GO_UNDETERMINED, GT_GO_WAITING);
    reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_WAITING);
    reading_goroutine(&r, 9, GT_GO_WAITING, GT_GO_RUNNABLE);
    reading_end(&r);
    copy_free(&j.copy);
}

static void test_other_states_are_refused(void **state)
{
    struct joining j = {.skipped = 0};
    (void) state;
    begin_first(&j.parts[0]);
    begin(&j.parts[1], 1, 1);
    gen_running(&j.parts[1], 6, 0, 1);
    gen_label(&j.parts[1], "x");
    expect_refusal(&j, "begins in another state");
    begin_first(&j.parts[0]);
    begin(&j.parts[1], 1, 1);
    gen_on(&j.parts[1], 5);
    gen_proc_status(&j.parts[1], 0, 1);
    gen_go_status(&j.parts[1], 1, WIRE_NONE, 4);
    expect_refusal(&j, "begins in another state");
}

static void test_part_that_lacks_a_goroutine_or_a_proc_is_refused(void **state)
{
    struct joining j = {.skipped = 0};
    (void) state;
    begin_first(&j.parts[0]);
    begin(&j.parts[1], 1, 1);
    gen_running(&j.parts[1], 5, 0, 1);
    gen_label(&j.parts[1], "x");
    expect_refusal(&j, "does not name");
    begin_first(&j.parts[0]);
    gen_proc_status(&j.parts[0], 3, 2);
    begin_second(&j.parts[1], 1);
    gen_label(&j.parts[1], "x");
    expect_refusal(&j, "does not name");
}

static void test_earlier_part_is_refused(void **state)
{
    struct joining j = {.skipped = 0};
    (void) state;
    for (uint64_t number = 1; number <= 2; number++) {
        begin_first(&j.parts[0]);
        j.parts[0].dt = 5000000;
        gen_label(&j.parts[0], "late");
        begin_second(&j.parts[1], number);
        gen_label(&j.parts[1], "x");
        expect_refusal(&j, "before the end");
    }
}

static void test_part_before_the_last_event_and_behind_the_names_is_refused(void **state)
{
    struct joining j = {.skipped = 0};
    (void) state;
    begin_first(&j.parts[0]);
    begin_second(&j.parts[1], 2);
    gen_label(&j.parts[1], "one");
    uint64_t end = j.parts[1].time;
    begin_at(&j.parts[2], 2, 2, end - 10);
    name_all(&j.parts[2]);
    j.parts[2].time = end - 1;
    gen_on(&j.parts[2], 5);
    gen_label(&j.parts[2], "two");
    expect_refusal(&j, "before the end");
}

static void test_part_without_its_sync_is_refused(void **state)
{
    struct joining j = {.skipped = 1};
    (void) state;
    begin_first(&j.parts[0]);
    begin_second(&j.parts[1], 1);
    expect_refusal(&j, "does not begin with a Sync");
}

static void test_misuse_is_refused(void **state)
{
    struct gen g;
    struct copy copy;
    gt_reader *reader;
    gt_writer *writer;
    const gt_event *event;
    (void) state;
    begin_first(&g);
    gen_end(&g);
    copy_init(&copy);
    assert_status(gt_reader_open_memory(&reader, g.wire.data, g.wire.size, NULL, NULL), GT_OK);
    assert_status(gt_writer_open(&writer, reader, output_write, &copy.out, NULL, NULL), GT_OK);
    assert_status(gt_writer_join(NULL, reader), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_join(writer, reader), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_reader_next_event(reader, &event), GT_OK);
    assert_status(gt_writer_event(writer, event), GT_OK);
    assert_status(gt_writer_join(writer, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_writer_finish(writer), GT_OK);
    assert_status(gt_writer_join(writer, reader), GT_ERR_INVALID_ARGUMENT);
    gt_writer_close(&writer);
    gt_reader_close(&reader);
    copy_free(&copy);
    gen_free(&g);
}

/* Writes the Sync of a trace, and joins another one to it. */
static gt_status join_traces(const uint8_t *const data[2], const size_t sizes[2])
{
    struct copy copy;
    gt_reader *readers[2];
    gt_writer *writer;
    const gt_event *event;
    copy_init(&copy);
    for (int i = 0; i < 2; i++)
        assert_status(gt_reader_open_memory(&readers[i], data[i], sizes[i], NULL, NULL), GT_OK);
    assert_status(gt_writer_open(&writer, readers[0], output_write, &copy.out, NULL, NULL), GT_OK);
    assert_status(gt_reader_next_event(readers[0], &event), GT_OK);
    assert_status(gt_writer_event(writer, event), GT_OK);
    gt_status status = gt_writer_join(writer, readers[1]);
    if (status == GT_OK) {
        assert_status(gt_reader_next_event(readers[1], &event), GT_OK);
        status = gt_writer_event(writer, event);
    }
    /* The error stays. */
    assert_status(gt_writer_join(writer, readers[1]), status);
    gt_writer_close(&writer);
    gt_reader_close(&readers[0]);
    gt_reader_close(&readers[1]);
    copy_free(&copy);
    return status;
}

static void test_traces_of_go_1_21_are_refused(void **state)
{
    struct gen g;
    size_t size;
    char *path = files_join(files_testdata(), "v1/go1.21-chan.trace");
    uint8_t *old = files_read(path, &size);
    (void) state;
    begin_first(&g);
    gen_end(&g);
    const uint8_t *const data[] = {g.wire.data, old, g.wire.data};
    const size_t sizes[] = {g.wire.size, size, g.wire.size};
    assert_status(join_traces(data, sizes), GT_ERR_NOT_AVAILABLE);
    assert_status(join_traces(data + 1, sizes + 1), GT_ERR_NOT_AVAILABLE);
    gen_free(&g);
    free(old);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_part_of_the_same_generation_continues_it),
        cmocka_unit_test(test_part_of_the_next_generation_keeps_its_names),
        cmocka_unit_test(test_part_may_begin_within_the_delayed_names_of_the_one_before),
        cmocka_unit_test(test_ranges_and_stops_are_not_begun_again),
        cmocka_unit_test(test_goroutines_may_become_known_in_a_later_part),
        cmocka_unit_test(test_other_states_are_refused),
        cmocka_unit_test(test_part_that_lacks_a_goroutine_or_a_proc_is_refused),
        cmocka_unit_test(test_earlier_part_is_refused),
        cmocka_unit_test(test_part_before_the_last_event_and_behind_the_names_is_refused),
        cmocka_unit_test(test_part_without_its_sync_is_refused),
        cmocka_unit_test(test_misuse_is_refused),
        cmocka_unit_test(test_traces_of_go_1_21_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
