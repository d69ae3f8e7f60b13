/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_RULE_H
#define GT_V1_RULE_H

#include "base/likely.h"
#include "base/wraps.h"
#include "model/wire.h"
#include "v1/decode.h"
#include "v1/frequency.h"
#include "v1/order.h"
#include "v1/v1.h"

/*
 * What events do, and what they become in the API: Go's checks (since 1.23:
 * internal/trace/internal/tracev1/parser.go, postProcessTrace) and its conversion
 * (internal/trace/tracev1.go). For each type of event there is a rule, which looks
 * whether the proc's next event can happen now, and if so lets it happen: it reads
 * the arguments, changes the state, and completes `data`, which has the proc's context.
 */
typedef int gt_v1_rule(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data);

struct gt_v1_action {
    gt_v1_rule *rule;
    uint8_t type; /* a gt_wire_type */
    uint8_t kind; /* gt_event_kind */
};

/* By type. */
extern const struct gt_v1_action gt_v1_actions[64];

enum {
    /* Events that one may become: two, and what a lenient reader puts before them. */
    GT_V1_MOST_GIVEN = 6
};

/*
 * The proc's next event breaks a rule: gt_v1_fault at its place. The text gets the
 * event's name and up to two numbers.
 */
gt_status gt_v1_break(struct gt_v1 *v1, const struct gt_v1_proc *proc, const char *repair,
                      const char *text, uint64_t a, uint64_t b);

/*
 * A lenient reader's way to a goroutine in some state: gives a change to it, if
 * the caller knows another, in front of the event, which moves on to v1->slot.
 */
void gt_v1_bridge(struct gt_v1 *v1, struct gt_v1_goroutine *g, unsigned state, unsigned given);

/* The same for what an id of a goroutine or a proc stands for. */
void gt_v1_give_change(struct gt_v1 *v1, uint8_t type, int64_t id, unsigned from, unsigned to);

/* Times that would not fit, or come before the first, are of no clock. */
static inline int64_t gt_v1_to_ns(const struct gt_v1 *v1)
{
    int64_t span = gt_time_minus(v1->ticks, v1->first_ticks);
    if (GT_UNLIKELY((uint64_t) span >= v1->far))
        return gt_v1_far_to_ns(v1, span);
    return (int64_t) ((double) span * v1->unit);
}

/* Completes the event's time from v1->ticks. */
static inline void gt_v1_set_time(struct gt_v1 *v1, struct gt_event_data *data)
{
    int64_t time = gt_v1_to_ns(v1);
    if (time <= v1->last_time)
        time = v1->last_time + 1;
    v1->last_time = data->event.time = time;
}

/* Tells the states of goroutines that are owed, as long as there is room. */
void gt_v1_give_owed(struct gt_v1 *v1);

/* Reads a stack's id; an unknown one is no stack, as in Go. */
static inline void gt_v1_read_stack(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                    struct gt_event_data *data)
{
    gt_stacks_find(&v1->table.stacks, (uint32_t) gt_v1_number(proc), &data->stack);
}

gt_status gt_v1_fail_string(struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t id);

/* Looks up a string that the event names. Other than stacks, it must be there. */
static inline gt_status gt_v1_take_string(struct gt_v1 *v1, const struct gt_v1_proc *proc,
                                          uint64_t id, uint32_t *slot)
{
    return gt_strings_find(&v1->table.strings, id, slot) ? GT_OK : gt_v1_fail_string(v1, proc, id);
}

/* The event is of a goroutine that does not run on the proc. Returns as gt_v1_settle does. */
int gt_v1_make_run(struct gt_v1 *v1, struct gt_v1_proc *proc, int is_ordered);

/*
 * The goroutine that the event is of, which must run on the proc; with `is_ordered`
 * the event waits until it runs. Returns as gt_v1_settle, or GT_V1_NOTHING.
 */
static inline int gt_v1_running(struct gt_v1 *v1, struct gt_v1_proc *proc, int is_ordered,
                                struct gt_v1_goroutine **g)
{
    *g = proc->goroutine;
    if (*g && (int64_t) (*g)->id == proc->context)
        return 0;
    int result = gt_v1_make_run(v1, proc, is_ordered);
    *g = v1->made;
    return result;
}

/* The goroutine of the proc's context, by its id; outside of any Go means goroutine 0. */
static inline uint64_t gt_v1_context_id(const struct gt_v1_proc *proc)
{
    return proc->context == GT_NO_GOROUTINE ? 0 : (uint64_t) proc->context;
}

/* In some events Go takes thread 0 for a proc that has none. */
static inline void gt_v1_set_thread(struct gt_event_data *data)
{
    if (data->event.thread == GT_NO_THREAD)
        data->event.thread = 0;
}

gt_v1_rule gt_v1_go_create, gt_v1_go_start, gt_v1_go_start_local, gt_v1_go_start_label;
gt_v1_rule gt_v1_go_end, gt_v1_go_stop, gt_v1_go_sched, gt_v1_go_preempt, gt_v1_go_block;
gt_v1_rule gt_v1_go_unblock, gt_v1_go_unblock_local, gt_v1_go_sys_call, gt_v1_go_sys_block;
gt_v1_rule gt_v1_go_sys_exit, gt_v1_go_sys_exit_local, gt_v1_go_waiting, gt_v1_go_in_syscall;
gt_v1_rule gt_v1_futile;
gt_v1_rule gt_v1_gomaxprocs, gt_v1_proc_start, gt_v1_proc_stop, gt_v1_heap;
gt_v1_rule gt_v1_gc_start, gt_v1_gc_done, gt_v1_stw_start, gt_v1_stw_done;
gt_v1_rule gt_v1_sweep_start, gt_v1_sweep_done, gt_v1_assist_start, gt_v1_assist_done;
gt_v1_rule gt_v1_task_create, gt_v1_task_end, gt_v1_region, gt_v1_log;

/* Events that were recorded late, whose time has come. Return as a rule. */
int gt_v1_give_sample(struct gt_v1 *v1, size_t index, struct gt_event_data *data);
int gt_v1_give_exit(struct gt_v1 *v1, struct gt_v1_late_event *late, struct gt_event_data *data);

#endif
