/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/sample.h"

#include <stdio.h>

#include "support/v1sample.h"

/* Threads 5 and 6 run procs 0 and 1 and goroutines 1 and 2; goroutine 3 waits. */
#define MAIN_THREAD  5
#define OTHER_THREAD 6

#define STRINGS 20
#define STACKS  8

/* Batches are kept below the format's limit of 65536 bytes. */
#define BATCH_MAX 60000

/* Nanoseconds of a generation. */
#define LENGTH 10000000

/* The state of a thread; sequence numbers begin again in each generation. */
struct actor {
    uint64_t thread;
    uint64_t proc;
    uint64_t goroutine;
    uint64_t goroutine_seq;
    uint64_t proc_seq;
    /* Returns a different time each time. */
    uint64_t turn;
};

/* Four events: the goroutine stops and starts, and does a system call. */
static unsigned act_schedule(struct wire *wire, struct actor *actor, uint64_t i)
{
    WIRE_EVENT(wire, EV_GO_STOP, 2, 1 + i % STRINGS, 1 + i % STACKS);
    WIRE_EVENT(wire, EV_GO_START, 3, actor->goroutine, ++actor->goroutine_seq);
    WIRE_EVENT(wire, EV_GO_SYSCALL_BEGIN, 1, ++actor->proc_seq, 1 + i % STACKS);
    WIRE_EVENT(wire, EV_GO_SYSCALL_END, 5);
    return 4;
}

/* Five events of the garbage collector's kinds and metrics. */
static unsigned act_collect(struct wire *wire, uint64_t i)
{
    WIRE_EVENT(wire, EV_GC_SWEEP_BEGIN, 1, 1 + i % STACKS);
    WIRE_EVENT(wire, EV_GC_SWEEP_END, 1, 8192 * i, 4096 * i);
    WIRE_EVENT(wire, EV_GC_MARK_ASSIST_BEGIN, 1, 0);
    WIRE_EVENT(wire, EV_GC_MARK_ASSIST_END, 1);
    WIRE_EVENT(wire, EV_HEAP_ALLOC, 1, i << 20);
    return 5;
}

/* Seven events of a program's own. */
static unsigned act_annotate(struct wire *wire, const struct actor *actor, uint64_t i)
{
    uint64_t task = (actor->thread << 48) + i, name = 1 + i % STRINGS;

    WIRE_EVENT(wire, EV_USER_TASK_BEGIN, 1, task, i % 2, name, 1 + i % STACKS);
    WIRE_EVENT(wire, EV_USER_REGION_BEGIN, 1, task, name, 0);
    WIRE_EVENT(wire, EV_USER_LOG, 1, task, name, 1 + (i + 1) % STRINGS, 0);
    WIRE_EVENT(wire, EV_USER_REGION_END, 1, task, name, 0);
    WIRE_EVENT(wire, EV_USER_TASK_END, 1, task, 0);
    WIRE_EVENT(wire, EV_GO_LABEL, 1, name);
    WIRE_EVENT(wire, EV_SPAN_ALLOC, 1, i, 2, 3);
    return 7;
}

/* Eight events: a stopped world, and a goroutine's short life. */
static unsigned act_create(struct wire *wire, struct actor *actor, uint64_t i)
{
    uint64_t created = (actor->thread << 48) + i;

    WIRE_EVENT(wire, EV_STW_BEGIN, 1, 1 + i % STRINGS, 1);
    WIRE_EVENT(wire, EV_STW_END, 4);
    WIRE_EVENT(wire, EV_GO_CREATE, 1, created, 1 + i % STACKS, 0);
    WIRE_EVENT(wire, EV_PROCS_CHANGE, 1, 2, 0);
    WIRE_EVENT(wire, EV_GO_STOP, 1, 0, 0);
    WIRE_EVENT(wire, EV_GO_START, 1, created, 1);
    WIRE_EVENT(wire, EV_GO_DESTROY, 1);
    WIRE_EVENT(wire, EV_GO_START, 1, actor->goroutine, ++actor->goroutine_seq);
    return 8;
}

/* Writes at least this many events, and begins a new batch if the open one is nearly full. */
static void act(struct wire *wire, struct actor *actor, unsigned events, uint64_t gen,
                uint64_t time)
{
    unsigned done = 0;

    wire_batch(wire, gen, actor->thread, time);
    while (done < events) {
        if (wire->size - wire->content_at > BATCH_MAX)
            wire_batch(wire, gen, actor->thread, time + 2 * done);
        actor->turn++;
        done += act_schedule(wire, actor, actor->turn);
        done += act_collect(wire, actor->turn);
        done += act_annotate(wire, actor, actor->turn);
        done += act_create(wire, actor, actor->turn);
    }
}

static void write_tables(struct wire *wire, uint64_t gen)
{
    char text[64];

    wire_strings(wire, gen);
    for (uint64_t i = 1; i <= STRINGS; i++) {
        snprintf(text, sizeof(text), "string %u of generation %u", (unsigned) i, (unsigned) gen);
        wire_string(wire, i, text);
    }
    wire_stacks(wire, gen);
    for (uint64_t i = 1; i <= STACKS; i++) {
        wire_stack(wire, i, i - 1);
        for (uint64_t k = 1; k < i; k++)
            wire_frame(wire, 4096 + 16 * k * i, i, k, 10 * i + k);
    }
}

static void write_others(struct wire *wire, uint64_t gen, uint64_t time)
{
    wire_samples(wire, gen);
    for (uint64_t i = 0; i < 10; i++)
        wire_sample(wire, time + 7 * (9 - i), MAIN_THREAD, 0, 1, i % (STACKS + 1));
    wire_experiment(wire, 1, gen, MAIN_THREAD, time);
    wire_bytes(wire, "\0experimental data", 18);
    wire_batch(wire, gen, WIRE_NONE, time + LENGTH - 1);
    WIRE_EVENT(wire, EV_GO_STATUS_STACK, 1, 3, WIRE_NONE, GO_WAITING, 2);
}

static void write_thread(struct wire *wire, uint64_t gen, uint64_t time, uint64_t thread,
                         unsigned events)
{
    struct actor actor = {thread, thread - MAIN_THREAD, thread - MAIN_THREAD + 1, 0, 0, gen << 24};

    wire_batch(wire, gen, thread, time);
    wire_running(wire, thread, actor.proc, actor.goroutine);
    act(wire, &actor, events / 4, gen, time + 10);
    act(wire, &actor, events / 4, gen, time + LENGTH / 2);
}

void sample_trace(struct wire *wire, unsigned version, unsigned generations, unsigned events)
{
    uint64_t time;

    if (version < 22) {
        v1_sample_trace(wire, version, generations * events);
        return;
    }
    wire_begin(wire, version);
    for (uint64_t gen = 1; gen <= generations; gen++) {
        time = gen * LENGTH;
        wire_sync(wire, gen, time, WIRE_NANOSECONDS);
        write_thread(wire, gen, time, MAIN_THREAD, events);
        write_thread(wire, gen, time + 3, OTHER_THREAD, events);
        write_others(wire, gen, time);
        write_tables(wire, gen);
        wire_generation_end(wire);
    }
}
