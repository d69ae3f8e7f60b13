/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_DOWNGRADE_H
#define GOTRACE_DOWNGRADE_H

/**
 * @file
 * Writing traces of Go 1.22 and later in the format of Go 1.21, for tools that read no other. A
 * downgrader takes all events of a reader and writes a trace with the header "go 1.21 trace".
 *
 * @code
 * status = gt_downgrader_open(&downgrader, reader, write_bytes, file, NULL, NULL);
 * while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK)
 *     status = gt_downgrader_event(downgrader, event);
 * if (status == GT_OK)
 *     status = gt_downgrader_finish(downgrader);
 * gt_downgrader_close(&downgrader);
 * @endcode
 *
 * The older format has no generations. It begins with the states of all goroutines, and what it
 * says about procs, system calls and stops of the world is less. gt_downgrader_info counts what the
 * output lacks; docs/writing.md lists it.
 *
 * A downgrader makes no events up that lead over what was lost. A trace that is repaired is better
 * led through a gt_writer with GT_WRITER_LENIENT, whose bytes a reader of gt_reader_open_push reads
 * for the downgrader.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>
#include <gotrace/reader.h>
#include <gotrace/status.h>
#include <gotrace/version.h>
#include <gotrace/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Options of a downgrader. The structure belongs to the caller and is copied.
 * @since 0.1.0
 */
typedef struct gt_downgrader_options {
    /** sizeof(gt_downgrader_options), set by the caller. */
    size_t size;
    /** Always 0. */
    uint64_t flags;
    /** The most bytes to hold at any time, or 0 for no limit; see gt_reader_options. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. Its context must live as long as the downgrader. */
    const gt_allocator *allocator;
} gt_downgrader_options;

/** Initialiser of gt_downgrader_options: the defaults. @since 0.1.0 */
#define GT_DOWNGRADER_OPTIONS_INIT                                                                 \
    { sizeof(gt_downgrader_options), 0, 0, NULL }

/**
 * Writes one trace in the format of Go 1.21. Opaque.
 *
 * Memory: about 100 bytes for each goroutine and proc that exists, and a bit for each goroutine
 * that has ended; the texts and the stacks of the whole trace, which that format has at its end; up
 * to 4 MiB of events; and, until the first generation has ended, what has happened on no proc.
 *
 * Thread-safety: one thread at a time may use a downgrader, the one that uses its reader. Different
 * downgraders are independent.
 * @since 0.1.0
 */
typedef struct gt_downgrader gt_downgrader;

/**
 * Opens a downgrader of the events of `reader`, which must remain open until the downgrader is
 * closed. Nothing is written yet. The output goes to `write` in large pieces; `user_data` is passed
 * unchanged to it. `options` may be NULL for the defaults. On failure `*downgrader` is NULL, and
 * the details are stored in `*error` unless `error` is NULL. Close the downgrader with
 * gt_downgrader_close.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a required pointer is NULL, or options, allocator or error has a
 *         wrong size or unknown bits. The message names the argument or member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the downgrader.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_downgrader_open(gt_downgrader **downgrader, gt_reader *reader,
                                                 gt_write_fn write, void *user_data,
                                                 const gt_downgrader_options *options,
                                                 gt_error *error) GT_NONNULL((1, 2, 3));

/**
 * Writes the reader's current event, see gt_reader_has_event. Every event of the trace must be
 * passed, from the first one on.
 *
 * @retval GT_OK the event was written, buffered, or left out and counted.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, the event is not a current one of the reader,
 *         it or a later one was passed before, or the downgrader is finished. It continues as if
 *         the call had not been made.
 * @retval GT_ERR_VERSION the input is already a trace of Go 1.21 or earlier.
 * @retval GT_ERR_NOT_AVAILABLE the event cannot be written: it is not possible after those before
 *         it, as in a trace that a lenient reader has repaired; or the trace is too long, or has a
 *         proc with a number above 1,000,000.
 * @retval GT_ERR_IO `write` failed.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 *
 * After one of the errors but GT_ERR_INVALID_ARGUMENT every later call returns the same error.
 * @since 0.1.0
 */
GT_API gt_status gt_downgrader_event(gt_downgrader *downgrader, const gt_event *event)
    GT_NONNULL((1, 2));

/**
 * Ends the trace, and passes everything that is buffered to `write`. May be called after any event,
 * and after the reader has failed: the output then ends with the last event. Afterwards the
 * downgrader takes no events.
 *
 * @retval GT_OK the trace is complete.
 * @retval GT_ERR_INVALID_ARGUMENT `downgrader` is NULL, or finished already.
 * @retval GT_ERR_NOT_AVAILABLE gt_downgrader_event was never called: there is nothing to write.
 * @retval other see gt_downgrader_event.
 * @since 0.1.0
 */
GT_API gt_status gt_downgrader_finish(gt_downgrader *downgrader) GT_NONNULL((1));

/**
 * Works as gt_reader_error: returns the error that ended the writing, GT_OK if there was none, and
 * stores it in `*error` unless `error` is NULL.
 * @retval GT_ERR_INVALID_ARGUMENT `downgrader` is NULL, or `error` has a wrong size.
 * @since 0.1.0
 */
GT_API gt_status gt_downgrader_error(const gt_downgrader *downgrader, gt_error *error);

/** Information about the output so far, and about what it lacks. @since 0.1.0 */
typedef struct gt_downgrader_info {
    /** sizeof(gt_downgrader_info), set by the caller. */
    size_t size;
    /** The number of events that were passed, without Syncs. */
    uint64_t events;
    /** The number of goroutines that existed when the trace began. */
    uint64_t goroutines;
    /** The number of generations that were joined. */
    uint64_t generations;
    /** The number of clock snapshots, all of which are left out. */
    uint64_t clocks;
    /** The number of events and batches of experiments, all of which are left out. */
    uint64_t experiments;
    /** The number of labels that are left out, because no goroutine has just started with them. */
    uint64_t labels;
    /** The number of goroutines that stopped for a reason that the format lacks. */
    uint64_t reasons;
    /** The number of stops of the world with a cause that the format lacks. */
    uint64_t causes;
    /** The number of ends and beginnings of ranges, and of ends of regions, that are left out. */
    uint64_t ranges;
    /** The number of stacks that are left out: of statuses and of stops of the world. */
    uint64_t stacks;
    /** The number of frames that are left out of stacks that are too large. */
    uint64_t frames;
    /** The number of CPU samples that have lost their goroutine, which does not exist. */
    uint64_t samples;
    /** The number of goroutines that seem to remain in a system call in which they ended. */
    uint64_t callbacks;
    /** The number of goroutines with another id, because theirs was in use before. */
    uint64_t renamed;
    /** The number of bytes that were passed to `write`. */
    uint64_t bytes;
    /** The number of bytes of memory that the downgrader holds now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
} gt_downgrader_info;

/** Initialiser of gt_downgrader_info. @since 0.1.0 */
#define GT_DOWNGRADER_INFO_INIT                                                                    \
    { sizeof(gt_downgrader_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*info`. May be called at any time, also after an error.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_downgrader_get_info(const gt_downgrader *downgrader, gt_downgrader_info *info);

/**
 * Closes `*downgrader` and sets it to NULL. Output that was not finished lacks its end. Does
 * nothing if `downgrader` or `*downgrader` is NULL.
 * @since 0.1.0
 */
GT_API void gt_downgrader_close(gt_downgrader **downgrader);

#ifdef __cplusplus
}
#endif

#endif
