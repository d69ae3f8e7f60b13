/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/order.h"

/* Goroutines: who runs where, and why not. */

static void enter_proc(struct gt_v1_goroutine *goroutine, struct gt_v1_proc *proc)
{
    goroutine->proc = proc;
    proc->goroutine = goroutine;
    proc->context = (int64_t) goroutine->id;
}

/*
 * The goroutine is gone. While the trace starts it may still be in the list, and in a
 * damaged trace more may come of it.
 */
static void forget(struct gt_v1 *v1, struct gt_v1_goroutine *goroutine, gt_go_state given)
{
    gt_v1_leave_proc(goroutine);
    while (goroutine->regions) {
        struct gt_v1_region *region = goroutine->regions;
        goroutine->regions = region->next;
        gt_pool_give(&v1->region_pool, region);
    }
    goroutine->state = GT_V1_DEAD;
    goroutine->given = (uint8_t) given;
    if (v1->starting || goroutine->listed || v1->options.lenient)
        return;
    gt_idmap_remove(&v1->goroutines, goroutine->id);
    gt_pool_give(&v1->goroutine_pool, goroutine);
}

int gt_v1_make_run(struct gt_v1 *v1, struct gt_v1_proc *proc, int is_ordered)
{
    uint64_t id = gt_v1_context_id(proc);
    struct gt_v1_goroutine *goroutine = gt_idmap_get(&v1->goroutines, id);
    int waits = !goroutine || goroutine->state != GT_V1_RUNNING;
    if (v1->version >= 7 && is_ordered && waits && !proc->forced)
        return gt_v1_wait(proc, GT_V1_NEED_ANY_RUNNING, id, 0);
    if (!proc->forced || id == 0) {
        gt_status status = gt_v1_break(
            v1, proc, id == 0 ? "; it is left out" : "; it is made to run there",
            "%s of goroutine %u, which does not run on proc %d", id, (uint64_t) proc->id);
        if (status != GT_OK || id == 0)
            return status != GT_OK ? (int) status : GT_V1_NOTHING;
    }
    goroutine = gt_v1_goroutine_get(v1, id);
    if (!goroutine)
        return gt_v1_fail_memory(v1);
    if (proc->goroutine)
        gt_v1_bridge(v1, proc->goroutine, GT_V1_WAITING, GT_GO_WAITING);
    gt_v1_bridge(v1, goroutine, GT_V1_RUNNING, GT_GO_RUNNING);
    enter_proc(goroutine, proc);
    v1->made = goroutine;
    return 0;
}

static uint32_t start_slot(const struct gt_v1 *v1, uint64_t id)
{
    uint32_t slot;
    if (v1->version < 7)
        return (uint32_t) gt_idmap_get_number(&v1->starts, id);
    gt_stacks_find(&v1->table.stacks, (uint32_t) id, &slot);
    return slot;
}

static void list(struct gt_v1 *v1, struct gt_v1_goroutine *goroutine)
{
    goroutine->listed = 1;
    goroutine->given = goroutine->is_linked ? GT_GO_NOT_EXIST : GT_GO_UNDETERMINED;
    if (goroutine->is_linked)
        return;
    goroutine->is_linked = 1;
    goroutine->next = NULL;
    if (v1->last_listed)
        v1->last_listed->next = goroutine;
    else
        v1->listed = goroutine;
    v1->last_listed = goroutine;
}

/* Whether the context is what runs on the proc, which may be no goroutine. */
static int is_current(const struct gt_v1_proc *proc)
{
    const struct gt_v1_goroutine *goroutine = proc->goroutine;
    return goroutine ? (int64_t) goroutine->id == proc->context : proc->context == GT_NO_GOROUTINE;
}

static gt_status check_current(struct gt_v1 *v1, const struct gt_v1_proc *proc)
{
    if (is_current(proc))
        return GT_OK;
    return gt_v1_break(v1, proc, "; it is taken as it is",
                       "%s by goroutine %u, which does not run on proc %d",
                       (uint64_t) proc->context, (uint64_t) proc->id);
}

/* When the trace starts, all goroutines that there are come as if they were created. */
int gt_v1_go_create(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    uint64_t start = gt_v1_number(proc);
    gt_v1_read_stack(v1, proc, data);
    gt_status status = check_current(v1, proc);
    if (status != GT_OK)
        return status;
    struct gt_v1_goroutine *goroutine = id != 0 ? gt_v1_goroutine_get(v1, id) : NULL;
    if (id != 0 && !goroutine)
        return gt_v1_fail_memory(v1);
    if (id == 0 || goroutine->state != GT_V1_DEAD || goroutine->given > GT_GO_NOT_EXIST) {
        status = gt_v1_break(v1, proc, "; it is left out",
                             "%s of goroutine %u, which exists already", id, 0);
        return status != GT_OK ? (int) status : GT_V1_NOTHING;
    }
    goroutine->start = start_slot(v1, start);
    goroutine->seq = 1;
    gt_v1_set_state(v1, goroutine, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    if (v1->starting) {
        list(v1, goroutine);
        return GT_V1_NOTHING;
    }
    data->arguments[0] = id;
    data->own_stack = goroutine->start != 0 ? goroutine->start : GT_STACK_EMPTY_SLOT;
    return GT_V1_GIVEN;
}

/* The first that is told of a goroutine. A lenient reader may have told of it before. */
static void set_first(const struct gt_v1 *v1, struct gt_v1_goroutine *goroutine, gt_go_state to,
                      struct gt_event_data *data)
{
    int with_start = v1->options.as_recorded && goroutine->start != 0;
    data->type = with_start ? GT_WIRE_GO_STATUS_START : GT_WIRE_GO_STATUS;
    data->arguments[0] = goroutine->id;
    data->own_stack = goroutine->start;
    data->from = v1->options.lenient ? goroutine->given : GT_GO_UNDETERMINED;
    data->to = (uint8_t) to;
    goroutine->listed = 0;
}

void gt_v1_give_owed(struct gt_v1 *v1)
{
    const struct gt_event_data *end = v1->events->list + GT_EVENTS_AHEAD;
    while (v1->owed && v1->slot < end) {
        struct gt_v1_goroutine *goroutine = v1->owed;
        struct gt_event_data *data = v1->slot;
        v1->owed = goroutine->next;
        if (!goroutine->listed)
            continue;
        set_first(v1, goroutine, GT_GO_RUNNABLE, data);
        if (goroutine->state == GT_V1_RUNNABLE)
            goroutine->given = GT_GO_RUNNABLE;
        data->event.kind = GT_EVENT_STATE_TRANSITION;
        data->event.thread = GT_NO_THREAD;
        data->event.proc = GT_NO_PROC;
        data->event.goroutine = GT_NO_GOROUTINE;
        data->stack = 0;
        v1->ticks = v1->owed_ticks;
        gt_v1_set_time(v1, data);
        v1->slot++;
    }
}

/* A proc that is to start a goroutine runs one. */
static gt_status make_free(struct gt_v1 *v1, struct gt_v1_proc *proc)
{
    struct gt_v1_goroutine *other = proc->goroutine;
    gt_status status =
        gt_v1_break(v1, proc, "; that is made to wait", "%s on proc %d, which runs goroutine %u",
                    (uint64_t) (int64_t) proc->id, other->id);
    if (status == GT_OK)
        gt_v1_bridge(v1, other, GT_V1_WAITING, GT_GO_WAITING);
    return status;
}

static inline int start(struct gt_v1 *v1, struct gt_v1_proc *proc, uint64_t id, int numbered,
                        uint64_t seq, struct gt_event_data *data)
{
    struct gt_v1_goroutine *goroutine = gt_idmap_get(&v1->goroutines, id);
    if (!goroutine || goroutine->state != GT_V1_RUNNABLE || (numbered && goroutine->seq != seq)) {
        struct gt_v1_want want = {id, seq, numbered, GT_V1_RUNNABLE, GT_GO_RUNNABLE};
        int result = gt_v1_settle(v1, proc, &want, goroutine);
        if (result != 0)
            return result;
        goroutine = v1->made;
        data = v1->slot;
    }
    if (proc->goroutine) {
        gt_status status = make_free(v1, proc);
        if (status != GT_OK)
            return status;
        data = v1->slot;
    }
    data->event.goroutine = (int64_t) id;
    if (v1->starting && (proc->lane.type != GT_V1_GO_START_LABEL || v1->options.lenient))
        set_first(v1, goroutine, GT_GO_RUNNING, data);
    data->arguments[0] = id;
    goroutine->seq++;
    goroutine->on_network = 0;
    gt_v1_set_state(v1, goroutine, GT_V1_RUNNING, GT_GO_RUNNING);
    enter_proc(goroutine, proc);
    return GT_V1_GIVEN;
}

int gt_v1_go_start(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    if (v1->version < 7)
        return start(v1, proc, id, 0, 0, data);
    return start(v1, proc, id, 1, gt_v1_number(proc), data);
}

int gt_v1_go_start_local(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    return start(v1, proc, gt_v1_number(proc), 0, 0, data);
}

int gt_v1_go_start_label(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint32_t label;
    uint64_t id = gt_v1_number(proc);
    uint64_t seq = gt_v1_number(proc);
    uint64_t string = gt_v1_number(proc);
    if (!gt_strings_find(&v1->table.strings, string, &label) && !v1->options.lenient)
        return gt_v1_take_string(v1, proc, string, &label);
    int result = start(v1, proc, id, 1, seq, data);
    if (result != GT_V1_GIVEN)
        return result;
    if (gt_v1_take_string(v1, proc, string, &label) != GT_OK)
        return v1->error->status;
    data = v1->slot;
    gt_v1_set_thread(data);
    data[1].event = data->event;
    data[1].event.kind = GT_EVENT_LABEL;
    data[1].type = GT_WIRE_GO_LABEL;
    data[1].stack = 0;
    data[1].strings[0] = label;
    return GT_V1_GIVEN_TWO;
}

/* Gives that the goroutine stops for a reason, and is in another state then. */
static inline int stop(struct gt_v1 *v1, struct gt_v1_proc *proc, int is_ordered,
                       enum gt_v1_reason reason, struct gt_v1_goroutine **goroutine,
                       struct gt_event_data *data)
{
    gt_v1_read_stack(v1, proc, data);
    uint32_t stack = data->stack;
    int result = gt_v1_running(v1, proc, is_ordered, goroutine);
    if (result != 0)
        return result;
    data = v1->slot;
    data->stack = stack;
    data->strings[0] = v1->reasons[reason];
    gt_v1_leave_proc(*goroutine);
    proc->context = GT_NO_GOROUTINE;
    return GT_V1_GIVEN;
}

int gt_v1_go_end(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    struct gt_v1_goroutine *goroutine;
    (void) data;
    int result = gt_v1_running(v1, proc, 0, &goroutine);
    if (result != 0)
        return result;
    forget(v1, goroutine, GT_GO_NOT_EXIST);
    proc->context = GT_NO_GOROUTINE;
    return GT_V1_GIVEN;
}

/* As in select{}: nothing will be heard of it again. */
int gt_v1_go_stop(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    struct gt_v1_goroutine *goroutine;
    int result = stop(v1, proc, 0, GT_V1_FOREVER, &goroutine, data);
    if (result == GT_V1_GIVEN)
        forget(v1, goroutine, GT_GO_WAITING);
    return result;
}

static int yield(struct gt_v1 *v1, struct gt_v1_proc *proc, enum gt_v1_reason reason,
                 struct gt_event_data *data)
{
    struct gt_v1_goroutine *goroutine;
    int result = stop(v1, proc, 1, reason, &goroutine, data);
    if (result == GT_V1_GIVEN)
        gt_v1_set_state(v1, goroutine, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    return result;
}

int gt_v1_go_sched(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    return yield(v1, proc, GT_V1_GOSCHED, data);
}

int gt_v1_go_preempt(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    return yield(v1, proc, GT_V1_PREEMPTED, data);
}

static const uint8_t reasons[64] = {
    [GT_V1_GO_SLEEP] = GT_V1_SLEEP,
    [GT_V1_GO_BLOCK] = GT_V1_UNSAID,
    [GT_V1_GO_BLOCK_SEND] = GT_V1_CHAN_SEND,
    [GT_V1_GO_BLOCK_RECV] = GT_V1_CHAN_RECEIVE,
    [GT_V1_GO_BLOCK_SELECT] = GT_V1_SELECT,
    [GT_V1_GO_BLOCK_SYNC] = GT_V1_SYNC,
    [GT_V1_GO_BLOCK_COND] = GT_V1_COND,
    [GT_V1_GO_BLOCK_NET] = GT_V1_NETWORK,
    [GT_V1_GO_BLOCK_GC] = GT_V1_MARK_ASSIST_WAIT,
};

int gt_v1_go_block(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    struct gt_v1_goroutine *goroutine;
    int result = stop(v1, proc, 1, (enum gt_v1_reason) reasons[proc->lane.type], &goroutine, data);
    if (result != GT_V1_GIVEN)
        return result;
    goroutine->on_network = proc->lane.type == GT_V1_GO_BLOCK_NET;
    gt_v1_set_state(v1, goroutine, GT_V1_WAITING, GT_GO_WAITING);
    return GT_V1_GIVEN;
}

/* Timers and the network unblock goroutines from wherever they are looked at. */
static inline int unblock(struct gt_v1 *v1, struct gt_v1_proc *proc, uint64_t id, int numbered,
                          uint64_t seq, struct gt_event_data *data)
{
    struct gt_v1_goroutine *goroutine = gt_idmap_get(&v1->goroutines, id);
    gt_v1_read_stack(v1, proc, data);
    uint32_t stack = data->stack;
    if (!goroutine || goroutine->state != GT_V1_WAITING || (numbered && goroutine->seq != seq) ||
        (v1->options.lenient && goroutine->given != GT_GO_WAITING)) {
        struct gt_v1_want want = {id, seq, numbered, GT_V1_WAITING, GT_GO_WAITING};
        int result = gt_v1_settle(v1, proc, &want, goroutine);
        if (result != 0)
            return result;
        goroutine = v1->made;
        data = v1->slot;
    }
    int is_timer = gt_idmap_get(&v1->timers, (uint64_t) proc->context) != NULL;
    if (!is_timer) {
        gt_status status = check_current(v1, proc);
        if (status != GT_OK)
            return status;
    }
    if (is_timer || goroutine->on_network) {
        /* Before Go 1.23's reader, what a timer unblocked stayed its own. */
        int is_network = goroutine->on_network && (!is_timer || v1->version >= 11);
        data->event.proc = is_network ? GT_PROC_NETWORK : GT_PROC_TIMERS;
        data->event.thread = GT_NO_THREAD;
    }
    data->arguments[0] = id;
    data->stack = stack;
    goroutine->seq++;
    gt_v1_set_state(v1, goroutine, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    return GT_V1_GIVEN;
}

int gt_v1_go_unblock(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    if (v1->version < 7)
        return unblock(v1, proc, id, 0, 0, data);
    return unblock(v1, proc, id, 1, gt_v1_number(proc), data);
}

int gt_v1_go_unblock_local(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    return unblock(v1, proc, gt_v1_number(proc), 0, 0, data);
}

static int give_listed(struct gt_v1 *v1, struct gt_v1_proc *proc, gt_go_state to,
                       struct gt_event_data *data)
{
    uint64_t id = gt_v1_number(proc);
    struct gt_v1_goroutine *goroutine = gt_idmap_get(&v1->goroutines, id);
    if (!goroutine || goroutine->state != GT_V1_RUNNABLE ||
        (goroutine->seq != 1 && v1->version >= 7)) {
        struct gt_v1_want want = {id, 1, v1->version >= 7, GT_V1_RUNNABLE, GT_GO_RUNNABLE};
        int result = gt_v1_settle(v1, proc, &want, goroutine);
        if (result != 0)
            return result;
        goroutine = v1->made;
        data = v1->slot;
    }
    data->event.goroutine = (int64_t) id;
    set_first(v1, goroutine, to, data);
    goroutine->seq = 2;
    if (to == GT_GO_SYSCALL)
        goroutine->blocked = proc->ticks;
    gt_v1_set_state(v1, goroutine, GT_V1_WAITING, to);
    return GT_V1_GIVEN;
}

int gt_v1_go_waiting(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    return give_listed(v1, proc, GT_GO_WAITING, data);
}

int gt_v1_go_in_syscall(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data)
{
    return give_listed(v1, proc, GT_GO_SYSCALL, data);
}
