/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/v1sample.h"

#include <stdio.h>

#include "support/v1wire.h"

#define STRINGS 20
#define STACKS  8

/* Goroutines 1 and 2 stay on procs 0 and 1; goroutine 3 waits and 4 is in a system call. */
struct sample {
    struct wire *wire;
    uint64_t now;
    uint64_t proc;
    /* The next numbers of goroutines 1 and 2. */
    uint64_t sequences[2];
    uint64_t collections;
    uint64_t created;
    uint64_t turn;
    unsigned events;
};

/* An event that happens at the next tick. */
#define DO(sample, type, ...)                                                                      \
    do {                                                                                           \
        (sample)->now++;                                                                           \
        (sample)->events++;                                                                        \
        V1_EVENT((sample)->wire, V1_##type, 1, __VA_ARGS__);                                       \
    } while (0)
#define DO_BARE(sample, type)                                                                      \
    do {                                                                                           \
        (sample)->now++;                                                                           \
        (sample)->events++;                                                                        \
        V1_EVENT((sample)->wire, V1_##type, 1);                                                    \
    } while (0)

/* The next events happen on this proc. */
static void move(struct sample *sample, uint64_t proc)
{
    sample->proc = proc;
    sample->now += 5;
    v1_batch(sample->wire, proc, sample->now);
}

static uint64_t stack_of(const struct sample *sample)
{
    return 1 + sample->turn % STACKS;
}

static uint64_t string_of(const struct sample *sample)
{
    return 1 + sample->turn % STRINGS;
}

/* The goroutine of this proc starts again, with each of the events that say so. */
static void start_own(struct sample *sample)
{
    uint64_t goroutine = 1 + sample->proc, sequence = sample->sequences[sample->proc]++;

    if (sample->turn % 3 == 0 && sample->wire->version >= 8)
        DO(sample, GO_START_LABEL, goroutine, sequence, string_of(sample));
    else if (sample->turn % 3 == 1 && sample->wire->version >= 7)
        DO(sample, GO_START_LOCAL, goroutine);
    else
        DO(sample, GO_START, goroutine, sequence);
}

/* The goroutine gives way to one that is created, and comes back. */
static void act_create(struct sample *sample)
{
    uint64_t created = 100 + sample->created++;

    DO(sample, GO_CREATE, created, stack_of(sample), stack_of(sample));
    if (sample->turn % 2)
        DO(sample, GO_SCHED, stack_of(sample));
    else
        DO(sample, GO_PREEMPT, stack_of(sample));
    DO(sample, GO_START, created, 1);
    if (sample->turn % 2)
        DO_BARE(sample, GO_END);
    else
        DO(sample, GO_STOP, stack_of(sample));
    start_own(sample);
}

/* The goroutine blocks, and the other proc's lets it go on. */
static void act_block(struct sample *sample)
{
    static const unsigned types[] = {V1_GO_SLEEP,      V1_GO_BLOCK,      V1_GO_BLOCK_SEND,
                                     V1_GO_BLOCK_RECV, V1_GO_BLOCK_SYNC, V1_GO_BLOCK_SELECT,
                                     V1_GO_BLOCK_COND, V1_GO_BLOCK_NET,  V1_GO_BLOCK_GC};
    uint64_t proc = sample->proc, *sequence = &sample->sequences[proc];
    unsigned type = types[sample->turn % (sample->wire->version < 8 ? 8 : 9)];

    sample->now++;
    sample->events++;
    V1_EVENT(sample->wire, type, 1, stack_of(sample));
    DO_BARE(sample, PROC_STOP);
    move(sample, 1 - proc);
    DO(sample, GO_UNBLOCK, 1 + proc, (*sequence)++, stack_of(sample));
    move(sample, proc);
    DO(sample, PROC_START, 5 + proc);
    start_own(sample);
}

/* A system call that returns at once, and one that blocks and ends unobserved. */
static void act_syscall(struct sample *sample)
{
    uint64_t *sequence = &sample->sequences[sample->proc], goroutine = 1 + sample->proc;

    DO(sample, GO_SYS_CALL, stack_of(sample));
    DO(sample, GO_SYS_CALL, 0);
    DO_BARE(sample, GO_SYS_BLOCK);
    DO_BARE(sample, PROC_STOP);
    sample->now += 10;
    move(sample, sample->proc);
    DO(sample, PROC_START, 5 + sample->proc);
    if (sample->wire->version < 7)
        DO(sample, GO_SYS_EXIT, goroutine, 0, 0);
    else
        DO(sample, GO_SYS_EXIT, goroutine, (*sequence)++, sample->now - 10);
    start_own(sample);
}

static void act_collect(struct sample *sample)
{
    DO(sample, GC_START, sample->collections++, stack_of(sample));
    DO(sample, STW_START, sample->turn % 2);
    DO_BARE(sample, STW_DONE);
    DO(sample, SWEEP_START, stack_of(sample));
    DO(sample, SWEEP_DONE, 8192, 4096);
    if (sample->wire->version >= 9) {
        DO(sample, MARK_ASSIST_START, stack_of(sample));
        DO_BARE(sample, MARK_ASSIST_DONE);
    }
    DO_BARE(sample, GC_DONE);
    DO(sample, HEAP_ALLOC, sample->turn << 20);
    DO(sample, HEAP_GOAL, 4 << 20);
    DO(sample, GOMAXPROCS, 2 + sample->turn % 4, stack_of(sample));
}

/* Events that the program itself writes. */
static void act_annotate(struct sample *sample)
{
    uint64_t task = sample->turn, name = string_of(sample);

    DO(sample, TASK_CREATE, task, task - 1, name, stack_of(sample));
    DO(sample, REGION, task, 0, name, 0);
    v1_log(sample->wire, task, name, stack_of(sample), "a message");
    sample->now++;
    DO(sample, REGION, task, 1, name, stack_of(sample));
    DO(sample, TASK_END, task, stack_of(sample));
}

static void act(struct sample *sample)
{
    sample->turn++;
    act_create(sample);
    act_block(sample);
    act_syscall(sample);
    act_collect(sample);
    if (sample->wire->version >= 11)
        act_annotate(sample);
    if (sample->wire->version >= 19)
        DO(sample, CPU_SAMPLE, sample->now, sample->proc, 1 + sample->proc, stack_of(sample));
    move(sample, 1 - sample->proc);
}

static void write_tables(struct wire *wire)
{
    struct v1_frame frames[STACKS];
    char text[64];

    for (uint64_t i = 1; i <= STRINGS && wire->version >= 7; i++) {
        snprintf(text, sizeof(text), "string %u", (unsigned) i);
        v1_string(wire, i, text);
    }
    for (uint64_t i = 1; i <= STACKS; i++) {
        for (uint64_t k = 0; k < i; k++)
            frames[k] = (struct v1_frame){4096 + 16 * (k + 1) * i, i, k, 10 * i + k};
        v1_stack(wire, i, frames, i);
    }
    V1_EVENT(wire, V1_TIMER_GOROUTINE, 3);
}

void v1_sample_trace(struct wire *wire, unsigned version, unsigned events)
{
    struct sample sample = {wire, V1_TICKS + 3, 0, {2, 2}, 0, 0, 0, 0};

    v1_start_open(wire, version);
    write_tables(wire);
    DO(&sample, GO_CREATE, 2, 1, 2);
    DO(&sample, GO_CREATE, 3, 2, 2);
    DO(&sample, GO_WAITING, 3);
    DO(&sample, GO_CREATE, 4, 3, 2);
    DO(&sample, GO_IN_SYSCALL, 4);
    DO(&sample, GO_CREATE, 5, 3, 2);
    DO(&sample, GOMAXPROCS, 2, 1);
    move(&sample, 1);
    DO(&sample, PROC_START, 6);
    DO(&sample, GO_START, 2, 1);
    while (sample.events < events)
        act(&sample);
}
