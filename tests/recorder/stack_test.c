/* SPDX-License-Identifier: BSD-3-Clause */

/* Stacks of events: by frame pointers, which lead nowhere else, or by an unwinder of the program.
 */

/* For the functions of ucontext.h. */
#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "recorder/scene.h"
#include "support/test.h"

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__linux__) && !TEST_SANITIZED
#define HAS_FRAMES 1
#else
#define HAS_FRAMES 0
#endif

static struct scene scene;

/* Does something after the call, so that it is not the last one of the function. */
static volatile unsigned after;

NOT_INLINED static void leaf(void)
{
    assert_status(gt_rec_go_stop(scene.thread, GT_REC_YIELD), GT_OK);
    after++;
}

NOT_INLINED static void middle(void)
{
    leaf();
    after++;
}

NOT_INLINED static void outer(void)
{
    middle();
    after++;
}

/* A function whose frame says that its caller's is where there is none. */
NOT_INLINED static void damaged(uintptr_t wrong)
{
    uintptr_t *volatile frame = __builtin_frame_address(0);
    uintptr_t right = frame[0];
    frame[0] = wrong;
    leaf();
    frame[0] = right;
}

/* Names the functions above. `user_data` counts the calls. */
static void name(void *user_data, uint64_t pc, gt_rec_name *out)
{
    static const struct {
        void (*function)(void);
        const char *name;
    } functions[] = {{leaf, "leaf"},
                     {middle, "middle"},
                     {outer, "outer"},
                     {(void (*)(void)) damaged, "damaged"},
                     {(void (*)(void)) name, NULL}};

    uintptr_t best = 0;
    assert_int_equal(out->size, sizeof(*out));
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        uintptr_t begin = (uintptr_t) functions[i].function;
        if (begin > pc || begin < best)
            continue;
        best = begin;
        out->function = functions[i].name;
    }
    out->file = out->function ? "stack.c" : NULL;
    out->line = out->function ? 7 : 0;
    if (user_data)
        ++*(unsigned *) user_data;
}

static void open_scene(gt_recorder_options *options)
{
    scene_open_with(&scene, options);
    scene_start(&scene);
}

static gt_recorder_options options_with(uint64_t depth)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.stack_depth = depth;
    options.name = name;
    return options;
}

/* The functions, each up to 20 bytes, of the stack with which goroutine 1 stopped for the
 * `number`-th time, from 0. */
static const char *stop_stack(unsigned number)
{
    static char text[8000];
    size_t size = 0;
    const gt_event *event;
    const gt_frame *frames;
    size_t count = 0;
    gt_reader *reader = recorded_open(&scene.trace);
    text[0] = '\0';
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_transition change = GT_TRANSITION_INIT;
        if (gt_event_transition(event, &change) != GT_OK || change.from != GT_GO_RUNNING ||
            change.to != GT_GO_RUNNABLE || number-- != 0)
            continue;
        assert_status(gt_event_frames(reader, event, gt_event_stack(event), &frames, &count),
                      GT_OK);
        for (size_t i = 0; i < count && size < sizeof(text) - 100; i++)
            size +=
                (size_t) snprintf(text + size, 100, "%.*s ",
                                  frames[i].function.size < 20 ? (int) frames[i].function.size : 20,
                                  frames[i].function.data);
        break;
    }
    gt_reader_close(&reader);
    return text;
}

static void stop_and_check(void)
{
    assert_status(gt_recorder_stop(scene.recorder, NULL), GT_OK);
    recorded_check_by_peer(&scene.trace);
}

static void expect_begin(const char *text, const char *expected)
{
    if (strncmp(text, expected, strlen(expected)) != 0)
        fail_msg("'%s' does not begin with '%s'", text, expected);
}

static void expect_end(const char *text, const char *expected)
{
    assert_true(strlen(text) >= strlen(expected));
    assert_string_equal(text + strlen(text) - strlen(expected), expected);
}

static void frame_pointers_lead_to_callers(void **state)
{
    (void) state;
    unsigned calls = 0;
    gt_recorder_options options = options_with(127);
    options.user_data = &calls;
    if (!HAS_FRAMES)
        skip();
    open_scene(&options);
    gt_rec_go *go = scene_run(&scene);
    outer();
    assert_status(gt_rec_go_start(scene.thread, go), GT_OK);
    assert_status(gt_recorder_advance(scene.recorder), GT_OK);
    unsigned first = calls;
    assert_true(first > 3);
    middle();
    stop_and_check();
    expect_begin(stop_stack(0), "leaf middle outer ");
    expect_end(stop_stack(0), " work ");
    expect_begin(stop_stack(1), "leaf middle ");
    /* One call is new, and names are asked for once. */
    assert_true(calls <= first + 2);
    scene_close(&scene);
}

static void stacks_have_only_so_many_frames(void **state)
{
    (void) state;
    gt_recorder_options options = options_with(2);
    if (!HAS_FRAMES)
        skip();
    open_scene(&options);
    scene_run(&scene);
    outer();
    stop_and_check();
    assert_string_equal(stop_stack(0), "leaf middle work ");
    scene_close(&scene);
    options.stack_depth = 0;
    open_scene(&options);
    scene_run(&scene);
    outer();
    stop_and_check();
    assert_string_equal(stop_stack(0), "");
    scene_close(&scene);
}

static void wrong_frame_pointers_end_a_stack(void **state)
{
    (void) state;
    uintptr_t here = (uintptr_t) __builtin_frame_address(0);
    const uintptr_t wrong[] = {
        0,          1, here - 4096, here + 3, here + (1 << 30), (uintptr_t) &scene, UINTPTR_MAX - 7,
        UINTPTR_MAX};
    gt_recorder_options options = options_with(127);
    if (!HAS_FRAMES)
        skip();
    open_scene(&options);
    gt_rec_go *go = scene_go(&scene);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_status(gt_rec_go_start(scene.thread, go), GT_OK);
        damaged(wrong[i]);
    }
    stop_and_check();
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        expect_begin(stop_stack(i), "leaf damaged ");
    scene_close(&scene);
}

static ucontext_t main_context, fiber_context;

static void fiber_run(void)
{
    outer();
    swapcontext(&fiber_context, &main_context);
}

/* Runs a function on a stack of its own, whose bounds are given or not. */
static void run_fiber(bool is_known)
{
    enum {
        SIZE = 256 << 10
    };

    char *memory = malloc(SIZE);
    assert_non_null(memory);
    gt_rec_go *go = scene_run(&scene);
    if (is_known)
        assert_status(gt_rec_go_stack(go, memory, SIZE), GT_OK);
    getcontext(&fiber_context);
    fiber_context.uc_stack.ss_sp = memory;
    fiber_context.uc_stack.ss_size = SIZE;
    fiber_context.uc_link = NULL;
    makecontext(&fiber_context, fiber_run, 0);
    swapcontext(&main_context, &fiber_context);
    free(memory);
}

static void stacks_of_fibers_have_bounds_of_their_own(void **state)
{
    (void) state;
    gt_recorder_options options = options_with(100);
    if (!HAS_FRAMES)
        skip();
    open_scene(&options);
    run_fiber(true);
    run_fiber(false);
    stop_and_check();
    expect_begin(stop_stack(0), "leaf middle outer ");
    assert_string_equal(stop_stack(1), "leaf work ");
    scene_close(&scene);
}

/* An unwinder that finds what `user_data` has. */
struct found {
    uint64_t pcs[200];
    size_t count;
    unsigned calls;
};

static size_t unwind(void *user_data, uint64_t *pcs, size_t room)
{
    struct found *found = user_data;
    size_t count = found->count < room ? found->count : room;
    memcpy(pcs, found->pcs, count * sizeof(*pcs));
    found->calls++;
    return found->count;
}

static void a_program_may_find_stacks_itself(void **state)
{
    (void) state;
    struct found found = {
        {0x1001, 0xabcdef0123456789, (UINT64_C(1) << 52) + 60000, UINT64_MAX, 0, 7}, 6, 0};
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.stack_depth = 100;
    options.unwind = unwind;
    options.user_data = &found;
    open_scene(&options);
    gt_rec_go *go = scene_run(&scene);
    leaf();
    memset(found.pcs, 1, sizeof(found.pcs));
    found.count = 200;
    assert_status(gt_rec_go_start(scene.thread, go), GT_OK);
    leaf();
    found.count = 0;
    assert_status(gt_rec_go_start(scene.thread, go), GT_OK);
    leaf();
    stop_and_check();
    assert_string_equal(stop_stack(0), "0x1000 0xabcdef0123456788 0x1000000000ea5f "
                                       "0xfffffffffffffffe work ");
    expect_begin(stop_stack(1), "0x101010101010100 0x101010101010100 ");
    assert_string_equal(stop_stack(2), "work ");
    assert_true(found.calls >= 3);
    scene_close(&scene);
}

static void many_stacks_fill_many_batches(void **state)
{
    (void) state;
    struct found found;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    memset(&found, 0, sizeof(found));
    found.count = 127;
    options.stack_depth = 127;
    options.unwind = unwind;
    options.user_data = &found;
    open_scene(&options);
    gt_rec_go *go = scene_go(&scene);
    for (unsigned i = 0; i < 2000; i++) {
        for (unsigned j = 0; j < 127; j++)
            found.pcs[j] = 1000 + (i + j) % 50 + (j == 3) * i;
        assert_status(gt_rec_go_start(scene.thread, go), GT_OK);
        leaf();
    }
    stop_and_check();
    gt_reader *reader = recorded_open(&scene.trace);
    const gt_event *event;
    uint64_t frames = 0;
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        const gt_frame *list;
        size_t count = 0;
        if (gt_event_stack(event) != 0 &&
            gt_event_frames(reader, event, gt_event_stack(event), &list, &count) == GT_OK)
            frames += count;
    }
    gt_reader_close(&reader);
    assert_true(frames >= 2000 * 128);
    scene_close(&scene);
}

static void frames_leave_texts_to_the_program(void **state)
{
    (void) state;
    struct found found = {{0}, 127, 0};
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.stack_depth = 127;
    options.unwind = unwind;
    options.user_data = &found;
    open_scene(&options);
    gt_rec_go *go = scene_go(&scene);
    for (unsigned i = 0; i < 600; i++) {
        for (unsigned j = 0; j < 127; j++)
            found.pcs[j] = 0x1000 + i * 127 + j + 1;
        assert_status(gt_rec_go_start(scene.thread, go), GT_OK);
        leaf();
    }
    stop_and_check();
    expect_begin(stop_stack(0), "0x1000 0x1001 ");
    expect_begin(stop_stack(599), "?? ?? ");
    for (unsigned i = 0; i < 32000; i++) {
        char text[16];
        snprintf(text, sizeof(text), "%u", i);
        recorded_text(scene.recorder, text);
    }
    scene_close(&scene);
}

/* Memory that is gone when a name is asked for, so that names cannot be kept. */
static bool is_memory_gone;

static void *gone_allocate(void *context, size_t bytes)
{
    (void) context;
    return is_memory_gone ? NULL : malloc(bytes);
}

static void *gone_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    (void) context;
    (void) old_bytes;
    return is_memory_gone ? NULL : realloc(block, bytes);
}

static void gone_release(void *context, void *block, size_t bytes)
{
    (void) context;
    (void) bytes;
    free(block);
}

/* Names of the greatest length, of which few fit in what was allocated before. */
static bool takes_memory;

static void name_long(void *user_data, uint64_t pc, gt_rec_name *out)
{
    static char text[1024];
    (void) user_data;
    is_memory_gone = takes_memory;
    memset(text, 'x', sizeof(text) - 1);
    snprintf(text, sizeof(text), "f%u", (unsigned) pc);
    text[strlen(text)] = 'x';
    out->function = text;
}

static void names_that_found_no_memory_are_asked_for_again(void **state)
{
    (void) state;
    struct found found = {{0}, 32, 0};
    gt_allocator allocator = {sizeof(allocator), NULL, gone_allocate, gone_reallocate,
                              gone_release};
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.stack_depth = 127;
    options.unwind = unwind;
    options.name = name_long;
    options.user_data = &found;
    options.allocator = &allocator;
    open_scene(&options);
    gt_rec_go *go = scene_go(&scene);
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned j = 0; j < 32; j++)
            found.pcs[j] = 1001 + (i == 0 ? 0U : 32U) + j;
        takes_memory = i == 1;
        assert_status(gt_rec_go_start(scene.thread, go), GT_OK);
        leaf();
        assert_status(gt_recorder_advance(scene.recorder), GT_OK);
        is_memory_gone = false;
    }
    stop_and_check();
    assert_non_null(strstr(stop_stack(1), "?? "));
    assert_null(strstr(stop_stack(2), "?? "));
    scene_close(&scene);
}

static void stacks_need_memory(void **state)
{
    (void) state;
    struct found found;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    memset(&found, 0, sizeof(found));
    memset(found.pcs, 1, sizeof(found.pcs));
    found.count = 127;
    options.stack_depth = 127;
    options.unwind = unwind;
    options.user_data = &found;
    options.memory_limit = 600 << 10;
    open_scene(&options);
    gt_rec_go *go = scene_go(&scene);
    for (unsigned i = 0; i < 2000; i++) {
        found.pcs[5] = i + 1;
        assert_status(gt_rec_go_start(scene.thread, go), GT_OK);
        leaf();
    }
    assert_status(gt_recorder_stop(scene.recorder, NULL), GT_ERR_LIMIT);
    /* The memory is free again. */
    scene_start(&scene);
    assert_status(gt_rec_go_start(scene.thread, go), GT_OK);
    leaf();
    stop_and_check();
    scene_close(&scene);
}

static void wrong_arguments_are_refused(void **state)
{
    (void) state;
    gt_recorder *recorder;
    gt_recorder_options options = options_with(GT_REC_STACK_DEPTH_MAX + 1);
    char byte;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    options.stack_depth = UINT64_MAX;
    assert_status(gt_recorder_open(&recorder, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    options.stack_depth = 3;
    scene_open_with(&scene, &options);
    gt_rec_go *go = scene_go(&scene);
    assert_status(gt_rec_go_stack(NULL, &byte, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_stack(go, NULL, 1), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_stack(go, &byte, SIZE_MAX), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_rec_go_stack(go, &byte, 1), GT_OK);
    assert_status(gt_rec_go_stack(go, NULL, 0), GT_OK);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frame_pointers_lead_to_callers),
        cmocka_unit_test(stacks_have_only_so_many_frames),
        cmocka_unit_test(wrong_frame_pointers_end_a_stack),
        cmocka_unit_test(stacks_of_fibers_have_bounds_of_their_own),
        cmocka_unit_test(a_program_may_find_stacks_itself),
        cmocka_unit_test(many_stacks_fill_many_batches),
        cmocka_unit_test(frames_leave_texts_to_the_program),
        cmocka_unit_test(names_that_found_no_memory_are_asked_for_again),
        cmocka_unit_test(stacks_need_memory),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
