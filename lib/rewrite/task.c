/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/batch.h"
#include "rewrite/rename.h"
#include "rewrite/table.h"
#include "v2/spec.h"

gt_status gt_rewrite_task_note(struct gt_writer *writer, const struct gt_rewrite_event *e)
{
    gt_task task = GT_TASK_INIT;
    bool ends = e->event->kind == GT_EVENT_TASK_END;
    if (!(writer->options.flags & GT_WRITER_TASKS) ||
        !(ends || e->event->kind == GT_EVENT_TASK_BEGIN))
        return GT_OK;
    gt_status status = gt_event_task(e->event, &task);
    if (status != GT_OK)
        return status;
    if (ends)
        gt_rewrite_task_end(&writer->state, task.id);
    else if (!gt_rewrite_task_begin(&writer->state, task.id, task.parent, task.type))
        return gt_rewrite_no_memory(writer);
    return GT_OK;
}

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

static gt_status task_put(struct gt_writer *writer, struct gt_rewrite_thread *thread, int64_t time,
                          const struct gt_rewrite_task *task)
{
    gt_string type = task->type->string;
    uint64_t name = 0;
    uint64_t parent = task->parent == GT_NO_TASK ? GT_BACKGROUND_TASK : task->parent;
    gt_status status = gt_rewrite_rename(writer, GT_TEXT_TASK, &type);
    if (status == GT_OK)
        status = gt_rewrite_text(writer, type, &name);
    return status == GT_OK ? gt_rewrite_put(writer, thread, time, GT_WIRE_USER_TASK_BEGIN, task->id,
                                            parent, name, 0)
                           : status;
}

/* Begins all open tasks on a thread. */
static gt_status tasks_put(struct gt_writer *writer, struct gt_rewrite_thread *thread,
                           int64_t *time)
{
    const struct gt_rewrite_task *task;
    gt_status status = GT_OK;
    for (uint64_t number = 0;
         status == GT_OK && (task = gt_roster_after(&writer->state.tasks, number));
         number = task->number)
        status = task_put(writer, thread, (*time)++, task);
    return status;
}

static size_t tasks_count(const struct gt_writer *writer)
{
    return writer->state.tasks.list.count - writer->state.tasks.gone;
}

gt_status gt_rewrite_tasks_begin(struct gt_writer *writer, int64_t *time)
{
    if (tasks_count(writer) == 0)
        return GT_OK;
    struct gt_rewrite_thread *thread = state_running_thread(&writer->state);
    writer->owes_tasks = !thread;
    return thread ? tasks_put(writer, thread, time) : GT_OK;
}

/* Writes what is owed from `*time` on, which becomes the time after the last event. */
static gt_status debts_put(struct gt_writer *writer, struct gt_rewrite_thread *thread,
                           int64_t *time)
{
    gt_status status = GT_OK;
    if (writer->owes_collector && writer->state.collecting) {
        uint64_t number = ++writer->collector;
        status = gt_rewrite_put(writer, thread, (*time)++, GT_WIRE_GC_ACTIVE, number);
    }
    if (status == GT_OK && writer->owes_tasks)
        status = tasks_put(writer, thread, time);
    writer->owes_collector = writer->owes_tasks = false;
    return status;
}

gt_status gt_rewrite_pay(struct gt_writer *writer, struct gt_rewrite_event *e)
{
    int64_t count = writer->owes_collector && writer->state.collecting;
    if (!thread_runs(e->thread))
        return GT_OK;
    if (writer->owes_tasks)
        count += (int64_t) tasks_count(writer);
    if (writer->last_time >= INT64_MAX - count || e->time > INT64_MAX - count)
        return gt_rewrite_fail(writer, GT_ERR_NOT_AVAILABLE,
                               "there are no times left after that of the last event");
    int64_t time = writer->last_time + 1;
    /* What the thread of an event of Go 1.21 or before needed may have the time before the event.
     */
    if (writer->v1.is_input)
        time = e->time;
    else if (time < e->time - count)
        time = e->time - count;
    gt_status status = debts_put(writer, e->thread, &time);
    writer->info.made_up += (uint64_t) count;
    if (e->time < time)
        e->time = time;
    return status;
}
