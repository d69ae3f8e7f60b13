/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/goroutine.h"

#include <string.h>

#include "timeline/timeline.h"

/* Transitions of goroutines: GoroutineTransition in cmd/trace/{proc,thread,goroutine}gen.go. */

static int executes(uint32_t state)
{
    return state == GT_GO_RUNNING || state == GT_GO_SYSCALL;
}

static int is_text(gt_string string, const char *text)
{
    return string.size == strlen(text) && memcmp(string.data, text, string.size) == 0;
}

/* What is known of no beginning has been so since the trace began. */
static int64_t since(const struct gt_timeline *timeline, const gt_transition *transition)
{
    return transition->from == GT_GO_UNDETERMINED ? timeline->start : timeline->now;
}

static void leave(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                  const gt_transition *transition)
{
    if (transition->to == GT_GO_WAITING)
        gt_tl_goroutine_block(timeline, goroutine, transition->reason);
    else
        gt_tl_goroutine_stop(timeline, goroutine, timeline->now, timeline->stack);
}

static void set_causes(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                       const gt_event *event, const gt_transition *transition)
{
    if (transition->from == GT_GO_WAITING)
        gt_tl_goroutine_unblock(timeline, goroutine, gt_tl_row(timeline, event));
    if (transition->from == GT_GO_NOT_EXIST && transition->to == GT_GO_RUNNABLE)
        gt_tl_goroutine_created(timeline, goroutine, gt_tl_row(timeline, event));
}

/* A goroutine that lost its proc in a system call stopped then; this one did not. */
static void leave_syscall_on_proc(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                                  const gt_transition *transition)
{
    struct gt_tl_proc *proc = gt_tl_proc_find(timeline, goroutine->row, 0);
    if (proc && proc->has_syscall && proc->syscall_goroutine == goroutine->id)
        proc->has_syscall = 0;
    gt_tl_syscall_end(timeline, goroutine, timeline->now, transition->to != GT_GO_NOT_EXIST);
    gt_tl_goroutine_stop(timeline, goroutine, timeline->now, timeline->stack);
}

static void change_on_proc(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                           const gt_event *event, const gt_transition *transition)
{
    uint32_t from = transition->from, to = transition->to;
    if (from == GT_GO_RUNNING && !executes(to))
        leave(timeline, goroutine, transition);
    if (timeline->exact && from == GT_GO_SYSCALL && !executes(to) &&
        goroutine->row != GT_TL_NOWHERE)
        leave_syscall_on_proc(timeline, goroutine, transition);
    if (!executes(from) && to == GT_GO_RUNNING)
        gt_tl_goroutine_start(timeline, goroutine, since(timeline, transition), event->proc);
    set_causes(timeline, goroutine, event, transition);
    if (from == GT_GO_SYSCALL && to != GT_GO_RUNNING)
        gt_tl_goroutine_exit_blocked(timeline, goroutine);
    if (event->proc == GT_NO_PROC || (from != GT_GO_SYSCALL && to != GT_GO_SYSCALL))
        return;
    struct gt_tl_proc *proc = gt_tl_proc_find(timeline, event->proc, to == GT_GO_SYSCALL);
    if (!proc)
        return;
    if (to == GT_GO_SYSCALL) {
        gt_tl_syscall_begin(goroutine, since(timeline, transition), event->proc, timeline->stack);
        proc->has_syscall = 1;
        proc->syscall_goroutine = goroutine->id;
    } else if (proc->has_syscall) {
        gt_tl_syscall_end(timeline, goroutine, timeline->now, 0);
        proc->has_syscall = 0;
    }
}

/* In rows of threads and of goroutines. */
static void change_on_row(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                          const gt_event *event, const gt_transition *transition)
{
    uint32_t from = transition->from, to = transition->to;
    int64_t row = timeline->view == GT_VIEW_THREAD ? event->thread : goroutine->id;
    /* Where it blocked, Go ends it after the run, and draws it with the next one. */
    if (timeline->exact && from == GT_GO_SYSCALL)
        gt_tl_syscall_end(timeline, goroutine, timeline->now, to != GT_GO_RUNNING);
    if (executes(from) && !executes(to))
        leave(timeline, goroutine, transition);
    if (!executes(from) && executes(to))
        gt_tl_goroutine_start(timeline, goroutine, since(timeline, transition), row);
    set_causes(timeline, goroutine, event, transition);
    if (from == GT_GO_SYSCALL) {
        gt_tl_syscall_end(timeline, goroutine, timeline->now, to != GT_GO_RUNNING);
        if (to != GT_GO_RUNNING && timeline->view == GT_VIEW_GOROUTINE)
            gt_tl_goroutine_exit_blocked(timeline, goroutine);
    }
    if (to == GT_GO_SYSCALL)
        gt_tl_syscall_begin(goroutine, since(timeline, transition), row, timeline->stack);
}

static int is_in_assist(const struct gt_tl_goroutine *goroutine)
{
    for (const struct gt_tl_range *range = goroutine->active; range; range = range->next) {
        if (is_text(range->name, "GC mark assist"))
            return 1;
    }
    return 0;
}

static uint32_t counted_as(uint32_t state, int in_assist)
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

static void count(struct gt_timeline *timeline, const struct gt_tl_goroutine *goroutine,
                  const gt_transition *transition)
{
    int in_assist = is_in_assist(goroutine);
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_count_goroutine(timeline->emitter,
                                                        gt_tl_elapsed(timeline, timeline->now),
                                                        counted_as(transition->from, in_assist),
                                                        counted_as(transition->to, in_assist)));
}

/* Summarizer.Event in internal/trace/summary.go names goroutines on its own. */
static void note_system(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine,
                        gt_stack stack)
{
    static const char runtime[] = "runtime.";
    struct gt_tl_text *root;
    if (goroutine->is_told || stack == GT_STACK_NONE || !timeline->tasks.has_regions)
        return;
    gt_status status = gt_tl_stack_root(&timeline->stacks, stack, &root);
    if (status != GT_OK) {
        gt_tl_note(timeline, status);
        return;
    }
    gt_string name = {root->data, root->size};
    goroutine->is_told = root->size > 0;
    goroutine->is_system = root->size >= sizeof(runtime) - 1 &&
                           memcmp(root->data, runtime, sizeof(runtime) - 1) == 0 &&
                           !is_text(name, "runtime.main");
}

/*
 * One that ended in a system call was a C thread's that had called Go. It comes again
 * under the same number when the thread does, and Go knows it still.
 */
static void retire(struct gt_timeline *timeline, struct gt_tl_goroutine *goroutine, uint32_t from)
{
    if (from == GT_GO_SYSCALL || timeline->status != GT_OK)
        return;
    if (timeline->states)
        gt_tl_ranges_finish(timeline, &goroutine->active, goroutine->id);
    else if (timeline->view == GT_VIEW_GOROUTINE)
        gt_tl_note(timeline, gt_emitter_name_resource(timeline->emitter, (uint64_t) goroutine->id,
                                                      gt_tl_goroutine_name(timeline, goroutine)));
    gt_tl_goroutine_free(timeline, goroutine);
}

void gt_tl_goroutine_changes(struct gt_timeline *timeline, const gt_event *event,
                             const gt_transition *transition)
{
    if (timeline->view == GT_VIEW_THREAD)
        gt_tl_thread_seen(timeline, event->thread);
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_make(timeline, transition->resource.id);
    if (!goroutine)
        return;
    gt_tl_goroutine_augment(timeline, goroutine, transition->stack);
    if (transition->from == transition->to)
        return;
    note_system(timeline, goroutine, transition->stack);
    if (timeline->states)
        gt_tl_state_changes(timeline, goroutine, event, transition);
    else if (timeline->view == GT_VIEW_PROC)
        change_on_proc(timeline, goroutine, event, transition);
    else
        change_on_row(timeline, goroutine, event, transition);
    count(timeline, goroutine, transition);
    if (timeline->tasks.has_regions) {
        if (transition->from == GT_GO_NOT_EXIST)
            gt_tl_regions_inherit(timeline, goroutine, event->goroutine);
        if (transition->to == GT_GO_NOT_EXIST ||
            (transition->to == GT_GO_WAITING && is_text(transition->reason, "forever")))
            gt_tl_regions_end(timeline, goroutine, event->goroutine);
    }
    if (transition->to == GT_GO_NOT_EXIST)
        retire(timeline, goroutine, transition->from);
}
