/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "columns/state.h"

gt_status gt_columns_latency_open(struct gt_columns *columns)
{
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    if (!columns->rows[GT_TABLE_LATENCY].is_wanted)
        return GT_OK;
    options.allocator = &columns->inner;
    options.pairs = 0;
    return gt_latency_open(&columns->latency, &options, NULL);
}

static uint32_t latency_text(struct gt_columns *columns, gt_string text)
{
    uint32_t number = GT_NO_TEXT;
    gt_columns_note(columns, gt_rowset_text_number(&columns->mem, &columns->texts, text, &number));
    return number;
}

static uint32_t latency_word(struct gt_columns *columns, const char *word)
{
    return latency_text(columns, (gt_string){word, strlen(word)});
}

static void latency_series_put(struct gt_columns *columns, size_t index,
                               const gt_latency_series *series)
{
    const uint32_t kind = latency_word(columns, gt_latency_kind_name(series->kind));
    const uint32_t group = latency_word(columns, gt_latency_group_name(series->group));
    const uint32_t name = latency_text(columns, series->name);
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    while (gt_latency_next_bucket(columns->latency, index, &bucket) == GT_OK) {
        struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_LATENCY);
        if (!rows)
            return;
        gt_row_set(rows, GT_COLUMN_LATENCY_kind, kind);
        gt_row_set(rows, GT_COLUMN_LATENCY_grouped_by, group);
        gt_row_set(rows, GT_COLUMN_LATENCY_name, name);
        gt_row_set(rows, GT_COLUMN_LATENCY_from_ns, bucket.from);
        gt_row_set(rows, GT_COLUMN_LATENCY_to_ns, bucket.to);
        gt_row_set(rows, GT_COLUMN_LATENCY_count, gt_int64_of(bucket.count));
        gt_row_end(columns, GT_TABLE_LATENCY);
    }
}

void gt_columns_latency_finish(struct gt_columns *columns)
{
    if (!columns->latency)
        return;
    gt_columns_note_inner(columns, gt_latency_finish(columns->latency));
    size_t count = gt_latency_series_count(columns->latency);
    for (size_t i = 0; i < count && columns->status == GT_OK; i++) {
        gt_latency_series series = GT_LATENCY_SERIES_INIT;
        if (gt_latency_get_series(columns->latency, i, &series) == GT_OK)
            latency_series_put(columns, i, &series);
    }
}
