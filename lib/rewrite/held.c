/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/batch.h"
#include "rewrite/transition.h"
#include "v2/spec.h"

/* Handles events that share a record with those that follow them: see struct gt_rewrite_held. */

gt_status gt_rewrite_transition(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_status status = gt_event_transition(e->event, &change);
    if (status != GT_OK)
        return status;
    return change.resource.kind == GT_RESOURCE_PROC
               ? gt_rewrite_proc_change(writer, e, &change)
               : gt_rewrite_goroutine_change(writer, e, &change);
}

/* Changes the state as the event does, without writing it. */
static gt_status held_follow(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    bool was_writing = writer->is_writing;
    writer->is_writing = false;
    gt_status status = gt_rewrite_transition(writer, e);
    writer->is_writing = was_writing;
    return status;
}

/* Writes a held event that turns out to be a plain loss of the proc. */
static gt_status held_release_steal(struct gt_writer *writer, const struct gt_rewrite_held *held)
{
    struct gt_rewrite_proc *proc = held->proc;
    proc->status = GT_V2_PROC_IDLE;
    gt_rewrite_free_proc(proc);
    proc->sequence++;
    if (held->is_skipped)
        return GT_OK;
    return gt_rewrite_put(writer, held->thread, held->time, held->type, (uint64_t) proc->id,
                          proc->sequence, (uint64_t) held->thread->written_id);
}

/* Writes the held part of a switch within which the output ends. */
static gt_status held_release_switch(struct gt_writer *writer, const struct gt_rewrite_held *held)
{
    struct gt_rewrite_goroutine *next = gt_rewrite_goroutine_get(&writer->state, held->goroutine);
    if (!next)
        return gt_rewrite_no_memory(writer);
    next->sequence++;
    gt_status status = gt_rewrite_put(writer, held->thread, held->time, GT_WIRE_GO_UNBLOCK,
                                      (uint64_t) held->goroutine, next->sequence, 0);
    if (status != GT_OK || !held->has_second)
        return status;
    if (held->type == GT_WIRE_GO_SWITCH)
        return gt_rewrite_put(writer, held->thread, held->second_time, GT_WIRE_GO_BLOCK, 0, 0);
    return gt_rewrite_put_bare(writer, held->thread, held->second_time, GT_WIRE_GO_DESTROY);
}

gt_status gt_rewrite_held_release(struct gt_writer *writer)
{
    const struct gt_rewrite_held held = writer->held;
    writer->held.type = 0;
    if (held.type == 0)
        return GT_OK;
    bool was_writing = writer->is_writing;
    writer->is_writing = !held.is_skipped;
    gt_status status = held.type == GT_WIRE_PROC_STEAL ? held_release_steal(writer, &held)
                                                       : held_release_switch(writer, &held);
    writer->is_writing = was_writing;
    return status;
}

/* Returns the type of the next event that completes or continues the held event. */
static uint32_t held_next_type(const struct gt_rewrite_held *held)
{
    switch (held->type) {
    case GT_WIRE_PROC_STEAL:
        return GT_WIRE_GO_DESTROY_SYSCALL;
    case GT_WIRE_GO_SWITCH:
        return held->has_second ? GT_WIRE_GO_START : GT_WIRE_GO_BLOCK;
    default:
        return held->has_second ? GT_WIRE_GO_START : GT_WIRE_GO_DESTROY;
    }
}

/*
 * Handles the second event of a GoDestroySyscall: a goroutine that C code has called into returns,
 * and its thread loses the proc. If the output begins between the two events, only the second one
 * is written.
 */
static gt_status held_take_destroy(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                   bool *is_taken)
{
    const struct gt_rewrite_held held = writer->held;
    writer->held.type = 0;
    held.proc->status = GT_V2_PROC_SYSCALL_ABANDONED;
    gt_rewrite_free_proc(held.proc);
    *is_taken = !held.is_skipped;
    if (held.is_skipped)
        return GT_OK;
    gt_status status = held_follow(writer, e);
    return status == GT_OK ? gt_rewrite_put_bare(writer, held.thread, held.time, e->type) : status;
}

static gt_status held_take_switch(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                  bool *is_taken)
{
    const struct gt_rewrite_held held = writer->held;
    *is_taken = true;
    gt_status status = held_follow(writer, e);
    if (status != GT_OK)
        return status;
    if (!held.has_second) {
        writer->held.has_second = true;
        writer->held.second_time = e->time;
        return GT_OK;
    }
    writer->held.type = 0;
    struct gt_rewrite_goroutine *next = gt_rewrite_goroutine_get(&writer->state, held.goroutine);
    return next ? gt_rewrite_put(writer, held.thread, held.time, held.type,
                                 (uint64_t) held.goroutine, next->sequence)
                : gt_rewrite_no_memory(writer);
}

/*
 * Returns whether an event completes or continues the held one. A thread can also steal its proc by
 * a record of its own, and end the goroutine by another one. Then the proc is gone from the context
 * of the second event, while both events of a GoDestroySyscall have it.
 */
static bool held_goes_on(const struct gt_rewrite_held *held, const struct gt_rewrite_event *e)
{
    if (e->type != held_next_type(held) || e->thread != held->thread)
        return false;
    return held->type != GT_WIRE_PROC_STEAL || e->event->proc == held->proc->id;
}

gt_status gt_rewrite_held_offer(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                bool *is_taken)
{
    const struct gt_rewrite_held *held = &writer->held;
    *is_taken = false;
    if (!held_goes_on(held, e))
        return gt_rewrite_held_release(writer);
    return held->type == GT_WIRE_PROC_STEAL ? held_take_destroy(writer, e, is_taken)
                                            : held_take_switch(writer, e, is_taken);
}
