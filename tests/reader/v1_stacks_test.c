/* SPDX-License-Identifier: BSD-3-Clause */

/* Stacks in traces of Go 1.5 to 1.21, the symbols of Go 1.5, and GT_READER_AS_RECORDED. */

#include "support/digest.h"
#include "support/reading.h"
#include "support/test.h"
#include "support/v1wire.h"

/* The versions whose stacks have symbols. */
static const unsigned named[] = {7, 8, 9, 10, 11, 19, 21};
#define NAMED 7

#define FRAMES_MAX 1000

/* Strings 1 to 4 are functions and files. */
static void write_names(struct reading *r)
{
    v1_string(&r->wire, 1, "main.f");
    v1_string(&r->wire, 2, "main.g");
    v1_string(&r->wire, 3, "f.go");
    v1_string(&r->wire, 4, "g.go");
}

/* An event with a stack. */
static void write_user(struct reading *r, uint64_t stack)
{
    V1_EVENT(&r->wire, V1_GOMAXPROCS, 1, 4, stack);
}

static size_t frames_of(const struct reading *r, gt_stack stack, gt_frame *frames)
{
    size_t count = 9999;
    assert_status(gt_stack_frames(r->reader, stack, frames, frames ? FRAMES_MAX : 0, &count),
                  GT_OK);
    return count;
}

static void expect_frame(const gt_frame *frame, uint64_t pc, const char *function, const char *file,
                         uint64_t line)
{
    assert_int_equal(frame->pc, pc);
    assert_int_equal(frame->line, line);
    assert_text(frame->function, function);
    assert_text(frame->file, file);
}

static void open_started(struct reading *r, const gt_reader_options *options)
{
    reading_open(r, options);
    reading_skip(r, V1_START_EVENTS);
}

static void test_stack_has_its_frames(void **state)
{
    static const struct v1_frame two[] = {{0x10, 1, 3, 10}, {0x20, 2, 4, 20}};
    gt_frame frames[FRAMES_MAX];
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < NAMED; k++) {
        v1_start(&r.wire, named[k]);
        write_user(&r, 7);
        v1_stack(&r.wire, 7, two, 2);
        write_names(&r);
        open_started(&r, NULL);
        reading_next(&r, GT_EVENT_METRIC);
        assert_int_equal(frames_of(&r, gt_event_stack(r.event), frames), 2);
        expect_frame(&frames[0], 0x10, "main.f", "f.go", 10);
        expect_frame(&frames[1], 0x20, "main.g", "g.go", 20);
        reading_end(&r);
    }
}

/* Frames with the same pc are one frame, the first in the file. */
static void test_first_frame_of_a_pc_counts(void **state)
{
    gt_frame frames[FRAMES_MAX];
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < NAMED; k++) {
        v1_start(&r.wire, named[k]);
        v1_stack_one(&r.wire, 9, (struct v1_frame){0x10, 1, 3, 10});
        write_user(&r, 8);
        write_user(&r, 9);
        write_names(&r);
        v1_batch(&r.wire, 1, V1_TICKS + 100);
        v1_stack_one(&r.wire, 8, (struct v1_frame){0x10, 2, 4, 20});
        open_started(&r, NULL);
        reading_next(&r, GT_EVENT_METRIC);
        assert_int_equal(frames_of(&r, gt_event_stack(r.event), frames), 1);
        expect_frame(&frames[0], 0x10, "main.f", "f.go", 10);
        reading_next(&r, GT_EVENT_METRIC);
        assert_int_equal(frames_of(&r, gt_event_stack(r.event), frames), 1);
        expect_frame(&frames[0], 0x10, "main.f", "f.go", 10);
        reading_end(&r);
    }
}

/* Of two stacks with the same id the last one counts, but one without frames is not a stack. */
static void test_last_stack_of_an_id_counts(void **state)
{
    gt_frame frames[FRAMES_MAX];
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        v1_stack_one(&r.wire, 7, (struct v1_frame){0x10, 0, 0, 0});
        write_user(&r, 7);
        write_user(&r, 7);
        v1_stack_one(&r.wire, 7, (struct v1_frame){0x20, 0, 0, 0});
        v1_stack(&r.wire, 7, NULL, 0);
        open_started(&r, NULL);
        reading_skip(&r, 1);
        assert_int_equal(frames_of(&r, gt_event_stack(r.event), frames), 1);
        assert_int_equal(frames[0].pc, 0x20);
        reading_skip(&r, 1);
        assert_int_equal(frames_of(&r, gt_event_stack(r.event), frames), 1);
        assert_int_equal(frames[0].pc, 0x20);
        reading_end(&r);
    }
}

/* The id of no stack, of a stack without frames, and 0 whatever it is defined as. */
static void test_unknown_or_empty_stack_is_none(void **state)
{
    static const uint64_t ids[] = {99, 8, 0};
    struct reading r = {0};
    gt_transition transition;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        v1_start(&r.wire, v1_versions[k]);
        v1_stack_one(&r.wire, 0, (struct v1_frame){0x10, 0, 0, 0});
        v1_stack(&r.wire, 8, NULL, 0);
        for (size_t i = 0; i < 3; i++) {
            V1_EVENT(&r.wire, V1_GO_CREATE, 1, 20 + i, ids[i], ids[i]);
            V1_EVENT(&r.wire, V1_GO_SCHED, 1, ids[i]);
            V1_EVENT(&r.wire, V1_GO_START, 1, 1, 2 + i);
        }
        open_started(&r, NULL);
        for (size_t i = 0; i < 3; i++) {
            reading_goroutine(&r, (int64_t) (20 + i), GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
            assert_true(gt_event_stack(r.event) == GT_STACK_NONE);
            transition = reading_transition(&r);
            if (v1_versions[k] >= 7)
                assert_int_equal(frames_of(&r, transition.stack, NULL), 0);
            reading_goroutine(&r, 1, GT_GO_RUNNING, GT_GO_RUNNABLE);
            assert_true(gt_event_stack(r.event) == GT_STACK_NONE);
            assert_true(reading_transition(&r).stack == GT_STACK_NONE);
            reading_skip(&r, 1);
        }
        reading_end(&r);
    }
}

static void test_stack_lives_until_the_reader_is_closed(void **state)
{
    const gt_reader_options keep = {.size = sizeof(keep), .flags = GT_READER_KEEP};
    gt_frame frame;
    struct reading r = {0};
    gt_stack stack;
    size_t count;
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        for (int kept = 0; kept <= 1; kept++) {
            v1_start(&r.wire, v1_versions[k]);
            write_user(&r, 7);
            v1_stack_one(&r.wire, 7, (struct v1_frame){0x10, 0, 0, 0});
            open_started(&r, kept ? &keep : NULL);
            reading_next(&r, GT_EVENT_METRIC);
            stack = gt_event_stack(r.event);
            reading_sync(&r);
            assert_status(gt_stack_frames(r.reader, stack, &frame, 1, &count), GT_OK);
            assert_int_equal(frame.pc, 0x10);
            assert_status(gt_reader_next_event(r.reader, &r.event), GT_END);
            assert_status(gt_stack_frames(r.reader, stack, &frame, 1, &count), GT_OK);
            assert_int_equal(frame.pc, 0x10);
            reading_fail(&r, GT_END);
        }
    }
}

/* What the callback was asked for, and what it returns. */
struct symbols {
    unsigned calls;
    int result;
    uint64_t asked[16];
    size_t count;
};

static int symbolize(void *user_data, gt_symbol *symbols, size_t count)
{
    static const gt_string functions[] = {{"even", 4}, {"odd", 3}}, file = {"file.go", 7};
    struct symbols *all = user_data;
    all->calls++;
    all->count = count;
    assert_in_range(count, 1, 16);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(symbols[i].line, 0);
        assert_int_equal(symbols[i].function.size, 0);
        assert_int_equal(symbols[i].file.size, 0);
        all->asked[i] = symbols[i].address;
        symbols[i].function = functions[symbols[i].address % 2];
        symbols[i].file = file;
        symbols[i].line = 1000 + symbols[i].address;
    }
    return all->result;
}

/* Two stacks of two frames that share one frame, and a goroutine that starts at address 0x50. */
static void write_symbols(struct reading *r, unsigned version)
{
    static const struct v1_frame first[] = {{0x11, 0, 0, 0}, {0x22, 0, 0, 0}};
    static const struct v1_frame second[] = {{0x33, 0, 0, 0}, {0x22, 0, 0, 0}};
    v1_start(&r->wire, version);
    write_user(r, 1);
    write_user(r, 2);
    V1_EVENT(&r->wire, V1_GO_CREATE, 1, 2, version < 7 ? 0x50 : 3, 0);
    v1_stack(&r->wire, 1, first, 2);
    v1_stack(&r->wire, 2, second, 2);
}

static void test_symbols_are_asked_for_in_one_call(void **state)
{
    /* The goroutine of v1_start starts at address 0. */
    static const uint64_t addresses[] = {0x10, 0x21, 0x32, 0x50};
    struct symbols symbols = {0};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_frame frames[FRAMES_MAX];
    struct reading r = {0};
    size_t k, found;
    (void) state;
    options.symbolize = symbolize;
    options.symbolize_data = &symbols;
    write_symbols(&r, 5);
    reading_open(&r, &options);
    assert_int_equal(symbols.calls, 0);
    reading_skip(&r, 1);
    assert_int_equal(symbols.calls, 1);
    for (size_t i = 0; i < 4; i++) {
        for (k = 0, found = 0; k < symbols.count; k++)
            found += symbols.asked[k] == addresses[i];
        assert_int_equal(found, 1);
    }
    reading_skip(&r, V1_START_EVENTS - 1);
    reading_next(&r, GT_EVENT_METRIC);
    assert_int_equal(frames_of(&r, gt_event_stack(r.event), frames), 2);
    expect_frame(&frames[0], 0x11, "even", "file.go", 1000 + 0x10);
    expect_frame(&frames[1], 0x22, "odd", "file.go", 1000 + 0x21);
    reading_next(&r, GT_EVENT_METRIC);
    assert_int_equal(frames_of(&r, gt_event_stack(r.event), frames), 2);
    expect_frame(&frames[0], 0x33, "even", "file.go", 1000 + 0x32);
    expect_frame(&frames[1], 0x22, "odd", "file.go", 1000 + 0x21);
    reading_goroutine(&r, 2, GT_GO_NOT_EXIST, GT_GO_RUNNABLE);
    assert_int_equal(frames_of(&r, reading_transition(&r).stack, frames), 1);
    expect_frame(&frames[0], 0x51, "even", "file.go", 1000 + 0x50);
    reading_end(&r);
    assert_int_equal(symbols.calls, 1);
}

/* Each address is asked for once, however many stacks contain it. */
static void test_each_address_is_asked_for_once(void **state)
{
    struct symbols symbols = {0};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct v1_frame frames[1000];
    struct reading r = {0};
    (void) state;
    options.symbolize = symbolize;
    options.symbolize_data = &symbols;
    v1_start(&r.wire, 5);
    for (uint64_t i = 1; i < 50; i++) {
        for (uint64_t k = 0; k < 1000; k++)
            frames[k] = (struct v1_frame){1 + k * i % 10, 0, 0, 0};
        write_user(&r, i);
        v1_stack(&r.wire, i, frames, 1000);
    }
    reading_open(&r, &options);
    reading_skip(&r, 1);
    for (uint64_t i = 0; i < symbols.count; i++) {
        for (uint64_t k = 0; k < i; k++)
            assert_true(symbols.asked[i] != symbols.asked[k]);
    }
    assert_int_equal(symbols.count, 10);
    reading_close(&r);
}

static void test_failing_symbolize_is_an_error(void **state)
{
    static const int results[] = {1, -1, 12345};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct reading r = {0};
    struct digest digest;
    (void) state;
    options.symbolize = symbolize;
    for (size_t i = 0; i < 3; i++) {
        struct symbols symbols = {0, results[i], {0}, 0};
        options.symbolize_data = &symbols;
        write_symbols(&r, 5);
        digest_memory(&digest, r.wire.data, r.wire.size, &options);
        assert_status(digest.status, GT_ERR_SYMBOLS);
        assert_int_equal(digest.count, 0);
        assert_true(digest.error.message[0] != '\0');
        assert_int_equal(symbols.calls, 1);
        digest_free(&digest);
        wire_free(&r.wire);
    }
}

/* Later versions have their own symbols, and without a callback there are none. */
static void test_no_symbols_without_the_callback_or_since_17(void **state)
{
    struct symbols symbols = {0};
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_frame frames[FRAMES_MAX];
    struct reading r = {0};
    (void) state;
    options.symbolize = symbolize;
    options.symbolize_data = &symbols;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        write_symbols(&r, v1_versions[k]);
        open_started(&r, v1_versions[k] < 7 ? NULL : &options);
        reading_next(&r, GT_EVENT_METRIC);
        assert_int_equal(frames_of(&r, gt_event_stack(r.event), frames), 2);
        expect_frame(&frames[0], 0x11, "", "", 0);
        expect_frame(&frames[1], 0x22, "", "", 0);
        reading_skip(&r, 2);
        reading_end(&r);
    }
    assert_int_equal(symbols.calls, 0);
}

/* Goroutines 2 to 4 existed before the trace; stacks 1 and 2 have pcs 0x10 and 0x20. */
static void write_recorded(struct reading *r, unsigned version)
{
    uint64_t start = version < 7 ? 0xf : 1;
    wire_begin(&r->wire, version);
    v1_batch(&r->wire, 0, V1_TICKS);
    V1_EVENT(&r->wire, V1_FREQUENCY, WIRE_NANOSECONDS);
    for (uint64_t i = 1; i <= 4; i++)
        V1_EVENT(&r->wire, V1_GO_CREATE, 1, i, start, 2);
    V1_EVENT(&r->wire, V1_GO_WAITING, 1, 2);
    V1_EVENT(&r->wire, V1_GO_IN_SYSCALL, 1, 3);
    V1_EVENT(&r->wire, V1_PROC_START, 1, 5);
    V1_EVENT(&r->wire, V1_GO_START, 1, 1, 1);
    V1_EVENT(&r->wire, V1_GOMAXPROCS, 1, 6, 2);
    V1_EVENT(&r->wire, V1_GO_UNBLOCK, 1, 2, 2, 0);
    V1_EVENT(&r->wire, V1_GO_SCHED, 1, 0);
    V1_EVENT(&r->wire, V1_GO_START, 1, 2, 3);
    v1_stack_one(&r->wire, 1, (struct v1_frame){0x10, 0, 0, 0});
    v1_stack_one(&r->wire, 2, (struct v1_frame){0x20, 0, 0, 0});
}

/* Reads the next transition of a goroutine, and checks the stack that it started with. */
static void expect_first(struct reading *r, int64_t id, uint32_t to, uint64_t pc)
{
    gt_frame frames[FRAMES_MAX];
    reading_goroutine(r, id, GT_GO_UNDETERMINED, to);
    assert_true(gt_event_stack(r->event) == GT_STACK_NONE);
    assert_int_equal(frames_of(r, reading_transition(r).stack, frames), pc != 0);
    assert_int_equal(reading_transition(r).stack == GT_STACK_NONE, pc == 0);
    if (pc != 0)
        assert_int_equal(frames[0].pc, pc);
}

static void expect_procs(struct reading *r, uint64_t procs, uint64_t pc)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_frame frames[FRAMES_MAX];
    assert_status(gt_event_metric(reading_next(r, GT_EVENT_METRIC), &metric), GT_OK);
    assert_text(metric.name, "/sched/gomaxprocs:threads");
    assert_int_equal(metric.value.number, procs);
    reading_context(r, 5, 0, 1);
    assert_int_equal(frames_of(r, gt_event_stack(r->event), frames), 1);
    assert_int_equal(frames[0].pc, pc);
}

static void test_as_recorded_keeps_stacks_and_threads(void **state)
{
    const gt_reader_options recorded = {.size = sizeof(recorded), .flags = GT_READER_AS_RECORDED};
    struct reading r = {0};
    (void) state;
    for (size_t k = 0; k < V1_VERSIONS; k++) {
        for (int flag = 0; flag <= 1; flag++) {
            uint64_t pc = flag ? 0x10 : 0;
            write_recorded(&r, v1_versions[k]);
            reading_open(&r, flag ? &recorded : NULL);
            reading_skip(&r, 1);
            expect_first(&r, 2, GT_GO_WAITING, pc);
            expect_first(&r, 3, GT_GO_SYSCALL, pc);
            reading_proc(&r, 0, GT_PROC_UNDETERMINED, GT_PROC_RUNNING);
            expect_first(&r, 1, GT_GO_RUNNING, pc);
            if (flag)
                expect_procs(&r, 6, 0x20);
            expect_first(&r, 4, GT_GO_RUNNABLE, pc);
            reading_goroutine(&r, 2, GT_GO_WAITING, GT_GO_RUNNABLE);
            assert_true(reading_transition(&r).stack == GT_STACK_NONE);
            reading_skip(&r, 1);
            reading_goroutine(&r, 2, GT_GO_RUNNABLE, GT_GO_RUNNING);
            assert_true(reading_transition(&r).stack == GT_STACK_NONE);
            reading_end(&r);
        }
    }
}

static void test_as_recorded_task_has_its_parent(void **state)
{
    const gt_reader_options recorded = {.size = sizeof(recorded), .flags = GT_READER_AS_RECORDED};
    static const uint64_t parents[] = {GT_NO_TASK, 7};
    struct reading r = {0};
    gt_task task = GT_TASK_INIT;
    (void) state;
    v1_start(&r.wire, 21);
    V1_EVENT(&r.wire, V1_TASK_CREATE, 1, 7, 0, 0, 0);
    V1_EVENT(&r.wire, V1_TASK_CREATE, 1, 8, 7, 0, 0);
    V1_EVENT(&r.wire, V1_TASK_END, 1, 7, 0);
    V1_EVENT(&r.wire, V1_TASK_END, 1, 8, 0);
    open_started(&r, &recorded);
    reading_skip(&r, 3);
    for (uint64_t i = 0; i < 2; i++) {
        assert_status(gt_event_task(reading_next(&r, GT_EVENT_TASK_END), &task), GT_OK);
        assert_int_equal(task.id, 7 + i);
        assert_true(task.parent == parents[i]);
    }
    reading_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stack_has_its_frames),
        cmocka_unit_test(test_first_frame_of_a_pc_counts),
        cmocka_unit_test(test_last_stack_of_an_id_counts),
        cmocka_unit_test(test_unknown_or_empty_stack_is_none),
        cmocka_unit_test(test_stack_lives_until_the_reader_is_closed),
        cmocka_unit_test(test_symbols_are_asked_for_in_one_call),
        cmocka_unit_test(test_each_address_is_asked_for_once),
        cmocka_unit_test(test_failing_symbolize_is_an_error),
        cmocka_unit_test(test_no_symbols_without_the_callback_or_since_17),
        cmocka_unit_test(test_as_recorded_keeps_stacks_and_threads),
        cmocka_unit_test(test_as_recorded_task_has_its_parent),
    };
    return cmocka_run_group_tests_name("v1 stacks", tests, NULL, NULL);
}
