/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/give.h"
#include "v1/merge.h"
#include "v1/order.h"

/* Goroutines: who runs where, and why not. */

static void set_state(struct gt_v1_goroutine *g, enum gt_v1_state state, gt_go_state given)
{
    g->state = (uint8_t) state;
    g->given = (uint8_t) given;
}

static void leave_proc(struct gt_v1_goroutine *g)
{
    if (g->proc)
        g->proc->goroutine = NULL;
    g->proc = NULL;
}

static void enter_proc(struct gt_v1_goroutine *g, struct gt_v1_proc *proc)
{
    leave_proc(g);
    if (proc->goroutine)
        leave_proc(proc->goroutine);
    g->proc = proc;
    proc->goroutine = g;
}

static enum gt_v1_state check_state(unsigned given)
{
    switch (given) {
    case GT_GO_RUNNABLE:
        return GT_V1_RUNNABLE;
    case GT_GO_RUNNING:
        return GT_V1_RUNNING;
    default:
        return GT_V1_WAITING;
    }
}

void gt_v1_bridge(struct gt_v1 *v1, const struct gt_v1_event *event, struct gt_v1_goroutine *g,
                  unsigned state)
{
    if (g->given != state) {
        gt_v1_give_change(v1, event, GT_WIRE_GO_STATUS, (int64_t) g->id, g->given, state);
        g->listed = 0;
    }
    if (state != GT_GO_RUNNING)
        leave_proc(g);
    set_state(g, check_state(state), (gt_go_state) state);
}

/* The goroutine is gone; while starting it may still be in the list. */
static void forget(struct gt_v1 *v1, struct gt_v1_goroutine *g)
{
    leave_proc(g);
    while (g->regions) {
        struct gt_v1_region *region = g->regions;
        g->regions = region->next;
        gt_pool_give(&v1->region_pool, region);
    }
    set_state(g, GT_V1_DEAD, GT_GO_NOT_EXIST);
    if (v1->starting || g->listed)
        return;
    gt_idmap_remove(&v1->goroutines, g->id);
    gt_pool_give(&v1->goroutine_pool, g);
}

/*
 * Most events are of a goroutine that runs on the event's proc. Sets it; or
 * breaks, and then in a lenient reader makes it run there, or leaves NULL.
 */
static gt_status running(struct gt_v1 *v1, struct gt_v1_event *event, struct gt_v1_goroutine **out)
{
    struct gt_v1_goroutine *g = event->proc->goroutine;
    *out = g;
    if (g && g->id == event->goroutine && g->state == GT_V1_RUNNING)
        return GT_OK;
    *out = NULL;
    gt_status status;
    if (event->goroutine == 0)
        return gt_v1_break(v1, event, "; it is left out", "%s on proc %d of no goroutine",
                           (uint64_t) event->proc->id, 0);
    if (!event->forced) {
        status = gt_v1_break(v1, event, "; it is made to run there",
                             "%s of goroutine %u, which does not run on proc %d", event->goroutine,
                             (uint64_t) event->proc->id);
        if (status != GT_OK)
            return status;
    }
    struct gt_v1_goroutine *made = gt_v1_goroutine_get(v1, event->goroutine);
    if (!made)
        return gt_v1_fail_memory(v1);
    if (g)
        gt_v1_bridge(v1, event, g, GT_GO_WAITING);
    gt_v1_bridge(v1, event, made, GT_GO_RUNNING);
    enter_proc(made, event->proc);
    *out = made;
    return GT_OK;
}

/* The goroutine is in another state: breaks, and then in a lenient reader puts it there. */
static gt_status put_in_state(struct gt_v1 *v1, struct gt_v1_event *event, uint64_t id,
                              enum gt_v1_state state, unsigned given, struct gt_v1_goroutine **out)
{
    gt_status status = GT_OK;
    if (!event->forced)
        status = gt_v1_break(v1, event, "; it is made so",
                             state == GT_V1_RUNNABLE ? "%s of goroutine %u, which is not runnable"
                                                     : "%s of goroutine %u, which does not wait",
                             id, 0);
    if (status != GT_OK)
        return status;
    if (!*out)
        *out = gt_v1_goroutine_get(v1, id);
    if (!*out)
        return gt_v1_fail_memory(v1);
    gt_v1_bridge(v1, event, *out, given);
    return GT_OK;
}

/* A goroutine that the event does something to, and which should be in `state` for that. */
static inline gt_status in_state(struct gt_v1 *v1, struct gt_v1_event *event, uint64_t id,
                                 enum gt_v1_state state, unsigned given,
                                 struct gt_v1_goroutine **out)
{
    struct gt_v1_goroutine *g = gt_v1_find(v1, event, id);
    *out = g;
    if (g && g->state == state && (!event->forced || g->given == given))
        return GT_OK;
    return put_in_state(v1, event, id, state, given, out);
}

static uint32_t start_slot(const struct gt_v1 *v1, const struct gt_v1_event *event)
{
    uint64_t id = event->numbers[1];
    if (v1->version < 7)
        return (uint32_t) (uintptr_t) gt_idmap_get(&v1->starts, id);
    return gt_v1_stack_slot(v1, (uint32_t) id);
}

static void list(struct gt_v1 *v1, struct gt_v1_goroutine *g)
{
    g->listed = 1;
    g->given = GT_GO_UNDETERMINED;
    g->next = NULL;
    if (v1->last_listed)
        v1->last_listed->next = g;
    else
        v1->listed = g;
    v1->last_listed = g;
}

/* Whether the event's goroutine runs on its proc. On a proc that runs none, none is fine. */
static int is_current(const struct gt_v1_event *event)
{
    const struct gt_v1_goroutine *g = event->proc->goroutine;
    return g ? g->id == event->goroutine && g->state == GT_V1_RUNNING : event->goroutine == 0;
}

/* When the trace starts, all goroutines that there are come as if they were created. */
gt_status gt_v1_go_create(struct gt_v1 *v1, struct gt_v1_event *event)
{
    uint64_t id = event->numbers[0];
    gt_status status = GT_OK;
    if (!is_current(event))
        status = gt_v1_break(v1, event, "; it is taken as it is",
                             "%s by goroutine %u, which does not run on proc %d", event->goroutine,
                             (uint64_t) event->proc->id);
    if (status != GT_OK)
        return status;
    struct gt_v1_goroutine *g = gt_v1_goroutine_get(v1, id);
    if (!g)
        return gt_v1_fail_memory(v1);
    if (g->state != GT_V1_DEAD)
        return gt_v1_break(v1, event, "; it is left out",
                           "%s of goroutine %u, which exists already", id, 0);
    g->start = start_slot(v1, event);
    set_state(g, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    if (v1->starting) {
        list(v1, g);
        return GT_OK;
    }
    struct gt_event_data *data =
        gt_v1_give_stacked(v1, event, GT_WIRE_GO_CREATE, GT_EVENT_STATE_TRANSITION);
    data->arguments[0] = id;
    data->own_stack = g->start != 0 ? g->start : GT_STACK_EMPTY_SLOT;
    return GT_OK;
}

/* The first that is told of a goroutine. */
static void give_first(struct gt_v1 *v1, const struct gt_v1_event *event, struct gt_v1_goroutine *g,
                       gt_go_state to)
{
    int with_start = v1->options.as_recorded && g->start != 0;
    struct gt_event_data *data =
        gt_v1_give(v1, event, with_start ? GT_WIRE_GO_STATUS_START : GT_WIRE_GO_STATUS,
                   GT_EVENT_STATE_TRANSITION);
    data->arguments[0] = g->id;
    data->own_stack = g->start;
    data->from = GT_GO_UNDETERMINED;
    data->to = (uint8_t) to;
    g->listed = 0;
}

void gt_v1_give_owed(struct gt_v1 *v1)
{
    const struct gt_v1_event nobody = {.ticks = v1->owed_ticks, .proc_id = GT_NO_PROC};
    while (v1->owed && v1->events->count < GT_EVENTS_AHEAD) {
        struct gt_v1_goroutine *g = v1->owed;
        v1->owed = g->next;
        if (!g->listed)
            continue;
        give_first(v1, &nobody, g, GT_GO_RUNNABLE);
        if (g->state == GT_V1_RUNNABLE)
            g->given = GT_GO_RUNNABLE;
    }
}

/* Makes a proc that is to start a goroutine, and that goroutine, ready for it. */
static gt_status check_start(struct gt_v1 *v1, struct gt_v1_event *event,
                             struct gt_v1_goroutine **g)
{
    gt_status status = in_state(v1, event, event->goroutine, GT_V1_RUNNABLE, GT_GO_RUNNABLE, g);
    struct gt_v1_goroutine *other = event->proc->goroutine;
    if (status != GT_OK || !other)
        return status;
    status =
        gt_v1_break(v1, event, "; that is made to wait", "%s on proc %d, which runs goroutine %u",
                    (uint64_t) event->proc->id, other->id);
    if (status == GT_OK)
        gt_v1_bridge(v1, event, other, GT_GO_WAITING);
    return status;
}

static void start(struct gt_v1_goroutine *g, const struct gt_v1_event *event)
{
    set_state(g, GT_V1_RUNNING, GT_GO_RUNNING);
    g->on_network = 0;
    enter_proc(g, event->proc);
}

gt_status gt_v1_go_start(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_goroutine *g;
    gt_status status = check_start(v1, event, &g);
    if (status != GT_OK)
        return status;
    if (v1->starting)
        give_first(v1, event, g, GT_GO_RUNNING);
    else
        gt_v1_give(v1, event, GT_WIRE_GO_START, GT_EVENT_STATE_TRANSITION)->arguments[0] = g->id;
    start(g, event);
    return GT_OK;
}

/* Go takes thread 0 here for a proc that has none. */
static int64_t thread_or_zero(const struct gt_event_data *data)
{
    return data->event.thread == GT_NO_THREAD ? 0 : data->event.thread;
}

gt_status gt_v1_go_start_label(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_goroutine *g;
    uint32_t label;
    gt_status status = check_start(v1, event, &g);
    if (status == GT_OK)
        status = gt_v1_take_string(v1, event, event->numbers[2], &label);
    if (status != GT_OK)
        return status;
    struct gt_event_data *data = gt_v1_give(v1, event, GT_WIRE_GO_START, GT_EVENT_STATE_TRANSITION);
    data->event.thread = thread_or_zero(data);
    data->arguments[0] = g->id;
    data = gt_v1_give(v1, event, GT_WIRE_GO_LABEL, GT_EVENT_LABEL);
    data->event.thread = thread_or_zero(data);
    data->strings[0] = label;
    start(g, event);
    return GT_OK;
}

/* Gives that the goroutine stops for a reason. NULL where it breaks a rule. */
static gt_status stop(struct gt_v1 *v1, struct gt_v1_event *event, uint8_t type,
                      enum gt_v1_reason reason, struct gt_v1_goroutine **g)
{
    gt_status status = running(v1, event, g);
    if (status != GT_OK || !*g)
        return status;
    struct gt_event_data *data = gt_v1_give_stacked(v1, event, type, GT_EVENT_STATE_TRANSITION);
    data->strings[0] = v1->reasons[reason];
    (*g)->on_network = 0;
    leave_proc(*g);
    return GT_OK;
}

gt_status gt_v1_go_end(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_goroutine *g;
    gt_status status = running(v1, event, &g);
    if (status != GT_OK || !g)
        return status;
    gt_v1_give(v1, event, GT_WIRE_GO_DESTROY, GT_EVENT_STATE_TRANSITION);
    forget(v1, g);
    return GT_OK;
}

/* As in select{}: nothing will be heard of it again. */
gt_status gt_v1_go_stop(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_goroutine *g;
    gt_status status = stop(v1, event, GT_WIRE_GO_BLOCK, GT_V1_FOREVER, &g);
    if (status == GT_OK && g)
        forget(v1, g);
    return status;
}

static gt_status yield(struct gt_v1 *v1, struct gt_v1_event *event, enum gt_v1_reason reason)
{
    struct gt_v1_goroutine *g;
    gt_status status = stop(v1, event, GT_WIRE_GO_STOP, reason, &g);
    if (status == GT_OK && g)
        set_state(g, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    return status;
}

gt_status gt_v1_go_sched(struct gt_v1 *v1, struct gt_v1_event *event)
{
    return yield(v1, event, GT_V1_GOSCHED);
}

gt_status gt_v1_go_preempt(struct gt_v1 *v1, struct gt_v1_event *event)
{
    return yield(v1, event, GT_V1_PREEMPTED);
}

static enum gt_v1_reason reason_of(unsigned type)
{
    switch (type) {
    case GT_V1_GO_SLEEP:
        return GT_V1_SLEEP;
    case GT_V1_GO_BLOCK_SEND:
        return GT_V1_CHAN_SEND;
    case GT_V1_GO_BLOCK_RECV:
        return GT_V1_CHAN_RECEIVE;
    case GT_V1_GO_BLOCK_SELECT:
        return GT_V1_SELECT;
    case GT_V1_GO_BLOCK_SYNC:
        return GT_V1_SYNC;
    case GT_V1_GO_BLOCK_COND:
        return GT_V1_COND;
    case GT_V1_GO_BLOCK_NET:
        return GT_V1_NETWORK;
    case GT_V1_GO_BLOCK_GC:
        return GT_V1_MARK_ASSIST_WAIT;
    default:
        return GT_V1_UNSAID;
    }
}

gt_status gt_v1_go_block(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_goroutine *g;
    gt_status status = stop(v1, event, GT_WIRE_GO_BLOCK, reason_of(event->type), &g);
    if (status != GT_OK || !g)
        return status;
    set_state(g, GT_V1_WAITING, GT_GO_WAITING);
    g->on_network = event->type == GT_V1_GO_BLOCK_NET;
    return GT_OK;
}

/* Timers and the network unblock goroutines from wherever they are looked at. */
gt_status gt_v1_go_unblock(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_goroutine *g;
    gt_status status = GT_OK;
    int is_timer = gt_idmap_get(&v1->timers, event->goroutine) != NULL;
    if (!is_timer && !is_current(event))
        status = gt_v1_break(v1, event, "; it is taken as it is",
                             "%s by goroutine %u, which does not run on proc %d", event->goroutine,
                             (uint64_t) event->proc->id);
    if (status == GT_OK)
        status = in_state(v1, event, event->numbers[0], GT_V1_WAITING, GT_GO_WAITING, &g);
    if (status != GT_OK)
        return status;
    if (is_timer)
        event->proc_id = GT_PROC_TIMERS;
    if (g->on_network)
        event->proc_id = GT_PROC_NETWORK;
    gt_v1_give_stacked(v1, event, GT_WIRE_GO_UNBLOCK, GT_EVENT_STATE_TRANSITION)->arguments[0] =
        g->id;
    set_state(g, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    return GT_OK;
}

/* One that does not block is an instant in the trace; Go makes it last 1 ns. */
gt_status gt_v1_go_sys_call(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_goroutine *g;
    gt_status status = running(v1, event, &g);
    if (status != GT_OK || !g)
        return status;
    struct gt_event_data *data =
        gt_v1_give_stacked(v1, event, GT_WIRE_GO_SYSCALL_BEGIN, GT_EVENT_STATE_TRANSITION);
    g->given = GT_GO_SYSCALL;
    if (gt_v1_merge_blocks(v1, event))
        return GT_OK;
    data->event.thread = thread_or_zero(data);
    data = gt_v1_give(v1, event, GT_WIRE_GO_SYSCALL_END, GT_EVENT_STATE_TRANSITION);
    data->event.thread = thread_or_zero(data);
    g->given = GT_GO_RUNNING;
    return GT_OK;
}

/* The proc goes its own way. */
gt_status gt_v1_go_sys_block(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_goroutine *g;
    gt_status status = running(v1, event, &g);
    if (status != GT_OK || !g)
        return status;
    leave_proc(g);
    g->state = GT_V1_WAITING;
    return GT_OK;
}

gt_status gt_v1_go_sys_exit(struct gt_v1 *v1, struct gt_v1_event *event)
{
    struct gt_v1_goroutine *g;
    gt_status status = in_state(v1, event, event->goroutine, GT_V1_WAITING, GT_GO_SYSCALL, &g);
    if (status != GT_OK)
        return status;
    gt_v1_give(v1, event, GT_WIRE_GO_SYSCALL_END_BLOCKED, GT_EVENT_STATE_TRANSITION);
    set_state(g, GT_V1_RUNNABLE, GT_GO_RUNNABLE);
    return GT_OK;
}

static gt_status give_listed(struct gt_v1 *v1, struct gt_v1_event *event, gt_go_state to)
{
    struct gt_v1_goroutine *g;
    gt_status status = in_state(v1, event, event->goroutine, GT_V1_RUNNABLE, GT_GO_RUNNABLE, &g);
    if (status != GT_OK)
        return status;
    give_first(v1, event, g, to);
    set_state(g, GT_V1_WAITING, to);
    return GT_OK;
}

gt_status gt_v1_go_waiting(struct gt_v1 *v1, struct gt_v1_event *event)
{
    return give_listed(v1, event, GT_GO_WAITING);
}

gt_status gt_v1_go_in_syscall(struct gt_v1 *v1, struct gt_v1_event *event)
{
    return give_listed(v1, event, GT_GO_SYSCALL);
}
