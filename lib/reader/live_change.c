/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/live.h"
#include "reader/reader.h"

static bool live_state_executes(uint32_t state)
{
    return state == GT_GO_RUNNING || state == GT_GO_SYSCALL;
}

/*
 * Changes the state of a resource by a transition. `now` is its state, and `*before` becomes its
 * previous one. A resource that is seen for the first time is assumed to have been in its state
 * since the generation began, because the program would have recorded a change. The code applies to
 * goroutines and procs, because their undetermined states have the same number.
 */
static void live_state_change(const struct gt_live *live, struct gt_live_state *before,
                              struct gt_live_state *now, const gt_transition *change,
                              const gt_event *event)
{
    bool is_new = now->state == GT_GO_UNDETERMINED;
    bool is_known = change->from != GT_GO_UNDETERMINED && change->from != change->to;
    if (change->from == change->to && now->state == change->to)
        return;
    *before = is_new ? (struct gt_live_state){change->from, false, live->sync_time} : *now;
    *now = (struct gt_live_state){change->to, is_known, event->time};
    if (is_new && !is_known)
        now->since = live->sync_time;
}

/*
 * Returns the thread with this id, which is added if it is new. Returns NULL if there is no memory.
 */
static struct gt_live_thread *live_thread_get(struct gt_live *live, int64_t id)
{
    struct gt_live_thread *thread = gt_idmap_get(&live->threads, (uint64_t) id);
    if (thread)
        return thread;
    thread = gt_idmap_add(&live->threads, (uint64_t) id);
    if (!thread)
        return NULL;
    if (gt_roster_add(&live->thread_roster, live->mem, thread, &thread->number) != GT_OK) {
        gt_idmap_drop(&live->threads, (uint64_t) id, thread);
        return NULL;
    }
    thread->id = id;
    thread->proc = GT_NO_PROC;
    thread->goroutine = GT_NO_GOROUTINE;
    return thread;
}

/* Removes a thread that neither holds a proc nor executes a goroutine. `thread` may be NULL. */
static void live_thread_settle(struct gt_live *live, struct gt_live_thread *thread)
{
    if (!thread || thread->proc != GT_NO_PROC || thread->goroutine != GT_NO_GOROUTINE)
        return;
    gt_roster_remove(&live->thread_roster, thread->number);
    gt_idmap_drop(&live->threads, (uint64_t) thread->id, thread);
}

/* Removes the goroutine from the thread on which it executed. */
static void live_goroutine_leave(struct gt_live *live, struct gt_live_goroutine *goroutine,
                                 int64_t time)
{
    struct gt_live_thread *thread = gt_idmap_get(&live->threads, (uint64_t) goroutine->thread);
    goroutine->thread = GT_NO_THREAD;
    if (!thread || thread->goroutine != goroutine->id)
        return;
    thread->goroutine = GT_NO_GOROUTINE;
    thread->since = time;
    live_thread_settle(live, thread);
}

/* Gives a goroutine another stack, or none. */
static void live_stack_set(struct gt_live *live, struct gt_live_stack *stack, gt_stack handle)
{
    if (stack->is_held)
        gt_kept_stack_drop(&live->kept, stack->stack);
    *stack = (struct gt_live_stack){handle, false};
}

void gt_live_goroutine_drop(struct gt_live *live, struct gt_live_goroutine *goroutine)
{
    if (live->ended == goroutine)
        live->ended = NULL;
    gt_shared_text_drop(&live->texts, goroutine->reason);
    gt_shared_text_drop(&live->texts, goroutine->name);
    live_stack_set(live, &goroutine->stack, GT_STACK_NONE);
    live_stack_set(live, &goroutine->start_stack, GT_STACK_NONE);
    live_stack_set(live, &goroutine->creator_stack, GT_STACK_NONE);
    gt_roster_remove(&live->goroutine_roster, goroutine->number);
    gt_idmap_drop(&live->goroutines, (uint64_t) goroutine->id, goroutine);
}

/*
 * Adds a goroutine that a transition creates or mentions first. Returns NULL if there is no memory.
 */
static struct gt_live_goroutine *
live_goroutine_add(struct gt_live *live, const gt_transition *change, const gt_event *event)
{
    uint64_t id = (uint64_t) change->resource.id;
    bool is_created = change->from == GT_GO_NOT_EXIST;
    struct gt_live_goroutine *goroutine = gt_idmap_add(&live->goroutines, id);
    if (!goroutine)
        return NULL;
    if (gt_roster_add(&live->goroutine_roster, live->mem, goroutine, &goroutine->number) != GT_OK) {
        gt_idmap_drop(&live->goroutines, id, goroutine);
        return NULL;
    }
    goroutine->id = change->resource.id;
    goroutine->thread = GT_NO_THREAD;
    goroutine->created = is_created ? event->time : live->sync_time;
    goroutine->creator = is_created ? event->goroutine : GT_NO_GOROUTINE;
    if (is_created) {
        goroutine->creator_stack.stack = gt_event_stack(event);
        goroutine->start_stack.stack = change->stack;
    }
    return goroutine;
}

/* Sets `*name` to the function at the root of a stack, or to NULL if it is unknown. */
static gt_status live_root_name(struct gt_live *live, struct gt_reader *reader, gt_stack stack,
                                struct gt_shared_text **name)
{
    const gt_frame *frames;
    size_t count;
    *name = NULL;
    gt_status status = gt_reader_stack_view(reader, stack, &frames, &count);
    if (status != GT_OK || count == 0 || frames[count - 1].function.size == 0)
        return status;
    *name = gt_shared_text_get(&live->texts, frames[count - 1].function);
    return *name ? GT_OK : gt_mem_failure(live->mem);
}

/* The parts of a goroutine's transition for which memory must be allocated. */
struct live_parts {
    struct gt_live_goroutine *goroutine;
    struct gt_live_thread *thread; /* the thread on which it executes afterwards, or NULL */
    struct gt_shared_text *reason;
    struct gt_shared_text *name; /* NULL: the name does not change */
};

static gt_status live_parts_get(struct gt_live *live, struct gt_reader *reader,
                                struct live_parts *parts, const gt_transition *change,
                                const gt_event *event)
{
    if (!parts->goroutine)
        parts->goroutine = live_goroutine_add(live, change, event);
    if (!parts->goroutine)
        return gt_mem_failure(live->mem);
    if (live_state_executes(change->to) && event->thread != GT_NO_THREAD) {
        parts->thread = live_thread_get(live, event->thread);
        if (!parts->thread)
            return gt_mem_failure(live->mem);
    }
    parts->reason = gt_recent_text_get(&live->recent, &live->texts, change->reason);
    if (!parts->reason)
        return gt_mem_failure(live->mem);
    if (parts->goroutine->name)
        return GT_OK;
    return live_root_name(live, reader, change->stack, &parts->name);
}

/* Releases the parts after a failure. */
static void live_parts_drop(struct gt_live *live, struct live_parts *parts, bool is_new)
{
    gt_shared_text_drop(&live->texts, parts->reason);
    live_thread_settle(live, parts->thread);
    if (is_new && parts->goroutine)
        gt_live_goroutine_drop(live, parts->goroutine);
}

/* Sets the thread on which a goroutine executes from now on. */
static void live_goroutine_enter(struct gt_live *live, const struct live_parts *parts,
                                 const gt_event *event)
{
    struct gt_live_goroutine *goroutine = parts->goroutine;
    struct gt_live_thread *thread = parts->thread;
    if (goroutine->thread != event->thread)
        live_goroutine_leave(live, goroutine, event->time);
    goroutine->thread = event->thread;
    if (!thread || thread->goroutine == goroutine->id)
        return;
    struct gt_live_goroutine *other = gt_idmap_get(&live->goroutines, (uint64_t) thread->goroutine);
    if (other && other->thread == thread->id)
        other->thread = GT_NO_THREAD;
    thread->goroutine = goroutine->id;
    thread->since = event->time;
}

static void live_goroutine_change(struct gt_live *live, const struct live_parts *parts,
                                  const gt_transition *change, const gt_event *event)
{
    struct gt_live_goroutine *goroutine = parts->goroutine;
    if (change->from == change->to && goroutine->reason) {
        gt_shared_text_drop(&live->texts, parts->reason);
    } else {
        gt_shared_text_drop(&live->texts, goroutine->reason);
        goroutine->reason = parts->reason;
    }
    if (parts->name)
        goroutine->name = parts->name;
    if (change->stack != GT_STACK_NONE)
        live_stack_set(live, &goroutine->stack, change->stack);
    live_state_change(live, &goroutine->before, &goroutine->now, change, event);
    if (live_state_executes(change->to))
        live_goroutine_enter(live, parts, event);
    else
        live_goroutine_leave(live, goroutine, event->time);
    if (change->to == GT_GO_NOT_EXIST)
        live->ended = goroutine;
}

static gt_status live_goroutine_transition(struct gt_live *live, struct gt_reader *reader,
                                           const gt_transition *change, const gt_event *event)
{
    struct live_parts parts = {0};
    parts.goroutine = gt_idmap_get(&live->goroutines, (uint64_t) change->resource.id);
    if (parts.goroutine && change->from == GT_GO_NOT_EXIST) {
        live_goroutine_leave(live, parts.goroutine, event->time);
        gt_live_goroutine_drop(live, parts.goroutine);
        parts.goroutine = NULL;
    }
    bool is_new = !parts.goroutine;
    gt_status status = live_parts_get(live, reader, &parts, change, event);
    if (status == GT_OK)
        live_goroutine_change(live, &parts, change, event);
    else
        live_parts_drop(live, &parts, is_new);
    return status;
}

/*
 * Returns the proc with this id, which is added if it is new. Returns NULL if there is no memory.
 */
static struct gt_live_proc *live_proc_get(struct gt_live *live, int64_t id)
{
    struct gt_live_proc *proc = gt_idmap_get(&live->procs, (uint64_t) id);
    if (proc)
        return proc;
    proc = gt_idmap_add(&live->procs, (uint64_t) id);
    if (!proc)
        return NULL;
    if (gt_roster_add(&live->proc_roster, live->mem, proc, &proc->number) != GT_OK) {
        gt_idmap_drop(&live->procs, (uint64_t) id, proc);
        return NULL;
    }
    proc->id = id;
    proc->thread = GT_NO_THREAD;
    return proc;
}

/* Removes the proc from the thread that held it. */
static void live_proc_leave(struct gt_live *live, struct gt_live_proc *proc, int64_t time)
{
    struct gt_live_thread *thread = gt_idmap_get(&live->threads, (uint64_t) proc->thread);
    proc->thread = GT_NO_THREAD;
    if (!thread || thread->proc != proc->id)
        return;
    thread->proc = GT_NO_PROC;
    thread->since = time;
    live_thread_settle(live, thread);
}

static void live_proc_enter(struct gt_live *live, struct gt_live_proc *proc,
                            struct gt_live_thread *thread, int64_t time)
{
    if (proc->thread != thread->id)
        live_proc_leave(live, proc, time);
    proc->thread = thread->id;
    if (thread->proc == proc->id)
        return;
    struct gt_live_proc *other = gt_idmap_get(&live->procs, (uint64_t) thread->proc);
    if (other && other->thread == thread->id)
        other->thread = GT_NO_THREAD;
    thread->proc = proc->id;
    thread->since = time;
}

static gt_status live_proc_transition(struct gt_live *live, const gt_transition *change,
                                      const gt_event *event)
{
    struct gt_live_thread *thread = NULL;
    if (change->to == GT_PROC_RUNNING && event->thread != GT_NO_THREAD) {
        thread = live_thread_get(live, event->thread);
        if (!thread)
            return gt_mem_failure(live->mem);
    }
    struct gt_live_proc *proc = live_proc_get(live, change->resource.id);
    if (!proc) {
        live_thread_settle(live, thread);
        return gt_mem_failure(live->mem);
    }
    live_state_change(live, &proc->before, &proc->now, change, event);
    if (thread)
        live_proc_enter(live, proc, thread, event->time);
    else
        live_proc_leave(live, proc, event->time);
    return GT_OK;
}

gt_status gt_live_transition(struct gt_live *live, struct gt_reader *reader, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(event, &change);
    if (status != GT_OK)
        return status;
    if (change.resource.kind == GT_RESOURCE_GOROUTINE)
        return live_goroutine_transition(live, reader, &change, event);
    if (change.resource.kind == GT_RESOURCE_PROC)
        return live_proc_transition(live, &change, event);
    return GT_OK;
}
