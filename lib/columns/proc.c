/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns/state.h"

static struct gt_column_proc *proc_get(struct gt_columns *columns, int64_t id)
{
    struct gt_column_proc *proc = gt_idmap_get(&columns->procs, (uint64_t) id);
    if (proc)
        return proc;
    proc = gt_idmap_add(&columns->procs, (uint64_t) id);
    if (!proc) {
        gt_columns_note(columns, gt_mem_failure(&columns->mem));
        return NULL;
    }
    proc->id = id;
    proc->thread = GT_NO_THREAD;
    gt_columns_note(columns,
                    gt_roster_add(&columns->proc_list, &columns->mem, proc, &proc->number));
    return columns->status == GT_OK ? proc : NULL;
}

/*
 * Go's ids of procs have 31 bits. Others are only in traces that no Go program has made; they
 * become the numbers -2, -3 and so on in the order of their appearance, so that no two procs become
 * one.
 */
int64_t gt_columns_proc_number(struct gt_columns *columns, int64_t id)
{
    enum {
        FIRST = 2
    };

    if (id >= 0 && id <= INT32_MAX)
        return id;
    struct gt_odd_proc *odd = gt_idmap_get(&columns->odd_procs, (uint64_t) id);
    if (odd)
        return odd->number;
    odd = gt_idmap_add(&columns->odd_procs, (uint64_t) id);
    if (!odd) {
        gt_columns_note(columns, gt_mem_failure(&columns->mem));
        return 0;
    }
    odd->number = -FIRST - columns->odd_proc_count++;
    return odd->number;
}

/* Writes the interval that ends at a time, if one is open. */
static void proc_state_put(struct gt_columns *columns, const struct gt_column_proc *proc,
                           int64_t end)
{
    if (proc->state != GT_PROC_RUNNING && proc->state != GT_PROC_IDLE)
        return;
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_PROC_STATES);
    if (!rows)
        return;
    gt_row_set(rows, GT_COLUMN_PROC_STATES_proc, gt_columns_proc_number(columns, proc->id));
    gt_row_set(rows, GT_COLUMN_PROC_STATES_state, columns->proc_texts[proc->state]);
    gt_row_set(rows, GT_COLUMN_PROC_STATES_start_ns, proc->since);
    gt_row_set(rows, GT_COLUMN_PROC_STATES_duration_ns, gt_time_minus(end, proc->since));
    gt_row_set(rows, GT_COLUMN_PROC_STATES_cut, proc->cut);
    gt_row_unless(rows, GT_COLUMN_PROC_STATES_thread, proc->thread, GT_NO_THREAD);
    gt_row_end(columns, GT_TABLE_PROC_STATES);
}

void gt_columns_proc_change(struct gt_columns *columns, const gt_event *event,
                            const gt_transition *change)
{
    struct gt_column_proc *proc = proc_get(columns, change->resource.id);
    if (!proc)
        return;
    /* A proc that becomes idle was taken from the goroutine that is in a system call with it. */
    if (change->to == GT_PROC_IDLE && proc->syscall) {
        proc->syscall->lost_since = event->time;
        proc->syscall = NULL;
    }
    bool is_new = change->from == GT_PROC_UNDETERMINED;
    if (!is_new)
        proc_state_put(columns, proc, event->time);
    proc->state = change->to;
    proc->since = is_new ? columns->sync_time : event->time;
    proc->cut = is_new ? GT_CUT_BEGIN : 0;
    proc->thread = !is_new && change->to == GT_PROC_RUNNING ? event->thread : GT_NO_THREAD;
}

void gt_columns_syscall_enter(struct gt_columns *columns, struct gt_column_goroutine *goroutine,
                              const gt_event *event)
{
    struct gt_column_proc *proc = event->proc == GT_NO_PROC ? NULL : proc_get(columns, event->proc);
    goroutine->syscall = proc;
    if (proc)
        proc->syscall = goroutine;
}

void gt_columns_syscall_leave(struct gt_column_goroutine *goroutine, int64_t time)
{
    /* As in gt_summary, even if another goroutine has entered a system call on the proc since. */
    if (goroutine->syscall)
        goroutine->syscall->syscall = NULL;
    goroutine->syscall = NULL;
    if (goroutine->lost_since != 0)
        goroutine->lost = gt_time_plus(goroutine->lost, gt_time_minus(time, goroutine->lost_since));
    goroutine->lost_since = 0;
}

void gt_columns_procs_finish(struct gt_columns *columns)
{
    uint64_t number = 0;
    struct gt_column_proc *proc;
    while ((proc = gt_roster_after(&columns->proc_list, number))) {
        number = proc->number;
        proc->cut |= GT_CUT_END;
        proc_state_put(columns, proc, columns->now);
    }
}

void gt_columns_procs_clear(struct gt_columns *columns)
{
    gt_roster_free(&columns->proc_list, &columns->mem);
    columns->proc_list = (struct gt_roster){.last = 0};
    gt_idmap_destroy(&columns->procs);
    gt_idmap_destroy(&columns->odd_procs);
    columns->odd_proc_count = 0;
}
