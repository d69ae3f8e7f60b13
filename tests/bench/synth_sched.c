/* SPDX-License-Identifier: BSD-3-Clause */

/* Threads, procs and goroutines come together and part. */

#include "support/wire.h"
#include "synth_sim.h"

/* One system call in so many lasts so long that its proc is taken away. */
#define LONG_SYSCALL 1000
/* The average number of ticks between two events of one thread. */
#define MEAN_TICKS 8
/* One of so many of these gaps is far longer. */
#define PAUSE 500

void sim_tell_proc(struct sim *sim, struct sim_thread *thread, uint32_t proc)
{
    struct sim_proc *p = &sim->procs[proc];
    uint64_t arguments[2] = {proc, PROC_IDLE};

    if (p->told == sim->out.generation)
        return;
    p->told = sim->out.generation;
    p->sequence = 0;
    if (thread->proc == proc)
        arguments[1] = thread->syscall ? PROC_SYSCALL : PROC_RUNNING;
    sim_emit(sim, thread, EV_PROC_STATUS, 2, arguments);
}

void sim_tell_go(struct sim *sim, struct sim_thread *thread, uint32_t go)
{
    struct sim_go *g = &sim->goroutines[go];
    uint64_t arguments[3] = {g->id, SYNTH_NONE, g->waiting ? GO_WAITING : GO_RUNNABLE};

    if (g->told == sim->out.generation)
        return;
    g->told = sim->out.generation;
    g->sequence = 0;
    if (thread->go == go) {
        arguments[1] = thread->batch.thread;
        arguments[2] = thread->syscall ? GO_SYSCALL : GO_RUNNING;
    }
    sim_emit(sim, thread, EV_GO_STATUS, 3, arguments);
}

void sim_unblock(struct sim *sim, struct sim_thread *thread, uint64_t stack)
{
    struct sim_set *waiting = &sim->waiting;
    /* What waited last goes on first, mostly: the hot part of a program. */
    uint32_t hot = waiting->count < 64 ? waiting->count : 64;
    uint32_t index = sim_random(sim, 5) == 0 ? sim_random(sim, waiting->count)
                                             : waiting->count - 1 - sim_random(sim, hot);
    uint32_t go = sim_set_take(waiting, index);
    struct sim_go *g = &sim->goroutines[go];
    uint64_t arguments[3];

    sim_tell_go(sim, thread, go);
    g->waiting = false;
    arguments[0] = g->id;
    arguments[1] = ++g->sequence;
    arguments[2] = stack;
    sim_emit(sim, thread, EV_GO_UNBLOCK, 3, arguments);
    sim_queue_add(&sim->runnable, go);
}

/* An idle thread takes an idle proc. */
static void wake(struct sim *sim)
{
    uint32_t index = sim_queue_take(&sim->idle_threads);
    struct sim_thread *thread = &sim->threads[index];
    uint32_t proc = sim_set_take(&sim->idle_procs, sim->idle_procs.count - 1);
    uint64_t arguments[2] = {proc, 0};

    sim_tell_proc(sim, thread, proc);
    arguments[1] = ++sim->procs[proc].sequence;
    sim_emit(sim, thread, EV_PROC_START, 2, arguments);
    thread->proc = proc;
    thread->tenure = sim->tenure;
    sim_set_add(&sim->active, index);
}

/* The thread, at `place` among the active ones, gives up its proc. */
static void stop(struct sim *sim, uint32_t place)
{
    uint32_t index = sim_set_take(&sim->active, place);
    struct sim_thread *thread = &sim->threads[index];

    sim_emit(sim, thread, EV_PROC_STOP, 0, NULL);
    sim_set_add(&sim->idle_procs, thread->proc);
    thread->proc = SIM_NONE;
    sim_queue_add(&sim->idle_threads, index);
}

/* An idle thread takes the proc of one that is long in a system call. */
static void steal(struct sim *sim, uint32_t place)
{
    uint32_t index = sim_set_take(&sim->active, place);
    struct sim_thread *victim = &sim->threads[index];
    struct sim_thread *thief = &sim->threads[sim->idle_threads.items[sim->idle_threads.head]];
    uint64_t arguments[3] = {victim->proc, ++sim->procs[victim->proc].sequence,
                             victim->batch.thread};

    sim_emit(sim, thief, EV_PROC_STEAL, 3, arguments);
    sim_set_add(&sim->idle_procs, victim->proc);
    victim->proc = SIM_NONE;
    sim_set_add(&sim->blocked, index);
    wake(sim);
}

static void end_syscall(struct sim *sim, struct sim_thread *thread, uint32_t place)
{
    if (sim->idle_threads.count > 0 && sim_random(sim, LONG_SYSCALL) == 0) {
        steal(sim, place);
        return;
    }
    sim_emit(sim, thread, EV_GO_SYSCALL_END, 0, NULL);
    thread->syscall = false;
}

/* A system call ends whose proc was taken away. */
static void end_blocked(struct sim *sim)
{
    uint32_t index = sim_set_take(&sim->blocked, sim_random(sim, sim->blocked.count));
    struct sim_thread *thread = &sim->threads[index];

    sim_emit(sim, thread, EV_GO_SYSCALL_END_BLOCKED, 0, NULL);
    sim_queue_add(&sim->runnable, thread->go);
    thread->syscall = false;
    thread->go = SIM_NONE;
    sim_queue_add(&sim->idle_threads, index);
}

/* A thread with a proc looks for a goroutine to run. */
static void schedule(struct sim *sim, struct sim_thread *thread, uint32_t place)
{
    uint64_t arguments[2];
    struct sim_go *g;
    uint32_t go;

    if (thread->tenure == 0 && sim->idle_threads.count > 0) {
        stop(sim, place);
        wake(sim);
        return;
    }
    if (sim->runnable.count == 0) {
        if (sim->waiting.count > 0)
            sim_unblock(sim, thread, 0);
        else
            stop(sim, place);
        return;
    }
    go = sim_queue_take(&sim->runnable);
    g = &sim->goroutines[go];
    sim_tell_go(sim, thread, go);
    arguments[0] = g->id;
    arguments[1] = ++g->sequence;
    sim_emit(sim, thread, EV_GO_START, 2, arguments);
    thread->go = go;
}

static void tick(struct sim *sim)
{
    uint64_t ticks = 1 + sim_random(sim, 2 * MEAN_TICKS - 1);

    if (sim_random(sim, PAUSE) == 0)
        ticks += (uint64_t) sim_random(sim, 64) * sim_random(sim, 64);
    sim->clock += ticks * SIM_TICK / (sim->active.count ? sim->active.count : 1);
}

void sim_step(struct sim *sim)
{
    struct sim_thread *thread;
    uint32_t place;

    tick(sim);
    if (sim->blocked.count > 0 && (sim->active.count == 0 || sim_random(sim, 64) == 0))
        end_blocked(sim);
    if (sim->idle_procs.count > 0 && sim->idle_threads.count > 0 &&
        (sim->runnable.count > 0 || sim->active.count == 0))
        wake(sim);
    if (sim->active.count == 0)
        return;
    place = sim_random(sim, sim->active.count);
    thread = &sim->threads[sim->active.items[place]];
    if (thread->syscall)
        end_syscall(sim, thread, place);
    else if (thread->go == SIM_NONE)
        schedule(sim, thread, place);
    else
        sim_act(sim, thread);
}
