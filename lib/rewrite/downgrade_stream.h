/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_DOWNGRADE_STREAM_H
#define GT_REWRITE_DOWNGRADE_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "rewrite/downgrade.h"

/* The output of a trace in the format of Go 1.21 as bytes. */

/* Appends bytes to the output. */
gt_status gt_downgrade_bytes(struct gt_downgrader *d, const void *data, size_t size);

/* Passes all buffered bytes to the caller. */
gt_status gt_downgrade_flush(struct gt_downgrader *d);

/* Writes the frequency of the clock. */
gt_status gt_downgrade_frequency(struct gt_downgrader *d, uint64_t frequency);

/* Adds an event with at most 4 arguments after the time to a stream. */
gt_status gt_downgrade_put_list(struct gt_downgrader *d, struct gt_downgrade_stream *stream,
                                int64_t time, uint32_t type, const uint64_t *arguments,
                                size_t count);

/* gt_downgrade_put(d, stream, time, type, arguments...) */
#define gt_downgrade_put(d, stream, time, type, ...)                                               \
    gt_downgrade_put_list((d), (stream), (time), (type), (const uint64_t[]){__VA_ARGS__},          \
                          sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* Adds an event without arguments to a stream. */
#define gt_downgrade_put_bare(d, stream, time, type)                                               \
    gt_downgrade_put_list((d), (stream), (time), (type), NULL, 0)

/* Adds a text after the last record, as the message of a UserLog. */
gt_status gt_downgrade_put_text(struct gt_downgrader *d, struct gt_downgrade_stream *stream,
                                gt_string text);

/* Writes what a stream has as a batch, and empties it. */
gt_status gt_downgrade_stream_flush(struct gt_downgrader *d, struct gt_downgrade_stream *stream);

/* Writes all streams but those that are kept. */
gt_status gt_downgrade_streams_flush(struct gt_downgrader *d);

/*
 * These functions add an event to the stream of a proc. The proc's start of a goroutine that waits
 * for its label is written first.
 */
gt_status gt_downgrade_add_list(struct gt_downgrader *d, struct gt_downgrade_proc *proc,
                                int64_t time, uint32_t type, const uint64_t *arguments,
                                size_t count);

/* Writes the start of a goroutine that waits for its label, with this label or 0. */
gt_status gt_downgrade_start_release(struct gt_downgrader *d, struct gt_downgrade_proc *proc,
                                     uint64_t label);

#define gt_downgrade_add(d, proc, time, type, ...)                                                 \
    gt_downgrade_add_list((d), (proc), (time), (type), (const uint64_t[]){__VA_ARGS__},            \
                          sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

#define gt_downgrade_add_bare(d, proc, time, type)                                                 \
    gt_downgrade_add_list((d), (proc), (time), (type), NULL, 0)

#endif
