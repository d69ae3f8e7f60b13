/* SPDX-License-Identifier: BSD-3-Clause */

/* Stacks that are interned, above all those whose hashes are the same by chance. */

#include "model/interned.h"

#include <stdbool.h>
#include <string.h>

#include "support/test.h"

enum {
    /* So many random hashes of 32 bits contain ten pairs of equal ones on average. */
    STACKS = 300000,
    NAMES = 1000
};

static char names[NAMES][8];

/* Sets one of the four members of a frame to something that depends on `value`. */
static void frame_set(gt_frame *frame, unsigned member, uint64_t value)
{
    gt_string *name = member == 2 ? &frame->function : &frame->file;
    if (member == 0)
        frame->pc = value;
    else if (member == 1)
        frame->line = value;
    else
        *name = (gt_string){names[value % NAMES], strlen(names[value % NAMES])};
}

/*
 * Interns stacks of two frames, which differ in one member, and asserts that each has an id of its
 * own: numbers are enough for as many stacks with one frame, names need two.
 */
static void check_member(struct gt_mem *mem, unsigned member)
{
    struct gt_interned interned = {0};
    uint64_t seed = member + 1;
    uint32_t id;
    for (uint32_t i = 0; i < STACKS; i++) {
        gt_frame frames[2] = {{1, 2, {"f", 1}, {"g", 1}}, {1, 2, {"f", 1}, {"g", 1}}};
        bool is_name = member >= 2;
        uint64_t value = test_random(&seed) << 20 | i;
        frame_set(&frames[0], member, is_name ? i % NAMES : value);
        frame_set(&frames[1], member, is_name ? i / NAMES : value);
        assert_status(gt_interned_add(&interned, mem, frames, 2, &id), GT_OK);
        assert_int_equal(id, i + 1);
    }
    gt_interned_destroy(&interned, mem);
}

static void test_stacks_with_equal_hashes_are_told_apart(void **state)
{
    struct gt_mem mem;
    const gt_allocator plain = {0};
    (void) state;
    gt_mem_init(&mem, &plain, 0);
    for (size_t i = 0; i < NAMES; i++) {
        memcpy(names[i], "name000", 8);
        names[i][4] = (char) ('0' + i / 100);
        names[i][5] = (char) ('0' + i / 10 % 10);
        names[i][6] = (char) ('0' + i % 10);
    }
    for (unsigned member = 0; member < 4; member++)
        check_member(&mem, member);
}

/* A stack is not the beginning of another one, and an empty one has no id. */
static void test_length_of_stacks_counts(void **state)
{
    static const gt_frame frames[3] = {
        {1, 2, {"f", 1}, {"g", 1}}, {1, 2, {"f", 1}, {"g", 1}}, {1, 2, {"f", 1}, {"g", 1}}};
    struct gt_interned interned = {0};
    const gt_allocator plain = {0};
    struct gt_mem mem;
    uint32_t id;
    (void) state;
    gt_mem_init(&mem, &plain, 0);
    gt_interned_destroy(&interned, &mem);
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t count = 0; count <= 3; count++) {
            assert_status(gt_interned_add(&interned, &mem, frames, count, &id), GT_OK);
            assert_int_equal(id, count);
        }
    }
    gt_interned_destroy(&interned, &mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stacks_with_equal_hashes_are_told_apart),
        cmocka_unit_test(test_length_of_stacks_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
