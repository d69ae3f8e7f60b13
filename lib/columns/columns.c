/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/object.h"
#include "base/text.h"
#include "columns/state.h"

enum {
    /* With more bytes of texts that are shared, a new trace begins with none. */
    COLUMNS_TEXT_MAX = 16 << 20,
    /* The most bytes of the rows of a table, unless the options say how many rows there are. */
    COLUMNS_BLOCK_MAX = 6 << 20,
    COLUMNS_ID_MAX = 64
};

/* The tables that repeat few texts many times. */
static const uint32_t columns_sharing =
    1u << GT_TABLE_GENERATIONS | 1u << GT_TABLE_GOROUTINES | 1u << GT_TABLE_GOROUTINE_STATES |
    1u << GT_TABLE_PROC_STATES | 1u << GT_TABLE_METRICS | 1u << GT_TABLE_SAMPLES |
    1u << GT_TABLE_RANGES | 1u << GT_TABLE_GC_CYCLES | 1u << GT_TABLE_WAITS |
    1u << GT_TABLE_LATENCY;

static bool columns_options_are_valid(const void *options, gt_error *failure)
{
    const gt_columns_options *given = options;
    const char *wrong = !given->on_batch               ? "options.on_batch is NULL"
                        : given->rows > GT_PQ_ROWS_MAX ? "options.rows is too large"
                                                       : NULL;
    if (wrong) {
        gt_error_refuse(failure, wrong);
        return false;
    }
    return gt_options_bits_are_known(given->tables, (UINT64_C(1) << GT_TABLE_COUNT) - 1,
                                     "options.tables", failure);
}

/* The tables that are not only made if they are asked for. */
static uint64_t columns_default_tables(void)
{
    uint64_t tables = 0;
    for (uint32_t i = 0; i < GT_TABLE_COUNT; i++) {
        if (gt_table_list[i].description.level != GT_TABLE_LEVEL_ASKED)
            tables |= UINT64_C(1) << i;
    }
    return tables;
}

/* How many rows of a table are passed on together: a power of two that is not too large. */
static size_t columns_most(const struct gt_columns *columns, const struct gt_rowset *rows)
{
    size_t most = GT_PQ_ROWS_MAX;
    if (columns->options.rows != 0)
        return (size_t) columns->options.rows;
    while (gt_rowset_bytes(rows, most) > COLUMNS_BLOCK_MAX)
        most /= 2;
    return most;
}

static void columns_rows_init(struct gt_columns *columns)
{
    uint64_t tables = columns->options.tables;
    if (tables == 0)
        tables = columns_default_tables();
    gt_columns_note(columns, gt_texts_init(&columns->texts, &columns->mem));
    for (uint32_t i = 0; i < GT_TABLE_COUNT; i++) {
        struct gt_texts *shared = columns_sharing >> i & 1 ? &columns->texts : NULL;
        struct gt_rowset *rows = &columns->rows[i];
        gt_columns_note(columns, gt_rowset_init(rows, &columns->mem, i, shared));
        rows->is_wanted = tables >> i & 1;
        rows->most = columns_most(columns, rows);
    }
}

gt_status gt_columns_open(gt_columns **out, const gt_columns_options *options, gt_error *error)
{
    static const struct gt_object_layout layout = GT_OBJECT_LAYOUT(
        "columns", gt_columns, gt_columns_options, user_data, 0, NULL, columns_options_are_valid);
    gt_status status;
    struct gt_columns *columns = gt_object_open(out, &layout, options, error, &status);
    if (!columns)
        return status;
    columns->inner = gt_inner_allocator(&columns->mem);
    columns->secret = gt_hash_secret(columns);
    columns->order.group = 1;
    gt_idmap_init_objects(&columns->goroutines, &columns->mem, sizeof(struct gt_column_goroutine));
    gt_idmap_init_objects(&columns->procs, &columns->mem, sizeof(struct gt_column_proc));
    gt_idmap_init_objects(&columns->odd_procs, &columns->mem, sizeof(struct gt_odd_proc));
    gt_idmap_init_objects(&columns->tasks, &columns->mem, sizeof(struct gt_column_task));
    columns_rows_init(columns);
    status = columns->status;
    if (status != GT_OK)
        gt_columns_close(&columns);
    *out = columns;
    return gt_error_report_plain(error, status);
}

static void columns_trace_clear(struct gt_columns *columns)
{
    gt_columns_goroutines_clear(columns);
    gt_columns_procs_clear(columns);
    gt_columns_stacks_clear(columns);
    gt_columns_ranges_clear(columns);
    gt_columns_waits_clear(columns);
    gt_idmap_destroy(&columns->tasks);
    gt_summary_close(&columns->summary);
    gt_latency_close(&columns->latency);
}

void gt_columns_close(gt_columns **out)
{
    struct gt_columns *columns = out ? *out : NULL;
    if (!columns || columns->busy)
        return;
    columns_trace_clear(columns);
    for (size_t i = 0; i < GT_TABLE_COUNT; i++)
        gt_rowset_destroy(&columns->rows[i]);
    gt_array_free(&columns->mem, &columns->order.places);
    gt_array_free(&columns->mem, &columns->order.counts);
    gt_array_free(&columns->mem, &columns->order.order);
    gt_array_free(&columns->mem, &columns->about_bytes);
    gt_texts_destroy(&columns->texts);
    gt_mem_delete(&columns->mem, columns, sizeof(*columns));
    *out = NULL;
}

/* Passes on the rows of a table. */
static void columns_pass(struct gt_columns *columns, uint32_t table)
{
    struct gt_rowset *rows = &columns->rows[table];
    gt_batch_column values[GT_PQ_COLUMNS_MAX];
    if (rows->count == 0 || columns->status != GT_OK)
        return;
    for (size_t i = 0; i < rows->schema->count; i++) {
        bool may_be_null = rows->schema->columns[i].optional;
        values[i].values = may_be_null && rows->filled[i] == 0 ? NULL : rows->values[i];
        values[i].valid = may_be_null && rows->filled[i] < rows->count ? rows->valid[i] : NULL;
    }
    gt_batch batch = {
        sizeof(batch), table, (uint32_t) rows->schema->count, rows->count,
        values,        NULL,  rows->texts->list.items,        rows->texts->list.count};
    if (table == GT_TABLE_GOROUTINE_STATES)
        batch.order = gt_columns_order(columns);
    if (columns->status == GT_OK &&
        columns->options.on_batch(columns->options.user_data, &batch) != 0)
        columns->status = GT_ERR_CALLBACK;
    columns->row_count += rows->count;
    gt_columns_note(columns, gt_rowset_clear(rows));
}

static void columns_flush(struct gt_columns *columns)
{
    for (uint32_t i = 0; i < GT_TABLE_COUNT; i++)
        columns_pass(columns, i);
}

gt_status gt_columns_finish(gt_columns *columns)
{
    if (!columns || columns->busy || columns->reader)
        return GT_ERR_INVALID_ARGUMENT;
    columns->busy = true;
    columns_flush(columns);
    columns->busy = false;
    return columns->status;
}

struct gt_rowset *gt_row_begin(struct gt_columns *columns, uint32_t table)
{
    struct gt_rowset *rows = &columns->rows[table];
    if (!rows->is_wanted || columns->status != GT_OK)
        return NULL;
    columns->status = gt_rowset_reserve(rows);
    if (columns->status != GT_OK)
        return NULL;
    if (rows->has_own)
        gt_row_text(columns, rows, 0, columns->about.id);
    else
        gt_row_set(rows, 0, columns->id_number);
    return rows;
}

void gt_row_end(struct gt_columns *columns, uint32_t table)
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

/* Sets `*number` to the number of a text that is known in advance. */
static void columns_text_begin(struct gt_columns *columns, const char *text, uint32_t *number)
{
    if (columns->status == GT_OK)
        columns->status = gt_texts_add(&columns->texts, (gt_string){text, strlen(text)}, number);
}

/* The shared texts that all traces need. */
static void columns_texts_begin(struct gt_columns *columns)
{
    if (gt_texts_bytes(&columns->texts) > COLUMNS_TEXT_MAX) {
        columns_flush(columns);
        gt_texts_destroy(&columns->texts);
        gt_columns_note(columns, gt_texts_init(&columns->texts, &columns->mem));
    }
    memset(columns->cache, 0, sizeof(columns->cache));
    for (uint32_t i = 0; i <= GT_GO_SYSCALL; i++)
        columns_text_begin(columns, gt_go_state_name(i), &columns->state_texts[i]);
    for (uint32_t i = 0; i <= GT_PROC_IDLE; i++)
        columns_text_begin(columns, gt_proc_state_name(i), &columns->proc_texts[i]);
    for (uint32_t i = 0; i <= GT_RESOURCE_THREAD; i++)
        columns_text_begin(columns, gt_resource_kind_name(i), &columns->scope_texts[i]);
    columns_text_begin(columns, "GC mark assist", &columns->assist_text);
    columns_text_begin(columns, "GC concurrent mark phase", &columns->mark_text);
    columns_text_begin(columns, "stop-the-world", &columns->stop_text);
    columns_text_begin(columns, "GC sweep termination", &columns->sweep_termination_text);
    columns_text_begin(columns, "GC mark termination", &columns->mark_termination_text);
    if (columns->status == GT_OK)
        columns->status = gt_rowset_text_number(&columns->mem, &columns->texts, columns->about.id,
                                                &columns->id_number);
}

/* Copies a text behind those before. There is room. An empty text may have no address. */
static void columns_about_text(struct gt_columns *columns, gt_string *text)
{
    char *to = columns->about_bytes.items + columns->about_bytes.count;
    if (text->size > 0)
        gt_text_put_bytes(to, text->data, text->size);
    columns->about_bytes.count += text->size;
    text->data = to;
}

/* Copies what is known of the trace. */
static gt_status columns_about_take(struct gt_columns *columns, const gt_columns_about *given)
{
    gt_columns_about *about = &columns->about;
    *about = (gt_columns_about) GT_COLUMNS_ABOUT_INIT;
    if (given &&
        gt_struct_take(about, sizeof(*about), GT_UP_TO(gt_columns_about, bytes), given) != GT_OK)
        return GT_ERR_INVALID_ARGUMENT;
    if (about->id.size > COLUMNS_ID_MAX)
        return GT_ERR_INVALID_ARGUMENT;
    gt_string *const texts[] = {&about->id, &about->file, &about->host, &about->meta};
    size_t size = 1;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        size += texts[i]->size;
    columns->about_bytes.count = 0;
    gt_columns_note(columns, gt_array_reserve(&columns->mem, &columns->about_bytes, size));
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts) && columns->status == GT_OK; i++)
        columns_about_text(columns, texts[i]);
    return GT_OK;
}

static void columns_trace_begin(struct gt_columns *columns)
{
    columns->events = 0;
    columns->first = columns->now = columns->sync_time = 0;
    columns->sync = (gt_sync) GT_SYNC_INIT;
    columns->has_offset = columns->has_first_offset = false;
    columns->gomaxprocs = 0;
    columns->switched.step = GT_SWITCH_NONE;
    columns->heap = columns->goal = -1;
    columns->cycle = (struct gt_cycle){.number = 0};
    columns->goroutine_count = 0;
    columns->regions = 0;
    columns_texts_begin(columns);
    gt_columns_note_inner(columns, gt_columns_summary_open(columns));
    gt_columns_note_inner(columns, gt_columns_latency_open(columns));
}

gt_status gt_columns_begin(gt_columns *columns, gt_reader *reader, const gt_columns_about *about)
{
    if (!columns || !reader || columns->busy || columns->reader)
        return GT_ERR_INVALID_ARGUMENT;
    if (columns->status != GT_OK)
        return columns->status;
    gt_status status = columns_about_take(columns, about);
    if (status != GT_OK)
        return status;
    columns->busy = true;
    if (columns->status == GT_OK)
        columns_trace_begin(columns);
    columns->busy = false;
    if (columns->status == GT_OK)
        columns->reader = reader;
    else
        columns_trace_clear(columns);
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
    case GT_EVENT_TASK_BEGIN:
        gt_columns_task_begin(columns, event);
        break;
    case GT_EVENT_TASK_END:
        gt_columns_task_end(columns, event);
        break;
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        gt_columns_range(columns, event);
        break;
    default:
        break;
    }
}

static void columns_event(struct gt_columns *columns, const gt_event *event)
{
    columns->event_count++;
    if (columns->events++ == 0)
        columns->first = columns->sync_time = event->time;
    columns->now = event->time;
    /* It comes first, as what it reports of an end refers to what is forgotten then. */
    if (columns->summary)
        gt_columns_note_inner(columns, gt_summary_event(columns->summary, columns->reader, event));
    if (columns->latency)
        gt_columns_note_inner(columns, gt_latency_event(columns->latency, columns->reader, event));
    columns_take(columns, event);
    if (columns->rows[GT_TABLE_EVENTS].is_wanted)
        gt_columns_event_put(columns, event);
}

gt_status gt_columns_event(gt_columns *columns, gt_reader *reader, const gt_event *event)
{
    if (!columns || !reader || !event || columns->busy || columns->reader != reader ||
        !gt_reader_has_event(reader, event))
        return GT_ERR_INVALID_ARGUMENT;
    if (columns->status != GT_OK)
        return columns->status;
    columns->busy = true;
    columns_event(columns, event);
    columns->busy = false;
    return columns->status;
}

gt_status gt_columns_end(gt_columns *columns, gt_reader *reader, gt_string error)
{
    if (!columns || !reader || columns->busy || columns->reader != reader)
        return GT_ERR_INVALID_ARGUMENT;
    columns->busy = true;
    if (columns->status == GT_OK && columns->summary)
        gt_columns_note_inner(columns, gt_summary_finish(columns->summary));
    gt_columns_goroutines_finish(columns);
    gt_columns_procs_finish(columns);
    gt_columns_ranges_finish(columns);
    gt_columns_waits_finish(columns);
    gt_columns_latency_finish(columns);
    gt_columns_trace(columns, error);
    columns_trace_clear(columns);
    columns->reader = NULL;
    columns->busy = false;
    return columns->status;
}

gt_status gt_columns_get_info(const gt_columns *columns, gt_columns_info *info)
{
    if (!columns || !gt_struct_fits(info, GT_UP_TO(gt_columns_info, memory_peak)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_columns_info all = GT_COLUMNS_INFO_INIT;
    all.events = columns->event_count;
    all.rows = columns->row_count;
    gt_mem_count(&columns->mem, &all.memory, &all.memory_peak);
    gt_struct_give(info, &all, sizeof(all));
    return GT_OK;
}
