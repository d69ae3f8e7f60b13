/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What a reader with workers assumes of the state before a generation: traces that break each
 * assumption, and assumptions that are made to fail, change nothing about the events.
 */

#include <stdlib.h>
#include <string.h>

#include "reader/parallel.h"
#include "reader/reader.h"
#include "support/digest.h"
#include "support/getters.h"
#include "support/test.h"
#include "support/wire.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A trace of three generations. The first and the third are those of write_first and write_last. */
struct trace {
    const char *name;
    /* Writes more of the first generation. The batch of thread 1 is open. */
    void (*first)(struct wire *wire);
    /* Writes the second generation, at time 1000. */
    void (*second)(struct wire *wire);
    /* How many of the generations do not need the state before. */
    unsigned apart;
};

/* Goroutine 1 and proc 0 run on thread 1, and proc 1 is idle. */
static void write_status(struct wire *wire)
{
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 1, PROC_IDLE);
}

static void write_nothing(struct wire *wire)
{
    WIRE_EVENT(wire, EV_HEAP_ALLOC, 1, 5);
}

static void write_syscall(struct wire *wire)
{
    WIRE_EVENT(wire, EV_GO_SYSCALL_BEGIN, 1, 1, 0);
}

/* The thread takes another proc, but only once its old one was stolen. */
static void write_start_with_proc(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1010);
    WIRE_EVENT(wire, EV_PROC_START, 1, 1, 1);
    wire_batch(wire, 2, 2, 1000);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 1, PROC_IDLE);
    WIRE_EVENT(wire, EV_PROC_STATUS, 50, 0, PROC_ABANDONED);
    WIRE_EVENT(wire, EV_PROC_STEAL, 1, 0, 1, 1);
}

/* The system call ends once the proc was stolen. */
static void write_end_blocked(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1010);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 1, 1, GO_SYSCALL);
    WIRE_EVENT(wire, EV_GO_SYSCALL_END_BLOCKED, 1);
    wire_batch(wire, 2, 2, 1000);
    WIRE_EVENT(wire, EV_PROC_STATUS, 50, 0, PROC_ABANDONED);
    WIRE_EVENT(wire, EV_PROC_STEAL, 1, 0, 1, 1);
}

/* The same, but the proc is stolen before. */
static void write_stolen(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1100);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 1, 1, GO_SYSCALL);
    WIRE_EVENT(wire, EV_GO_SYSCALL_END_BLOCKED, 1);
    wire_batch(wire, 2, 2, 1000);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_ABANDONED);
    WIRE_EVENT(wire, EV_PROC_STEAL, 1, 0, 1, 1);
}

static void write_syscall_elsewhere(struct wire *wire)
{
    wire_batch(wire, 2, 2, 1000);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 1, 1, GO_SYSCALL);
}

/* Needs the goroutine of the thread, whose status is not given again. */
static void write_stop(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    WIRE_EVENT(wire, EV_HEAP_GOAL, 1, 7);
    WIRE_EVENT(wire, EV_GO_STOP, 1, 1, 0);
}

static void write_create(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(wire, EV_GO_CREATE, 1, 9, 0, 0);
}

static void write_create_again(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_GO_CREATE, 1, 8, 0, 0);
}

static void write_create_syscall_again(struct wire *wire)
{
    wire_batch(wire, 2, 3, 1000);
    WIRE_EVENT(wire, EV_GO_CREATE_SYSCALL, 1, 8);
}

static void write_goroutine(struct wire *wire)
{
    WIRE_EVENT(wire, EV_GO_CREATE, 1, 8, 0, 0);
}

static void write_start(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 8, WIRE_NONE, GO_RUNNABLE);
    WIRE_EVENT(wire, EV_GO_START, 1, 8, 1);
}

static void write_wrong_status(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 8, WIRE_NONE, GO_WAITING);
}

static void write_unknown_status(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 77, WIRE_NONE, GO_WAITING);
}

static void write_wrong_proc(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_IDLE);
}

static void write_new_proc(struct wire *wire)
{
    wire_batch(wire, 2, 3, 1000);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 5, PROC_RUNNING);
    WIRE_EVENT(wire, EV_HEAP_GOAL, 1, 7);
}

static void write_stopped_world(struct wire *wire)
{
    WIRE_EVENT(wire, EV_STW_BEGIN, 1, 1, 0);
}

static void write_stop_end(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_STW_END, 1);
}

/* The goroutine has stopped the world for the same cause. */
static void write_stop_again(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_STW_BEGIN, 1, 1, 0);
}

static void write_ending(struct wire *wire)
{
    WIRE_EVENT(wire, EV_GO_CREATE, 1, 50, 0, 0);
}

/* The third generation has another goroutine with this id. */
static void write_destroy(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_GO_BLOCK, 1, 1, 0);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 50, WIRE_NONE, GO_RUNNABLE);
    WIRE_EVENT(wire, EV_GO_START, 1, 50, 1);
    WIRE_EVENT(wire, EV_GO_DESTROY, 1);
}

static void write_gc(struct wire *wire)
{
    WIRE_EVENT(wire, EV_GC_BEGIN, 1, 3, 0);
}

static void write_gc_active(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_GC_ACTIVE, 1, 4);
    WIRE_EVENT(wire, EV_GC_END, 1, 5);
}

/* The number should be the next one. */
static void write_gc_wrong(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_GC_ACTIVE, 1, 7);
}

/* The collector runs already. */
static void write_gc_begin(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_GC_BEGIN, 1, 4, 0);
}

static void write_sweep(struct wire *wire)
{
    WIRE_EVENT(wire, EV_GC_SWEEP_BEGIN, 1, 0);
    WIRE_EVENT(wire, EV_GC_MARK_ASSIST_BEGIN, 1, 0);
}

static void write_active(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_GC_SWEEP_ACTIVE, 1, 0);
    WIRE_EVENT(wire, EV_GC_MARK_ASSIST_ACTIVE, 1, 1);
    WIRE_EVENT(wire, EV_GC_SWEEP_END, 1, 2, 3);
    WIRE_EVENT(wire, EV_GC_MARK_ASSIST_END, 1);
}

/* No sweep and no assist is active. */
static void write_sweep_active(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_GC_SWEEP_ACTIVE, 1, 0);
}

static void write_assist_active(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_GC_MARK_ASSIST_ACTIVE, 1, 1);
}

/* A sweep and an assist are active since before. */
static void write_sweep_begin(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_GC_SWEEP_BEGIN, 1, 0);
}

static void write_assist_begin(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_GC_MARK_ASSIST_BEGIN, 1, 0);
}

static void write_task(struct wire *wire)
{
    WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, 6, 3, 1, 0);
    WIRE_EVENT(wire, EV_USER_REGION_BEGIN, 1, 6, 1, 0);
    WIRE_EVENT(wire, EV_USER_REGION_BEGIN, 1, 6, 2, 0);
}

static void write_task_end(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_USER_REGION_BEGIN, 1, 6, 1, 0);
    WIRE_EVENT(wire, EV_USER_REGION_END, 1, 6, 1, 0);
    WIRE_EVENT(wire, EV_USER_REGION_END, 1, 6, 2, 0);
    WIRE_EVENT(wire, EV_USER_TASK_END, 1, 6, 0);
    WIRE_EVENT(wire, EV_USER_TASK_END, 1, 6, 0);
    WIRE_EVENT(wire, EV_USER_TASK_END, 1, 66, 0);
    WIRE_EVENT(wire, EV_USER_REGION_END, 1, 6, 1, 0);
    WIRE_EVENT(wire, EV_USER_REGION_END, 1, 6, 2, 0);
}

/* The innermost region is another one. */
static void write_region_wrong(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_USER_REGION_END, 1, 6, 1, 0);
}

/* The id of a task is used again. */
static void write_task_again(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_USER_TASK_END, 1, 6, 0);
    WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, 6, 0, 1, 0);
}

static void write_destroy_syscall(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_SYSCALL);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 1, 1, GO_SYSCALL);
    WIRE_EVENT(wire, EV_GO_DESTROY_SYSCALL, 1);
    WIRE_EVENT(wire, EV_GO_CREATE_SYSCALL, 1, 12);
    WIRE_EVENT(wire, EV_GO_DESTROY_SYSCALL, 1);
}

/* The thread has a proc, whose status is not given again. */
static void write_destroy_with_proc(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 1, 1, GO_SYSCALL);
    WIRE_EVENT(wire, EV_GO_DESTROY_SYSCALL, 1);
}

/* The first event of the collector is an end, and other threads have later events. */
static void write_gc_end(struct wire *wire)
{
    wire_batch(wire, 2, 1, 1000);
    wire_running(wire, 1, 0, 1);
    WIRE_EVENT(wire, EV_GC_END, 1, 4);
    wire_batch(wire, 2, 2, 1000);
    WIRE_EVENT(wire, EV_PROC_STATUS, 50, 1, PROC_IDLE);
    WIRE_EVENT(wire, EV_PROC_START, 50, 1, 1);
    WIRE_EVENT(wire, EV_HEAP_ALLOC, 1, 9);
}

/* The second status is also that of the thread which has the proc. */
static void write_abandoned_twice(struct wire *wire)
{
    wire_batch(wire, 2, 2, 1000);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_ABANDONED);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_ABANDONED);
    WIRE_EVENT(wire, EV_PROC_STEAL, 1, 0, 1, 1);
}

static const struct trace traces[] = {
    {"start of a proc while the thread has one", write_syscall, write_start_with_proc, 2},
    {"end of a system call before its proc is stolen", write_syscall, write_end_blocked, 2},
    {"end of a system call after its proc is stolen", write_syscall, write_stolen, 3},
    {"system call on another thread", write_syscall, write_syscall_elsewhere, 3},
    {"stop of a goroutine without a status", write_nothing, write_stop, 2},
    {"creation by a goroutine without a status", write_nothing, write_create, 2},
    {"creation of a goroutine that exists", write_goroutine, write_create_again, 1},
    {"creation in a system call of one that exists", write_goroutine, write_create_syscall_again,
     1},
    {"start while another goroutine runs", write_goroutine, write_start, 1},
    {"status that a goroutine does not have", write_goroutine, write_wrong_status, 1},
    {"status of a goroutine that does not exist", write_nothing, write_unknown_status, 1},
    {"status that a proc does not have", write_nothing, write_wrong_proc, 1},
    {"status of a new proc", write_nothing, write_new_proc, 3},
    {"end of a stopped world", write_stopped_world, write_stop_end, 2},
    {"stop of a world that is stopped", write_stopped_world, write_stop_again, 1},
    {"end of a goroutine", write_ending, write_destroy, 3},
    {"collector that goes on", write_gc, write_gc_active, 3},
    {"collector with a wrong number", write_gc, write_gc_wrong, 1},
    {"collector that runs already", write_gc, write_gc_begin, 1},
    {"collector that does not run", write_nothing, write_gc_active, 1},
    {"sweep and assist that go on", write_sweep, write_active, 3},
    {"sweep that is not active", write_nothing, write_sweep_active, 1},
    {"assist that is not active", write_nothing, write_assist_active, 1},
    {"sweep that is active already", write_sweep, write_sweep_begin, 1},
    {"assist that is active already", write_sweep, write_assist_begin, 1},
    {"end of tasks and regions", write_task, write_task_end, 3},
    {"end of a region that is not the innermost", write_task, write_region_wrong, 1},
    {"task whose id is used again", write_task, write_task_again, 2},
    {"end of a goroutine of C code", write_syscall, write_destroy_syscall, 3},
    {"end of one with a proc without a status", write_syscall, write_destroy_with_proc, 2},
    {"end of a collection that another generation began", write_gc, write_gc_end, 2},
    {"proc that is abandoned twice", write_syscall, write_abandoned_twice, 2},
};

static void write_generation(struct wire *wire, unsigned generation)
{
    wire_strings(wire, generation);
    wire_string(wire, 1, "one");
    wire_string(wire, 2, "two");
    wire_sync(wire, generation, 1000 * generation, WIRE_NANOSECONDS);
    wire_generation_end(wire);
}

static void write_trace(struct wire *wire, const struct trace *trace)
{
    wire_begin(wire, 26);
    wire_batch(wire, 1, 1, 1);
    write_status(wire);
    trace->first(wire);
    write_generation(wire, 1);
    trace->second(wire);
    write_generation(wire, 2);
    wire_batch(wire, 3, 9, 2500);
    WIRE_EVENT(wire, EV_GO_CREATE_SYSCALL, 1, 100);
    wire_batch(wire, 3, 10, 2600);
    WIRE_EVENT(wire, EV_GO_CREATE_SYSCALL, 1, 50);
    write_generation(wire, 3);
}

static void digest_plain(struct digest *digest, const struct wire *wire, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    options.flags = flags;
    *digest = (struct digest){0};
    digest_memory(digest, wire->data, wire->size, &options);
}

/* Returns the number of generations of whose events none needed the state before. */
static uint64_t digest_parallel(struct digest *digest, const struct wire *wire, uint64_t flags,
                                uint64_t fail_at)
{
    struct fold *fold = calloc(1, sizeof(*fold));
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    const gt_event *event;
    gt_reader *reader;
    assert_non_null(fold);
    options.flags = flags;
    options.workers = 2;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, &options, NULL), GT_OK);
    *digest = (struct digest){0};
    digest->error = (gt_error) GT_ERROR_INIT;
    digest->chain = calloc(1000, sizeof(*digest->chain));
    assert_non_null(digest->chain);
    fold->reader = reader;
    while ((digest->status = gt_reader_next_event(reader, &event)) == GT_OK) {
        reader->ahead.parallel->seam.fail_at = fail_at;
        assert_status(fold_event(fold, event), GT_OK);
        digest->chain[digest->count++] = fold->hash;
    }
    uint64_t ended = reader->ahead.parallel->ended;
    gt_reader_error(reader, &digest->error);
    gt_reader_close(&reader);
    free(fold);
    return ended;
}

static const uint64_t flags[] = {0, GT_READER_KEEP, GT_READER_LENIENT};

static void check_trace(const struct trace *trace, const struct wire *wire)
{
    for (size_t i = 0; i < COUNT(flags); i++) {
        struct digest plain, parallel;
        digest_plain(&plain, wire, flags[i]);
        for (uint64_t fail_at = 0; fail_at < 14; fail_at++) {
            uint64_t ended = digest_parallel(&parallel, wire, flags[i], fail_at);
            digest_assert_equal(&parallel, &plain);
            if (fail_at == 0 && plain.status == GT_END && !(flags[i] & GT_READER_LENIENT) &&
                ended != trace->apart)
                fail_msg("%s: %u generations apart", trace->name, (unsigned) ended);
            digest_free(&parallel);
        }
        digest_free(&plain);
    }
}

static void test_broken_assumptions_change_nothing(void **state)
{
    (void) state;
    for (size_t i = 0; i < COUNT(traces); i++) {
        struct wire wire = {0};
        write_trace(&wire, &traces[i]);
        print_message("%s\n", traces[i].name);
        check_trace(&traces[i], &wire);
        wire_free(&wire);
    }
}

/* A generation in which no thread has events. */
static void test_samples_without_threads_are_read(void **state)
{
    const struct trace trace = {.name = "samples only", .apart = 1};
    struct wire wire = {0};
    (void) state;
    wire_begin(&wire, 26);
    wire_batch(&wire, 1, WIRE_NONE, 1);
    wire_byte(&wire, EV_CPU_SAMPLES);
    wire_byte(&wire, EV_CPU_SAMPLE);
    for (uint64_t i = 0; i < 5; i++)
        wire_varint(&wire, i == 0 ? 5 : i & 1);
    write_generation(&wire, 1);
    check_trace(&trace, &wire);
    wire_free(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_assumptions_change_nothing),
        cmocka_unit_test(test_samples_without_threads_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
