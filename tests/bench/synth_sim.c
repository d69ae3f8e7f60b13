/* SPDX-License-Identifier: BSD-3-Clause */
#include "synth_sim.h"

#include <stdlib.h>
#include <string.h>

#include "support/wire.h"

#define FIRST_THREAD_ID 10000
/* A time of day and a machine's uptime as good as any. */
#define FIRST_TICK UINT64_C(30000000000)
/* Mean bytes of an event, to tell how many there will be. */
#define EVENT_BYTES 6
/* Bytes of a generation for each stack that it uses. */
#define STACK_BYTES 5000

uint32_t sim_random(struct sim *sim, uint32_t below)
{
    sim->random ^= sim->random >> 12;
    sim->random ^= sim->random << 25;
    sim->random ^= sim->random >> 27;
    return (uint32_t) (((sim->random * UINT64_C(0x2545f4914f6cdd1d)) >> 32) * below >> 32);
}

uint64_t sim_now(const struct sim *sim)
{
    return sim->clock / SIM_TICK;
}

void sim_emit(struct sim *sim, struct sim_thread *thread, uint8_t type, unsigned count,
              const uint64_t *arguments)
{
    synth_batch_event(&sim->out, &thread->batch, sim_now(sim), type, count, arguments);
    sim->events++;
    if (thread->tenure > 0)
        thread->tenure--;
}

uint64_t sim_stack(struct sim *sim)
{
    return synth_table_stack(&sim->table, &sim->out, sim->stack);
}

uint64_t sim_string(struct sim *sim, unsigned string)
{
    return synth_table_string(&sim->table, &sim->out, string);
}

void sim_set_add(struct sim_set *set, uint32_t item)
{
    set->items[set->count++] = item;
}

uint32_t sim_set_take(struct sim_set *set, uint32_t index)
{
    uint32_t item = set->items[index];

    set->items[index] = set->items[--set->count];
    return item;
}

void sim_queue_add(struct sim_queue *queue, uint32_t item)
{
    queue->items[(queue->head + queue->count++) % queue->capacity] = item;
}

uint32_t sim_queue_take(struct sim_queue *queue)
{
    uint32_t item = queue->items[queue->head];

    queue->head = (queue->head + 1) % queue->capacity;
    queue->count--;
    return item;
}

static bool init_queue(struct sim_queue *queue, uint32_t capacity)
{
    queue->items = calloc(capacity, sizeof(*queue->items));
    queue->capacity = capacity;
    return queue->items != NULL;
}

static bool init_set(struct sim_set *set, uint32_t capacity)
{
    set->items = calloc(capacity, sizeof(*set->items));
    return set->items != NULL;
}

static bool allocate(struct sim *sim)
{
    uint32_t threads = sim->options.threads;
    uint32_t procs = sim->options.procs;

    sim->threads = calloc(threads, sizeof(*sim->threads));
    sim->procs = calloc(procs, sizeof(*sim->procs));
    sim->goroutines = calloc(sim->go_capacity, sizeof(*sim->goroutines));
    return sim->threads && sim->procs && sim->goroutines && init_set(&sim->active, threads) &&
           init_queue(&sim->idle_threads, threads) && init_set(&sim->blocked, threads) &&
           init_set(&sim->idle_procs, procs) && init_queue(&sim->runnable, sim->go_capacity) &&
           init_set(&sim->waiting, sim->go_capacity) && init_set(&sim->unused, sim->go_capacity);
}

/* As many threads run goroutines as there are procs; most other goroutines wait. */
static void populate(struct sim *sim)
{
    for (uint32_t i = sim->go_capacity; i-- > sim->options.goroutines;)
        sim_set_add(&sim->unused, i);
    for (uint32_t i = 0; i < sim->options.goroutines; i++) {
        sim->goroutines[i].id = ++sim->last_go;
        sim->goroutines[i].next = sim_random(sim, 64);
        if (i < sim->options.procs)
            continue;
        sim->goroutines[i].waiting = i % 8 != 0;
        if (sim->goroutines[i].waiting)
            sim_set_add(&sim->waiting, i);
        else
            sim_queue_add(&sim->runnable, i);
    }
    for (uint32_t i = 0; i < sim->options.threads; i++) {
        struct sim_thread *thread = &sim->threads[i];

        thread->batch.thread = FIRST_THREAD_ID + i;
        thread->proc = i < sim->options.procs ? i : SIM_NONE;
        thread->go = thread->proc < sim->options.goroutines ? i : SIM_NONE;
        thread->tenure = sim_random(sim, sim->tenure);
        if (thread->proc == SIM_NONE)
            sim_queue_add(&sim->idle_threads, i);
        else
            sim_set_add(&sim->active, i);
    }
}

bool sim_init(struct sim *sim, const struct synth_options *options, FILE *file)
{
    uint64_t turns = options->bytes / EVENT_BYTES / 4 / options->threads;
    uint64_t stacks = options->bytes / options->generations / STACK_BYTES;

    memset(sim, 0, sizeof(*sim));
    sim->options = *options;
    sim->random = options->seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    sim->clock = FIRST_TICK * SIM_TICK;
    sim->heap = 4000000;
    sim->tenure = turns < 16 ? 16 : turns > 2000 ? 2000 : (uint32_t) turns;
    sim->stacks = stacks < 8 ? 8 : stacks > SYNTH_STACKS ? SYNTH_STACKS : (uint32_t) stacks;
    sim->go_capacity = options->goroutines + 2 * options->procs + 64;
    sim->nobody.thread = SYNTH_NONE;
    synth_out_begin(&sim->out, file, options->version);
    synth_table_begin(&sim->table);
    if (!allocate(sim))
        return false;
    populate(sim);
    return true;
}

void sim_free(struct sim *sim)
{
    for (uint32_t i = 0; sim->threads && i < sim->options.threads; i++)
        synth_batch_free(&sim->threads[i].batch);
    synth_batch_free(&sim->nobody);
    synth_table_free(&sim->table);
    free(sim->threads);
    free(sim->procs);
    free(sim->goroutines);
    free(sim->active.items);
    free(sim->idle_threads.items);
    free(sim->blocked.items);
    free(sim->idle_procs.items);
    free(sim->runnable.items);
    free(sim->waiting.items);
    free(sim->unused.items);
}
