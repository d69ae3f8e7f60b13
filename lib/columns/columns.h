/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_COLUMNS_COLUMNS_H
#define GT_COLUMNS_COLUMNS_H

#include <gotrace/event.h>
#include <gotrace/reader.h>

#include "columns/schema.h"

/*
 * Makes tables of the events of traces, one trace after the other:
 *
 *     gt_columns_begin(columns, reader, id);
 *     while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
 *         gt_columns_event(columns, event);
 *     gt_columns_end(columns, &about);
 *
 * Rows of several traces are passed on together. The first failure is returned by all later calls:
 * GT_ERR_NO_MEMORY, or GT_ERR_CALLBACK if `take` has returned false.
 */
struct gt_columns;

/* Receives rows of a table, which are valid during the call. */
typedef bool gt_take_rows_fn(void *user_data, enum gt_table_id table,
                             const struct gt_pq_group *group);

/* What is known of a trace besides its events. */
struct gt_trace_about {
    gt_string file;
    gt_string host; /* empty: not known */
    gt_string meta; /* a JSON object */
    uint64_t bytes;
    gt_string error; /* empty: it was read to its end */
};

/*
 * `tables` has bit N for each table with the gt_table_id N that is wanted. `allocator` is NULL for
 * malloc. Returns NULL if there is no memory.
 */
struct gt_columns *gt_columns_open(uint32_t tables, const gt_allocator *allocator,
                                   gt_take_rows_fn *take, void *user_data);

/* Begins with a trace. `id` is what trace_id is to be. */
gt_status gt_columns_begin(struct gt_columns *columns, gt_reader *reader, gt_string id);

/* Takes the next event of the reader. */
gt_status gt_columns_event(struct gt_columns *columns, const gt_event *event);

/* Ends the trace. The reader must still be open. */
gt_status gt_columns_end(struct gt_columns *columns, const struct gt_trace_about *about);

/* Passes on the rows that are left. */
gt_status gt_columns_flush(struct gt_columns *columns);

/* Frees the object, which may be NULL. */
void gt_columns_close(struct gt_columns *columns);

#endif
