/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/batch.h"
#include "rewrite/rename.h"
#include "rewrite/table.h"
#include "rewrite/transition.h"
#include "rewrite/v1context.h"
#include "v2/spec.h"

/* Transitions of goroutines. */

enum {
    /* The nanoseconds that all records of go_put_wait take. */
    WAIT_TIME = 4
};

/* A transition of a goroutine that is being written. */
struct go_change {
    const struct gt_rewrite_event *e;
    struct gt_rewrite_goroutine *goroutine;
    gt_string reason;
    gt_stack own_stack; /* the stack of a goroutine that is created */
    uint64_t stack;     /* the id of the event's stack */
};

/*
 * Returns the thread that has the proc of an event's context, else the thread that has its
 * goroutine, else that of events without a thread. If the goroutine is also the subject of the
 * event, it is ignored, because it says nothing about the context.
 */
static struct gt_rewrite_thread *go_context_thread(struct gt_writer *writer,
                                                   const struct go_change *change)
{
    struct gt_rewrite_state *state = &writer->state;
    const gt_event *event = change->e->event;
    const struct gt_rewrite_proc *proc = gt_idmap_get(&state->proc_map, (uint64_t) event->proc);
    const struct gt_rewrite_goroutine *goroutine =
        gt_idmap_get(&state->goroutine_map, (uint64_t) event->goroutine);
    if (proc && proc->thread)
        return proc->thread;
    if (goroutine && goroutine != change->goroutine && goroutine->thread)
        return goroutine->thread;
    return gt_rewrite_thread_get(state, GT_NO_THREAD);
}

/*
 * Returns the thread that recorded that a goroutine is in a system call. The event's thread is the
 * one in the system call; its proc and goroutine are those of the recording thread, which may be
 * another one or none.
 */
static struct gt_rewrite_thread *go_recorder(struct gt_writer *writer,
                                             const struct go_change *change)
{
    const gt_event *event = change->e->event;
    struct gt_rewrite_thread *thread = change->e->thread;
    int64_t proc = thread->proc ? thread->proc->id : GT_NO_PROC;
    int64_t goroutine = thread->goroutine ? thread->goroutine->id : GT_NO_GOROUTINE;
    bool can_be_own = gt_rewrite_is_first(writer) || thread->goroutine == change->goroutine;
    if (can_be_own && event->proc == proc && event->goroutine == goroutine)
        return thread;
    return go_context_thread(writer, change);
}

static gt_status go_put_status(struct gt_writer *writer, const struct go_change *change)
{
    const struct gt_rewrite_event *e = change->e;
    struct gt_rewrite_goroutine *goroutine = change->goroutine;
    struct gt_rewrite_thread *recorder = e->thread;
    uint64_t id = (uint64_t) goroutine->id;
    bool is_bound = e->status == GT_V2_GO_RUNNING || e->status == GT_V2_GO_SYSCALL;
    uint64_t thread = (uint64_t) (is_bound ? e->thread->written_id : GT_NO_THREAD);
    if (e->status == GT_V2_GO_SYSCALL && !writer->v1.is_input)
        recorder = go_recorder(writer, change);
    if (!recorder)
        return gt_rewrite_no_memory(writer);
    goroutine->sequence = 0;
    goroutine->named = writer->generation.ordinal;
    goroutine->status = e->status;
    if (is_bound && !gt_rewrite_bind_goroutine(e->thread, goroutine))
        return gt_rewrite_contradiction(writer);
    if (e->type == GT_WIRE_GO_STATUS_STACK)
        return gt_rewrite_put(writer, recorder, e->time, e->type, id, thread, e->status,
                              change->stack);
    return gt_rewrite_put(writer, recorder, e->time, e->type, id, thread, e->status);
}

/* Writes a record of a goroutine that starts. */
static gt_status go_put_run(struct gt_writer *writer, struct gt_rewrite_thread *thread,
                            int64_t time, struct gt_rewrite_goroutine *goroutine)
{
    goroutine->sequence++;
    return gt_rewrite_put(writer, thread, time, GT_WIRE_GO_START, (uint64_t) goroutine->id,
                          goroutine->sequence);
}

/*
 * Lets a goroutine that has just been created at `time` on a thread wait, since Go 1.22 has no
 * record for a goroutine that is created so: it starts and blocks, for which the goroutine that
 * runs there stops. Each of these records is 1 ns after the one before.
 */
static gt_status go_put_wait(struct gt_writer *writer, struct gt_rewrite_thread *thread,
                             int64_t time, struct gt_rewrite_goroutine *goroutine)
{
    struct gt_rewrite_goroutine *running = thread->goroutine;
    gt_status status = GT_OK;
    if (!writer->is_writing)
        return GT_OK;
    if (time > INT64_MAX - WAIT_TIME)
        return gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE,
                               "there are no times left after that of the last event");
    if (running)
        status = gt_rewrite_put(writer, thread, ++time, GT_WIRE_GO_STOP, 0, 0);
    if (status == GT_OK)
        status = go_put_run(writer, thread, ++time, goroutine);
    if (status == GT_OK)
        status = gt_rewrite_put(writer, thread, ++time, GT_WIRE_GO_BLOCK, 0, 0);
    if (status == GT_OK && running)
        status = go_put_run(writer, thread, ++time, running);
    writer->last_time = time;
    writer->info.made_up += running ? 4 : 2;
    return status;
}

static gt_status go_put_create(struct gt_writer *writer, const struct go_change *change)
{
    const struct gt_rewrite_event *e = change->e;
    uint32_t type = gt_rewrite_is_older(writer) ? GT_WIRE_GO_CREATE : e->type;
    uint64_t own_stack;
    gt_status status = gt_rewrite_stack(writer, e->event, change->own_stack, &own_stack);
    if (status != GT_OK)
        return status;
    change->goroutine->sequence = 0;
    change->goroutine->named = writer->generation.ordinal;
    change->goroutine->status = e->type == GT_WIRE_GO_CREATE ? GT_V2_GO_RUNNABLE : GT_V2_GO_WAITING;
    if (writer->v1.is_input)
        gt_rewrite_v1_note_create(e->thread, change->goroutine->id, e->time);
    status = gt_rewrite_put(writer, e->thread, e->time, type, (uint64_t) change->goroutine->id,
                            own_stack, change->stack);
    e->thread->size_after = e->thread->bytes.count;
    if (status == GT_OK && type != e->type)
        status = go_put_wait(writer, e->thread, e->time, change->goroutine);
    return status;
}

static gt_status go_put_create_syscall(struct gt_writer *writer, const struct go_change *change)
{
    const struct gt_rewrite_event *e = change->e;
    change->goroutine->sequence = 0;
    change->goroutine->named = writer->generation.ordinal;
    change->goroutine->status = GT_V2_GO_SYSCALL;
    if (!gt_rewrite_bind_goroutine(e->thread, change->goroutine))
        return gt_rewrite_contradiction(writer);
    return gt_rewrite_put(writer, e->thread, e->time, e->type, (uint64_t) change->goroutine->id);
}

static gt_status go_put_start(struct gt_writer *writer, const struct go_change *change)
{
    const struct gt_rewrite_event *e = change->e;
    change->goroutine->status = GT_V2_GO_RUNNING;
    if (!gt_rewrite_bind_goroutine(e->thread, change->goroutine))
        return gt_rewrite_contradiction(writer);
    change->goroutine->sequence++;
    return gt_rewrite_put(writer, e->thread, e->time, e->type, (uint64_t) change->goroutine->id,
                          change->goroutine->sequence);
}

static gt_status go_put_stop(struct gt_writer *writer, const struct go_change *change)
{
    const struct gt_rewrite_event *e = change->e;
    gt_string text = change->reason;
    uint64_t reason = 0;
    gt_status status = gt_rewrite_rename(writer, GT_TEXT_REASON, &text);
    if (status == GT_OK)
        status = gt_rewrite_table_text(writer, text, &reason);
    if (status != GT_OK)
        return status;
    change->goroutine->status = e->type == GT_WIRE_GO_STOP ? GT_V2_GO_RUNNABLE : GT_V2_GO_WAITING;
    gt_rewrite_free_goroutine(change->goroutine);
    return gt_rewrite_put(writer, e->thread, e->time, e->type, reason, change->stack);
}

static gt_status go_put_unblock(struct gt_writer *writer, const struct go_change *change)
{
    const struct gt_rewrite_event *e = change->e;
    change->goroutine->status = GT_V2_GO_RUNNABLE;
    change->goroutine->sequence++;
    return gt_rewrite_put(writer, e->thread, e->time, e->type, (uint64_t) change->goroutine->id,
                          change->goroutine->sequence, change->stack);
}

/*
 * Handles the first transition of a switch, which consists of three transitions but has one record
 * in the trace.
 */
static gt_status go_put_switch(struct gt_writer *writer, const struct go_change *change)
{
    const struct gt_rewrite_event *e = change->e;
    change->goroutine->status = GT_V2_GO_RUNNABLE;
    if (writer->is_writing)
        writer->held = (struct gt_rewrite_held){.type = e->type,
                                                .thread = e->thread,
                                                .goroutine = change->goroutine->id,
                                                .time = e->time};
    return GT_OK;
}

static gt_status go_put_syscall(struct gt_writer *writer, const struct go_change *change)
{
    const struct gt_rewrite_event *e = change->e;
    struct gt_rewrite_proc *proc = gt_rewrite_proc_get(&writer->state, e->proc);
    if (!proc)
        return gt_rewrite_no_memory(writer);
    bool begins = e->type == GT_WIRE_GO_SYSCALL_BEGIN;
    change->goroutine->status = begins ? GT_V2_GO_SYSCALL : GT_V2_GO_RUNNING;
    proc->status = begins ? GT_V2_PROC_SYSCALL : GT_V2_PROC_RUNNING;
    if (!begins)
        return gt_rewrite_put_bare(writer, e->thread, e->time, e->type);
    proc->sequence++;
    return gt_rewrite_put(writer, e->thread, e->time, e->type, proc->sequence, change->stack);
}

static gt_status go_put_syscall_blocked(struct gt_writer *writer, const struct go_change *change)
{
    change->goroutine->status = GT_V2_GO_RUNNABLE;
    gt_rewrite_free_goroutine(change->goroutine);
    return gt_rewrite_put_bare(writer, change->e->thread, change->e->time, change->e->type);
}

static gt_status go_put_destroy(struct gt_writer *writer, const struct go_change *change)
{
    gt_rewrite_goroutine_end(&writer->state, change->goroutine);
    return gt_rewrite_put_bare(writer, change->e->thread, change->e->time, change->e->type);
}

typedef gt_status go_change_fn(struct gt_writer *writer, const struct go_change *change);

static go_change_fn *const go_changes[] = {
    [GT_WIRE_GO_CREATE] = go_put_create,
    [GT_WIRE_GO_CREATE_BLOCKED] = go_put_create,
    [GT_WIRE_GO_CREATE_SYSCALL] = go_put_create_syscall,
    [GT_WIRE_GO_START] = go_put_start,
    [GT_WIRE_GO_DESTROY] = go_put_destroy,
    [GT_WIRE_GO_DESTROY_SYSCALL] = go_put_destroy,
    [GT_WIRE_GO_STOP] = go_put_stop,
    [GT_WIRE_GO_BLOCK] = go_put_stop,
    [GT_WIRE_GO_UNBLOCK] = go_put_unblock,
    [GT_WIRE_GO_SWITCH] = go_put_switch,
    [GT_WIRE_GO_SWITCH_DESTROY] = go_put_switch,
    [GT_WIRE_GO_SYSCALL_BEGIN] = go_put_syscall,
    [GT_WIRE_GO_SYSCALL_END] = go_put_syscall,
    [GT_WIRE_GO_SYSCALL_END_BLOCKED] = go_put_syscall_blocked,
    [GT_WIRE_GO_STATUS] = go_put_status,
    [GT_WIRE_GO_STATUS_STACK] = go_put_status,
};

gt_status gt_rewrite_goroutine_change(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                      const gt_transition *transition)
{
    struct go_change change = {
        .e = e, .reason = transition->reason, .own_stack = transition->stack};
    gt_status status = gt_rewrite_stack(writer, e->event, gt_event_stack(e->event), &change.stack);
    if (status != GT_OK)
        return status;
    /* Most transitions are of the goroutine that runs on the thread. */
    change.goroutine = e->thread->goroutine;
    if (!change.goroutine || change.goroutine->id != transition->resource.id)
        change.goroutine = gt_rewrite_goroutine_get(&writer->state, transition->resource.id);
    return change.goroutine ? go_changes[e->type](writer, &change) : gt_rewrite_no_memory(writer);
}
