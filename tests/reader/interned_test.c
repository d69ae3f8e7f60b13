/* SPDX-License-Identifier: BSD-3-Clause */

/* Ids of stacks for a whole trace: equal frames have equal ids, in whatever generation. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/gen.h"
#include "support/gen_events.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"

enum {
    MOST_STACKS = 3000
};

/* The different stacks of a trace, found by comparing frames. */
struct stacks {
    struct {
        gt_frame *frames; /* with copies of texts */
        size_t count;
    } list[MOST_STACKS];

    size_t count;
    uint64_t asked;
};

static gt_string text_copy(gt_string text)
{
    char *copy = malloc(text.size + 1);
    memcpy(copy, text.data, text.size);
    return (gt_string){copy, text.size};
}

static bool text_equal(gt_string a, gt_string b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static bool frames_equal(const gt_frame *a, const gt_frame *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (a[i].pc != b[i].pc || a[i].line != b[i].line ||
            !text_equal(a[i].function, b[i].function) || !text_equal(a[i].file, b[i].file))
            return false;
    }
    return true;
}

/* The number, from 1, of the stack among all different ones so far; 0 if it has no frames. */
static uint32_t stacks_number(struct stacks *stacks, const gt_frame *frames, size_t count)
{
    if (count == 0)
        return 0;
    for (size_t i = 0; i < stacks->count; i++) {
        if (stacks->list[i].count == count && frames_equal(stacks->list[i].frames, frames, count))
            return (uint32_t) i + 1;
    }
    gt_frame *copy = calloc(count, sizeof(*copy));
    for (size_t i = 0; i < count; i++)
        copy[i] = (gt_frame){frames[i].pc, frames[i].line, text_copy(frames[i].function),
                             text_copy(frames[i].file)};
    assert_true(stacks->count < MOST_STACKS);
    stacks->list[stacks->count].frames = copy;
    stacks->list[stacks->count++].count = count;
    return (uint32_t) stacks->count;
}

static void stacks_free(struct stacks *stacks)
{
    for (size_t i = 0; i < stacks->count; i++) {
        for (size_t k = 0; k < stacks->list[i].count; k++) {
            free((void *) (uintptr_t) stacks->list[i].frames[k].function.data);
            free((void *) (uintptr_t) stacks->list[i].frames[k].file.data);
        }
        free(stacks->list[i].frames);
    }
    free(stacks);
}

static void check_stack(struct stacks *stacks, gt_reader *reader, gt_stack stack)
{
    const gt_frame *frames;
    uint32_t id = 12345;
    size_t count;
    assert_status(gt_stack_view(reader, stack, &frames, &count), GT_OK);
    assert_status(gt_stack_intern(reader, stack, &id), GT_OK);
    assert_int_equal(id, stacks_number(stacks, frames, count));
    assert_int_equal(gt_stack_interned_count(reader), stacks->count);
    stacks->asked++;
}

/* Every id still has its frames, whatever has expired. */
static void check_lookups(const struct stacks *stacks, const gt_reader *reader)
{
    const gt_frame *frames;
    size_t count;
    for (uint32_t id = 1; id <= stacks->count; id++) {
        assert_status(gt_stack_interned(reader, id, &frames, &count), GT_OK);
        assert_int_equal(count, stacks->list[id - 1].count);
        assert_true(frames_equal(frames, stacks->list[id - 1].frames, count));
    }
    assert_status(gt_stack_interned(reader, 0, &frames, &count), GT_OK);
    assert_null(frames);
    assert_int_equal(count, 0);
    assert_status(gt_stack_interned(reader, (uint32_t) stacks->count + 1, &frames, &count),
                  GT_ERR_INVALID_ARGUMENT);
}

static uint64_t check_trace(const uint8_t *data, size_t size, uint64_t flags)
{
    struct stacks *stacks = calloc(1, sizeof(*stacks));
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    const gt_event *event;
    gt_reader *reader;
    options.flags = flags;
    assert_status(gt_reader_open_memory(&reader, data, size, &options, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_transition transition = GT_TRANSITION_INIT;
        check_stack(stacks, reader, gt_event_stack(event));
        if (gt_event_transition(event, &transition) == GT_OK)
            check_stack(stacks, reader, transition.stack);
        if (event->kind == GT_EVENT_SYNC)
            check_lookups(stacks, reader);
    }
    check_lookups(stacks, reader);
    uint64_t different = stacks->count;
    gt_reader_close(&reader);
    stacks_free(stacks);
    return different;
}

static void test_ids_are_equal_where_frames_are(void **state)
{
    static const unsigned versions[] = {5, 7, 11, 19, 21, 22, 23, 25, 26};
    static const uint64_t flags[] = {0, GT_READER_KEEP, GT_READER_AHEAD};
    (void) state;
    for (size_t i = 0; i < 3 * sizeof(versions) / sizeof(versions[0]); i++) {
        struct wire wire = {0};
        sample_trace(&wire, versions[i / 3], 8, 200);
        assert_true(check_trace(wire.data, wire.size, flags[i % 3]) > 1);
        wire_free(&wire);
    }
}

/* Each generation has its own handles: for three stacks that all have, and for one of its own. */
static void test_equal_stacks_of_generations_have_one_id(void **state)
{
    (void) state;
    for (unsigned version = 22; version <= 26; version++) {
        struct gen gen = {0};
        if (version == 24)
            continue;
        gen_begin(&gen, version);
        for (uint64_t i = 1; i <= 9; i++) {
            gen_generation(&gen, i);
            gen_running(&gen, 5, 0, 1);
            gen_log(&gen, 0, "a", "b", GEN_STACK(&gen, {"main.own", "own.go", i}));
            gen_log(&gen, 0, "a", "b", GEN_STACK(&gen, {"main.f", "f.go", 1}));
            gen_log(&gen, 0, "a", "b", GEN_STACK(&gen, {"main.g", "f.go", 1}));
            gen_log(&gen, 0, "a", "b",
                    GEN_STACK(&gen, {"main.f", "f.go", 1}, {"main.g", "f.go", 1}));
        }
        gen_end(&gen);
        assert_int_equal(check_trace(gen.wire.data, gen.wire.size, 0), 3 + 9);
        gen_free(&gen);
    }
}

static void test_ids_in_recorded_and_damaged_traces(void **state)
{
    static const char *const directories[] = {"v1", "v2"};
    uint64_t seed = 7;
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        char *directory = files_join(files_testdata(), directories[i]);
        struct file_list list = {NULL, 0};
        files_list(&list, directory, "", ".trace");
        for (size_t k = 0; k < list.count; k++) {
            char *path = files_join(directory, list.names[k]);
            size_t size;
            uint8_t *data = files_read(path, &size);
            if (size < 30000) {
                check_trace(data, size, 0);
                data[16 + test_random(&seed) % (size - 16)] = (uint8_t) test_random(&seed);
                check_trace(data, size, GT_READER_LENIENT);
            }
            free(data);
            free(path);
        }
        files_list_free(&list);
        free(directory);
    }
}

/* Reads up to an event with a stack that has frames. */
static gt_reader *open_at_stack(const struct wire *wire, const gt_reader_options *options,
                                gt_stack *stack)
{
    const gt_event *event;
    const gt_frame *frames;
    gt_reader *reader;
    size_t count;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, options, NULL), GT_OK);
    do {
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
        *stack = gt_event_stack(event);
        assert_status(gt_stack_view(reader, *stack, &frames, &count), GT_OK);
    } while (count == 0);
    return reader;
}

static void test_failed_allocation_can_be_repeated(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct wire wire = {0};
    struct probe probe;
    uint64_t failures = 0;
    gt_stack stack;
    (void) state;
    sample_trace(&wire, 26, 1, 50);
    for (bool is_done = false; !is_done;) {
        uint32_t id = 77;
        probe_init(&probe);
        options.allocator = &probe.allocator;
        gt_reader *reader = open_at_stack(&wire, &options, &stack);
        probe.fail_at = probe.calls + failures + 1;
        gt_status status = gt_stack_intern(reader, stack, &id);
        is_done = status == GT_OK;
        if (!is_done) {
            assert_status(status, GT_ERR_NO_MEMORY);
            assert_int_equal(id, 0);
            assert_int_equal(gt_stack_interned_count(reader), 0);
            failures++;
            assert_status(gt_stack_intern(reader, stack, &id), GT_OK);
        }
        assert_int_equal(id, 1);
        gt_reader_close(&reader);
        probe_check(&probe);
    }
    assert_true(failures > 2);
    wire_free(&wire);
}

static void test_memory_limit_and_bad_arguments(void **state)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;
    struct wire wire = {0};
    const gt_event *event;
    const gt_frame *frames;
    gt_stack stack;
    uint32_t id;
    size_t count;
    (void) state;
    sample_trace(&wire, 26, 3, 50);
    gt_reader *reader = open_at_stack(&wire, NULL, &stack);
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    assert_status(gt_stack_intern(NULL, stack, &id), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_intern(reader, stack, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_intern(reader, UINT64_C(9) << 32 | 1, &id), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_intern(reader, stack, &id), GT_OK);
    assert_int_equal(gt_stack_interned_count(NULL), 0);
    assert_status(gt_stack_interned(NULL, 1, &frames, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_interned(reader, 1, NULL, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_interned(reader, 1, &frames, NULL), GT_ERR_INVALID_ARGUMENT);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        ;
    assert_status(gt_stack_intern(reader, stack, &id), GT_ERR_EXPIRED);
    assert_status(gt_stack_interned(reader, 1, &frames, &count), GT_OK);
    assert_true(count > 0);
    gt_reader_close(&reader);
    options.memory_limit = info.memory_peak;
    reader = open_at_stack(&wire, &options, &stack);
    assert_status(gt_stack_intern(reader, stack, &id), GT_ERR_LIMIT);
    assert_int_equal(id, 0);
    gt_reader_close(&reader);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_are_equal_where_frames_are),
        cmocka_unit_test(test_equal_stacks_of_generations_have_one_id),
        cmocka_unit_test(test_ids_in_recorded_and_damaged_traces),
        cmocka_unit_test(test_failed_allocation_can_be_repeated),
        cmocka_unit_test(test_memory_limit_and_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
