/* SPDX-License-Identifier: BSD-3-Clause */

/* Stacks: handles, frames, and how long they and strings are valid. */

#include <string.h>

#include "support/feed.h"
#include "support/reading.h"
#include "support/test.h"

static const gt_reader_options keep = {.size = sizeof(keep), .flags = GT_READER_KEEP};

/* Thread 5 runs goroutine 1 on proc 0; its batch stays open. */
static void begin_generation(struct reading *r, uint64_t gen, uint64_t time)
{
    wire_sync(&r->wire, gen, time, WIRE_NANOSECONDS);
    wire_batch(&r->wire, gen, 5, time + 1);
    wire_running(&r->wire, 5, 0, 1);
}

/* Two strings: function 1 and file 2, whose names end in `suffix`. */
static void names(struct reading *r, uint64_t gen, const char *suffix)
{
    char text[32] = "main.f";
    wire_strings(&r->wire, gen);
    strcat(text, suffix);
    wire_string(&r->wire, 1, text);
    strcpy(text, "main.go");
    strcat(text, suffix);
    wire_string(&r->wire, 2, text);
}

static void expect_frame(const gt_frame *frame, uint64_t pc, uint64_t line, const char *function,
                         const char *file)
{
    assert_int_equal(frame->pc, pc);
    assert_int_equal(frame->line, line);
    assert_text(frame->function, function);
    assert_text(frame->file, file);
}

static size_t frames_of(const struct reading *r, gt_stack stack, gt_frame *frames)
{
    const gt_frame *view, *again;
    size_t count = 9999, viewed;
    assert_status(
        gt_stack_frames(r->reader, stack, frames, frames ? GT_STACK_MAX_FRAMES : 0, &count), GT_OK);
    assert_status(gt_stack_view(r->reader, stack, &view, &viewed), GT_OK);
    assert_int_equal(viewed, count);
    assert_int_equal(view == NULL, count == 0);
    if (frames && count != 0)
        assert_memory_equal(view, frames, count * sizeof(*frames));
    /* The frames stay at the same address. */
    assert_status(gt_stack_view(r->reader, stack, &again, &viewed), GT_OK);
    assert_ptr_equal(again, view);
    return count;
}

static void test_stack_has_its_frames(void **state)
{
    gt_frame frames[GT_STACK_MAX_FRAMES];
    struct reading r = {0};
    size_t count;
    gt_stack stack;
    (void) state;
    wire_begin(&r.wire, 22);
    begin_generation(&r, 1, 10);
    WIRE_EVENT(&r.wire, EV_GO_STOP, 1, 0, 77);
    names(&r, 1, "");
    wire_stacks(&r.wire, 1);
    wire_stack(&r.wire, 77, 3);
    wire_frame(&r.wire, 0x401000, 1, 2, 12);
    wire_frame(&r.wire, UINT64_MAX, 1, 0, UINT64_MAX);
    wire_frame(&r.wire, 0, 0, 2, 0);
    reading_open(&r, NULL);
    reading_skip(&r, 4);
    stack = gt_event_stack(r.event);
    assert_true(stack != GT_STACK_NONE);
    assert_int_equal(frames_of(&r, stack, NULL), 3);
    assert_int_equal(frames_of(&r, stack, frames), 3);
    expect_frame(&frames[0], 0x401000, 12, "main.f", "main.go");
    expect_frame(&frames[1], UINT64_MAX, UINT64_MAX, "main.f", "");
    expect_frame(&frames[2], 0, 0, "", "main.go");
    /* Only as many frames as there is room for. */
    memset(frames, 0, sizeof(frames));
    assert_status(gt_stack_frames(r.reader, stack, frames, 2, &count), GT_OK);
    assert_int_equal(count, 3);
    expect_frame(&frames[0], 0x401000, 12, "main.f", "main.go");
    assert_null(frames[2].file.data);
    reading_end(&r);
}

/* A goroutine that stops has its own stack; a creation has that of the new goroutine. */
static void test_transitions_have_the_right_stack(void **state)
{
    struct reading r = {0};
    gt_frame frames[GT_STACK_MAX_FRAMES];
    gt_transition transition;
    (void) state;
    wire_begin(&r.wire, 23);
    begin_generation(&r, 1, 10);
    WIRE_EVENT(&r.wire, EV_GO_CREATE, 1, 2, 1, 2);
    WIRE_EVENT(&r.wire, EV_GO_CREATE_BLOCKED, 1, 3, 1, 2);
    WIRE_EVENT(&r.wire, EV_GO_UNBLOCK, 1, 3, 1, 2);
    WIRE_EVENT(&r.wire, EV_GO_STATUS_STACK, 1, 4, WIRE_NONE, GO_WAITING, 2);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_BEGIN, 1, 1, 2);
    WIRE_EVENT(&r.wire, EV_GO_SYSCALL_END, 1);
    WIRE_EVENT(&r.wire, EV_GO_BLOCK, 1, 0, 2);
    names(&r, 1, "");
    wire_stacks(&r.wire, 1);
    wire_stack(&r.wire, 1, 1);
    wire_frame(&r.wire, 0x10, 1, 2, 1);
    wire_stack(&r.wire, 2, 1);
    wire_frame(&r.wire, 0x20, 1, 2, 2);
    reading_open(&r, NULL);
    reading_skip(&r, 3);
    for (unsigned i = 0; i < 2; i++) {
        reading_next(&r, GT_EVENT_STATE_TRANSITION);
        transition = reading_transition(&r);
        assert_int_equal(frames_of(&r, transition.stack, frames), 1);
        assert_int_equal(frames[0].pc, 0x10);
        frames_of(&r, gt_event_stack(r.event), frames);
        assert_int_equal(frames[0].pc, 0x20);
    }
    /* The stack of an unblock is that of the goroutine that unblocks. */
    reading_goroutine(&r, 3, GT_GO_WAITING, GT_GO_RUNNABLE);
    assert_true(reading_transition(&r).stack == GT_STACK_NONE);
    assert_true(gt_event_stack(r.event) != GT_STACK_NONE);
    for (unsigned i = 0; i < 4; i++) {
        reading_next(&r, GT_EVENT_STATE_TRANSITION);
        assert_true(reading_transition(&r).stack == gt_event_stack(r.event));
        /* The end of a system call has no stack. */
        assert_int_equal(gt_event_stack(r.event) == GT_STACK_NONE, i == 2);
    }
    reading_end(&r);
}

/* Equal stack ids have equal handles; the low half of a handle counts up from small numbers. */
static void test_equal_stacks_have_equal_handles(void **state)
{
    struct reading r = {0};
    gt_stack first[3], second;
    (void) state;
    wire_begin(&r.wire, 22);
    begin_generation(&r, 1, 10);
    for (unsigned i = 0; i < 3; i++)
        WIRE_EVENT(&r.wire, EV_PROCS_CHANGE, 1, 1, 1 + i % 2);
    wire_stacks(&r.wire, 1);
    wire_stack(&r.wire, 2, 0);
    wire_stack(&r.wire, 1, 0);
    wire_sync(&r.wire, 2, 100, WIRE_NANOSECONDS);
    wire_batch(&r.wire, 2, 5, 110);
    wire_running(&r.wire, 5, 0, 1);
    WIRE_EVENT(&r.wire, EV_PROCS_CHANGE, 1, 1, 1);
    wire_stacks(&r.wire, 2);
    wire_stack(&r.wire, 1, 0);
    reading_open(&r, NULL);
    reading_skip(&r, 3);
    for (unsigned i = 0; i < 3; i++) {
        reading_next(&r, GT_EVENT_METRIC);
        first[i] = gt_event_stack(r.event);
        assert_true((uint32_t) first[i] <= 2);
        assert_int_equal(first[i] >> 32, first[0] >> 32);
    }
    assert_true(first[0] == first[2]);
    assert_true(first[0] != first[1]);
    reading_skip(&r, 4);
    second = gt_event_stack(r.event);
    assert_true(second >> 32 > first[0] >> 32);
    assert_true((uint32_t) second <= 2);
    reading_end(&r);
}

/* A stack without frames is a stack. Id 0 is none, or an empty stack where there must be one. */
static void test_empty_stack_differs_from_no_stack(void **state)
{
    struct reading r = {0};
    gt_stack stack;
    (void) state;
    wire_begin(&r.wire, 22);
    begin_generation(&r, 1, 10);
    WIRE_EVENT(&r.wire, EV_PROCS_CHANGE, 1, 1, 0);
    WIRE_EVENT(&r.wire, EV_PROCS_CHANGE, 1, 1, 5);
    WIRE_EVENT(&r.wire, EV_GO_CREATE, 1, 2, 0, 0);
    wire_stacks(&r.wire, 1);
    wire_stack(&r.wire, 5, 0);
    wire_samples(&r.wire, 1);
    wire_sample(&r.wire, 1000, 5, 0, 1, 0);
    reading_open(&r, NULL);
    reading_skip(&r, 4);
    assert_true(gt_event_stack(r.event) == GT_STACK_NONE);
    assert_int_equal(frames_of(&r, GT_STACK_NONE, NULL), 0);
    reading_skip(&r, 1);
    assert_true(gt_event_stack(r.event) != GT_STACK_NONE);
    assert_int_equal(frames_of(&r, gt_event_stack(r.event), NULL), 0);
    reading_skip(&r, 1);
    assert_true(gt_event_stack(r.event) == GT_STACK_NONE);
    stack = reading_transition(&r).stack;
    assert_true((uint32_t) stack == GT_STACK_EMPTY_SLOT);
    assert_int_equal(frames_of(&r, stack, NULL), 0);
    reading_next(&r, GT_EVENT_STACK_SAMPLE);
    assert_true(gt_event_stack(r.event) == stack);
    reading_end(&r);
}

/* Frames with the same pc are one frame, the first that the generation defines. */
static void test_first_frame_of_a_pc_counts(void **state)
{
    gt_frame frames[GT_STACK_MAX_FRAMES];
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 23);
    begin_generation(&r, 1, 10);
    WIRE_EVENT(&r.wire, EV_PROCS_CHANGE, 1, 1, 9);
    names(&r, 1, "");
    wire_string(&r.wire, 3, "other");
    wire_stacks(&r.wire, 1);
    wire_stack(&r.wire, 8, 2);
    wire_frame(&r.wire, 0x10, 1, 2, 1);
    wire_frame(&r.wire, 0x10, 3, 3, 2);
    wire_stacks(&r.wire, 1);
    wire_stack(&r.wire, 9, 2);
    wire_frame(&r.wire, 0x20, 3, 2, 3);
    wire_frame(&r.wire, 0x10, 3, 3, 4);
    begin_generation(&r, 2, 100);
    WIRE_EVENT(&r.wire, EV_PROCS_CHANGE, 1, 1, 9);
    names(&r, 2, "2");
    wire_stacks(&r.wire, 2);
    wire_stack(&r.wire, 9, 1);
    wire_frame(&r.wire, 0x10, 1, 2, 5);
    reading_open(&r, NULL);
    reading_skip(&r, 4);
    assert_int_equal(frames_of(&r, gt_event_stack(r.event), frames), 2);
    expect_frame(&frames[0], 0x20, 3, "other", "main.go");
    expect_frame(&frames[1], 0x10, 1, "main.f", "main.go");
    reading_skip(&r, 4);
    assert_int_equal(frames_of(&r, gt_event_stack(r.event), frames), 1);
    expect_frame(&frames[0], 0x10, 5, "main.f2", "main.go2");
    reading_end(&r);
}

static void test_longest_stack_is_read(void **state)
{
    gt_frame frames[GT_STACK_MAX_FRAMES];
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 22);
    begin_generation(&r, 1, 10);
    WIRE_EVENT(&r.wire, EV_PROCS_CHANGE, 1, 1, 1);
    names(&r, 1, "");
    wire_stacks(&r.wire, 1);
    wire_stack(&r.wire, 1, GT_STACK_MAX_FRAMES);
    for (uint64_t i = 0; i < GT_STACK_MAX_FRAMES; i++)
        wire_frame(&r.wire, 1000 + i, 1, 2, i);
    reading_open(&r, NULL);
    reading_skip(&r, 4);
    assert_int_equal(frames_of(&r, gt_event_stack(r.event), frames), GT_STACK_MAX_FRAMES);
    for (uint64_t i = 0; i < GT_STACK_MAX_FRAMES; i++)
        expect_frame(&frames[i], 1000 + i, i, "main.f", "main.go");
    reading_end(&r);
}

/* Two generations with a stack and a log each. */
static void two_generations(struct reading *r)
{
    wire_begin(&r->wire, 26);
    for (uint64_t gen = 1; gen <= 2; gen++) {
        begin_generation(r, gen, 100 * gen);
        WIRE_EVENT(&r->wire, EV_USER_LOG, 1, 0, 1, 2, 3);
        names(r, gen, gen == 1 ? "" : "2");
        wire_stacks(&r->wire, gen);
        wire_stack(&r->wire, 3, 1);
        wire_frame(&r->wire, gen, 1, 2, 5);
        wire_generation_end(&r->wire);
    }
}

static void test_stack_expires_in_the_call_after_the_next_sync(void **state)
{
    gt_frame frames[GT_STACK_MAX_FRAMES];
    const gt_frame *view = frames;
    struct reading r = {0};
    gt_stack first, second;
    size_t count = 55;
    (void) state;
    two_generations(&r);
    reading_open(&r, NULL);
    reading_skip(&r, 4);
    first = gt_event_stack(r.event);
    assert_int_equal(frames_of(&r, first, frames), 1);
    reading_sync(&r);
    assert_int_equal(frames_of(&r, first, frames), 1);
    expect_frame(&frames[0], 1, 5, "main.f", "main.go");
    reading_skip(&r, 1);
    assert_status(gt_stack_frames(r.reader, first, frames, GT_STACK_MAX_FRAMES, &count),
                  GT_ERR_EXPIRED);
    assert_status(gt_stack_view(r.reader, first, &view, &count), GT_ERR_EXPIRED);
    assert_null(view);
    assert_int_equal(count, 0);
    reading_skip(&r, 2);
    second = gt_event_stack(r.event);
    assert_int_equal(frames_of(&r, second, frames), 1);
    expect_frame(&frames[0], 2, 5, "main.f2", "main.go2");
    assert_status(gt_stack_frames(r.reader, first, frames, GT_STACK_MAX_FRAMES, &count),
                  GT_ERR_EXPIRED);
    reading_sync(&r);
    assert_int_equal(frames_of(&r, second, frames), 1);
    assert_status(gt_reader_next_event(r.reader, &r.event), GT_END);
    assert_int_equal(frames_of(&r, second, frames), 1);
    expect_frame(&frames[0], 2, 5, "main.f2", "main.go2");
    reading_fail(&r, GT_END);
}

/* Reads all of two_generations, and then asserts what was kept. */
static void check_keep(struct reading *r)
{
    gt_frame frames[GT_STACK_MAX_FRAMES];
    gt_log logs[2] = {GT_LOG_INIT, GT_LOG_INIT};
    gt_stack stacks[2];
    for (unsigned i = 0; i < 2; i++) {
        reading_skip(r, 4);
        stacks[i] = gt_event_stack(r->event);
        assert_status(gt_event_log(r->event, &logs[i]), GT_OK);
    }
    reading_skip(r, 1);
    assert_status(gt_reader_next_event(r->reader, &r->event), GT_END);
    assert_int_equal(frames_of(r, stacks[1], frames), 1);
    expect_frame(&frames[0], 2, 5, "main.f2", "main.go2");
    assert_int_equal(frames_of(r, stacks[0], frames), 1);
    expect_frame(&frames[0], 1, 5, "main.f", "main.go");
    assert_text(logs[0].category, "main.f");
    assert_text(logs[0].message, "main.go");
    assert_text(logs[1].category, "main.f2");
    reading_close(r);
}

static void test_kept_stack_does_not_expire(void **state)
{
    struct reading r = {0};
    (void) state;
    two_generations(&r);
    reading_open(&r, &keep);
    check_keep(&r);
}

/* The bytes of a stream are released once they were read, but not what was decoded from them. */
static void test_kept_stack_of_a_stream_does_not_expire(void **state)
{
    static const size_t step = 11;
    struct reading r = {0};
    struct feed feed;
    (void) state;
    two_generations(&r);
    feed_init(&feed, r.wire.data, r.wire.size);
    feed.steps = &step;
    feed.step_count = 1;
    assert_status(gt_reader_open_callback(&r.reader, feed_read, &feed, &keep, NULL), GT_OK);
    check_keep(&r);
}

/* The stack is also kept after an error. */
static void test_kept_stack_survives_an_error(void **state)
{
    gt_frame frames[GT_STACK_MAX_FRAMES];
    struct reading r = {0};
    gt_stack stack;
    (void) state;
    two_generations(&r);
    wire_byte(&r.wire, 255);
    reading_open(&r, &keep);
    reading_skip(&r, 4);
    stack = gt_event_stack(r.event);
    reading_skip(&r, 5);
    assert_status(gt_reader_next_event(r.reader, &r.event), GT_ERR_BATCH);
    assert_int_equal(frames_of(&r, stack, frames), 1);
    expect_frame(&frames[0], 1, 5, "main.f", "main.go");
    reading_close(&r);
}

/* A later definition of a pc may name strings that do not exist, because it is never used. */
static void test_later_frame_of_a_pc_is_ignored(void **state)
{
    gt_frame frames[GT_STACK_MAX_FRAMES];
    struct reading r = {0};
    (void) state;
    wire_begin(&r.wire, 22);
    begin_generation(&r, 1, 10);
    WIRE_EVENT(&r.wire, EV_PROCS_CHANGE, 1, 1, 2);
    names(&r, 1, "");
    wire_stacks(&r.wire, 1);
    wire_stack(&r.wire, 1, 1);
    wire_frame(&r.wire, 0x10, 1, 2, 1);
    wire_stack(&r.wire, 2, 1);
    wire_frame(&r.wire, 0x10, 77, 78, 2);
    reading_open(&r, NULL);
    reading_skip(&r, 4);
    assert_int_equal(frames_of(&r, gt_event_stack(r.event), frames), 1);
    expect_frame(&frames[0], 0x10, 1, "main.f", "main.go");
    reading_end(&r);
}

/* Numbers that no event ever returned. */
static void test_number_that_was_never_a_handle_is_refused(void **state)
{
    struct reading r = {0};
    size_t count = 55;
    gt_stack stack;
    (void) state;
    two_generations(&r);
    reading_open(&r, NULL);
    assert_status(gt_stack_frames(r.reader, 1, NULL, 0, &count), GT_ERR_INVALID_ARGUMENT);
    reading_skip(&r, 4);
    stack = gt_event_stack(r.event);
    assert_status(gt_stack_frames(r.reader, stack + 1000, NULL, 0, &count),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_frames(r.reader, UINT64_MAX, NULL, 0, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_frames(r.reader, stack + (UINT64_C(1) << 32), NULL, 0, &count),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_frames(r.reader, (uint32_t) stack, NULL, 0, &count),
                  GT_ERR_INVALID_ARGUMENT);
    reading_close(&r);
}

static void test_bad_arguments_are_refused(void **state)
{
    struct reading r = {0};
    const gt_frame *view;
    gt_frame frame;
    gt_stack stack;
    size_t count = 55;
    (void) state;
    two_generations(&r);
    reading_open(&r, NULL);
    reading_skip(&r, 4);
    stack = gt_event_stack(r.event);
    assert_status(gt_stack_frames(NULL, stack, &frame, 1, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_frames(r.reader, stack, &frame, 1, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_frames(r.reader, stack, NULL, 1, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_view(NULL, stack, &view, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_view(r.reader, stack, NULL, &count), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_view(r.reader, stack, &view, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_stack_view(r.reader, stack + 1000, &view, &count), GT_ERR_INVALID_ARGUMENT);
    assert_true(gt_event_stack(NULL) == GT_STACK_NONE);
    reading_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stack_has_its_frames),
        cmocka_unit_test(test_transitions_have_the_right_stack),
        cmocka_unit_test(test_equal_stacks_have_equal_handles),
        cmocka_unit_test(test_empty_stack_differs_from_no_stack),
        cmocka_unit_test(test_first_frame_of_a_pc_counts),
        cmocka_unit_test(test_longest_stack_is_read),
        cmocka_unit_test(test_stack_expires_in_the_call_after_the_next_sync),
        cmocka_unit_test(test_kept_stack_does_not_expire),
        cmocka_unit_test(test_kept_stack_of_a_stream_does_not_expire),
        cmocka_unit_test(test_kept_stack_survives_an_error),
        cmocka_unit_test(test_later_frame_of_a_pc_is_ignored),
        cmocka_unit_test(test_number_that_was_never_a_handle_is_refused),
        cmocka_unit_test(test_bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("stacks", tests, NULL, NULL);
}
