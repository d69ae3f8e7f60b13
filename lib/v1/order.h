/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_ORDER_H
#define GT_V1_ORDER_H

#include "base/likely.h"
#include "base/wraps.h"
#include "model/wire.h"
#include "v1/decode.h"
#include "v1/frequency.h"
#include "v1/v1.h"

/*
 * Which event may come next: Go 1.21's internal/trace/order.go. With N >= 7 events
 * that hand a goroutine on carry its sequence number, and others need it in a
 * certain state; an event that cannot happen yet makes its proc wait. With N = 5 the
 * sequence number of all events says the order, and what cannot happen is wrong.
 */
enum gt_v1_need {
    /* Goroutine `id` to be in this state with the number `seq`, ... */
    GT_V1_NEED_RUNNABLE,
    GT_V1_NEED_WAITING,
    /* ... or with any number. */
    GT_V1_NEED_ANY_RUNNABLE,
    GT_V1_NEED_ANY_RUNNING,
    GT_V1_NEED_ANY_WAITING,
    /* The collector's number to be `seq`. */
    GT_V1_NEED_GC
};

/* What a rule returns, or a negative gt_status whose error is set. */
enum {
    GT_V1_GIVEN = 0,
    GT_V1_GIVEN_TWO = 1, /* the slot behind the event has another one, which comes right after it */
    GT_V1_NOTHING = 2,   /* it happened, but the caller is not told */
    GT_V1_ELSEWHERE = 3, /* N = 5: it happens elsewhere */
    GT_V1_WAIT = 4       /* it cannot happen yet: the proc's wish says what it needs */
};

/* What an event needs of a goroutine. */
struct gt_v1_want {
    uint64_t id;
    uint64_t seq; /* its number, where that is said */
    int numbered;
    uint8_t state; /* GT_V1_RUNNABLE or GT_V1_WAITING */
    uint8_t given; /* the same as a gt_go_state */
};

/* The goroutine with this id, made if need be; NULL where there is no memory. */
struct gt_v1_goroutine *gt_v1_goroutine_get(struct gt_v1 *v1, uint64_t id);

static inline struct gt_v1_goroutine *gt_v1_find(const struct gt_v1 *v1,
                                                 const struct gt_v1_proc *proc, uint64_t id)
{
    struct gt_v1_goroutine *goroutine = proc->goroutine;
    return goroutine && goroutine->id == id ? goroutine : gt_idmap_get(&v1->goroutines, id);
}

/*
 * The goroutine is not as the event wants it. Makes the proc wait, or breaks the rule;
 * a lenient reader then makes the goroutine so, and v1->made; the event comes behind the
 * change that this takes, in v1->slot. 0, GT_V1_WAIT, GT_V1_NOTHING where that is impossible, or
 * an error.
 */
int gt_v1_settle(struct gt_v1 *v1, struct gt_v1_proc *proc, const struct gt_v1_want *want,
                 struct gt_v1_goroutine *goroutine);

/* The event waits for what its proc's lane is set to; GT_V1_WAIT. */
int gt_v1_wait(struct gt_v1_proc *proc, enum gt_v1_need need, uint64_t id, uint64_t seq);

void gt_v1_wake(struct gt_v1 *v1, const struct gt_v1_goroutine *goroutine);

/* Sets the state, and lets those go on who waited for it. */
static inline void gt_v1_set_state(struct gt_v1 *v1, struct gt_v1_goroutine *goroutine,
                                   enum gt_v1_state state, gt_go_state given)
{
    goroutine->state = (uint8_t) state;
    goroutine->given = (uint8_t) given;
    if (v1->frontier.parked_count != 0)
        gt_v1_wake(v1, goroutine);
}

static inline void gt_v1_leave_proc(struct gt_v1_goroutine *goroutine)
{
    if (goroutine->proc)
        goroutine->proc->goroutine = NULL;
    goroutine->proc = NULL;
}

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
void gt_v1_bridge(struct gt_v1 *v1, struct gt_v1_goroutine *goroutine, unsigned state,
                  unsigned given);

/* The same for what an id of a goroutine or a proc stands for. */
void gt_v1_give_change(struct gt_v1 *v1, uint8_t type, int64_t id, unsigned from, unsigned to);

/* Times that would not fit, or come before the first, are of no clock. */
static inline int64_t gt_v1_to_ns(const struct gt_v1 *v1)
{
    int64_t span = gt_time_minus(v1->ticks, v1->first_ticks);
    if (GT_UNLIKELY((uint64_t) span >= v1->overflow_ticks))
        return gt_v1_overflow_to_ns(v1, span);
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
                                struct gt_v1_goroutine **goroutine)
{
    *goroutine = proc->goroutine;
    if (*goroutine && (int64_t) (*goroutine)->id == proc->context)
        return 0;
    int result = gt_v1_make_run(v1, proc, is_ordered);
    *goroutine = v1->made;
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
