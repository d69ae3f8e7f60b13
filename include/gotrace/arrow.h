/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_ARROW_H
#define GOTRACE_ARROW_H

/**
 * @file
 * A table of a trace as a stream of Apache Arrow, by Arrow's C data interface: hosts such as
 * ClickHouse, DuckDB, pyarrow and polars take it without a copy and without a file. Part of
 * libgotrace-columns.
 *
 * The three structures are those of Arrow's specification, behind its own guards, so that this
 * header goes beside any other copy of them.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/columns.h>
#include <gotrace/reader.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
/** Arrow's guard of its two structures for data. @since 0.1.0 */
#define ARROW_C_DATA_INTERFACE

/** A bit of ArrowSchema.flags: the order of a dictionary has a meaning. @since 0.1.0 */
#define ARROW_FLAG_DICTIONARY_ORDERED 1
/** A bit of ArrowSchema.flags: values may be missing. @since 0.1.0 */
#define ARROW_FLAG_NULLABLE 2
/** A bit of ArrowSchema.flags, of maps, which no table has. @since 0.1.0 */
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/** The type of a column or of a row, as Arrow defines it. @since 0.1.0 */
struct ArrowSchema {
    /** Arrow's text for the type: "+s", "l", "i", "u", "b" or "tsu:UTC". */
    const char *format;
    /** The name of the column. */
    const char *name;
    /** NULL: there is no metadata. */
    const char *metadata;
    /** Bits of ARROW_FLAG_NULLABLE and the like. */
    int64_t flags;
    /** The number of children. */
    int64_t n_children;
    /** Of a row: its columns. */
    struct ArrowSchema **children;
    /** Of a string: the type of the dictionary's values, else NULL. */
    struct ArrowSchema *dictionary;
    /** Releases what the structure refers to, and is NULL afterwards. */
    void (*release)(struct ArrowSchema *);
    /** The producer's. */
    void *private_data;
};

/** Values of a column, or rows, as Arrow defines them. @since 0.1.0 */
struct ArrowArray {
    /** The number of values. */
    int64_t length;
    /** The number of values that are missing. */
    int64_t null_count;
    /** The index of the first value in the buffers. */
    int64_t offset;
    /** The number of buffers. */
    int64_t n_buffers;
    /** The number of children. */
    int64_t n_children;
    /** A bit for each value that is there, or NULL if all are; then the values. */
    const void **buffers;
    /** Of rows: their columns. */
    struct ArrowArray **children;
    /** Of strings: the values to which the indexes refer, else NULL. */
    struct ArrowArray *dictionary;
    /** Releases what the structure refers to, and is NULL afterwards. */
    void (*release)(struct ArrowArray *);
    /** The producer's. */
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
/** Arrow's guard of its structure for streams. @since 0.1.0 */
#define ARROW_C_STREAM_INTERFACE

/** A stream of arrays of one type, as Arrow defines it. @since 0.1.0 */
struct ArrowArrayStream {
    /** Gives the type of the rows. Returns 0, or a value of errno. */
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    /** Gives the next rows, or at the end an array that is released. Returns as `get_schema`. */
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    /** Returns why the last call failed, or NULL. The text is valid until the next call. */
    const char *(*get_last_error)(struct ArrowArrayStream *);
    /** Releases the stream, and is NULL afterwards. Arrays that it gave remain. */
    void (*release)(struct ArrowArrayStream *);
    /** The producer's. */
    void *private_data;
};

#endif

/** Options for a stream. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_arrow_options {
    /** sizeof(gt_arrow_options), set by the caller. */
    size_t size;
    /** No flags are defined yet. Unknown bits are refused. */
    uint64_t flags;
    /** The most rows of an array, as gt_columns_options.rows. */
    uint64_t rows;
    /** The most bytes for making rows, or 0 for no limit. Arrays that were given do not count. */
    uint64_t memory_limit;
    /**
     * The allocator, or NULL for malloc. It must be usable by any thread, and live as long as the
     * last array: it is up to the host when and where it releases what it was given.
     */
    const gt_allocator *allocator;
} gt_arrow_options;

/** Initialiser of gt_arrow_options: the defaults. @since 0.1.0 */
#define GT_ARROW_OPTIONS_INIT                                                                      \
    { sizeof(gt_arrow_options), 0, 0, 0, NULL }

/**
 * Makes a stream of the rows of a gt_table of the trace that `*reader` reads, which must be at its
 * start. On success the stream has the reader, and `*reader` is NULL: to release the stream closes
 * it. On failure the reader remains the caller's, and `out->release` is NULL. `about` may be NULL;
 * it is copied. `options` may be NULL for the defaults.
 *
 * Each array is a structure with a child for each column, in the order of gt_table_description.
 * Strings are dictionaries of utf8 with indexes of 32 bits, and timestamps count microseconds in
 * UTC. `get_next` reads the trace as far as it needs to for the next array. It returns 0, ENOMEM,
 * ECANCELED after gt_reader_cancel, or EIO if reading failed; `get_last_error` says why and where.
 * GT_TABLE_STACKS and GT_TABLE_FRAMES have the stacks that all tables but GT_TABLE_EVENTS name.
 *
 * Thread-safety: a stream may be used by one thread at a time. What it gave may be released by any
 * thread, also after the stream.
 * @retval GT_ERR_INVALID_ARGUMENT `out`, `reader` or `*reader` is NULL, there is no such table, or
 *         options, about, allocator or error has a wrong size or unknown bits.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_arrow_stream(struct ArrowArrayStream *out, gt_reader **reader,
                                              uint32_t table, const gt_columns_about *about,
                                              const gt_arrow_options *options, gt_error *error)
    GT_NONNULL((1, 2));

#ifdef __cplusplus
}
#endif

#endif
