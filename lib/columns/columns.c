/* SPDX-License-Identifier: BSD-3-Clause */
#include "columns/columns.h"

#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "columns/state.h"

enum {
    /* With more bytes of texts that are shared, a new trace begins with none. */
    COLUMNS_TEXT_MAX = 16 << 20
};

/* The tables that repeat few texts many times. */
static const uint32_t columns_sharing =
    1u << GT_TABLE_IN_GENERATIONS | 1u << GT_TABLE_IN_GOROUTINES |
    1u << GT_TABLE_IN_GOROUTINE_STATES | 1u << GT_TABLE_IN_PROC_STATES | 1u << GT_TABLE_IN_METRICS |
    1u << GT_TABLE_IN_SAMPLES;

struct gt_columns *gt_columns_open(uint32_t tables, const gt_allocator *allocator,
                                   gt_take_rows_fn *take, void *user_data)
{
    gt_status status;
    struct gt_columns *columns =
        gt_mem_create(sizeof(*columns), offsetof(struct gt_columns, mem), allocator, 0, &status);
    if (!columns)
        return NULL;
    columns->take = take;
    columns->user_data = user_data;
    columns->secret = gt_hash_secret(columns);
    columns->order.group = 1;
    status = gt_texts_init(&columns->texts, &columns->mem);
    for (uint32_t i = 0; i < GT_TABLE_COUNT; i++) {
        struct gt_texts *shared = columns_sharing >> i & 1 ? &columns->texts : NULL;
        gt_columns_note(columns, status);
        status = gt_rowset_init(&columns->rows[i], &columns->mem, (enum gt_table_id) i, shared);
        columns->rows[i].is_wanted = tables >> i & 1;
    }
    gt_columns_note(columns, status);
    gt_idmap_init_objects(&columns->goroutines, &columns->mem, sizeof(struct gt_column_goroutine));
    gt_idmap_init_objects(&columns->procs, &columns->mem, sizeof(struct gt_column_proc));
    return columns;
}

static void columns_trace_clear(struct gt_columns *columns)
{
    gt_columns_goroutines_clear(columns);
    gt_columns_procs_clear(columns);
    gt_columns_stacks_clear(columns);
    gt_summary_close(&columns->summary);
}

void gt_columns_close(struct gt_columns *columns)
{
    if (!columns)
        return;
    columns_trace_clear(columns);
    for (size_t i = 0; i < GT_TABLE_COUNT; i++)
        gt_rowset_destroy(&columns->rows[i]);
    gt_array_free(&columns->mem, &columns->order.places);
    gt_array_free(&columns->mem, &columns->order.counts);
    gt_array_free(&columns->mem, &columns->order.order);
    gt_texts_destroy(&columns->texts);
    gt_mem_delete(&columns->mem, columns, sizeof(*columns));
}

/* Passes on the rows of a table. */
static void columns_pass(struct gt_columns *columns, enum gt_table_id table)
{
    struct gt_rowset *rows = &columns->rows[table];
    struct gt_pq_values values[GT_PQ_COLUMNS_MAX];
    if (rows->count == 0 || columns->status != GT_OK)
        return;
    for (size_t i = 0; i < rows->schema->count; i++) {
        bool may_be_null = rows->schema->columns[i].optional;
        values[i].values = may_be_null && rows->filled[i] == 0 ? NULL : rows->values[i];
        values[i].valid = may_be_null && rows->filled[i] < rows->count ? rows->valid[i] : NULL;
    }
    struct gt_pq_group group = {.rows = rows->count,
                                .columns = values,
                                .texts = rows->texts->list.items,
                                .text_count = rows->texts->list.count};
    if (table == GT_TABLE_IN_GOROUTINE_STATES)
        group.order = gt_columns_order(columns);
    if (columns->status == GT_OK && !columns->take(columns->user_data, table, &group))
        columns->status = GT_ERR_CALLBACK;
    gt_columns_note(columns, gt_rowset_clear(rows));
}

gt_status gt_columns_flush(struct gt_columns *columns)
{
    for (size_t i = 0; i < GT_TABLE_COUNT; i++)
        columns_pass(columns, (enum gt_table_id) i);
    return columns->status;
}

struct gt_rowset *gt_row_begin(struct gt_columns *columns, enum gt_table_id table)
{
    struct gt_rowset *rows = &columns->rows[table];
    if (!rows->is_wanted || columns->status != GT_OK)
        return NULL;
    columns->status = gt_rowset_reserve(rows);
    if (columns->status != GT_OK)
        return NULL;
    if (rows->has_own)
        gt_row_text(columns, rows, 0, columns->id);
    else
        gt_row_set(rows, 0, columns->id_number);
    return rows;
}

void gt_row_end(struct gt_columns *columns, enum gt_table_id table)
{
    struct gt_rowset *rows = &columns->rows[table];
    if (columns->status != GT_OK)
        return;
    rows->count++;
    if (gt_rowset_are_full(rows))
        columns_pass(columns, table);
}

void gt_row_text(struct gt_columns *columns, struct gt_rowset *rows, unsigned column,
                 gt_string text)
{
    gt_columns_note(columns, gt_row_set_text(rows, column, text));
}

void gt_row_wall(const struct gt_columns *columns, struct gt_rowset *rows, unsigned column,
                 int64_t time)
{
    enum {
        MICROSECOND = 1000
    };

    if (!columns->has_offset)
        return;
    int64_t wall = gt_time_plus(time, columns->offset);
    int64_t rest = wall % MICROSECOND;
    gt_row_set_optional(rows, column, wall / MICROSECOND - (rest < 0));
}

/* Most strings of a generation are seen again, at the same address. */
uint32_t gt_columns_text(struct gt_columns *columns, gt_string text)
{
    if (text.size == 0)
        return GT_NO_TEXT;
    struct gt_cached_text *cached =
        &columns->cache[gt_hash((uintptr_t) text.data, columns->secret) % GT_CACHED_TEXTS];
    if (cached->string.data == text.data && cached->string.size == text.size)
        return cached->number;
    cached->string = text;
    gt_status status = gt_rowset_text_number(&columns->mem, &columns->texts, text, &cached->number);
    if (status == GT_OK)
        return cached->number;
    cached->string = (gt_string){NULL, 0};
    gt_columns_note(columns, status);
    return GT_NO_TEXT;
}

static gt_string columns_string(const char *text)
{
    return (gt_string){text, strlen(text)};
}

/* The shared texts that all traces need. */
static void columns_texts_begin(struct gt_columns *columns)
{
    if (gt_texts_bytes(&columns->texts) > COLUMNS_TEXT_MAX) {
        gt_columns_flush(columns);
        gt_texts_destroy(&columns->texts);
        gt_columns_note(columns, gt_texts_init(&columns->texts, &columns->mem));
    }
    memset(columns->cache, 0, sizeof(columns->cache));
    for (uint32_t i = 0; i <= GT_GO_SYSCALL && columns->status == GT_OK; i++)
        columns->status = gt_texts_add(&columns->texts, columns_string(gt_go_state_name(i)),
                                       &columns->state_texts[i]);
    for (uint32_t i = 0; i <= GT_PROC_IDLE && columns->status == GT_OK; i++)
        columns->status = gt_texts_add(&columns->texts, columns_string(gt_proc_state_name(i)),
                                       &columns->proc_texts[i]);
    if (columns->status == GT_OK)
        columns->status = gt_texts_add(&columns->texts, columns->id, &columns->id_number);
}

gt_status gt_columns_begin(struct gt_columns *columns, gt_reader *reader, gt_string id)
{
    if (columns->status != GT_OK)
        return columns->status;
    columns_trace_clear(columns);
    columns->id =
        (gt_string){columns->id_bytes,
                    gt_text_give(columns->id_bytes, sizeof(columns->id_bytes), id.data, id.size)};
    columns_texts_begin(columns);
    columns->reader = reader;
    columns->events = 0;
    columns->first = columns->now = columns->sync_time = 0;
    columns->sync = (gt_sync) GT_SYNC_INIT;
    columns->has_offset = columns->has_first_offset = false;
    columns->gomaxprocs = 0;
    columns->goroutine_count = 0;
    columns->regions = 0;
    gt_columns_note(columns, gt_columns_summary_open(columns));
    return columns->status;
}

static void columns_transition(struct gt_columns *columns, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    if (gt_event_transition(event, &change) != GT_OK || change.from == change.to)
        return;
    if (change.resource.kind == GT_RESOURCE_GOROUTINE)
        gt_columns_goroutine_change(columns, event, &change);
    else if (change.resource.kind == GT_RESOURCE_PROC)
        gt_columns_proc_change(columns, event, &change);
}

static void columns_take(struct gt_columns *columns, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_STATE_TRANSITION:
        columns_transition(columns, event);
        break;
    case GT_EVENT_SYNC:
        gt_columns_sync(columns, event);
        break;
    case GT_EVENT_METRIC:
        gt_columns_metric(columns, event);
        break;
    case GT_EVENT_STACK_SAMPLE:
        gt_columns_sample(columns, event);
        break;
    case GT_EVENT_REGION_BEGIN:
        gt_columns_region_begin(columns, event);
        break;
    case GT_EVENT_REGION_END:
        gt_columns_region_end(columns, event);
        break;
    case GT_EVENT_LOG:
        gt_columns_log(columns, event);
        break;
    default:
        break;
    }
}

gt_status gt_columns_event(struct gt_columns *columns, const gt_event *event)
{
    if (columns->status != GT_OK)
        return columns->status;
    if (columns->events++ == 0)
        columns->first = columns->sync_time = event->time;
    columns->now = event->time;
    /* It comes first, as what it reports of an end refers to what is forgotten then. */
    if (columns->summary)
        gt_columns_note(columns, gt_summary_event(columns->summary, columns->reader, event));
    columns_take(columns, event);
    return columns->status;
}

gt_status gt_columns_end(struct gt_columns *columns, const struct gt_trace_about *about)
{
    if (columns->status == GT_OK && columns->summary)
        gt_columns_note(columns, gt_summary_finish(columns->summary));
    gt_columns_goroutines_finish(columns);
    gt_columns_procs_finish(columns);
    gt_columns_trace(columns, about);
    columns_trace_clear(columns);
    return columns->status;
}
