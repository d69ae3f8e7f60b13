/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_ORDER_H
#define GT_V2_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "merge/result.h"
#include "v2/decode.h"
#include "v2/repair.h"
#include "v2/spec.h"
#include "v2/v2.h"

/*
 * Which event may come next, and what it does: internal/trace/order.go. For each type of event
 * there is a rule, which decides whether the thread's next event can happen now. If so, it reads
 * the arguments, changes the state, and completes the event in `data`, whose kind, type, time and
 * context are set.
 */
typedef gt_result gt_v2_rule(struct gt_v2 *v2, struct gt_v2_thread *thread,
                             struct gt_event_data *data);

/*
 * The rule of a type of event, and the event of the API that it becomes. Types that are not events
 * of a thread have no rule.
 */
struct gt_v2_action {
    gt_v2_rule *rule;
    uint32_t kind; /* the gt_event_kind of the completed event */
};

extern const struct gt_v2_action gt_v2_actions[256];

gt_v2_rule gt_v2_proc_start, gt_v2_proc_stop, gt_v2_proc_steal, gt_v2_proc_status;
gt_v2_rule gt_v2_go_create, gt_v2_go_create_syscall, gt_v2_go_start, gt_v2_go_destroy;
gt_v2_rule gt_v2_go_destroy_syscall, gt_v2_go_stop, gt_v2_go_block, gt_v2_go_unblock;
gt_v2_rule gt_v2_go_syscall_begin, gt_v2_go_syscall_end, gt_v2_go_syscall_end_blocked;
gt_v2_rule gt_v2_go_status, gt_v2_go_switch;
gt_v2_rule gt_v2_stw_begin, gt_v2_stw_end, gt_v2_gc_active, gt_v2_gc_begin, gt_v2_gc_end;
gt_v2_rule gt_v2_sweep_active, gt_v2_sweep_begin, gt_v2_sweep_end;
gt_v2_rule gt_v2_assist_active, gt_v2_assist_begin, gt_v2_assist_end;
gt_v2_rule gt_v2_procs_change, gt_v2_heap_metric, gt_v2_go_label, gt_v2_experimental;
gt_v2_rule gt_v2_task_begin, gt_v2_task_end, gt_v2_region_begin, gt_v2_region_end, gt_v2_log;

/* Returns the offset of the thread's next event in the input. */
uint64_t gt_v2_event_offset(const struct gt_v2 *v2, const struct gt_v2_thread *thread);

/* The following functions set the error at the thread's next event, and return GT_RESULT_ERROR. */

/* Sets an error whose text is `text`, in which %d or %u stand for up to two numbers. */
gt_result gt_v2_fail(struct gt_v2 *v2, const struct gt_v2_thread *thread, gt_status status,
                     const char *text, int64_t a, int64_t b);

/*
 * Sets an error whose text is `text`, in which %s comes first and stands for the event's name, and
 * %d or %u for up to two numbers.
 */
gt_result gt_v2_fail_event(struct gt_v2 *v2, const struct gt_v2_thread *thread, gt_status status,
                           const char *text, int64_t a, int64_t b);

/* Sets the error that the event's type, time or an argument is malformed. */
gt_result gt_v2_fail_decoding(struct gt_v2 *v2, const struct gt_v2_thread *thread);

/*
 * Sets the error that the event needs a proc or a goroutine that the thread lacks, or must not have
 * one.
 */
gt_result gt_v2_fail_context(struct gt_v2 *v2, const struct gt_v2_thread *thread);

/* Sets the error that memory ran out, or the caller's limit was reached. */
gt_result gt_v2_fail_memory(struct gt_v2 *v2);

/* Sets the error that the event creates a goroutine whose id exists already or is invalid. */
gt_result gt_v2_fail_exists(struct gt_v2 *v2, const struct gt_v2_thread *thread, int64_t id);

/*
 * Sets the error that the thread's goroutine is not in the state that the event needs, or lacks its
 * context.
 */
gt_result gt_v2_fail_state(struct gt_v2 *v2, const struct gt_v2_thread *thread);

static inline bool gt_v2_has_proc(const struct gt_v2_thread *thread)
{
    return thread->proc_id != GT_NO_PROC;
}

static inline bool gt_v2_has_goroutine(const struct gt_v2_thread *thread)
{
    return thread->goroutine_id != GT_NO_GOROUTINE;
}

/*
 * Returns whether the thread can run the code of a goroutine: it has a proc and a goroutine.
 * GT_NO_THREAD never gets a proc.
 */
static inline bool gt_v2_runs_code(const struct gt_v2_thread *thread)
{
    return gt_v2_has_proc(thread) && gt_v2_has_goroutine(thread);
}

static inline struct gt_v2_goroutine *gt_v2_goroutine_find(const struct gt_v2 *v2, uint64_t id)
{
    return gt_idmap_get(&v2->state.goroutines, id);
}

/* Does what gt_v2_goroutine_find does, out of line, for callers that rarely need it. */
struct gt_v2_goroutine *gt_v2_goroutine_find_slow(const struct gt_v2 *v2, uint64_t id);

/*
 * Returns the thread's current goroutine, or NULL. The thread's pointer may be out of date, because
 * the memory of a goroutine that has ended remains and may be used for another one.
 */
static inline struct gt_v2_goroutine *gt_v2_context_goroutine(const struct gt_v2 *v2,
                                                              const struct gt_v2_thread *thread)
{
    struct gt_v2_goroutine *goroutine = thread->goroutine;
    if (goroutine && goroutine->id == thread->goroutine_id)
        return goroutine;
    return gt_v2_goroutine_find_slow(v2, (uint64_t) thread->goroutine_id);
}

/* Returns the goroutine whose code the thread runs, or NULL. */
static inline struct gt_v2_goroutine *gt_v2_current(const struct gt_v2 *v2,
                                                    const struct gt_v2_thread *thread)
{
    return gt_v2_runs_code(thread) ? gt_v2_context_goroutine(v2, thread) : NULL;
}

/* Returns the goroutine whose code the thread runs if it has this status, or NULL. */
static inline struct gt_v2_goroutine *
gt_v2_current_with(const struct gt_v2 *v2, const struct gt_v2_thread *thread, uint8_t status)
{
    struct gt_v2_goroutine *goroutine = gt_v2_current(v2, thread);
    return goroutine && goroutine->status == status ? goroutine : NULL;
}

/*
 * Makes the goroutine the current one of the thread. GT_NO_THREAD, whose batches belong to no
 * thread, gets no goroutine and no proc.
 */
static inline void gt_v2_bind_goroutine(struct gt_v2_thread *thread,
                                        struct gt_v2_goroutine *goroutine)
{
    if (thread->id == GT_NO_THREAD)
        return;
    thread->goroutine = goroutine;
    thread->goroutine_id = goroutine->id;
}

static inline void gt_v2_unbind_goroutine(struct gt_v2_thread *thread)
{
    thread->goroutine = NULL;
    thread->goroutine_id = GT_NO_GOROUTINE;
}

static inline void gt_v2_bind_proc(struct gt_v2_thread *thread, struct gt_v2_proc *proc)
{
    if (thread->id == GT_NO_THREAD)
        return;
    thread->proc = proc;
    thread->proc_id = proc->id;
    proc->thread = thread;
}

static inline void gt_v2_unbind_proc(struct gt_v2_thread *thread)
{
    thread->proc = NULL;
    thread->proc_id = GT_NO_PROC;
}

/* The goroutine of an event. If `result` is not GT_RESULT_DONE, the rule must return it. */
struct gt_v2_subject {
    struct gt_v2_goroutine *goroutine; /* NULL if the rule must return */
    gt_result result;
};

/* Returns whether `number` is the successor of `seq` in the current generation. */
static inline bool gt_v2_succeeds(const struct gt_v2 *v2, const struct gt_v2_seq *seq,
                                  uint64_t number)
{
    return seq->generation == v2->generation.number && number == gt_v2_seq_after(seq->number);
}

static inline void gt_v2_seq_start(const struct gt_v2 *v2, struct gt_v2_seq *seq)
{
    seq->generation = v2->generation.number;
    seq->number = 0;
}

/* The kinds of conditions for which a thread's next event can wait. */
enum gt_v2_need {
    /* Goroutine `id` must be runnable, or waiting, with the sequence number before `seq`. */
    GT_V2_NEED_RUNNABLE,
    GT_V2_NEED_WAITING,
    /* Proc `id` must be idle, or in a system call, with the sequence number before `seq`. */
    GT_V2_NEED_IDLE,
    GT_V2_NEED_IN_SYSCALL,
    /* Proc `id` must leave its system call. */
    GT_V2_NEED_SYSCALL_OVER,
    /* Thread `id`, the waiting thread itself, must lose its proc. */
    GT_V2_NEED_NO_PROC,
    /* The garbage collector's sequence number must be the one before `seq`. */
    GT_V2_NEED_GC
};

static inline gt_result gt_v2_wait(struct gt_v2_thread *thread, enum gt_v2_need need, uint64_t id,
                                   uint64_t seq)
{
    thread->lane.need = (uint8_t) need;
    thread->lane.wish_id = id;
    thread->lane.wish_seq = seq;
    return GT_RESULT_WAIT;
}

/*
 * Wakes the threads that wait for the goroutine. Must be called when its status or sequence number
 * has changed.
 */
static inline void gt_v2_goroutine_changed(struct gt_v2 *v2,
                                           const struct gt_v2_goroutine *goroutine)
{
    if (v2->merge.frontier.parked_count == 0 || goroutine->seq.generation != v2->generation.number)
        return;
    if (goroutine->status == GT_V2_GO_RUNNABLE)
        gt_frontier_wake(&v2->merge.frontier, GT_V2_NEED_RUNNABLE, (uint64_t) goroutine->id,
                         gt_v2_seq_after(goroutine->seq.number));
    else if (goroutine->status == GT_V2_GO_WAITING)
        gt_frontier_wake(&v2->merge.frontier, GT_V2_NEED_WAITING, (uint64_t) goroutine->id,
                         gt_v2_seq_after(goroutine->seq.number));
}

/*
 * Wakes the threads that wait for the proc. Does the work of gt_v2_proc_changed if any thread is
 * parked.
 */
void gt_v2_proc_changed_slow(struct gt_v2 *v2, const struct gt_v2_proc *proc);

static inline void gt_v2_proc_changed(struct gt_v2 *v2, const struct gt_v2_proc *proc)
{
    if (v2->merge.frontier.parked_count != 0)
        gt_v2_proc_changed_slow(v2, proc);
}

/*
 * Completes `*next` as another event with the context of `*data`, which directly follows `*data`.
 */
void gt_v2_event_follow(struct gt_event_data *next, const struct gt_event_data *data, uint8_t type);

/*
 * The functions gt_v2_take_* look up an event's stack and strings. As in Go, they are called after
 * all other checks of the event. They store slots, from which the event's getters read. The
 * functions gt_v2_fail_* handle ids that do not exist.
 */
gt_result gt_v2_fail_stack(struct gt_v2 *v2, const struct gt_v2_thread *thread, uint64_t id);
gt_result gt_v2_fail_string(struct gt_v2 *v2, const struct gt_v2_thread *thread, uint64_t id);

static inline gt_result gt_v2_take_stack(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                         struct gt_event_data *data, uint64_t id)
{
    if (!gt_stacks_find(&v2->table->stacks, id, &data->stack))
        return gt_v2_fail_stack(v2, thread, id);
    return GT_RESULT_DONE;
}

static inline gt_result gt_v2_take_string(struct gt_v2 *v2, const struct gt_v2_thread *thread,
                                          struct gt_event_data *data, unsigned which, uint64_t id)
{
    if (!gt_strings_find(&v2->table->strings, id, &data->strings[which]))
        return gt_v2_fail_string(v2, thread, id);
    return GT_RESULT_DONE;
}

static inline gt_result gt_v2_take_string_and_stack(struct gt_v2 *v2,
                                                    const struct gt_v2_thread *thread,
                                                    struct gt_event_data *data, uint64_t string,
                                                    uint64_t stack)
{
    gt_result result = gt_v2_take_stack(v2, thread, data, stack);
    return result != GT_RESULT_DONE ? result : gt_v2_take_string(v2, thread, data, 0, string);
}

#endif
