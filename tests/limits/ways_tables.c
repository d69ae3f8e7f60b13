/* SPDX-License-Identifier: BSD-3-Clause */

/* Ways that make tables of a trace: the rows of all tables, and a file of Parquet with one. */

#include <gotrace/columns.h>
#include <gotrace/parquet.h>

#include "limits/ways.h"

enum {
    TABLES = GT_TABLE_EVENTS + 1,
    /* Few, as rows that wait take memory that does not depend on the trace. */
    ROWS = 1024
};

/* The objects that are open while tables are made. */
struct tables {
    struct way_run *run;
    bool is_parquet; /* the way is about the file, else about the rows */
    gt_columns *columns;
    gt_parquet *file;
};

static gt_status open_file(struct tables *tables)
{
    gt_parquet_options options = GT_PARQUET_OPTIONS_INIT;

    options.allocator = tables->run->allocator;
    options.memory_limit = tables->run->limit;
    return gt_parquet_open(&tables->file, GT_TABLE_EVENTS, way_write, tables->run, &options, NULL);
}

/* Outputs the values that there are, as what the others are is not defined. */
static void give_batch(struct way_run *run, const gt_batch *batch)
{
    for (uint32_t i = 0; i < batch->column_count; i++) {
        const gt_batch_column *column = &batch->columns[i];

        for (size_t row = 0; column->values && row < batch->rows; row++)
            if (!column->valid || column->valid[row])
                way_give_number(run, (uint64_t) column->values[row]);
    }
}

/* A gt_batch_fn. */
static int take_batch(void *user_data, const gt_batch *batch)
{
    struct tables *tables = user_data;

    if (!tables->is_parquet) {
        give_batch(tables->run, batch);
        return 0;
    }
    tables->run->status = gt_parquet_batch(tables->file, batch);
    return tables->run->status != GT_OK;
}

static gt_status open_columns(struct tables *tables)
{
    gt_columns_options options = GT_COLUMNS_OPTIONS_INIT;

    options.tables = UINT64_C(1) << GT_TABLE_EVENTS;
    if (!tables->is_parquet) {
        options.tables = (UINT64_C(1) << TABLES) - 1;
        options.allocator = tables->run->allocator;
        options.memory_limit = tables->run->limit;
    }
    options.rows = ROWS;
    options.on_batch = take_batch;
    options.user_data = tables;
    return gt_columns_open(&tables->columns, &options, NULL);
}

static gt_status take_events(struct tables *tables, gt_reader *reader)
{
    const gt_event *event;
    gt_status status = gt_columns_begin(tables->columns, reader, NULL);

    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK)
        status = gt_columns_event(tables->columns, reader, event);
    if (status == GT_OK)
        status = gt_columns_end(tables->columns, reader, (gt_string){NULL, 0});
    return status == GT_OK ? gt_columns_finish(tables->columns) : status;
}

static void note_memory(struct tables *tables)
{
    gt_columns_info info = GT_COLUMNS_INFO_INIT;

    if (tables->is_parquet || gt_columns_get_info(tables->columns, &info) != GT_OK)
        return;
    tables->run->told = 1;
    tables->run->peak = info.memory_peak;
}

static void make_tables(struct way_run *run, bool is_parquet)
{
    struct tables tables = {.run = run, .is_parquet = is_parquet};
    gt_reader *reader;
    gt_status status = way_open_reader(run, &reader, 0);

    if (status == GT_OK && is_parquet)
        status = open_file(&tables);
    if (status == GT_OK)
        status = open_columns(&tables);
    if (status == GT_OK)
        status = take_events(&tables, reader);
    note_memory(&tables);
    if (status == GT_OK && is_parquet)
        status = gt_parquet_finish(tables.file);
    if (status != GT_ERR_CALLBACK)
        run->status = status;
    gt_columns_close(&tables.columns);
    gt_parquet_close(&tables.file);
    way_close_reader(run, &reader);
}

void way_columns(struct way_run *run)
{
    make_tables(run, false);
}

void way_parquet(struct way_run *run)
{
    make_tables(run, true);
}
