/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/parquet.h>

#include "base/error.h"
#include "base/object.h"
#include "columns/inner.h"
#include "columns/schema.h"

/* Files of tables: the writer of Parquet, which knows no tables, with the columns of one. */

struct gt_parquet {
    struct gt_mem mem;
    gt_parquet_options options;
    gt_allocator inner;
    uint32_t table;
    bool busy;
    bool finished;
    gt_status status; /* the first failure */
    struct gt_pq_writer *writer;
};

gt_status gt_parquet_open(gt_parquet **out, uint32_t table, gt_write_fn write, void *user_data,
                          const gt_parquet_options *options, gt_error *error)
{
    static const gt_parquet_options defaults = GT_PARQUET_OPTIONS_INIT;
    static const struct gt_object_layout layout = GT_OBJECT_LAYOUT(
        "parquet", gt_parquet, gt_parquet_options, allocator, GT_PARQUET_PLAIN, &defaults, NULL);
    gt_status status;
    struct gt_parquet *parquet = gt_object_open(out, &layout, options, error, &status);
    if (!parquet)
        return status;
    if (!write || table >= GT_TABLE_COUNT) {
        gt_parquet_close(&parquet);
        return gt_error_report_refusal(error, write ? "there is no such table" : "write is NULL");
    }
    parquet->table = table;
    parquet->inner = gt_inner_allocator(&parquet->mem);
    parquet->writer =
        gt_pq_open(&gt_table_list[table].schema, (parquet->options.flags & GT_PARQUET_PLAIN) != 0,
                   &parquet->inner, write, user_data);
    status = parquet->writer ? GT_OK : gt_mem_failure(&parquet->mem);
    if (status != GT_OK)
        gt_parquet_close(&parquet);
    *out = parquet;
    return gt_error_report_plain(error, status);
}

/* Whether the batch can be a row group of the file. */
static bool parquet_accepts(const struct gt_parquet *parquet, const gt_batch *batch)
{
    return batch->table == parquet->table && batch->rows <= GT_PQ_ROWS_MAX &&
           batch->column_count == gt_table_list[batch->table].schema.count;
}

static gt_status parquet_group_write(struct gt_parquet *parquet, const gt_batch *batch)
{
    struct gt_pq_values values[GT_PQ_COLUMNS_MAX];
    for (uint32_t i = 0; i < batch->column_count; i++)
        values[i] = (struct gt_pq_values){batch->columns[i].values, batch->columns[i].valid};
    const struct gt_pq_group group = {.rows = batch->rows,
                                      .columns = values,
                                      .order = batch->order,
                                      .texts = batch->texts,
                                      .text_count = batch->text_count};
    return gt_pq_write(parquet->writer, &group);
}

gt_status gt_parquet_batch(gt_parquet *parquet, const gt_batch *given)
{
    gt_batch copy = GT_BATCH_INIT;
    const gt_batch *batch = &copy;
    if (!parquet || !given || parquet->busy || parquet->finished ||
        gt_struct_take(&copy, sizeof(copy), GT_UP_TO(gt_batch, text_count), given) != GT_OK ||
        !parquet_accepts(parquet, batch))
        return GT_ERR_INVALID_ARGUMENT;
    if (parquet->status != GT_OK || batch->rows == 0)
        return parquet->status;
    parquet->busy = true;
    parquet->status = gt_inner_status(&parquet->mem, parquet_group_write(parquet, batch));
    parquet->busy = false;
    return parquet->status;
}

gt_status gt_parquet_finish(gt_parquet *parquet)
{
    if (!parquet || parquet->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (parquet->finished || parquet->status != GT_OK)
        return parquet->status;
    parquet->busy = true;
    parquet->status = gt_inner_status(&parquet->mem, gt_pq_finish(parquet->writer));
    parquet->busy = false;
    parquet->finished = true;
    return parquet->status;
}

void gt_parquet_close(gt_parquet **out)
{
    struct gt_parquet *parquet = out ? *out : NULL;
    if (!parquet || parquet->busy)
        return;
    gt_pq_close(parquet->writer);
    gt_mem_delete(&parquet->mem, parquet, sizeof(*parquet));
    *out = NULL;
}
