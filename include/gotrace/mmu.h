/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_MMU_H
#define GOTRACE_MMU_H

/**
 * @file
 * Mutator utilisation: how much of the processor the garbage collector leaves to
 * the program.
 *
 * Of any moment this is a number from 0, where the collector has all procs, to 1. Of
 * a window of time it is the mean, and the least one of all windows of a length, the
 * minimum mutator utilisation, says what the program can rely on.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>
#include <gotrace/status.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What counts as the collector's: bits of gt_mmu_options.flags. @since 0.1.0 */
enum {
    /** The world is stopped for it: nothing runs. */
    GT_MMU_STW = 1 << 0,
    /** Background workers that mark. */
    GT_MMU_BACKGROUND = 1 << 1,
    /** Goroutines that have to help with marking. */
    GT_MMU_ASSIST = 1 << 2,
    /** Sweeping. */
    GT_MMU_SWEEP = 1 << 3,
    /**
     * Look at each proc by itself, where all else shares out the utilisation among
     * all procs. Workers that have a proc to themselves then do not count: they
     * hold up nobody who runs there.
     */
    GT_MMU_PER_PROC = 1 << 4,
    /**
     * Count a background worker once, and only while it runs under a label that says so.
     * Without this all is as Go 1.27 reckons it: a worker counts again each time that it is
     * labelled, as it is whenever it starts, but ceases to count only once, so that its proc
     * seems to be the collector's for the rest of the trace.
     */
    GT_MMU_EXACT = 1 << 5
};

/** The caller owns it; it is copied. @since 0.1.0 */
typedef struct gt_mmu_options {
    /** sizeof(gt_mmu_options), set by the caller. */
    size_t size;
    /** GT_MMU_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** The most bytes to hold at any time, 0 for no limit. */
    uint64_t memory_limit;
    /** Where memory comes from; NULL for malloc. */
    const gt_allocator *allocator;
} gt_mmu_options;

/** Initialiser of gt_mmu_options: stopped worlds, workers and assists. @since 0.1.0 */
#define GT_MMU_OPTIONS_INIT                                                                        \
    { sizeof(gt_mmu_options), GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST, 0, NULL }

/**
 * The utilisation in one trace. Opaque. Holds some bytes for each change of it, and some
 * 70 KB. Looks only at procs below 4096.
 * Thread-safety: one thread at a time; different ones are independent.
 * @since 0.1.0
 */
typedef struct gt_mmu gt_mmu;

/**
 * Sets `*mmu`, or sets it to NULL and returns an error. `options` may be NULL for the
 * defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `mmu` is NULL, or options or allocator has a wrong
 *         size or unknown bits.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for it.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_open(gt_mmu **mmu, const gt_mmu_options *options);

/** Closes `*mmu` and sets it to NULL. NULL and a pointer to NULL are fine. @since 0.1.0 */
GT_API void gt_mmu_close(gt_mmu **mmu);

/**
 * Takes in the next event of the trace. Before the number of procs is known, which
 * is at the very beginning, nothing counts.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, gt_mmu_finish was called, or the
 *         event is earlier than the one before it.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out. So does every later call.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_event(gt_mmu *mmu, const gt_event *event);

/**
 * There are no more events: the trace ends with the last one. What follows can be
 * asked from now on, and returns GT_ERR_INVALID_ARGUMENT before.
 * Errors as gt_mmu_event.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_finish(gt_mmu *mmu);

/**
 * Sets `*start` and `*end` to from when to when the utilisation is known; both 0 where it
 * never is.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT with GT_MMU_PER_PROC, whose functions are put
 *         together when they are asked for. Another call may fare better.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_range(gt_mmu *mmu, int64_t *start, int64_t *end);

/** From when on the utilisation is how much. Its layout is fixed for ever. @since 0.1.0 */
typedef struct gt_utilization {
    /** When it begins. */
    int64_t time;
    /** How much it is, from 0 to 1. */
    double value;
} gt_utilization;

/**
 * The function number `series`: there is one, or with GT_MMU_PER_PROC one for each
 * time that a proc was there, in no order; procs that were there at the same time and
 * never did anything for the collector have one together. Sets `*points`, which are good
 * until the next call, and `*count`, their number. The last one is the end. As in Go that is
 * when the function became 0 where it is 0 when the trace ends.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval GT_ERR_NOT_AVAILABLE there is no such function.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT as gt_mmu_range.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_series(gt_mmu *mmu, size_t series, const gt_utilization **points,
                               size_t *count);

/**
 * Sets `*minimum` to the least utilisation of all windows of `window` nanoseconds. Those that
 * are longer than the trace are as long as that. It is 1 where nothing is known, 0 where
 * `window` is not above 0. Takes time in proportion to the number of changes of all functions:
 * with GT_MMU_PER_PROC a stopped world is one for each proc.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT as gt_mmu_range.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_minimum(gt_mmu *mmu, int64_t window, double *minimum);

/**
 * Quantiles of the utilisation of all windows of that length: for each of `count`
 * numbers `quantiles[i]` from 0 to 1, in rising order, `values[i]` becomes the least value
 * that such a part of the windows does not exceed. With GT_MMU_PER_PROC the windows are those
 * of all functions. Takes four times as long as gt_mmu_minimum for each
 * quantile.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or the quantiles are not as said.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for it: some 25 KB, and as
 *         gt_mmu_range.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_quantiles(gt_mmu *mmu, int64_t window, const double *quantiles,
                                  size_t count, double *values);

/**
 * The worst windows of that length: the one with the least utilisation, the first of equal
 * ones; then the worst one of those that do not overlap it, of whichever function; and so on,
 * up to `*count`, which becomes how many there are. `windows[i].time` is when one begins.
 * Where `window` is not above 0 there is none. Takes as long as gt_mmu_minimum for each of them.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for it: 24 bytes for each
 *         window, and as gt_mmu_range. `*count` is 0 then.
 * @since 0.1.0
 */
GT_API gt_status gt_mmu_worst(gt_mmu *mmu, int64_t window, gt_utilization *windows,
                              size_t *count);

#ifdef __cplusplus
}
#endif

#endif
