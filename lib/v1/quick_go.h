/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_QUICK_GO_H
#define GT_V1_QUICK_GO_H

#include "v1/quick_read.h"

/* The quick cases of goroutines and system calls. See v1/quick.h. */

/*
 * Returns whether the proc's context, which may be no goroutine, agrees with the goroutine that
 * runs on the proc.
 */
static GT_ALWAYS_INLINE bool gt_v1_quick_is_consistent(const struct gt_v1_proc *proc)
{
    return proc->goroutine ? gt_v1_quick_runs(proc) : proc->context == GT_NO_GOROUTINE;
}

/* Creates a goroutine whose neighbours by id exist, in the memory of a goroutine that has ended. */
static GT_ALWAYS_INLINE const uint8_t *gt_v1_quick_create(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                                          const struct gt_v1_place *at,
                                                          struct gt_event_data *data)
{
    uint64_t numbers[3];
    const uint8_t *end = gt_v1_quick_read(at, numbers, 3);
    if (!gt_v1_quick_is_consistent(proc) || numbers[0] == 0 ||
        numbers[0] == (uint64_t) GT_NO_GOROUTINE)
        return NULL;
    struct gt_v1_goroutine *created = gt_idmap_add_again(&v1->state.goroutines, numbers[0]);
    if (!created)
        return NULL;
    created->id = numbers[0];
    created->seq = 1;
    gt_stacks_find(&v1->table.stacks, (uint32_t) numbers[1], &created->start);
    v1->state.recent[numbers[0] % GT_V1_RECENT] = created;
    gt_v1_goroutine_set_state(v1, created, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    data->type = GT_WIRE_GO_CREATE;
    data->arguments[0] = numbers[0];
    data->own_stack = created->start != 0 ? created->start : GT_STACK_EMPTY_SLOT;
    gt_v1_quick_stack(v1, numbers[2], data);
    return end;
}

/* Ends the proc's goroutine. */
static GT_ALWAYS_INLINE const uint8_t *gt_v1_quick_end(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                                       const struct gt_v1_place *at,
                                                       struct gt_event_data *data)
{
    if (!gt_v1_quick_runs(proc))
        return NULL;
    gt_v1_goroutine_end(v1, proc->goroutine, GT_GO_NOT_EXIST);
    proc->context = GT_NO_GOROUTINE;
    data->type = GT_WIRE_GO_DESTROY;
    return at->pos;
}

/* Starts a goroutine on the proc. If `numbered` is set, the event has a sequence number. */
static GT_ALWAYS_INLINE const uint8_t *gt_v1_quick_start(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                                         const struct gt_v1_place *at,
                                                         struct gt_event_data *data, bool numbered)
{
    uint64_t numbers[2];
    const uint8_t *end = gt_v1_quick_read(at, numbers, numbered ? 2 : 1);
    struct gt_v1_goroutine *goroutine = gt_v1_goroutine_recent(v1, numbers[0]);
    if (goroutine->state != GT_V1_RUNNABLE || proc->goroutine ||
        (numbered && goroutine->seq != numbers[1]))
        return NULL;
    goroutine->seq = gt_v1_seq_after(goroutine, false, 0);
    goroutine->on_network = false;
    gt_v1_goroutine_set_state(v1, goroutine, GT_V1_RUNNING, GT_GO_RUNNING);
    gt_v1_goroutine_enter(goroutine, proc);
    data->event.goroutine = (int64_t) numbers[0];
    data->type = GT_WIRE_GO_START;
    data->arguments[0] = numbers[0];
    return end;
}

/* Stops the proc's goroutine, and sets its new state. */
static GT_ALWAYS_INLINE const uint8_t *
gt_v1_quick_stop(struct gt_v1 *v1, struct gt_v1_proc *proc, const struct gt_v1_place *at,
                 struct gt_event_data *data, enum gt_v1_go_state state, gt_go_state reported)
{
    uint64_t stack;
    const uint8_t *end = gt_v1_quick_read(at, &stack, 1);
    if (!gt_v1_quick_runs(proc))
        return NULL;
    struct gt_v1_goroutine *goroutine = proc->goroutine;
    goroutine->proc = NULL;
    proc->goroutine = NULL;
    proc->context = GT_NO_GOROUTINE;
    goroutine->on_network = at->type == GT_V1_GO_BLOCK_NET;
    gt_v1_goroutine_set_state(v1, goroutine, state, reported);
    data->type = state == GT_V1_RUNNABLE ? GT_WIRE_GO_STOP : GT_WIRE_GO_BLOCK;
    data->strings[0] = v1->output.reasons[gt_v1_stop_reasons[at->type]];
    gt_v1_quick_stack(v1, stack, data);
    return end;
}

/*
 * Makes a goroutine runnable. If `numbered` is set, the event has a sequence number. In traces with
 * goroutines that fire timers the rule decides.
 */
static GT_ALWAYS_INLINE const uint8_t *
gt_v1_quick_unblock(struct gt_v1 *v1, struct gt_v1_proc *proc, const struct gt_v1_place *at,
                    struct gt_event_data *data, bool numbered)
{
    uint64_t numbers[3];
    const uint8_t *end = gt_v1_quick_read(at, numbers, numbered ? 3 : 2);
    struct gt_v1_goroutine *goroutine = gt_v1_goroutine_recent(v1, numbers[0]);
    if (goroutine->state != GT_V1_WAITING || (numbered && goroutine->seq != numbers[1]) ||
        v1->input.timers.entries || !gt_v1_quick_is_consistent(proc))
        return NULL;
    if (goroutine->on_network) {
        data->event.proc = GT_STAND_IN_NETWORK;
        data->event.thread = GT_NO_THREAD;
    }
    goroutine->seq = gt_v1_seq_after(goroutine, false, 0);
    gt_v1_goroutine_set_state(v1, goroutine, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    data->type = GT_WIRE_GO_UNBLOCK;
    data->arguments[0] = numbers[0];
    gt_v1_quick_stack(v1, numbers[numbered ? 2 : 1], data);
    return end;
}

/*
 * A system call of the proc's goroutine that does not block, which the proc's next event shows.
 * Completes the first of its two events, and advances `*data` to the second one.
 */
static GT_ALWAYS_INLINE const uint8_t *gt_v1_quick_syscall(struct gt_v1 *v1,
                                                           struct gt_v1_proc *proc,
                                                           const struct gt_v1_place *at,
                                                           struct gt_event_data **data)
{
    struct gt_event_data *begin = *data;
    uint64_t stack;
    const uint8_t *end = gt_v1_quick_read(at, &stack, 1);
    if (!gt_v1_quick_runs(proc) || end == proc->end ||
        gt_v1_event_roles[*end & 0x3f] != GT_V1_ROLE_OWN)
        return NULL;
    proc->goroutine->split = false;
    begin->type = GT_WIRE_GO_SYSCALL_BEGIN;
    begin->event.time = gt_v1_next_time(v1, at->ticks);
    gt_v1_set_thread(begin);
    gt_v1_quick_stack(v1, stack, begin);
    gt_event_take_context(&begin[1], begin);
    begin[1].type = GT_WIRE_GO_SYSCALL_END;
    begin[1].stack = 0;
    *data = &begin[1];
    return end;
}

#endif
