/* SPDX-License-Identifier: BSD-3-Clause */
#include "synth.h"

#include <stdlib.h>
#include <string.h>

#include "support/wire.h"
#include "synth_sim.h"

#define FREQUENCY 15625000
#define TICK_NS   64
/* Where the trace's clock stood at the simulated machine's epoch. */
#define EPOCH_SECONDS UINT64_C(1700000000)

static void write_frequency(struct sim *sim)
{
    struct synth_batch batch = {0};
    uint64_t numbers[4] = {FREQUENCY, 0, 0, 0};
    uint64_t ns = sim_now(sim) * TICK_NS;

    batch.thread = SYNTH_NONE;
    if (sim->options.version < 25) {
        synth_batch_record(&sim->out, &batch, 0, EV_FREQUENCY, 1, numbers);
    } else {
        synth_batch_record(&sim->out, &batch, EV_SYNC, EV_FREQUENCY, 1, numbers);
        numbers[0] = 0;
        numbers[1] = ns;
        numbers[2] = EPOCH_SECONDS + ns / 1000000000;
        numbers[3] = ns % 1000000000;
        synth_batch_record(&sim->out, &batch, 0, EV_CLOCK_SNAPSHOT, 4, numbers);
    }
    synth_batch_flush(&sim->out, &batch);
    synth_batch_free(&batch);
}

/* Every thread that holds a proc or a goroutine says so before it does anything. */
static void tell_threads(struct sim *sim)
{
    struct sim_thread *running = NULL;
    uint64_t arguments[2];

    for (uint32_t i = 0; i < sim->options.threads; i++) {
        struct sim_thread *thread = &sim->threads[i];

        if (thread->proc != SIM_NONE)
            sim_tell_proc(sim, thread, thread->proc);
        if (thread->go != SIM_NONE)
            sim_tell_go(sim, thread, thread->go);
        if (thread->proc != SIM_NONE && thread->go != SIM_NONE)
            running = thread;
    }
    if (!running)
        return;
    if (sim->collecting) {
        arguments[0] = ++sim->collection_sequence;
        sim_emit(sim, running, EV_GC_ACTIVE, 1, arguments);
    }
    arguments[0] = sim->options.procs;
    arguments[1] = sim_stack(sim);
    sim_emit(sim, running, EV_PROCS_CHANGE, 2, arguments);
}

void sim_generation_begin(struct sim *sim)
{
    unsigned i;

    sim->out.generation++;
    sim->clock += SIM_TICK;
    sim->out.now = sim_now(sim);
    if (sim->options.version >= 25)
        write_frequency(sim);
    for (i = 0; i < SYNTH_FIXED_STRINGS; i++)
        sim_string(sim, i);
    tell_threads(sim);
}

/* What no thread touched gets its status at the end, from none. */
static void tell_rest(struct sim *sim)
{
    uint64_t arguments[4];

    for (uint32_t i = 0; i < sim->options.procs; i++) {
        if (sim->procs[i].told == sim->out.generation)
            continue;
        sim->procs[i].told = sim->out.generation;
        arguments[0] = i;
        arguments[1] = PROC_IDLE;
        synth_batch_event(&sim->out, &sim->nobody, sim_now(sim), EV_PROC_STATUS, 2, arguments);
        sim->events++;
    }
    for (uint32_t i = 0; i < sim->go_capacity; i++) {
        struct sim_go *g = &sim->goroutines[i];

        if (g->id == 0 || g->told == sim->out.generation)
            continue;
        g->told = sim->out.generation;
        arguments[0] = g->id;
        arguments[1] = SYNTH_NONE;
        arguments[2] = g->waiting ? GO_WAITING : GO_RUNNABLE;
        arguments[3] = sim_stack(sim);
        synth_batch_event(&sim->out, &sim->nobody, sim_now(sim),
                          sim->options.version == 22 ? EV_GO_STATUS : EV_GO_STATUS_STACK,
                          sim->options.version == 22 ? 3 : 4, arguments);
        sim->events++;
    }
}

static void write_samples(struct sim *sim)
{
    struct synth_batch batch = {0};
    unsigned i;

    batch.thread = SYNTH_NONE;
    for (i = 0; i < sim->sample_count; i++) {
        const struct sim_sample *s = &sim->samples[i];
        uint64_t numbers[5] = {s->time, s->thread, s->proc, s->go, s->stack};

        synth_batch_record(&sim->out, &batch, EV_CPU_SAMPLES, EV_CPU_SAMPLE, 5, numbers);
    }
    synth_batch_flush(&sim->out, &batch);
    synth_batch_free(&batch);
    sim->sample_count = 0;
}

void sim_generation_end(struct sim *sim)
{
    sim->clock += SIM_TICK;
    sim->out.now = sim_now(sim);
    tell_rest(sim);
    for (uint32_t i = 0; i < sim->options.threads; i++)
        synth_batch_flush(&sim->out, &sim->threads[i].batch);
    synth_batch_flush(&sim->out, &sim->nobody);
    if (sim->options.version < 25)
        write_frequency(sim);
    write_samples(sim);
    synth_table_end(&sim->table, &sim->out);
    if (sim->options.version >= 26)
        synth_out_byte(&sim->out, EV_END_OF_GENERATION);
}

static bool valid(const struct synth_options *options)
{
    unsigned version = options->version;

    return (version == 22 || version == 23 || version == 25 || version == 26) &&
           options->threads > 0 && options->procs > 0 && options->procs <= options->threads &&
           options->goroutines > 0 && options->goroutines < UINT32_C(1) << 30 &&
           options->threads < UINT32_C(1) << 24 && options->generations > 0;
}

bool synth_write(const struct synth_options *options, FILE *file, struct synth_result *result)
{
    struct sim *sim = valid(options) ? malloc(sizeof(*sim)) : NULL;
    bool good = false;

    if (!sim)
        return false;
    if (sim_init(sim, options, file)) {
        for (uint32_t i = 1; i <= options->generations && !sim->out.failed; i++) {
            sim_generation_begin(sim);
            while (sim->out.bytes + sim->out.held < options->bytes / options->generations * i &&
                   !sim->out.failed)
                sim_step(sim);
            sim_generation_end(sim);
        }
        good = !sim->out.failed && fflush(file) == 0;
    }
    result->bytes = sim->out.bytes;
    result->events = sim->events;
    sim_free(sim);
    free(sim);
    return good;
}
