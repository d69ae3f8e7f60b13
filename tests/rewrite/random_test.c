/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Random traces, in which little is as it should be, written in the other format. Whatever is
 * written can be read again, by a strict reader to its end, and what cannot be written is refused.
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite/copy.h"
#include "rewrite/lowered.h"
#include "support/chance.h"
#include "support/files.h"
#include "support/probe.h"
#include "support/test.h"

enum {
    TRACES = TEST_SANITIZED ? 300 : 3000
};

static void expect_good(const struct copy *copy)
{
    uint64_t most = copy->info.events + copy->info.made_up + 2 * copy->info.handed_over;
    struct findings found = copy_validate(copy->out.data, copy->out.size);
    assert_status(found.read, GT_END);
    assert_in_range(found.events, 1, most + copy->info.generations + 1);
}

/* Also where the output begins later. */
static bool check_v1(const struct wire *wire, struct chance *chance, uint64_t flags)
{
    struct copy copy;
    copy_init(&copy);
    copy.reader_flags = flags;
    copy.first = chance_below(chance, 2) == 0 ? 0 : chance_below(chance, CHANCE_EVENTS);
    copy_make(&copy, wire->data, wire->size);
    bool is_written = copy.wrote == GT_OK;
    if (is_written)
        expect_good(&copy);
    else
        assert_status(copy.wrote, GT_ERR_NOT_AVAILABLE);
    copy_free(&copy);
    return is_written;
}

static void test_random_old_traces_are_refused_or_written_so_that_they_can_be_read(void **state)
{
    static const unsigned versions[] = {11, 19, 21};
    struct chance chance = {.seed = 1};
    uint64_t written = 0;
    (void) state;
    for (unsigned i = 0; i < TRACES; i++) {
        struct wire wire = {0};
        chance_old_trace(&chance, &wire, versions[i % 3]);
        written += check_v1(&wire, &chance, GT_READER_LENIENT);
        written += check_v1(&wire, &chance, 0);
        wire_free(&wire);
    }
    assert_in_range(written, TRACES / 2, 2 * TRACES - 1);
}

static bool check_v2(const struct gen *g, uint64_t flags)
{
    struct lowered lowered;
    lowered_init(&lowered);
    lowered.reader_flags = flags;
    lowered_make(&lowered, g->wire.data, g->wire.size);
    if (lowered.wrote == GT_OK)
        assert_status(copy_validate(lowered.out.data, lowered.out.size).read, GT_END);
    else
        assert_status(lowered.wrote, GT_ERR_NOT_AVAILABLE);
    bool is_written = lowered.wrote == GT_OK;
    lowered_free(&lowered);
    return is_written;
}

static void test_random_traces_are_refused_or_written_for_go_1_21(void **state)
{
    struct chance chance = {.seed = 2};
    uint64_t written = 0;
    (void) state;
    for (unsigned i = 0; i < TRACES; i++) {
        struct gen g = {0};
        chance_trace(&chance, &g, i % 2 == 0 ? 26 : 23);
        written += check_v2(&g, GT_READER_LENIENT);
        written += check_v2(&g, 0);
        gen_free(&g);
    }
    assert_in_range(written, TRACES / 2, 2 * TRACES - 1);
}

/* The same generator, for the writer of the current format. */
static void test_random_traces_are_refused_or_written_so_that_they_can_be_read(void **state)
{
    struct chance chance = {.seed = 3};
    (void) state;
    for (unsigned i = 0; i < TRACES; i++) {
        struct gen g = {0};
        struct copy copy;
        chance_trace(&chance, &g, i % 2 == 0 ? 26 : 23);
        copy_init(&copy);
        copy.reader_flags = GT_READER_LENIENT;
        copy.first = chance_below(&chance, 2) == 0 ? 0 : chance_below(&chance, CHANCE_EVENTS);
        copy_make(&copy, g.wire.data, g.wire.size);
        if (copy.wrote == GT_OK)
            expect_good(&copy);
        else
            assert_status(copy.wrote, GT_ERR_NOT_AVAILABLE);
        copy_free(&copy);
        gen_free(&g);
    }
}

/* With GT_WRITER_LENIENT they are all written so that they can be read, unless nothing is left. */
static void test_random_traces_are_written_with_their_repairs(void **state)
{
    struct chance chance = {.seed = 4};
    (void) state;
    for (unsigned i = 0; i < TRACES; i++) {
        struct gen g = {0};
        struct copy copy;
        chance_trace(&chance, &g, i % 2 == 0 ? 26 : 23);
        copy_init(&copy);
        copy.reader_flags = GT_READER_LENIENT;
        copy.options.flags = GT_WRITER_LENIENT;
        copy.options.version = i % 3 == 0 ? 22 : 0;
        copy.first = chance_below(&chance, 2) == 0 ? 0 : chance_below(&chance, CHANCE_EVENTS);
        copy_make(&copy, g.wire.data, g.wire.size);
        if (copy.wrote == GT_OK)
            expect_good(&copy);
        else if (copy.first == 0 || !strstr(copy.error.message, "no events to write"))
            fail_msg("%s", copy.error.message);
        copy_free(&copy);
        gen_free(&g);
    }
}

/* What a strict writer takes, a lenient one writes byte by byte the same. */
static void test_random_traces_are_written_alike_where_nothing_is_repaired(void **state)
{
    struct chance chance = {.seed = 5};
    uint64_t written = 0;
    (void) state;
    for (unsigned i = 0; i < TRACES; i++) {
        struct gen g = {0};
        struct copy strict, lenient;
        chance_trace(&chance, &g, i % 2 == 0 ? 26 : 23);
        copy_init(&strict);
        copy_init(&lenient);
        lenient.options.flags = GT_WRITER_LENIENT;
        copy_make(&strict, g.wire.data, g.wire.size);
        copy_make(&lenient, g.wire.data, g.wire.size);
        if (strict.wrote == GT_OK) {
            written++;
            assert_status(lenient.wrote, GT_OK);
            assert_int_equal(lenient.info.left_out, strict.info.left_out);
            assert_int_equal(lenient.out.size, strict.out.size);
            assert_memory_equal(lenient.out.data, strict.out.data, strict.out.size);
        }
        copy_free(&strict);
        copy_free(&lenient);
        gen_free(&g);
    }
    assert_in_range(written, TRACES / 2, TRACES);
}

/* Writes a trace without its event number `left_out`, which its user should have passed. */
static gt_status lower_without(const uint8_t *data, size_t size, uint64_t left_out,
                               struct probe *probe)
{
    gt_downgrader_options options = GT_DOWNGRADER_OPTIONS_INIT;
    gt_downgrader *downgrader;
    gt_reader *reader;
    const gt_event *event;
    struct output out = {0};
    gt_error error = GT_ERROR_INIT;
    gt_status status = GT_OK;
    options.allocator = &probe->allocator;
    assert_status(gt_reader_open_memory(&reader, data, size, NULL, NULL), GT_OK);
    assert_status(gt_downgrader_open(&downgrader, reader, output_write, &out, &options, NULL),
                  GT_OK);
    for (uint64_t i = 0; gt_reader_next_event(reader, &event) == GT_OK; i++) {
        gt_status next = i == left_out ? status : gt_downgrader_event(downgrader, event);
        /* An error remains. */
        assert_true(status == GT_OK || next == status);
        status = next;
    }
    assert_true(gt_downgrader_finish(downgrader) == status);
    assert_status(gt_downgrader_error(downgrader, &error), GT_OK);
    if (status != GT_OK)
        assert_non_null(strstr(error.message, "not possible after those before it"));
    gt_downgrader_close(&downgrader);
    gt_reader_close(&reader);
    output_free(&out);
    return status;
}

static void test_trace_without_one_event_is_written_or_refused(void **state)
{
    static const char *const names[] = {"go1.26-tasks", "go1.23-stw", "go1.26-net", "go1.26-coro"};
    uint64_t refused = 0, written = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char path[500];
        size_t size;
        snprintf(path, sizeof(path), "%s/v2/%s.trace", files_testdata(), names[i]);
        uint8_t *data = files_read(path, &size);
        for (uint64_t at = 0; at < (TEST_SANITIZED ? 60 : 400); at++) {
            struct probe probe;
            probe_init(&probe);
            gt_status status = lower_without(data, size, at, &probe);
            assert_true(status == GT_OK || status == GT_ERR_NOT_AVAILABLE);
            refused += status != GT_OK;
            written += status == GT_OK;
            probe_check(&probe);
        }
        free(data);
    }
    assert_true(refused > 20);
    assert_true(written > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_old_traces_are_refused_or_written_so_that_they_can_be_read),
        cmocka_unit_test(test_random_traces_are_refused_or_written_for_go_1_21),
        cmocka_unit_test(test_random_traces_are_refused_or_written_so_that_they_can_be_read),
        cmocka_unit_test(test_random_traces_are_written_with_their_repairs),
        cmocka_unit_test(test_random_traces_are_written_alike_where_nothing_is_repaired),
        cmocka_unit_test(test_trace_without_one_event_is_written_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
