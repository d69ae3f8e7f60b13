/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Stacks by the tables of .eh_frame, in code without frame pointers, beside those that the
 * compiler's own library finds; and the names of what is not exported.
 */

/* For backtrace, and sigaltstack. */
#define _GNU_SOURCE

#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/scene.h"
#include "support/test.h"

#if defined(__x86_64__) && defined(__linux__) && defined(__LP64__) && !TEST_SANITIZED
#define HAS_TABLES 1
#else
#define HAS_TABLES 0
#endif

enum {
    MOST = 100
};

static struct scene scene;

/* Does something after a call, so that it is not the last one of the function. */
static volatile unsigned after;

/* What the compiler's library has found, from the caller of `leaf` on. */
static void *expected[MOST];
static int expected_count;

/* Its frame stays below that of the caller. */
NOT_INLINED static void leaf(void)
{
    expected_count = backtrace(expected, MOST);
    assert_status(gt_rec_go_stop(scene.thread, GT_REC_YIELD), GT_OK);
    after++;
}

NOT_INLINED static void plain(void)
{
    leaf();
    after++;
}

/* Calls the function after it has called itself so often. */
NOT_INLINED static void deep(unsigned depth, void (*call)(void))
{
    volatile char room[200];
    room[depth] = (char) depth;
    if (depth > 0)
        deep(depth - 1, call);
    else
        call();
    after += (unsigned) room[depth];
}

/* Its frame has a size that is only known at run time. */
NOT_INLINED static void with_alloca(size_t size)
{
    char *room = alloca(size);
    memset(room, 1, size);
    plain();
    after += (unsigned) room[size - 1];
}

/* Its frame is aligned more than that of its caller. */
NOT_INLINED static void aligned(size_t size)
{
    alignas(128) volatile char room[256];
    for (size_t i = 0; i < sizeof(room); i++)
        room[i] = 2;
    with_alloca(size);
    after += (unsigned) room[size % 256];
}

static int compare_by_event(const void *a, const void *b)
{
    if (*(const char *) a == 1 && *(const char *) b == 2)
        plain();
    return *(const char *) a - *(const char *) b;
}

/* From a library that has no frame pointers. */
NOT_INLINED static void through_libc(void)
{
    char two[] = {1, 2};
    qsort(two, 2, 1, compare_by_event);
    after++;
}

static void handle(int number)
{
    (void) number;
    aligned(100);
}

NOT_INLINED static void through_signal(void)
{
    struct sigaction action, old;
    memset(&action, 0, sizeof(action));
    action.sa_handler = handle;
    assert_int_equal(sigaction(SIGUSR1, &action, &old), 0);
    raise(SIGUSR1);
    sigaction(SIGUSR1, &old, NULL);
    after++;
}

/* Opens the stack with which the goroutine stopped. */
static size_t stop_frames(gt_reader **reader, const gt_frame **frames)
{
    const gt_event *event;
    *reader = recorded_open(&scene.trace);
    while (gt_reader_next_event(*reader, &event) == GT_OK) {
        gt_transition change = GT_TRANSITION_INIT;
        size_t count = 0;
        if (gt_event_transition(event, &change) != GT_OK || change.from != GT_GO_RUNNING ||
            change.to != GT_GO_RUNNABLE)
            continue;
        assert_status(gt_event_frames(*reader, event, gt_event_stack(event), frames, &count),
                      GT_OK);
        return count;
    }
    fail();
    return 0;
}

static void open_scene(uint64_t flags)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.stack_depth = MOST;
    options.flags = flags;
    scene_open_with(&scene, &options);
    scene_start(&scene);
    scene_run(&scene);
}

static void stop_scene(void)
{
    assert_status(gt_recorder_stop(scene.recorder, NULL), GT_OK);
    recorded_check_by_peer(&scene.trace);
}

/*
 * The addresses are those that the compiler's library has found; the last frame is the name. In
 * `interrupted` frames a signal has interrupted a function, so that the address is one later.
 */
static void expect_same(size_t interrupted)
{
    gt_reader *reader;
    const gt_frame *frames = NULL;
    stop_scene();
    size_t count = stop_frames(&reader, &frames);
    assert_true(expected_count > 3);
    assert_int_equal(count, (size_t) expected_count + 1);
    for (size_t i = 1; i + 1 < count; i++) {
        bool is_later = frames[i].pc == (uintptr_t) expected[i] + 1;
        interrupted -= is_later;
        assert_int_equal(frames[i].pc - is_later, (uintptr_t) expected[i]);
    }
    assert_int_equal(interrupted, 0);
    gt_reader_close(&reader);
    scene_close(&scene);
}

static void through_all(void)
{
    through_signal();
}

static void callers_are_found_without_frame_pointers(void **state)
{
    (void) state;
    if (!HAS_TABLES)
        skip();
    open_scene(GT_RECORDER_UNWIND);
    plain();
    expect_same(0);
    open_scene(GT_RECORDER_UNWIND);
    deep(20, leaf);
    expect_same(0);
    open_scene(GT_RECORDER_UNWIND);
    aligned(3000);
    expect_same(0);
}

static void callers_are_found_in_other_code(void **state)
{
    (void) state;
    if (!HAS_TABLES)
        skip();
    open_scene(GT_RECORDER_UNWIND);
    through_libc();
    expect_same(0);
    open_scene(GT_RECORDER_UNWIND);
    through_all();
    expect_same(1);
}

enum {
    VISITS = 12
};

/* What the compiler's library has found at each visit. */
static struct {
    void *expected[MOST];
    int count;
} visits[VISITS];

static size_t visit_count;
static gt_rec_go *visitor;

NOT_INLINED static void visit(void)
{
    visits[visit_count].count = backtrace(visits[visit_count].expected, MOST);
    visit_count++;
    assert_status(gt_rec_go_stop(scene.thread, GT_REC_YIELD), GT_OK);
    assert_status(gt_rec_go_start(scene.thread, visitor), GT_OK);
    after++;
}

/* Two functions whose frames are alike, so that what they call has the same place on the stack. */
NOT_INLINED static void one_way(volatile unsigned *turn)
{
    *turn += 1;
    visit();
    *turn += 1;
}

NOT_INLINED static void other_way(volatile unsigned *turn)
{
    *turn += 2;
    visit();
    *turn += 2;
}

/* The ways are taken in all orders of two. */
NOT_INLINED static void visit_by_ways(void)
{
    static void (*const ways[])(volatile unsigned *) = {one_way, one_way, other_way, other_way};
    volatile unsigned turn = 0;
    for (size_t i = 0; i < VISITS; i++) {
        ways[i % 4](&turn);
        if (i % 5 == 4)
            assert_status(gt_recorder_advance(scene.recorder), GT_OK);
    }
    after += turn;
}

static void expect_visit(gt_reader *reader, const gt_event *event, size_t number)
{
    const gt_frame *frames = NULL;
    size_t count = 0;
    assert_status(gt_event_frames(reader, event, gt_event_stack(event), &frames, &count), GT_OK);
    assert_int_equal(count, (size_t) visits[number].count + 1);
    for (size_t i = 1; i + 1 < count; i++)
        assert_int_equal(frames[i].pc, (uintptr_t) visits[number].expected[i]);
}

/* Also in another generation, where the stacks have other numbers. */
static void another_way_to_the_same_place_is_another_stack(void **state)
{
    (void) state;
    if (!HAS_TABLES)
        skip();
    const gt_event *event;
    size_t found = 0;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.stack_depth = 30;
    options.flags = GT_RECORDER_UNWIND;
    scene_open_with(&scene, &options);
    scene_start(&scene);
    visitor = scene_run(&scene);
    visit_count = 0;
    visit_by_ways();
    stop_scene();
    gt_reader *reader = recorded_open(&scene.trace);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        gt_transition change = GT_TRANSITION_INIT;
        if (gt_event_transition(event, &change) == GT_OK && change.from == GT_GO_RUNNING &&
            change.to == GT_GO_RUNNABLE)
            expect_visit(reader, event, found++);
    }
    assert_int_equal(found, VISITS);
    gt_reader_close(&reader);
    scene_close(&scene);
}

/* The compiler's library begins with this function, and what returns from it. */
static void handle_sample(int number, siginfo_t *info, void *context)
{
    (void) number;
    (void) info;
    expected_count = backtrace(expected, MOST);
    gt_rec_sample(scene.thread, context);
}

NOT_INLINED static void interrupted(void)
{
    raise(SIGUSR1);
    after++;
}

static void samples_have_callers_without_frame_pointers(void **state)
{
    (void) state;
    if (!HAS_TABLES)
        skip();
    struct sigaction action, old;
    memset(&action, 0, sizeof(action));
    action.sa_sigaction = handle_sample;
    action.sa_flags = SA_SIGINFO;
    open_scene(GT_RECORDER_UNWIND | GT_RECORDER_SAMPLES);
    assert_int_equal(sigaction(SIGUSR1, &action, &old), 0);
    deep(9, interrupted);
    sigaction(SIGUSR1, &old, NULL);
    stop_scene();
    gt_reader *reader = recorded_open(&scene.trace);
    const gt_event *event;
    const gt_frame *frames = NULL;
    size_t count = 0;
    while (gt_reader_next_event(reader, &event) == GT_OK && event->kind != GT_EVENT_STACK_SAMPLE) {
    }
    assert_int_equal(event->kind, GT_EVENT_STACK_SAMPLE);
    assert_status(gt_event_frames(reader, event, gt_event_stack(event), &frames, &count), GT_OK);
    assert_true(expected_count > 14);
    assert_int_equal(count, (size_t) expected_count - 1);
    assert_int_equal(frames[0].pc, (uintptr_t) expected[2] + 1);
    for (size_t i = 1; i + 1 < count; i++)
        assert_int_equal(frames[i].pc, (uintptr_t) expected[i + 2]);
    gt_reader_close(&reader);
    scene_close(&scene);
}

/* What a stack has where it ends: the function that a name is, in this file. */
static void functions_have_the_names_of_symbols(void **state)
{
    (void) state;
    gt_reader *reader;
    const gt_frame *frames = NULL;
    if (!HAS_TABLES)
        skip();
    open_scene(GT_RECORDER_UNWIND);
    through_libc();
    stop_scene();
    size_t count = stop_frames(&reader, &frames);
    static const char *const names[] = {"leaf", "plain", "compare_by_event"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(frames[i].function.size, strlen(names[i]));
        assert_memory_equal(frames[i].function.data, names[i], strlen(names[i]));
        assert_non_null(memmem(frames[i].file.data, frames[i].file.size, "unwind_test", 11));
    }
    bool has_libc = false, has_main = false;
    for (size_t i = 0; i < count; i++) {
        has_libc |= memmem(frames[i].file.data, frames[i].file.size, "libc", 4) != NULL;
        has_main |= frames[i].function.size == 4 && memcmp(frames[i].function.data, "main", 4) == 0;
    }
    assert_true(has_libc && has_main);
    gt_reader_close(&reader);
    scene_close(&scene);
}

/* Whether the trace has these bytes. */
static bool trace_has(const char *text)
{
    return memmem(scene.trace.data, scene.trace.size, text, strlen(text)) != NULL;
}

static void the_trace_tells_of_modules(void **state)
{
    (void) state;
    if (!HAS_TABLES)
        skip();
    open_scene(0);
    plain();
    stop_scene();
    assert_true(trace_has("gotrace.module 0x"));
    assert_true(trace_has("unwind_test"));
    assert_true(trace_has("libcmocka.so"));
    scene_close(&scene);
    /* Without stacks nobody needs them. */
    scene_open(&scene);
    scene_start(&scene);
    scene_run(&scene);
    leaf();
    stop_scene();
    assert_false(trace_has("gotrace.module"));
    scene_close(&scene);
}

/* A library that is loaded, records, and is unloaded, all within one generation. */
static void modules_are_remembered_after_they_were_unloaded(void **state)
{
    (void) state;
    if (!HAS_TABLES)
        skip();
    open_scene(GT_RECORDER_UNWIND);
    for (unsigned i = 0; i < 20; i++) {
        void *library = dlopen(UNLOADED, RTLD_NOW);
        assert_non_null(library);
        void (*call)(void (*)(void));
        *(void **) &call = dlsym(library, "unloaded_call");
        assert_true(call != NULL);
        assert_status(gt_recorder_advance(scene.recorder), GT_OK);
        call(leaf);
        assert_status(gt_rec_go_start(scene.thread, scene_go(&scene)), GT_OK);
        dlclose(library);
        assert_status(gt_recorder_advance(scene.recorder), GT_OK);
    }
    stop_scene();
    gt_reader *reader;
    const gt_frame *frames = NULL;
    size_t count = stop_frames(&reader, &frames);
    assert_true(count > 4);
    assert_int_equal(frames[1].function.size, strlen("unloaded_inner"));
    assert_memory_equal(frames[1].function.data, "unloaded_inner", strlen("unloaded_inner"));
    assert_memory_equal(frames[2].function.data, "unloaded_call", strlen("unloaded_call"));
    gt_reader_close(&reader);
    scene_close(&scene);
}

static void tables_need_memory(void **state)
{
    (void) state;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.stack_depth = 10;
    options.flags = GT_RECORDER_UNWIND;
    for (options.memory_limit = 400 << 10; options.memory_limit < 8 << 20;
         options.memory_limit += options.memory_limit / 3) {
        scene_open_with(&scene, &options);
        scene_start(&scene);
        scene_run(&scene);
        deep(3, leaf);
        stop_scene();
        scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_are_found_without_frame_pointers),
        cmocka_unit_test(callers_are_found_in_other_code),
        cmocka_unit_test(another_way_to_the_same_place_is_another_stack),
        cmocka_unit_test(samples_have_callers_without_frame_pointers),
        cmocka_unit_test(functions_have_the_names_of_symbols),
        cmocka_unit_test(the_trace_tells_of_modules),
        cmocka_unit_test(modules_are_remembered_after_they_were_unloaded),
        cmocka_unit_test(tables_need_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
