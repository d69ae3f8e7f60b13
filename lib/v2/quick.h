/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_QUICK_H
#define GT_V2_QUICK_H

#include "base/likely.h"
#include "v2/order.h"

/*
 * The frequent types of events within the loop of the merge, for the case that nothing about an
 * event is unusual. A case here requires all that the rule of its type requires (see order.h), and
 * that no thread is parked. If anything is missing, it has changed nothing, and the rule decides:
 * waiting, errors and repairs are only there.
 */

/* A varint, and where it ends; NULL if it is malformed. */
struct gt_v2_number {
    const uint8_t *end;
    uint64_t value;
};

/* A varint of three bytes or more, out of line. */
struct gt_v2_number gt_v2_number_long(const uint8_t *p);

static GT_ALWAYS_INLINE struct gt_v2_number gt_v2_number_read(const uint8_t *p)
{
    uint64_t low = p[0];
    uint64_t high = p[1];
    if (low < 0x80)
        return (struct gt_v2_number){p + 1, low};
    if (high < 0x80)
        return (struct gt_v2_number){p + 2, (low & 0x7f) | high << 7};
    return gt_v2_number_long(p);
}

/* Reads the arguments of the thread's next event. Returns where it ends, or NULL. */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_read(const struct gt_v2_thread *thread,
                                                        uint64_t *numbers, unsigned count)
{
    const uint8_t *p = thread->pos;
    for (unsigned i = 0; i < count; i++) {
        struct gt_v2_number number = gt_v2_number_read(p);
        if (GT_UNLIKELY(!number.end))
            return NULL;
        numbers[i] = number.value;
        p = number.end;
    }
    return p <= thread->end ? p : NULL;
}

/* Whether the thread has a proc and a goroutine with this status. */
static GT_ALWAYS_INLINE bool gt_v2_quick_is(const struct gt_v2_thread *thread, uint8_t status)
{
    const struct gt_v2_goroutine *goroutine = thread->goroutine;
    return goroutine && goroutine->id == thread->goroutine_id && goroutine->status == status &&
           gt_v2_has_proc(thread);
}

/*
 * The goroutine with this id, or NULL. For the id GT_NO_GOROUTINE it may also be a goroutine that
 * has ended, which is not runnable or waiting.
 */
static GT_ALWAYS_INLINE struct gt_v2_goroutine *gt_v2_goroutine_recent(struct gt_v2 *v2,
                                                                       uint64_t id)
{
    struct gt_v2_goroutine **recent = &v2->state.recent[id % GT_V2_RECENT];
    if (GT_UNLIKELY((uint64_t) (*recent)->id != id)) {
        struct gt_v2_goroutine *found = gt_v2_goroutine_find_slow(v2, id);
        if (!found)
            return NULL;
        *recent = found;
    }
    return *recent;
}

/* A goroutine with the sequence number before the event's begins to run. */
static GT_ALWAYS_INLINE bool gt_v2_quick_start(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                               struct gt_event_data *data)
{
    uint64_t numbers[2];
    const uint8_t *end = gt_v2_quick_read(thread, numbers, 2);
    if (!end || !gt_v2_has_proc(thread) || gt_v2_has_goroutine(thread))
        return false;
    struct gt_v2_goroutine *goroutine = gt_v2_goroutine_recent(v2, numbers[0]);
    if (!goroutine || goroutine->status != GT_V2_GO_RUNNABLE ||
        !gt_v2_succeeds(v2, &goroutine->seq, numbers[1]))
        return false;
    goroutine->status = GT_V2_GO_RUNNING;
    goroutine->seq.number = numbers[1];
    thread->goroutine = goroutine;
    thread->goroutine_id = (int64_t) numbers[0];
    thread->pos = end;
    data->arguments[0] = numbers[0];
    return true;
}

/* The thread's goroutine stops running, for a reason. */
static GT_ALWAYS_INLINE bool gt_v2_quick_stop(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                              struct gt_event_data *data, uint8_t status)
{
    uint64_t numbers[2];
    uint32_t reason, stack;
    const uint8_t *end = gt_v2_quick_read(thread, numbers, 2);
    if (!end || !gt_v2_quick_is(thread, GT_V2_GO_RUNNING) ||
        !gt_strings_find(&v2->table->strings, numbers[0], &reason) ||
        !gt_stacks_find(&v2->table->stacks, numbers[1], &stack))
        return false;
    struct gt_v2_goroutine *goroutine = thread->goroutine;
    goroutine->status = status;
    thread->goroutine = NULL;
    thread->goroutine_id = GT_NO_GOROUTINE;
    thread->pos = end;
    gt_v2_goroutine_changed(v2, goroutine);
    data->strings[0] = reason;
    data->stack = stack;
    return true;
}

static GT_ALWAYS_INLINE bool gt_v2_quick_unblock(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                                 struct gt_event_data *data)
{
    uint64_t numbers[3];
    uint32_t stack;
    const uint8_t *end = gt_v2_quick_read(thread, numbers, 3);
    if (!end || !gt_stacks_find(&v2->table->stacks, numbers[2], &stack))
        return false;
    struct gt_v2_goroutine *goroutine = gt_v2_goroutine_recent(v2, numbers[0]);
    if (!goroutine || goroutine->status != GT_V2_GO_WAITING ||
        !gt_v2_succeeds(v2, &goroutine->seq, numbers[1]))
        return false;
    goroutine->status = GT_V2_GO_RUNNABLE;
    goroutine->seq.number = numbers[1];
    thread->pos = end;
    gt_v2_goroutine_changed(v2, goroutine);
    data->arguments[0] = numbers[0];
    data->stack = stack;
    return true;
}

/* The thread's goroutine enters a system call, with its proc. */
static GT_ALWAYS_INLINE bool gt_v2_quick_syscall(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                                 struct gt_event_data *data)
{
    uint64_t numbers[2];
    uint32_t stack;
    struct gt_v2_proc *proc = thread->proc;
    const uint8_t *end = gt_v2_quick_read(thread, numbers, 2);
    if (!end || !gt_v2_quick_is(thread, GT_V2_GO_RUNNING) ||
        !gt_v2_succeeds(v2, &proc->seq, numbers[0]) ||
        !gt_stacks_find(&v2->table->stacks, numbers[1], &stack))
        return false;
    thread->goroutine->status = GT_V2_GO_SYSCALL;
    proc->status = GT_V2_PROC_SYSCALL;
    proc->seq.number = numbers[0];
    thread->pos = end;
    data->stack = stack;
    gt_v2_proc_changed(v2, proc);
    return true;
}

/* The thread's goroutine returns from a system call, and still has its proc. */
static GT_ALWAYS_INLINE bool gt_v2_quick_return(struct gt_v2 *v2, struct gt_v2_thread *thread)
{
    struct gt_v2_proc *proc = thread->proc;
    if (thread->pos > thread->end || !gt_v2_quick_is(thread, GT_V2_GO_SYSCALL) ||
        proc->status != GT_V2_PROC_SYSCALL)
        return false;
    thread->goroutine->status = GT_V2_GO_RUNNING;
    proc->status = GT_V2_PROC_RUNNING;
    gt_v2_proc_changed(v2, proc);
    return true;
}

static GT_ALWAYS_INLINE bool gt_v2_quick_metric(struct gt_v2_thread *thread,
                                                struct gt_event_data *data)
{
    uint64_t number;
    const uint8_t *end = gt_v2_quick_read(thread, &number, 1);
    if (!end || !gt_v2_has_proc(thread))
        return false;
    thread->pos = end;
    data->event.kind = GT_EVENT_METRIC;
    data->arguments[0] = number;
    return true;
}

/* Returns whether the thread's next event was taken. `data` has its type and context. */
static GT_ALWAYS_INLINE bool gt_v2_quick_take(struct gt_v2 *v2, struct gt_v2_thread *thread,
                                              struct gt_event_data *data)
{
    data->event.kind = GT_EVENT_STATE_TRANSITION;
    switch (thread->lane.type) {
    case GT_WIRE_GO_START:
        return gt_v2_quick_start(v2, thread, data);
    case GT_WIRE_GO_STOP:
        return gt_v2_quick_stop(v2, thread, data, GT_V2_GO_RUNNABLE);
    case GT_WIRE_GO_BLOCK:
        return gt_v2_quick_stop(v2, thread, data, GT_V2_GO_WAITING);
    case GT_WIRE_GO_UNBLOCK:
        return gt_v2_quick_unblock(v2, thread, data);
    case GT_WIRE_GO_SYSCALL_BEGIN:
        return gt_v2_quick_syscall(v2, thread, data);
    case GT_WIRE_GO_SYSCALL_END:
        return gt_v2_quick_return(v2, thread);
    case GT_WIRE_HEAP_ALLOC:
    case GT_WIRE_HEAP_GOAL:
        return gt_v2_quick_metric(thread, data);
    default:
        return false;
    }
}

#endif
