/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_VIEWER_JSON_H
#define GOTRACE_VIEWER_JSON_H

/**
 * @file
 * Consumers for an emitter: one writes JSON that trace viewers read, the other
 * finds out how to cut a trace into parts that they can hold. Of libgotrace-viewer.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/emitter.h>
#include <gotrace/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to write. The caller owns it; it is copied. @since 0.1.0 */
typedef struct gt_json_options {
    /** sizeof(gt_json_options), set by the caller. */
    size_t size;
    /** Must be 0. */
    uint64_t flags;
    /**
     * Which events are written: from the one number `first` to the one number
     * `last`, both included, as they come, from 0. Required ones always are, and
     * count as well.
     */
    uint64_t first;
    /** The last one. */
    uint64_t last;
    /** The most bytes to hold at any time, 0 for no limit. */
    uint64_t memory_limit;
    /** Where memory comes from; NULL for malloc. */
    const gt_allocator *allocator;
} gt_json_options;

/** Initialiser of gt_json_options: all events. @since 0.1.0 */
#define GT_JSON_OPTIONS_INIT                                                                       \
    { sizeof(gt_json_options), 0, 0, UINT64_MAX, 0, NULL }

/**
 * Writes events as one object of Chrome's JSON: displayTimeUnit, traceEvents, and
 * in stackFrames the frames that they have. Holds these frames, and a few KiB of what
 * waits to be handed to the caller's function. Opaque.
 * Thread-safety: one thread at a time; different writers are independent.
 * @since 0.1.0
 */
typedef struct gt_json_writer gt_json_writer;

/**
 * Sets `*writer`, or sets it to NULL and returns an error. What is written goes to `write`, in
 * pieces, with `user_data` as it is. `options` may be NULL.
 * @retval GT_ERR_INVALID_ARGUMENT, GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for gt_emitter_open.
 * @since 0.1.0
 */
GT_API gt_status gt_json_writer_open(gt_json_writer **writer, gt_write_fn write, void *user_data,
                                     const gt_json_options *options);

/**
 * Fills `*consumer` with what to open one emitter with. Good until the writer is closed.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or consumer->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_json_writer_consumer(gt_json_writer *writer, gt_consumer *consumer);

/**
 * Why the emitter ended with GT_ERR_CALLBACK: GT_ERR_IO where the caller's function
 * failed, GT_ERR_NO_MEMORY, GT_ERR_LIMIT, or GT_ERR_INVALID_ARGUMENT where the consumer was
 * called otherwise than an emitter does, such as by a second one; else GT_OK.
 * @since 0.1.0
 */
GT_API gt_status gt_json_writer_status(const gt_json_writer *writer);

/**
 * Closes `*writer` and sets it to NULL. What gt_emitter_flush did not complete is
 * lost.
 * @since 0.1.0
 */
GT_API void gt_json_writer_close(gt_json_writer **writer);

/** One part of a trace. Its layout is fixed for ever. @since 0.1.0 */
typedef struct gt_part {
    /** For gt_json_options: the first event. */
    uint64_t first;
    /** The last. */
    uint64_t last;
    /** When the first begins. */
    int64_t start_time;
    /** When the last begins. */
    int64_t end_time;
} gt_part;

/** Finds parts. Holds some bytes for each event. Opaque. @since 0.1.0 */
typedef struct gt_splitter gt_splitter;

/** The most bytes of JSON that Chrome's trace viewer can be expected to hold. @since 0.1.0 */
#define GT_SPLITTER_BYTES ((uint64_t) 100 << 20)

/**
 * Sets `*splitter`, or sets it to NULL and returns an error. Parts are to have
 * `part_bytes` of JSON, 0 for GT_SPLITTER_BYTES. `allocator` may be NULL.
 * @retval GT_ERR_INVALID_ARGUMENT, GT_ERR_NO_MEMORY as for gt_emitter_open.
 * @since 0.1.0
 */
GT_API gt_status gt_splitter_open(gt_splitter **splitter, uint64_t part_bytes,
                                  const gt_allocator *allocator);

/** As gt_json_writer_consumer. @since 0.1.0 */
GT_API gt_status gt_splitter_consumer(gt_splitter *splitter, gt_consumer *consumer);

/** As gt_json_writer_status. @since 0.1.0 */
GT_API gt_status gt_splitter_status(const gt_splitter *splitter);

/**
 * The parts, after gt_emitter_flush: sets `*count`, and returns that many, good until
 * the splitter is closed. Each event that is not required is in one of them. NULL and 0
 * where the trace need not be split, and after an error.
 * @since 0.1.0
 */
GT_API const gt_part *gt_splitter_parts(const gt_splitter *splitter, size_t *count);

/** Closes `*splitter` and sets it to NULL. @since 0.1.0 */
GT_API void gt_splitter_close(gt_splitter **splitter);

#ifdef __cplusplus
}
#endif

#endif
