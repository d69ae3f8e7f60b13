/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_GIVE_H
#define GT_V1_GIVE_H

#include "model/wire.h"
#include "v1/v1.h"

/*
 * From events of the wire to those of the API, as Go converts them since 1.23:
 * internal/trace/tracev1.go. For each type there is a rule, which checks the event
 * (internal/trace/internal/tracev1/parser.go, postProcessTrace) and adds what
 * it becomes to v1->events.
 */

typedef gt_status gt_v1_rule(struct gt_v1 *v1, struct gt_v1_event *event);

enum {
    GT_V1_MOST_GIVEN = 6 /* events that one event may become */
};

/* Gives what the event in v1->event becomes: nothing, or up to GT_V1_MOST_GIVEN. */
gt_status gt_v1_give_event(struct gt_v1 *v1);

/* Times that would not fit are of no clock. */
static inline int64_t gt_v1_to_ns(const struct gt_v1 *v1, int64_t ticks)
{
    const double most = 4611686018427387904.0; /* 2^62 */
    int64_t span = (int64_t) ((uint64_t) ticks - (uint64_t) v1->first_ticks);
    double ns = (double) span * v1->unit;
    return ns < most ? (int64_t) ns : (int64_t) most;
}

static inline int64_t gt_v1_next_time(struct gt_v1 *v1, int64_t time)
{
    if (time <= v1->last_time)
        time = v1->last_time + 1;
    v1->last_time = time;
    return time;
}

static inline int64_t gt_v1_id_or_none(uint64_t goroutine)
{
    return goroutine == 0 ? GT_NO_GOROUTINE : (int64_t) goroutine;
}

/* A stand-in has no thread, and neither has what happened on no proc. */
static inline int64_t gt_v1_thread_of(const struct gt_v1_event *event)
{
    const struct gt_v1_proc *proc = event->proc;
    if (!proc || proc->id != event->proc_id || proc->id < 0)
        return GT_NO_THREAD;
    return proc->thread;
}

/* Adds an event in the event's context. The caller sets the rest. */
static inline struct gt_event_data *gt_v1_give(struct gt_v1 *v1, const struct gt_v1_event *event,
                                               uint8_t type, uint32_t kind)
{
    struct gt_event_data *data = &v1->events->list[v1->events->count++];
    data->event.kind = kind;
    data->event.time = gt_v1_next_time(v1, gt_v1_to_ns(v1, event->ticks));
    data->event.thread = gt_v1_thread_of(event);
    data->event.proc = event->proc_id;
    data->event.goroutine = gt_v1_id_or_none(event->goroutine);
    data->type = type;
    data->stack = 0;
    return data;
}

/* The slot of a stack with frames; 0 where there is none with this id. */
static inline uint32_t gt_v1_stack_slot(const struct gt_v1 *v1, uint64_t id)
{
    uint32_t slot;
    gt_stacks_find(&v1->table.stacks, id, &slot);
    return slot;
}

/* The same with the event's stack. */
static inline struct gt_event_data *
gt_v1_give_stacked(struct gt_v1 *v1, const struct gt_v1_event *event, uint8_t type, uint32_t kind)
{
    struct gt_event_data *data = gt_v1_give(v1, event, type, kind);
    data->stack = gt_v1_stack_slot(v1, event->stack);
    return data;
}

/* Adds a state change that no event of the trace tells, of a goroutine or a proc. */
void gt_v1_give_change(struct gt_v1 *v1, const struct gt_v1_event *event, uint8_t type, int64_t id,
                       unsigned from, unsigned to);

/* The event breaks a rule: gt_v1_fault at its place, with up to two numbers for the text. */
gt_status gt_v1_break(struct gt_v1 *v1, const struct gt_v1_event *event, const char *repair,
                      const char *text, uint64_t a, uint64_t b);

/* Looks up a string that an event names. Other than stacks, it must be there. */
gt_status gt_v1_take_string(struct gt_v1 *v1, const struct gt_v1_event *event, uint64_t id,
                            uint32_t *slot);

/* A goroutine by id, or NULL; fast for the event's own. */
static inline struct gt_v1_goroutine *gt_v1_find(const struct gt_v1 *v1,
                                                 const struct gt_v1_event *event, uint64_t id)
{
    if (event->subject && event->subject->id == id)
        return event->subject;
    if (event->proc && event->proc->goroutine && event->proc->goroutine->id == id)
        return event->proc->goroutine;
    return gt_idmap_get(&v1->goroutines, id);
}

/* A lenient reader's way to a goroutine that is in a state of the API: a change to it. */
void gt_v1_bridge(struct gt_v1 *v1, const struct gt_v1_event *event, struct gt_v1_goroutine *g,
                  unsigned state);

/* Tells the states of goroutines that are owed, as long as there is room. */
void gt_v1_give_owed(struct gt_v1 *v1);

gt_v1_rule gt_v1_go_create, gt_v1_go_start, gt_v1_go_start_label, gt_v1_go_end, gt_v1_go_stop;
gt_v1_rule gt_v1_go_sched, gt_v1_go_preempt, gt_v1_go_block, gt_v1_go_unblock;
gt_v1_rule gt_v1_go_sys_call, gt_v1_go_sys_block, gt_v1_go_sys_exit;
gt_v1_rule gt_v1_go_waiting, gt_v1_go_in_syscall;
gt_v1_rule gt_v1_gomaxprocs, gt_v1_proc_start, gt_v1_proc_stop, gt_v1_heap;
gt_v1_rule gt_v1_gc_start, gt_v1_gc_done, gt_v1_stw_start, gt_v1_stw_done;
gt_v1_rule gt_v1_sweep_start, gt_v1_sweep_done, gt_v1_assist_start, gt_v1_assist_done;
gt_v1_rule gt_v1_task_create, gt_v1_task_end, gt_v1_region, gt_v1_log, gt_v1_sample;

#endif
