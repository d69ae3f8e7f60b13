/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_ORDER_H
#define GT_V1_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/likely.h"
#include "base/time.h"
#include "base/wraps.h"
#include "merge/result.h"
#include "model/wire.h"
#include "v1/decode.h"
#include "v1/frequency.h"
#include "v1/repair.h"
#include "v1/v1.h"

/*
 * Which event may come next: Go 1.21's internal/trace/order.go. Since version 7 events that hand a
 * goroutine on carry its sequence number, and others need it in a certain state; an event that
 * cannot happen yet makes its proc wait. In version 5 a sequence number of all events says the
 * order, and an event that cannot happen is an error.
 *
 * What events do, and what they become in the API: Go's checks (since 1.23:
 * internal/trace/internal/tracev1/parser.go, postProcessTrace) and its conversion
 * (internal/trace/tracev1.go). For each type of event there is a rule, which decides whether the
 * proc's next event can happen now. If so, it reads the arguments, changes the state, and
 * completes the event in `data`, whose kind, type and context are set; the event's time will be
 * that of output.ticks. If the rule forces transitions, the event is completed after them, where
 * output.next points.
 */
typedef gt_result gt_v1_rule(struct gt_v1 *v1, struct gt_v1_proc *proc, struct gt_event_data *data);

/*
 * The rule of a type of event, and the event of the API that it becomes. Types that are not events
 * of a proc have no rule.
 */
struct gt_v1_action {
    gt_v1_rule *rule;
    uint8_t type; /* the gt_wire_type of the completed event */
    uint8_t kind; /* the gt_event_kind of the completed event */
};

/* The action of each type of event. */
extern const struct gt_v1_action gt_v1_actions[64];

gt_v1_rule gt_v1_go_create, gt_v1_go_start, gt_v1_go_start_local, gt_v1_go_start_label;
gt_v1_rule gt_v1_go_end, gt_v1_go_stop, gt_v1_go_yield, gt_v1_go_block;
gt_v1_rule gt_v1_go_unblock, gt_v1_go_unblock_local, gt_v1_go_waiting, gt_v1_go_in_syscall;
gt_v1_rule gt_v1_go_sys_call, gt_v1_go_sys_block, gt_v1_go_sys_exit, gt_v1_go_sys_exit_local;
gt_v1_rule gt_v1_futile_wakeup;
gt_v1_rule gt_v1_proc_start, gt_v1_proc_stop;
gt_v1_rule gt_v1_gc_start, gt_v1_gc_done, gt_v1_stw_start, gt_v1_stw_done;
gt_v1_rule gt_v1_sweep_start, gt_v1_sweep_done, gt_v1_assist_start, gt_v1_assist_done;
gt_v1_rule gt_v1_gomaxprocs, gt_v1_heap_metric;
gt_v1_rule gt_v1_task_create, gt_v1_task_end, gt_v1_region, gt_v1_log;

/* The gt_v1_reason why a goroutine stops, for each type of event. */
extern const uint8_t gt_v1_stop_reasons[64];

/* Applies the rule for the end of a system call that was recorded late, when its time has come. */
gt_result gt_v1_exit_take(struct gt_v1 *v1, struct gt_v1_late_event *late,
                          struct gt_event_data *data);

enum {
    /*
     * The most events that one event becomes: two, plus the transitions that are forced before
     * them.
     */
    GT_V1_MOST_EVENTS = 6
};

/* The kinds of conditions for which a proc's next event can wait. */
enum gt_v1_need {
    /* Goroutine `id` must be runnable, or waiting, with the sequence number `seq`. */
    GT_V1_NEED_RUNNABLE,
    GT_V1_NEED_WAITING,
    /* Goroutine `id` must be in that state with any sequence number. */
    GT_V1_NEED_ANY_RUNNABLE,
    GT_V1_NEED_ANY_RUNNING,
    GT_V1_NEED_ANY_WAITING,
    /* The sequence number of the garbage collector must be `seq`. */
    GT_V1_NEED_GC
};

static inline gt_result gt_v1_wait(struct gt_v1_proc *proc, enum gt_v1_need need, uint64_t id,
                                   uint64_t seq)
{
    proc->lane.need = (uint8_t) need;
    proc->lane.wish_id = id;
    proc->lane.wish_seq = seq;
    return GT_RESULT_WAIT;
}

void gt_v1_goroutine_changed_slow(struct gt_v1 *v1, const struct gt_v1_goroutine *goroutine);

/* Sets the goroutine's state, and wakes the procs that wait for this state. */
static inline void gt_v1_goroutine_set_state(struct gt_v1 *v1, struct gt_v1_goroutine *goroutine,
                                             enum gt_v1_go_state state, gt_go_state reported)
{
    goroutine->state = (uint8_t) state;
    goroutine->reported = (uint8_t) reported;
    if (v1->merge.frontier.parked_count != 0)
        gt_v1_goroutine_changed_slow(v1, goroutine);
}

/*
 * Returns whether an event with this sequence number waits for it. In Go the highest number means
 * no sequence number and fits any state: Go 1.21's internal/trace/order.go, noseq.
 */
static inline bool gt_v1_is_seq(uint64_t seq)
{
    return seq != UINT64_MAX;
}

/*
 * The sequence number that the goroutine has after an event with the number `seq`. If the event has
 * no sequence number, `numbered` is false and `seq` is 0. After the highest number, Go continues
 * with 0.
 */
GT_WRAPS static inline uint64_t gt_v1_seq_after(const struct gt_v1_goroutine *goroutine,
                                                bool numbered, uint64_t seq)
{
    return numbered || !gt_v1_is_seq(seq) ? seq + 1 : goroutine->seq + 1;
}

/* The state that an event requires of a goroutine. */
struct gt_v1_want {
    uint64_t id;
    uint64_t seq;     /* its sequence number, if `numbered` is set */
    bool numbered;    /* whether the sequence number is checked */
    uint8_t state;    /* GT_V1_RUNNABLE or GT_V1_WAITING */
    uint8_t reported; /* `state` as a gt_go_state */
};

/*
 * The goroutine of an event, and the place where the event is completed. If `result` is not
 * GT_RESULT_DONE, the rule must return it.
 */
struct gt_v1_subject {
    struct gt_v1_goroutine *goroutine;
    struct gt_event_data *data;
    gt_result result;
};

/*
 * Called if the subject's goroutine, which may be NULL, is not in the state that the event
 * requires. Makes the proc wait, or fails; a lenient reader forces the goroutine into that state.
 */
struct gt_v1_subject gt_v1_goroutine_require(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                             const struct gt_v1_want *want,
                                             struct gt_v1_subject subject);

/* Called by gt_v1_running if the goroutine of the proc's context does not run on the proc. */
struct gt_v1_subject gt_v1_require_running(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                           struct gt_event_data *data, bool is_ordered);

/*
 * The goroutine of the event, which must be the one that runs on the proc. If it is not, the
 * event waits for that if `is_ordered` is set; otherwise it is an error, and a lenient reader
 * forces the goroutine to run there.
 */
static inline struct gt_v1_subject gt_v1_running(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                                 struct gt_event_data *data, bool is_ordered)
{
    struct gt_v1_goroutine *goroutine = proc->goroutine;
    if (GT_UNLIKELY(!goroutine || (int64_t) goroutine->id != proc->context))
        return gt_v1_require_running(v1, proc, data, is_ordered);
    return (struct gt_v1_subject){goroutine, data, GT_RESULT_DONE};
}

static inline struct gt_v1_goroutine *gt_v1_goroutine_find(const struct gt_v1 *v1, uint64_t id)
{
    return gt_idmap_get(&v1->state.goroutines, id);
}

/* The id of the goroutine in the proc's context. Outside of any goroutine Go uses goroutine 0. */
static inline uint64_t gt_v1_context_id(const struct gt_v1_proc *proc)
{
    return proc->context == GT_NO_GOROUTINE ? 0 : (uint64_t) proc->context;
}

/* The goroutine with the id in the proc's context, or NULL. */
static inline struct gt_v1_goroutine *gt_v1_context_goroutine(const struct gt_v1 *v1,
                                                              const struct gt_v1_proc *proc)
{
    struct gt_v1_goroutine *goroutine = proc->goroutine;
    uint64_t id = gt_v1_context_id(proc);
    return goroutine && goroutine->id == id ? goroutine : gt_v1_goroutine_find(v1, id);
}

/* Converts ticks to nanoseconds since the first event, which has time 0. Does not overflow. */
static inline int64_t gt_v1_to_ns(const struct gt_v1 *v1, int64_t ticks)
{
    int64_t span = gt_ticks_minus(ticks, v1->output.first_ticks);
    if (GT_UNLIKELY((uint64_t) span >= v1->output.overflow_ticks))
        return gt_v1_to_ns_slow(v1, span);
    return (int64_t) ((double) span * v1->output.unit);
}

/* The time of the next event, which happens at `ticks`. Times are strictly increasing. */
static inline int64_t gt_v1_next_time(struct gt_v1 *v1, int64_t ticks)
{
    int64_t time = gt_v1_to_ns(v1, ticks);
    if (time <= v1->output.last_time)
        time = v1->output.last_time + 1;
    return v1->output.last_time = time;
}

/* Sets the event's time from output.ticks. */
static inline void gt_v1_set_time(struct gt_v1 *v1, struct gt_event_data *data)
{
    data->event.time = gt_v1_next_time(v1, v1->output.ticks);
}

/* Sets the thread of an event without one to 0, as Go does in some types of events. */
static inline void gt_v1_set_thread(struct gt_event_data *data)
{
    if (data->event.thread == GT_NO_THREAD)
        data->event.thread = 0;
}

/* Adds the states of goroutines that are still to be reported, while there is room. */
void gt_v1_add_owed(struct gt_v1 *v1);

/* Reads a stack's id. An unknown id means no stack, as in Go. */
static inline void gt_v1_take_stack(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                    struct gt_event_data *data)
{
    gt_stacks_find(&v1->table.stacks, (uint32_t) gt_v1_number(proc), &data->stack);
}

gt_result gt_v1_fail_string(struct gt_v1 *v1, const struct gt_v1_proc *proc, uint64_t id);

/* Looks up a string that the event names. Unlike a stack, it must exist. */
static inline gt_result gt_v1_take_string(struct gt_v1 *v1, const struct gt_v1_proc *proc,
                                          uint64_t id, uint32_t *slot)
{
    if (!gt_strings_find(&v1->table.strings, id, slot))
        return gt_v1_fail_string(v1, proc, id);
    return GT_RESULT_DONE;
}

#endif
