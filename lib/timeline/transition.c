/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/transition.h"

#include "base/text.h"
#include "timeline/end.h"
#include "timeline/timeline.h"

/* Transitions of goroutines: GoroutineTransition in cmd/trace/{proc,thread,goroutine}gen.go. */

static bool go_state_executes(uint32_t state)
{
    return state == GT_GO_RUNNING || state == GT_GO_SYSCALL;
}

/* When the new state began. A state without a known beginning lasts since the trace began. */
static int64_t transition_time(const struct gt_timeline *timeline, const gt_transition *transition)
{
    return transition->from == GT_GO_UNDETERMINED ? timeline->start : timeline->now;
}

static void transition_stop_run(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                                const gt_transition *transition)
{
    if (transition->to == GT_GO_WAITING)
        gt_tl_goroutine_block(timeline, goroutine, transition->reason);
    else
        gt_tl_goroutine_stop(timeline, goroutine, timeline->now, timeline->stack);
}

static void transition_set_cause(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                                 const gt_event *event, const gt_transition *transition)
{
    if (transition->from == GT_GO_WAITING)
        gt_tl_goroutine_unblock(timeline, goroutine, gt_tl_row(timeline, event));
    if (transition->from == GT_GO_NOT_EXIST && transition->to == GT_GO_RUNNABLE)
        gt_tl_goroutine_created(timeline, goroutine, gt_tl_row(timeline, event));
}

/* Ends the run of a goroutine that leaves a system call without having lost its proc in it. */
static void transition_leave_syscall(struct gt_timeline *timeline,
                                     struct gt_tl_goroutine *goroutine,
                                     const gt_transition *transition)
{
    struct gt_tl_proc *proc = gt_tl_proc_find(timeline, goroutine->row, false);
    if (proc && proc->has_syscall && proc->syscall_goroutine == goroutine->id)
        proc->has_syscall = false;
    gt_tl_syscall_end(timeline, goroutine, timeline->now, transition->to != GT_GO_NOT_EXIST);
    gt_tl_goroutine_stop(timeline, goroutine, timeline->now, timeline->stack);
}

/* Begins or ends a system call in the row of the event's proc. */
static void transition_syscall_on_proc(struct gt_timeline *timeline,
                                       struct gt_tl_goroutine *goroutine, const gt_event *event,
                                       const gt_transition *transition)
{
    bool enters = transition->to == GT_GO_SYSCALL;
    if (event->proc == GT_NO_PROC || (transition->from != GT_GO_SYSCALL && !enters))
        return;
    struct gt_tl_proc *proc = gt_tl_proc_find(timeline, event->proc, enters);
    if (!proc)
        return;
    if (enters) {
        gt_tl_syscall_begin(goroutine, transition_time(timeline, transition), event->proc,
                            timeline->stack);
        proc->has_syscall = true;
        proc->syscall_goroutine = goroutine->id;
    } else if (proc->has_syscall) {
        gt_tl_syscall_end(timeline, goroutine, timeline->now, false);
        proc->has_syscall = false;
    }
}

/* Handles a transition in the view that has one row for each proc. */
static void transition_on_proc(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                               const gt_event *event, const gt_transition *transition)
{
    uint32_t from = transition->from, to = transition->to;
    if (from == GT_GO_RUNNING && !go_state_executes(to))
        transition_stop_run(timeline, goroutine, transition);
    if (timeline->exact && from == GT_GO_SYSCALL && !go_state_executes(to) &&
        goroutine->row != GT_TL_NO_ROW)
        transition_leave_syscall(timeline, goroutine, transition);
    if (!go_state_executes(from) && to == GT_GO_RUNNING)
        gt_tl_goroutine_start(timeline, goroutine, transition_time(timeline, transition),
                              event->proc);
    transition_set_cause(timeline, goroutine, event, transition);
    if (from == GT_GO_SYSCALL && to != GT_GO_RUNNING)
        gt_tl_goroutine_exit_blocked(timeline, goroutine);
    transition_syscall_on_proc(timeline, goroutine, event, transition);
}

/* Handles a transition in the views that have one row for each thread or goroutine. */
static void transition_on_row(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                              const gt_event *event, const gt_transition *transition)
{
    uint32_t from = transition->from, to = transition->to;
    int64_t row = timeline->view == GT_VIEW_THREAD ? event->thread : goroutine->id;
    /* Go ends a system call that blocked after the run, and so draws it with the next run. */
    if (timeline->exact && from == GT_GO_SYSCALL)
        gt_tl_syscall_end(timeline, goroutine, timeline->now, to != GT_GO_RUNNING);
    if (go_state_executes(from) && !go_state_executes(to))
        transition_stop_run(timeline, goroutine, transition);
    if (!go_state_executes(from) && go_state_executes(to))
        gt_tl_goroutine_start(timeline, goroutine, transition_time(timeline, transition), row);
    transition_set_cause(timeline, goroutine, event, transition);
    if (from == GT_GO_SYSCALL) {
        gt_tl_syscall_end(timeline, goroutine, timeline->now, to != GT_GO_RUNNING);
        if (to != GT_GO_RUNNING && timeline->view == GT_VIEW_GOROUTINE)
            gt_tl_goroutine_exit_blocked(timeline, goroutine);
    }
    if (to == GT_GO_SYSCALL)
        gt_tl_syscall_begin(goroutine, transition_time(timeline, transition), row, timeline->stack);
}

static bool goroutine_is_in_assist(const struct gt_tl_goroutine *goroutine)
{
    for (const struct gt_tl_range *range = goroutine->active; range; range = range->next) {
        if (gt_text_is(range->name, "GC mark assist"))
            return true;
    }
    return false;
}

/* Converts a gt_go_state to a gt_counted_state. */
static uint32_t go_state_counted(uint32_t state, bool in_assist)
{
    switch (state) {
    case GT_GO_RUNNABLE:
        return GT_COUNTED_RUNNABLE;
    case GT_GO_RUNNING:
    case GT_GO_SYSCALL:
        return GT_COUNTED_RUNNING;
    case GT_GO_WAITING:
        return in_assist ? GT_COUNTED_WAITING_GC : GT_COUNTED_WAITING;
    default:
        return GT_COUNTED_DEAD;
    }
}

static void transition_count(struct gt_timeline *timeline, const struct gt_tl_goroutine *goroutine,
                             const gt_transition *transition)
{
    bool in_assist = goroutine_is_in_assist(goroutine);
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_count_goroutine(
                                 timeline->emitter, gt_tl_elapsed(timeline, timeline->now),
                                 go_state_counted(transition->from, in_assist),
                                 go_state_counted(transition->to, in_assist)));
}

/*
 * Notes whether the function of a goroutine is known in the sense of Summarizer.Event in
 * internal/trace/summary.go, which finds the regions. There, only a transition that changes the
 * state makes the function known.
 */
static void goroutine_note_function(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                                    gt_stack stack)
{
    struct gt_shared_text *root;
    if (goroutine->has_function || stack == GT_STACK_NONE || !timeline->tasks.has_regions)
        return;
    gt_status status = gt_tl_stack_root(&timeline->stacks, stack, &root);
    if (status != GT_OK) {
        gt_tl_note(timeline, status);
        return;
    }
    gt_string name = root->string;
    goroutine->has_function = name.size > 0;
    goroutine->is_system =
        gt_text_starts_with(name, "runtime.") && !gt_text_is(name, "runtime.main");
}

/*
 * Frees a goroutine that has ended. One that ended in a system call belonged to a C thread that
 * had called Go. When that thread calls Go again, the goroutine comes back with the same id, and
 * Go still knows it.
 */
static void goroutine_retire(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                             uint32_t from)
{
    if (from == GT_GO_SYSCALL || timeline->status != GT_OK)
        return;
    if (timeline->states)
        gt_tl_ranges_finish(timeline, &goroutine->active, goroutine->id);
    else if (timeline->view == GT_VIEW_GOROUTINE)
        gt_tl_goroutine_name_row(timeline, goroutine);
    gt_tl_goroutine_free(timeline, goroutine);
}

void gt_tl_goroutine_transition(struct gt_timeline *timeline, const gt_event *event,
                                const gt_transition *transition)
{
    if (timeline->view == GT_VIEW_THREAD)
        gt_tl_thread_name(timeline, event->thread);
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_make(timeline, transition->resource.id);
    if (!goroutine)
        return;
    gt_tl_goroutine_set_root(timeline, goroutine, transition->stack);
    if (transition->from == transition->to)
        return;
    goroutine_note_function(timeline, goroutine, transition->stack);
    /* A switch between coroutines is drawn as what it is, a moment; Go draws three. */
    if (timeline->states &&
        gt_switch_take(&timeline->switched, event, transition) > GT_SWITCH_WAKES)
        timeline->now = timeline->switched.time;
    if (timeline->states)
        gt_tl_state_transition(timeline, goroutine, event, transition);
    else if (timeline->view == GT_VIEW_PROC)
        transition_on_proc(timeline, goroutine, event, transition);
    else
        transition_on_row(timeline, goroutine, event, transition);
    transition_count(timeline, goroutine, transition);
    if (timeline->tasks.has_regions) {
        if (transition->from == GT_GO_NOT_EXIST)
            gt_tl_regions_inherit(timeline, goroutine, event->goroutine);
        if (gt_tl_transition_is_end(transition))
            gt_tl_regions_end(timeline, goroutine, event->goroutine);
    }
    if (transition->to == GT_GO_NOT_EXIST)
        goroutine_retire(timeline, goroutine, transition->from);
}
