/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_TIMELINE_H
#define GOTRACE_TIMELINE_H

/**
 * @file
 * Drawing a Go trace. A timeline takes the events of a reader, one at a time, and tells an
 * emitter what a trace viewer is to show, as `go tool trace` does. Part of libgotrace-timeline,
 * which needs libgotrace and libgotrace-viewer.
 *
 * What is drawn is passed to the emitter as soon as it is known, so a timeline holds the live
 * goroutines, the procs and what is open on them, but no events. To show a part of a trace,
 * around one goroutine or one task, first pass all events to a selector.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/emitter.h>
#include <gotrace/event.h>
#include <gotrace/reader.h>
#include <gotrace/status.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The resources to which the rows of the drawing belong. @since 0.1.0 */
typedef uint32_t gt_view;

/** Values of gt_view. @since 0.1.0 */
enum {
    /** Procs, with the goroutines that ran on them. */
    GT_VIEW_PROC = 0,
    /** Threads, with the goroutines that ran on them. */
    GT_VIEW_THREAD = 1,
    /** Goroutines, with the times at which they ran. */
    GT_VIEW_GOROUTINE = 2
};

/** The kinds of selection. @since 0.1.0 */
typedef uint32_t gt_selection;

/** Values of gt_selection. @since 0.1.0 */
enum {
    /**
     * A goroutine: its row, the rows of the goroutines that unblocked it, and the rows of those
     * that unblocked these, from its first run to its end. Corresponds to `goid` of `go tool
     * trace`.
     */
    GT_SELECT_GOROUTINE = 1,
    /**
     * A task, its descendants and the regions in them, and the rows of the goroutines that took
     * part, from the begin of the task to its end. Corresponds to `taskid`.
     */
    GT_SELECT_TASK = 2,
    /**
     * A task and its descendants, in addition to the rows of all procs or threads, from the
     * begin of the task to its end. Corresponds to `focustask`.
     */
    GT_SELECT_FOCUS_TASK = 3
};

/** Options for a selector. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_selector_options {
    /** sizeof(gt_selector_options), set by the caller. */
    size_t size;
    /** No flags are defined yet. Unknown bits are refused. */
    uint64_t flags;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
} gt_selector_options;

/** Initialiser of gt_selector_options: the defaults. @since 0.1.0 */
#define GT_SELECTOR_OPTIONS_INIT                                                                   \
    { sizeof(gt_selector_options), 0, 0, NULL }

/**
 * Determines what a selection contains. For a goroutine it holds the pairs of goroutines of
 * which one unblocked the other; for a task it holds the tasks and the pairs of a task and a
 * goroutine that took part. Opaque.
 * Thread-safety: a selector may be used by one thread at a time; different selectors are
 * independent. After gt_selector_finish it does not change any more and may be used by any
 * number of threads.
 * @since 0.1.0
 */
typedef struct gt_selector gt_selector;

/**
 * Opens a selector and sets `*selector` to it. On failure it sets `*selector` to NULL, returns an
 * error, and stores the details in `*error` unless `error` is NULL. `selection` is a gt_selection;
 * `id` is the id of the goroutine or the task. `options` may be NULL for the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `selector` is NULL, `selection` is not a gt_selection, or
 *         options, allocator or error has a wrong size or unknown bits. The message of `*error`
 *         names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the selector.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_selector_open(gt_selector **selector, uint32_t selection,
                                               uint64_t id, const gt_selector_options *options,
                                               gt_error *error) GT_NONNULL((1));

/**
 * Closes `*selector` and sets it to NULL. Does nothing if `selector` or `*selector` is NULL.
 * @since 0.1.0
 */
GT_API void gt_selector_close(gt_selector **selector);

/**
 * Takes the next event of a trace.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or gt_selector_finish was called.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory. Every later call fails
 *         likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_selector_event(gt_selector *selector, const gt_event *event) GT_NONNULL((1));

/**
 * Completes the selection after the last event.
 * @retval GT_ERR_NOT_AVAILABLE there is nothing to show: the trace has no such goroutine or
 *         task, or mentions nothing of the task but its number.
 * @retval GT_ERR_INVALID_ARGUMENT, GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for gt_selector_event.
 * @since 0.1.0
 */
GT_API gt_status gt_selector_finish(gt_selector *selector) GT_NONNULL((1));

/**
 * Sets the range of times and the filter in the options for opening an emitter. The filter uses
 * the selector, which must remain open until the emitter is closed.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, `options->size` is wrong, or
 *         gt_selector_finish did not return GT_OK.
 * @since 0.1.0
 */
GT_API gt_status gt_selector_apply(const gt_selector *selector, gt_emitter_options *options);

/**
 * A bit of gt_timeline_options.flags. Also draw what `go tool trace` omits or draws wrongly:
 *
 * - an arrow from proc 0 if something on it unblocks a goroutine, and no arrow if no proc,
 *   thread or goroutine did;
 * - "proc" and "thread" in the arguments of instants also if their number is 0, and not if
 *   there is none;
 * - a blocking system call in the row in which it began, not in the row in which its
 *   goroutine runs next, and the run of a goroutine that ends in a system call up to that
 *   system call, not to the end of the trace;
 * - sweeping also in the rows of threads and goroutines;
 * - all tasks if no task is selected, and all regions in the rows of goroutines;
 * - the end of a region whose goroutine ends, also if the name of the goroutine is not
 *   known or is one of the runtime's own.
 *
 * GT_EMITTER_ENCLOSING is the emitter's part of this.
 * @since 0.1.0
 */
#define GT_TIMELINE_EXACT (UINT64_C(1) << 0)

/**
 * A bit of gt_timeline_options.flags. With GT_VIEW_GOROUTINE: draw states instead of runs, for
 * programs that show what goroutines do at all times. Each goroutine has gapless slices of the
 * category "state", from when it is first known until it ends: "Running", "Runnable", "Waiting",
 * "Syscall", and "Syscall, blocked" after its proc was taken away. Their arguments, where known,
 * are:
 *
 * - "proc" and "thread", if the goroutine is running or in a system call;
 * - "reason", which says why it waits or why it became runnable;
 * - "by", the goroutine that caused the state, if it is another one. No arrows are drawn
 *   between goroutines. A running goroutine has it if it is a coroutine, such as that of iter.Pull,
 *   to which the other one has switched: it then was not runnable before.
 *
 * The stack of a slice is that of the transition that began the state; if another goroutine
 * caused the transition, it is the stack of that goroutine. The end stack is the stack of
 * the state that follows.
 *
 * An instant of the category "goroutine" describes a goroutine as soon as it is known, and
 * again when more becomes known. Its name is the function with which the goroutine starts,
 * or empty. Its arguments are "label" and "by", the creator, whose stack the instant then
 * has. Rows have no other names; the rows of tasks have theirs in their slices.
 *
 * The instant of a log has the arguments "category", unless that is empty, and "task",
 * unless that is GT_BACKGROUND_TASK.
 *
 * Ranges are drawn whole, not split by runs.
 * @since 0.1.0
 */
#define GT_TIMELINE_STATES (UINT64_C(1) << 1)

/** Options for drawing. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_timeline_options {
    /** sizeof(gt_timeline_options), set by the caller. */
    size_t size;
    /** GT_TIMELINE_ bits. Unknown bits are refused. */
    uint64_t flags;
    /**
     * A gt_view. With GT_SELECT_GOROUTINE and GT_SELECT_TASK, GT_VIEW_GOROUTINE is used in any
     * case.
     */
    uint32_t view;
    /** Reserved; must be 0. */
    uint32_t reserved;
    /**
     * What to show, or NULL for everything. The selector must remain open until the timeline is
     * closed.
     */
    const gt_selector *selector;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
} gt_timeline_options;

/** Initialiser of gt_timeline_options: rows of procs, as in `go tool trace`. @since 0.1.0 */
#define GT_TIMELINE_OPTIONS_INIT                                                                   \
    { sizeof(gt_timeline_options), 0, GT_VIEW_PROC, 0, NULL, 0, NULL }

/**
 * Draws one trace. Opaque.
 * Thread-safety: a timeline may be used by one thread at a time; different timelines are
 * independent. The callbacks of its emitter and its allocator must not use it: such a call
 * returns GT_ERR_INVALID_ARGUMENT, and gt_timeline_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_timeline gt_timeline;

/**
 * Opens a timeline and sets `*timeline` to it. On failure it sets `*timeline` to NULL, returns an
 * error, and stores the details in `*error` unless `error` is NULL. The timeline takes the events
 * of `reader`, asks it for their stacks, and draws on `emitter`. Both remain the caller's and must
 * stay open until the timeline is closed. `options` may be NULL for the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT a required pointer is NULL, options, allocator or error has a
 *         wrong size or unknown bits, the view is not a gt_view or not the one that a flag needs,
 *         or gt_selector_finish did not return GT_OK. The message of `*error` names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the timeline.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_timeline_open(gt_timeline **timeline, gt_reader *reader,
                                               gt_emitter *emitter,
                                               const gt_timeline_options *options,
                                               gt_error *error) GT_NONNULL((1, 2, 3));

/**
 * Closes `*timeline` and sets it to NULL. Does nothing if `timeline` or `*timeline` is NULL.
 * @since 0.1.0
 */
GT_API void gt_timeline_close(gt_timeline **timeline);

/**
 * Draws what the next event of the trace completes. Events must be passed in the order in which
 * the reader delivers them, starting with the first.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, `event` is not the event that the reader has
 *         delivered last, or gt_timeline_finish was called.
 * @retval other an error of the emitter or of gt_stack_frames, or GT_ERR_NO_MEMORY or
 *         GT_ERR_LIMIT if there is not enough memory. Every later call returns the same error.
 * @since 0.1.0
 */
GT_API gt_status gt_timeline_event(gt_timeline *timeline, const gt_event *event) GT_NONNULL((1));

/**
 * Draws what is still open, as if it ended with the last event, and names the rows. May be
 * called after an error of the reader too. It does not call gt_emitter_flush.
 * @retval other as for gt_timeline_event.
 * @since 0.1.0
 */
GT_API gt_status gt_timeline_finish(gt_timeline *timeline) GT_NONNULL((1));

/** Information about the drawing so far. @since 0.1.0 */
typedef struct gt_timeline_info {
    /** sizeof(gt_timeline_info), set by the caller. */
    size_t size;
    /** The number of events taken so far. */
    uint64_t events;
    /** The number of bytes of memory that the timeline holds now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
} gt_timeline_info;

/** Initialiser of gt_timeline_info. @since 0.1.0 */
#define GT_TIMELINE_INFO_INIT                                                                      \
    { sizeof(gt_timeline_info), 0, 0, 0 }

/**
 * Fills `*info`.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_timeline_get_info(const gt_timeline *timeline, gt_timeline_info *info);

#ifdef __cplusplus
}
#endif

#endif
