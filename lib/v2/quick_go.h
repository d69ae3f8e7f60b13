/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_QUICK_GO_H
#define GT_V2_QUICK_GO_H

#include "v2/quick_read.h"

/* The quick cases of goroutines and system calls. See v2/quick.h. */

/*
 * Creates a goroutine whose neighbours by id exist, in the memory of a goroutine that has ended.
 * The creator is a running goroutine or the runtime itself.
 */
static GT_ALWAYS_INLINE const uint8_t *
gt_v2_quick_create(struct gt_v2 *v2, struct gt_v2_thread *thread, const uint8_t *p,
                   struct gt_event_data *data, uint8_t status)
{
    uint64_t numbers[3];
    uint32_t own_stack, stack;
    const uint8_t *end = gt_v2_quick_read(thread, p, numbers, 3);
    if (!end || !gt_v2_has_proc(thread) ||
        (gt_v2_has_goroutine(thread) && !gt_v2_quick_is(thread, GT_V2_GO_RUNNING)) ||
        numbers[0] == (uint64_t) GT_NO_GOROUTINE ||
        !gt_stacks_find(&v2->table->stacks, numbers[1], &own_stack) ||
        !gt_stacks_find(&v2->table->stacks, numbers[2], &stack))
        return NULL;
    struct gt_v2_goroutine *created = gt_idmap_add_again(&v2->state.goroutines, numbers[0]);
    if (!created)
        return NULL;
    gt_v2_goroutine_begin(v2, created, (int64_t) numbers[0], status);
    v2->state.recent[numbers[0] % GT_V2_RECENT] = created;
    gt_v2_goroutine_changed(v2, created);
    data->arguments[0] = numbers[0];
    data->own_stack = own_stack == 0 ? GT_STACK_EMPTY_SLOT : own_stack;
    data->stack = stack;
    return end;
}

/* Ends the thread's goroutine. */
static GT_ALWAYS_INLINE const uint8_t *
gt_v2_quick_destroy(struct gt_v2 *v2, struct gt_v2_thread *thread, const uint8_t *p)
{
    const uint8_t *end = gt_v2_quick_end(thread, p);
    if (!end || !gt_v2_quick_is(thread, GT_V2_GO_RUNNING))
        return NULL;
    gt_v2_goroutine_end(v2, thread->goroutine);
    gt_v2_unbind_goroutine(thread);
    return end;
}

/* Starts a goroutine whose sequence number is the one before the event's. */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_start(struct gt_v2 *v2,
                                                         struct gt_v2_thread *thread,
                                                         const uint8_t *p,
                                                         struct gt_event_data *data)
{
    uint64_t numbers[2];
    const uint8_t *end = gt_v2_quick_read(thread, p, numbers, 2);
    if (!end || !gt_v2_has_proc(thread) || gt_v2_has_goroutine(thread))
        return NULL;
    struct gt_v2_goroutine *goroutine = gt_v2_goroutine_recent(v2, numbers[0]);
    if (!goroutine || goroutine->status != GT_V2_GO_RUNNABLE ||
        !gt_v2_succeeds(v2, &goroutine->seq, numbers[1]))
        return NULL;
    goroutine->status = GT_V2_GO_RUNNING;
    goroutine->seq.number = numbers[1];
    thread->goroutine = goroutine;
    thread->goroutine_id = (int64_t) numbers[0];
    data->arguments[0] = numbers[0];
    return end;
}

/* Stops the thread's goroutine for a reason. */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_stop(struct gt_v2 *v2,
                                                        struct gt_v2_thread *thread,
                                                        const uint8_t *p,
                                                        struct gt_event_data *data, uint8_t status)
{
    uint64_t numbers[2];
    uint32_t reason, stack;
    const uint8_t *end = gt_v2_quick_read(thread, p, numbers, 2);
    if (!end || !gt_v2_quick_is(thread, GT_V2_GO_RUNNING) ||
        !gt_strings_find(&v2->table->strings, numbers[0], &reason) ||
        !gt_stacks_find(&v2->table->stacks, numbers[1], &stack))
        return NULL;
    struct gt_v2_goroutine *goroutine = thread->goroutine;
    goroutine->status = status;
    thread->goroutine = NULL;
    thread->goroutine_id = GT_NO_GOROUTINE;
    gt_v2_goroutine_changed(v2, goroutine);
    data->strings[0] = reason;
    data->stack = stack;
    return end;
}

static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_unblock(struct gt_v2 *v2,
                                                           struct gt_v2_thread *thread,
                                                           const uint8_t *p,
                                                           struct gt_event_data *data)
{
    uint64_t numbers[3];
    uint32_t stack;
    const uint8_t *end = gt_v2_quick_read(thread, p, numbers, 3);
    if (!end || !gt_stacks_find(&v2->table->stacks, numbers[2], &stack))
        return NULL;
    struct gt_v2_goroutine *goroutine = gt_v2_goroutine_recent(v2, numbers[0]);
    if (!goroutine || goroutine->status != GT_V2_GO_WAITING ||
        !gt_v2_succeeds(v2, &goroutine->seq, numbers[1]))
        return NULL;
    goroutine->status = GT_V2_GO_RUNNABLE;
    goroutine->seq.number = numbers[1];
    gt_v2_goroutine_changed(v2, goroutine);
    data->arguments[0] = numbers[0];
    data->stack = stack;
    return end;
}

/* Begins a system call of the thread's goroutine, which keeps its proc. */
static GT_ALWAYS_INLINE const uint8_t *gt_v2_quick_syscall(struct gt_v2 *v2,
                                                           struct gt_v2_thread *thread,
                                                           const uint8_t *p,
                                                           struct gt_event_data *data)
{
    uint64_t numbers[2];
    uint32_t stack;
    struct gt_v2_proc *proc = thread->proc;
    const uint8_t *end = gt_v2_quick_read(thread, p, numbers, 2);
    if (!end || !gt_v2_quick_is(thread, GT_V2_GO_RUNNING) ||
        !gt_v2_succeeds(v2, &proc->seq, numbers[0]) ||
        !gt_stacks_find(&v2->table->stacks, numbers[1], &stack))
        return NULL;
    thread->goroutine->status = GT_V2_GO_SYSCALL;
    proc->status = GT_V2_PROC_SYSCALL;
    proc->seq.number = numbers[0];
    data->stack = stack;
    gt_v2_proc_changed(v2, proc);
    return end;
}

/* Ends a system call of the thread's goroutine, which has kept its proc. */
static GT_ALWAYS_INLINE const uint8_t *
gt_v2_quick_return(struct gt_v2 *v2, struct gt_v2_thread *thread, const uint8_t *p)
{
    struct gt_v2_proc *proc = thread->proc;
    const uint8_t *end = gt_v2_quick_end(thread, p);
    if (!end || !gt_v2_quick_is(thread, GT_V2_GO_SYSCALL) || proc->status != GT_V2_PROC_SYSCALL)
        return NULL;
    thread->goroutine->status = GT_V2_GO_RUNNING;
    proc->status = GT_V2_PROC_RUNNING;
    gt_v2_proc_changed(v2, proc);
    return end;
}

#endif
