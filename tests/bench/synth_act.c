/* SPDX-License-Identifier: BSD-3-Clause */

/* What goroutines do while they run, in about the shares of an HTTP server. */

#include "support/wire.h"
#include "synth_sim.h"

/* Events between a collection's begin and end, and the next begin. */
#define COLLECTION_EVENTS 15000
/* One action in so many is preceded by something else. */
#define INTERRUPT 60
/* Events between two samples of the CPU profiler. */
#define SAMPLE_EVENTS 40000

static void change_running(struct sim *sim, struct sim_thread *thread, uint8_t type,
                           unsigned reason)
{
    uint64_t arguments[2];

    arguments[0] = sim_string(sim, reason);
    arguments[1] = sim_stack(sim);
    sim_emit(sim, thread, type, 2, arguments);
}

static void yield(struct sim *sim, struct sim_thread *thread)
{
    change_running(sim, thread, EV_GO_STOP,
                   sim_random(sim, 20) == 0 ? SYNTH_PREEMPTED : SYNTH_GOSCHED);
    sim_queue_add(&sim->runnable, thread->go);
    thread->go = SIM_NONE;
}

static void block(struct sim *sim, struct sim_thread *thread)
{
    change_running(sim, thread, EV_GO_BLOCK,
                   SYNTH_CHAN_RECEIVE + sim_random(sim, SYNTH_SLEEP - SYNTH_CHAN_RECEIVE + 1));
    sim->goroutines[thread->go].waiting = true;
    sim_set_add(&sim->waiting, thread->go);
    thread->go = SIM_NONE;
}

static void wake_other(struct sim *sim, struct sim_thread *thread)
{
    if (sim->waiting.count > 0 && sim->runnable.count < 2 * sim->options.procs + 8)
        sim_unblock(sim, thread, sim_stack(sim));
    else
        block(sim, thread);
}

static void enter_syscall(struct sim *sim, struct sim_thread *thread)
{
    uint64_t arguments[2];

    arguments[0] = ++sim->procs[thread->proc].sequence;
    arguments[1] = sim_stack(sim);
    sim_emit(sim, thread, EV_GO_SYSCALL_BEGIN, 2, arguments);
    thread->syscall = true;
}

static void create(struct sim *sim, struct sim_thread *thread)
{
    uint64_t arguments[3];
    struct sim_go *g;
    uint32_t go;

    if (sim->unused.count == 0) {
        yield(sim, thread);
        return;
    }
    go = sim_set_take(&sim->unused, sim->unused.count - 1);
    g = &sim->goroutines[go];
    *g = (struct sim_go){.id = ++sim->last_go, .told = sim->out.generation, .brief = true};
    arguments[0] = g->id;
    arguments[2] = sim_stack(sim);
    sim->stack = sim->stack / 2;
    arguments[1] = sim_stack(sim);
    sim_emit(sim, thread, EV_GO_CREATE, 3, arguments);
    sim_queue_add(&sim->runnable, go);
}

static void destroy(struct sim *sim, struct sim_thread *thread)
{
    sim_emit(sim, thread, EV_GO_DESTROY, 0, NULL);
    sim->goroutines[thread->go].id = 0;
    sim_set_add(&sim->unused, thread->go);
    thread->go = SIM_NONE;
}

static void region(struct sim *sim, struct sim_thread *thread, uint8_t type,
                   const struct sim_region *r)
{
    uint64_t arguments[3];

    arguments[0] = r->task;
    arguments[1] = sim_string(sim, r->name);
    arguments[2] = sim_stack(sim);
    sim_emit(sim, thread, type, 3, arguments);
}

static void enter_region(struct sim *sim, struct sim_thread *thread)
{
    struct sim_go *g = &sim->goroutines[thread->go];
    struct sim_region *r = &g->regions[g->depth];

    if (g->depth == SIM_REGIONS)
        return;
    r->task = g->task;
    r->name = SYNTH_REGION + g->depth++;
    region(sim, thread, EV_USER_REGION_BEGIN, r);
}

static void leave_region(struct sim *sim, struct sim_thread *thread)
{
    struct sim_go *g = &sim->goroutines[thread->go];

    if (g->depth > 0)
        region(sim, thread, EV_USER_REGION_END, &g->regions[--g->depth]);
}

static void task(struct sim *sim, struct sim_thread *thread)
{
    struct sim_go *g = &sim->goroutines[thread->go];
    uint64_t arguments[4];

    if (g->task == 0) {
        g->task = ++sim->last_task;
        arguments[0] = g->task;
        arguments[1] = 0;
        arguments[2] = sim_string(sim, SYNTH_TASK);
        arguments[3] = sim_stack(sim);
        sim_emit(sim, thread, EV_USER_TASK_BEGIN, 4, arguments);
        return;
    }
    arguments[0] = g->task;
    arguments[1] = sim_stack(sim);
    sim_emit(sim, thread, EV_USER_TASK_END, 2, arguments);
    g->task = 0;
}

static void log_message(struct sim *sim, struct sim_thread *thread)
{
    uint64_t arguments[4];

    arguments[0] = sim->goroutines[thread->go].task;
    arguments[1] = sim_string(sim, SYNTH_LOG_KEY);
    arguments[2] = synth_table_message(&sim->table, &sim->out, ++sim->last_message);
    arguments[3] = sim_stack(sim);
    sim_emit(sim, thread, EV_USER_LOG, 4, arguments);
}

static void allocate(struct sim *sim, struct sim_thread *thread)
{
    sim->heap += 8192;
    sim_emit(sim, thread, EV_HEAP_ALLOC, 1, &sim->heap);
}

static void sweep(struct sim *sim, struct sim_thread *thread)
{
    uint64_t arguments[2];

    arguments[0] = sim_stack(sim);
    sim_emit(sim, thread, EV_GC_SWEEP_BEGIN, 1, arguments);
    arguments[0] = 8192 * (1 + (uint64_t) sim_random(sim, 8));
    arguments[1] = sim_random(sim, (uint32_t) arguments[0]);
    sim_emit(sim, thread, EV_GC_SWEEP_END, 2, arguments);
}

static void assist(struct sim *sim, struct sim_thread *thread)
{
    uint64_t stack = sim_stack(sim);

    sim_emit(sim, thread, EV_GC_MARK_ASSIST_BEGIN, 1, &stack);
    sim_emit(sim, thread, EV_GC_MARK_ASSIST_END, 0, NULL);
}

/* A collection begins or ends, each with the world stopped. */
static void collect(struct sim *sim, struct sim_thread *thread)
{
    uint64_t arguments[2];

    sim->collection_since = sim->events;
    arguments[0] = sim_string(sim, sim->collecting ? SYNTH_STW_END : SYNTH_STW_START);
    arguments[1] = sim_stack(sim);
    sim_emit(sim, thread, EV_STW_BEGIN, 2, arguments);
    arguments[0] = ++sim->collection_sequence;
    if (sim->collecting) {
        sim_emit(sim, thread, EV_GC_END, 1, arguments);
        sim->heap /= 2;
        arguments[0] = sim->heap * 2;
        sim_emit(sim, thread, EV_HEAP_GOAL, 1, arguments);
    } else {
        sim_emit(sim, thread, EV_GC_BEGIN, 2, arguments);
    }
    sim->collecting = !sim->collecting;
    arguments[0] = sim->options.procs;
    sim_emit(sim, thread, EV_PROCS_CHANGE, 2, arguments);
    sim_emit(sim, thread, EV_STW_END, 0, NULL);
    if (sim->collecting) {
        arguments[0] = sim_string(sim, SYNTH_GC_LABEL);
        sim_emit(sim, thread, EV_GO_LABEL, 1, arguments);
    }
}

static void sample(struct sim *sim, const struct sim_thread *thread)
{
    struct sim_sample *s = &sim->samples[sim->sample_count++];

    sim->sampled = sim->events;
    s->time = sim_now(sim);
    s->thread = thread->batch.thread;
    s->proc = thread->proc;
    s->go = sim->goroutines[thread->go].id;
    s->stack = sim_stack(sim);
}

/* What a letter of a program stands for. */
static void act(struct sim *sim, struct sim_thread *thread, char letter)
{
    switch (letter) {
    case 'a':
        allocate(sim, thread);
        break;
    case 'b':
        block(sim, thread);
        break;
    case 'c':
        create(sim, thread);
        break;
    case 'd':
        destroy(sim, thread);
        break;
    case 'l':
        log_message(sim, thread);
        break;
    case 'r':
        enter_region(sim, thread);
        break;
    case 'R':
        leave_region(sim, thread);
        break;
    case 's':
        enter_syscall(sim, thread);
        break;
    case 't':
        task(sim, thread);
        break;
    case 'u':
        wake_other(sim, thread);
        break;
    default:
        yield(sim, thread);
    }
}

/* A goroutine that serves requests, one that makes them, and one that sweeps. */
static const char server[] = "satlrRrccccbuRtsubsu";
static const char client[] = "subsubusbub";
static const char sweeper[] = "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyb";
/* One that a server creates, which ends soon. */
static const char brief[] = "ruRd";

/* Something that no program foresees. */
static void interrupt(struct sim *sim, struct sim_thread *thread)
{
    switch (sim_random(sim, sim->collecting ? 8 : 3)) {
    case 0:
        sweep(sim, thread);
        break;
    case 1:
    case 2:
        allocate(sim, thread);
        break;
    default:
        assist(sim, thread);
    }
}

static char next_letter(struct sim_go *g)
{
    const char *program = client;
    size_t length = sizeof(client) - 1;

    if (g->brief) {
        program = brief;
        length = sizeof(brief) - 1;
    } else if (g->id % 16 == 0) {
        program = sweeper;
        length = sizeof(sweeper) - 1;
    } else if (g->id % 2 == 0) {
        program = server;
        length = sizeof(server) - 1;
    }
    return program[g->next++ % length];
}

void sim_act(struct sim *sim, struct sim_thread *thread)
{
    struct sim_go *g = &sim->goroutines[thread->go];
    /* The same place in a program has the same stack; servers differ a little. */
    uint32_t place = g->next % 32 * 8 + (uint32_t) (g->id % 8);

    sim->stack = (g->brief ? g->next : 4 + place * 5) % sim->stacks;
    if (sim->events - sim->collection_since > COLLECTION_EVENTS)
        collect(sim, thread);
    if (sim->events - sim->sampled > SAMPLE_EVENTS && sim->sample_count < SIM_SAMPLES)
        sample(sim, thread);
    if (sim_random(sim, INTERRUPT) == 0)
        interrupt(sim, thread);
    act(sim, thread, next_letter(g));
}
