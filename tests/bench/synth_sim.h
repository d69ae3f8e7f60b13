/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_BENCH_SYNTH_SIM_H
#define TESTS_BENCH_SYNTH_SIM_H

/* The simulated runtime: its threads, procs and goroutines, and its clock. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "synth.h"
#include "synth_out.h"
#include "synth_table.h"

/* No proc, no goroutine. */
#define SIM_NONE UINT32_MAX

/* How many regions a goroutine nests. */
#define SIM_REGIONS 2

struct sim_thread {
    struct synth_batch batch;
    uint32_t proc;
    uint32_t go;
    /* In a system call, with its proc or without. */
    bool syscall;
    /* Events until it gives its proc to another thread. */
    uint32_t tenure;
};

struct sim_proc {
    uint64_t sequence;
    /* The generation that its status was last given in. */
    uint64_t told;
};

struct sim_region {
    uint64_t task;
    unsigned name;
};

struct sim_go {
    uint64_t id;
    uint64_t sequence;
    uint64_t told;
    uint64_t task;
    struct sim_region regions[SIM_REGIONS];
    uint32_t depth;
    /* Waiting, where it is neither in the queue nor on a thread. */
    bool waiting;
    /* It ends soon; others run their programs for ever. */
    bool brief;
    /* How far it is in its program. */
    uint32_t next;
};

/* Indices without an order. */
struct sim_set {
    uint32_t *items;
    uint32_t count;
};

/* Indices, first in, first out; never holds more than `capacity`. */
struct sim_queue {
    uint32_t *items;
    uint32_t capacity;
    uint32_t head;
    uint32_t count;
};

struct sim_sample {
    uint64_t time, thread, proc, go, stack;
};

#define SIM_SAMPLES 1024

#define SIM_TICK 65536

struct sim {
    struct synth_options options;
    struct synth_out out;
    struct synth_table table;
    uint64_t random;
    /* In SIM_TICK parts of a tick, so that many threads can share one. */
    uint64_t clock;
    uint64_t events;

    struct sim_thread *threads;
    struct sim_proc *procs;
    struct sim_go *goroutines;
    uint32_t go_capacity;

    /* Threads with a proc; without anything; in a system call without a proc. */
    struct sim_set active;
    struct sim_queue idle_threads;
    struct sim_set blocked;
    struct sim_set idle_procs;
    struct sim_queue runnable;
    struct sim_set waiting;
    /* Unused elements of `goroutines`. */
    struct sim_set unused;

    uint64_t last_go;
    uint64_t last_task;
    uint64_t last_message;
    uint64_t heap;
    /* Events of one thread's turn with a proc. */
    uint32_t tenure;
    /* How many stacks there are to choose from, and the one at hand. */
    uint32_t stacks;
    uint32_t stack;

    bool collecting;
    uint64_t collection_sequence;
    uint64_t collection_since;

    /* The batch of events that no thread owns. */
    struct synth_batch nobody;
    struct sim_sample samples[SIM_SAMPLES];
    unsigned sample_count;
    uint64_t sampled;
};

/* False where memory ran out; sim_free frees what there is. */
bool sim_init(struct sim *sim, const struct synth_options *options, FILE *file);
void sim_free(struct sim *sim);

uint32_t sim_random(struct sim *sim, uint32_t below);

/* The clock in ticks of 64 ns. */
uint64_t sim_now(const struct sim *sim);

void sim_emit(struct sim *sim, struct sim_thread *thread, uint8_t type, unsigned count,
              const uint64_t *arguments);

/* The id of the stack at hand. */
uint64_t sim_stack(struct sim *sim);
uint64_t sim_string(struct sim *sim, unsigned string);

void sim_set_add(struct sim_set *set, uint32_t item);
/* Takes the item at `index` out; another comes into its place. */
uint32_t sim_set_take(struct sim_set *set, uint32_t index);
void sim_queue_add(struct sim_queue *queue, uint32_t item);
uint32_t sim_queue_take(struct sim_queue *queue);

/* Gives the status of what is in a state for which no thread stands, once a generation. */
void sim_tell_proc(struct sim *sim, struct sim_thread *thread, uint32_t proc);
void sim_tell_go(struct sim *sim, struct sim_thread *thread, uint32_t go);

/* Begins and ends a generation. */
void sim_generation_begin(struct sim *sim);
void sim_generation_end(struct sim *sim);

/* One step of one thread. */
void sim_step(struct sim *sim);

/* What a running goroutine does next. */
void sim_act(struct sim *sim, struct sim_thread *thread);

/* Makes the goroutine wait no longer, on behalf of the thread. */
void sim_unblock(struct sim *sim, struct sim_thread *thread, uint64_t stack);

#endif
