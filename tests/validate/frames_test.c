/* SPDX-License-Identifier: BSD-3-Clause */

/* Frames that lack something: each stack is checked once. */

#include "plant.h"
#include "support/test.h"

/* Writes stack `id` with these frames, whose names are those of plant_strings(). */
struct shape {
    uint64_t pc;
    uint64_t function;
    uint64_t file;
    uint64_t line;
};

static void stack(struct wire *wire, uint64_t id, const struct shape *frames, size_t count)
{
    wire_stack(wire, id, count);
    for (size_t i = 0; i < count; i++)
        wire_frame(wire, frames[i].pc, frames[i].function, frames[i].file, frames[i].line);
}

/* Asserts what is found in a trace that uses a stack of these frames twice; NULL: nothing. */
static void check_stack(const struct shape *frames, size_t count, uint32_t version,
                        const char *message)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    struct plant p = {0};
    options.version = version;
    reading_begin_running(&p.first);
    WIRE_EVENT(&p.first.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 1);
    WIRE_EVENT(&p.first.wire, EV_GO_SYSCALL_END, 1);
    WIRE_EVENT(&p.first.wire, EV_GO_SYSCALL_BEGIN, 1, 2, 1);
    plant_strings(&p.first.wire);
    wire_stacks(&p.first.wire, 1);
    stack(&p.first.wire, 1, frames, count);
    plant_open(&p, &options);
    plant_feed(&p, &p.first, PLANT_RUNNING_EVENTS + 1);
    if (message)
        assert_string_equal(plant_expect(&p, GT_RULE_FRAME), message);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

static void test_incomplete_frame_is_found(void **state)
{
    static const struct shape no_pc[] = {{10, 1, 2, 5}, {0, 1, 2, 6}};
    static const struct shape no_function[] = {{10, 0, 2, 5}};
    static const struct shape no_file[] = {{10, 1, 2, 5}, {11, 1, 2, 6}, {12, 1, 0, 7}};
    static const struct shape no_line[] = {{10, 1, 2, 0}};
    static const struct shape zero_last[] = {{10, 1, 2, 5}, {0, 0, 0, 0}};
    static const struct shape from_c[] = {{4, 0, 0, 0}};
    static const struct shape low[] = {{5, 0, 0, 0}};
    static const struct shape zeros[] = {{0, 0, 0, 0}, {10, 1, 2, 5}, {0, 0, 0, 0}};
    (void) state;
    check_stack(no_pc, 2, 23, "frame 1 of the stack has no pc");
    check_stack(no_function, 1, 23, "frame 0 of the stack has no function");
    check_stack(no_file, 3, 23, "frame 2 of the stack has no file");
    check_stack(no_line, 1, 23, "frame 0 of the stack has no line");
    check_stack(zero_last, 2, 23, NULL);
    check_stack(from_c, 1, 23, NULL);
    check_stack(low, 1, 23, "frame 0 of the stack has no function");
    check_stack(zeros, 3, 23, "frame 2 of the stack has no pc");
    /* Traces of Go 1.5 have no names. */
    check_stack(no_function, 1, 5, NULL);
    check_stack(no_function, 1, 7, "frame 0 of the stack has no function");
    check_stack(no_pc, 2, 5, "frame 1 of the stack has no pc");
}

/* One of many stacks, which only a transition refers to. */
static void test_frames_of_a_transition_are_checked(void **state)
{
    static const struct shape good[] = {{10, 1, 2, 5}};
    static const struct shape bad[] = {{11, 1, 2, 0}};
    struct plant p = {0};
    uint64_t i;
    (void) state;
    reading_begin_running(&p.first);
    for (i = 1; i <= 700; i++)
        WIRE_EVENT(&p.first.wire, EV_GO_CREATE, 1, 1 + i, i, 0);
    WIRE_EVENT(&p.first.wire, EV_GO_CREATE, 1, 1 + i, 250, 0);
    plant_strings(&p.first.wire);
    wire_stacks(&p.first.wire, 1);
    for (i = 1; i <= 700; i++)
        stack(&p.first.wire, i, i == 250 ? bad : good, 1);
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, PLANT_RUNNING_EVENTS + 250);
    plant_expect(&p, GT_RULE_FRAME);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

/* Stacks belong to their generation: the same slot is checked again in the next one. */
static void test_frames_are_checked_in_each_generation(void **state)
{
    static const struct shape good[] = {{10, 1, 2, 5}};
    static const struct shape bad[] = {{10, 1, 2, 0}};
    struct plant p = {0};
    (void) state;
    wire_begin(&p.first.wire, 23);
    for (uint64_t gen = 1; gen <= 2; gen++) {
        wire_sync(&p.first.wire, gen, gen * 100, WIRE_NANOSECONDS);
        wire_batch(&p.first.wire, gen, 5, gen * 100 + 1);
        wire_running(&p.first.wire, 5, 0, 1);
        WIRE_EVENT(&p.first.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 1);
        WIRE_EVENT(&p.first.wire, EV_GO_SYSCALL_END, 1);
        wire_strings(&p.first.wire, gen);
        wire_string(&p.first.wire, 1, "main.f");
        wire_string(&p.first.wire, 2, "main.go");
        wire_stacks(&p.first.wire, gen);
        stack(&p.first.wire, 1, gen == 1 ? good : bad, 1);
    }
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, 9);
    plant_expect(&p, GT_RULE_FRAME);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

/* The same if the generation begins with another stack, which is a good one. */
static void test_later_frames_are_checked_in_each_generation(void **state)
{
    static const struct shape good[] = {{10, 1, 2, 5}};
    static const struct shape bad[] = {{11, 1, 2, 0}};
    struct plant p = {0};
    (void) state;
    wire_begin(&p.first.wire, 23);
    for (uint64_t gen = 1; gen <= 2; gen++) {
        wire_sync(&p.first.wire, gen, gen * 100, WIRE_NANOSECONDS);
        wire_batch(&p.first.wire, gen, 5, gen * 100 + 1);
        wire_running(&p.first.wire, 5, 0, 1);
        for (uint64_t id = 1; id <= 2; id++) {
            WIRE_EVENT(&p.first.wire, EV_GO_SYSCALL_BEGIN, 1, id, id);
            WIRE_EVENT(&p.first.wire, EV_GO_SYSCALL_END, 1);
        }
        wire_strings(&p.first.wire, gen);
        wire_string(&p.first.wire, 1, "main.f");
        wire_string(&p.first.wire, 2, "main.go");
        wire_stacks(&p.first.wire, gen);
        stack(&p.first.wire, 1, good, 1);
        stack(&p.first.wire, 2, gen == 1 ? good : bad, 1);
    }
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, 13);
    plant_expect(&p, GT_RULE_FRAME);
    plant_feed_rest(&p, &p.first);
    plant_close(&p);
}

/* Without a reader frames are not checked. */
static void test_frames_are_not_checked_without_a_reader(void **state)
{
    static const struct shape bad[] = {{10, 1, 2, 0}};
    struct plant p = {0};
    const gt_event *event;
    (void) state;
    reading_begin_running(&p.first);
    WIRE_EVENT(&p.first.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 1);
    plant_strings(&p.first.wire);
    wire_stacks(&p.first.wire, 1);
    stack(&p.first.wire, 1, bad, 1);
    plant_open(&p, NULL);
    while (gt_reader_next_event(p.first.reader, &event) == GT_OK)
        assert_status(gt_validator_event(p.validator, NULL, event), GT_OK);
    plant_close(&p);
}

/* A reader cannot look up the stacks of an event that is not its own. */
static void test_event_of_another_reader_is_refused(void **state)
{
    static const struct shape good[] = {{10, 1, 2, 5}};
    struct plant p = {0};
    (void) state;
    plant_begin_running(&p);
    WIRE_EVENT(&p.first.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 1);
    plant_strings(&p.first.wire);
    wire_stacks(&p.first.wire, 1);
    stack(&p.first.wire, 1, good, 1);
    plant_open(&p, NULL);
    plant_feed(&p, &p.first, PLANT_RUNNING_EVENTS);
    reading_skip(&p.second, 1);
    reading_skip(&p.first, 1);
    assert_status(gt_validator_event(p.validator, p.second.reader, p.first.event),
                  GT_ERR_INVALID_ARGUMENT);
    gt_validator_close(&p.validator);
    reading_close(&p.first);
    reading_close(&p.second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_incomplete_frame_is_found),
        cmocka_unit_test(test_frames_of_a_transition_are_checked),
        cmocka_unit_test(test_frames_are_checked_in_each_generation),
        cmocka_unit_test(test_later_frames_are_checked_in_each_generation),
        cmocka_unit_test(test_frames_are_not_checked_without_a_reader),
        cmocka_unit_test(test_event_of_another_reader_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
