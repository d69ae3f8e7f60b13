/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bisect.h"
#include "base/system.h"
#include "columns/state.h"

static void summary_times_put(struct gt_rowset *rows, unsigned column,
                              const gt_summary_times *times)
{
    const int64_t list[] = {times->execution, times->sched_wait, times->syscall,
                            times->syscall_block, times->block};
    for (unsigned i = 0; i < sizeof(list) / sizeof(*list); i++)
        gt_row_set(rows, column + i, list[i]);
}

static void summary_goroutine_put(void *user_data, const gt_goroutine_summary *summary)
{
    struct gt_columns *columns = user_data;
    const struct gt_column_goroutine *goroutine = gt_columns_goroutine(columns, summary->id);
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_GOROUTINES);
    if (!rows)
        return;
    gt_row_set(rows, GT_COLUMN_GOROUTINES_goroutine, summary->id);
    if (summary->name.size > 0)
        gt_row_text(columns, rows, GT_COLUMN_GOROUTINES_function, summary->name);
    gt_row_set(rows, GT_COLUMN_GOROUTINES_system, gt_is_system_goroutine(summary->name));
    gt_row_set(rows, GT_COLUMN_GOROUTINES_created_ns, summary->created);
    gt_row_unless(rows, GT_COLUMN_GOROUTINES_started_ns, summary->started, 0);
    gt_row_unless(rows, GT_COLUMN_GOROUTINES_ended_ns, summary->ended, 0);
    gt_row_set(rows, GT_COLUMN_GOROUTINES_existed, !goroutine || goroutine->existed);
    if (goroutine) {
        gt_row_unless(rows, GT_COLUMN_GOROUTINES_creator, goroutine->creator, GT_NO_GOROUTINE);
        gt_row_stack(rows, GT_COLUMN_GOROUTINES_creation_stack, goroutine->creation);
    }
    summary_times_put(rows, GT_COLUMN_GOROUTINES_execution_ns, summary->times);
    gt_row_set(rows, GT_COLUMN_GOROUTINES_unknown_ns, summary->times->unknown);
    gt_row_set(rows, GT_COLUMN_GOROUTINES_total_ns, summary->times->total);
    gt_row_end(columns, GT_TABLE_GOROUTINES);
}

/*
 * Finds what is known of a region by its begin: an event has a time of its own, and those that are
 * open are in the order of their begins.
 */
static const struct gt_open_region *summary_region_find(const struct gt_columns *columns,
                                                        const gt_region_summary *summary)
{
    const struct gt_column_goroutine *goroutine =
        gt_idmap_get(&columns->goroutines, (uint64_t) summary->goroutine);
    if (!goroutine || !summary->has_begin)
        return NULL;
    const struct gt_open_region *open = goroutine->regions.items;
    size_t at;
    GT_BISECT(at, 0, goroutine->regions.count, open[at].begin < summary->begin);
    return at < goroutine->regions.count && open[at].begin == summary->begin ? &open[at] : NULL;
}

static void summary_region_put(void *user_data, const gt_region_summary *summary)
{
    struct gt_columns *columns = user_data;
    /* The one in which its goroutine was created has a row of its own already. */
    struct gt_rowset *rows = summary->inherited ? NULL : gt_row_begin(columns, GT_TABLE_REGIONS);
    if (!rows)
        return;
    const struct gt_open_region *region = summary_region_find(columns, summary);
    int64_t start = summary->has_begin ? summary->begin : columns->first;
    int64_t end = summary->has_end ? summary->end : columns->now;
    gt_row_set(rows, GT_COLUMN_REGIONS_region_id, region ? region->id : ++columns->regions);
    if (region) {
        gt_row_unless(rows, GT_COLUMN_REGIONS_parent_region, region->parent, 0);
        gt_row_stack(rows, GT_COLUMN_REGIONS_stack_id, region->stack);
    }
    gt_row_set(rows, GT_COLUMN_REGIONS_goroutine, summary->goroutine);
    if (summary->task != GT_BACKGROUND_TASK)
        gt_row_set_optional(rows, GT_COLUMN_REGIONS_task_id, gt_int64_of_id(summary->task));
    gt_row_text(columns, rows, GT_COLUMN_REGIONS_type, summary->type);
    gt_row_set(rows, GT_COLUMN_REGIONS_start_ns, start);
    gt_row_wall(columns, rows, GT_COLUMN_REGIONS_started_at, start);
    gt_row_set(rows, GT_COLUMN_REGIONS_duration_ns, gt_time_minus(end, start));
    gt_row_set(rows, GT_COLUMN_REGIONS_cut,
               (summary->has_begin ? 0 : GT_CUT_BEGIN) | (summary->has_end ? 0 : GT_CUT_END));
    gt_row_set(rows, GT_COLUMN_REGIONS_depth, region ? region->depth : 0);
    summary_times_put(rows, GT_COLUMN_REGIONS_execution_ns, summary->times);
    gt_row_end(columns, GT_TABLE_REGIONS);
}

static void summary_task_put(void *user_data, const gt_task_summary *summary)
{
    struct gt_columns *columns = user_data;
    if (summary->id == GT_BACKGROUND_TASK)
        return;
    const struct gt_column_task *task = gt_columns_task(columns, summary->id);
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_TASKS);
    if (!rows)
        return;
    int64_t start = summary->has_begin ? summary->begin : columns->first;
    int64_t end = summary->has_end ? summary->end : columns->now;
    gt_row_set(rows, GT_COLUMN_TASKS_task_id, gt_int64_of_id(summary->id));
    if (summary->parent != GT_NO_TASK)
        gt_row_set_optional(rows, GT_COLUMN_TASKS_parent_task, gt_int64_of_id(summary->parent));
    gt_row_text(columns, rows, GT_COLUMN_TASKS_type, summary->name);
    gt_row_set(rows, GT_COLUMN_TASKS_start_ns, start);
    gt_row_wall(columns, rows, GT_COLUMN_TASKS_started_at, start);
    gt_row_set(rows, GT_COLUMN_TASKS_duration_ns, gt_time_minus(end, start));
    gt_row_set(rows, GT_COLUMN_TASKS_cut,
               (summary->has_begin ? 0 : GT_CUT_BEGIN) | (summary->has_end ? 0 : GT_CUT_END));
    if (task && summary->has_begin)
        gt_row_unless(rows, GT_COLUMN_TASKS_goroutine, task->goroutine, GT_NO_GOROUTINE);
    gt_row_set(rows, GT_COLUMN_TASKS_goroutines,
               gt_int32_of(gt_int64_of(summary->goroutine_count)));
    gt_row_set(rows, GT_COLUMN_TASKS_regions, gt_int32_of(gt_int64_of(summary->region_count)));
    gt_row_set(rows, GT_COLUMN_TASKS_logs, gt_int32_of(gt_int64_of(summary->log_count)));
    gt_row_end(columns, GT_TABLE_TASKS);
}

gt_status gt_columns_summary_open(struct gt_columns *columns)
{
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    if (!columns->rows[GT_TABLE_GOROUTINES].is_wanted &&
        !columns->rows[GT_TABLE_REGIONS].is_wanted && !columns->rows[GT_TABLE_TASKS].is_wanted)
        return GT_OK;
    options.allocator = &columns->inner;
    options.flags = GT_SUMMARY_DROP;
    options.on_goroutine = summary_goroutine_put;
    options.on_region = summary_region_put;
    options.on_task = summary_task_put;
    options.user_data = columns;
    return gt_summary_open(&columns->summary, &options, NULL);
}
