/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/states.h"

#include <string.h>

#include "timeline/timeline.h"

enum {
    TOLD_NOTHING,
    TOLD_THERE,
    TOLD_FUNCTION
};

/* What a slice says besides its name and its stacks. */
struct arguments {
    gt_viewer_argument list[4];
    size_t count;
};

static void add(struct arguments *arguments, gt_string key, uint32_t kind, int64_t number)
{
    gt_viewer_argument *argument = &arguments->list[arguments->count++];
    argument->key = key;
    argument->kind = kind;
    argument->reserved = 0;
    argument->number = (uint64_t) number;
    argument->string = GT_TL_STRING("");
}

static void add_text(struct arguments *arguments, gt_string key, const struct gt_tl_text *text)
{
    add(arguments, key, GT_VIEWER_STRING, 0);
    arguments->list[arguments->count - 1].string = (gt_string){text->data, text->size};
}

static gt_string name_of(const struct gt_tl_state *state)
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

static int executes(const struct gt_tl_state *state)
{
    return state->state == GT_GO_RUNNING || state->state == GT_GO_SYSCALL;
}

/* Draws what it was in until now, and forgets it. */
static void draw(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                 uint32_t end_stack)
{
    struct gt_tl_state *state = &goroutine->state;
    struct arguments arguments;
    arguments.count = 0;
    if (executes(state) && state->proc != GT_NO_PROC)
        add(&arguments, GT_TL_STRING("proc"), GT_VIEWER_UNSIGNED, state->proc);
    if (executes(state) && state->thread != GT_NO_THREAD)
        add(&arguments, GT_TL_STRING("thread"), GT_VIEWER_UNSIGNED, state->thread);
    if (state->reason)
        add_text(&arguments, GT_TL_STRING("reason"), state->reason);
    if (state->by != GT_NO_GOROUTINE)
        add(&arguments, GT_TL_STRING("by"), GT_VIEWER_SIGNED, state->by);
    gt_slice slice = gt_tl_slice(timeline, goroutine->id, state->start, timeline->now);
    slice.name = name_of(state);
    slice.category = GT_TL_STRING("state");
    slice.stack = state->stack;
    slice.end_stack = end_stack;
    slice.arguments = arguments.list;
    slice.argument_count = arguments.count;
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_slice(timeline->emitter, &slice));
    gt_tl_text_drop(&timeline->texts, state->reason);
    state->reason = NULL;
    state->state = GT_GO_UNDETERMINED;
}

/* Where `creator` is none, it is not known, or has been told before. */
static void tell(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine, int64_t time,
                 int64_t creator, uint32_t stack)
{
    struct arguments arguments;
    gt_instant instant = GT_INSTANT_INIT;
    arguments.count = 0;
    if (creator != GT_NO_GOROUTINE)
        add(&arguments, GT_TL_STRING("by"), GT_VIEWER_SIGNED, creator);
    if (goroutine->label)
        add_text(&arguments, GT_TL_STRING("label"), goroutine->label);
    if (goroutine->root)
        instant.name = (gt_string){goroutine->root->data, goroutine->root->size};
    instant.resource = (uint64_t) goroutine->id;
    instant.time = gt_tl_elapsed(timeline, time);
    instant.category = GT_TL_STRING("goroutine");
    instant.stack = stack;
    instant.arguments = arguments.list;
    instant.argument_count = arguments.count;
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_instant(timeline->emitter, &instant));
    goroutine->state.told = goroutine->root ? TOLD_FUNCTION : TOLD_THERE;
}

void gt_tl_state_labelled(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine)
{
    tell(timeline, goroutine, timeline->now, GT_NO_GOROUTINE, 0);
}

static void enter(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                  const gt_event *event, const gt_transition *transition, int by_another,
                  uint32_t stack)
{
    struct gt_tl_state *state = &goroutine->state;
    state->state = transition->to;
    state->start = transition->from == GT_GO_UNDETERMINED ? timeline->start : timeline->now;
    state->proc = event->proc;
    state->thread = event->thread;
    state->is_blocked = transition->to == GT_GO_SYSCALL && event->proc == GT_NO_PROC;
    state->by = by_another ? event->goroutine : GT_NO_GOROUTINE;
    /* In traces of Go 1.21 and before the proc is that of whoever tells of it. */
    if (transition->from == GT_GO_UNDETERMINED && transition->to == GT_GO_SYSCALL &&
        event->thread == GT_NO_THREAD)
        state->proc = GT_NO_PROC;
    state->stack = stack;
    if (transition->reason.size == 0)
        return;
    state->reason = gt_tl_text_of_trace(&timeline->texts, transition->reason);
    if (!state->reason)
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
}

/* What runs on a proc has taken it from what was in a system call there. */
static void take_proc(struct gt_timeline *timeline, const struct gt_tl_goroutine *goroutine,
                      const gt_event *event)
{
    const struct gt_tl_proc *proc =
        event->proc != GT_NO_PROC ? gt_tl_proc_find(timeline, event->proc, 0) : NULL;
    if (proc && proc->has_syscall && proc->syscall_goroutine != goroutine->id)
        gt_tl_state_proc_lost(timeline, proc->id, event);
}

static void note_syscall(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                         const gt_event *event, uint32_t state)
{
    int64_t id = state == GT_GO_SYSCALL ? goroutine->state.proc : event->proc;
    if (id == GT_NO_PROC)
        return;
    struct gt_tl_proc *proc = gt_tl_proc_find(timeline, id, state == GT_GO_SYSCALL);
    if (!proc || (state != GT_GO_SYSCALL && proc->syscall_goroutine != goroutine->id))
        return;
    proc->has_syscall = state == GT_GO_SYSCALL;
    proc->syscall_goroutine = goroutine->id;
}

void gt_tl_state_changes(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                         const gt_event *event, const gt_transition *transition)
{
    /* What was there before the trace is told of by others, who did not make it so. */
    int by_another = event->goroutine != goroutine->id && event->goroutine != GT_NO_GOROUTINE &&
                     transition->from != GT_GO_UNDETERMINED;
    int is_created = transition->from == GT_GO_NOT_EXIST;
    uint32_t stack = by_another ? gt_tl_stack(timeline, gt_event_stack(event)) : timeline->stack;
    if (goroutine->state.told == TOLD_NOTHING ||
        (goroutine->root && goroutine->state.told != TOLD_FUNCTION))
        tell(timeline, goroutine,
             transition->from == GT_GO_UNDETERMINED ? timeline->start : timeline->now,
             is_created ? event->goroutine : GT_NO_GOROUTINE, is_created ? stack : 0);
    if (goroutine->state.state != GT_GO_UNDETERMINED)
        draw(timeline, goroutine, stack);
    if (transition->to == GT_GO_RUNNING || transition->to == GT_GO_SYSCALL)
        take_proc(timeline, goroutine, event);
    if (transition->to != GT_GO_NOT_EXIST && transition->to != GT_GO_UNDETERMINED)
        enter(timeline, goroutine, event, transition, by_another, stack);
    if (transition->from == GT_GO_SYSCALL || transition->to == GT_GO_SYSCALL)
        note_syscall(timeline, goroutine, event, transition->to);
}

void gt_tl_state_proc_lost(struct gt_timeline *timeline, int64_t id, const gt_event *event)
{
    struct gt_tl_proc *proc = gt_tl_proc_find(timeline, id, 0);
    if (!proc || !proc->has_syscall)
        return;
    proc->has_syscall = 0;
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_find(timeline, proc->syscall_goroutine);
    if (!goroutine || goroutine->state.state != GT_GO_SYSCALL || goroutine->state.is_blocked)
        return;
    int64_t thread = goroutine->state.thread;
    uint32_t stack = goroutine->state.stack;
    draw(timeline, goroutine, stack);
    goroutine->state.state = GT_GO_SYSCALL;
    goroutine->state.is_blocked = 1;
    goroutine->state.start = timeline->now;
    goroutine->state.proc = GT_NO_PROC;
    goroutine->state.thread = thread;
    goroutine->state.by = event->goroutine != goroutine->id ? event->goroutine : GT_NO_GOROUTINE;
    goroutine->state.stack = stack;
}

void gt_tl_state_finish(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine)
{
    if (goroutine->state.state != GT_GO_UNDETERMINED)
        draw(timeline, goroutine, 0);
}
