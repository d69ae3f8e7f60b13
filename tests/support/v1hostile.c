/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/v1hostile.h"

#include "support/v1wire.h"

/* Times of what comes late. */
#define LATE 100000000u

static void many_batches(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++) {
        v1_batch(wire, 0, 2000 + i);
        V1_EVENT(wire, V1_HEAP_ALLOC, 0, 1);
    }
}

static void empty_batches(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++)
        v1_batch(wire, i, 1);
}

/* Procs with one event each; those later in the file have the earlier one. */
static void procs_with_ids(struct wire *wire, uint64_t n, unsigned shift)
{
    v1_start(wire, 21);
    for (uint64_t i = 1; i <= n; i++) {
        v1_batch(wire, i << shift, LATE - i);
        V1_EVENT(wire, V1_PROC_START, 1, i);
    }
}

static void procs(struct wire *wire, uint64_t n)
{
    procs_with_ids(wire, n, 0);
}

static void colliding_procs(struct wire *wire, uint64_t n)
{
    procs_with_ids(wire, n, 16);
}

/* Goroutine 2 is passed from proc to proc, and the procs come in the reverse order. */
static void waiters(struct wire *wire, uint64_t n)
{
    uint64_t k;

    v1_start_open(wire, 21);
    v1_waiting(wire, 2);
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 4, 0);
    for (uint64_t i = 0; i < n; i++) {
        k = n - 1 - i;
        v1_batch(wire, 1 + k, 3000);
        V1_EVENT(wire, V1_GO_UNBLOCK, 0, 2, 2 + 2 * k, 0);
        V1_EVENT(wire, V1_GO_START, 0, 2, 3 + 2 * k);
        V1_EVENT(wire, V1_GO_BLOCK, 0, 0);
    }
}

/* All procs wait at one time for what the last one does then. */
static void parked(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++) {
        v1_batch(wire, 1 + i, LATE);
        V1_EVENT(wire, V1_GO_START, 0, 100 + i, 1);
    }
    v1_batch(wire, 0, LATE);
    for (uint64_t i = n; i > 0; i--)
        V1_EVENT(wire, V1_GO_CREATE, 0, 99 + i, 0, 0);
}

/* Goroutine 1 gives way and starts, while procs wait for numbers that it never has. */
static void tug_of_war(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++) {
        V1_EVENT(wire, V1_GO_SCHED, 1, 0);
        V1_EVENT(wire, V1_GO_START, 1, 1, 2 + i);
    }
    for (uint64_t i = 0; i < n; i++) {
        v1_batch(wire, 1 + i, 2000);
        V1_EVENT(wire, V1_GO_START, 1, 1, 10 * n + i);
    }
}

/* The numbers of collections, in the reverse order of procs. */
static void collections(struct wire *wire, uint64_t n)
{
    uint64_t k;

    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++) {
        k = n - 1 - i;
        v1_batch(wire, 1 + k, 3000 + 2 * k);
        V1_EVENT(wire, V1_GC_START, 0, k, 0);
        V1_EVENT(wire, V1_GC_DONE, 1);
    }
}

static void goroutines_with_ids(struct wire *wire, uint64_t n, unsigned shift)
{
    v1_start_open(wire, 21);
    for (uint64_t i = 1; i <= n; i++)
        V1_EVENT(wire, V1_GO_CREATE, 1, i << shift | 2, 0, 0);
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 4, 0);
    V1_EVENT(wire, V1_GO_SCHED, 1, 0);
    for (uint64_t i = 1; i <= n; i++) {
        V1_EVENT(wire, V1_GO_START_LOCAL, 1, i << shift | 2);
        V1_EVENT(wire, V1_GO_END, 1);
    }
}

void v1_hostile_goroutines(struct wire *wire, uint64_t n)
{
    goroutines_with_ids(wire, n, 3);
}

static void colliding_goroutines(struct wire *wire, uint64_t n)
{
    goroutines_with_ids(wire, n, 40);
}

/*
 * Numbers that the usual hash of integers, a multiplication by 2^64 over the
 * golden ratio, turns into neighbours.
 */
static void golden_goroutines(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 1; i <= n; i++)
        V1_EVENT(wire, V1_GO_CREATE, 1, i * UINT64_C(0xf1de83e19937733d), 0, 0);
}

/* All leave their system calls at the end of the trace, and say that it was long ago. */
static void old_exits(struct wire *wire, uint64_t n)
{
    v1_start_open(wire, 21);
    for (uint64_t i = 0; i < n; i++) {
        V1_EVENT(wire, V1_GO_CREATE, 0, 100 + i, 0, 0);
        V1_EVENT(wire, V1_GO_IN_SYSCALL, 0, 100 + i);
    }
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 4, 0);
    for (uint64_t i = 0; i < n; i++)
        V1_EVENT(wire, V1_HEAP_ALLOC, 1, i);
    for (uint64_t i = n; i > 0; i--)
        V1_EVENT(wire, V1_GO_SYS_EXIT, LATE, 99 + i, 2, V1_TICKS + 100 + i);
}

/* A goroutine's exits that all say the time of the first. */
static void exits_at_once(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++) {
        V1_EVENT(wire, V1_GO_SYS_CALL, 0, 0);
        V1_EVENT(wire, V1_GO_SYS_BLOCK, 0);
        V1_EVENT(wire, V1_GO_SYS_EXIT, 0, 1, 2 + 2 * i, V1_TICKS + 4);
        V1_EVENT(wire, V1_GO_START, 0, 1, 3 + 2 * i);
    }
}

/* Each proc's call is followed by its block, which is behind the calls of all others. */
static void syscalls(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++)
        V1_EVENT(wire, V1_GO_CREATE, 1, 100 + i, 0, 0);
    for (uint64_t i = 0; i < n; i++) {
        v1_batch(wire, 1 + i, 1000000 + i);
        V1_EVENT(wire, V1_GO_START_LOCAL, 0, 100 + i);
        V1_EVENT(wire, V1_GO_SYS_CALL, 0, 0);
        V1_EVENT(wire, V1_GO_SYS_BLOCK, LATE);
    }
}

/* The same with CPU samples of each goroutine, before the call and behind the block. */
static void sampled_syscalls(struct wire *wire, uint64_t n)
{
    syscalls(wire, n);
    for (uint64_t i = 0; i < n; i++) {
        V1_EVENT(wire, V1_CPU_SAMPLE, 1, 2 * LATE + i, 1 + i, 100 + i, 0);
        V1_EVENT(wire, V1_CPU_SAMPLE, 1, 999999 - i, 1 + i, 100 + i, 0);
    }
}

/* The latest come first. */
static void samples(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++)
        V1_EVENT(wire, V1_CPU_SAMPLE, 1, 2000 + 10 * (n - i), 0, 1, 0);
}

static void regions(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    v1_string(wire, 1, "region");
    for (uint64_t i = 0; i < n; i++)
        V1_EVENT(wire, V1_REGION, 0, i, 0, 1, 0);
    for (uint64_t i = n; i > 0; i--)
        V1_EVENT(wire, V1_REGION, 0, i - 1, 1, 1, 0);
}

static void tasks_with_ids(struct wire *wire, uint64_t n, unsigned shift)
{
    v1_start(wire, 21);
    for (uint64_t i = 1; i <= n; i++)
        V1_EVENT(wire, V1_TASK_CREATE, 0, i << shift, 0, 0, 0);
}

static void tasks(struct wire *wire, uint64_t n)
{
    tasks_with_ids(wire, n, 0);
}

static void colliding_tasks(struct wire *wire, uint64_t n)
{
    tasks_with_ids(wire, n, 40);
}

static void one_message(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++)
        v1_log(wire, 0, 0, 0, "x");
}

static void messages(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++)
        v1_log_sized(wire, 0, 0, 0, &i, 4);
}

static void strings_with_ids(struct wire *wire, uint64_t n, unsigned shift)
{
    v1_start(wire, 21);
    for (uint64_t i = 1; i <= n; i++)
        v1_string(wire, i << shift, "x");
}

static void strings(struct wire *wire, uint64_t n)
{
    strings_with_ids(wire, n, 0);
}

static void colliding_strings(struct wire *wire, uint64_t n)
{
    strings_with_ids(wire, n, 44);
}

/* Stacks of 16 frames; one of them is used, so that their index is made. */
static void stacks_with_ids(struct wire *wire, unsigned version, uint64_t n, unsigned shift,
                            unsigned pc_shift)
{
    struct v1_frame frames[16] = {{0}};

    v1_start(wire, version);
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 1, UINT64_C(1) << shift);
    for (uint64_t i = 1; i <= n; i++) {
        for (uint64_t k = 0; k < 16; k++)
            frames[k].pc = (16 * i + k) << pc_shift;
        v1_stack(wire, i << shift, frames, 16);
    }
}

static void stacks(struct wire *wire, uint64_t n)
{
    stacks_with_ids(wire, 21, n, 0, 0);
}

static void colliding_stacks(struct wire *wire, uint64_t n)
{
    stacks_with_ids(wire, 21, n, 20, 44);
}

/* Without symbols, which are to be found. */
static void bare_stacks(struct wire *wire, uint64_t n)
{
    stacks_with_ids(wire, 5, n, 0, 0);
}

/* One id, defined again and again. */
static void one_stack(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    V1_EVENT(wire, V1_GOMAXPROCS, 1, 1, 1);
    for (uint64_t i = 1; i <= n; i++)
        v1_stack_one(wire, 1, (struct v1_frame){i, 0, 0, 0});
}

static void timers(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++)
        V1_EVENT(wire, V1_TIMER_GOROUTINE, i << 40);
}

/* A goroutine that is woken up in vain, and preempted on its way, so that all is one wakeup. */
static void futile(struct wire *wire, uint64_t n)
{
    v1_start(wire, 7);
    for (uint64_t i = 0; i < n; i++) {
        V1_EVENT(wire, V1_GO_PREEMPT, 1, 0);
        V1_EVENT(wire, V1_GO_START_LOCAL, 1, 1);
        V1_EVENT(wire, V1_FUTILE_WAKEUP, 1);
    }
    V1_EVENT(wire, V1_GO_BLOCK, 1, 0);
}

/* Go 1.5 numbers all events; here each batch has one, and they come in the reverse order. */
static void reverse_sequence(struct wire *wire, uint64_t n)
{
    v1_start(wire, 5);
    for (uint64_t i = n; i > 0; i--) {
        wire->sequence = 10 + i;
        v1_batch(wire, i, 2000);
        V1_EVENT(wire, V1_HEAP_ALLOC, i, 1);
    }
}

/* A hundred procs take turns, an event each. */
static void interleaved(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t k = 0; k < 100; k++) {
        v1_batch(wire, 1 + k, 2000 + k);
        for (uint64_t i = 0; i < n; i++)
            V1_EVENT(wire, V1_HEAP_ALLOC, 100, i);
    }
}

/* The batches of procs in turn, all of one time. */
static void equal_times(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++) {
        v1_batch(wire, 1 + i % 1000, 2000);
        V1_EVENT(wire, V1_HEAP_ALLOC, 0, i);
    }
}

/* A goroutine that stops and starts within as many regions. */
static void busy_regions(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    v1_string(wire, 1, "region");
    for (uint64_t i = 0; i < n; i++)
        V1_EVENT(wire, V1_REGION, 0, i, 0, 1, 0);
    for (uint64_t i = 0; i < n; i++) {
        V1_EVENT(wire, V1_GO_SCHED, 1, 0);
        V1_EVENT(wire, V1_GO_START, 1, 1, 2 + i);
    }
}

/* Events that cannot follow what was before. */
static void impossible(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++) {
        V1_EVENT(wire, V1_GO_START_LOCAL, 1, 100 + i);
        V1_EVENT(wire, V1_GO_UNBLOCK_LOCAL, 1, 100 + i, 0);
    }
}

/* Times that run backwards, from batch to batch. */
static void backwards(struct wire *wire, uint64_t n)
{
    v1_start(wire, 21);
    for (uint64_t i = 0; i < n; i++) {
        v1_batch(wire, 0, LATE - i);
        V1_EVENT(wire, V1_HEAP_ALLOC, 0, i);
    }
}

const struct hostile v1_hostiles[] = {
    {"many batches", many_batches, 12000, GT_END},
    {"empty batches", empty_batches, 25000, GT_END},
    {"procs", procs, 9000, GT_END},
    {"colliding procs", colliding_procs, 8000, GT_END},
    {"waiters", waiters, 5000, GT_END},
    {"parked", parked, 6000, GT_END},
    {"tug of war", tug_of_war, 5000, GT_ERR_STUCK},
    {"collections", collections, 8000, GT_END},
    {"goroutines", v1_hostile_goroutines, 9000, GT_END},
    {"colliding goroutines", colliding_goroutines, 5000, GT_END},
    {"golden goroutines", golden_goroutines, 7000, GT_END},
    {"old exits", old_exits, 4000, GT_END},
    {"exits at once", exits_at_once, 6000, GT_END},
    {"syscalls", syscalls, 4000, GT_END},
    {"sampled syscalls", sampled_syscalls, 2000, GT_END},
    {"samples", samples, 10000, GT_END},
    {"regions", regions, 7000, GT_END},
    {"tasks", tasks, 13000, GT_END},
    {"colliding tasks", colliding_tasks, 8000, GT_END},
    {"one message", one_message, 13000, GT_END},
    {"messages", messages, 10000, GT_END},
    {"strings", strings, 20000, GT_END},
    {"colliding strings", colliding_strings, 10000, GT_END},
    {"stacks", stacks, 1000, GT_END},
    {"colliding stacks", colliding_stacks, 500, GT_END},
    {"bare stacks", bare_stacks, 2500, GT_END},
    {"one stack", one_stack, 10000, GT_END},
    {"timers", timers, 14000, GT_END},
    {"futile", futile, 14000, GT_END},
    {"reverse sequence", reverse_sequence, 7000, GT_END},
    {"interleaved", interleaved, 300, GT_END},
    {"equal times", equal_times, 9000, GT_END},
    {"busy regions", busy_regions, 6000, GT_END},
    {"impossible", impossible, 10000, GT_ERR_STUCK},
    {"backwards", backwards, 9000, GT_ERR_TIME},
};

const size_t v1_hostile_count = sizeof(v1_hostiles) / sizeof(*v1_hostiles);
