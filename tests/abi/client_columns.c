/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

enum {
    TABLES = GT_TABLE_EVENTS + 1
};

/* A file for each table. */
struct tables {
    gt_parquet *files[TABLES];
    struct sink sinks[TABLES];
};

static void say_description(uint32_t table)
{
    FILLED(gt_table_description, about, GT_TABLE_DESCRIPTION_INIT);
    must("gt_table_describe", gt_table_describe(table, &about.value));
    INTACT(gt_table_description, about);
    say("table %s: %s", about.value.name, about.value.meaning);
    NUMBER(about.value, level);
    NUMBER(about.value, column_count);
    for (uint32_t i = 0; i < about.value.column_count; i++) {
        const gt_column_description *column = &about.value.columns[i];
        say("  column %s: %s", column->name, column->meaning);
        NUMBER(*column, kind);
        NUMBER(*column, unit);
        NUMBER(*column, flags);
    }
}

static int on_batch(void *user_data, const gt_batch *batch)
{
    struct tables *tables = user_data;
    say("batch of %lu", (unsigned long) batch->table);
    NUMBER(*batch, rows);
    NUMBER(*batch, column_count);
    NUMBER(*batch, text_count);
    const gt_batch_column *first = &batch->columns[0];
    say("  first %lld, %d, %d", (long long) first->values[0], first->valid != NULL,
        batch->order != NULL);
    say_string("  last text", batch->texts[batch->text_count - 1]);
    return gt_parquet_batch(tables->files[batch->table], batch) == GT_OK ? 0 : 1;
}

/* Makes the tables of the trace. */
static void fill(gt_columns *columns)
{
    gt_reader *reader = open_trace();
    gt_columns_about about = GT_COLUMNS_ABOUT_INIT;
    const gt_event *event;
    gt_status status;
    about.id = text("id");
    about.file = text("file");
    about.host = text("host");
    about.meta = text("{}");
    about.bytes = 5;
    must("gt_columns_begin", gt_columns_begin(columns, reader, &about));
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        must("gt_columns_event", gt_columns_event(columns, reader, event));
    must("gt_columns_end", gt_columns_end(columns, reader, text("")));
    must("gt_columns_finish", gt_columns_finish(columns));
    gt_reader_close(&reader);
}

static void say_info(const gt_columns *columns)
{
    FILLED(gt_columns_info, info, GT_COLUMNS_INFO_INIT);
    must("gt_columns_get_info", gt_columns_get_info(columns, &info.value));
    INTACT(gt_columns_info, info);
    NUMBER(info.value, events);
    NUMBER(info.value, rows);
    MEMORY(info.value);
}

static void use_arrow(void)
{
    gt_arrow_options options = GT_ARROW_OPTIONS_INIT;
    gt_reader *reader = open_trace();
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array;
    options.rows = 1000;
    must("gt_arrow_stream",
         gt_arrow_stream(&stream, &reader, GT_TABLE_GOROUTINE_STATES, NULL, &options, NULL));
    if (stream.get_schema(&stream, &schema) != 0)
        die("get_schema", "no memory");
    say("stream of %lld columns", (long long) schema.n_children);
    schema.release(&schema);
    while (stream.get_next(&stream, &array) == 0 && array.release) {
        say("array of %lld rows", (long long) array.length);
        array.release(&array);
    }
    stream.release(&stream);
}

void use_columns(void)
{
    static struct tables tables;
    gt_columns_options options = GT_COLUMNS_OPTIONS_INIT;
    gt_parquet_options plain = GT_PARQUET_OPTIONS_INIT;
    gt_columns *columns;
    plain.flags = GT_PARQUET_PLAIN;
    plain.allocator = &allocator;
    options.tables = (1 << TABLES) - 1;
    options.rows = 100000;
    options.allocator = &allocator;
    options.on_batch = on_batch;
    options.user_data = &tables;
    for (uint32_t i = 0; i < TABLES; i++) {
        say_description(i);
        must("gt_parquet_open", gt_parquet_open(&tables.files[i], i, take_bytes, &tables.sinks[i],
                                                i % 2 ? &plain : NULL, NULL));
    }
    must("gt_columns_open", gt_columns_open(&columns, &options, NULL));
    fill(columns);
    say_info(columns);
    gt_columns_close(&columns);
    use_arrow();
    for (uint32_t i = 0; i < TABLES; i++) {
        must("gt_parquet_finish", gt_parquet_finish(tables.files[i]));
        gt_parquet_close(&tables.files[i]);
        say_sink("table", &tables.sinks[i]);
    }
}
