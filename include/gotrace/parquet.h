/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_PARQUET_H
#define GOTRACE_PARQUET_H

/**
 * @file
 * Files of Parquet, each with the rows of a table of gotrace/columns.h. Part of
 * libgotrace-columns.
 *
 * A file is written from its start to its end, so that it can go to a pipe. Each batch is a row
 * group. Numbers are packed as differences or by dictionaries, and pages are compressed by Snappy.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/columns.h>
#include <gotrace/status.h>
#include <gotrace/version.h>
#include <gotrace/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A bit of gt_parquet_options.flags. Write numbers as they are and do not compress, for readers
 * that know little of Parquet.
 * @since 0.1.0
 */
#define GT_PARQUET_PLAIN (UINT64_C(1) << 0)

/** Options for a file. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_parquet_options {
    /** sizeof(gt_parquet_options), set by the caller. */
    size_t size;
    /** GT_PARQUET_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
} gt_parquet_options;

/** Initialiser of gt_parquet_options: the defaults. @since 0.1.0 */
#define GT_PARQUET_OPTIONS_INIT                                                                    \
    { sizeof(gt_parquet_options), 0, 0, NULL }

/**
 * Writes a file of Parquet. Opaque.
 *
 * Thread-safety: a gt_parquet may be used by one thread at a time; different ones are independent.
 * `write` and the allocator must not call functions for the gt_parquet that called them.
 * @since 0.1.0
 */
typedef struct gt_parquet gt_parquet;

/**
 * Opens a file for rows of a gt_table and sets `*parquet` to it. What is written is passed to
 * `write` with `user_data`. On failure it sets `*parquet` to NULL, returns an error, and stores the
 * details in `*error` unless `error` is NULL. `options` may be NULL for the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `parquet` or `write` is NULL, there is no such table, or
 *         options, allocator or error has a wrong size or unknown bits. The message of `*error`
 *         names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_parquet_open(gt_parquet **parquet, uint32_t table,
                                              gt_write_fn write, void *user_data,
                                              const gt_parquet_options *options, gt_error *error)
    GT_NONNULL((1));

/**
 * Writes a batch as a row group. One without rows adds nothing.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, the batch is of another table, has a wrong
 *         size or too many rows, or the file was finished.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT, GT_ERR_CALLBACK there is not enough memory, or `write`
 *         has ended the writing. Every later call fails likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_parquet_batch(gt_parquet *parquet, const gt_batch *batch) GT_NONNULL((1, 2));

/**
 * Writes the end of the file, without which nobody can read it. A file without batches has the
 * columns and no rows. Further calls have no effect.
 * @retval GT_ERR_INVALID_ARGUMENT `parquet` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT, GT_ERR_CALLBACK as for gt_parquet_batch.
 * @since 0.1.0
 */
GT_API gt_status gt_parquet_finish(gt_parquet *parquet) GT_NONNULL((1));

/**
 * Closes `*parquet` and sets it to NULL, and writes nothing. Does nothing if `parquet` or
 * `*parquet` is NULL.
 * @since 0.1.0
 */
GT_API void gt_parquet_close(gt_parquet **parquet);

#ifdef __cplusplus
}
#endif

#endif
