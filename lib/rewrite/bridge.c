/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/bridge.h"

#include "rewrite/batch.h"
#include "v2/spec.h"

enum {
    /* The most procs that are tried to find one that is idle. */
    TRIES = 64
};

static void bridge_fail(struct gt_rewrite_bridge *bridge, gt_status status)
{
    if (bridge->status == GT_OK)
        bridge->status = status;
}

/* Notes that no event can be made up: one that stops a proc or a goroutine needs its thread. */
static void bridge_give_up(struct gt_rewrite_bridge *bridge)
{
    bridge->is_impossible = true;
}

static bool bridge_has_ended(const struct gt_rewrite_bridge *bridge)
{
    return bridge->status != GT_OK || bridge->is_impossible;
}

static void bridge_put(struct gt_rewrite_bridge *bridge, struct gt_rewrite_thread *thread,
                       uint32_t type, const uint64_t *arguments, size_t count)
{
    struct gt_writer *writer = bridge->writer;
    if (bridge_has_ended(bridge) || !writer->is_writing)
        return;
    if (bridge->e->time == INT64_MAX) {
        bridge->status = gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE,
                                         "there are no times left after that of the last event");
        return;
    }
    bridge->status = gt_rewrite_put_list(writer, thread, bridge->e->time, type, arguments, count);
    writer->last_time = bridge->e->time++;
    writer->info.made_up++;
}

#define BRIDGE_PUT(bridge, thread, type, ...)                                                      \
    bridge_put((bridge), (thread), (type), (const uint64_t[]){__VA_ARGS__},                        \
               sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* Counts an event of a goroutine or proc that has to come behind those before it. */
static uint64_t sequence_next(uint64_t *sequence)
{
    return ++*sequence;
}

static struct gt_rewrite_thread *bridge_thread(struct gt_rewrite_bridge *bridge, int64_t id)
{
    struct gt_rewrite_thread *thread = gt_rewrite_thread_get(&bridge->writer->state, id);
    if (!thread)
        bridge_fail(bridge, gt_rewrite_no_memory(bridge->writer));
    return thread;
}

/* Returns the thread itself, or that of events without a thread if it is NULL. */
static struct gt_rewrite_thread *bridge_recorder(struct gt_rewrite_bridge *bridge,
                                                 struct gt_rewrite_thread *thread)
{
    return thread ? thread : bridge_thread(bridge, GT_NO_THREAD);
}

static bool proc_runs_on(const struct gt_rewrite_thread *thread)
{
    return thread->proc && thread->proc->status == GT_V2_PROC_RUNNING;
}

void gt_rewrite_bridge_name_proc(struct gt_rewrite_bridge *bridge, struct gt_rewrite_proc *proc)
{
    uint64_t ordinal = bridge->writer->generation.ordinal;
    struct gt_rewrite_thread *thread = bridge_recorder(bridge, proc->thread);
    if (proc->named == ordinal || proc->status == GT_V2_PROC_BAD || !thread)
        return;
    proc->named = ordinal;
    proc->sequence = 0;
    BRIDGE_PUT(bridge, thread, GT_WIRE_PROC_STATUS, (uint64_t) proc->id, proc->status);
}

void gt_rewrite_bridge_name(struct gt_rewrite_bridge *bridge,
                            struct gt_rewrite_goroutine *goroutine)
{
    uint64_t ordinal = bridge->writer->generation.ordinal;
    struct gt_rewrite_thread *thread = bridge_recorder(bridge, goroutine->thread);
    if (goroutine->named == ordinal || goroutine->status == GT_V2_GO_BAD || !thread)
        return;
    goroutine->named = ordinal;
    goroutine->sequence = 0;
    BRIDGE_PUT(bridge, thread, GT_WIRE_GO_STATUS, (uint64_t) goroutine->id,
               (uint64_t) thread->written_id, goroutine->status);
}

/* Takes a proc that was abandoned in a system call from whichever thread had it. */
static void proc_steal(struct gt_rewrite_bridge *bridge, struct gt_rewrite_proc *proc)
{
    struct gt_rewrite_thread *thief = bridge_thread(bridge, GT_REWRITE_MADE_UP);
    gt_rewrite_bridge_name_proc(bridge, proc);
    if (thief)
        BRIDGE_PUT(bridge, thief, GT_WIRE_PROC_STEAL, (uint64_t) proc->id,
                   sequence_next(&proc->sequence), (uint64_t) GT_NO_THREAD);
}

/* Lets a proc become idle on which no goroutine runs. */
static void proc_idle(struct gt_rewrite_bridge *bridge, struct gt_rewrite_proc *proc)
{
    struct gt_rewrite_thread *thread = proc->thread;
    if (proc->status == GT_V2_PROC_IDLE || bridge_has_ended(bridge))
        return;
    if (proc->status == GT_V2_PROC_SYSCALL_ABANDONED)
        proc_steal(bridge, proc);
    else if (proc->status != GT_V2_PROC_BAD && thread)
        bridge_put(bridge, thread, GT_WIRE_PROC_STOP, NULL, 0);
    else if (proc->status != GT_V2_PROC_BAD)
        bridge_give_up(bridge);
    if (bridge_has_ended(bridge))
        return;
    proc->status = GT_V2_PROC_IDLE;
    gt_rewrite_free_proc(proc);
}

/* Starts a proc that is idle on a thread that has none. */
static void proc_start(struct gt_rewrite_bridge *bridge, struct gt_rewrite_proc *proc,
                       struct gt_rewrite_thread *thread)
{
    gt_rewrite_bridge_name_proc(bridge, proc);
    if (bridge_has_ended(bridge))
        return;
    proc->status = GT_V2_PROC_RUNNING;
    gt_rewrite_bind_proc(thread, proc);
    BRIDGE_PUT(bridge, thread, GT_WIRE_PROC_START, (uint64_t) proc->id,
               sequence_next(&proc->sequence));
}

/* Lets a goroutine become runnable that exists. */
static void go_release(struct gt_rewrite_bridge *bridge, struct gt_rewrite_goroutine *goroutine)
{
    struct gt_rewrite_thread *thread = goroutine->thread;
    struct gt_rewrite_thread *none = bridge_thread(bridge, GT_NO_THREAD);
    bool has_thread =
        goroutine->status == GT_V2_GO_RUNNING || goroutine->status == GT_V2_GO_SYSCALL;
    if (has_thread && !thread) {
        bridge_give_up(bridge);
        return;
    }
    if (bridge_has_ended(bridge))
        return;
    if (goroutine->status == GT_V2_GO_RUNNING) {
        gt_rewrite_bridge_equip(bridge, thread);
        BRIDGE_PUT(bridge, thread, GT_WIRE_GO_STOP, 0, 0);
    } else if (goroutine->status == GT_V2_GO_SYSCALL) {
        if (thread->proc && thread->proc->status == GT_V2_PROC_SYSCALL)
            proc_idle(bridge, thread->proc);
        bridge_put(bridge, thread, GT_WIRE_GO_SYSCALL_END_BLOCKED, NULL, 0);
    } else if (goroutine->status == GT_V2_GO_WAITING) {
        gt_rewrite_bridge_name(bridge, goroutine);
        BRIDGE_PUT(bridge, none, GT_WIRE_GO_UNBLOCK, (uint64_t) goroutine->id,
                   sequence_next(&goroutine->sequence), 0);
    }
    goroutine->status = GT_V2_GO_RUNNABLE;
    gt_rewrite_free_goroutine(goroutine);
}

void gt_rewrite_bridge_empty(struct gt_rewrite_bridge *bridge, struct gt_rewrite_thread *thread)
{
    if (thread->goroutine)
        go_release(bridge, thread->goroutine);
}

void gt_rewrite_bridge_idle(struct gt_rewrite_bridge *bridge, struct gt_rewrite_proc *proc)
{
    struct gt_rewrite_thread *thread = proc->thread;
    bool is_running = proc->status == GT_V2_PROC_RUNNING;
    if (proc->status == GT_V2_PROC_IDLE || bridge_has_ended(bridge))
        return;
    if (is_running && thread && thread->goroutine && thread->goroutine->status == GT_V2_GO_RUNNING)
        go_release(bridge, thread->goroutine);
    proc_idle(bridge, proc);
}

void gt_rewrite_bridge_proc(struct gt_rewrite_bridge *bridge, struct gt_rewrite_proc *proc,
                            struct gt_rewrite_thread *thread)
{
    if (proc->status == GT_V2_PROC_RUNNING && proc->thread == thread)
        return;
    if (thread->proc)
        gt_rewrite_bridge_idle(bridge, thread->proc);
    gt_rewrite_bridge_idle(bridge, proc);
    proc_start(bridge, proc, thread);
}

/* Returns a proc that is idle: that of the event, another one, or one that is made up. */
static struct gt_rewrite_proc *proc_find_idle(struct gt_rewrite_bridge *bridge)
{
    struct gt_rewrite_state *state = &bridge->writer->state;
    struct gt_rewrite_proc *proc =
        gt_idmap_get(&state->proc_map, (uint64_t) bridge->e->event->proc);
    if (proc && proc->status == GT_V2_PROC_IDLE)
        return proc;
    for (size_t i = 0; i < state->procs.count && i < TRIES; i++) {
        if (state->procs.items[i]->status == GT_V2_PROC_IDLE)
            return state->procs.items[i];
    }
    if (state->spare_proc < (int64_t) state->procs.count)
        state->spare_proc = (int64_t) state->procs.count;
    while (gt_idmap_get(&state->proc_map, (uint64_t) state->spare_proc))
        state->spare_proc++;
    return gt_rewrite_proc_get(state, state->spare_proc);
}

void gt_rewrite_bridge_equip(struct gt_rewrite_bridge *bridge, struct gt_rewrite_thread *thread)
{
    if (proc_runs_on(thread) || bridge_has_ended(bridge))
        return;
    struct gt_rewrite_proc *proc = proc_find_idle(bridge);
    if (!proc) {
        bridge_fail(bridge, gt_rewrite_no_memory(bridge->writer));
        return;
    }
    if (thread->proc)
        proc_idle(bridge, thread->proc);
    proc_idle(bridge, proc); /* one that is made up does not exist yet */
    proc_start(bridge, proc, thread);
}

/*
 * Returns a thread with a proc for what is made up: that of the event if it can have that, which it
 * can with a goroutine of its own only if one is created.
 */
static struct gt_rewrite_thread *helper_begin(struct gt_rewrite_bridge *bridge, bool creates)
{
    struct gt_rewrite_thread *thread = bridge->e->thread;
    bool has_room =
        !thread->goroutine || (creates && thread->goroutine->status == GT_V2_GO_RUNNING);
    if (thread->id != GT_NO_THREAD && has_room && proc_runs_on(thread))
        return thread;
    thread = bridge_thread(bridge, GT_REWRITE_MADE_UP);
    if (thread)
        gt_rewrite_bridge_equip(bridge, thread);
    return thread;
}

static void helper_end(struct gt_rewrite_bridge *bridge, struct gt_rewrite_thread *thread)
{
    if (thread->id == GT_REWRITE_MADE_UP && thread->proc)
        gt_rewrite_bridge_idle(bridge, thread->proc);
}

/* Lets a goroutine exist that is not known, which is then runnable. */
static void go_create(struct gt_rewrite_bridge *bridge, struct gt_rewrite_goroutine *goroutine)
{
    if (gt_rewrite_is_first(bridge->writer)) { /* in which everything existed before */
        goroutine->status = GT_V2_GO_RUNNABLE;
        gt_rewrite_bridge_name(bridge, goroutine);
        return;
    }
    struct gt_rewrite_thread *helper = helper_begin(bridge, true);
    if (bridge_has_ended(bridge))
        return;
    BRIDGE_PUT(bridge, helper, GT_WIRE_GO_CREATE, (uint64_t) goroutine->id, 0, 0);
    goroutine->status = GT_V2_GO_RUNNABLE;
    goroutine->sequence = 0;
    goroutine->named = bridge->writer->generation.ordinal;
    helper_end(bridge, helper);
}

/* Lets a goroutine that is runnable run on a thread. */
static void go_run(struct gt_rewrite_bridge *bridge, struct gt_rewrite_goroutine *goroutine,
                   struct gt_rewrite_thread *thread)
{
    gt_rewrite_bridge_empty(bridge, thread);
    gt_rewrite_bridge_equip(bridge, thread);
    gt_rewrite_bridge_name(bridge, goroutine);
    if (bridge_has_ended(bridge))
        return;
    goroutine->status = GT_V2_GO_RUNNING;
    gt_rewrite_bind_goroutine(thread, goroutine);
    BRIDGE_PUT(bridge, thread, GT_WIRE_GO_START, (uint64_t) goroutine->id,
               sequence_next(&goroutine->sequence));
}

/* Lets a goroutine that runs wait. */
static void go_block(struct gt_rewrite_bridge *bridge, struct gt_rewrite_goroutine *goroutine)
{
    struct gt_rewrite_thread *thread = goroutine->thread;
    if (!thread) {
        bridge_give_up(bridge);
        return;
    }
    if (bridge_has_ended(bridge))
        return;
    gt_rewrite_bridge_equip(bridge, thread);
    BRIDGE_PUT(bridge, thread, GT_WIRE_GO_BLOCK, 0, 0);
    goroutine->status = GT_V2_GO_WAITING;
    gt_rewrite_free_goroutine(goroutine);
}

/* Lets a goroutine that is runnable enter a system call on a thread. */
static void go_enter(struct gt_rewrite_bridge *bridge, struct gt_rewrite_goroutine *goroutine,
                     struct gt_rewrite_thread *thread)
{
    bool keeps_proc = proc_runs_on(thread);
    go_run(bridge, goroutine, thread);
    struct gt_rewrite_proc *proc = thread->proc;
    if (bridge_has_ended(bridge) || !proc)
        return;
    gt_rewrite_bridge_name_proc(bridge, proc);
    BRIDGE_PUT(bridge, thread, GT_WIRE_GO_SYSCALL_BEGIN, sequence_next(&proc->sequence), 0);
    goroutine->status = GT_V2_GO_SYSCALL;
    proc->status = GT_V2_PROC_SYSCALL;
    if (!keeps_proc)
        gt_rewrite_bridge_idle(bridge, proc);
}

static void go_wait(struct gt_rewrite_bridge *bridge, struct gt_rewrite_goroutine *goroutine)
{
    struct gt_rewrite_thread *helper = helper_begin(bridge, false);
    if (bridge_has_ended(bridge))
        return;
    go_run(bridge, goroutine, helper);
    go_block(bridge, goroutine);
    helper_end(bridge, helper);
}

/* Returns whether a goroutine has come to a status, on this thread if that needs one. */
static bool go_is(const struct gt_rewrite_goroutine *goroutine, uint32_t status,
                  const struct gt_rewrite_thread *thread)
{
    bool has_thread = status == GT_V2_GO_RUNNING || status == GT_V2_GO_SYSCALL;
    return goroutine->status == status && (!has_thread || goroutine->thread == thread);
}

void gt_rewrite_bridge_goroutine(struct gt_rewrite_bridge *bridge,
                                 struct gt_rewrite_goroutine *goroutine, uint32_t status,
                                 struct gt_rewrite_thread *thread)
{
    if (go_is(goroutine, status, thread) || bridge_has_ended(bridge))
        return;
    if (status == GT_V2_GO_WAITING && goroutine->status == GT_V2_GO_RUNNING) {
        go_block(bridge, goroutine);
        return;
    }
    if (goroutine->status == GT_V2_GO_BAD)
        go_create(bridge, goroutine);
    else
        go_release(bridge, goroutine);
    if (status == GT_V2_GO_RUNNING)
        go_run(bridge, goroutine, thread);
    else if (status == GT_V2_GO_SYSCALL)
        go_enter(bridge, goroutine, thread);
    else if (status == GT_V2_GO_WAITING)
        go_wait(bridge, goroutine);
}
