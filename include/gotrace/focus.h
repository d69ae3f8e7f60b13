/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_FOCUS_H
#define GOTRACE_FOCUS_H

/**
 * @file
 * What belongs to goroutines, tasks and regions. With a focus a gt_writer writes the states of all
 * goroutines and procs, but the logs, regions, tasks, CPU samples and stacks only of what the focus
 * has. The trace is read twice: first for what belongs to them, and when that happened.
 *
 * @code
 * status = gt_focus_open(&focus, NULL, &error);
 * status = gt_focus_add_goroutine(focus, 17);
 * while ((status = gt_reader_next_event(first, &event)) == GT_OK)
 *     status = gt_focus_event(focus, event);
 * status = gt_focus_finish(focus, &error);
 * status = gt_focus_get_span(focus, &start, &end);
 * status = gt_focus_apply(focus, &options);
 * status = gt_writer_open(&writer, second, write_bytes, file, &options, &error);
 * @endcode
 *
 * Then gotrace/writer.h says how to write what happened from `start` to `end`. To a focus belong
 *
 * - of a goroutine, all its events, and those of others that change its state;
 * - of a task, its begin and end, its logs and regions, and those of its descendants; and while the
 *   task is open, the stacks and CPU samples of the goroutines that take part in it or in a
 *   descendant by one of these events;
 * - of regions of a type, everything on their goroutines from their begins to their ends, with the
 *   regions in them; and the events of others that change the state of such a goroutine meanwhile.
 *   Goroutines that are created in a region are not in it;
 * - of each task that a log, region or task of these goroutines and regions names, the begin and
 *   the end.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>
#include <gotrace/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Options for a focus. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_focus_options {
    /** sizeof(gt_focus_options), set by the caller. */
    size_t size;
    /** No flags are defined yet. Unknown bits are refused. */
    uint64_t flags;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. Its context must live as long as the focus. */
    const gt_allocator *allocator;
} gt_focus_options;

/** Initialiser of gt_focus_options: the defaults. @since 0.1.0 */
#define GT_FOCUS_OPTIONS_INIT                                                                      \
    { sizeof(gt_focus_options), 0, 0, NULL }

/**
 * Goroutines, tasks and types of regions, and what belongs to them. Opaque.
 *
 * Time: that of each event grows with the number of goroutines, tasks and types that were added.
 * Memory: for each task, the goroutines that take part in it and its descendants; the tasks that
 * are named; and with a type of regions 32 bytes for each region that is open.
 *
 * Thread-safety: a focus may be used by one thread at a time, as may a writer that has it.
 * Different focuses are independent.
 * @since 0.1.0
 */
typedef struct gt_focus gt_focus;

/**
 * Opens a focus to which nothing belongs. `options` may be NULL for the defaults. On failure
 * `*focus` is NULL, and the details are stored in `*error` unless `error` is NULL. Close the focus
 * with gt_focus_close.
 * @retval GT_ERR_INVALID_ARGUMENT `focus` is NULL, or options, allocator or error has a wrong size
 *         or unknown bits. The message names the argument or member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the focus.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_focus_open(gt_focus **focus, const gt_focus_options *options,
                                            gt_error *error) GT_NONNULL((1));

/**
 * Closes `*focus` and sets it to NULL. Writers that have it must be closed already. Does nothing if
 * `focus` or `*focus` is NULL.
 * @since 0.1.0
 */
GT_API void gt_focus_close(gt_focus **focus);

/**
 * These functions add a goroutine, a task, or the regions of a type, before the first event.
 * @retval GT_ERR_INVALID_ARGUMENT `focus` is NULL, gt_focus_event or gt_focus_finish was called,
 *         `goroutine` is below 0, `task` is GT_NO_TASK or GT_BACKGROUND_TASK, or `type` has a size
 *         without data.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory. Every later call fails
 *         likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_focus_add_goroutine(gt_focus *focus, int64_t goroutine) GT_NONNULL((1));

/** See gt_focus_add_goroutine. The number of a `task` is that of gt_task. @since 0.1.0 */
GT_API gt_status gt_focus_add_task(gt_focus *focus, uint64_t task) GT_NONNULL((1));

/** See gt_focus_add_goroutine. The type is copied. @since 0.1.0 */
GT_API gt_status gt_focus_add_region(gt_focus *focus, gt_string type) GT_NONNULL((1));

/**
 * Takes the next event of the first reading.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or gt_focus_finish was called.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory. Every later call fails
 *         likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_focus_event(gt_focus *focus, const gt_event *event) GT_NONNULL((1));

/**
 * Ends the first reading.
 * @retval GT_ERR_NOT_AVAILABLE the trace has no event of a goroutine, a task or a type of regions
 *         that was added. The message of `*error`, unless `error` is NULL, names the first one.
 * @retval GT_ERR_INVALID_ARGUMENT `focus` is NULL, or this function was called before, or error has
 *         a wrong size.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for gt_focus_event.
 * @since 0.1.0
 */
GT_API gt_status gt_focus_finish(gt_focus *focus, gt_error *error) GT_NONNULL((1));

/**
 * Sets `*start` and `*end` to the times between which all that was added happened: goroutines, from
 * their first events to their ends; tasks, from their begins to their ends; regions, from the first
 * begin to the last end. What began before the trace sets `*start` to INT64_MIN, and what goes on
 * when the trace ends sets `*end` to INT64_MAX.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or gt_focus_finish did not return GT_OK.
 * @since 0.1.0
 */
GT_API gt_status gt_focus_get_span(const gt_focus *focus, int64_t *start, int64_t *end)
    GT_NONNULL((1, 2, 3));

/**
 * Sets `keep` and `keep_data` in the options for opening a writer, which must then be given all
 * events of a second reading of the same trace. The focus must remain open until the writer is
 * closed, and only the last writer that was opened with it can be used.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, `options->size` is wrong, or gt_focus_finish
 *         did not return GT_OK.
 * @since 0.1.0
 */
GT_API gt_status gt_focus_apply(gt_focus *focus, gt_writer_options *options) GT_NONNULL((1, 2));

/**
 * Begins the second reading again: what was read of it counts no more.
 * @retval GT_ERR_INVALID_ARGUMENT `focus` is NULL, or gt_focus_finish did not return GT_OK.
 * @since 0.1.0
 */
GT_API gt_status gt_focus_rewind(gt_focus *focus) GT_NONNULL((1));

#ifdef __cplusplus
}
#endif

#endif
