/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_VIEWER_PERFETTO_H
#define GOTRACE_VIEWER_PERFETTO_H

/**
 * @file
 * A consumer for emitters that writes Perfetto's own format, the protocol buffers of its
 * TrackEvent, which ui.perfetto.dev and the Trace Processor read. Unlike JSON it has stacks, units,
 * groups of rows and clocks. Part of libgotrace-viewer.
 *
 * A file is one packet after another without a length in front, so files of several writers can
 * be concatenated if each writer has a sequence and identifiers of tracks of its own.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/emitter.h>
#include <gotrace/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the rows of an emitter are. @since 0.1.0 */
typedef uint32_t gt_perfetto_rows;

/** Values of gt_perfetto_rows. @since 0.1.0 */
enum {
    /** Anything. A row has the name that the emitter gives it, in the group of its section. */
    GT_PERFETTO_PLAIN = 0,
    /** The procs of a Go trace. Arrows are not written. */
    GT_PERFETTO_PROCS = 1,
    /** The threads of a Go trace, by their thread ids. Arrows are not written. */
    GT_PERFETTO_THREADS = 2,
    /**
     * The goroutines of a Go trace, as GT_TIMELINE_STATES draws them: grouped by the functions
     * with which they start, with a slice for each state. Slices other than states, such as
     * regions, are in a row of their own below. What a goroutine does to another is a flow.
     */
    GT_PERFETTO_GOROUTINES = 3
};

/**
 * A bit of gt_perfetto_options.flags: write no instants and flows between goroutines.
 * @since 0.1.0
 */
#define GT_PERFETTO_NO_WAKES (UINT64_C(1) << 0)

/**
 * A bit of gt_perfetto_options.flags: gt_perfetto_writer_sample will be called. Trace Processors
 * before version 58 ignore what it writes.
 * @since 0.1.0
 */
#define GT_PERFETTO_STACK_SAMPLES (UINT64_C(1) << 1)

/**
 * A bit of gt_perfetto_options.flags: write no snapshots of clocks, but times of the monotonic
 * clock itself, which take 2 bytes more. This is for all but the first part of a file: the
 * snapshots of a file must be in the order of their times. gt_perfetto_writer_clock is then
 * refused.
 * @since 0.1.0
 */
#define GT_PERFETTO_NO_CLOCKS (UINT64_C(1) << 2)

/** Options for writing. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_perfetto_options {
    /** sizeof(gt_perfetto_options), set by the caller. */
    size_t size;
    /** GT_PERFETTO_ bits. Unknown bits are refused. */
    uint64_t flags;
    /**
     * The time, on the system's monotonic clock, of what is 0 for the emitters. A time below
     * 4096 counts as 4096: slices that begin at once begin some nanoseconds one before the other
     * in the output, so that they nest.
     */
    int64_t start_time;
    /**
     * Added to the identifiers of all tracks. Those are below 6 * N + 22, where N is the largest of
     * the numbers of rows, of texts, of series of counters, and of slices that do not nest in the
     * others of their row, and with GT_PERFETTO_PLAIN of the ids of asynchronous slices.
     */
    uint64_t uuid_base;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The id of the process, or 0 for 1. */
    uint32_t pid;
    /** The id of the sequence of packets, or 0 for 1. */
    uint32_t sequence;
    /** The name of the process, which is copied. */
    gt_string name;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
} gt_perfetto_options;

/** Initialiser of gt_perfetto_options. @since 0.1.0 */
#define GT_PERFETTO_OPTIONS_INIT                                                                   \
    { sizeof(gt_perfetto_options), 0, 0, 0, 0, 0, 0, { "", 0 }, NULL }

/**
 * Writes events as packets of Perfetto. Opaque.
 *
 * Memory: 20 KiB; 12 bytes for each frame of a stack and about 30 for each place in the program;
 * about 40 for each row, 16 more if it has a slice that is no state of a goroutine, and 150 more if
 * it has several; each name of a row, function or file once, and up to 256 KiB of other texts. The
 * arrays grow by half, so up to half as much again is reserved, and two and a half times as much is
 * in use for a moment when the largest grows.
 *
 * Thread-safety: a writer and the emitters that write to it may be used by one thread at a time;
 * different writers are independent.
 * @since 0.1.0
 */
typedef struct gt_perfetto_writer gt_perfetto_writer;

/**
 * Opens a writer and sets `*writer` to it. On failure it sets `*writer` to NULL, returns an error,
 * and stores the details in `*error` unless `error` is NULL. The output is passed to `write` in
 * pieces; `user_data` is passed unchanged to it. `options` may be NULL for the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT, GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for gt_emitter_open.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_perfetto_writer_open(gt_perfetto_writer **writer,
                                                      gt_write_fn write, void *user_data,
                                                      const gt_perfetto_options *options,
                                                      gt_error *error) GT_NONNULL((1));

/**
 * Fills `*consumer` with the callbacks with which to open one emitter, the rows of which are
 * `rows`, a gt_perfetto_rows. A writer takes one emitter for each value of `rows`. They may be used
 * alternately, and the events of all of them are in one process. Counters, tasks and collections
 * are those of the emitter whose consumer was filled first, since all emitters of a trace have the
 * same ones. The callbacks are valid until the writer is closed.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, consumer->size is wrong, there is no such
 *         value of `rows`, or it was passed before.
 * @since 0.1.0
 */
GT_API gt_status gt_perfetto_writer_consumer(gt_perfetto_writer *writer, uint32_t rows,
                                             gt_consumer *consumer);

/**
 * Times of several clocks at one moment. The structure belongs to the caller; initialise it with
 * GT_PERFETTO_CLOCK_INIT.
 * @since 0.1.0
 */
typedef struct gt_perfetto_clock {
    /** sizeof(gt_perfetto_clock), set by the caller. */
    size_t size;
    /** The moment, as the emitters count time. */
    int64_t time;
    /** The wall clock, in nanoseconds since 1970. */
    int64_t wall;
} gt_perfetto_clock;

/** Initialiser of gt_perfetto_clock. @since 0.1.0 */
#define GT_PERFETTO_CLOCK_INIT                                                                     \
    { sizeof(gt_perfetto_clock), 0, 0 }

/**
 * Writes which time the wall clock had. Without it, Perfetto shows the monotonic clock alone.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, clock->size is wrong, GT_PERFETTO_NO_CLOCKS
 *         was set, or gt_perfetto_writer_finish was called.
 * @retval other an error that gt_perfetto_writer_status returns.
 * @since 0.1.0
 */
GT_API gt_status gt_perfetto_writer_clock(gt_perfetto_writer *writer,
                                          const gt_perfetto_clock *clock);

/**
 * A sample of a profiler: the stack of a thread, and how much it stands for. The structure belongs
 * to the caller; initialise it with GT_PERFETTO_SAMPLE_INIT.
 * @since 0.1.0
 */
typedef struct gt_perfetto_sample {
    /** sizeof(gt_perfetto_sample), set by the caller. */
    size_t size;
    /** When it was taken, as the emitters count time. */
    int64_t time;
    /** The CPU time for which it stands, in nanoseconds. */
    uint64_t weight;
    /** The row of the emitter, such as a goroutine, or 0 if it belongs to none. */
    uint64_t resource;
    /** The thread, by its id in the system, or 0 if it is not known. */
    uint32_t thread;
    /** A gt_perfetto_rows: the emitter to which `resource` and `stack` belong. */
    uint32_t rows;
    /** The stack, which gt_emitter_stack of that emitter returned. */
    uint32_t stack;
    /** Reserved; must be 0. */
    uint32_t reserved;
} gt_perfetto_sample;

/** Initialiser of gt_perfetto_sample. @since 0.1.0 */
#define GT_PERFETTO_SAMPLE_INIT                                                                    \
    { sizeof(gt_perfetto_sample), 0, 0, 0, 0, 0, 0, 0 }

/**
 * Writes a sample, which Perfetto shows in flame graphs of CPU time. One without a thread belongs
 * to the process only if its id was set before.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, sample->size is wrong, there is no such value
 *         of `rows` or no such stack, GT_PERFETTO_STACK_SAMPLES was not set, or
 *         gt_perfetto_writer_finish was called.
 * @retval other an error that gt_perfetto_writer_status returns.
 * @since 0.1.0
 */
GT_API gt_status gt_perfetto_writer_sample(gt_perfetto_writer *writer,
                                           const gt_perfetto_sample *sample);

/**
 * Sets the id of the process to `pid` instead of gt_perfetto_options.pid, if it becomes known
 * later. 0 counts as 1.
 * @retval GT_ERR_INVALID_ARGUMENT `writer` is NULL, or gt_perfetto_writer_finish was called.
 * @since 0.1.0
 */
GT_API gt_status gt_perfetto_writer_set_pid(gt_perfetto_writer *writer, uint32_t pid);

/**
 * Writes the names of all rows and what is buffered. Call it after gt_emitter_flush of all
 * emitters; nothing can be written afterwards.
 * @retval GT_ERR_INVALID_ARGUMENT `writer` is NULL, or the function was called before.
 * @retval other an error that gt_perfetto_writer_status returns.
 * @since 0.1.0
 */
GT_API gt_status gt_perfetto_writer_finish(gt_perfetto_writer *writer);

/**
 * Returns the reason for which an emitter ended with GT_ERR_CALLBACK: GT_ERR_IO if the caller's
 * function failed, GT_ERR_NO_MEMORY or GT_ERR_LIMIT, or GT_ERR_INVALID_ARGUMENT if a consumer was
 * called in a way that a single emitter does not. Returns GT_OK if there was no error.
 * @since 0.1.0
 */
GT_API gt_status gt_perfetto_writer_status(const gt_perfetto_writer *writer);

/** What was written so far. @since 0.1.0 */
typedef struct gt_perfetto_info {
    /** sizeof(gt_perfetto_info), set by the caller. */
    size_t size;
    /** The number of bytes. */
    uint64_t bytes;
    /** The number of packets. */
    uint64_t packets;
    /** The number of slices. */
    uint64_t slices;
    /** The number of instants. */
    uint64_t instants;
    /** The number of values of counters. */
    uint64_t values;
    /** The number of flows. */
    uint64_t flows;
    /** The number of slices and instants that have a stack, where a slice can have two. */
    uint64_t stacks;
    /** The number of frames. */
    uint64_t frames;
    /** The number of bytes of memory that the writer holds now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
} gt_perfetto_info;

/** Initialiser of gt_perfetto_info. @since 0.1.0 */
#define GT_PERFETTO_INFO_INIT                                                                      \
    { sizeof(gt_perfetto_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*info`.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_perfetto_writer_get_info(const gt_perfetto_writer *writer,
                                             gt_perfetto_info *info);

/**
 * Closes `*writer` and sets it to NULL. What gt_perfetto_writer_finish did not complete is lost.
 * Does nothing if `writer` or `*writer` is NULL.
 * @since 0.1.0
 */
GT_API void gt_perfetto_writer_close(gt_perfetto_writer **writer);

#ifdef __cplusplus
}
#endif

#endif
