/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/procs.h"
#include "base/text.h"
#include "columns/state.h"

/* What to add to the times of a generation for the wall clock. */
static bool sync_offset(const gt_sync *sync, int64_t *offset)
{
    enum {
        SECOND = 1000000000
    };

    int64_t seconds = sync->clock_seconds;
    if (!sync->has_clock || seconds > INT64_MAX / SECOND - 1 || seconds < INT64_MIN / SECOND + 1)
        return false;
    int64_t wall = gt_time_plus(seconds * SECOND, sync->clock_nanoseconds);
    *offset = gt_time_minus(wall, sync->clock_trace);
    return true;
}

void gt_columns_sync(struct gt_columns *columns, const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    columns->sync_time = event->time;
    memset(columns->cache, 0, sizeof(columns->cache));
    if (gt_event_sync(event, &sync) != GT_OK || sync.generation == 0)
        return;
    columns->has_offset = sync_offset(&sync, &columns->offset);
    if (columns->has_offset && !columns->has_first_offset) {
        columns->has_first_offset = true;
        columns->first_offset = columns->offset;
    }
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_GENERATIONS);
    if (!rows)
        return;
    gt_row_set(rows, GT_COLUMN_GENERATIONS_generation, gt_int64_of_id(sync.generation));
    gt_row_set(rows, GT_COLUMN_GENERATIONS_start_ns, event->time);
    if (columns->has_offset)
        gt_row_set_optional(rows, GT_COLUMN_GENERATIONS_wall_offset_ns, columns->offset);
    gt_row_end(columns, GT_TABLE_GENERATIONS);
}

void gt_columns_log(struct gt_columns *columns, const gt_event *event)
{
    gt_log log = GT_LOG_INIT;
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_LOGS);
    if (!rows || gt_event_log(event, &log) != GT_OK)
        return;
    gt_row_set(rows, GT_COLUMN_LOGS_time_ns, event->time);
    gt_row_wall(columns, rows, GT_COLUMN_LOGS_logged_at, event->time);
    gt_row_unless(rows, GT_COLUMN_LOGS_goroutine, event->goroutine, GT_NO_GOROUTINE);
    if (log.task != GT_BACKGROUND_TASK)
        gt_row_set_optional(rows, GT_COLUMN_LOGS_task_id, gt_int64_of_id(log.task));
    if (log.category.size > 0)
        gt_row_text(columns, rows, GT_COLUMN_LOGS_category, log.category);
    gt_row_text(columns, rows, GT_COLUMN_LOGS_message, log.message);
    gt_row_stack(rows, GT_COLUMN_LOGS_stack_id, gt_columns_stack(columns, gt_event_stack(event)));
    gt_row_end(columns, GT_TABLE_LOGS);
}

void gt_columns_metric(struct gt_columns *columns, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    if (gt_event_metric(event, &metric) != GT_OK || metric.value.kind != GT_VALUE_UINT64)
        return;
    if (gt_text_is(metric.name, GT_PROCS_METRIC))
        columns->gomaxprocs = gt_int64_of(metric.value.number);
    else if (gt_text_is(metric.name, "/memory/classes/heap/objects:bytes"))
        columns->heap = gt_int64_of(metric.value.number);
    else if (gt_text_is(metric.name, "/gc/heap/goal:bytes"))
        columns->goal = gt_int64_of(metric.value.number);
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_METRICS);
    if (!rows)
        return;
    gt_row_set(rows, GT_COLUMN_METRICS_time_ns, event->time);
    gt_row_set(rows, GT_COLUMN_METRICS_name, gt_columns_text(columns, metric.name));
    gt_row_set(rows, GT_COLUMN_METRICS_value, gt_int64_of(metric.value.number));
    gt_row_end(columns, GT_TABLE_METRICS);
}

void gt_columns_sample(struct gt_columns *columns, const gt_event *event)
{
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_SAMPLES);
    if (!rows)
        return;
    gt_row_set(rows, GT_COLUMN_SAMPLES_time_ns, event->time);
    gt_row_unless(rows, GT_COLUMN_SAMPLES_goroutine, event->goroutine, GT_NO_GOROUTINE);
    if (event->proc != GT_NO_PROC)
        gt_row_set_optional(rows, GT_COLUMN_SAMPLES_proc,
                            gt_columns_proc_number(columns, event->proc));
    gt_row_unless(rows, GT_COLUMN_SAMPLES_thread, event->thread, GT_NO_THREAD);
    gt_row_stack(rows, GT_COLUMN_SAMPLES_stack_id,
                 gt_columns_stack(columns, gt_event_stack(event)));
    gt_row_end(columns, GT_TABLE_SAMPLES);
}

/* Sets what the reader tells of the trace. */
static void trace_info_put(struct gt_columns *columns, struct gt_rowset *rows)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader_get_info(columns->reader, &info);
    gt_row_set(rows, GT_COLUMN_TRACES_go_version, info.version);
    gt_row_set(rows, GT_COLUMN_TRACES_events, gt_int64_of(columns->events));
    gt_row_set(rows, GT_COLUMN_TRACES_generations, gt_int32_of(gt_int64_of(info.generations)));
    gt_row_set(rows, GT_COLUMN_TRACES_repairs, gt_int64_of(info.repairs));
}

void gt_columns_trace(struct gt_columns *columns, gt_string error)
{
    static const gt_string empty_object = {"{}", 2};
    const gt_columns_about *about = &columns->about;
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_TRACES);
    if (!rows)
        return;
    columns->has_offset = columns->has_first_offset;
    columns->offset = columns->first_offset;
    gt_row_text(columns, rows, GT_COLUMN_TRACES_file, about->file);
    gt_row_set(rows, GT_COLUMN_TRACES_bytes, gt_int64_of(about->bytes));
    gt_row_set(rows, GT_COLUMN_TRACES_start_ns, columns->first);
    gt_row_set(rows, GT_COLUMN_TRACES_duration_ns, gt_time_minus(columns->now, columns->first));
    if (columns->has_offset)
        gt_row_set_optional(rows, GT_COLUMN_TRACES_wall_offset_ns, columns->offset);
    gt_row_wall(columns, rows, GT_COLUMN_TRACES_started_at, columns->first);
    if (columns->gomaxprocs == 0)
        columns->gomaxprocs = gt_int64_of(gt_reader_get_first_procs(columns->reader));
    if (columns->gomaxprocs != 0)
        gt_row_set_optional(rows, GT_COLUMN_TRACES_gomaxprocs, gt_int32_of(columns->gomaxprocs));
    gt_row_set(rows, GT_COLUMN_TRACES_goroutines, gt_int64_of(columns->goroutine_count));
    if (about->host.size > 0)
        gt_row_text(columns, rows, GT_COLUMN_TRACES_host, about->host);
    gt_row_text(columns, rows, GT_COLUMN_TRACES_meta,
                about->meta.size > 0 ? about->meta : empty_object);
    if (error.size > 0)
        gt_row_text(columns, rows, GT_COLUMN_TRACES_error, error);
    trace_info_put(columns, rows);
    gt_row_end(columns, GT_TABLE_TRACES);
}
