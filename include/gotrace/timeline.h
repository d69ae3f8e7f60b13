/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_TIMELINE_H
#define GOTRACE_TIMELINE_H

/**
 * @file
 * Drawing a Go trace: a timeline takes the events of a reader, one at a time, and tells
 * an emitter what a trace viewer is to show, as `go tool trace` does. Of
 * libgotrace-timeline, which needs libgotrace and libgotrace-viewer.
 *
 * What is drawn goes to the emitter as soon as it is known, so a timeline holds
 * goroutines that are there, procs, and what is open on them, but no events.
 * It shows a part of a trace, around one goroutine or one task, with a selector, which
 * takes all events once before.
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

/** What the rows are. @since 0.1.0 */
typedef enum gt_view {
    /** Procs, with what ran on them. */
    GT_VIEW_PROC = 0,
    /** Threads, with what ran on them. */
    GT_VIEW_THREAD = 1,
    /** Goroutines, with when they ran. */
    GT_VIEW_GOROUTINE = 2
} gt_view;

/** What to select. @since 0.1.0 */
typedef enum gt_selection {
    /**
     * The rows of a goroutine, of those that unblocked it, and of those that unblocked
     * these, from its first run to its end. As `goid` of `go tool trace`.
     */
    GT_SELECT_GOROUTINE = 1,
    /**
     * A task and those that came of it, with the regions in them, and the rows of the
     * goroutines that took part, from its begin to its end. As `taskid`.
     */
    GT_SELECT_TASK = 2,
    /**
     * A task and those that came of it besides the rows of all procs or threads, from
     * its begin to its end. As `focustask`.
     */
    GT_SELECT_FOCUS_TASK = 3
} gt_selection;

/** How to select. The caller owns it; it is copied. @since 0.1.0 */
typedef struct gt_selector_options {
    /** sizeof(gt_selector_options), set by the caller. */
    size_t size;
    /** None yet. Unknown bits are refused. */
    uint64_t flags;
    /** The most bytes to hold at any time, 0 for no limit. */
    uint64_t memory_limit;
    /** Where memory comes from; NULL for malloc. */
    const gt_allocator *allocator;
} gt_selector_options;

/** Initialiser of gt_selector_options: the defaults. @since 0.1.0 */
#define GT_SELECTOR_OPTIONS_INIT                                                                   \
    { sizeof(gt_selector_options), 0, 0, NULL }

/**
 * Finds out what a selection takes in. Holds the pairs of goroutines of which one unblocked
 * the other, or tasks and the pairs of a task and a goroutine that took part. Opaque.
 * Thread-safety: one thread at a time; different selectors are independent. After
 * gt_selector_finish it does not change, and any threads may use it.
 * @since 0.1.0
 */
typedef struct gt_selector gt_selector;

/**
 * Sets `*selector`, or sets it to NULL and returns an error. `selection` is a
 * gt_selection, `id` the goroutine's or the task's. `options` may be NULL.
 * @retval GT_ERR_INVALID_ARGUMENT `selector` is NULL, `selection` is none, or options or
 *         allocator has a wrong size or unknown bits.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for the selector.
 * @since 0.1.0
 */
GT_API gt_status gt_selector_open(gt_selector **selector, uint32_t selection, uint64_t id,
                                  const gt_selector_options *options);

/** Closes `*selector` and sets it to NULL. NULL and a pointer to NULL are fine. @since 0.1.0 */
GT_API void gt_selector_close(gt_selector **selector);

/**
 * Takes the next event of a trace.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or gt_selector_finish was called.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory. So is every later call.
 * @since 0.1.0
 */
GT_API gt_status gt_selector_event(gt_selector *selector, const gt_event *event);

/**
 * There are no more events.
 * @retval GT_ERR_NOT_AVAILABLE the trace has no such goroutine or task, or of the task
 *         nothing but its number, so that there is nothing to show.
 * @retval GT_ERR_INVALID_ARGUMENT, GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for gt_selector_event.
 * @since 0.1.0
 */
GT_API gt_status gt_selector_finish(gt_selector *selector);

/**
 * Sets the range of times and the filter in the options to open an emitter with. The
 * filter uses the selector, which must stay until the emitter is closed.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, `options->size` is wrong, or
 *         gt_selector_finish did not return GT_OK.
 * @since 0.1.0
 */
GT_API gt_status gt_selector_apply(const gt_selector *selector, gt_emitter_options *options);

/** Bits of gt_timeline_options.flags. @since 0.1.0 */
enum {
    /**
     * Draw also what `go tool trace` loses or draws wrong:
     *
     * - an arrow from proc 0 where it unblocks a goroutine, and none from nowhere where
     *   no proc, thread or goroutine did;
     * - "proc" and "thread" in the arguments of instants also where they are 0, and not
     *   where there is none;
     * - a system call that blocks in the row where it began, not in the one where its
     *   goroutine runs next, and the run of a goroutine that ends in a system call to
     *   there, not to the end of the trace;
     * - sweeping also in rows of threads and goroutines;
     * - all tasks, where no task is selected, and all regions in rows of goroutines;
     * - the end of a region whose goroutine ends, where its goroutine has no known name
     *   or is one of the runtime's.
     *
     * GT_EMITTER_ENCLOSING is the emitter's part of this.
     */
    GT_TIMELINE_EXACT = 1 << 0,
    /**
     * With GT_VIEW_GOROUTINE: draw states instead of runs, for a program that wants to know
     * what goroutines do all of the time. Each goroutine has slices of the category "state"
     * from when it is first known until it ends, without a gap: "Running", "Runnable",
     * "Waiting", "Syscall", and "Syscall, blocked" after its proc was taken away. Their
     * arguments, where known:
     *
     * - "proc" and "thread", of what runs or is in a system call;
     * - "reason", why it waits, or why it may run;
     * - "by", the goroutine that made it so, where that is another. No arrows are drawn
     *   between goroutines.
     *
     * The stack is that of the transition that began the state, of the other goroutine
     * where another made it; the end stack is the stack of the state that follows.
     *
     * An instant of the category "goroutine" tells of a goroutine once it is known, and
     * again when more gets known: its name is the function it starts with, or empty, its
     * arguments are "by", the creator, with whose stack then, and "label". Rows get no names
     * besides; those of tasks have them in their slices.
     *
     * Ranges are drawn whole, not by runs.
     */
    GT_TIMELINE_STATES = 1 << 1
};

/** How to draw. The caller owns it; it is copied. @since 0.1.0 */
typedef struct gt_timeline_options {
    /** sizeof(gt_timeline_options), set by the caller. */
    size_t size;
    /** GT_TIMELINE_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** A gt_view. With GT_SELECT_GOROUTINE and GT_SELECT_TASK it is GT_VIEW_GOROUTINE anyway. */
    uint32_t view;
    /** 0. */
    uint32_t reserved;
    /** What to show; NULL for everything. It must stay until the timeline is closed. */
    const gt_selector *selector;
    /** The most bytes to hold at any time, 0 for no limit. */
    uint64_t memory_limit;
    /** Where memory comes from; NULL for malloc. */
    const gt_allocator *allocator;
} gt_timeline_options;

/** Initialiser of gt_timeline_options: rows of procs, as in `go tool trace`. @since 0.1.0 */
#define GT_TIMELINE_OPTIONS_INIT                                                                   \
    { sizeof(gt_timeline_options), 0, GT_VIEW_PROC, 0, NULL, 0, NULL }

/**
 * Draws one trace. Opaque.
 * Thread-safety: one thread at a time; different timelines are independent. The
 * callbacks of its emitter and its allocator must not use it: such a call returns
 * GT_ERR_INVALID_ARGUMENT, and gt_timeline_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_timeline gt_timeline;

/**
 * Sets `*timeline`, or sets it to NULL and returns an error. Its events are those of
 * `reader`, which is asked for their stacks, and what they show goes to `emitter`. Both
 * stay the caller's, and must stay until the timeline is closed. `options` may be NULL.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL that must not be, options or allocator
 *         has a wrong size or unknown bits, the view is none, or gt_selector_finish did
 *         not return GT_OK.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for the timeline.
 * @since 0.1.0
 */
GT_API gt_status gt_timeline_open(gt_timeline **timeline, gt_reader *reader, gt_emitter *emitter,
                                  const gt_timeline_options *options);

/** Closes `*timeline` and sets it to NULL. NULL and a pointer to NULL are fine. @since 0.1.0 */
GT_API void gt_timeline_close(gt_timeline **timeline);

/**
 * Draws what the next event of the trace completes. Events must come as the reader
 * gives them, from the first one on.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or gt_timeline_finish was called.
 * @retval other what the emitter or gt_stack_frames returned, or GT_ERR_NO_MEMORY or
 *         GT_ERR_LIMIT where there is no memory. So is every later call.
 * @since 0.1.0
 */
GT_API gt_status gt_timeline_event(gt_timeline *timeline, const gt_event *event);

/**
 * Draws what is still open, as if it ended with the last event, and names the rows. Goes
 * also after an error of the reader's. gt_emitter_flush is left to the caller.
 * @retval other as gt_timeline_event.
 * @since 0.1.0
 */
GT_API gt_status gt_timeline_finish(gt_timeline *timeline);

/** What is known of the drawing so far. @since 0.1.0 */
typedef struct gt_timeline_info {
    /** sizeof(gt_timeline_info), set by the caller. */
    size_t size;
    /** Events taken so far. */
    uint64_t events;
    /** Bytes of memory that the timeline holds now. */
    uint64_t memory;
    /** The most it ever held. */
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
