/* SPDX-License-Identifier: BSD-3-Clause */

/* The stacks of goroutines that live stay, though the generations that have recorded them end. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/live.h>

#include "support/files.h"
#include "support/gen.h"
#include "support/gen_events.h"
#include "support/probe.h"
#include "support/suite.h"

enum {
    /* The first goroutine that the first one creates; one in each generation. */
    FIRST = 100,
    /* How many generations such a goroutine lives after its own. */
    LIFE = 3
};

/*
 * Goroutine 1 creates a coroutine in each generation, from a line of its own, and lets it end some
 * generations later.
 */
static void make_coroutines(struct gen *gen, unsigned version, uint64_t generations)
{
    gen_begin(gen, version);
    for (uint64_t i = 1; i <= generations; i++) {
        gen_generation(gen, i);
        gen_running(gen, 5, 0, 1);
        uint64_t start = GEN_STACK(gen, {"main.work", "work.go", i});
        uint64_t creator = GEN_STACK(gen, {"main.make", "main.go", i}, {"main.main", "main.go", 1});
        gen_go_create_blocked(gen, FIRST + i, start, creator);
        if (i <= LIFE)
            continue;
        gen_go_status(gen, FIRST + i - LIFE, WIRE_NONE, GO_WAITING);
        gen_go_switch(gen, FIRST + i - LIFE);
        gen_go_switch_destroy(gen, 1);
    }
    gen_end(gen);
}

static gt_reader *open_wire(const struct wire *wire, uint64_t flags, const gt_allocator *allocator)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    options.flags = GT_READER_TRACK | flags;
    options.allocator = allocator;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, &options, NULL), GT_OK);
    return reader;
}

static void assert_frame(gt_reader *reader, gt_stack stack, size_t depth, const char *function,
                         uint64_t line)
{
    const gt_frame *frames;
    size_t count;
    assert_status(gt_stack_view(reader, stack, &frames, &count), GT_OK);
    assert_int_equal(count, depth);
    assert_int_equal(frames[0].function.size, strlen(function));
    assert_memory_equal(frames[0].function.data, function, strlen(function));
    assert_int_equal(frames[0].line, line);
}

/* Asserts that all coroutines have the stacks of their lines, and returns how many there are. */
static uint64_t check_coroutines(gt_reader *reader)
{
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
    uint64_t count = 0;
    while (gt_reader_next_goroutine(reader, &info) == GT_OK) {
        if (info.id <= FIRST)
            continue;
        assert_frame(reader, info.start_stack, 1, "main.work", (uint64_t) info.id - FIRST);
        assert_frame(reader, info.creator_stack, 2, "main.make", (uint64_t) info.id - FIRST);
        count++;
    }
    return count;
}

static void test_stacks_stay_over_generations(void **state)
{
    static const unsigned versions[] = {23, 25, 26};
    static const uint64_t flags[] = {0, GT_READER_AHEAD, GT_READER_KEEP};
    (void) state;
    for (size_t i = 0; i < 9; i++) {
        struct gen gen = {0};
        const gt_event *event;
        uint64_t most = 0;
        make_coroutines(&gen, versions[i / 3], 12);
        gt_reader *reader = open_wire(&gen.wire, flags[i % 3], NULL);
        while (gt_reader_next_event(reader, &event) == GT_OK) {
            uint64_t count = check_coroutines(reader);
            most = count > most ? count : most;
        }
        assert_int_equal(most, LIFE + 1);
        assert_int_equal(check_coroutines(reader), LIFE);
        gt_reader_close(&reader);
        gen_free(&gen);
    }
}

/* The copy of a stack has the number that the stack has had, and that other such stacks have. */
static void test_a_kept_stack_has_its_number(void **state)
{
    struct gen gen = {0};
    const gt_event *event;
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
    uint32_t first = 0, again = 0, late = 0;
    (void) state;
    make_coroutines(&gen, 26, 3);
    gt_reader *reader = open_wire(&gen.wire, 0, NULL);
    do {
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
    } while (gt_reader_goroutine(reader, FIRST + 1, &info) != GT_OK);
    assert_status(gt_stack_intern(reader, info.creator_stack, &first), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        continue;
    assert_status(gt_stack_intern(reader, info.creator_stack, &again), GT_OK);
    assert_int_equal(again, first);
    assert_status(gt_stack_intern(reader, info.creator_stack, &again), GT_OK);
    assert_int_equal(again, first);
    assert_status(gt_reader_goroutine(reader, FIRST + 2, &info), GT_OK);
    assert_status(gt_stack_intern(reader, info.creator_stack, &late), GT_OK);
    assert_int_equal(late, first + 1);
    gt_reader_close(&reader);
    gen_free(&gen);
}

/* Once a goroutine has ended nothing is kept for it. */
static void test_ended_goroutines_keep_nothing(void **state)
{
    struct gen gen = {0};
    struct probe probe;
    const gt_event *event;
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
    const gt_frame *frames;
    uint64_t syncs = 0, early = 0;
    size_t count;
    (void) state;
    make_coroutines(&gen, 26, 400);
    probe_init(&probe);
    gt_reader *reader = open_wire(&gen.wire, 0, &probe.allocator);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        if (event->kind != GT_EVENT_SYNC)
            continue;
        syncs++;
        if (syncs == 3)
            assert_status(gt_reader_goroutine(reader, FIRST + 1, &info), GT_OK);
        if (syncs == 50)
            early = probe.live_bytes;
    }
    assert_true(syncs >= 400);
    assert_true(probe.live_bytes < early + early / 10);
    assert_status(gt_stack_view(reader, info.start_stack, &frames, &count), GT_ERR_EXPIRED);
    gt_reader_close(&reader);
    probe_check(&probe);
    gen_free(&gen);
}

/* Each allocation fails in turn. What then lives has its stacks, or the reader says why not. */
static void test_without_memory(void **state)
{
    struct gen gen = {0};
    uint64_t failures = 0;
    bool is_done = false;
    (void) state;
    make_coroutines(&gen, 26, 6);
    for (uint64_t i = 1; !is_done; i++) {
        struct probe probe;
        gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
        const gt_event *event;
        gt_status status;
        probe_init(&probe);
        gt_reader *reader = open_wire(&gen.wire, 0, &probe.allocator);
        probe.fail_at = probe.calls + i;
        while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
            status = gt_reader_goroutine(reader, 1, &info);
            failures += status == GT_ERR_NO_MEMORY;
            if (probe.failed != 0)
                check_coroutines(reader);
        }
        assert_true(status == GT_END || status == GT_ERR_NO_MEMORY);
        is_done = probe.failed == 0;
        gt_reader_close(&reader);
        probe_check(&probe);
    }
    assert_true(failures > 10);
    gen_free(&gen);
}

/* What a reader that keeps all stacks says of those that are alive, at each Sync and at the end. */
static void check_alive(gt_reader *reader, gt_reader *keeper)
{
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
    while (gt_reader_next_goroutine(reader, &info) == GT_OK) {
        const gt_stack stacks[] = {info.stack, info.start_stack, info.creator_stack};
        for (size_t i = 0; i < 3; i++) {
            const gt_frame *frames, *expected;
            size_t count, expected_count;
            assert_status(gt_stack_view(reader, stacks[i], &frames, &count), GT_OK);
            assert_status(gt_stack_view(keeper, stacks[i], &expected, &expected_count), GT_OK);
            assert_int_equal(count, expected_count);
            for (size_t k = 0; k < count; k++) {
                const gt_frame *a = &frames[k], *b = &expected[k];
                assert_int_equal(a->pc, b->pc);
                assert_int_equal(a->line, b->line);
                assert_int_equal(a->function.size, b->function.size);
                assert_memory_equal(a->function.data, b->function.data, a->function.size);
                assert_int_equal(a->file.size, b->file.size);
                assert_memory_equal(a->file.data, b->file.data, a->file.size);
            }
        }
    }
}

static void test_recorded(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader, *keeper;
    const gt_event *event, *same;
    uint64_t read = 0;
    options.flags = GT_READER_TRACK | GT_READER_LENIENT;
    assert_status(gt_reader_open_file(&reader, *state, &options, NULL), GT_OK);
    options.flags |= GT_READER_KEEP;
    assert_status(gt_reader_open_file(&keeper, *state, &options, NULL), GT_OK);
    while (gt_reader_next_event(keeper, &same) == GT_OK) {
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
        if (event->kind == GT_EVENT_SYNC || read++ % 4096 == 0)
            check_alive(reader, keeper);
    }
    check_alive(reader, keeper);
    gt_reader_close(&reader);
    gt_reader_close(&keeper);
}

int main(void)
{
    struct suite suite = {0};
    char *directory = files_join(files_testdata(), "v2");
    struct file_list list = {0};
    files_list(&list, directory, "", ".trace");
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(directory, list.names[i]);
        suite_add(&suite, path, test_recorded, path);
    }
    suite_add(&suite, "generations", test_stacks_stay_over_generations, NULL);
    suite_add(&suite, "number", test_a_kept_stack_has_its_number, NULL);
    suite_add(&suite, "ended", test_ended_goroutines_keep_nothing, NULL);
    suite_add(&suite, "memory", test_without_memory, NULL);
    int failed = suite_run(&suite, "live_stacks");
    suite_free(&suite, free);
    files_list_free(&list);
    free(directory);
    return failed;
}
