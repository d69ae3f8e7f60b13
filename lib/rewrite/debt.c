/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/batch.h"
#include "v2/spec.h"

/*
 * What is to be written where the output begins, or a generation of it, but only on a thread on
 * which a goroutine runs. Where there is none, it is owed.
 */

/* Returns whether a goroutine runs on the thread. */
static bool thread_runs(const struct gt_rewrite_thread *thread)
{
    return thread->proc && thread->proc->status == GT_V2_PROC_RUNNING && thread->goroutine &&
           thread->goroutine->status == GT_V2_GO_RUNNING;
}

/* Returns a thread on which a goroutine runs, or NULL. */
static struct gt_rewrite_thread *state_running_thread(const struct gt_rewrite_state *state)
{
    for (size_t i = 0; i < state->procs.count; i++) {
        struct gt_rewrite_thread *thread = state->procs.items[i]->thread;
        if (thread && thread_runs(thread))
            return thread;
    }
    return NULL;
}

/* How many events are owed that must be written before the next event. */
static int64_t debts_count(const struct gt_writer *writer)
{
    int64_t count = writer->owes_collector && writer->state.collecting;
    if (writer->owes_tasks)
        count += (int64_t) gt_rewrite_tasks_count(writer);
    return count;
}

/* Writes these from `*time` on, which becomes the time after the last event. */
static gt_status debts_put(struct gt_writer *writer, struct gt_rewrite_thread *thread,
                           int64_t *time)
{
    gt_status status = GT_OK;
    if (writer->owes_collector && writer->state.collecting) {
        uint64_t number = ++writer->collector;
        status = gt_rewrite_put(writer, thread, (*time)++, GT_WIRE_GC_ACTIVE, number);
    }
    if (status == GT_OK && writer->owes_tasks)
        status = gt_rewrite_tasks_put(writer, thread, time);
    writer->owes_collector = writer->owes_tasks = false;
    return status;
}

static gt_status procs_put(struct gt_writer *writer, struct gt_rewrite_thread *thread,
                           int64_t *time)
{
    writer->owes_procs = false;
    return gt_rewrite_put(writer, thread, (*time)++, GT_WIRE_PROCS_CHANGE, writer->procs, 0);
}

gt_status gt_rewrite_debts_begin(struct gt_writer *writer, int64_t *time)
{
    struct gt_rewrite_thread *thread = state_running_thread(&writer->state);
    gt_status status = GT_OK;
    writer->owes_procs = writer->has_skipped && writer->procs != 0;
    writer->owes_tasks = gt_rewrite_tasks_count(writer) != 0;
    if (!thread)
        return GT_OK;
    if (writer->owes_procs)
        status = procs_put(writer, thread, time);
    return status == GT_OK ? debts_put(writer, thread, time) : status;
}

gt_status gt_rewrite_pay(struct gt_writer *writer, struct gt_rewrite_event *e)
{
    int64_t count = debts_count(writer);
    if (!thread_runs(e->thread))
        return GT_OK;
    if (writer->last_time >= INT64_MAX - count || e->time > INT64_MAX - count)
        return gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE,
                               "there are no times left after that of the last event");
    int64_t time = writer->last_time + 1;
    /* What the thread of an event of Go 1.21 or before needed may have the time before the event.
     */
    if (writer->v1.is_input)
        time = e->time;
    /* No event is delayed for the sake of GOMAXPROCS, which is told where there is time for it. */
    bool has_time = writer->owes_procs && e->time - count > time;
    if (time < e->time - count)
        time = e->time - count - has_time;
    gt_status status = has_time ? procs_put(writer, e->thread, &time) : GT_OK;
    if (status == GT_OK)
        status = debts_put(writer, e->thread, &time);
    writer->info.made_up += (uint64_t) (count + has_time);
    if (e->time < time)
        e->time = time;
    return status;
}
