/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_COMPARE_H
#define GOTRACE_COMPARE_H

/**
 * @file
 * Comparison of traces: what differs between two versions of a program, and by how much.
 *
 * A gt_compare takes the events of one or more traces before a change and of one or more after it.
 * Goroutines match by their start function, tasks and regions by their type. Every figure is per
 * second of trace, per goroutine, task or region, or a quantile, so that traces may differ in
 * length.
 *
 * Each trace is divided into 16 to 32 equal pieces, whose length is a power of two of seconds, such
 * as 4 s, 1 s or 1/8 s. The noise of a figure is that of the jackknife: by how much the figure
 * changes if one piece is left out, if four successive pieces are, and if a whole trace is; the
 * largest of these counts. At least 2 % of the figure is taken as noise, or 1 % if there are three
 * traces or more on the side, because equal programs differ by as much from run to run. From this
 * come a 95 % interval of each difference by Student's t distribution, and whether it is told: only
 * if with equal programs the probability that chance tells anything at all is at most 1/1000,
 * divided by the number of differences that were tested. With GT_COMPARE_STACKS, half of that is
 * for stacks, which are counted apart.
 *
 * What a task spends its time on is what the goroutine does on which it begins, if it also ends
 * there, and what other goroutines do in its regions.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>
#include <gotrace/latency.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gt_reader;

/** What a figure is about. More may be added. @since 0.1.0 */
typedef uint32_t gt_compare_subject;

/** Values of gt_compare_subject. @since 0.1.0 */
enum {
    /** The whole trace. */
    GT_COMPARE_TRACE = 1,
    /** All goroutines that start with a function. */
    GT_COMPARE_GOROUTINES = 2,
    /** All tasks of a type. */
    GT_COMPARE_TASK = 3,
    /** All regions of a type. */
    GT_COMPARE_REGION = 4,
    /**
     * All goroutines at a stack, which gt_compare_difference.name has as the names of its
     * functions, from the root to the leaf, with semicolons in between. Without lines and files
     * they match across builds. Of a name of more than 4000 bytes, the functions nearest to the
     * root are left out.
     */
    GT_COMPARE_STACK = 5
};

/** What is measured. Times are in nanoseconds. More may be added. @since 0.1.0 */
typedef uint32_t gt_compare_measure;

/** Values of gt_compare_measure. @since 0.1.0 */
enum {
    /** From begin to end, both in the trace: of tasks, regions, and lives of goroutines. */
    GT_COMPARE_DURATION = 1,
    /** Time in which goroutines run. */
    GT_COMPARE_RUNNING = 2,
    /** Time in which goroutines are runnable but do not run. */
    GT_COMPARE_SCHEDULER = 3,
    /** Time in which goroutines wait. gt_compare_difference.detail is the reason. */
    GT_COMPARE_BLOCKED = 4,
    /** Time in system calls. */
    GT_COMPARE_SYSCALL = 5,
    /** Time in which goroutines help the garbage collector. */
    GT_COMPARE_ASSIST = 6,
    /** Cycles of the garbage collector: their time of marking. */
    GT_COMPARE_GC = 7,
    /** Stops of the world. gt_compare_difference.detail is the cause. */
    GT_COMPARE_STOP = 8,
    /** Bytes by which the live heap grew between reports of its size. */
    GT_COMPARE_ALLOCATED = 9
};

/** How a measure becomes a figure. More may be added. @since 0.1.0 */
typedef uint32_t gt_compare_statistic;

/** Values of gt_compare_statistic. @since 0.1.0 */
enum {
    /** The sum, per second of trace. */
    GT_COMPARE_PER_SECOND = 1,
    /** How many there were, per second of trace. */
    GT_COMPARE_RATE = 2,
    /**
     * The mean of one task, region, or goroutine whose whole life is in the trace. Of a measure
     * other than GT_COMPARE_DURATION it is the time that one spends so.
     */
    GT_COMPARE_MEAN = 3,
    /** The median. Quantiles are off by at most 1/64. */
    GT_COMPARE_P50 = 4,
    /** What 90 % do not exceed. */
    GT_COMPARE_P90 = 5,
    /** What 99 % do not exceed. */
    GT_COMPARE_P99 = 6
};

/** What a difference means. More may be added. @since 0.1.0 */
typedef uint32_t gt_compare_verdict;

/** Values of gt_compare_verdict. @since 0.1.0 */
enum {
    /** It is not told: it may be noise, is less than 5 %, or is too small to matter. */
    GT_COMPARE_NOISE = 0,
    /** More time or memory is needed than before. */
    GT_COMPARE_WORSE = 1,
    /** Less is needed. */
    GT_COMPARE_BETTER = 2,
    /** It differs, which is neither good nor bad: how often something is done, and idle waits. */
    GT_COMPARE_CHANGED = 3,
    /** It is only in the traces after the change. */
    GT_COMPARE_ADDED = 4,
    /** It is only in the traces before the change. */
    GT_COMPARE_REMOVED = 5
};

/**
 * Returns the name of a `subject`: "trace", "goroutine", "task", "region" or "stack", or
 * "bad" for an unknown value. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_compare_subject_name(uint32_t subject);

/**
 * Returns the name of a `measure`: "duration", "running", "scheduler", "blocked", "syscall",
 * "assist", "gc", "stop" or "allocated", or "bad" for an unknown value. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_compare_measure_name(uint32_t measure);

/**
 * Returns the name of a `statistic`: "per-second", "rate", "mean", "p50", "p90" or "p99", or "bad"
 * for an unknown value. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_compare_statistic_name(uint32_t statistic);

/**
 * Returns the name of a `verdict`: "noise", "worse", "better", "changed", "added" or "removed", or
 * "bad" for an unknown value. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_compare_verdict_name(uint32_t verdict);

/**
 * A bit of gt_compare_options.flags. Also compare by stack: running time counts for the stack at
 * which it ended, and other states for the one at which the goroutine stopped. Stacks have at most
 * half of the series.
 * @since 0.1.0
 */
#define GT_COMPARE_STACKS (UINT64_C(1) << 0)

/**
 * Options for a comparison. The structure belongs to the caller and is copied.
 * @since 0.1.0
 */
typedef struct gt_compare_options {
    /** sizeof(gt_compare_options), set by the caller. */
    size_t size;
    /** GT_COMPARE_STACKS, or 0. */
    uint64_t flags;
    /** The largest number of series, each of which is one measure of one subject. */
    uint64_t series;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
} gt_compare_options;

/** Initialiser of gt_compare_options: up to 10,000 series. @since 0.1.0 */
#define GT_COMPARE_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(gt_compare_options), 0, 10000, 0, NULL                                              \
    }

/**
 * Compares traces. Opaque.
 *
 * Its memory grows with the number of goroutines, open regions and open tasks at one time, with the
 * distinct stacks and names and, up to the limit of the options, with the series: for each of them
 * and each trace at most 32 pieces, which take 16 bytes and, of durations, 16 for each bucket of a
 * histogram in which a piece has one.
 *
 * Thread-safety: an object may be used by one thread at a time; different objects are
 * independent. The allocator must not use the object that calls it: such a call returns
 * GT_ERR_INVALID_ARGUMENT, and gt_compare_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_compare gt_compare;

/**
 * Opens a gt_compare and sets `*compare` to it. On failure it sets `*compare` to NULL, returns an
 * error, and stores the details in `*error` unless `error` is NULL. `options` may be NULL for the
 * defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `compare` is NULL, or options, allocator or error has a wrong
 *         size or unknown bits. The message of `*error` names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_compare_open(gt_compare **compare,
                                              const gt_compare_options *options, gt_error *error)
    GT_NONNULL((1));

/**
 * Begins a trace, whose events follow; the previous trace has ended. `side` is 0 for a trace before
 * the change, and 1 for one after it. Traces may come in any order.
 * @retval GT_ERR_INVALID_ARGUMENT `compare` is NULL, `side` is neither, or gt_compare_finish was
 *         called.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out. Every later call fails likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_compare_begin(gt_compare *compare, uint32_t side);

/**
 * Takes `event`, the next event of the trace, which `reader` has just delivered. `reader` is NULL
 * for a copy or an event that was made, see gotrace/make.h; if it is NULL for another event,
 * goroutines have no names. An event whose time is before that of the previous one counts as
 * simultaneous with it.
 * @retval GT_ERR_INVALID_ARGUMENT `compare` or `event` is NULL, `event` is not the event that
 *         `reader` has delivered last, no trace was begun, or gt_compare_finish was called.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT the object or, for frames, the reader ran out of
 *         memory. Every later call fails likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_compare_event(gt_compare *compare, struct gt_reader *reader,
                                  const gt_event *event) GT_NONNULL((1));

/**
 * Ends the last trace and computes the differences; no events can follow. Further calls have no
 * effect.
 * @retval GT_ERR_INVALID_ARGUMENT `compare` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out, now or before.
 * @since 0.1.0
 */
GT_API gt_status gt_compare_finish(gt_compare *compare) GT_NONNULL((1));

/** A figure before and after the change. @since 0.1.0 */
typedef struct gt_compare_difference {
    /** sizeof(gt_compare_difference), set by the caller. */
    size_t size;
    /** A gt_compare_subject. */
    uint32_t subject;
    /** A gt_compare_measure. */
    uint32_t measure;
    /** A gt_compare_statistic. */
    uint32_t statistic;
    /** A gt_compare_verdict. */
    uint32_t verdict;
    /** The start function of goroutines or the type of tasks or regions; or empty. */
    gt_string name;
    /** The reason or cause, or empty. */
    gt_string detail;
    /** How many intervals, bytes or goroutines the figure before the change is made of. */
    uint64_t before_count;
    /** The same after the change. */
    uint64_t after_count;
    /** The figure before the change: nanoseconds, bytes, or for GT_COMPARE_RATE a number. */
    double before;
    /** The figure after the change. */
    double after;
    /** The lower bound of the 95 % interval of `after` - `before`. */
    double low;
    /** The upper bound of that interval. */
    double high;
    /**
     * 1 if there is an interval; 0 if a side has too few pieces or too few durations for it. Then
     * both bounds are 0.
     */
    uint32_t has_interval;
    /** Always 0. */
    uint32_t reserved;
} gt_compare_difference;

/** Initialiser of gt_compare_difference. @since 0.1.0 */
#define GT_COMPARE_DIFFERENCE_INIT                                                                 \
    {                                                                                              \
        sizeof(gt_compare_difference), 0, 0, 0, 0, {NULL, 0}, {NULL, 0}, 0, 0, 0, 0, 0, 0, 0, 0    \
    }

/** Returns the number of differences; 0 for NULL and before gt_compare_finish. @since 0.1.0 */
GT_API size_t gt_compare_count(const gt_compare *compare);

/**
 * Fills `*difference` with difference number `index`, from 0. First are those that are worse, then
 * better, changed, added, removed, and noise; in each of these first the one whose interval
 * excludes the largest factor. Its texts are valid until the gt_compare is closed.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or difference->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such difference.
 * @since 0.1.0
 */
GT_API gt_status gt_compare_get(const gt_compare *compare, size_t index,
                                gt_compare_difference *difference);

/**
 * Iterates over the distribution to which difference number `index` belongs: fills `*bucket` with
 * the first non-empty bucket that begins at bucket->to or later. Start with an initialised bucket.
 * `side` is 0 before the change and 1 after it. The durations are in nanoseconds. What is counted
 * and the differences of one measure share a distribution; sums of running time, for example,
 * have none.
 * @retval GT_END there are no more buckets.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, bucket->size is wrong, or `side` is neither.
 * @retval GT_ERR_NOT_AVAILABLE there is no such difference.
 * @since 0.1.0
 */
GT_API gt_status gt_compare_next_bucket(const gt_compare *compare, size_t index, uint32_t side,
                                        gt_latency_bucket *bucket);

/** Information about a comparison. @since 0.1.0 */
typedef struct gt_compare_info {
    /** sizeof(gt_compare_info), set by the caller. */
    size_t size;
    /** The number of events taken. */
    uint64_t events;
    /** The number of traces before the change that have events. */
    uint64_t before_traces;
    /** The number of traces after the change that have events. */
    uint64_t after_traces;
    /** The time of the traces before the change, in nanoseconds. */
    int64_t before_time;
    /** The time of the traces after the change, in nanoseconds. */
    int64_t after_time;
    /** The number of pieces into which the traces before the change were divided. */
    uint64_t before_pieces;
    /** The number of pieces into which the traces after the change were divided. */
    uint64_t after_pieces;
    /** The number of differences that were tested. */
    uint64_t tested;
    /** The number of times that were left out because of gt_compare_options.series. */
    uint64_t lost;
    /** The number of bytes of memory held now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
} gt_compare_info;

/** Initialiser of gt_compare_info. @since 0.1.0 */
#define GT_COMPARE_INFO_INIT                                                                       \
    {                                                                                              \
        sizeof(gt_compare_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0                                   \
    }

/**
 * Fills `*info`. The times and the numbers of pieces are known after gt_compare_finish.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_compare_get_info(const gt_compare *compare, gt_compare_info *info);

/**
 * Closes `*compare` and sets it to NULL. Does nothing if `compare` or `*compare` is NULL.
 * @since 0.1.0
 */
GT_API void gt_compare_close(gt_compare **compare);

#ifdef __cplusplus
}
#endif

#endif
