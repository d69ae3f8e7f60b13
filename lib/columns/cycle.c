/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns/state.h"

/*
 * A cycle of the collector is known when the next one begins: the stop that ends it, and assists,
 * end after it.
 */

static void cycle_put(struct gt_columns *columns)
{
    const struct gt_cycle *cycle = &columns->cycle;
    struct gt_rowset *rows = cycle->number > 0 ? gt_row_begin(columns, GT_TABLE_GC_CYCLES) : NULL;
    if (!rows)
        return;
    gt_row_set(rows, GT_COLUMN_GC_CYCLES_cycle, cycle->number);
    gt_row_wall(columns, rows, GT_COLUMN_GC_CYCLES_started_at, cycle->since);
    gt_row_set(rows, GT_COLUMN_GC_CYCLES_start_ns, cycle->since);
    gt_row_set(rows, GT_COLUMN_GC_CYCLES_duration_ns,
               gt_time_minus(cycle->has_end ? cycle->end : columns->now, cycle->since));
    gt_row_unless(rows, GT_COLUMN_GC_CYCLES_sweep_termination_ns, cycle->sweep_termination, -1);
    gt_row_unless(rows, GT_COLUMN_GC_CYCLES_mark_termination_ns, cycle->mark_termination, -1);
    gt_row_set(rows, GT_COLUMN_GC_CYCLES_assist_ns, cycle->assist);
    gt_row_unless(rows, GT_COLUMN_GC_CYCLES_heap_before, cycle->heap, -1);
    gt_row_unless(rows, GT_COLUMN_GC_CYCLES_goal, cycle->goal, -1);
    gt_row_set(rows, GT_COLUMN_GC_CYCLES_cut, cycle->cut | (cycle->has_end ? 0 : GT_CUT_END));
    gt_row_end(columns, GT_TABLE_GC_CYCLES);
}

void gt_columns_cycle_begin(struct gt_columns *columns, int64_t since, uint32_t cut)
{
    cycle_put(columns);
    columns->cycle = (struct gt_cycle){
        .number = columns->cycle.number + 1,
        .since = since,
        .cut = cut,
        .sweep_termination = -1,
        .mark_termination = -1,
        .heap = columns->heap,
        .goal = columns->goal,
    };
}

void gt_columns_cycle_end(struct gt_columns *columns, int64_t end)
{
    columns->cycle.has_end = true;
    columns->cycle.end = end;
}

void gt_columns_cycle_assist(struct gt_columns *columns, int64_t duration)
{
    gt_time_add_to(&columns->cycle.assist, duration);
}

void gt_columns_cycle_stop(struct gt_columns *columns, uint32_t cause, int64_t duration)
{
    int64_t *sum = cause == columns->sweep_termination_text  ? &columns->cycle.sweep_termination
                   : cause == columns->mark_termination_text ? &columns->cycle.mark_termination
                                                             : NULL;
    if (!sum)
        return;
    if (*sum < 0)
        *sum = 0;
    gt_time_add_to(sum, duration);
}

void gt_columns_cycle_finish(struct gt_columns *columns)
{
    cycle_put(columns);
}
