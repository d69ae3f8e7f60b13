/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/v1context.h"

#include "base/time.h"
#include "rewrite/batch.h"
#include "v2/spec.h"

enum {
    /* The most threads or procs that are tried to find a suitable one. */
    TRIES = 1024,
    /* The conversion to events of the current format gives events of no proc a proc from here on.
     */
    PSEUDO_PROC = 1000000,
    /* The nanoseconds that a change of a proc's thread takes. */
    HANDOVER = 2
};

/* An event whose context is being found. */
struct v1_search {
    struct gt_writer *writer;
    struct gt_rewrite_event *e;
    struct gt_rewrite_proc *proc;           /* the proc of the event, or NULL */
    struct gt_rewrite_thread *thread;       /* the thread of that proc, or NULL */
    struct gt_rewrite_goroutine *goroutine; /* the goroutine that runs, or NULL */
    struct gt_rewrite_goroutine *subject;   /* the goroutine of a transition, or NULL */
    bool is_left_out;
};

/*
 * Returns whether the id is that of a proc. A batch of events of no proc has an id of -1 or from
 * PSEUDO_PROC on, and a malformed trace lets even such a proc start.
 */
static bool v1_is_proc(int64_t id)
{
    return id >= 0 && id < PSEUDO_PROC;
}

static bool v1_is_free(const struct gt_rewrite_thread *thread)
{
    return !thread->proc && !thread->goroutine;
}

static bool v1_has_proc(const struct gt_rewrite_thread *thread)
{
    return thread && thread->proc;
}

/* Returns whether a goroutine runs on the thread. */
static bool v1_is_running(const struct gt_rewrite_thread *thread)
{
    return thread && thread->proc && thread->goroutine &&
           thread->goroutine->status == GT_V2_GO_RUNNING;
}

/* Returns whether a goroutine may be created on the thread: its own one is in no system call. */
static bool v1_can_create(const struct gt_rewrite_thread *thread)
{
    return thread && thread->proc &&
           (!thread->goroutine || thread->goroutine->status == GT_V2_GO_RUNNING);
}

static struct gt_rewrite_goroutine *v1_goroutine(const struct gt_writer *writer, int64_t id)
{
    return gt_idmap_get(&writer->state.goroutine_map, (uint64_t) id);
}

/*
 * Returns a thread without a proc and a goroutine: the one with this id if it is free, and
 * otherwise one that is made up. Returns NULL if there is no memory.
 */
static struct gt_rewrite_thread *v1_free_thread(struct gt_writer *writer, int64_t id)
{
    struct gt_rewrite_v1 *v1 = &writer->v1;
    struct gt_rewrite_thread *thread = NULL;
    if (id != GT_NO_THREAD) {
        thread = gt_rewrite_thread_get(&writer->state, id);
        if (!thread || v1_is_free(thread))
            return thread;
    }
    for (size_t i = 0; i < v1->made_up.count && i < TRIES; i++) {
        v1->next = v1->next + 1 < v1->made_up.count ? v1->next + 1 : 0;
        if (v1_is_free(v1->made_up.items[v1->next]))
            return v1->made_up.items[v1->next];
    }
    do {
        thread = gt_rewrite_thread_get(&writer->state, GT_REWRITE_MADE_UP + v1->last_id++);
    } while (thread && !v1_is_free(thread));
    if (!thread || gt_array_add(&writer->mem, &v1->made_up, thread) != GT_OK)
        return NULL;
    return thread;
}

/* Returns a thread that has a proc and that `fits`, or NULL if none is found. */
static struct gt_rewrite_thread *v1_thread_find(const struct gt_writer *writer,
                                                bool (*fits)(const struct gt_rewrite_thread *))
{
    const struct gt_rewrite_state *state = &writer->state;
    for (size_t i = 0; i < state->procs.count && i < TRIES; i++) {
        if (fits(state->procs.items[i]->thread))
            return state->procs.items[i]->thread;
    }
    return NULL;
}

static gt_status v1_leave_out(struct v1_search *search)
{
    search->is_left_out = true;
    return GT_OK;
}

/* Decides on a thread, or leaves the event out if that is NULL. */
static gt_status v1_take(struct v1_search *search, struct gt_rewrite_thread *thread)
{
    if (!thread)
        return v1_leave_out(search);
    search->e->thread = thread;
    search->e->proc = thread->proc ? thread->proc->id : GT_NO_PROC;
    return GT_OK;
}

/* Decides on a thread, which is made or found only if there is memory. */
static gt_status v1_take_made(struct v1_search *search, struct gt_rewrite_thread *thread)
{
    return thread ? v1_take(search, thread) : gt_rewrite_no_memory(search->writer);
}

static gt_status v1_take_none(struct v1_search *search)
{
    struct gt_rewrite_state *state = &search->writer->state;
    return v1_take_made(search, gt_rewrite_thread_get(state, GT_NO_THREAD));
}

/* Gives a proc, which is on a thread, to another thread, because this one has a goroutine. */
static gt_status v1_hand_over(struct v1_search *search, struct gt_rewrite_proc *proc)
{
    struct gt_writer *writer = search->writer;
    int64_t time = search->e->time;
    struct gt_rewrite_thread *from = proc->thread;
    if (time > INT64_MAX - HANDOVER)
        return gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE,
                               "there are no times left after that of the last event");
    struct gt_rewrite_thread *to = v1_free_thread(writer, GT_NO_THREAD);
    if (!to)
        return gt_rewrite_no_memory(writer);
    gt_status status = gt_rewrite_put_bare(writer, from, time, GT_WIRE_PROC_STOP);
    gt_rewrite_free_proc(proc);
    gt_rewrite_bind_proc(to, proc);
    proc->status = GT_V2_PROC_RUNNING;
    proc->sequence++;
    if (status == GT_OK)
        status = gt_rewrite_put(writer, to, time + 1, GT_WIRE_PROC_START, (uint64_t) proc->id,
                                proc->sequence);
    search->e->time = time + HANDOVER;
    writer->info.handed_over += writer->is_writing;
    return status;
}

static gt_status v1_search_proc(struct v1_search *search, const gt_transition *change)
{
    struct gt_rewrite_event *e = search->e;
    if (!v1_is_proc(change->resource.id))
        return v1_leave_out(search);
    struct gt_rewrite_proc *proc = gt_rewrite_proc_get(&search->writer->state, change->resource.id);
    if (!proc)
        return gt_rewrite_no_memory(search->writer);
    switch (e->type) {
    case GT_WIRE_PROC_STATUS:
        /* The status was made up for a goroutine that ran on the proc before. */
        if (proc->status != GT_V2_PROC_BAD)
            return v1_leave_out(search);
        e->status = change->to == GT_PROC_RUNNING ? GT_V2_PROC_RUNNING : GT_V2_PROC_IDLE;
        if (e->status == GT_V2_PROC_IDLE)
            return v1_take_none(search);
        return v1_take_made(search, v1_free_thread(search->writer, e->event->thread));
    case GT_WIRE_PROC_START:
        if (proc->thread || proc->status == GT_V2_PROC_BAD)
            return v1_leave_out(search);
        return v1_take_made(search, v1_free_thread(search->writer, e->event->thread));
    default:
        return v1_take(search, proc->thread);
    }
}

/* Puts a proc that no thread has on `thread`, one nanosecond before the event. */
static gt_status v1_wake_proc(struct v1_search *search, struct gt_rewrite_thread *thread,
                              struct gt_rewrite_proc *proc)
{
    struct gt_writer *writer = search->writer;
    int64_t time = search->e->time++;
    bool is_new = proc->status == GT_V2_PROC_BAD;
    gt_rewrite_bind_proc(thread, proc);
    proc->status = GT_V2_PROC_RUNNING;
    proc->sequence = is_new ? 0 : proc->sequence + 1;
    writer->info.made_up += writer->is_writing;
    /* A generation has one status of each proc, so a proc that stopped before starts again. */
    return is_new ? gt_rewrite_put(writer, thread, time, GT_WIRE_PROC_STATUS, (uint64_t) proc->id,
                                   GT_V2_PROC_RUNNING)
                  : gt_rewrite_put(writer, thread, time, GT_WIRE_PROC_START, (uint64_t) proc->id,
                                   proc->sequence);
}

/* Finds the thread of a goroutine that runs when the trace begins, which names its proc. */
static gt_status v1_search_running(struct v1_search *search)
{
    struct gt_writer *writer = search->writer;
    struct gt_rewrite_event *e = search->e;
    struct gt_rewrite_proc *proc = search->proc;
    if (search->subject || !proc || e->time == INT64_MAX || writer->info.generations > 1)
        return v1_leave_out(search);
    if (proc->thread)
        return proc->thread->goroutine ? v1_leave_out(search) : v1_take(search, proc->thread);
    struct gt_rewrite_thread *thread = v1_free_thread(writer, e->event->thread);
    if (!thread)
        return gt_rewrite_no_memory(writer);
    gt_status status = v1_wake_proc(search, thread, proc);
    return status == GT_OK ? v1_take(search, thread) : status;
}

void gt_rewrite_v1_note_create(struct gt_rewrite_thread *thread, int64_t goroutine, int64_t time)
{
    thread->created = goroutine;
    thread->created_time = time;
    thread->size_before = thread->bytes.count;
    thread->time_before = thread->time;
}

/*
 * Handles a goroutine that is in a system call although it was created only now: a thread that C
 * has created calls Go. The current format has one event for both, so the creation is taken back,
 * if it was the last event of its thread.
 */
static gt_status v1_search_callback(struct v1_search *search)
{
    struct gt_writer *writer = search->writer;
    struct gt_rewrite_thread *creator = search->thread;
    struct gt_rewrite_goroutine *goroutine = search->subject;
    if (!creator || creator->created != goroutine->id || goroutine->status != GT_V2_GO_RUNNABLE ||
        (writer->is_writing &&
         (creator->size_after != creator->bytes.count || creator->created_time != creator->time)))
        return v1_leave_out(search);
    creator->bytes.count = creator->size_before;
    creator->time = creator->time_before;
    creator->created = GT_NO_GOROUTINE;
    search->e->type = GT_WIRE_GO_CREATE_SYSCALL;
    if (writer->is_writing)
        writer->info.events--;
    return v1_take_made(search, v1_free_thread(writer, GT_NO_THREAD));
}

static gt_status v1_search_status(struct v1_search *search)
{
    switch (search->e->status) {
    case GT_V2_GO_RUNNING:
        return v1_search_running(search);
    case GT_V2_GO_SYSCALL:
        if (search->subject)
            return v1_search_callback(search);
        if (search->writer->info.generations > 1)
            return v1_leave_out(search);
        return v1_take_made(search, v1_free_thread(search->writer, GT_NO_THREAD));
    default:
        /* Once there is another generation, only what is known has a status. */
        if (search->subject || search->writer->info.generations > 1)
            return v1_leave_out(search);
        return v1_take_none(search);
    }
}

static gt_status v1_search_start(struct v1_search *search)
{
    if (!search->thread || !search->subject || search->subject->status != GT_V2_GO_RUNNABLE)
        return v1_leave_out(search);
    if (search->thread->goroutine) { /* it is in a system call there */
        gt_status status = v1_hand_over(search, search->proc);
        if (status != GT_OK)
            return status;
    }
    return v1_take(search, search->proc->thread);
}

/* Handles the end of a system call that has blocked, so that the goroutine has lost its proc. */
static gt_status v1_search_return(struct v1_search *search)
{
    struct gt_rewrite_goroutine *goroutine = search->subject;
    if (!goroutine || !goroutine->thread || goroutine->status != GT_V2_GO_SYSCALL)
        return v1_leave_out(search);
    if (goroutine->thread->proc) {
        gt_status status = v1_hand_over(search, goroutine->thread->proc);
        if (status != GT_OK)
            return status;
    }
    return v1_take(search, goroutine->thread);
}

static gt_status v1_search_goroutine(struct v1_search *search, const gt_transition *change)
{
    struct gt_rewrite_thread *thread;
    search->subject = v1_goroutine(search->writer, change->resource.id);
    thread = search->subject ? search->subject->thread : NULL;
    switch (search->e->type) {
    case GT_WIRE_GO_STATUS:
    case GT_WIRE_GO_STATUS_STACK:
        return v1_search_status(search);
    case GT_WIRE_GO_CREATE:
    case GT_WIRE_GO_CREATE_BLOCKED:
        if (search->subject)
            return v1_leave_out(search);
        return v1_take(search, v1_can_create(search->thread)
                                   ? search->thread
                                   : v1_thread_find(search->writer, v1_can_create));
    case GT_WIRE_GO_START:
        return v1_search_start(search);
    case GT_WIRE_GO_UNBLOCK:
        if (!search->subject || search->subject->status != GT_V2_GO_WAITING)
            return v1_leave_out(search);
        return search->thread ? v1_take(search, search->thread) : v1_take_none(search);
    case GT_WIRE_GO_SYSCALL_END_BLOCKED:
        return v1_search_return(search);
    case GT_WIRE_GO_SYSCALL_END:
        return v1_take(search, thread && thread->proc ? thread : NULL);
    default:
        search->writer->info.moved +=
            search->writer->is_writing && v1_is_running(thread) && thread != search->thread;
        return v1_take(search, v1_is_running(thread) ? thread : NULL);
    }
}

/* Returns whether a range cannot begin, or end, where its context is. */
static bool v1_range_is_wrong(const struct v1_search *search,
                              const struct gt_rewrite_thread *thread)
{
    switch (search->e->type) {
    case GT_WIRE_STW_BEGIN:
        return thread->goroutine->stops;
    case GT_WIRE_STW_END:
        return !thread->goroutine->stops;
    case GT_WIRE_GC_MARK_ASSIST_BEGIN:
        return thread->goroutine->assisting;
    case GT_WIRE_GC_MARK_ASSIST_END:
        return !thread->goroutine->assisting;
    case GT_WIRE_GC_BEGIN:
        return search->writer->state.collecting;
    case GT_WIRE_GC_END:
        return !search->writer->state.collecting;
    default:
        return false;
    }
}

/* Finds the context of an event that needs a running goroutine. */
static gt_status v1_search_runner(struct v1_search *search)
{
    struct gt_writer *writer = search->writer;
    struct gt_rewrite_goroutine *goroutine = search->goroutine;
    struct gt_rewrite_thread *thread = search->thread;
    if (search->e->type == GT_WIRE_STW_END) {
        goroutine = v1_goroutine(writer, writer->v1.stopper);
        thread = goroutine ? goroutine->thread : NULL;
    } else if (goroutine && v1_is_running(goroutine->thread)) {
        thread = goroutine->thread;
    }
    if (!v1_is_running(thread))
        thread = v1_thread_find(writer, v1_is_running);
    if (!thread || v1_range_is_wrong(search, thread))
        return v1_leave_out(search);
    if (search->e->type == GT_WIRE_STW_BEGIN)
        writer->v1.stopper = thread->goroutine->id;
    writer->info.moved += writer->is_writing && thread != search->thread;
    return v1_take(search, thread);
}

/*
 * Finds the context of the begin or the end of a region. Regions must nest on their goroutine, so
 * they cannot move to another one, and after one that is left out no others follow.
 */
static gt_status v1_search_region(struct v1_search *search)
{
    struct gt_rewrite_goroutine *goroutine = search->goroutine;
    if (!goroutine)
        return v1_leave_out(search);
    goroutine->loses_regions |= !v1_is_running(goroutine->thread);
    return goroutine->loses_regions ? v1_leave_out(search) : v1_take(search, goroutine->thread);
}

static gt_status v1_search_sweep(struct v1_search *search)
{
    bool begins = search->e->type == GT_WIRE_GC_SWEEP_BEGIN;
    if (!search->thread || search->proc->sweeping == begins)
        return v1_leave_out(search);
    return v1_take(search, search->thread);
}

static gt_status v1_search_transition(struct v1_search *search)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(search->e->event, &change);
    if (status != GT_OK)
        return status;
    return change.resource.kind == GT_RESOURCE_PROC ? v1_search_proc(search, &change)
                                                    : v1_search_goroutine(search, &change);
}

static gt_status v1_search_thread(struct v1_search *search)
{
    if (search->e->event->kind == GT_EVENT_STATE_TRANSITION)
        return v1_search_transition(search);
    if (search->e->event->kind == GT_EVENT_STACK_SAMPLE) /* needs no thread */
        return GT_OK;
    switch (search->e->type) {
    case GT_WIRE_GC_SWEEP_BEGIN:
    case GT_WIRE_GC_SWEEP_END:
        return v1_search_sweep(search);
    case GT_WIRE_USER_REGION_BEGIN:
    case GT_WIRE_USER_REGION_END:
        return v1_search_region(search);
    case GT_WIRE_HEAP_ALLOC:
    case GT_WIRE_HEAP_GOAL:
        search->writer->info.moved += search->writer->is_writing && !search->thread;
        return v1_take(search, search->thread ? search->thread
                                              : v1_thread_find(search->writer, v1_has_proc));
    default:
        return v1_search_runner(search);
    }
}

/* Returns whether an event may be one of those that list what exists when the trace begins. */
static bool v1_may_list(const struct gt_rewrite_event *e)
{
    switch (e->type) {
    case GT_WIRE_PROC_STATUS:
    case GT_WIRE_PROC_START:
    case GT_WIRE_GO_STATUS:
    case GT_WIRE_GO_STATUS_STACK:
    case GT_WIRE_GO_CREATE:
    case GT_WIRE_GO_CREATE_BLOCKED:
        return true;
    default:
        return false;
    }
}

/*
 * Notes the beginning or the end of a stop of the world. One whose end is left out remains open in
 * the output, so its goroutine can begin no other one there until it has ended this one. If the
 * beginning is not in the output either, it is forgotten.
 */
static void v1_note_stop(const struct v1_search *search)
{
    struct gt_writer *writer = search->writer;
    if (search->e->type == GT_WIRE_STW_BEGIN)
        writer->v1.stops++;
    if (search->e->type != GT_WIRE_STW_END)
        return;
    writer->v1.stops -= writer->v1.stops != 0; /* 0: only in a trace that was repaired */
    struct gt_rewrite_goroutine *goroutine = v1_goroutine(writer, writer->v1.stopper);
    bool is_absent = goroutine && goroutine->stops &&
                     (writer->info.generations == 0 || goroutine->stops->is_lost);
    if (search->is_left_out && is_absent)
        gt_rewrite_stop_end(&writer->state, goroutine);
}

/* Returns whether an event happens on its proc, which therefore runs. */
static bool v1_needs_proc(const struct gt_rewrite_event *e)
{
    gt_transition change = GT_TRANSITION_INIT;
    if (e->event->kind == GT_EVENT_STACK_SAMPLE || e->type == GT_WIRE_GO_STATUS ||
        e->type == GT_WIRE_GO_STATUS_STACK)
        return false;
    return e->event->kind != GT_EVENT_STATE_TRANSITION ||
           (gt_event_transition(e->event, &change) == GT_OK &&
            change.resource.kind == GT_RESOURCE_GOROUTINE);
}

/* Lets the proc of an event of a lenient reader run, if its start was lost. */
static gt_status v1_revive_proc(struct v1_search *search)
{
    struct gt_writer *writer = search->writer;
    const struct gt_rewrite_event *e = search->e;
    bool is_lenient = writer->options.flags & GT_WRITER_LENIENT;
    if (!is_lenient || !search->proc || search->thread || e->time == INT64_MAX || !v1_needs_proc(e))
        return GT_OK;
    search->thread = v1_free_thread(writer, e->event->thread);
    if (!search->thread)
        return gt_rewrite_no_memory(writer);
    gt_status status = v1_wake_proc(search, search->thread, search->proc);
    if (writer->is_writing)
        writer->last_time = e->time - 1;
    return status;
}

gt_status gt_rewrite_v1_context(struct gt_writer *writer, struct gt_rewrite_event *e,
                                bool *is_left_out)
{
    const gt_event *event = e->event;
    struct v1_search search = {.writer = writer, .e = e};
    if (v1_is_proc(event->proc)) {
        search.proc = gt_rewrite_proc_get(&writer->state, event->proc);
        if (!search.proc)
            return gt_rewrite_no_memory(writer);
        search.thread = search.proc->thread;
    } else {
        e->proc = GT_NO_PROC;
    }
    search.goroutine = v1_goroutine(writer, event->goroutine);
    writer->v1.is_listed = writer->v1.is_listed || !v1_may_list(e);
    gt_status status = v1_revive_proc(&search);
    if (status == GT_OK)
        status = v1_search_thread(&search);
    v1_note_stop(&search);
    *is_left_out = search.is_left_out;
    writer->info.left_out += search.is_left_out && writer->is_writing;
    return status;
}
