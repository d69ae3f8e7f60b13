/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_COLUMNS_H
#define GOTRACE_COLUMNS_H

/**
 * @file
 * Traces as tables, for query engines. Part of libgotrace-columns, which needs libgotrace.
 *
 * A gt_columns takes the events of any number of traces, one trace after the other, and passes on
 * batches of rows, each of one table:
 *
 * @code
 * gt_columns_begin(columns, reader, &about);
 * while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
 *     gt_columns_event(columns, reader, event);
 * gt_columns_end(columns, reader, error);
 * gt_columns_finish(columns);
 * @endcode
 *
 * gotrace/parquet.h writes the batches of a table as a file. docs/columns.md describes the tables;
 * gt_table_describe has the same for a program. Columns keep their order for ever, and new
 * ones come last.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>
#include <gotrace/reader.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A table. More may be added. @since 0.1.0 */
typedef uint32_t gt_table;

/** Values of gt_table. @since 0.1.0 */
enum {
    /** A row for each trace. */
    GT_TABLE_TRACES = 0,
    /** The generations of traces, and their clocks. */
    GT_TABLE_GENERATIONS = 1,
    /** Goroutines, and how they spent their time. */
    GT_TABLE_GOROUTINES = 2,
    /** Each state of each goroutine, from begin to end. */
    GT_TABLE_GOROUTINE_STATES = 3,
    /** Each state of each proc, from begin to end. */
    GT_TABLE_PROC_STATES = 4,
    /** What the runtime does for a while, such as stop the world. */
    GT_TABLE_RANGES = 5,
    /** Cycles of the garbage collector. */
    GT_TABLE_GC_CYCLES = 6,
    /** Regions of runtime/trace, and how their goroutines spent them. */
    GT_TABLE_REGIONS = 7,
    /** Tasks of runtime/trace. */
    GT_TABLE_TASKS = 8,
    /** Log messages of runtime/trace. */
    GT_TABLE_LOGS = 9,
    /** Values of metrics, such as the size of the heap. */
    GT_TABLE_METRICS = 10,
    /** Samples of the CPU profiler. */
    GT_TABLE_SAMPLES = 11,
    /** States of goroutines, added up by what they were. */
    GT_TABLE_WAITS = 12,
    /** How many durations of gotrace/latency.h are in which range. */
    GT_TABLE_LATENCY = 13,
    /** The stacks that other tables name. */
    GT_TABLE_STACKS = 14,
    /** The frames of these stacks. */
    GT_TABLE_FRAMES = 15,
    /** Every event. */
    GT_TABLE_EVENTS = 16
};

/** What a table is for. More may be added. @since 0.1.0 */
typedef uint32_t gt_table_level;

/** Values of gt_table_level. @since 0.1.0 */
enum {
    /** Small tables, which add up over traces. */
    GT_TABLE_LEVEL_FLEET = 0,
    /** Tables that tell everything of a trace. */
    GT_TABLE_LEVEL_FULL = 1,
    /** Tables that are made only if they are asked for. */
    GT_TABLE_LEVEL_ASKED = 2
};

/** The type of the values of a column. More may be added. @since 0.1.0 */
typedef uint32_t gt_column_kind;

/** Values of gt_column_kind. @since 0.1.0 */
enum {
    /** 0 or 1. */
    GT_COLUMN_BOOLEAN = 1,
    /** A number of 32 bits. */
    GT_COLUMN_INT32 = 2,
    /** A number of 64 bits. */
    GT_COLUMN_INT64 = 3,
    /** Microseconds since 1970-01-01 UTC, in 64 bits. */
    GT_COLUMN_TIMESTAMP = 4,
    /** Valid UTF-8. */
    GT_COLUMN_STRING = 5
};

/** What the numbers of a column count. More may be added. @since 0.1.0 */
typedef uint32_t gt_column_unit;

/** Values of gt_column_unit. @since 0.1.0 */
enum {
    /** Things, ids or nothing. */
    GT_COLUMN_UNIT_NONE = 0,
    /** Nanoseconds. */
    GT_COLUMN_UNIT_NANOSECONDS = 1,
    /** Microseconds. */
    GT_COLUMN_UNIT_MICROSECONDS = 2,
    /** Bytes. */
    GT_COLUMN_UNIT_BYTES = 3
};

/** A bit of gt_column_description.flags: rows may have no value, which is NULL. @since 0.1.0 */
#define GT_COLUMN_OPTIONAL (UINT32_C(1) << 0)
/** A bit of gt_column_description.flags: values mostly rise from row to row. @since 0.1.0 */
#define GT_COLUMN_RISES (UINT32_C(1) << 1)

/** A column of a table. Its layout will never change. @since 0.1.0 */
typedef struct gt_column_description {
    /** The name. The string is static, as are all others here. */
    const char *name;
    /** What it means, in words. */
    const char *meaning;
    /** A gt_column_kind. */
    uint32_t kind;
    /** A gt_column_unit. */
    uint32_t unit;
    /** GT_COLUMN_ bits. */
    uint32_t flags;
    /** Always 0. */
    uint32_t reserved;
} gt_column_description;

/** A table: what gt_table_describe tells. @since 0.1.0 */
typedef struct gt_table_description {
    /** sizeof(gt_table_description), set by the caller. */
    size_t size;
    /** The name. The string is static. */
    const char *name;
    /** What its rows are, in words. */
    const char *meaning;
    /** A gt_table_level. */
    uint32_t level;
    /** The number of columns, at most 32. */
    uint32_t column_count;
    /** The columns, in order. They are static. */
    const gt_column_description *columns;
} gt_table_description;

/** Initialiser of gt_table_description. @since 0.1.0 */
#define GT_TABLE_DESCRIPTION_INIT                                                                  \
    { sizeof(gt_table_description), NULL, NULL, 0, 0, NULL }

/**
 * Fills `*description` for a gt_table. Tables are numbered from 0 without gaps.
 * Thread-safety: safe.
 * @retval GT_ERR_NOT_AVAILABLE there is no such table.
 * @retval GT_ERR_INVALID_ARGUMENT `description` is NULL or has a wrong size.
 * @since 0.1.0
 */
GT_API gt_status gt_table_describe(uint32_t table, gt_table_description *description);

/** The values of a column in a batch. Its layout will never change. @since 0.1.0 */
typedef struct gt_batch_column {
    /**
     * A value for each row; of a string its index in gt_batch.texts. What it is for a row that has
     * no value is not defined. NULL if no row has one, which only happens in optional columns.
     */
    const int64_t *values;
    /** 1 for each row that has a value, else 0. NULL if all have, or `values` is NULL. */
    const uint8_t *valid;
} gt_batch_column;

/** Rows of a table. All pointers are valid during the call that delivers it. @since 0.1.0 */
typedef struct gt_batch {
    /** sizeof(gt_batch) of who made it. */
    size_t size;
    /** A gt_table. */
    uint32_t table;
    /** The number of columns. */
    uint32_t column_count;
    /** The number of rows, at most 262144. */
    size_t rows;
    /** The columns, in the order of gt_table_description. */
    const gt_batch_column *columns;
    /**
     * NULL, or the index of each row in the arrays of the columns, in the order in which files
     * become smallest: rows of a goroutine follow each other. In the arrays rows are in the order
     * in which they were made.
     */
    const uint32_t *order;
    /** The texts to which strings refer. Each is there once, and is valid UTF-8. */
    const gt_string *texts;
    /** The number of texts. */
    size_t text_count;
} gt_batch;

/** Initialiser of gt_batch, for those who make one. @since 0.1.0 */
#define GT_BATCH_INIT                                                                              \
    { sizeof(gt_batch), 0, 0, 0, NULL, NULL, NULL, 0 }

/**
 * Receives rows of a table. Returns 0 to go on; anything else ends the work, with
 * GT_ERR_CALLBACK. @since 0.1.0
 */
typedef int (*gt_batch_fn)(void *user_data, const gt_batch *batch);

/** Options for tables. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_columns_options {
    /** sizeof(gt_columns_options), set by the caller. */
    size_t size;
    /** No flags are defined yet. Unknown bits are refused. */
    uint64_t flags;
    /**
     * A bit for each table that is wanted, 1 << GT_TABLE_TRACES and so on; 0 for all but those of
     * GT_TABLE_LEVEL_ASKED. Unknown bits are refused.
     */
    uint64_t tables;
    /** The most rows of a batch, at most 262144; or 0 for a number whose values take 6 MiB. */
    uint64_t rows;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
    /** Receives the rows; required. */
    gt_batch_fn on_batch;
    /** Passed unchanged to `on_batch`. */
    void *user_data;
} gt_columns_options;

/** Initialiser of gt_columns_options; `on_batch` must be set. @since 0.1.0 */
#define GT_COLUMNS_OPTIONS_INIT                                                                    \
    { sizeof(gt_columns_options), 0, 0, 0, 0, NULL, NULL, NULL }

/** What is known of a trace besides its events. It is copied. @since 0.1.0 */
typedef struct gt_columns_about {
    /** sizeof(gt_columns_about), set by the caller. */
    size_t size;
    /** The column trace_id of all tables, at most 64 bytes. Another one for each trace. */
    gt_string id;
    /** The column file of the table of traces. */
    gt_string file;
    /** The column host; empty if it is not known. */
    gt_string host;
    /** The column meta: a JSON object. If it is empty, the column is an empty object. */
    gt_string meta;
    /** The column bytes. */
    uint64_t bytes;
} gt_columns_about;

/** Initialiser of gt_columns_about: nothing is known. @since 0.1.0 */
#define GT_COLUMNS_ABOUT_INIT                                                                      \
    { sizeof(gt_columns_about), { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, 0 }

/**
 * Makes tables. Opaque.
 *
 * Memory: whatever the trace is, at most 140 times its bytes and, for rows and texts that were not
 * passed on yet, 134 million. A goroutine that exists takes 600 to 800 bytes, and may have as
 * little as 7 bytes in a hostile trace. Of a recorded trace nearly all is room for rows, which is
 * touched only as it fills. With gt_columns_options.rows of N all tables together have room for
 * 2200 * N bytes of rows instead of up to 70 MiB; gt_columns_options.memory_limit holds to the byte
 * for everything.
 *
 * Thread-safety: a gt_columns may be used by one thread at a time; different ones are independent.
 * The callback and the allocator must not call functions for the gt_columns that called them; such
 * a call returns GT_ERR_INVALID_ARGUMENT, and gt_columns_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_columns gt_columns;

/**
 * Opens a gt_columns and sets `*columns` to it. On failure it sets `*columns` to NULL, returns an
 * error, and stores the details in `*error` unless `error` is NULL.
 * @retval GT_ERR_INVALID_ARGUMENT `columns`, `options` or `on_batch` is NULL, or options, allocator
 *         or error has a wrong size or unknown bits. The message of `*error` names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_columns_open(gt_columns **columns,
                                              const gt_columns_options *options, gt_error *error)
    GT_NONNULL((1, 2));

/**
 * Begins with the trace that `reader` reads, before its first event. `about` may be NULL.
 * @retval GT_ERR_INVALID_ARGUMENT `columns` or `reader` is NULL, `about` has a wrong size or an id
 *         that is too long, or the trace before has not ended.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT, GT_ERR_CALLBACK the work has failed or ended, in this
 *         call or before.
 * @since 0.1.0
 */
GT_API gt_status gt_columns_begin(gt_columns *columns, gt_reader *reader,
                                  const gt_columns_about *about) GT_NONNULL((1, 2));

/**
 * Takes `event`, the next event of the trace, which `reader` has just delivered. All events must be
 * passed.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, `event` is not the event that `reader` has
 *         delivered last, or no trace has begun.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT, GT_ERR_CALLBACK as for gt_columns_begin.
 * @since 0.1.0
 */
GT_API gt_status gt_columns_event(gt_columns *columns, gt_reader *reader, const gt_event *event)
    GT_NONNULL((1, 2, 3));

/**
 * Ends the trace. `error` is the text for the column error of the table of traces: why reading
 * ended before the end of the trace; it is empty, with data of NULL, for a trace that was read to
 * its end.
 * @retval GT_ERR_INVALID_ARGUMENT `columns` or `reader` is NULL, or no trace has begun.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT, GT_ERR_CALLBACK as for gt_columns_begin.
 * @since 0.1.0
 */
GT_API gt_status gt_columns_end(gt_columns *columns, gt_reader *reader, gt_string error)
    GT_NONNULL((1, 2));

/**
 * Passes on the rows that are left. More traces can follow.
 * @retval GT_ERR_INVALID_ARGUMENT `columns` is NULL, or a trace has not ended.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT, GT_ERR_CALLBACK as for gt_columns_begin.
 * @since 0.1.0
 */
GT_API gt_status gt_columns_finish(gt_columns *columns) GT_NONNULL((1));

/** Counters of a gt_columns. @since 0.1.0 */
typedef struct gt_columns_info {
    /** sizeof(gt_columns_info), set by the caller. */
    size_t size;
    /** The number of events taken. */
    uint64_t events;
    /** The number of rows passed on. */
    uint64_t rows;
    /** The number of bytes of memory held now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
} gt_columns_info;

/** Initialiser of gt_columns_info. @since 0.1.0 */
#define GT_COLUMNS_INFO_INIT                                                                       \
    { sizeof(gt_columns_info), 0, 0, 0, 0 }

/**
 * Fills `*info`.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_columns_get_info(const gt_columns *columns, gt_columns_info *info);

/**
 * Closes `*columns` and sets it to NULL. Does nothing if `columns` or `*columns` is NULL. Rows that
 * were not passed on are lost.
 * @since 0.1.0
 */
GT_API void gt_columns_close(gt_columns **columns);

#ifdef __cplusplus
}
#endif

#endif
