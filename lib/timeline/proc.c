/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/proc.h"

#include <string.h>

#include "timeline/timeline.h"

/* Procs and threads: ProcTransition in cmd/trace/{proc,thread}gen.go, ProcRange in gen.go. */

struct gt_tl_proc *gt_tl_proc_find(struct gt_timeline *timeline, int64_t id, int make)
{
    struct gt_tl_proc *proc = gt_idmap_get(&timeline->procs.map, (uint64_t) id);
    if (proc || !make)
        return proc;
    proc = gt_pool_take(&timeline->procs.pool);
    if (!proc || gt_idmap_put(&timeline->procs.map, (uint64_t) id, proc) != GT_OK) {
        gt_tl_note(timeline, gt_mem_failure(&timeline->mem));
        if (proc)
            gt_pool_give(&timeline->procs.pool, proc);
        return NULL;
    }
    memset(proc, 0, sizeof(*proc));
    proc->id = id;
    proc->next = timeline->procs.first;
    timeline->procs.first = proc;
    return proc;
}

void gt_tl_thread_seen(struct gt_timeline *timeline, int64_t id)
{
    if (id == GT_NO_THREAD || gt_idmap_get(&timeline->procs.threads, (uint64_t) id))
        return;
    gt_tl_note(timeline, gt_idmap_put(&timeline->procs.threads, (uint64_t) id, timeline));
    gt_tl_name_string(timeline, GT_TL_STRING("Thread "));
    gt_tl_name_signed(timeline, id);
    gt_string name = gt_tl_name_take(timeline);
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_name_resource(timeline->emitter, (uint64_t) id, name));
}

static void count_threads(struct gt_timeline *timeline, int64_t time, int64_t change)
{
    if (timeline->status == GT_OK)
        gt_tl_note(timeline,
                   gt_emitter_count_threads(timeline->emitter, gt_tl_elapsed(timeline, time),
                                            GT_COUNTED_THREAD_RUNNING, change));
}

/* What was in a system call on the proc has lost it: the call blocks. */
static void stop_syscall(struct gt_timeline *timeline, struct gt_tl_proc *proc)
{
    if (!proc->has_syscall)
        return;
    proc->has_syscall = 0;
    struct gt_tl_goroutine *goroutine = gt_tl_goroutine_find(timeline, proc->syscall_goroutine);
    if (!goroutine)
        return;
    gt_tl_syscall_end(timeline, goroutine, timeline->now, 1);
    gt_tl_goroutine_stop(timeline, goroutine, timeline->now, timeline->stack);
}

static void set_argument(gt_viewer_argument *argument, gt_string key, int64_t id)
{
    memset(argument, 0, sizeof(*argument));
    argument->key = key;
    argument->kind = GT_VIEWER_UNSIGNED;
    argument->number = (uint64_t) id;
    argument->string = GT_TL_STRING("");
}

static void draw_change(struct gt_timeline *timeline, int64_t time, const gt_event *event,
                        const gt_transition *transition)
{
    gt_viewer_argument arguments[2];
    gt_instant instant = GT_INSTANT_INIT;
    int64_t proc = transition->resource.id;
    int64_t row = timeline->view == GT_VIEW_PROC ? proc : event->thread;
    /* Go leaves out what is 0. */
    if (timeline->exact ? event->thread != GT_NO_THREAD : event->thread != 0)
        set_argument(&arguments[instant.argument_count++], GT_TL_STRING("thread"), event->thread);
    if (timeline->exact || proc != 0)
        set_argument(&arguments[instant.argument_count++], GT_TL_STRING("proc"), proc);
    instant.resource = (uint64_t) row;
    instant.time = gt_tl_elapsed(timeline, time);
    instant.name =
        transition->to == GT_PROC_RUNNING ? GT_TL_STRING("proc start") : GT_TL_STRING("proc stop");
    instant.stack = timeline->stack;
    instant.arguments = arguments;
    if (timeline->status == GT_OK && (!timeline->exact || row != GT_TL_NOWHERE))
        gt_tl_note(timeline, gt_emitter_instant(timeline->emitter, &instant));
}

void gt_tl_proc_changes(struct gt_timeline *timeline, const gt_event *event,
                        const gt_transition *transition)
{
    uint32_t from = transition->from, to = transition->to;
    int64_t time = timeline->now;
    if (timeline->view == GT_VIEW_GOROUTINE && !timeline->states)
        return;
    if (timeline->view == GT_VIEW_THREAD)
        gt_tl_thread_seen(timeline, event->thread);
    struct gt_tl_proc *proc = gt_tl_proc_find(timeline, transition->resource.id, 1);
    if (!proc)
        return;
    proc->is_named = 1;
    if (proc->id > timeline->procs.largest)
        timeline->procs.largest = proc->id;
    if (from == to)
        return;
    if (to == GT_PROC_RUNNING) {
        if (from == GT_PROC_UNDETERMINED)
            time = timeline->start;
        count_threads(timeline, time, 1);
    } else if (from == GT_PROC_RUNNING) {
        count_threads(timeline, time, -1);
        if (timeline->view == GT_VIEW_PROC)
            stop_syscall(timeline, proc);
    } else {
        return;
    }
    if (timeline->states) {
        if (to != GT_PROC_RUNNING)
            gt_tl_state_proc_lost(timeline, proc->id, event);
        return;
    }
    draw_change(timeline, time, event, transition);
}

/* The row of a proc's range, or GT_TL_NOWHERE where Go draws none. */
static int64_t range_row(const struct gt_timeline *timeline, const struct gt_tl_proc *proc,
                         int64_t event_row)
{
    if (timeline->view == GT_VIEW_PROC)
        return proc->id;
    return timeline->exact ? event_row : GT_TL_NOWHERE;
}

static void end_range(struct gt_timeline *timeline, struct gt_tl_proc *proc,
                      struct gt_tl_range *range, int64_t row, uint32_t end_stack)
{
    int64_t drawn = range_row(timeline, proc, row);
    if (!range->has_begin)
        range->begin = timeline->start;
    range->end = timeline->now;
    range->end_stack = end_stack;
    if (drawn != GT_TL_NOWHERE)
        gt_tl_range_draw(timeline, range, drawn);
}

void gt_tl_proc_range(struct gt_timeline *timeline, const gt_event *event, const gt_range *range)
{
    if ((timeline->view != GT_VIEW_PROC && !timeline->exact) ||
        (event->kind == GT_EVENT_RANGE_ACTIVE && timeline->syncs >= 2))
        return;
    struct gt_tl_proc *proc = gt_tl_proc_find(timeline, range->scope.id, 1);
    if (!proc)
        return;
    struct gt_tl_range *active = gt_tl_range_make(timeline, &proc->ranges, range);
    if (!active)
        return;
    if (event->kind == GT_EVENT_RANGE_END) {
        end_range(timeline, proc, active, gt_tl_row(timeline, event), timeline->stack);
        gt_tl_range_remove(timeline, gt_tl_range_find(&proc->ranges, range));
        return;
    }
    int begins = event->kind == GT_EVENT_RANGE_BEGIN;
    active->has_begin = 1;
    active->begin = begins ? event->time : timeline->start;
    active->row = begins ? gt_tl_row(timeline, event) : GT_TL_NOWHERE;
    active->stack = timeline->stack;
}

void gt_tl_procs_finish(struct gt_timeline *timeline)
{
    for (struct gt_tl_proc *proc = timeline->procs.first; proc; proc = proc->next) {
        for (struct gt_tl_range *range = proc->ranges; range; range = range->next)
            end_range(timeline, proc, range, range->row, 0);
    }
}

static void name_proc(struct gt_timeline *timeline, int64_t id)
{
    gt_tl_name_string(timeline, GT_TL_STRING("Proc "));
    gt_tl_name_number(timeline, (uint64_t) id);
    gt_string name = gt_tl_name_take(timeline);
    if (timeline->status == GT_OK)
        gt_tl_note(timeline, gt_emitter_name_resource(timeline->emitter, (uint64_t) id, name));
}

/* Go names all numbers up to the largest, which a hostile trace makes as large as it likes. */
void gt_tl_procs_name(struct gt_timeline *timeline)
{
    for (int64_t id = 0;
         id <= timeline->procs.largest && id < GT_TL_NAMED_PROCS && timeline->status == GT_OK; id++)
        name_proc(timeline, id);
    for (struct gt_tl_proc *proc = timeline->procs.first; proc; proc = proc->next) {
        if (proc->id >= GT_TL_NAMED_PROCS && proc->is_named)
            name_proc(timeline, proc->id);
    }
}
