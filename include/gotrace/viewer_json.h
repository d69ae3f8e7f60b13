/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_VIEWER_JSON_H
#define GOTRACE_VIEWER_JSON_H

/**
 * @file
 * Consumers for an emitter. One writes the JSON that trace viewers read; the other determines
 * how to split a trace into parts that a viewer can hold. Part of libgotrace-viewer.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/emitter.h>
#include <gotrace/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Options for writing JSON. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_json_options {
    /** sizeof(gt_json_options), set by the caller. */
    size_t size;
    /** Reserved; must be 0. */
    uint64_t flags;
    /**
     * The first event to write. Only events numbered `first` to `last`, counted from 0 in the
     * order in which they are emitted, are written. Required events are counted too, but always
     * written.
     */
    uint64_t first;
    /** The last event to write. */
    uint64_t last;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
} gt_json_options;

/** Initialiser of gt_json_options: write all events. @since 0.1.0 */
#define GT_JSON_OPTIONS_INIT                                                                       \
    { sizeof(gt_json_options), 0, 0, UINT64_MAX, 0, NULL }

/**
 * Writes events as one object of Chrome's JSON format, with the members displayTimeUnit,
 * traceEvents and stackFrames. It holds the frames of the written events and a few KiB of
 * buffered output. Opaque.
 * Thread-safety: a writer may be used by one thread at a time; different writers are
 * independent.
 * @since 0.1.0
 */
typedef struct gt_json_writer gt_json_writer;

/**
 * Opens a writer and sets `*writer` to it. On failure it sets `*writer` to NULL, returns an error,
 * and stores the details in `*error` unless `error` is NULL. The output is passed to `write` in
 * pieces; `user_data` is passed unchanged to it. `options` may be NULL for the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT, GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for gt_emitter_open.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_json_writer_open(gt_json_writer **writer, gt_write_fn write,
                                                  void *user_data, const gt_json_options *options,
                                                  gt_error *error) GT_NONNULL((1));

/**
 * Fills `*consumer` with the callbacks with which to open one emitter. They are valid until the
 * writer is closed.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or consumer->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_json_writer_consumer(gt_json_writer *writer, gt_consumer *consumer);

/**
 * Returns the reason for which the emitter ended with GT_ERR_CALLBACK: GT_ERR_IO if the
 * caller's function failed, GT_ERR_NO_MEMORY or GT_ERR_LIMIT, or GT_ERR_INVALID_ARGUMENT if the
 * consumer was called in a way that a single emitter does not, for example by a second one.
 * Returns GT_OK if there was no error.
 * @since 0.1.0
 */
GT_API gt_status gt_json_writer_status(const gt_json_writer *writer);

/**
 * Closes `*writer` and sets it to NULL. Output that gt_emitter_flush did not complete is lost.
 * Does nothing if `writer` or `*writer` is NULL.
 * @since 0.1.0
 */
GT_API void gt_json_writer_close(gt_json_writer **writer);

/** A part of a trace. Its layout will never change. @since 0.1.0 */
typedef struct gt_part {
    /** The first event of the part, for gt_json_options. */
    uint64_t first;
    /** The last event of the part. */
    uint64_t last;
    /** The time at which the first event begins. */
    int64_t start_time;
    /** The time at which the last event begins. */
    int64_t end_time;
} gt_part;

/**
 * Determines how to split a trace into parts. It holds a few bytes for each event. Opaque.
 * @since 0.1.0
 */
typedef struct gt_splitter gt_splitter;

/** The most bytes of JSON that Chrome's trace viewer can be expected to hold. @since 0.1.0 */
#define GT_SPLITTER_BYTES (UINT64_C(100) << 20)

/**
 * Opens a splitter and sets `*splitter` to it. On failure it sets `*splitter` to NULL, returns an
 * error, and stores the details in `*error` unless `error` is NULL. `part_bytes` is the size of a
 * part in bytes of JSON, or 0 for GT_SPLITTER_BYTES. `allocator` may be NULL for malloc.
 * @retval GT_ERR_INVALID_ARGUMENT, GT_ERR_NO_MEMORY as for gt_emitter_open.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_splitter_open(gt_splitter **splitter, uint64_t part_bytes,
                                               const gt_allocator *allocator, gt_error *error)
    GT_NONNULL((1));

/** Works as gt_json_writer_consumer. @since 0.1.0 */
GT_API gt_status gt_splitter_consumer(gt_splitter *splitter, gt_consumer *consumer);

/** Works as gt_json_writer_status. @since 0.1.0 */
GT_API gt_status gt_splitter_status(const gt_splitter *splitter);

/**
 * Returns the parts, after gt_emitter_flush, and sets `*count` to their number. The array is
 * valid until the splitter is closed. Every event that is not required is in one of the parts.
 * Returns NULL and sets `*count` to 0 if the trace need not be split, and after an error.
 * @since 0.1.0
 */
GT_API const gt_part *gt_splitter_parts(const gt_splitter *splitter, size_t *count);

/**
 * Closes `*splitter` and sets it to NULL. Does nothing if `splitter` or `*splitter` is NULL.
 * @since 0.1.0
 */
GT_API void gt_splitter_close(gt_splitter **splitter);

#ifdef __cplusplus
}
#endif

#endif
