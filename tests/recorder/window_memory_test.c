/* SPDX-License-Identifier: BSD-3-Clause */

/* Windows in little memory: what they give up, and what they leave to others. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/scene.h"
#include "support/test.h"

/*
 * Memory of the host: the allocation after so many others fails, and all for which there is no
 * room; bytes that are in use. 0: none fails.
 */
static struct {
    uint64_t left, room, used;
} memory;

static bool memory_lacks(uint64_t more)
{
    return (memory.left > 0 && --memory.left == 0) ||
           (memory.room > 0 && memory.used + more > memory.room);
}

static void *memory_allocate(void *context, size_t bytes)
{
    (void) context;
    if (memory_lacks(bytes))
        return NULL;
    memory.used += bytes;
    return malloc(bytes);
}

static void *memory_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    (void) context;
    if (memory_lacks(bytes - old_bytes))
        return NULL;
    memory.used += bytes - old_bytes;
    return realloc(block, bytes);
}

static void memory_release(void *context, void *block, size_t bytes)
{
    (void) context;
    memory.used -= bytes;
    free(block);
}

static gt_allocator memory_allocator(void)
{
    gt_allocator allocator = {sizeof(allocator), NULL, memory_allocate, memory_reallocate,
                              memory_release};
    memory.left = memory.room = memory.used = 0;
    return allocator;
}

/* A recorder of a megabyte, with stacks of up to so many frames, and a window of any size. */
static void open_small(struct scene *s, uint64_t depth, gt_rec_unwind_fn unwind, void *user_data)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    options.memory_limit = 1 << 20;
    options.stack_depth = depth;
    options.unwind = unwind;
    options.user_data = user_data;
    scene_open_with(s, &options);
    scene_window(s, 1 << 30);
}

static void advance(const struct scene *s)
{
    assert_status(gt_recorder_advance(s->recorder), GT_OK);
}

/* So many generations, each of about 60 KB. */
static void make_generations(const struct scene *s, gt_rec_go *go, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        scene_run_and_stop(s, go, 5000);
        advance(s);
    }
}

static gt_recorder_info info_of(const struct scene *s)
{
    gt_recorder_info info = GT_RECORDER_INFO_INIT;
    assert_status(gt_recorder_get_info(s->recorder, &info), GT_OK);
    return info;
}

static void check_window(struct scene *s)
{
    scene_write_window(s);
    assert_true(recorded_generations(&s->trace) > 1);
    recorded_check_by_peer(&s->trace);
}

static void the_oldest_generations_make_room_for_new_events(void **state)
{
    (void) state;
    struct scene s;
    open_small(&s, 0, NULL, NULL);
    gt_rec_go *go = scene_go(&s);
    make_generations(&s, go, 100);
    /* An eighth is for handles. */
    for (unsigned i = 0; i < 10; i++) {
        scene_run_and_stop(&s, go, 25000);
        advance(&s);
    }
    make_generations(&s, go, 20);
    assert_true(info_of(&s).memory_peak <= 7 << 17);
    assert_true(info_of(&s).window_bytes > 1 << 17);
    scene_write_window(&s);
    assert_true(recorded_generations(&s.trace) > 3);
    recorded_check_by_peer(&s.trace);
    /* One that is too large for the limit is lost, and then there is none. */
    scene_run_and_stop(&s, go, 500000);
    recorded_free(&s.trace);
    assert_status(gt_recorder_window_write(s.recorder, recorded_write, &s.trace, NULL), GT_STALE);
    assert_int_equal(s.trace.size, 0);
    scene_run_and_stop(&s, go, 10);
    scene_write_window(&s);
    assert_int_equal(recorded_generations(&s.trace), 1);
    recorded_check_by_peer(&s.trace);
    scene_close(&s);
}

/* What events leave to handles is there while the window is full, and then the window gives way. */
static void handles_have_memory_beside_a_full_window(void **state)
{
    (void) state;
    struct scene s;
    gt_rec_proc *procs[6000] = {NULL};
    open_small(&s, 0, NULL, NULL);
    make_generations(&s, scene_go(&s), 100);
    uint64_t window = scene_window_bytes(&s);
    for (uint64_t i = 0; i < 600; i++)
        assert_status(gt_rec_proc_create(s.recorder, 100 + i, &procs[i]), GT_OK);
    assert_int_equal(scene_window_bytes(&s), window);
    for (uint64_t i = 600; i < 5000; i++)
        assert_status(gt_rec_proc_create(s.recorder, 100 + i, &procs[i]), GT_OK);
    assert_true(scene_window_bytes(&s) < window);
    scene_close(&s);
}

/* No event of theirs makes room before. */
static void texts_take_the_memory_of_a_window(void **state)
{
    (void) state;
    struct scene s;
    gt_rec_text id;
    char text[1000];
    open_small(&s, 0, NULL, NULL);
    make_generations(&s, scene_go(&s), 100);
    uint64_t window = scene_window_bytes(&s);
    memset(text, 'x', sizeof(text));
    for (unsigned i = 0; i < 400; i++) {
        snprintf(text, sizeof(text), "%u", i);
        assert_status(gt_recorder_text(s.recorder, text, sizeof(text), &id), GT_OK);
    }
    assert_true(scene_window_bytes(&s) < window);
    scene_close(&s);
}

static void regions_take_the_memory_of_a_window(void **state)
{
    (void) state;
    struct scene s;
    open_small(&s, 0, NULL, NULL);
    make_generations(&s, scene_go(&s), 100);
    scene_run(&s);
    for (unsigned i = 0; i < 20000; i++) {
        assert_status(gt_rec_region_begin(s.thread, 0, s.name), GT_OK);
        if (i % 100 == 0)
            advance(&s);
    }
    check_window(&s);
    scene_close(&s);
}

/* Each stack is another one, of few frames, whose names would take memory, too. */
static size_t unwind_anew(void *user_data, uint64_t *pcs, size_t room)
{
    uint64_t *next = user_data;
    for (size_t i = 0; i < room; i++)
        pcs[i] = 0x1000 + (*next >> i & 1);
    (*next)++;
    return room;
}

/* A generation that is lost would empty the window. */
static void record_stacks(const struct scene *s)
{
    gt_rec_go *go;
    assert_status(gt_rec_go_create(s->thread, s->name, 0, &go), GT_OK);
    for (unsigned i = 0; i < 50; i++) {
        scene_run_and_stop(s, go, 700);
        advance(s);
        assert_true(scene_window_bytes(s) > 0);
    }
}

static void stacks_take_the_memory_of_a_window(void **state)
{
    (void) state;
    struct scene s;
    uint64_t next = 0;
    open_small(&s, 16, unwind_anew, &next);
    record_stacks(&s);
    assert_true(info_of(&s).memory_peak <= 7 << 17);
    check_window(&s);
    scene_close(&s);
}

/* Where memory ends differs, so that each kind of allocation is the one that fails. */
static void what_the_host_has_not_is_taken_from_a_window(void **state)
{
    (void) state;
    for (uint64_t more = 0; more < 40; more++) {
        struct scene s;
        uint64_t next = 0;
        gt_allocator allocator = memory_allocator();
        gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
        options.stack_depth = 16;
        options.unwind = unwind_anew;
        options.user_data = &next;
        options.allocator = &allocator;
        scene_open_with(&s, &options);
        scene_window(&s, 1 << 30);
        memory.room = (1 << 20) + 3000 * more;
        record_stacks(&s);
        scene_write_window(&s);
        assert_true(recorded_generations(&s.trace) > 1);
        recorded_check(&s.trace);
        scene_close(&s);
        assert_int_equal(memory.used, 0);
    }
}

/* What is done while a window is written. */
struct slow {
    struct scene *s;
    gt_rec_go *go;
    struct recorded trace;
    /* What the recorder had before the last piece was written. */
    uint64_t memory;
    bool was_given_back;
};

/* Meanwhile other generations replace those that are written. */
static int write_while_recording(void *user_data, const void *data, size_t size)
{
    struct slow *slow = user_data;
    if (slow->trace.calls == 1)
        make_generations(slow->s, slow->go, 3);
    slow->memory = info_of(slow->s).memory;
    return recorded_write(&slow->trace, data, size);
}

/* Before the last piece is written, only what left the window after it is still there. */
static void generations_are_freed_as_they_are_written(void **state)
{
    (void) state;
    struct scene s;
    struct slow slow = {.s = &s};
    scene_open_window(&s, 300000);
    slow.go = scene_go(&s);
    make_generations(&s, slow.go, 20);
    uint64_t before = info_of(&s).memory;
    assert_status(gt_recorder_window_write(s.recorder, write_while_recording, &slow, NULL), GT_OK);
    recorded_check_by_peer(&slow.trace);
    assert_true(slow.memory < before + 100000);
    recorded_free(&slow.trace);
    scene_close(&s);
}

/* Asks for memory that there is not, after some generations were written. */
static int write_while_handles_are_created(void *user_data, const void *data, size_t size)
{
    struct slow *slow = user_data;
    gt_rec_proc *proc;
    gt_status status = GT_OK;
    uint64_t before = scene_window_bytes(slow->s);
    if (slow->trace.calls == 1) {
        for (uint64_t i = 1; status == GT_OK; i++)
            status = gt_rec_proc_create(slow->s->recorder, 100 + i, &proc);
        assert_status(status, GT_ERR_LIMIT);
        assert_int_equal(scene_window_bytes(slow->s), before);
    } else if (slow->trace.calls > 10 && !slow->was_given_back) {
        assert_status(gt_rec_proc_create(slow->s->recorder, 99, &proc), GT_OK);
        assert_true(scene_window_bytes(slow->s) < before && scene_window_bytes(slow->s) > 0);
        slow->was_given_back = true;
    }
    return recorded_write(&slow->trace, data, size);
}

static void a_window_that_is_being_written_stays_if_nothing_is_won(void **state)
{
    (void) state;
    struct scene s;
    struct slow slow = {.s = &s};
    open_small(&s, 0, NULL, NULL);
    make_generations(&s, scene_go(&s), 100);
    assert_status(
        gt_recorder_window_write(s.recorder, write_while_handles_are_created, &slow, NULL), GT_OK);
    assert_true(slow.was_given_back);
    recorded_check_by_peer(&slow.trace);
    recorded_free(&slow.trace);
    scene_close(&s);
}

static void any_allocation_may_fail(void **state)
{
    (void) state;
    unsigned good = 0;
    for (uint64_t fail_at = 1; fail_at < 120; fail_at++) {
        gt_allocator allocator = memory_allocator();
        struct recorded trace = {0};
        gt_recorder *recorder;
        gt_rec_thread *thread;
        gt_rec_proc *proc;
        gt_rec_go *go;
        gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
        options.flags = GT_RECORDER_NO_THREAD;
        options.allocator = &allocator;
        assert_status(gt_recorder_open(&recorder, &options, NULL), GT_OK);
        assert_status(gt_rec_thread_attach(recorder, &thread), GT_OK);
        assert_status(gt_rec_proc_create(recorder, 0, &proc), GT_OK);
        assert_status(gt_rec_proc_start(thread, proc), GT_OK);
        assert_status(gt_rec_go_create(thread, 0, 0, &go), GT_OK);
        assert_status(gt_recorder_window_start(recorder, NULL, NULL), GT_OK);
        memory.left = fail_at;
        for (unsigned i = 0; i < 30; i++) {
            assert_status(gt_rec_go_start(thread, go), GT_OK);
            assert_status(gt_rec_go_stop(thread, GT_REC_YIELD), GT_OK);
            assert_status(gt_recorder_advance(recorder), GT_OK);
        }
        memory.left = 0;
        gt_status status = gt_recorder_window_write(recorder, recorded_write, &trace, NULL);
        assert_true(status == GT_OK || status == GT_STALE);
        if (status == GT_OK)
            recorded_check(&trace);
        good += status == GT_OK;
        recorded_free(&trace);
        gt_recorder_close(&recorder);
        assert_int_equal(memory.used, 0);
    }
    assert_true(good > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_generations_make_room_for_new_events),
        cmocka_unit_test(handles_have_memory_beside_a_full_window),
        cmocka_unit_test(texts_take_the_memory_of_a_window),
        cmocka_unit_test(regions_take_the_memory_of_a_window),
        cmocka_unit_test(stacks_take_the_memory_of_a_window),
        cmocka_unit_test(what_the_host_has_not_is_taken_from_a_window),
        cmocka_unit_test(generations_are_freed_as_they_are_written),
        cmocka_unit_test(a_window_that_is_being_written_stays_if_nothing_is_won),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
