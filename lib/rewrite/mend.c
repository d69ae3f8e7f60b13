/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/bridge.h"
#include "v2/spec.h"

/*
 * A lenient reader lets events happen that need what was lost. These functions compare each event
 * with the state of the output, and bridge the difference before the event is written.
 */

/* An event that is about to be written. */
struct mending {
    struct gt_rewrite_bridge bridge;
    struct gt_rewrite_event *e;
    struct gt_rewrite_thread *thread;
    int64_t id; /* of the proc or goroutine of a transition */
    bool is_left_out;
};

/* Leaves the event out, which would change nothing, or what the output cannot have. */
static void mend_leave_out(struct mending *mending)
{
    mending->is_left_out = true;
}

/* Leaves the event out if it is of no thread, but must be. Returns whether it does. */
static bool mend_has_no_thread(struct mending *mending)
{
    mending->is_left_out |= mending->thread->id == GT_NO_THREAD;
    return mending->is_left_out;
}

/*
 * Mends the status of a proc that runs or is in a system call. An event without a thread may tell
 * its first status; the proc is on no thread then, until an event of a thread tells the same
 * status.
 */
static void mend_proc_busy(struct mending *mending, struct gt_rewrite_proc *proc)
{
    struct gt_rewrite_thread *thread = mending->thread;
    bool is_new = proc->status == GT_V2_PROC_BAD;
    bool is_same = proc->status == mending->e->status;
    if (thread->id == GT_NO_THREAD && (is_new || is_same))
        return;
    if ((is_same && proc->thread == thread) || mend_has_no_thread(mending))
        return;
    if (is_new || (is_same && !proc->thread)) {
        if (thread->proc)
            gt_rewrite_bridge_idle(&mending->bridge, thread->proc);
        return;
    }
    gt_rewrite_bridge_proc(&mending->bridge, proc, thread);
    /* The status of its goroutine brings it into the system call. */
    mending->is_left_out = proc->status != mending->e->status;
}

static void mend_proc_status(struct mending *mending, struct gt_rewrite_proc *proc)
{
    struct gt_rewrite_event *e = mending->e;
    struct gt_rewrite_thread *thread = mending->thread;
    switch (e->status) {
    case GT_V2_PROC_IDLE:
        gt_rewrite_bridge_idle(&mending->bridge, proc);
        break;
    case GT_V2_PROC_SYSCALL_ABANDONED:
        if (proc->status == GT_V2_PROC_SYSCALL) {
            e->thread = proc->thread ? proc->thread : thread;
        } else if (proc->status != GT_V2_PROC_BAD && proc->status != e->status) {
            gt_rewrite_bridge_idle(&mending->bridge, proc);
            mend_leave_out(mending);
        }
        break;
    default:
        mend_proc_busy(mending, proc);
        break;
    }
}

static void mend_proc_steal(struct mending *mending, struct gt_rewrite_proc *proc)
{
    if (proc->status == GT_V2_PROC_SYSCALL || proc->status == GT_V2_PROC_SYSCALL_ABANDONED) {
        if (!mend_has_no_thread(mending))
            gt_rewrite_bridge_name_proc(&mending->bridge, proc);
        return;
    }
    gt_rewrite_bridge_idle(&mending->bridge, proc);
    mend_leave_out(mending);
}

static void mend_proc(struct mending *mending, struct gt_rewrite_proc *proc)
{
    struct gt_rewrite_thread *thread = mending->thread;
    switch (mending->e->type) {
    case GT_WIRE_PROC_STATUS:
        mend_proc_status(mending, proc);
        break;
    case GT_WIRE_PROC_START:
        if (mend_has_no_thread(mending))
            break;
        if (thread->proc)
            gt_rewrite_bridge_idle(&mending->bridge, thread->proc);
        gt_rewrite_bridge_idle(&mending->bridge, proc);
        gt_rewrite_bridge_name_proc(&mending->bridge, proc);
        break;
    case GT_WIRE_PROC_STOP:
        if (thread->proc == proc)
            break;
        gt_rewrite_bridge_idle(&mending->bridge, proc);
        mend_leave_out(mending);
        break;
    default:
        mend_proc_steal(mending, proc);
        break;
    }
}

/*
 * Mends the status of a goroutine. An event without a thread may tell that it runs, as with procs,
 * but readers take no system call without a thread.
 */
static void mend_go_status(struct mending *mending, struct gt_rewrite_goroutine *goroutine)
{
    uint32_t status = mending->e->status;
    struct gt_rewrite_thread *thread = mending->thread;
    bool needs_thread = status == GT_V2_GO_RUNNING || status == GT_V2_GO_SYSCALL;
    bool is_new = goroutine->status == GT_V2_GO_BAD && gt_rewrite_is_first(mending->bridge.writer);
    bool is_same = goroutine->status == status;
    if (thread->id == GT_NO_THREAD && status == GT_V2_GO_RUNNING && (is_new || is_same))
        return;
    if (needs_thread && mend_has_no_thread(mending))
        return;
    if (needs_thread && thread->goroutine != goroutine)
        gt_rewrite_bridge_empty(&mending->bridge, thread);
    if (!is_new && (!is_same || goroutine->thread))
        gt_rewrite_bridge_goroutine(&mending->bridge, goroutine, status, thread);
}

/* Mends an event by which a goroutine begins to exist. */
static void mend_go_create(struct mending *mending, struct gt_rewrite_goroutine *goroutine)
{
    struct gt_rewrite_thread *thread = mending->thread;
    uint32_t type = mending->e->type;
    if (mend_has_no_thread(mending))
        return;
    if (goroutine->status != GT_V2_GO_BAD) {
        uint32_t status = type == GT_WIRE_GO_CREATE           ? GT_V2_GO_RUNNABLE
                          : type == GT_WIRE_GO_CREATE_SYSCALL ? GT_V2_GO_SYSCALL
                                                              : GT_V2_GO_WAITING;
        gt_rewrite_bridge_goroutine(&mending->bridge, goroutine, status, thread);
        mend_leave_out(mending);
    } else if (type == GT_WIRE_GO_CREATE_SYSCALL) {
        gt_rewrite_bridge_empty(&mending->bridge, thread);
    } else {
        if (thread->goroutine && thread->goroutine->status != GT_V2_GO_RUNNING)
            gt_rewrite_bridge_empty(&mending->bridge, thread);
        gt_rewrite_bridge_equip(&mending->bridge, thread);
    }
}

/* Mends the end of a system call of a goroutine. */
static void mend_syscall_end(struct mending *mending, struct gt_rewrite_goroutine *goroutine)
{
    struct gt_rewrite_thread *thread = mending->thread;
    struct gt_rewrite_proc *proc = thread->proc;
    bool is_here = goroutine->thread == thread && goroutine->status == GT_V2_GO_SYSCALL;
    bool has_proc = proc && proc->status == GT_V2_PROC_SYSCALL;
    if (mend_has_no_thread(mending))
        return;
    switch (mending->e->type) {
    case GT_WIRE_GO_SYSCALL_END:
        if (is_here && has_proc)
            return;
        gt_rewrite_bridge_goroutine(&mending->bridge, goroutine, GT_V2_GO_RUNNING, thread);
        mend_leave_out(mending);
        return;
    case GT_WIRE_GO_SYSCALL_END_BLOCKED:
        if (is_here && has_proc)
            gt_rewrite_bridge_idle(&mending->bridge, proc);
        if (is_here)
            return;
        gt_rewrite_bridge_goroutine(&mending->bridge, goroutine, GT_V2_GO_RUNNABLE, NULL);
        mend_leave_out(mending);
        return;
    default:
        gt_rewrite_bridge_goroutine(&mending->bridge, goroutine, GT_V2_GO_SYSCALL, thread);
        if (thread->proc)
            gt_rewrite_bridge_idle(&mending->bridge, thread->proc);
        return;
    }
}

/* Mends an event of a goroutine that runs, after which it may not. */
static void mend_running(struct mending *mending, struct gt_rewrite_goroutine *goroutine)
{
    struct gt_rewrite_thread *thread = mending->thread;
    if (mend_has_no_thread(mending))
        return;
    gt_rewrite_bridge_goroutine(&mending->bridge, goroutine, GT_V2_GO_RUNNING, thread);
    gt_rewrite_bridge_equip(&mending->bridge, thread);
    if (!thread->proc || mending->e->type != GT_WIRE_GO_SYSCALL_BEGIN)
        return;
    gt_rewrite_bridge_name_proc(&mending->bridge, thread->proc);
    mending->e->proc = thread->proc->id;
}

/* Mends an event of a thread that needs the goroutine and the proc that the event says it has. */
static void mend_context(struct mending *mending)
{
    struct gt_rewrite_state *state = &mending->bridge.writer->state;
    const gt_event *event = mending->e->event;
    struct gt_rewrite_thread *thread = mending->thread;
    struct gt_rewrite_goroutine *goroutine =
        gt_idmap_get(&state->goroutine_map, (uint64_t) event->goroutine);
    if (thread->id == GT_NO_THREAD)
        return;
    if (goroutine && goroutine->status != GT_V2_GO_BAD && thread->goroutine != goroutine)
        gt_rewrite_bridge_goroutine(&mending->bridge, goroutine, GT_V2_GO_RUNNING, thread);
    if (event->proc != GT_NO_PROC && !thread->proc)
        gt_rewrite_bridge_equip(&mending->bridge, thread);
}

static void mend_goroutine(struct mending *mending, struct gt_rewrite_goroutine *goroutine)
{
    struct gt_rewrite_bridge *bridge = &mending->bridge;
    switch (mending->e->type) {
    case GT_WIRE_GO_STATUS:
    case GT_WIRE_GO_STATUS_STACK:
        mend_go_status(mending, goroutine);
        break;
    case GT_WIRE_GO_CREATE:
    case GT_WIRE_GO_CREATE_BLOCKED:
    case GT_WIRE_GO_CREATE_SYSCALL:
        mend_go_create(mending, goroutine);
        break;
    case GT_WIRE_GO_START:
        if (mend_has_no_thread(mending))
            break;
        gt_rewrite_bridge_goroutine(bridge, goroutine, GT_V2_GO_RUNNABLE, NULL);
        gt_rewrite_bridge_empty(bridge, mending->thread);
        gt_rewrite_bridge_equip(bridge, mending->thread);
        gt_rewrite_bridge_name(bridge, goroutine);
        break;
    case GT_WIRE_GO_SWITCH:
    case GT_WIRE_GO_SWITCH_DESTROY:
    case GT_WIRE_GO_UNBLOCK:
        if (mending->e->type != GT_WIRE_GO_UNBLOCK)
            mend_context(mending);
        gt_rewrite_bridge_goroutine(bridge, goroutine, GT_V2_GO_WAITING, NULL);
        gt_rewrite_bridge_name(bridge, goroutine);
        break;
    case GT_WIRE_GO_SYSCALL_END:
    case GT_WIRE_GO_SYSCALL_END_BLOCKED:
    case GT_WIRE_GO_DESTROY_SYSCALL:
        mend_syscall_end(mending, goroutine);
        break;
    default:
        mend_running(mending, goroutine);
        break;
    }
}

/* Finds the proc or the goroutine of a transition, and mends that. */
static gt_status mend_transition(struct mending *mending)
{
    struct gt_writer *writer = mending->bridge.writer;
    gt_transition change = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(mending->e->event, &change);
    if (status != GT_OK)
        return status;
    if (change.resource.kind == GT_RESOURCE_PROC) {
        struct gt_rewrite_proc *proc = gt_rewrite_proc_get(&writer->state, change.resource.id);
        if (!proc)
            return gt_rewrite_no_memory(writer);
        mend_proc(mending, proc);
        return GT_OK;
    }
    struct gt_rewrite_goroutine *goroutine =
        gt_rewrite_goroutine_get(&writer->state, change.resource.id);
    if (!goroutine)
        return gt_rewrite_no_memory(writer);
    mend_goroutine(mending, goroutine);
    return GT_OK;
}

/*
 * Returns whether an event of the collector cannot be on its thread: all but the first one need a
 * goroutine that runs.
 */
static bool mend_needs_runner(const struct mending *mending)
{
    const struct gt_writer *writer = mending->bridge.writer;
    const struct gt_rewrite_thread *thread = mending->thread;
    uint32_t type = mending->e->type;
    bool is_collector = type == GT_WIRE_GC_BEGIN || type == GT_WIRE_GC_END ||
                        (type == GT_WIRE_GC_ACTIVE && !gt_rewrite_is_first(writer));
    return is_collector && writer->collector != 0 && (!thread->goroutine || !thread->proc);
}

/* A range of the collector, of a proc or of a goroutine, as it is in the output. */
struct mend_range {
    bool has_scope; /* what the range is of exists */
    bool is_open;
};

/* Returns what the output has of the range of an event, which is no stop of the world. */
static struct mend_range mend_range_of(const struct gt_rewrite_state *state, const gt_range *range,
                                       uint32_t type)
{
    const struct gt_rewrite_proc *proc = gt_idmap_get(&state->proc_map, (uint64_t) range->scope.id);
    const struct gt_rewrite_goroutine *goroutine =
        gt_idmap_get(&state->goroutine_map, (uint64_t) range->scope.id);
    switch (type) {
    case GT_WIRE_GC_SWEEP_BEGIN:
    case GT_WIRE_GC_SWEEP_ACTIVE:
    case GT_WIRE_GC_SWEEP_END:
        return (struct mend_range){proc, proc && proc->sweeping};
    case GT_WIRE_GC_MARK_ASSIST_BEGIN:
    case GT_WIRE_GC_MARK_ASSIST_ACTIVE:
    case GT_WIRE_GC_MARK_ASSIST_END:
        return (struct mend_range){goroutine, goroutine && goroutine->assisting};
    default:
        return (struct mend_range){true, state->collecting};
    }
}

/* Mends a range, which can neither begin twice nor end without having begun. */
static gt_status mend_range(struct mending *mending)
{
    struct gt_writer *writer = mending->bridge.writer;
    const gt_event *event = mending->e->event;
    uint32_t type = mending->e->type;
    gt_range range = GT_RANGE_INIT;
    gt_status status = gt_event_range(event, &range);
    if (status != GT_OK)
        return status;
    if (type != GT_WIRE_STW_BEGIN && type != GT_WIRE_STW_END) {
        struct mend_range known = mend_range_of(&writer->state, &range, type);
        bool may_be_open = event->kind == GT_EVENT_RANGE_ACTIVE && gt_rewrite_is_first(writer);
        bool needs_open = event->kind != GT_EVENT_RANGE_BEGIN;
        mending->is_left_out = !known.has_scope || (known.is_open != needs_open && !may_be_open);
    }
    if (!mending->is_left_out) {
        mend_context(mending);
        mending->is_left_out = mend_needs_runner(mending);
    }
    return GT_OK;
}

gt_status gt_rewrite_mend(struct gt_writer *writer, struct gt_rewrite_event *e, bool *is_left_out)
{
    struct mending mending = {
        .bridge = {.writer = writer, .e = e, .status = GT_OK}, .e = e, .thread = e->thread};
    gt_status status = GT_OK;
    switch (e->event->kind) {
    case GT_EVENT_STATE_TRANSITION:
        status = mend_transition(&mending);
        break;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        status = mend_range(&mending);
        break;
    case GT_EVENT_STACK_SAMPLE:
        break;
    default:
        mend_context(&mending);
        break;
    }
    *is_left_out = mending.is_left_out || mending.bridge.is_impossible;
    writer->info.left_out += *is_left_out && writer->is_writing;
    return status != GT_OK ? status : mending.bridge.status;
}
