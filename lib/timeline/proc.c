/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/proc.h"

#include "timeline/arguments.h"
#include "timeline/timeline.h"

/* Procs and threads: ProcTransition in cmd/trace/{proc,thread}gen.go, ProcRange in gen.go. */

struct gt_tl_proc *gt_tl_proc_find(struct gt_timeline *timeline, int64_t id, bool make)
{
    struct gt_tl_procs *procs = &timeline->procs;
    struct gt_tl_proc *proc = gt_idmap_get(&procs->map, (uint64_t) id);
    if (proc || !make)
        return proc;
    proc = gt_idmap_add(&procs->map, (uint64_t) id);
    if (!proc) {
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
        return NULL;
    }
    proc->id = id;
    proc->next = procs->first;
    procs->first = proc;
    return proc;
}

void gt_tl_thread_name(struct gt_timeline *timeline, int64_t id)
{
    struct gt_idmap *threads = &timeline->procs.threads;
    if (id == GT_NO_THREAD || gt_idmap_get(threads, (uint64_t) id))
        return;
    gt_tl_note(timeline, gt_idmap_put(threads, (uint64_t) id, timeline));
    gt_tl_name_string(&timeline->name, GT_TL_STRING("Thread "));
    gt_tl_name_signed(&timeline->name, id);
    gt_tl_name_row(timeline, id, gt_tl_name_end(timeline));
}

static void proc_count_threads(struct gt_timeline *timeline, int64_t time, int64_t change)
{
    if (timeline->status == GT_OK)
        gt_tl_note(timeline,
                   gt_emitter_count_threads(timeline->emitter, gt_tl_elapsed(timeline, time),
                                            GT_COUNTED_THREAD_RUNNING, change));
}

/* Ends the run of a goroutine that loses its proc in a system call, which means that the call
 * blocks. */
static void proc_stop_syscall(struct gt_timeline *timeline, struct gt_tl_proc *proc)
{
    if (!proc->has_syscall)
        return;
    proc->has_syscall = false;
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_find(timeline, proc->syscall_goroutine);
    if (!goroutine)
        return;
    gt_tl_syscall_end(timeline, goroutine, timeline->now, true);
    gt_tl_goroutine_stop(timeline, goroutine, timeline->now, timeline->stack);
}

static void proc_draw_transition(struct gt_timeline *timeline, int64_t time, const gt_event *event,
                                 const gt_transition *transition)
{
    struct gt_tl_arguments arguments;
    gt_instant instant = GT_INSTANT_INIT;
    int64_t proc = transition->resource.id, thread = event->thread;
    int64_t row = timeline->view == GT_VIEW_PROC ? proc : thread;
    arguments.count = 0;
    /* Go omits arguments that are 0. */
    if (timeline->exact ? thread != GT_NO_THREAD : thread != 0)
        gt_tl_arguments_add(&arguments, GT_TL_STRING("thread"), GT_VIEWER_UNSIGNED,
                            (uint64_t) thread);
    if (timeline->exact || proc != 0)
        gt_tl_arguments_add(&arguments, GT_TL_STRING("proc"), GT_VIEWER_UNSIGNED, (uint64_t) proc);
    instant.resource = (uint64_t) row;
    instant.time = gt_tl_elapsed(timeline, time);
    instant.name =
        transition->to == GT_PROC_RUNNING ? GT_TL_STRING("proc start") : GT_TL_STRING("proc stop");
    instant.stack = timeline->stack;
    instant.arguments = arguments.list;
    instant.argument_count = arguments.count;
    if (!timeline->exact || row != GT_TL_NO_ROW)
        gt_tl_draw_instant(timeline, &instant);
}

void gt_tl_proc_transition(struct gt_timeline *timeline, const gt_event *event,
                           const gt_transition *transition)
{
    uint32_t from = transition->from, to = transition->to;
    int64_t time = timeline->now;
    if (timeline->view == GT_VIEW_GOROUTINE && !timeline->states)
        return;
    if (timeline->view == GT_VIEW_THREAD)
        gt_tl_thread_name(timeline, event->thread);
    struct gt_tl_proc *proc = gt_tl_proc_find(timeline, transition->resource.id, true);
    if (!proc)
        return;
    proc->has_transition = true;
    if (proc->id > timeline->procs.largest)
        timeline->procs.largest = proc->id;
    if (from == to)
        return;
    if (to == GT_PROC_RUNNING) {
        if (from == GT_PROC_UNDETERMINED)
            time = timeline->start;
        proc_count_threads(timeline, time, 1);
    } else if (from == GT_PROC_RUNNING) {
        proc_count_threads(timeline, time, -1);
        if (timeline->view == GT_VIEW_PROC)
            proc_stop_syscall(timeline, proc);
    } else {
        return;
    }
    if (timeline->states) {
        if (to != GT_PROC_RUNNING)
            gt_tl_state_proc_lost(timeline, proc->id, event);
        return;
    }
    proc_draw_transition(timeline, time, event, transition);
}

/* The row of a proc's range; GT_TL_NO_ROW if Go does not draw it. */
static int64_t proc_range_row(const struct gt_timeline *timeline, const struct gt_tl_proc *proc,
                              int64_t event_row)
{
    if (timeline->view == GT_VIEW_PROC)
        return proc->id;
    return timeline->exact ? event_row : GT_TL_NO_ROW;
}

static void proc_range_end(struct gt_timeline *timeline, struct gt_tl_proc *proc,
                           struct gt_tl_range *range, int64_t event_row, uint32_t end_stack)
{
    int64_t row = proc_range_row(timeline, proc, event_row);
    if (!range->has_begin)
        range->begin = timeline->start;
    range->end = timeline->now;
    range->end_stack = end_stack;
    if (row != GT_TL_NO_ROW)
        gt_tl_range_draw(timeline, range, row);
}

void gt_tl_proc_range(struct gt_timeline *timeline, const gt_event *event, const gt_range *range)
{
    if ((timeline->view != GT_VIEW_PROC && !timeline->exact) ||
        (event->kind == GT_EVENT_RANGE_ACTIVE && timeline->syncs >= 2))
        return;
    struct gt_tl_proc *proc = gt_tl_proc_find(timeline, range->scope.id, true);
    if (!proc)
        return;
    struct gt_tl_range *active = gt_tl_range_make(timeline, &proc->ranges, range);
    if (!active)
        return;
    if (event->kind == GT_EVENT_RANGE_END) {
        proc_range_end(timeline, proc, active, gt_tl_row(timeline, event), timeline->stack);
        gt_tl_range_remove(timeline, gt_tl_range_find(&proc->ranges, range));
        return;
    }
    bool begins = event->kind == GT_EVENT_RANGE_BEGIN;
    active->has_begin = true;
    active->begin = begins ? event->time : timeline->start;
    active->row = begins ? gt_tl_row(timeline, event) : GT_TL_NO_ROW;
    active->stack = timeline->stack;
}

void gt_tl_procs_finish(struct gt_timeline *timeline)
{
    for (struct gt_tl_proc *proc = timeline->procs.first; proc; proc = proc->next) {
        for (struct gt_tl_range *range = proc->ranges; range; range = range->next)
            proc_range_end(timeline, proc, range, range->row, 0);
    }
}

static void proc_name_row(struct gt_timeline *timeline, int64_t id)
{
    gt_tl_name_string(&timeline->name, GT_TL_STRING("Proc "));
    gt_tl_name_number(&timeline->name, (uint64_t) id);
    gt_tl_name_row(timeline, id, gt_tl_name_end(timeline));
}

/*
 * Go names a row for every number up to the largest id of a proc. Here a row is named for a number
 * without a proc only if the number is below GT_TL_NAMED_PROCS, because a hostile trace can contain
 * any id.
 */
void gt_tl_procs_name(struct gt_timeline *timeline)
{
    int64_t end = GT_TL_NAMED_PROCS;
    if (timeline->procs.largest < end)
        end = timeline->procs.largest + 1;
    for (int64_t id = 0; id < end && timeline->status == GT_OK; id++)
        proc_name_row(timeline, id);
    for (struct gt_tl_proc *proc = timeline->procs.first; proc; proc = proc->next) {
        if (proc->id >= GT_TL_NAMED_PROCS && proc->has_transition)
            proc_name_row(timeline, proc->id);
    }
}
