/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "columns/state.h"

/* The table of events: what each kind has to say in the columns that all share. */

static void event_text_put(struct gt_columns *columns, struct gt_rowset *rows, unsigned column,
                           gt_string text)
{
    if (text.size > 0)
        gt_row_text(columns, rows, column, text);
}

static void event_word_put(struct gt_columns *columns, struct gt_rowset *rows, unsigned column,
                           const char *word)
{
    gt_row_text(columns, rows, column, (gt_string){word, strlen(word)});
}

static void event_name_put(struct gt_columns *columns, struct gt_rowset *rows, gt_string name)
{
    event_text_put(columns, rows, GT_COLUMN_EVENTS_name, name);
}

static void event_task_put(struct gt_rowset *rows, uint64_t task)
{
    if (task != GT_BACKGROUND_TASK)
        gt_row_set_optional(rows, GT_COLUMN_EVENTS_id, gt_int64_of_id(task));
}

static void event_resource_put(struct gt_rowset *rows, const gt_resource *resource)
{
    if (resource->kind != GT_RESOURCE_NONE)
        gt_row_set_optional(rows, GT_COLUMN_EVENTS_id, resource->id);
}

static void event_transition_put(struct gt_columns *columns, struct gt_rowset *rows,
                                 const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    if (gt_event_transition(event, &change) != GT_OK)
        return;
    bool is_proc = change.resource.kind == GT_RESOURCE_PROC;
    event_name_put(columns, rows, change.reason);
    event_resource_put(rows, &change.resource);
    event_word_put(columns, rows, GT_COLUMN_EVENTS_text,
                   gt_resource_kind_name(change.resource.kind));
    event_word_put(columns, rows, GT_COLUMN_EVENTS_from_state,
                   is_proc ? gt_proc_state_name(change.from) : gt_go_state_name(change.from));
    event_word_put(columns, rows, GT_COLUMN_EVENTS_to_state,
                   is_proc ? gt_proc_state_name(change.to) : gt_go_state_name(change.to));
}

static void event_metric_put(struct gt_columns *columns, struct gt_rowset *rows,
                             const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    if (gt_event_metric(event, &metric) != GT_OK)
        return;
    event_name_put(columns, rows, metric.name);
    if (metric.value.kind == GT_VALUE_UINT64)
        gt_row_set_optional(rows, GT_COLUMN_EVENTS_value, gt_int64_of(metric.value.number));
}

static void event_range_put(struct gt_columns *columns, struct gt_rowset *rows,
                            const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    if (gt_event_range(event, &range) != GT_OK)
        return;
    event_name_put(columns, rows, range.name);
    event_text_put(columns, rows, GT_COLUMN_EVENTS_text, range.cause);
    event_resource_put(rows, &range.scope);
}

static void event_label_put(struct gt_columns *columns, struct gt_rowset *rows,
                            const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    if (gt_event_label(event, &label) != GT_OK)
        return;
    event_name_put(columns, rows, label.label);
    event_resource_put(rows, &label.resource);
    event_word_put(columns, rows, GT_COLUMN_EVENTS_text,
                   gt_resource_kind_name(label.resource.kind));
}

static void event_user_put(struct gt_columns *columns, struct gt_rowset *rows,
                           const gt_event *event)
{
    gt_task task = GT_TASK_INIT;
    gt_region region = GT_REGION_INIT;
    gt_log log = GT_LOG_INIT;
    if (gt_event_task(event, &task) == GT_OK) {
        event_name_put(columns, rows, task.type);
        event_task_put(rows, task.id);
        if (task.parent != GT_NO_TASK)
            gt_row_set_optional(rows, GT_COLUMN_EVENTS_value, gt_int64_of_id(task.parent));
    } else if (gt_event_region(event, &region) == GT_OK) {
        event_name_put(columns, rows, region.type);
        event_task_put(rows, region.task);
    } else if (gt_event_log(event, &log) == GT_OK) {
        event_name_put(columns, rows, log.category);
        event_text_put(columns, rows, GT_COLUMN_EVENTS_text, log.message);
        event_task_put(rows, log.task);
    }
}

static void event_other_put(struct gt_columns *columns, struct gt_rowset *rows,
                            const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    gt_experimental experimental = GT_EXPERIMENTAL_INIT;
    if (gt_event_sync(event, &sync) == GT_OK) {
        if (sync.generation != 0)
            gt_row_set_optional(rows, GT_COLUMN_EVENTS_id, gt_int64_of_id(sync.generation));
    } else if (gt_event_experimental(event, &experimental) == GT_OK) {
        event_name_put(columns, rows, experimental.name);
        event_text_put(columns, rows, GT_COLUMN_EVENTS_text, experimental.experiment);
    }
}

static void event_details_put(struct gt_columns *columns, struct gt_rowset *rows,
                              const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_STATE_TRANSITION:
        event_transition_put(columns, rows, event);
        break;
    case GT_EVENT_METRIC:
        event_metric_put(columns, rows, event);
        break;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        event_range_put(columns, rows, event);
        break;
    case GT_EVENT_LABEL:
        event_label_put(columns, rows, event);
        break;
    case GT_EVENT_SYNC:
    case GT_EVENT_EXPERIMENTAL:
        event_other_put(columns, rows, event);
        break;
    default:
        event_user_put(columns, rows, event);
        break;
    }
}

void gt_columns_event_put(struct gt_columns *columns, const gt_event *event)
{
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_EVENTS);
    if (!rows)
        return;
    gt_row_set(rows, GT_COLUMN_EVENTS_time_ns, event->time);
    event_word_put(columns, rows, GT_COLUMN_EVENTS_kind, gt_event_kind_name(event->kind));
    gt_row_unless(rows, GT_COLUMN_EVENTS_goroutine, event->goroutine, GT_NO_GOROUTINE);
    if (event->proc != GT_NO_PROC)
        gt_row_set_optional(rows, GT_COLUMN_EVENTS_proc,
                            gt_columns_proc_number(columns, event->proc));
    gt_row_unless(rows, GT_COLUMN_EVENTS_thread, event->thread, GT_NO_THREAD);
    gt_row_stack(rows, GT_COLUMN_EVENTS_stack_id, gt_columns_stack(columns, gt_event_stack(event)));
    event_details_put(columns, rows, event);
    gt_row_end(columns, GT_TABLE_EVENTS);
}
