/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

/* Events of goroutines, except for system calls. */

/* The slot of the stack with which a goroutine starts. In version 5 `id` is a program counter. */
static uint32_t v1_start_slot(const struct gt_v1 *v1, uint64_t id)
{
    uint32_t slot;
    if (v1->version < 7)
        return (uint32_t) gt_idmap_get_number(&v1->symbols.starts, id);
    gt_stacks_find(&v1->table.stacks, (uint32_t) id, &slot);
    return slot;
}

/* Adds the goroutine to the list of those that existed when the trace started. */
static void v1_goroutine_list(struct gt_v1_state *state, struct gt_v1_goroutine *goroutine)
{
    goroutine->is_unreported = true;
    goroutine->reported = goroutine->is_listed ? GT_GO_NOT_EXIST : GT_GO_UNDETERMINED;
    if (goroutine->is_listed)
        return;
    goroutine->is_listed = true;
    goroutine->next = NULL;
    if (state->last_listed)
        state->last_listed->next = goroutine;
    else
        state->listed = goroutine;
    state->last_listed = goroutine;
}

/*
 * Returns whether the proc's context, which may be no goroutine, agrees with the goroutine that
 * runs on the proc.
 */
static bool v1_context_runs(const struct gt_v1_proc *proc)
{
    const struct gt_v1_goroutine *goroutine = proc->goroutine;
    return goroutine ? (int64_t) goroutine->id == proc->context : proc->context == GT_NO_GOROUTINE;
}

static gt_result v1_context_check(struct gt_v1 *v1, const struct gt_v1_proc *proc)
{
    if (v1_context_runs(proc))
        return GT_RESULT_DONE;
    gt_v1_fail_event(v1, proc, GT_ERR_ORDER, "%s by goroutine %u, which does not run on proc %d",
                     (uint64_t) proc->context, (uint64_t) proc->id);
    return gt_v1_forgive(v1, "; it is taken as it is") ? GT_RESULT_DONE : GT_RESULT_ERROR;
}

/*
 * Returns whether the goroutine exists. While the trace is still starting, a goroutine that stopped
 * for ever counts as existing.
 */
static bool v1_goroutine_exists(const struct gt_v1 *v1, const struct gt_v1_goroutine *goroutine)
{
    if (goroutine->state != GT_V1_DEAD)
        return true;
    if (goroutine->is_over && !gt_v1_is_repaired(v1))
        return false;
    return goroutine->reported > GT_GO_NOT_EXIST;
}

/*
 * GoCreate. When the trace starts, the runtime records all existing goroutines as if they were
 * created.
 */
gt_result gt_v1_go_create(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    uint64_t start = gt_v1_number(proc);
    gt_v1_take_stack(v1, proc, data);
    gt_result result = v1_context_check(v1, proc);
    if (result != GT_RESULT_DONE)
        return result;
    if ((int64_t) id == GT_NO_GOROUTINE) {
        gt_v1_fail_event(v1, proc, GT_ERR_ORDER, "%s of goroutine %d, which stands for none", id,
                         0);
        return gt_v1_leave_out(v1);
    }
    struct gt_v1_goroutine *goroutine = id != 0 ? gt_v1_goroutine_get(v1, id) : NULL;
    if (id != 0 && !goroutine)
        return gt_v1_fail_memory(v1);
    if (id == 0 || v1_goroutine_exists(v1, goroutine)) {
        gt_v1_fail_event(v1, proc, GT_ERR_ORDER, "%s of goroutine %u, which exists already", id, 0);
        return gt_v1_leave_out(v1);
    }
    goroutine->start = v1_start_slot(v1, start);
    goroutine->seq = 1;
    gt_v1_goroutine_set_state(v1, goroutine, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    if (v1->state.starting) {
        v1_goroutine_list(&v1->state, goroutine);
        return GT_RESULT_NONE;
    }
    data->arguments[0] = id;
    data->own_stack = goroutine->start != 0 ? goroutine->start : GT_STACK_EMPTY_SLOT;
    return GT_RESULT_DONE;
}

/*
 * Completes the first event of a goroutine. After repairs the reader may already have added an
 * event of the goroutine.
 */
static void v1_goroutine_introduce(const struct gt_v1 *v1, struct gt_v1_goroutine *goroutine,
                                   gt_go_state to, struct gt_event_data *data)
{
    bool with_start = v1->options.as_recorded && goroutine->start != 0;
    data->type = with_start ? GT_WIRE_GO_STATUS_START : GT_WIRE_GO_STATUS;
    data->arguments[0] = goroutine->id;
    data->own_stack = goroutine->start;
    data->from = gt_v1_is_repaired(v1) ? goroutine->reported : GT_GO_UNDETERMINED;
    data->to = (uint8_t) to;
    goroutine->is_unreported = false;
}

/*
 * Returns whether an event about the goroutine was delivered. A GoStart with a label does not
 * count.
 */
static bool v1_goroutine_is_known(const struct gt_v1 *v1, const struct gt_v1_goroutine *goroutine)
{
    return gt_v1_is_repaired(v1) && goroutine->reported > GT_GO_NOT_EXIST;
}

void gt_v1_add_owed(struct gt_v1 *v1)
{
    const struct gt_event_data *end = v1->output.events->list + GT_EVENTS_AHEAD;
    while (v1->state.owed && v1->output.next < end) {
        struct gt_v1_goroutine *goroutine = v1->state.owed;
        struct gt_event_data *data = v1->output.next;
        v1->state.owed = goroutine->next;
        if (!goroutine->is_unreported || v1_goroutine_is_known(v1, goroutine))
            continue;
        v1_goroutine_introduce(v1, goroutine, GT_GO_RUNNABLE, data);
        if (goroutine->state == GT_V1_RUNNABLE)
            goroutine->reported = GT_GO_RUNNABLE;
        data->event.kind = GT_EVENT_STATE_TRANSITION;
        data->event.thread = GT_NO_THREAD;
        data->event.proc = GT_NO_PROC;
        data->event.goroutine = GT_NO_GOROUTINE;
        data->stack = 0;
        v1->output.ticks = v1->state.owed_ticks;
        gt_v1_set_time(v1, data);
        v1->output.next++;
    }
}

/* Handles the start of a goroutine on a proc on which another goroutine still runs. */
static struct gt_v1_subject v1_proc_free(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                         struct gt_v1_subject subject)
{
    struct gt_v1_goroutine *other = proc->goroutine;
    gt_v1_fail_event(v1, proc, GT_ERR_ORDER, "%s on proc %d, which runs goroutine %u",
                     (uint64_t) (int64_t) proc->id, other->id);
    if (gt_v1_forgive(v1, "; that is made to wait"))
        subject.data = gt_v1_force_goroutine(v1, subject.data, other, GT_V1_WAITING, GT_GO_WAITING);
    else
        subject.result = GT_RESULT_ERROR;
    return subject;
}

/* Starts a goroutine. Completes its event except for a label. */
static inline struct gt_v1_subject v1_goroutine_start(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                                      uint64_t id, bool numbered, uint64_t seq,
                                                      struct gt_event_data *data)
{
    struct gt_v1_subject subject = {gt_v1_goroutine_find(v1, id), data, GT_RESULT_DONE};
    if (!subject.goroutine || subject.goroutine->state != GT_V1_RUNNABLE ||
        (numbered && subject.goroutine->seq != seq)) {
        struct gt_v1_want want = {id, seq, numbered, GT_V1_RUNNABLE, GT_GO_RUNNABLE};
        subject = gt_v1_goroutine_require(v1, proc, &want, subject);
        if (subject.result != GT_RESULT_DONE)
            return subject;
    }
    if (GT_UNLIKELY(proc->goroutine)) {
        subject = v1_proc_free(v1, proc, subject);
        if (subject.result != GT_RESULT_DONE)
            return subject;
    }
    subject.data->event.goroutine = (int64_t) id;
    if (v1->state.starting && (proc->lane.type != GT_V1_GO_START_LABEL || gt_v1_is_repaired(v1)))
        v1_goroutine_introduce(v1, subject.goroutine, GT_GO_RUNNING, subject.data);
    subject.data->arguments[0] = id;
    subject.goroutine->seq = gt_v1_seq_after(subject.goroutine, numbered, seq);
    subject.goroutine->on_network = false;
    gt_v1_goroutine_set_state(v1, subject.goroutine, GT_V1_RUNNING, GT_GO_RUNNING);
    gt_v1_goroutine_enter(subject.goroutine, proc);
    return subject;
}

gt_result gt_v1_go_start(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    if (v1->version < 7)
        return v1_goroutine_start(v1, proc, id, false, 0, data).result;
    uint64_t seq = gt_v1_number(proc);
    return v1_goroutine_start(v1, proc, id, gt_v1_is_seq(seq), seq, data).result;
}

gt_result gt_v1_go_start_local(struct gt_v1 *v1, struct gt_v1_proc *proc,
                               struct gt_event_data *data)
{
    return v1_goroutine_start(v1, proc, gt_v1_number(proc), false, 0, data).result;
}

gt_result gt_v1_go_start_label(struct gt_v1 *v1, struct gt_v1_proc *proc,
                               struct gt_event_data *data)
{
    uint32_t label;
    uint64_t id = gt_v1_number(proc);
    uint64_t seq = gt_v1_number(proc);
    uint64_t string = gt_v1_number(proc);
    if (!gt_strings_find(&v1->table.strings, string, &label) && !v1->repair.lenient)
        return gt_v1_fail_string(v1, proc, string);
    struct gt_v1_subject subject = v1_goroutine_start(v1, proc, id, gt_v1_is_seq(seq), seq, data);
    if (subject.result != GT_RESULT_DONE)
        return subject.result;
    gt_result result = gt_v1_take_string(v1, proc, string, &label);
    if (result != GT_RESULT_DONE)
        return result;
    struct gt_event_data *start = subject.data;
    gt_v1_set_thread(start);
    gt_event_take_context(&start[1], start);
    start[1].event.kind = GT_EVENT_LABEL;
    start[1].type = GT_WIRE_GO_LABEL;
    start[1].stack = 0;
    start[1].strings[0] = label;
    return GT_RESULT_TWO;
}

const uint8_t gt_v1_stop_reasons[64] = {
    [GT_V1_GO_STOP] = GT_V1_FOREVER,
    [GT_V1_GO_SCHED] = GT_V1_GOSCHED,
    [GT_V1_GO_PREEMPT] = GT_V1_PREEMPTED,
    [GT_V1_GO_SLEEP] = GT_V1_SLEEP,
    [GT_V1_GO_BLOCK] = GT_V1_NO_REASON,
    [GT_V1_GO_BLOCK_SEND] = GT_V1_CHAN_SEND,
    [GT_V1_GO_BLOCK_RECV] = GT_V1_CHAN_RECEIVE,
    [GT_V1_GO_BLOCK_SELECT] = GT_V1_SELECT,
    [GT_V1_GO_BLOCK_SYNC] = GT_V1_SYNC,
    [GT_V1_GO_BLOCK_COND] = GT_V1_COND,
    [GT_V1_GO_BLOCK_NET] = GT_V1_NETWORK,
    [GT_V1_GO_BLOCK_GC] = GT_V1_MARK_ASSIST_WAIT,
};

/* Stops the goroutine that runs on the proc. The caller sets its new state. */
static inline struct gt_v1_subject v1_goroutine_stop(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                                     bool is_ordered, struct gt_event_data *data)
{
    gt_v1_take_stack(v1, proc, data);
    uint32_t stack = data->stack;
    struct gt_v1_subject subject = gt_v1_running(v1, proc, data, is_ordered);
    if (subject.result != GT_RESULT_DONE)
        return subject;
    subject.data->stack = stack;
    subject.data->strings[0] = v1->output.reasons[gt_v1_stop_reasons[proc->lane.type]];
    gt_v1_goroutine_leave(subject.goroutine);
    proc->context = GT_NO_GOROUTINE;
    return subject;
}

gt_result gt_v1_go_end(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    struct gt_v1_subject subject = gt_v1_running(v1, proc, data, false);
    if (subject.result != GT_RESULT_DONE)
        return subject.result;
    gt_v1_goroutine_end(v1, subject.goroutine, GT_GO_NOT_EXIST);
    proc->context = GT_NO_GOROUTINE;
    return GT_RESULT_DONE;
}

/* GoStop: the goroutine stops for ever, as in select{}. */
gt_result gt_v1_go_stop(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    struct gt_v1_subject subject = v1_goroutine_stop(v1, proc, false, data);
    if (subject.result == GT_RESULT_DONE)
        gt_v1_goroutine_end(v1, subject.goroutine, GT_GO_WAITING);
    return subject.result;
}

/* The goroutine yields the proc, or is preempted. */
gt_result gt_v1_go_yield(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    struct gt_v1_subject subject = v1_goroutine_stop(v1, proc, true, data);
    if (subject.result == GT_RESULT_DONE)
        gt_v1_goroutine_set_state(v1, subject.goroutine, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    return subject.result;
}

gt_result gt_v1_go_block(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    struct gt_v1_subject subject = v1_goroutine_stop(v1, proc, true, data);
    if (subject.result != GT_RESULT_DONE)
        return subject.result;
    subject.goroutine->on_network = proc->lane.type == GT_V1_GO_BLOCK_NET;
    gt_v1_goroutine_set_state(v1, subject.goroutine, GT_V1_WAITING, GT_GO_WAITING);
    return GT_RESULT_DONE;
}

/*
 * Unblocks a goroutine. Timers and the network poller do so from whichever goroutine or proc polls
 * them.
 */
static inline gt_result v1_goroutine_unblock(struct gt_v1 *v1, struct gt_v1_proc *proc, uint64_t id,
                                             bool numbered, uint64_t seq,
                                             struct gt_event_data *data)
{
    struct gt_v1_subject subject = {gt_v1_goroutine_find(v1, id), data, GT_RESULT_DONE};
    gt_v1_take_stack(v1, proc, data);
    uint32_t stack = data->stack;
    if (!subject.goroutine || subject.goroutine->state != GT_V1_WAITING ||
        (numbered && subject.goroutine->seq != seq) ||
        (gt_v1_is_repaired(v1) && subject.goroutine->reported != GT_GO_WAITING)) {
        struct gt_v1_want want = {id, seq, numbered, GT_V1_WAITING, GT_GO_WAITING};
        subject = gt_v1_goroutine_require(v1, proc, &want, subject);
        if (subject.result != GT_RESULT_DONE)
            return subject.result;
    }
    bool is_timer = gt_idmap_get(&v1->input.timers, gt_v1_context_id(proc)) != NULL;
    if (!is_timer && v1_context_check(v1, proc) != GT_RESULT_DONE)
        return GT_RESULT_ERROR;
    if (is_timer || subject.goroutine->on_network) {
        /*
         * Before version 11, a goroutine that a timer unblocks is attributed to the timers, as in
         * the readers before Go 1.23.
         */
        bool is_network = subject.goroutine->on_network && (!is_timer || v1->version >= 11);
        subject.data->event.proc = is_network ? GT_STAND_IN_NETWORK : GT_STAND_IN_TIMERS;
        subject.data->event.thread = GT_NO_THREAD;
    }
    subject.data->arguments[0] = id;
    subject.data->stack = stack;
    subject.goroutine->seq = gt_v1_seq_after(subject.goroutine, numbered, seq);
    gt_v1_goroutine_set_state(v1, subject.goroutine, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    return GT_RESULT_DONE;
}

gt_result gt_v1_go_unblock(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    if (v1->version < 7)
        return v1_goroutine_unblock(v1, proc, id, false, 0, data);
    uint64_t seq = gt_v1_number(proc);
    return v1_goroutine_unblock(v1, proc, id, gt_v1_is_seq(seq), seq, data);
}

gt_result gt_v1_go_unblock_local(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                 struct gt_event_data *data)
{
    return v1_goroutine_unblock(v1, proc, gt_v1_number(proc), false, 0, data);
}

/* Sets the state of a goroutine that existed when the trace started. */
static gt_result v1_goroutine_status(struct gt_v1 *v1, struct gt_v1_proc *proc, gt_go_state to,
                                     struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    struct gt_v1_want want = {id, 1, v1->version >= 7, GT_V1_RUNNABLE, GT_GO_RUNNABLE};
    struct gt_v1_subject subject = {gt_v1_goroutine_find(v1, id), data, GT_RESULT_DONE};
    if (!subject.goroutine || subject.goroutine->state != GT_V1_RUNNABLE ||
        (want.numbered && subject.goroutine->seq != want.seq)) {
        subject = gt_v1_goroutine_require(v1, proc, &want, subject);
        if (subject.result != GT_RESULT_DONE)
            return subject.result;
    }
    subject.data->event.goroutine = (int64_t) id;
    v1_goroutine_introduce(v1, subject.goroutine, to, subject.data);
    subject.goroutine->seq = 2;
    if (to == GT_GO_SYSCALL)
        subject.goroutine->blocked = proc->ticks;
    gt_v1_goroutine_set_state(v1, subject.goroutine, GT_V1_WAITING, to);
    return GT_RESULT_DONE;
}

gt_result gt_v1_go_waiting(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    return v1_goroutine_status(v1, proc, GT_GO_WAITING, data);
}

gt_result gt_v1_go_in_syscall(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    return v1_goroutine_status(v1, proc, GT_GO_SYSCALL, data);
}
