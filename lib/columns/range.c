/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/hash.h"
#include "base/text.h"
#include "columns/state.h"

/* Sets what the end of a range tells, which `event` is. */
static void range_attributes_put(struct gt_rowset *rows, const gt_event *event,
                                 const gt_range *range)
{
    for (uint32_t i = 0; i < range->attribute_count; i++) {
        gt_string name;
        gt_value value;
        if (gt_event_range_attribute(event, i, &name, &value) != GT_OK ||
            value.kind != GT_VALUE_UINT64)
            continue;
        if (gt_text_is(name, "bytes swept"))
            gt_row_set_optional(rows, GT_COLUMN_RANGES_bytes_swept, gt_int64_of(value.number));
        else if (gt_text_is(name, "bytes reclaimed"))
            gt_row_set_optional(rows, GT_COLUMN_RANGES_bytes_reclaimed, gt_int64_of(value.number));
    }
}

/* Writes a range that ends at a time. `event` is its end, or NULL at the end of the trace. */
static void range_put(struct gt_columns *columns, const struct gt_open_range *open, int64_t end,
                      const gt_event *event, const gt_range *range)
{
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_RANGES);
    if (!rows)
        return;
    gt_row_set(rows, GT_COLUMN_RANGES_name, open->name);
    gt_row_unless(rows, GT_COLUMN_RANGES_cause, open->cause, GT_NO_TEXT);
    gt_row_set(rows, GT_COLUMN_RANGES_scope, columns->scope_texts[open->scope.kind]);
    if (open->scope.kind != GT_RESOURCE_NONE)
        gt_row_set_optional(rows, GT_COLUMN_RANGES_scope_id, open->scope.id);
    gt_row_set(rows, GT_COLUMN_RANGES_start_ns, open->since);
    gt_row_set(rows, GT_COLUMN_RANGES_duration_ns, gt_time_minus(end, open->since));
    gt_row_set(rows, GT_COLUMN_RANGES_cut, open->cut | (event ? 0 : GT_CUT_END));
    gt_row_unless(rows, GT_COLUMN_RANGES_goroutine, open->goroutine, GT_NO_GOROUTINE);
    if (open->proc != GT_NO_PROC)
        gt_row_set_optional(rows, GT_COLUMN_RANGES_proc,
                            gt_columns_proc_number(columns, open->proc));
    if (event)
        range_attributes_put(rows, event, range);
    gt_row_end(columns, GT_TABLE_RANGES);
}

static uint64_t range_hash(const struct gt_columns *columns, const struct gt_open_range *range)
{
    return gt_hash_pair((uint64_t) range->scope.id,
                        (uint64_t) range->name << 32 | range->scope.kind, columns->secret);
}

/* Finds the range of this name that its resource is in. Only one can be active. */
static struct gt_open_range *range_find(struct gt_columns *columns,
                                        const struct gt_open_range *range)
{
    struct gt_open_range *found;
    GT_INDEX_FIND(found, &columns->ranges, &columns->range_index, range_hash(columns, range),
                  found->name == range->name && found->scope.kind == range->scope.kind &&
                      found->scope.id == range->scope.id);
    return found;
}

/* Removes a range; the last one takes its place. */
static void range_remove(struct gt_columns *columns, struct gt_open_range *open)
{
    size_t at = (size_t) (open - columns->ranges.items);
    size_t last = columns->ranges.count - 1;
    gt_index_remove(&columns->range_index, range_hash(columns, open), at);
    if (at != last) {
        *open = columns->ranges.items[last];
        gt_index_move(&columns->range_index, range_hash(columns, open), last, at);
    }
    columns->ranges.count--;
}

/* Tells the cycle of the collector of a range that ends. */
static void range_cycle(struct gt_columns *columns, const struct gt_open_range *open, int64_t end)
{
    int64_t duration = gt_time_minus(end, open->since);
    if (open->name == columns->assist_text)
        gt_columns_cycle_assist(columns, duration);
    else if (open->name == columns->stop_text)
        gt_columns_cycle_stop(columns, open->cause, duration);
    else if (open->name == columns->mark_text)
        gt_columns_cycle_end(columns, end);
}

static void range_begin(struct gt_columns *columns, const struct gt_open_range *range)
{
    struct gt_open_range *open = range_find(columns, range);
    if (open && range->cut)
        return;
    if (open)
        *open = *range;
    else
        gt_columns_note(columns,
                        gt_index_append(&columns->range_index, &columns->ranges, &columns->mem,
                                        range_hash(columns, range), *range));
    if (range->name == columns->mark_text)
        gt_columns_cycle_begin(columns, range->since, range->cut);
}

static void range_end(struct gt_columns *columns, const struct gt_open_range *range,
                      const gt_event *event, const gt_range *what)
{
    struct gt_open_range *open = range_find(columns, range);
    const struct gt_open_range ended = open ? *open : *range;
    range_put(columns, &ended, event->time, event, what);
    if (!open && range->name == columns->mark_text)
        gt_columns_cycle_begin(columns, range->since, range->cut);
    range_cycle(columns, &ended, event->time);
    if (open)
        range_remove(columns, open);
}

void gt_columns_range(struct gt_columns *columns, const gt_event *event)
{
    gt_range what = GT_RANGE_INIT;
    if (!columns->rows[GT_TABLE_RANGES].is_wanted && !columns->rows[GT_TABLE_GC_CYCLES].is_wanted)
        return;
    if (gt_event_range(event, &what) != GT_OK || what.scope.kind > GT_RESOURCE_THREAD)
        return;
    bool is_begin = event->kind == GT_EVENT_RANGE_BEGIN;
    const struct gt_open_range range = {
        .name = gt_columns_text(columns, what.name),
        .cause = gt_columns_text(columns, what.cause),
        .scope = what.scope,
        .cut = is_begin ? 0 : GT_CUT_BEGIN,
        .since = is_begin ? event->time : columns->sync_time,
        .goroutine = event->goroutine,
        .proc = event->proc,
    };
    if (columns->status != GT_OK)
        return;
    if (event->kind == GT_EVENT_RANGE_END)
        range_end(columns, &range, event, &what);
    else
        range_begin(columns, &range);
}

void gt_columns_ranges_finish(struct gt_columns *columns)
{
    for (size_t i = 0; i < columns->ranges.count && columns->status == GT_OK; i++) {
        const struct gt_open_range *open = &columns->ranges.items[i];
        range_put(columns, open, columns->now, NULL, NULL);
        if (open->name == columns->assist_text)
            gt_columns_cycle_assist(columns, gt_time_minus(columns->now, open->since));
    }
    gt_columns_cycle_finish(columns);
}

void gt_columns_ranges_clear(struct gt_columns *columns)
{
    gt_array_free(&columns->mem, &columns->ranges);
    gt_index_free(&columns->range_index, &columns->mem);
}
