/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_MMU_H
#define GOTRACE_MMU_H

/**
 * @file
 * Mutator utilisation: how much of the processor the garbage collector leaves to the program.
 *
 * At any moment this is a number from 0, if the collector has all procs, to 1. The utilisation
 * of a window of time is the mean over the window. The minimum over all windows of a given
 * length, the minimum mutator utilisation (MMU), tells what the program can rely on.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A bit of gt_mmu_options.flags. Stops of the world for the collector: nothing runs.
 * @since 0.1.0
 */
#define GT_MMU_STW (UINT64_C(1) << 0)

/** A bit of gt_mmu_options.flags. Background workers that mark. @since 0.1.0 */
#define GT_MMU_BACKGROUND (UINT64_C(1) << 1)

/** A bit of gt_mmu_options.flags. Goroutines that have to assist with marking. @since 0.1.0 */
#define GT_MMU_ASSIST (UINT64_C(1) << 2)

/** A bit of gt_mmu_options.flags. Sweeping. @since 0.1.0 */
#define GT_MMU_SWEEP (UINT64_C(1) << 3)

/**
 * A bit of gt_mmu_options.flags. Compute a separate function for each proc, instead of one that is
 * the average over all procs. Workers that have a proc to themselves then do not count, since they
 * delay nobody who runs there.
 * @since 0.1.0
 */
#define GT_MMU_PER_PROC (UINT64_C(1) << 4)

/**
 * A bit of gt_mmu_options.flags. Count a background worker once, and only while it runs under a
 * label that marks it as one. Without this flag the computation is that of Go 1.27: a worker is
 * counted each time it is labelled, which happens whenever it starts, but its count is decremented
 * only once, so that its proc seems to belong to the collector for the rest of the trace. In
 * addition gt_mmu_minimum then includes some windows that extend beyond the end, as if the procs
 * had belonged to the collector there; only traces of less than a millisecond have these.
 * @since 0.1.0
 */
#define GT_MMU_EXACT (UINT64_C(1) << 5)

/**
 * Returns the name of `flag` if that is a single GT_MMU_ bit: "stw", "background", "assist",
 * "sweep", "perproc" or "exact"; NULL for any other number. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_mmu_flag_name(uint64_t flag);

/**
 * Returns the GT_MMU_ bit that has a name, or 0 if none does.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API uint64_t gt_mmu_flag_find(gt_string name);

/** Options for the computation. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_mmu_options {
    /** sizeof(gt_mmu_options), set by the caller. */
    size_t size;
    /** GT_MMU_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
} gt_mmu_options;

/** Initialiser of gt_mmu_options: stops of the world, workers and assists. @since 0.1.0 */
#define GT_MMU_OPTIONS_INIT                                                                        \
    { sizeof(gt_mmu_options), GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST, 0, NULL }

/**
 * The mutator utilisation in one trace. Opaque. It holds a few bytes for each change of the
 * utilisation, and about 70 KB in addition. Only procs below 4096 are considered.
 * Thread-safety: an object may be used by one thread at a time; different objects are
 * independent.
 * @since 0.1.0
 */
typedef struct gt_mmu gt_mmu;

/**
 * Opens a gt_mmu and sets `*mmu` to it. On failure it sets `*mmu` to NULL, returns an error, and
 * stores the details in `*error` unless `error` is NULL. `options` may be NULL for the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `mmu` is NULL, or options, allocator or error has a wrong size or
 *         unknown bits. The message of `*error` names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_mmu_open(gt_mmu **mmu, const gt_mmu_options *options,
                                          gt_error *error) GT_NONNULL((1));

/** Closes `*mmu` and sets it to NULL. Does nothing if `mmu` or `*mmu` is NULL. @since 0.1.0 */
GT_API void gt_mmu_close(gt_mmu **mmu);

/**
 * Takes the next event of the trace. Nothing counts until the number of procs is known, which
 * is at the very beginning.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, gt_mmu_finish was called, or the event is
 *         earlier than the event before it.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out. Every later call fails likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_event(gt_mmu *mmu, const gt_event *event) GT_NONNULL((1));

/**
 * Ends the trace at the last event. The functions below can be called only afterwards; before, they
 * return GT_ERR_INVALID_ARGUMENT. Unlike the other analyses a gt_mmu gives no snapshots: its result
 * is a function over the whole time of the trace, so that a snapshot would copy everything there
 * is, and a stream that runs on needs more and more memory for it. Returns the same errors as
 * gt_mmu_event.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_finish(gt_mmu *mmu) GT_NONNULL((1));

/**
 * Sets `*start` and `*end` to the bounds of the time in which the utilisation is known; both
 * are 0 if it never is.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT only with GT_MMU_PER_PROC, whose functions are
 *         computed on demand. A later call may succeed.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_range(gt_mmu *mmu, int64_t *start, int64_t *end);

/** A utilisation and the time from which it applies. The layout will never change. @since 0.1.0 */
typedef struct gt_utilization {
    /** The time from which it applies. */
    int64_t time;
    /** The utilisation, from 0 to 1. */
    double value;
} gt_utilization;

/**
 * Returns function number `series`, from 0. There is one function, or with GT_MMU_PER_PROC one
 * for each period in which a proc existed, in no particular order; procs that existed at the
 * same time and never did anything for the collector share one. Sets `*points` to its points,
 * which are valid until the next call, and `*count` to their number. The last point is the end
 * of the function. As in Go, if the function is 0 when the trace ends, its end is the time at
 * which it became 0.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval GT_ERR_NOT_AVAILABLE there is no such function.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for gt_mmu_range.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_series(gt_mmu *mmu, size_t series, const gt_utilization **points,
                               size_t *count);

/**
 * Sets `*minimum` to the lowest utilisation of all windows of `window` nanoseconds. A window
 * that is longer than the trace is shortened to the length of the trace. The result is 1 if
 * nothing is known, and 0 if `window` is not positive. The time taken is proportional to the
 * number of changes in all functions; with GT_MMU_PER_PROC a stop of the world is one change
 * for each proc.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT as for gt_mmu_range.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_minimum(gt_mmu *mmu, int64_t window, double *minimum);

/**
 * Computes quantiles of the utilisation of all windows of `window` nanoseconds. `quantiles`
 * holds `count` numbers from 0 to 1 in rising order; `values[i]` is set to the lowest
 * utilisation that the fraction `quantiles[i]` of the windows does not exceed. With
 * GT_MMU_PER_PROC these are the windows of all functions. Takes up to four times as long as
 * gt_mmu_minimum for each quantile.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or the quantiles are out of range or
 *         order.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory: about 100 KB are needed in
 *         addition to what gt_mmu_range needs.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_quantiles(gt_mmu *mmu, int64_t window, const double *quantiles,
                                  size_t count, double *values);

/**
 * Finds the worst windows of `window` nanoseconds: first the one with the lowest utilisation
 * (the first one if several are equal), then the worst one that does not overlap it, of any
 * function, and so on, up to `*count` windows. Sets `windows[i].time` to the start of each
 * window, `windows[i].value` to its utilisation, and `*count` to the number of windows found,
 * which is 0 if `window` is not positive. Takes as long as gt_mmu_minimum for each window.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory: 24 bytes for each window
 *         are needed in addition to what gt_mmu_range needs. `*count` is then 0.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_worst(gt_mmu *mmu, int64_t window, gt_utilization *windows,
                              size_t *count);

#ifdef __cplusplus
}
#endif

#endif
