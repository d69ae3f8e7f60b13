/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * scenes [PREEMPTIONS [SCENE]]: runs small programs of two or three threads in all orders with at
 * most so many preemptions, and reads each trace that comes out. Prints how many orders there were;
 * ends with 1 if a trace is refused or has other events than the program told.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/gotrace.h>
#include <gotrace/recorder.h>

#include "explorer.h"

enum {
    GOS = 3,
    PROCS = 3,
    ARENA = 1 << 22,
    CLOSING_BYTES = 512,
    TRACE = 1 << 16,
    SEEN = 1 << 18
};

/* What is recorded at first: to the window either all or only the newest generation. */
enum recording {
    OFF,
    ON,
    ON_WINDOW,
    ON_SHORT_WINDOW
};

struct scene {
    gt_recorder *recorder;
    gt_rec_thread *threads[EXPLORER_THREADS];
    gt_rec_proc *procs[PROCS];
    gt_rec_go *gos[GOS];
    uint64_t ids[GOS];
    /* How often each goroutine was started, as the program knows; not of what is not recorded. */
    unsigned starts[GOS];
    bool counts, has_window;
    /* The own goroutine of a thread, and one that was created for another thread. */
    gt_rec_go *own, *created;
    unsigned samples; /* that were taken */
    unsigned rivals;  /* that have tried to start the goroutine */
    size_t beside_size;
    uint8_t trace[TRACE], beside[TRACE];
    size_t size;
};

static struct scene scene;

static void scene_fail(const char *name, const char *why)
{
    fprintf(stderr, "%s: %s\n", name, why);
    explorer_print();
    exit(1);
}

static void must(bool is_so, const char *why)
{
    if (!is_so)
        scene_fail("program", why);
}

/*
 * Memory that is used once, and overwritten when it is freed, so that a later use is seen. Of
 * large blocks that are freed once the threads are done, only the first bytes are overwritten: the
 * rest would take most of the time.
 */
static struct {
    uint64_t words[ARENA / 8];
    size_t used;
    bool is_closing;
} arena;

static void *arena_allocate(void *context, size_t bytes)
{
    (void) context;
    void *block = &arena.words[arena.used];
    arena.used += (bytes + 15) / 16 * 2;
    must(arena.used <= ARENA / 8, "the arena is full");
    return block;
}

static void *arena_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    void *moved = arena_allocate(context, bytes);
    return memcpy(moved, block, old_bytes < bytes ? old_bytes : bytes);
}

static void arena_release(void *context, void *block, size_t bytes)
{
    (void) context;
    bool is_cut = arena.is_closing && bytes > CLOSING_BYTES;
    memset(block, EXPLORER_FREED, is_cut ? CLOSING_BYTES : bytes);
}

static int scene_write(void *user_data, const void *data, size_t size)
{
    struct scene *s = user_data;
    must(size <= TRACE - s->size, "the trace is long");
    memcpy(s->trace + s->size, data, size);
    s->size += size;
    return 0;
}

/* A stack that is only in the table of the thread. */
static size_t unwind(void *user_data, uint64_t *pcs, size_t room)
{
    (void) user_data;
    pcs[0] = room + 1000;
    return 1;
}

/* Without a stream the trace is what is in the window at the end. */
static void scene_start(struct scene *s, enum recording recording)
{
    gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
    options.max_bytes = recording == ON_SHORT_WINDOW ? 1 : 1 << 20;
    options.min_age = UINT64_MAX;
    if (recording == ON)
        must(gt_recorder_start(s->recorder, scene_write, s, NULL) == GT_OK, "no start");
    else if (recording != OFF)
        must(gt_recorder_window_start(s->recorder, &options, NULL) == GT_OK, "no window");
    s->counts = recording == ON || recording == ON_WINDOW;
    s->has_window = recording == ON_WINDOW || recording == ON_SHORT_WINDOW;
}

/* Threads have procs of their own, or those of the program. */
static void scene_fill(struct scene *s, bool has_threads)
{
    for (size_t i = 0; i < PROCS && !has_threads; i++)
        must(gt_rec_proc_create(s->recorder, i, &s->procs[i]) == GT_OK, "no proc");
    for (size_t i = 0; i < GOS; i++) {
        must(gt_rec_go_adopt(s->recorder, 1, i == 2 ? GT_REC_BLOCKED : 0, &s->gos[i]) == GT_OK,
             "no goroutine");
        s->ids[i] = gt_rec_go_id(s->gos[i]);
    }
}

static void scene_open(enum recording recording, bool has_stacks, bool has_threads)
{
    gt_allocator allocator = {sizeof(allocator), NULL, arena_allocate, arena_reallocate,
                              arena_release};
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    arena.used = 0;
    arena.is_closing = false;
    memset(&scene, 0, offsetof(struct scene, trace));
    scene.size = 0;
    options.flags =
        GT_RECORDER_NO_THREAD | GT_RECORDER_SAMPLES | (has_threads ? GT_RECORDER_IMPLICIT : 0);
    options.allocator = &allocator;
    options.stack_depth = has_stacks ? 1 : 0;
    options.unwind = unwind;
    must(gt_recorder_open(&scene.recorder, &options, NULL) == GT_OK, "not opened");
    scene_fill(&scene, has_threads);
    scene_start(&scene, recording);
}

/* The functions of threads. */

static gt_rec_thread *attach(struct scene *s)
{
    gt_rec_thread *thread;
    must(gt_rec_thread_attach(s->recorder, &thread) == GT_OK, "not attached");
    return thread;
}

static bool start(struct scene *s, gt_rec_thread *t, size_t go)
{
    bool is_started = gt_rec_go_start(t, s->gos[go]) == GT_OK;
    s->starts[go] += is_started;
    return is_started;
}

static void run_and_block(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "no proc");
    if (start(s, t, 0))
        must(gt_rec_go_block(t, GT_REC_SYNC) == GT_OK, "not blocked");
    must(gt_rec_proc_stop(t) == GT_OK, "the proc does not stop");
}

static void unblock_and_run(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    if (gt_rec_go_unblock(t, s->gos[0]) != GT_OK)
        return;
    must(gt_rec_proc_start(t, s->procs[1]) == GT_OK, "no proc");
    start(s, t, 0);
}

static void unblock(void *argument)
{
    struct scene *s = argument;
    gt_rec_go_unblock(attach(s), s->gos[2]);
}

/* Another thread tries to start the same goroutine, which is a mistake: only one does. */
static void start_same(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    size_t proc = gt_rec_proc_start(t, s->procs[0]) == GT_OK ? 0 : 1;
    if (proc == 1)
        must(gt_rec_proc_start(t, s->procs[1]) == GT_OK, "no proc");
    if (start(s, t, 0))
        must(gt_rec_go_block(t, GT_REC_SYNC) == GT_OK, "not blocked");
}

/*
 * Two threads start the same goroutine by mistake while recording starts, too. Whatever they do
 * with it may be refused, or not. They may be preempted only while they start it, but let each
 * other go on between any two calls.
 */
static gt_rec_thread *start_as_rival(struct scene *s)
{
    explorer_hold(true);
    gt_rec_thread *t = attach(s);
    size_t proc = gt_rec_proc_start(t, s->procs[0]) == GT_OK ? 0 : 1;
    if (proc == 1)
        must(gt_rec_proc_start(t, s->procs[1]) == GT_OK, "no proc");
    explorer_hold(false);
    gt_rec_go_start(t, s->gos[0]);
    explorer_hold(true);
    s->rivals++;
    explorer_pass();
    return t;
}

static void run_as_rival(void *argument)
{
    gt_rec_thread *t = start_as_rival(argument);
    gt_rec_go_stop(t, GT_REC_YIELD);
    gt_rec_proc_stop(t);
}

static void call_as_rival(void *argument)
{
    gt_rec_thread *t = start_as_rival(argument);
    gt_rec_syscall_begin(t);
    explorer_pass();
    gt_rec_syscall_end(t);
    gt_rec_region_begin(t, 0, 1);
}

static void end_as_rival(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = start_as_rival(s);
    gt_rec_assist_begin(t);
    gt_rec_assist_end(t);
    /* The other one does not use the handle any more. */
    if (gt_rec_go_end(t) == GT_OK && s->rivals == 2)
        gt_rec_go_release(&s->gos[0]);
    gt_rec_thread_detach(&t);
}

static void switch_as_rival(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = start_as_rival(s);
    gt_rec_go_switch(t, s->gos[2]);
    explorer_pass();
    gt_rec_go_block(t, GT_REC_SYNC);
}

static void start_among_rivals(void *argument)
{
    struct scene *s = argument;
    explorer_hold(true);
    must(gt_recorder_start(s->recorder, scene_write, s, NULL) == GT_OK, "no start");
    explorer_pass();
    must(gt_recorder_advance(s->recorder) == GT_OK, "no advance");
}

static void unblock_and_start(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    gt_rec_go_unblock(t, s->gos[2]);
    must(gt_rec_proc_start(t, s->procs[1]) == GT_OK, "no proc");
    start(s, t, 2);
}

static void advance(void *argument)
{
    struct scene *s = argument;
    must(gt_recorder_advance(s->recorder) == GT_OK, "no advance");
}

static void call_twice(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "no proc");
    start(s, t, 0);
    for (unsigned i = 0; i < 2; i++) {
        must(gt_rec_syscall_begin(t) == GT_OK, "no call");
        if (gt_rec_syscall_end(t) != GT_OK)
            return;
    }
}

/* The second call is with another proc. */
static void call_with_others(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "no proc");
    start(s, t, 0);
    must(gt_rec_syscall_begin(t) == GT_OK, "no call");
    if (gt_rec_syscall_end(t) != GT_OK)
        return;
    must(gt_rec_go_stop(t, GT_REC_YIELD) == GT_OK, "not stopped");
    must(gt_rec_proc_stop(t) == GT_OK, "the proc does not stop");
    must(gt_rec_proc_start(t, s->procs[1]) == GT_OK, "no proc");
    start(s, t, 0);
    must(gt_rec_syscall_begin(t) == GT_OK, "no call");
}

static void steal(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    if (gt_rec_proc_steal(t, s->procs[0]) != GT_OK)
        return;
    must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "the stolen proc does not start");
    start(s, t, 1);
    must(gt_rec_syscall_begin(t) == GT_OK, "no call with the stolen proc");
}

static void steal_only(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    if (gt_rec_proc_steal(t, s->procs[0]) == GT_OK)
        must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "the stolen proc does not start");
}

static void steal_twice(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    gt_rec_proc_steal(t, s->procs[0]);
    gt_rec_proc_steal(t, s->procs[0]);
}

static void call_and_detach(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "no proc");
    start(s, t, 0);
    must(gt_rec_syscall_begin(t) == GT_OK, "no call");
    gt_rec_thread_detach(&t);
}

/* Is long in a call, so that others have time to take the proc and to end the generation. */
static void call_long_and_detach(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "no proc");
    start(s, t, 0);
    must(gt_rec_syscall_begin(t) == GT_OK, "no call");
    explorer_pass();
    gt_rec_thread_detach(&t);
}

static void start_recording(void *argument)
{
    struct scene *s = argument;
    must(gt_recorder_start(s->recorder, scene_write, s, NULL) == GT_OK, "no start");
    must(gt_recorder_advance(s->recorder) == GT_OK, "no advance");
}

static void create_and_run(void *argument)
{
    struct scene *s = argument;
    gt_rec_go *go;
    gt_rec_thread *t = attach(s);
    must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "no proc");
    must(gt_rec_go_create(t, 0, 0, &go) == GT_OK, "not created");
    start(s, t, 0);
    must(gt_rec_go_stop(t, GT_REC_YIELD) == GT_OK, "not stopped");
    must(gt_rec_go_start(t, go) == GT_OK, "not started");
}

/* Needs the text in the generation of the log. */
static void annotate(void *argument)
{
    struct scene *s = argument;
    uint64_t task;
    gt_rec_thread *t = attach(s);
    must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "no proc");
    start(s, t, 0);
    must(gt_rec_task_begin(t, 0, 1, &task) == GT_OK, "no task");
    must(gt_rec_region_begin(t, task, 1) == GT_OK, "no region");
    must(gt_rec_log(t, task, 1, "text", 4) == GT_OK, "no log");
    must(gt_rec_region_end(t) == GT_OK, "no end");
}

/* A handler interrupts nothing here, but generations end meanwhile. */
static void sample(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    for (unsigned i = 0; i < 4; i++)
        gt_rec_sample(t, NULL);
    s->samples = 4;
}

/* The times of this thread run ahead, because it has many events. */
static void collect_late(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "no proc");
    start(s, t, 0);
    for (unsigned i = 0; i < 4; i++)
        must(gt_rec_heap(t, i) == GT_OK, "no metric");
    gt_rec_gc_begin(t);
    gt_rec_gc_end(t);
}

static void collect(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    must(gt_rec_proc_start(t, s->procs[1]) == GT_OK, "no proc");
    start(s, t, 1);
    gt_rec_gc_begin(t);
    gt_rec_gc_end(t);
}

/* The times of this thread run ahead, too, so that readers come late to its last event. */
static void block_late(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "no proc");
    start(s, t, 0);
    for (unsigned i = 0; i < 12; i++)
        must(gt_rec_heap(t, i) == GT_OK, "no metric");
    must(gt_rec_go_block(t, GT_REC_SYNC) == GT_OK, "not blocked");
}

/* Readers have to come to the event of the thread that blocks before those of this one. */
static void unblock_and_collect(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    if (gt_rec_go_unblock(t, s->gos[0]) != GT_OK)
        return;
    must(gt_rec_proc_start(t, s->procs[2]) == GT_OK, "no proc");
    start(s, t, 0);
    gt_rec_gc_begin(t);
    gt_rec_gc_end(t);
}

static void begin_and_detach(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "no proc");
    start(s, t, 0);
    gt_rec_gc_begin(t);
    must(gt_rec_sweep_begin(t) == GT_OK && gt_rec_assist_begin(t) == GT_OK &&
             gt_rec_stw_begin(t, 1) == GT_OK,
         "no range");
    must(gt_rec_stw_end(t) == GT_OK && gt_rec_assist_end(t) == GT_OK, "no end");
    gt_rec_gc_end(t);
    gt_rec_thread_detach(&t);
}

/* Ranges go on over the end of a generation, in which the goroutine may be silent. */
static void block_and_collect(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    must(gt_rec_proc_start(t, s->procs[0]) == GT_OK, "no proc");
    start(s, t, 0);
    gt_rec_gc_begin(t);
    must(gt_rec_assist_begin(t) == GT_OK && gt_rec_sweep_begin(t) == GT_OK, "no range");
    must(gt_rec_go_block(t, GT_REC_SYNC) == GT_OK, "not blocked");
    must(gt_rec_go_unblock(t, s->gos[0]) == GT_OK, "not unblocked");
    start(s, t, 0);
    must(gt_rec_assist_end(t) == GT_OK && gt_rec_sweep_end(t, 1, 1) == GT_OK, "no end");
    gt_rec_gc_end(t);
}

/* A stream starts and stops beside the window. */
static void start_and_stop(void *argument)
{
    struct scene *s = argument;
    must(gt_recorder_start(s->recorder, scene_write, s, NULL) == GT_OK, "no start");
    must(gt_recorder_stop(s->recorder, NULL) == GT_OK, "no stop");
    memcpy(s->beside, s->trace, s->size);
    s->beside_size = s->size;
    s->size = 0;
    s->counts = false;
}

static void restart(void *argument)
{
    struct scene *s = argument;
    must(gt_recorder_stop(s->recorder, NULL) == GT_OK, "no stop");
    s->size = 0;
    s->counts = false;
    must(gt_recorder_start(s->recorder, scene_write, s, NULL) == GT_OK, "no start");
}

/* A thread that has a goroutine of its own waits, whoever wakes it. */
static void wait_and_resume(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    s->own = gt_rec_thread_go(t);
    must(gt_rec_go_block(t, GT_REC_SYNC) == GT_OK, "not blocked");
    must(gt_rec_go_resume(t) == GT_OK, "not resumed");
}

static void wake_the_other(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    if (s->own)
        gt_rec_go_unblock(t, s->own);
    must(gt_rec_go_block(t, GT_REC_SYNC) == GT_OK, "not blocked");
}

static void call_without_proc(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    must(gt_rec_syscall_begin(t) == GT_OK, "no call");
    must(gt_rec_syscall_end(t) == GT_OK, "no end");
    must(gt_rec_go_start(t, s->gos[0]) == GT_ERR_STATE, "two run");
    must(gt_rec_go_block(t, GT_REC_SYNC) == GT_OK, "not blocked");
    start(s, t, 0);
}

/* The proc of one thread becomes that of another one. */
static void come_and_go(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    gt_rec_thread_detach(&t);
}

static void come_and_stay(void *argument)
{
    attach(argument);
}

static void create_for_the_other(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t = attach(s);
    gt_rec_go *go;
    must(gt_rec_go_create(t, 1, 0, &go) == GT_OK, "not created");
    s->created = go;
    gt_rec_thread_detach(&t);
}

static void run_what_was_created(void *argument)
{
    struct scene *s = argument;
    gt_rec_thread *t;
    if (!s->created)
        return;
    must(gt_rec_thread_attach_go(s->recorder, s->created, &t) == GT_OK, "not attached");
    must(gt_rec_syscall_begin(t) == GT_OK, "no call");
    gt_rec_thread_detach(&t);
}

static const struct {
    const char *name;
    enum recording recording;
    explorer_body bodies[EXPLORER_THREADS];
    /* The most orders that are explored; 0 for all. */
    uint64_t most;
    bool has_stacks;
    bool has_threads; /* that have goroutines of their own */
} scenes[] = {
    {"block and unblock", ON, {run_and_block, unblock_and_run, advance}},
    {"two unblock", ON, {unblock, unblock, advance}},
    {"two start", ON, {start_same, start_same, NULL}},
    {"unblock and advance", ON, {advance, unblock_and_start, NULL}},
    {"steal in a call", ON, {call_twice, steal, NULL}},
    {"steal in one of two calls", ON, {call_with_others, steal_only, NULL}},
    {"steal and advance", ON, {call_twice, steal, advance}},
    {"steal at the end of a generation", ON, {steal_only, advance, call_twice}},
    {"detach", ON, {call_and_detach, steal_only, advance}},
    {"steal after detach", ON, {call_and_detach, steal_twice, advance}},
    {"two thieves and detach", ON, {call_long_and_detach, steal_only, advance, steal_only}, 300000},
    {"start", OFF, {start_recording, create_and_run, NULL}},
    {"start and unblock", OFF, {start_recording, unblock_and_start, unblock}},
    {"rivals from before the start", OFF, {run_as_rival, run_as_rival, start_among_rivals}},
    {"rivals in calls", OFF, {call_as_rival, call_as_rival, start_among_rivals}},
    {"a rival ends", OFF, {end_as_rival, run_as_rival, start_among_rivals}},
    {"a rival switches", OFF, {switch_as_rival, call_as_rival, start_among_rivals}},
    {"annotate and advance", ON, {annotate, advance, NULL}},
    {"stacks and advance", ON, {annotate, advance, NULL}, 0, true},
    {"stacks of two threads", ON, {annotate, unblock_and_start, advance}, 20000, true},
    {"sample", ON, {sample, advance, NULL}},
    {"collect", ON, {collect_late, collect, NULL}},
    {"collect and advance", ON, {collect, begin_and_detach, advance}, 60000},
    {"collect and unblock", ON, {block_late, unblock_and_collect, collect}, 20000},
    {"collect and start", OFF, {start_recording, begin_and_detach, NULL}, 60000},
    {"restart", ON, {restart, run_and_block, unblock_and_run}},
    {"window", ON_WINDOW, {block_and_collect, advance, NULL}},
    {"window of one generation", ON_SHORT_WINDOW, {begin_and_detach, advance, NULL}},
    {"window in which others collect",
     ON_SHORT_WINDOW,
     {collect, begin_and_detach, advance},
     60000},
    {"window in which stops are left out", ON_WINDOW, {start_and_stop, begin_and_detach, NULL}},
    {"threads wake each other", ON, {wait_and_resume, wake_the_other, NULL}, 0, false, true},
    {"threads wait and wake", ON, {advance, wait_and_resume, wake_the_other}, 20000, false, true},
    {"threads in calls", ON, {call_without_proc, advance, NULL}, 0, false, true},
    {"threads from before the start", OFF, {start_recording, call_without_proc}, 0, false, true},
    {"threads come and go", ON, {come_and_go, come_and_stay, NULL}, 0, false, true},
    {"threads create others",
     ON_WINDOW,
     {create_for_the_other, run_what_was_created, advance},
     20000,
     false,
     true},
};

/* Traces that were read before. */
static uint64_t seen[SEEN];

static uint64_t hash_add(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static bool is_seen(const struct scene *s)
{
    uint64_t hash = s->size, word;
    size_t at = 0;
    for (; at + sizeof(word) <= s->size; at += sizeof(word)) {
        memcpy(&word, s->trace + at, sizeof(word));
        hash = hash_add(hash, word);
    }
    for (; at < s->size; at++)
        hash = hash_add(hash, s->trace[at]);
    for (size_t i = 0; i < GOS; i++)
        hash = hash_add(hash, s->starts[i]);
    uint64_t *slot = &seen[hash % SEEN];
    bool is_known = *slot == hash;
    *slot = hash;
    return is_known;
}

static void read_scene(const char *name, const struct scene *s)
{
    gt_reader *reader;
    const gt_event *event;
    gt_status status;
    unsigned starts[GOS] = {0}, samples = 0;
    gt_error error = GT_ERROR_INIT;
    if (gt_reader_open_memory(&reader, s->trace, s->size, NULL, &error) != GT_OK)
        scene_fail(name, error.message);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        gt_transition change = GT_TRANSITION_INIT;
        samples += event->kind == GT_EVENT_STACK_SAMPLE;
        if (gt_event_transition(event, &change) != GT_OK || change.to != GT_GO_RUNNING ||
            change.from != GT_GO_RUNNABLE)
            continue;
        for (size_t i = 0; i < GOS; i++)
            starts[i] += change.resource.kind == GT_RESOURCE_GOROUTINE &&
                         change.resource.id == (int64_t) s->ids[i];
    }
    gt_reader_error(reader, &error);
    gt_reader_close(&reader);
    if (status != GT_END)
        scene_fail(name, error.message);
    if (samples != s->samples)
        scene_fail(name, "there are more or fewer samples than were taken");
    if (s->counts && memcmp(starts, s->starts, sizeof(starts)) != 0)
        scene_fail(name, "a goroutine was started more or less often than the program knows");
}

static void scene_stop(struct scene *s)
{
    arena.is_closing = true;
    if (s->has_window) {
        gt_status status = gt_recorder_window_write(s->recorder, scene_write, s, NULL);
        must(status == GT_OK || status == GT_STALE, "the window is not written");
        must(gt_recorder_window_stop(s->recorder) == GT_OK, "no stop");
    } else {
        must(gt_recorder_advance(s->recorder) == GT_OK, "no advance at the end");
        must(gt_recorder_stop(s->recorder, NULL) == GT_OK, "no stop");
    }
    gt_recorder_close(&s->recorder);
}

/* Returns whether the trace is a new one. */
static bool read_new(const char *name, const struct scene *s)
{
    if (s->size == 0 || is_seen(s))
        return false;
    read_scene(name, s);
    return true;
}

static void explore(size_t number, unsigned preemptions)
{
    uint64_t runs = 0, traces = 0;
    size_t threads = 0;
    while (threads < EXPLORER_THREADS && scenes[number].bodies[threads])
        threads++;
    explorer_begin(preemptions);
    do {
        scene_open(scenes[number].recording, scenes[number].has_stacks, scenes[number].has_threads);
        explorer_run(scenes[number].bodies, threads, &scene);
        scene_stop(&scene);
        traces += read_new(scenes[number].name, &scene);
        if (scene.beside_size > 0) {
            memcpy(scene.trace, scene.beside, scene.beside_size);
            scene.size = scene.beside_size;
            traces += read_new("the stream beside it", &scene);
        }
        runs++;
    } while (explorer_next() && (scenes[number].most == 0 || runs < scenes[number].most));
    printf("%s: %llu orders, %llu traces\n", scenes[number].name, (unsigned long long) runs,
           (unsigned long long) traces);
}

int main(int argc, char **argv)
{
    unsigned preemptions = argc > 1 ? (unsigned) atoi(argv[1]) : 2;
    for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        if (argc < 3 || strcmp(argv[2], scenes[i].name) == 0)
            explore(i, preemptions);
    }
    return 0;
}
