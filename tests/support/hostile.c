/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/hostile.h"

/* Batches are kept below the format's limit of 65536 bytes. */
#define BATCH_MAX 60000

/* Times of batches that come late. */
#define LATE 100000000u

static void begin(struct wire *wire)
{
    wire_begin(wire, 22);
    wire->size_width = 3;
    wire_sync(wire, 1, 1, WIRE_NANOSECONDS);
}

static int batch_is_full(const struct wire *wire)
{
    return wire->size - wire->content_at > BATCH_MAX;
}

/* Begins another batch of the thread where the open one is full. */
static void next_batch(struct wire *wire, uint64_t thread, uint64_t time)
{
    if (batch_is_full(wire))
        wire_batch(wire, 1, thread, time);
}

/* Thread 5 with proc 0 and goroutine 1. */
static void begin_running(struct wire *wire)
{
    begin(wire);
    wire_batch(wire, 1, 5, 10);
    wire_running(wire, 5, 0, 1);
}

void hostile_parked(struct wire *wire, uint64_t n)
{
    begin(wire);
    wire_batch(wire, 1, 1, 1);
    WIRE_EVENT(wire, EV_PROC_START, 1, 999, 1);
    for (uint64_t i = 0; i < n; i++) {
        wire_batch(wire, 1, 2 + i, 10);
        WIRE_EVENT(wire, EV_GO_STATUS, 1, 1 + i, WIRE_NONE, GO_WAITING);
    }
    wire_batch(wire, 1, 2 + n, LATE);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 999, PROC_IDLE);
}

void hostile_tiny_threads(struct wire *wire, uint64_t n)
{
    const uint8_t cut = EV_PROC_STOP;

    begin(wire);
    wire->size_width = 1;
    for (uint64_t i = 0; i < n; i++) {
        wire_batch(wire, 1, i, 0);
        wire_bytes(wire, &cut, 1);
    }
}

static void threads(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        wire_batch(wire, 1, 2 + i, 10 + n - i);
        WIRE_EVENT(wire, EV_GO_STATUS, 1, 1 + i, WIRE_NONE, GO_WAITING);
    }
}

static void generations(struct wire *wire, uint64_t n)
{
    wire_begin(wire, 22);
    wire->size_width = 1;
    for (uint64_t i = 0; i < n; i++) {
        wire_sync(wire, 1 + i, 10 + i, WIRE_NANOSECONDS);
        wire_batch(wire, 1 + i, 5, 10 + i);
        WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_IDLE);
    }
}

static void empty_batches(struct wire *wire, uint64_t n)
{
    begin(wire);
    wire->size_width = 1;
    for (uint64_t i = 0; i < n; i++)
        wire_batch(wire, 1, i, 10);
}

static void many_batches(struct wire *wire, uint64_t n)
{
    begin(wire);
    wire->size_width = 1;
    for (uint64_t i = 0; i < n; i++) {
        wire_batch(wire, 1, 5, 10);
        WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_IDLE);
    }
}

/* Ids with `i` in the bits from `shift` on. */
static void strings_with_ids(struct wire *wire, uint64_t n, unsigned shift)
{
    begin_running(wire);
    wire_strings(wire, 1);
    for (uint64_t i = 1; i <= n; i++) {
        if (batch_is_full(wire))
            wire_strings(wire, 1);
        wire_string(wire, i << shift, "x");
    }
}

static void strings(struct wire *wire, uint64_t n)
{
    strings_with_ids(wire, n, 0);
}

static void colliding_strings(struct wire *wire, uint64_t n)
{
    strings_with_ids(wire, n, 44);
}

static void stacks_with_ids(struct wire *wire, uint64_t n, unsigned shift, unsigned pc_shift)
{
    begin_running(wire);
    WIRE_EVENT(wire, EV_PROCS_CHANGE, 1, 1, UINT64_C(1) << shift);
    wire_strings(wire, 1);
    wire_string(wire, 1, "f");
    wire_stacks(wire, 1);
    for (uint64_t i = 1; i <= n; i++) {
        if (batch_is_full(wire))
            wire_stacks(wire, 1);
        wire_stack(wire, i << shift, 16);
        for (uint64_t k = 0; k < 16; k++)
            wire_frame(wire, (16 * i + k) << pc_shift, 1, 1, k);
    }
}

static void stacks(struct wire *wire, uint64_t n)
{
    stacks_with_ids(wire, n, 0, 0);
}

static void colliding_stacks(struct wire *wire, uint64_t n)
{
    stacks_with_ids(wire, n, 48, 40);
}

/* Frames whose pcs differ in their highest 16 bits only. */
static void colliding_pcs(struct wire *wire, uint64_t n)
{
    stacks_with_ids(wire, n, 0, 48);
}

static void regions(struct wire *wire, uint64_t n)
{
    begin_running(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 5, 20);
        WIRE_EVENT(wire, EV_USER_REGION_BEGIN, 1, 0, 1, 0);
    }
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 5, 20);
        WIRE_EVENT(wire, EV_USER_REGION_END, 1, 0, 1, 0);
    }
    wire_strings(wire, 1);
    wire_string(wire, 1, "region");
}

static void tasks_with_ids(struct wire *wire, uint64_t n, unsigned shift)
{
    begin_running(wire);
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire, 5, 20);
        WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, i << shift, 0, 1, 0);
    }
    wire_strings(wire, 1);
    wire_string(wire, 1, "task");
    wire_sync(wire, 2, 1, WIRE_NANOSECONDS);
}

static void tasks(struct wire *wire, uint64_t n)
{
    tasks_with_ids(wire, n, 0);
}

static void colliding_tasks(struct wire *wire, uint64_t n)
{
    tasks_with_ids(wire, n, 40);
}

/* Strings 1 to n, no two of them equal. */
static void distinct_strings(struct wire *wire, uint64_t n)
{
    wire_strings(wire, 1);
    for (uint64_t i = 1; i <= n; i++) {
        if (batch_is_full(wire))
            wire_strings(wire, 1);
        wire_string_sized(wire, i, &i, 4);
    }
}

/* Every task has a name of its own. */
static void named_tasks(struct wire *wire, uint64_t n)
{
    begin_running(wire);
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire, 5, 20);
        WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, i, 0, i, 0);
    }
    distinct_strings(wire, n);
}

/* Stopped worlds of different kinds, all open at once: more than there can be. */
static void stops(struct wire *wire, uint64_t n)
{
    begin_running(wire);
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire, 5, 20);
        WIRE_EVENT(wire, EV_STW_BEGIN, 1, i, 0);
    }
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire, 5, 20);
        WIRE_EVENT(wire, EV_STW_END, 1);
    }
    distinct_strings(wire, n);
}

static void samples(struct wire *wire, uint64_t n)
{
    begin_running(wire);
    wire_samples(wire, 1);
    for (uint64_t i = 0; i < n; i++) {
        if (batch_is_full(wire))
            wire_samples(wire, 1);
        wire_sample(wire, 10 * (n - i), 5, 0, 1, 0);
    }
}

static void experiments(struct wire *wire, uint64_t n)
{
    begin_running(wire);
    wire->size_width = 1;
    for (uint64_t i = 0; i < n; i++)
        wire_experiment(wire, 1 + (unsigned) i % 250, 1, 5, 10);
}

/* Goroutines that are created and never run, or whose ids collide. */
static void goroutines_with_ids(struct wire *wire, uint64_t n, unsigned shift)
{
    begin_running(wire);
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire, 5, 20);
        WIRE_EVENT(wire, EV_GO_CREATE, 1, i << shift | 2, 0, 0);
    }
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire, 5, 20);
        WIRE_EVENT(wire, EV_GO_STOP, 1, 0, 0);
        WIRE_EVENT(wire, EV_GO_START, 1, i << shift | 2, 1);
    }
}

static void goroutines(struct wire *wire, uint64_t n)
{
    goroutines_with_ids(wire, n, 3);
}

static void colliding_goroutines(struct wire *wire, uint64_t n)
{
    goroutines_with_ids(wire, n, 40);
}

/*
 * Numbers that the usual hash of integers, a multiplication by 2^64 over the
 * golden ratio, turns into 1, 2, 3, ..., so that all have the same high bits.
 */
static uint64_t next_golden(uint64_t *state)
{
    uint64_t number;

    do
        number = ++*state * UINT64_C(0xf1de83e19937733d);
    while (number >> 61 != 0);
    return number << 3;
}

static void golden_goroutines(struct wire *wire, uint64_t n)
{
    uint64_t state = 0;

    begin_running(wire);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 5, 20);
        WIRE_EVENT(wire, EV_GO_CREATE, 1, next_golden(&state), 0, 0);
    }
}

static void golden_strings(struct wire *wire, uint64_t n)
{
    uint64_t state = 0;

    begin_running(wire);
    wire_strings(wire, 1);
    for (uint64_t i = 0; i < n; i++) {
        if (batch_is_full(wire))
            wire_strings(wire, 1);
        wire_string(wire, next_golden(&state), "x");
    }
}

/* The shortest things, with ids that are no neighbours. */
static void scattered_goroutines(struct wire *wire, uint64_t n)
{
    begin_running(wire);
    for (uint64_t i = 1; i <= n; i++) {
        next_batch(wire, 5, 20);
        WIRE_EVENT(wire, EV_GO_CREATE, 0, 8 * i + 2, 0, 0);
    }
}

static void scattered_strings(struct wire *wire, uint64_t n)
{
    begin_running(wire);
    wire_strings(wire, 1);
    for (uint64_t i = 1; i <= n; i++) {
        if (batch_is_full(wire))
            wire_strings(wire, 1);
        wire_string(wire, 70000 + 40 * i, "");
    }
}

static void scattered_threads(struct wire *wire, uint64_t n)
{
    begin(wire);
    wire->size_width = 1;
    for (uint64_t i = 1; i <= n; i++) {
        wire_batch(wire, 1, 8 * i, 1);
        WIRE_EVENT(wire, EV_PROC_STATUS, 0, 8 * i, PROC_IDLE);
    }
}

/* Threads and procs whose ids differ in their high bits only. */
static void colliding_threads(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 1; i <= n; i++) {
        wire_batch(wire, 1, i << 32, 10);
        WIRE_EVENT(wire, EV_PROC_STATUS, 1, i << 32, PROC_RUNNING);
    }
}

/*
 * Goroutine 1 is passed from thread to thread, and the threads come in the
 * reverse order: all wait for it, each for a number of its own.
 */
static void waiters(struct wire *wire, uint64_t n)
{
    uint64_t k;

    begin(wire);
    wire_batch(wire, 1, 1, 10);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 1, WIRE_NONE, GO_WAITING);
    for (uint64_t i = 0; i < n; i++) {
        k = n - 1 - i;
        wire_batch(wire, 1, 10 + k, 20);
        WIRE_EVENT(wire, EV_PROC_STATUS, 1, k, PROC_RUNNING);
        WIRE_EVENT(wire, EV_GO_UNBLOCK, 1 + i, 1, 2 * k + 1, 0);
        WIRE_EVENT(wire, EV_GO_START, 1, 1, 2 * k + 2);
        WIRE_EVENT(wire, EV_GO_BLOCK, 1, 0, 0);
    }
}

/* All threads wait for one and the same step, of which there is only one. */
static void rivals(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        wire_batch(wire, 1, 10 + i, 20);
        WIRE_EVENT(wire, EV_GO_UNBLOCK, 1, 1, 1, 0);
    }
    wire_batch(wire, 1, 1, LATE);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 1, WIRE_NONE, GO_WAITING);
}

/* The same for proc 0, which is passed on; the threads come in the reverse order. */
static void proc_waiters(struct wire *wire, uint64_t n)
{
    uint64_t k;

    begin(wire);
    wire_batch(wire, 1, 1, 10);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_IDLE);
    for (uint64_t i = 0; i < n; i++) {
        k = n - 1 - i;
        wire_batch(wire, 1, 10 + k, 20);
        WIRE_EVENT(wire, EV_PROC_START, 1 + i, 0, k + 1);
        WIRE_EVENT(wire, EV_PROC_STOP, 1);
    }
}

/* The collector's numbers, in the reverse order. */
static void gc_waiters(struct wire *wire, uint64_t n)
{
    uint64_t k;

    begin_running(wire);
    WIRE_EVENT(wire, EV_GC_BEGIN, 1, 1, 0);
    WIRE_EVENT(wire, EV_GC_END, 1, 2);
    for (uint64_t i = 0; i < n; i++) {
        k = n - i;
        wire_batch(wire, 1, 10 + k, 20);
        wire_running(wire, 10 + k, k, 1 + k);
        WIRE_EVENT(wire, EV_GC_BEGIN, 1 + i, 2 * k + 1, 0);
        WIRE_EVENT(wire, EV_GC_END, 1, 2 * k + 2);
    }
}

/* A thread in a system call whose end waits for its proc to be stolen. */
static void write_blocked(struct wire *wire, uint64_t i)
{
    wire_batch(wire, 1, 10 + i, 20);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, i, PROC_SYSCALL);
    WIRE_EVENT(wire, EV_GO_STATUS, 1, 1 + i, 10 + i, GO_SYSCALL);
    WIRE_EVENT(wire, EV_GO_SYSCALL_END_BLOCKED, 1);
}

static void blocked(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++)
        write_blocked(wire, i);
    wire_batch(wire, 1, 1, LATE);
    for (uint64_t i = n; i > 0; i--) {
        next_batch(wire, 1, LATE);
        WIRE_EVENT(wire, EV_PROC_STEAL, 1, i - 1, 1, 9 + i);
    }
}

/* The statuses of abandoned procs, each of which has to find its owner. */
static void abandoned(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++)
        write_blocked(wire, i);
    wire_batch(wire, 1, 1, LATE);
    for (uint64_t i = n; i > 0; i--) {
        next_batch(wire, 1, LATE);
        WIRE_EVENT(wire, EV_PROC_STATUS, 1, i - 1, PROC_ABANDONED);
        WIRE_EVENT(wire, EV_PROC_STEAL, 1, i - 1, 1, 9 + i);
    }
}

/* Two threads pass a goroutine to and fro while others wait for it in vain. */
static void tug_of_war(struct wire *wire, uint64_t n)
{
    begin(wire);
    for (uint64_t i = 0; i < n; i++) {
        wire_batch(wire, 1, 100 + i, 20);
        WIRE_EVENT(wire, EV_GO_UNBLOCK, 1, 1, 4 * n + i, 0);
    }
    wire_batch(wire, 1, 5, 30);
    wire_running(wire, 5, 0, 1);
    for (uint64_t i = 0; i < n; i++) {
        next_batch(wire, 5, 40);
        WIRE_EVENT(wire, EV_GO_BLOCK, 1, 0, 0);
        WIRE_EVENT(wire, EV_GO_UNBLOCK, 1, 1, 2 * i + 1, 0);
        WIRE_EVENT(wire, EV_GO_START, 1, 1, 2 * i + 2);
    }
}

const struct hostile hostiles[] = {
    {"parked", hostile_parked, 8000, GT_END},
    {"threads", threads, 8000, GT_END},
    {"generations", generations, 4000, GT_END},
    {"empty batches", empty_batches, 16000, GT_END},
    {"many batches", many_batches, 12000, GT_END},
    {"strings", strings, 20000, GT_END},
    {"colliding strings", colliding_strings, 10000, GT_END},
    {"stacks", stacks, 1000, GT_END},
    {"colliding stacks", colliding_stacks, 800, GT_END},
    {"colliding pcs", colliding_pcs, 500, GT_END},
    {"regions", regions, 10000, GT_END},
    {"tasks", tasks, 14000, GT_END},
    {"colliding tasks", colliding_tasks, 8000, GT_END},
    {"named tasks", named_tasks, 6000, GT_END},
    {"stops", stops, 7000, GT_ERR_ORDER},
    {"samples", samples, 12000, GT_END},
    {"experiments", experiments, 16000, GT_END},
    {"goroutines", goroutines, 6000, GT_END},
    {"colliding goroutines", colliding_goroutines, 4000, GT_END},
    {"colliding threads", colliding_threads, 4000, GT_END},
    {"golden goroutines", golden_goroutines, 8000, GT_END},
    {"golden strings", golden_strings, 8000, GT_END},
    {"scattered goroutines", scattered_goroutines, 14000, GT_END},
    {"scattered strings", scattered_strings, 20000, GT_END},
    {"scattered threads", scattered_threads, 8000, GT_END},
    {"waiters", waiters, 4000, GT_END},
    {"rivals", rivals, 8000, GT_ERR_STUCK},
    {"proc waiters", proc_waiters, 6000, GT_END},
    {"gc waiters", gc_waiters, 3000, GT_END},
    {"blocked", blocked, 4000, GT_END},
    {"abandoned", abandoned, 3000, GT_END},
    {"tug of war", tug_of_war, 5000, GT_ERR_STUCK},
};

const size_t hostile_count = sizeof(hostiles) / sizeof(*hostiles);
