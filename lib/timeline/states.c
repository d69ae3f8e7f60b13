/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/states.h"

#include "timeline/arguments.h"
#include "timeline/timeline.h"

static gt_string state_name(const struct gt_tl_state *state)
{
    switch (state->state) {
    case GT_GO_RUNNABLE:
        return GT_TL_STRING("Runnable");
    case GT_GO_RUNNING:
        return GT_TL_STRING("Running");
    case GT_GO_WAITING:
        return GT_TL_STRING("Waiting");
    default:
        return state->is_blocked ? GT_TL_STRING("Syscall, blocked") : GT_TL_STRING("Syscall");
    }
}

static void state_add_arguments(const struct gt_tl_state *state, struct gt_tl_arguments *arguments)
{
    bool executes = state->state == GT_GO_RUNNING || state->state == GT_GO_SYSCALL;
    if (executes && state->proc != GT_NO_PROC)
        gt_tl_arguments_add(arguments, GT_TL_STRING("proc"), GT_VIEWER_UNSIGNED,
                            (uint64_t) state->proc);
    if (executes && state->thread != GT_NO_THREAD)
        gt_tl_arguments_add(arguments, GT_TL_STRING("thread"), GT_VIEWER_UNSIGNED,
                            (uint64_t) state->thread);
    if (state->reason)
        gt_tl_arguments_add_string(arguments, GT_TL_STRING("reason"), state->reason->string);
    if (state->by != GT_NO_GOROUTINE)
        gt_tl_arguments_add(arguments, GT_TL_STRING("by"), GT_VIEWER_SIGNED, (uint64_t) state->by);
}

static void state_clear(struct gt_timeline *timeline, struct gt_tl_state *state)
{
    gt_shared_text_drop(&timeline->texts, state->reason);
    state->reason = NULL;
    state->state = GT_GO_UNDETERMINED;
}

/* Draws the state up to the current time and clears it. */
static void state_draw(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                       uint32_t end_stack)
{
    struct gt_tl_state *state = &goroutine->state;
    struct gt_tl_arguments arguments;
    arguments.count = 0;
    state_add_arguments(state, &arguments);
    gt_slice slice = gt_tl_slice(timeline, goroutine->id, state->start, timeline->now);
    slice.name = state_name(state);
    slice.category = GT_TL_STRING("state");
    slice.stack = state->stack;
    slice.end_stack = end_stack;
    slice.arguments = arguments.list;
    slice.argument_count = arguments.count;
    gt_tl_draw_slice(timeline, &slice);
    state_clear(timeline, state);
}

/* `creator` is GT_NO_GOROUTINE if it is not known or was announced before. */
static void goroutine_announce(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                               int64_t time, int64_t creator, uint32_t stack)
{
    struct gt_tl_arguments arguments;
    gt_instant instant = GT_INSTANT_INIT;
    arguments.count = 0;
    if (creator != GT_NO_GOROUTINE)
        gt_tl_arguments_add(&arguments, GT_TL_STRING("by"), GT_VIEWER_SIGNED, (uint64_t) creator);
    if (goroutine->label)
        gt_tl_arguments_add_string(&arguments, GT_TL_STRING("label"), goroutine->label->string);
    if (goroutine->root)
        instant.name = goroutine->root->string;
    instant.resource = (uint64_t) goroutine->id;
    instant.time = gt_tl_elapsed(timeline, time);
    instant.category = GT_TL_STRING("goroutine");
    instant.stack = stack;
    instant.arguments = arguments.list;
    instant.argument_count = arguments.count;
    gt_tl_draw_instant(timeline, &instant);
    goroutine->state.announced =
        goroutine->root ? GT_TL_ANNOUNCED_FUNCTION : GT_TL_ANNOUNCED_EXISTENCE;
}

void gt_tl_state_label(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine)
{
    goroutine_announce(timeline, goroutine, timeline->now, GT_NO_GOROUTINE, 0);
}

static void state_begin(struct gt_timeline *timeline, struct gt_tl_state *state,
                        const gt_event *event, const gt_transition *transition)
{
    bool was_known = transition->from != GT_GO_UNDETERMINED;
    state->state = transition->to;
    state->start = was_known ? timeline->now : timeline->start;
    state->proc = event->proc;
    state->thread = event->thread;
    state->is_blocked = transition->to == GT_GO_SYSCALL && event->proc == GT_NO_PROC;
    /* In traces of Go 1.21 and older, such an event has the proc of its emitter, not that of the
     * goroutine. */
    if (!was_known && transition->to == GT_GO_SYSCALL && event->thread == GT_NO_THREAD)
        state->proc = GT_NO_PROC;
    if (transition->reason.size > 0)
        state->reason = gt_tl_text_get(timeline, transition->reason);
}

/* A goroutine that starts to run on a proc has taken the proc from a goroutine in a system call, if
 * there was one. */
static void state_take_proc(struct gt_timeline *timeline, const struct gt_tl_goroutine *goroutine,
                            const gt_event *event)
{
    const struct gt_tl_proc *proc =
        event->proc != GT_NO_PROC ? gt_tl_proc_find(timeline, event->proc, false) : NULL;
    if (proc && proc->has_syscall && proc->syscall_goroutine != goroutine->id)
        gt_tl_state_proc_lost(timeline, proc->id, event);
}

/* Notes in the proc whether the goroutine is in a system call there. */
static void state_note_syscall(struct gt_timeline *timeline,
                               const struct gt_tl_goroutine *goroutine, const gt_event *event,
                               bool enters)
{
    int64_t id = enters ? goroutine->state.proc : event->proc;
    if (id == GT_NO_PROC)
        return;
    struct gt_tl_proc *proc = gt_tl_proc_find(timeline, id, enters);
    if (!proc || (!enters && proc->syscall_goroutine != goroutine->id))
        return;
    proc->has_syscall = enters;
    proc->syscall_goroutine = goroutine->id;
}

/* Who caused the transition, if that was another goroutine. An event that reports a state from
 * before the trace does not show that. */
static int64_t state_cause(const struct gt_timeline *timeline, const gt_event *event,
                           const gt_transition *transition)
{
    if (timeline->switched.step == GT_SWITCH_STARTS)
        return timeline->switched.from;
    return event->goroutine != transition->resource.id && transition->from != GT_GO_UNDETERMINED
               ? event->goroutine
               : GT_NO_GOROUTINE;
}

void gt_tl_state_transition(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                            const gt_event *event, const gt_transition *transition)
{
    struct gt_tl_state *state = &goroutine->state;
    uint32_t from = transition->from, to = transition->to;
    int64_t by = state_cause(timeline, event, transition);
    bool is_created = from == GT_GO_NOT_EXIST;
    uint32_t stack =
        by != GT_NO_GOROUTINE ? gt_tl_stack(timeline, gt_event_stack(event)) : timeline->stack;
    if (state->announced == GT_TL_ANNOUNCED_NOTHING ||
        (goroutine->root && state->announced != GT_TL_ANNOUNCED_FUNCTION))
        goroutine_announce(timeline, goroutine,
                           from == GT_GO_UNDETERMINED ? timeline->start : timeline->now,
                           is_created ? event->goroutine : GT_NO_GOROUTINE, is_created ? stack : 0);
    if (timeline->switched.step == GT_SWITCH_STARTS)
        state_clear(timeline, state);
    else if (state->state != GT_GO_UNDETERMINED)
        state_draw(timeline, goroutine, stack);
    if (to == GT_GO_RUNNING || to == GT_GO_SYSCALL)
        state_take_proc(timeline, goroutine, event);
    if (to != GT_GO_NOT_EXIST && to != GT_GO_UNDETERMINED) {
        state->by = by;
        state->stack = stack;
        state_begin(timeline, state, event, transition);
    }
    if (from == GT_GO_SYSCALL || to == GT_GO_SYSCALL)
        state_note_syscall(timeline, goroutine, event, to == GT_GO_SYSCALL);
}

void gt_tl_state_proc_lost(struct gt_timeline *timeline, int64_t id, const gt_event *event)
{
    struct gt_tl_proc *proc = gt_tl_proc_find(timeline, id, false);
    if (!proc || !proc->has_syscall)
        return;
    proc->has_syscall = false;
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_find(timeline, proc->syscall_goroutine);
    if (!goroutine || goroutine->state.state != GT_GO_SYSCALL || goroutine->state.is_blocked)
        return;
    struct gt_tl_state *state = &goroutine->state;
    state_draw(timeline, goroutine, state->stack);
    /* The thread and the stack remain unchanged. */
    state->state = GT_GO_SYSCALL;
    state->is_blocked = true;
    state->start = timeline->now;
    state->proc = GT_NO_PROC;
    state->by = event->goroutine != goroutine->id ? event->goroutine : GT_NO_GOROUTINE;
}

void gt_tl_state_finish(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine)
{
    if (goroutine->state.state != GT_GO_UNDETERMINED)
        state_draw(timeline, goroutine, 0);
}
