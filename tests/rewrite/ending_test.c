/* SPDX-License-Identifier: BSD-3-Clause */

/* A program that ended while it was recorded did so in what is written, too, up to that end. */

#include "rewrite/copy.h"
#include "support/gen_events.h"
#include "support/test.h"

enum {
    BEGIN = 1000000,
    LAST_THREAD = 5
};

/* The input: two generations of five events, with a Sync before each of them and at the end. */
struct ended {
    struct gen gen;
    struct copy copy;
};

enum {
    EVENTS = 13
};

/* Writes two generations, and what the runtime leaves of a third one unless it is stopped. */
static void ended_begin(struct ended *ended, unsigned version, bool is_stopped)
{
    struct gen *g = &ended->gen;
    *g = (struct gen){0};
    copy_init(&ended->copy);
    gen_begin(g, version);
    g->time = BEGIN;
    for (uint64_t number = 1; number <= 2; number++) {
        gen_generation(g, number);
        gen_running(g, LAST_THREAD, 0, 1);
        gen_go_create(g, 1 + number, 0, 0);
        gen_go_stop(g, "runtime.Gosched", 0);
        gen_go_start(g, 1);
    }
    gen_end(g);
    if (is_stopped)
        return;
    wire_sync(&g->wire, 3, 2 * BEGIN, WIRE_NANOSECONDS);
    wire_batch_end(&g->wire);
}

static gt_ending ending_of(const void *data, size_t size)
{
    const gt_event *event;
    gt_reader *reader;
    gt_status status;
    assert_status(gt_reader_open_memory(&reader, data, size, NULL, NULL), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        continue;
    assert_status(status, GT_END);
    gt_ending ending = gt_reader_get_ending(reader);
    gt_reader_close(&reader);
    return ending;
}

/* Writes the input as the copy says, which is kept. */
static void expect_copy(struct ended *ended, gt_ending ending)
{
    struct copy *copy = &ended->copy;
    copy_make(copy, ended->gen.wire.data, ended->gen.wire.size);
    assert_status(copy->wrote, GT_OK);
    assert_int_equal(ending_of(copy->out.data, copy->out.size), ending);
}

static void ended_free(struct ended *ended)
{
    copy_free(&ended->copy);
    gen_free(&ended->gen);
}

static void expect(struct ended *ended, gt_ending ending)
{
    expect_copy(ended, ending);
    ended_free(ended);
}

static void test_copy_of_all_has_ended_as_its_input(void **state)
{
    struct ended ended;
    (void) state;
    ended_begin(&ended, 26, true);
    expect(&ended, GT_ENDING_STOPPED);
    ended_begin(&ended, 26, false);
    ended.copy.options.flags = GT_WRITER_ANONYMOUS;
    expect(&ended, GT_ENDING_RUNNING);
    ended_begin(&ended, 26, false);
    ended.copy.options.generation_bytes = 1;
    expect(&ended, GT_ENDING_RUNNING);
    ended_begin(&ended, 26, false);
    expect_copy(&ended, GT_ENDING_RUNNING);
    assert_int_equal(ended.copy.info.generations, 2);
    struct copy again;
    copy_init(&again);
    copy_make(&again, ended.copy.out.data, ended.copy.out.size);
    copy_expect_good(&again);
    assert_int_equal(again.out.size, ended.copy.out.size);
    assert_memory_equal(again.out.data, ended.copy.out.data, again.out.size);
    copy_free(&again);
    ended_free(&ended);
}

/* What lacks only the Sync at the end lacks the end. */
static void test_part_has_ended_so_only_with_the_end(void **state)
{
    struct ended ended;
    (void) state;
    ended_begin(&ended, 26, false);
    ended.copy.first = EVENTS - 2;
    ended.copy.last = EVENTS;
    expect(&ended, GT_ENDING_RUNNING);
    ended_begin(&ended, 26, false);
    ended.copy.first = 1;
    ended.copy.last = EVENTS - 1;
    expect(&ended, GT_ENDING_STOPPED);
}

static void test_older_formats_tell_nothing(void **state)
{
    struct ended ended;
    (void) state;
    ended_begin(&ended, 26, false);
    ended.copy.options.version = 25;
    expect(&ended, GT_ENDING_UNKNOWN);
    ended_begin(&ended, 25, true);
    ended.copy.options.version = 26;
    expect(&ended, GT_ENDING_STOPPED);
}

static void test_last_piece_has_the_end(void **state)
{
    struct ended ended;
    struct output out = {0};
    gt_reader *reader;
    gt_writer *writer;
    const gt_event *event;
    (void) state;
    ended_begin(&ended, 26, false);
    assert_status(
        gt_reader_open_memory(&reader, ended.gen.wire.data, ended.gen.wire.size, NULL, NULL),
        GT_OK);
    assert_status(gt_writer_open(&writer, reader, output_write, &out, NULL, NULL), GT_OK);
    for (unsigned i = 1; gt_reader_next_event(reader, &event) == GT_OK; i++) {
        assert_status(gt_writer_event(writer, event), GT_OK);
        if (i != EVENTS / 2)
            continue;
        assert_status(gt_writer_restart(writer), GT_OK);
        assert_int_equal(ending_of(out.data, out.size), GT_ENDING_STOPPED);
        out.size = 0;
    }
    assert_status(gt_writer_finish(writer), GT_OK);
    assert_int_equal(ending_of(out.data, out.size), GT_ENDING_RUNNING);
    gt_writer_close(&writer);
    gt_reader_close(&reader);
    output_free(&out);
    ended_free(&ended);
}

/* Joins two parts, the first of which has, as the last, ended as `endings` say. */
static gt_ending join(const bool *is_stopped)
{
    struct gen parts[2] = {0};
    struct output out = {0};
    gt_reader *reader = NULL;
    gt_writer *writer = NULL;
    const gt_event *event;
    for (uint64_t i = 0; i < 2; i++) {
        struct gen *g = &parts[i];
        gt_reader *before = reader;
        gen_begin(g, 26);
        g->time = BEGIN * (i + 1);
        g->clock.monotonic = g->clock.seconds = 1000 + i;
        gen_generation(g, i + 1);
        gen_running(g, LAST_THREAD, 0, 1);
        gen_end(g);
        if (!is_stopped[i]) {
            wire_sync(&g->wire, i + 2, BEGIN * (i + 2), WIRE_NANOSECONDS);
            wire_batch_end(&g->wire);
        }
        assert_status(gt_reader_open_memory(&reader, g->wire.data, g->wire.size, NULL, NULL),
                      GT_OK);
        assert_status(i == 0 ? gt_writer_open(&writer, reader, output_write, &out, NULL, NULL)
                             : gt_writer_join(writer, reader),
                      GT_OK);
        gt_reader_close(&before);
        while (gt_reader_next_event(reader, &event) == GT_OK)
            assert_status(gt_writer_event(writer, event), GT_OK);
    }
    assert_status(gt_writer_finish(writer), GT_OK);
    gt_writer_close(&writer);
    gt_reader_close(&reader);
    gt_ending ending = ending_of(out.data, out.size);
    output_free(&out);
    gen_free(&parts[0]);
    gen_free(&parts[1]);
    return ending;
}

static void test_joined_parts_have_ended_as_the_last_one(void **state)
{
    (void) state;
    assert_int_equal(join((const bool[]){true, false}), GT_ENDING_RUNNING);
    assert_int_equal(join((const bool[]){false, true}), GT_ENDING_STOPPED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy_of_all_has_ended_as_its_input),
        cmocka_unit_test(test_part_has_ended_so_only_with_the_end),
        cmocka_unit_test(test_older_formats_tell_nothing),
        cmocka_unit_test(test_last_piece_has_the_end),
        cmocka_unit_test(test_joined_parts_have_ended_as_the_last_one),
    };
    return cmocka_run_group_tests_name("ending", tests, NULL, NULL);
}
