/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_BATCH_H
#define GT_REWRITE_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/wire.h>

#include "rewrite/writer.h"

/* The output of a trace as bytes: batches, and the records of threads. */

/* Appends bytes to the output. */
gt_status gt_rewrite_bytes(struct gt_writer *writer, const void *data, size_t size);

/* Returns the number of bytes of the output so far, also of those that are buffered. */
uint64_t gt_rewrite_bytes_count(const struct gt_writer *writer);

/* Passes all buffered bytes to the caller. */
gt_status gt_rewrite_flush(struct gt_writer *writer);

/* Writes a batch of the current generation. */
gt_status gt_rewrite_batch_put(struct gt_writer *writer, int64_t thread, int64_t time,
                               const void *data, size_t size);

/* Writes a batch of an experiment. */
gt_status gt_rewrite_experiment_put(struct gt_writer *writer, uint64_t experiment, int64_t thread,
                                    const void *data, size_t size);

/* Writes the open batches of all threads. */
gt_status gt_rewrite_threads_flush(struct gt_writer *writer);

/*
 * Returns the latest time not after `time` that a reader, which computes with doubles, decodes
 * exactly.
 */
int64_t gt_rewrite_exact_time(int64_t time);

/* Adds an event with `count` arguments after the time, at most 4, to the batch of a thread. */
gt_status gt_rewrite_put_list(struct gt_writer *writer, struct gt_rewrite_thread *thread,
                              int64_t time, uint32_t type, const uint64_t *arguments, size_t count);

/* gt_rewrite_put(writer, thread, time, type, arguments...) */
#define gt_rewrite_put(writer, thread, time, type, ...)                                            \
    gt_rewrite_put_list((writer), (thread), (time), (type), (const uint64_t[]){__VA_ARGS__},       \
                        sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* Adds an event without arguments to the batch of a thread. */
#define gt_rewrite_put_bare(writer, thread, time, type)                                            \
    gt_rewrite_put_list((writer), (thread), (time), (type), NULL, 0)

#endif
