/* SPDX-License-Identifier: BSD-3-Clause */

/* The stack table of a generation: frames are shared by pc. */

#include "model/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "support/wire.h"
#include "unit/failing.h"

#define STRINGS 16
#define STACKS  600

/* A string id that does not exist. */
#define MISSING 99

/* The bytes of each stack, in a block of exactly its size, so that tools find reads beyond it. */
struct input {
    struct wire wire;
    uint8_t *blocks[STACKS];
    size_t count;
};

struct fixture {
    struct probe probe;
    struct gt_mem mem;
    struct gt_names names;
    struct gt_strings strings;
    struct gt_stacks stacks;
    struct input input;
};

static const char letters[] = "0123456789abcdef";

/* The string with id i, from 1 to STRINGS, is the letter i - 1. */
static gt_status add_letters(struct gt_strings *strings)
{
    gt_status status = GT_OK;
    for (uint64_t id = 1; id <= STRINGS && status == GT_OK; id++)
        status = gt_strings_add(strings, id, (const uint8_t *) letters + id - 1, 1);
    return status;
}

static void begin(struct fixture *f)
{
    memset(f, 0, sizeof(*f));
    probe_init(&f->probe);
    gt_mem_init(&f->mem, &f->probe.allocator, 0);
    gt_names_init(&f->names, &f->mem);
    gt_strings_init(&f->strings, &f->mem);
    gt_stacks_init(&f->stacks, &f->mem);
    assert_status(add_letters(&f->strings), GT_OK);
}

static void input_free(struct input *input)
{
    while (input->count > 0)
        free(input->blocks[--input->count]);
    wire_free(&input->wire);
}

static void end(struct fixture *f)
{
    gt_stacks_destroy(&f->stacks);
    gt_strings_destroy(&f->strings, &f->names);
    assert_int_equal(f->mem.used, 0);
    probe_check(&f->probe);
    input_free(&f->input);
}

/* Makes the bytes of a stack as its record has them. */
static const uint8_t *make_stack(struct input *input, const struct gt_wire_frame *frames,
                                 uint32_t count)
{
    struct wire *wire = &input->wire;
    uint8_t *data;
    wire->size = 0;
    wire_varint(wire, count);
    for (uint32_t i = 0; i < count; i++)
        wire_frame(wire, frames[i].pc, frames[i].function, frames[i].file, frames[i].line);
    assert_true(input->count < STACKS);
    data = malloc(wire->size);
    assert_non_null(data);
    memcpy(data, wire->data, wire->size);
    input->blocks[input->count++] = data;
    return data;
}

static uint32_t add_stack(struct fixture *f, uint64_t id, const struct gt_wire_frame *frames,
                          uint32_t count)
{
    const uint8_t *data = make_stack(&f->input, frames, count);
    uint32_t slot;
    assert_status(gt_stacks_add(&f->stacks, id, data), GT_OK);
    assert_true(gt_stacks_find(&f->stacks, id, &slot));
    return slot;
}

static void assert_frame(const gt_frame *frame, const struct gt_wire_frame *expected)
{
    assert_int_equal(frame->pc, expected->pc);
    assert_int_equal(frame->line, expected->line);
    assert_int_equal(frame->function.size, expected->function != 0);
    if (expected->function != 0)
        assert_int_equal(frame->function.data[0], letters[expected->function - 1]);
    assert_int_equal(frame->file.size, expected->file != 0);
    if (expected->file != 0)
        assert_int_equal(frame->file.data[0], letters[expected->file - 1]);
}

static void assert_frames(struct fixture *f, uint32_t slot, const struct gt_wire_frame *expected,
                          size_t expected_count)
{
    const gt_frame *frames;
    size_t count;
    assert_status(gt_stacks_view(&f->stacks, &f->strings, slot, &frames, &count), GT_OK);
    assert_int_equal(count, expected_count);
    for (size_t i = 0; i < count; i++)
        assert_frame(&frames[i], &expected[i]);
}

/* Checks the frames, and returns the slot of a bad one. */
static uint32_t check(struct fixture *f, struct gt_wire_frame *bad)
{
    uint32_t slot = 12345;
    memset(bad, 0, sizeof(*bad));
    assert_status(gt_stacks_check(&f->stacks, &f->strings, &slot, bad), GT_OK);
    return slot;
}

static void test_no_stack_has_no_frames(void **state)
{
    struct fixture f;
    uint32_t slot;
    (void) state;
    begin(&f);
    assert_true(gt_stacks_find(&f.stacks, 0, &slot));
    assert_int_equal(slot, 0);
    assert_false(gt_stacks_find(&f.stacks, 1, &slot));
    assert_frames(&f, 0, NULL, 0);
    assert_frames(&f, GT_STACK_EMPTY_SLOT, NULL, 0);
    slot = add_stack(&f, 7, NULL, 0);
    assert_int_equal(slot, 1);
    assert_frames(&f, slot, NULL, 0);
    end(&f);
}

static void test_frames_are_decoded(void **state)
{
    static const struct gt_wire_frame frames[] = {
        {0, 1, 2, 3},
        {127, 3, 4, 128},
        {UINT64_MAX, 0, 16, UINT64_MAX},
        {UINT64_C(1) << 63, 5, 0, 0},
    };
    struct fixture f;
    (void) state;
    for (unsigned width = 0; width <= 10; width += 5) {
        begin(&f);
        /* Numbers may be padded. */
        f.input.wire.width = width;
        add_stack(&f, 1000, frames, 2);
        add_stack(&f, UINT64_MAX, frames, 4);
        assert_frames(&f, 1, frames, 2);
        assert_frames(&f, 2, frames, 4);
        end(&f);
    }
}

/* The first frame with a pc stands for all of them, in the same stack or another. */
static void test_first_frame_of_a_pc_counts(void **state)
{
    static const struct gt_wire_frame first[] = {{10, 1, 2, 3}, {20, 3, 4, 5}};
    static const struct gt_wire_frame second[] = {{20, 5, 6, 7}, {30, 7, 8, 9}, {30, 1, 1, 1}};
    static const struct gt_wire_frame shown[] = {{20, 3, 4, 5}, {30, 7, 8, 9}, {30, 7, 8, 9}};
    struct gt_wire_frame bad;
    struct fixture f;
    (void) state;
    begin(&f);
    /* The order of definition matters, not that of the ids. */
    add_stack(&f, 2, first, 2);
    add_stack(&f, 1, second, 3);
    assert_int_equal(check(&f, &bad), 0);
    assert_frames(&f, 1, first, 2);
    assert_frames(&f, 2, shown, 3);
    end(&f);
}

#define PCS   3000
#define DEPTH 16

/* Pcs that differ in few bits at either end, or are far apart. */
static uint64_t pc_of(uint64_t number)
{
    if (number % 3 == 0)
        return number;
    return number % 3 == 1 ? number << 52 : number * UINT64_C(0x9e3779b97f4a7c15);
}

/* Many pcs, most of them several times, are compared with an array of the first ones. */
static void test_many_pcs_are_found(void **state)
{
    static struct gt_wire_frame first[PCS], shown[STACKS][DEPTH];
    struct gt_wire_frame given[DEPTH];
    uint64_t seed = 4242;
    struct fixture f;
    (void) state;
    begin(&f);
    memset(first, 0, sizeof(first));
    for (uint32_t i = 0; i < STACKS; i++) {
        for (uint32_t k = 0; k < DEPTH; k++) {
            uint64_t pick = test_random(&seed), number = pick % PCS;
            given[k].pc = pc_of(number);
            given[k].function = (pick >> 32) % STRINGS + 1;
            given[k].file = (pick >> 40) % STRINGS;
            given[k].line = pick >> 48;
            if (first[number].function == 0)
                first[number] = given[k];
            shown[i][k] = first[number];
        }
        add_stack(&f, i + 1, given, DEPTH);
    }
    for (uint32_t i = 0; i < STACKS; i++)
        assert_frames(&f, i + 1, shown[i], DEPTH);
    end(&f);
}

static void test_check_finds_bad_frames(void **state)
{
    static const struct gt_wire_frame good[] = {{1, 1, 2, 3}, {2, 0, 0, 0}};
    static const struct gt_wire_frame no_function[] = {{3, 1, 2, 3}, {4, MISSING, 2, 3}};
    static const struct gt_wire_frame no_file[] = {{5, 1, MISSING, 3}};
    struct gt_wire_frame bad;
    struct fixture f;
    (void) state;
    begin(&f);
    assert_int_equal(check(&f, &bad), 0);
    add_stack(&f, 50, good, 2);
    add_stack(&f, 51, NULL, 0);
    assert_int_equal(check(&f, &bad), 0);
    /* Good stacks need no index, which would take memory. */
    assert_int_equal(f.stacks.pcs.count, 0);
    add_stack(&f, 52, no_function, 2);
    assert_int_equal(check(&f, &bad), 3);
    assert_memory_equal(&bad, &no_function[1], sizeof(bad));
    gt_stacks_clear(&f.stacks);
    add_stack(&f, 50, good, 2);
    add_stack(&f, 52, no_file, 1);
    assert_int_equal(check(&f, &bad), 2);
    assert_memory_equal(&bad, &no_file[0], sizeof(bad));
    end(&f);
}

/* Of frames with the same pc only the first is used, so only that must be right. */
static void test_check_forgives_later_frames(void **state)
{
    static const struct gt_wire_frame good[] = {{1, 1, 2, 3}};
    static const struct gt_wire_frame repeats[] = {{1, MISSING, 2, 3}, {1, 1, MISSING, 3}};
    static const struct gt_wire_frame bad_first[] = {{9, 2, MISSING, 8}};
    static const struct gt_wire_frame good_later[] = {{9, 1, 1, 1}, {9, MISSING, MISSING, 1}};
    struct gt_wire_frame bad, shown[2] = {{1, 1, 2, 3}, {1, 1, 2, 3}};
    struct fixture f;
    (void) state;
    begin(&f);
    add_stack(&f, 1, good, 1);
    add_stack(&f, 2, repeats, 2);
    assert_int_equal(check(&f, &bad), 0);
    assert_frames(&f, 2, shown, 2);
    gt_stacks_clear(&f.stacks);
    add_stack(&f, 1, repeats, 2);
    add_stack(&f, 2, good, 1);
    assert_int_equal(check(&f, &bad), 1);
    assert_memory_equal(&bad, &repeats[0], sizeof(bad));
    gt_stacks_clear(&f.stacks);
    add_stack(&f, 1, good, 1);
    add_stack(&f, 3, bad_first, 1);
    add_stack(&f, 4, good_later, 2);
    assert_int_equal(check(&f, &bad), 2);
    assert_memory_equal(&bad, &bad_first[0], sizeof(bad));
    end(&f);
}

/* A stack is decoded once, no matter how often it is requested. */
static void test_stack_is_decoded_once(void **state)
{
    static const struct gt_wire_frame frames[] = {{1, 1, 2, 3}, {2, 2, 3, 4}, {3, 3, 4, 5}};
    struct fixture f;
    uint64_t calls;
    (void) state;
    begin(&f);
    add_stack(&f, 1, frames, 3);
    add_stack(&f, 2, frames, 2);
    assert_frames(&f, 1, frames, 3);
    assert_frames(&f, 2, frames, 2);
    calls = f.probe.calls;
    for (int i = 0; i < 10; i++) {
        assert_frames(&f, 1, frames, 3);
        assert_frames(&f, 2, frames, 2);
    }
    assert_int_equal(f.probe.calls, calls);
    end(&f);
}

/* The next generation has its own stacks, and nothing of the old index. */
static void test_clear_drops_the_index(void **state)
{
    static const struct gt_wire_frame before[] = {{1, 1, 2, 3}};
    static const struct gt_wire_frame after[] = {{1, 4, 5, 6}};
    struct fixture f;
    uint32_t slot;
    (void) state;
    begin(&f);
    add_stack(&f, 1, before, 1);
    add_stack(&f, 2, before, 1);
    assert_frames(&f, 2, before, 1);
    assert_true(f.stacks.pcs.count != 0);
    gt_stacks_clear(&f.stacks);
    assert_int_equal(f.stacks.pcs.count, 0);
    assert_false(gt_stacks_find(&f.stacks, 1, &slot));
    add_stack(&f, 2, after, 1);
    assert_frames(&f, 1, after, 1);
    assert_false(gt_stacks_find(&f.stacks, 1, &slot));
    end(&f);
}

/* The last stack with an id counts; each frame is the first one with its pc. */
static void test_added_again_replaces_the_stack(void **state)
{
    static const struct gt_wire_frame first[] = {{10, 1, 2, 3}, {20, 3, 4, 5}};
    static const struct gt_wire_frame other[] = {{30, 5, 6, 7}};
    static const struct gt_wire_frame again[] = {{30, 1, 1, 1}, {40, 7, 8, 9}, {10, 2, 2, 2}};
    static const struct gt_wire_frame shown[] = {{30, 5, 6, 7}, {40, 7, 8, 9}, {10, 1, 2, 3}};
    static const uint64_t ids[] = {5, UINT64_MAX};
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        struct fixture f;
        uint32_t slot;
        begin(&f);
        assert_int_equal(add_stack(&f, ids[i], first, 2), 1);
        assert_int_equal(add_stack(&f, 6, other, 1), 2);
        assert_int_equal(add_stack(&f, ids[i], again, 3), 3);
        assert_true(gt_stacks_find(&f.stacks, 6, &slot));
        assert_int_equal(slot, 2);
        assert_frames(&f, 3, shown, 3);
        assert_frames(&f, 2, other, 1);
        /* The stack that it replaced can still be found by its slot. */
        assert_frames(&f, 1, first, 2);
        end(&f);
    }
}

/* No matter how often an id is added, there is room for the pcs of all its stacks. */
static void test_repeated_id_leaves_room_for_all_pcs(void **state)
{
    struct gt_wire_frame frames[4];
    struct fixture f;
    uint32_t slot;
    (void) state;
    begin(&f);
    for (uint32_t i = 0; i < STACKS; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            struct gt_wire_frame frame = {pc_of(4 * i + k), i % STRINGS + 1, k + 1, i};
            frames[k] = frame;
        }
        assert_int_equal(add_stack(&f, 1, frames, 4), i + 1);
    }
    assert_true(gt_stacks_find(&f.stacks, 1, &slot));
    assert_int_equal(slot, STACKS);
    assert_frames(&f, slot, frames, 4);
    end(&f);
}

static uint32_t add_plain(struct fixture *f, const struct gt_wire_frame *frames, uint32_t count)
{
    const uint8_t *data = make_stack(&f->input, frames, count);
    uint32_t slot = 12345;
    assert_status(gt_stacks_add_plain(&f->stacks, data, &slot), GT_OK);
    return slot;
}

/* A stack without an id is found by none; its frames count like any others. */
static void test_plain_stack_has_no_id(void **state)
{
    static const struct gt_wire_frame plain[] = {{10, 1, 2, 3}};
    static const struct gt_wire_frame named[] = {{10, 4, 5, 6}, {20, 7, 8, 9}};
    static const struct gt_wire_frame shown[] = {{10, 1, 2, 3}, {20, 7, 8, 9}};
    static const struct gt_wire_frame broken[] = {{30, 1, MISSING, 3}};
    struct gt_wire_frame bad;
    struct fixture f;
    uint32_t slot;
    (void) state;
    begin(&f);
    assert_int_equal(add_plain(&f, plain, 1), 1);
    for (uint64_t id = 1; id < 10; id++)
        assert_false(gt_stacks_find(&f.stacks, id, &slot));
    assert_int_equal(add_stack(&f, 1, named, 2), 2);
    assert_int_equal(add_plain(&f, named, 2), 3);
    assert_int_equal(check(&f, &bad), 0);
    assert_true(gt_stacks_find(&f.stacks, 1, &slot));
    assert_int_equal(slot, 2);
    assert_frames(&f, 1, plain, 1);
    assert_frames(&f, 2, shown, 2);
    assert_frames(&f, 3, shown, 2);
    gt_stacks_clear(&f.stacks);
    assert_int_equal(add_stack(&f, 7, plain, 1), 1);
    assert_int_equal(add_plain(&f, broken, 1), 2);
    assert_int_equal(check(&f, &bad), 2);
    assert_memory_equal(&bad, &broken[0], sizeof(bad));
    end(&f);
}

static void use_stacks(struct failing *failing, struct gt_stacks *stacks,
                       const struct gt_strings *strings, uint32_t count)
{
    struct gt_wire_frame bad;
    const gt_frame *frames;
    size_t frame_count;
    uint32_t slot;
    if (!TRY(failing, gt_stacks_check(stacks, strings, &slot, &bad)))
        return;
    assert_int_equal(slot, 0);
    for (slot = 1; slot <= count; slot++) {
        if (!TRY(failing, gt_stacks_view(stacks, strings, slot, &frames, &frame_count)))
            return;
        assert_int_equal(frame_count, 2);
        assert_int_equal(frames[0].pc, slot);
        assert_int_equal(frames[1].pc, 1);
        assert_int_equal(frames[1].line, 2);
    }
}

/* `line` of pc 1 is 2; with `bad_repeats` later frames of that pc are bad. */
static void run_with(struct failing *failing, int bad_repeats)
{
    struct input input = {0};
    struct gt_names names;
    struct gt_strings strings;
    struct gt_stacks stacks;
    uint32_t count = 0;
    int ready;
    gt_names_init(&names, &failing->mem);
    gt_strings_init(&strings, &failing->mem);
    gt_stacks_init(&stacks, &failing->mem);
    ready = TRY(failing, gt_strings_add(&strings, 1, (const uint8_t *) "x", 1));
    while (ready && count < 60) {
        struct gt_wire_frame frames[] = {{count + 1, 1, 1, 2}, {1, 1, 1, count + 2}};
        const uint8_t *data;
        if (bad_repeats && count > 0)
            frames[1].file = MISSING;
        data = make_stack(&input, frames, 2);
        ready = TRY(failing, gt_stacks_add(&stacks, count % 3 ? count + 1 : ~count, data));
        count += ready != 0;
    }
    assert_int_equal(stacks.slots.count, count);
    if (ready)
        use_stacks(failing, &stacks, &strings, count);
    gt_stacks_destroy(&stacks);
    gt_strings_destroy(&strings, &names);
    input_free(&input);
}

static void run_good(struct failing *failing)
{
    run_with(failing, 0);
}

/* Here the check itself builds the index. */
static void run_bad_repeats(struct failing *failing)
{
    run_with(failing, 1);
}

/* Stacks with the same id, and without one, in turn: frame 1 has the number of the stack. */
static void run_again(struct failing *failing)
{
    struct input input = {0};
    struct gt_strings strings;
    struct gt_stacks stacks;
    const gt_frame *frame;
    size_t frame_count;
    uint32_t count = 0, slot;
    int ready = 1;
    gt_strings_init(&strings, &failing->mem);
    gt_stacks_init(&stacks, &failing->mem);
    while (ready && count < 60) {
        struct gt_wire_frame frames[] = {{count + 1, 0, 0, 9}};
        const uint8_t *data = make_stack(&input, frames, 1);
        ready = count % 2 ? TRY(failing, gt_stacks_add(&stacks, 3, data))
                          : TRY(failing, gt_stacks_add_plain(&stacks, data, &slot));
        count += ready != 0;
        if (gt_stacks_find(&stacks, 3, &slot))
            assert_int_equal(slot, count - count % 2);
    }
    assert_int_equal(stacks.slots.count, count);
    for (slot = 1; ready && slot <= count; slot++) {
        ready = TRY(failing, gt_stacks_view(&stacks, &strings, slot, &frame, &frame_count));
        assert_int_equal(frame_count, ready ? 1 : 0);
        assert_int_equal(ready ? frame->pc : slot, slot);
    }
    gt_stacks_destroy(&stacks);
    input_free(&input);
}

static void test_failed_allocations_are_reported(void **state)
{
    (void) state;
    failing_each(run_again, 60);
    failing_each(run_good, 60);
    failing_each(run_bad_repeats, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_stack_has_no_frames),
        cmocka_unit_test(test_frames_are_decoded),
        cmocka_unit_test(test_first_frame_of_a_pc_counts),
        cmocka_unit_test(test_many_pcs_are_found),
        cmocka_unit_test(test_check_finds_bad_frames),
        cmocka_unit_test(test_check_forgives_later_frames),
        cmocka_unit_test(test_stack_is_decoded_once),
        cmocka_unit_test(test_clear_drops_the_index),
        cmocka_unit_test(test_added_again_replaces_the_stack),
        cmocka_unit_test(test_repeated_id_leaves_room_for_all_pcs),
        cmocka_unit_test(test_plain_stack_has_no_id),
        cmocka_unit_test(test_failed_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("stacks", tests, NULL, NULL);
}
