/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_LATENCY_H
#define GOTRACE_LATENCY_H

/**
 * @file
 * Latency distributions: how long goroutines wait, and which goroutines end their waits.
 *
 * A gt_latency takes the events of a trace, one after the other. After the last event, and at any
 * moment before (see gt_latency_snapshot), it holds a series of durations for each kind of wait,
 * in total and grouped by what the goroutine was doing, and counts the pairs of stacks of waits
 * and of their ends.
 *
 * A series is a histogram. A bucket is at most 1/32 of its lower bound wide; below 64 ns each
 * value has its own bucket. The durations that are computed from it are therefore off by at
 * most 1/64.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/event.h>
#include <gotrace/stack.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gt_reader;

/**
 * What is measured. Only intervals whose begin and end are both in the trace count. More kinds
 * may be added.
 * @since 0.1.0
 */
typedef uint32_t gt_latency_kind;

/** Values of gt_latency_kind. @since 0.1.0 */
enum {
    /**
     * From when a goroutine becomes runnable until it is no longer runnable, which usually
     * means that it runs. A coroutine that another one switches to runs at once, and has no such
     * time.
     */
    GT_LATENCY_SCHED = 1,
    /** From when a goroutine starts waiting until it no longer waits. */
    GT_LATENCY_BLOCK = 2,
    /** From the begin of a task to its end. */
    GT_LATENCY_TASK = 3,
    /** From the begin of a region to its end. */
    GT_LATENCY_REGION = 4
};

/** The criteria by which durations of a kind are grouped. More may be added. @since 0.1.0 */
typedef uint32_t gt_latency_group;

/** Values of gt_latency_group. @since 0.1.0 */
enum {
    /** One series with an empty name for all durations. */
    GT_LATENCY_ALL = 0,
    /** The function that the goroutine starts with; empty until it is known. */
    GT_LATENCY_BY_GOROUTINE = 1,
    /**
     * The reason for the wait; "coroutine" until another coroutine switches to this one; empty if
     * the trace does not tell it. For GT_LATENCY_SCHED: the reason for which the goroutine waited
     * before, or else why it stopped running: "created" or "syscall".
     */
    GT_LATENCY_BY_REASON = 2,
    /** The name of the task of the innermost region that the goroutine is in when it stops. */
    GT_LATENCY_BY_TASK = 3,
    /** The type of that region. */
    GT_LATENCY_BY_REGION = 4
};

/**
 * Returns the name of a `kind`: "sched", "block", "task" or "region", or "bad" for an unknown
 * value. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_latency_kind_name(uint32_t kind);
/**
 * Returns the name of a `group`: "all", "goroutine", "reason", "task" or "region", or "bad" for
 * an unknown value. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_latency_group_name(uint32_t group);

/** The name of the series that collects durations beyond gt_latency_options.series. @since 0.1.0 */
#define GT_LATENCY_OTHER "(other)"

/**
 * A bit of gt_latency_options.flags. Keep pairs of stacks apart by the reason of the wait, each
 * with a histogram and its longest wait: the members of gt_latency_pair after `time`,
 * gt_latency_pair_quantile and gt_latency_next_pair_bucket. A pair then takes at most 16 KiB more.
 * @since 0.1.0
 */
#define GT_LATENCY_PAIR_WAITS (UINT64_C(1) << 0)

/**
 * Options for measuring latencies. The structure belongs to the caller and is copied.
 * @since 0.1.0
 */
typedef struct gt_latency_options {
    /** sizeof(gt_latency_options), set by the caller. */
    size_t size;
    /** GT_LATENCY_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** The largest number of series of one kind and group, not counting the one for the rest. */
    uint64_t series;
    /**
     * The largest number of pairs of stacks that are counted for who unblocks whom; 0 to count
     * none.
     */
    uint64_t pairs;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
} gt_latency_options;

/** Initialiser of gt_latency_options: up to 1000 series each, and 100,000 pairs. @since 0.1.0 */
#define GT_LATENCY_OPTIONS_INIT                                                                    \
    { sizeof(gt_latency_options), 0, 1000, 100000, 0, NULL }

/**
 * Measures the latencies of one trace. Opaque.
 *
 * Its memory grows with the number of goroutines, open regions and open tasks at one time, with
 * the number of distinct stacks, and with the number of series, which take at most 16 KiB each.
 *
 * Thread-safety: an object may be used by one thread at a time; different objects are
 * independent. The allocator must not use the object that calls it: such a call returns
 * GT_ERR_INVALID_ARGUMENT, and gt_latency_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_latency gt_latency;

/**
 * Opens a gt_latency and sets `*latency` to it. On failure it sets `*latency` to NULL, returns an
 * error, and stores the details in `*error` unless `error` is NULL. `options` may be NULL for the
 * defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `latency` is NULL, or options, allocator or error has a wrong
 *         size or unknown bits. The message of `*error` names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_latency_open(gt_latency **latency,
                                              const gt_latency_options *options, gt_error *error)
    GT_NONNULL((1));

/**
 * Takes `event`, the next event of the trace, which `reader` has just delivered. `reader` is NULL
 * for a copy or an event that was made, see gotrace/make.h; if it is NULL for another event,
 * goroutines have no names and pairs have no stacks.
 * @retval GT_ERR_INVALID_ARGUMENT `latency` or `event` is NULL, `event` is not the event that
 *         `reader` has delivered last, or gt_latency_finish was called.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT the object or, for frames, the reader ran out of
 *         memory. Every later call fails likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_event(gt_latency *latency, struct gt_reader *reader,
                                  const gt_event *event) GT_NONNULL((1));

/**
 * Sorts the series and pairs; no events can follow. Further calls have no effect.
 * @retval GT_ERR_INVALID_ARGUMENT `latency` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out before.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_finish(gt_latency *latency) GT_NONNULL((1));

/**
 * Makes the results visible as they are after the events taken so far, until the next event is
 * taken: the functions below then return what they would return if the trace had ended here.
 * Waits, tasks and regions that have not ended do not count yet, as at the end of a trace. More
 * events can follow: a snapshot does not change later results. Has no effect after
 * gt_latency_finish. Sorts the series and pairs, which takes no memory.
 * @retval GT_ERR_INVALID_ARGUMENT `latency` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out before.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_snapshot(gt_latency *latency);

/** A series of durations, in nanoseconds. @since 0.1.0 */
typedef struct gt_latency_series {
    /** sizeof(gt_latency_series), set by the caller. */
    size_t size;
    /** A gt_latency_kind. */
    uint32_t kind;
    /** A gt_latency_group. */
    uint32_t group;
    /** The name of the series in its group. It is valid until the gt_latency is closed. */
    gt_string name;
    /** The exact number of durations. */
    uint64_t count;
    /** Their exact sum, or INT64_MAX if it is larger. */
    int64_t sum;
    /** The exact minimum. */
    int64_t minimum;
    /** The exact maximum. */
    int64_t maximum;
} gt_latency_series;

/** Initialiser of gt_latency_series. @since 0.1.0 */
#define GT_LATENCY_SERIES_INIT                                                                     \
    { sizeof(gt_latency_series), 0, 0, { NULL, 0 }, 0, 0, 0, 0 }

/**
 * Returns the number of series; 0 for NULL, and if the last call was neither gt_latency_snapshot
 * nor gt_latency_finish but took an event.
 * @since 0.1.0
 */
GT_API size_t gt_latency_series_count(const gt_latency *latency);

/**
 * Fills `*series` with series number `index`, from 0. Series are sorted by kind, group, and the
 * bytes of their names.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or series->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such series.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_get_series(const gt_latency *latency, size_t index,
                                       gt_latency_series *series);

/**
 * Sets `*duration` to a quantile of series number `index`: the least duration that the fraction
 * `part` of its durations does not exceed, for example 0.5 for the median or 1 for the maximum.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or `part` is not from 0 to 1.
 * @retval GT_ERR_NOT_AVAILABLE there is no such series.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_quantile(const gt_latency *latency, size_t index, double part,
                                     int64_t *duration);

/**
 * A bucket of a histogram. It contains durations from `from` up to, but not including, `to`.
 * @since 0.1.0
 */
typedef struct gt_latency_bucket {
    /** sizeof(gt_latency_bucket), set by the caller. */
    size_t size;
    /** The lower bound, included. */
    int64_t from;
    /** The upper bound, excluded. */
    int64_t to;
    /** The number of durations in the bucket. */
    uint64_t count;
} gt_latency_bucket;

/** Initialiser of gt_latency_bucket. @since 0.1.0 */
#define GT_LATENCY_BUCKET_INIT                                                                     \
    { sizeof(gt_latency_bucket), 0, 0, 0 }

/**
 * Iterates over the non-empty buckets of series number `index`: fills `*bucket` with the first
 * one that begins at bucket->to or later. Start with an initialised bucket.
 * @retval GT_END there are no more buckets.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or bucket->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such series.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_next_bucket(const gt_latency *latency, size_t index,
                                        gt_latency_bucket *bucket);

/** A pair of stacks: that of waits, and that with which the waits were ended. @since 0.1.0 */
typedef struct gt_latency_pair {
    /** sizeof(gt_latency_pair), set by the caller. */
    size_t size;
    /** The number of waits. */
    uint64_t count;
    /** The sum of their durations, in nanoseconds, or INT64_MAX if it is larger. */
    int64_t time;
    /**
     * The duration of the longest of them, in nanoseconds. This and the following members are 0
     * or empty without GT_LATENCY_PAIR_WAITS. Of equally long waits the first one is kept.
     */
    int64_t maximum;
    /** The time at which the longest wait began, as gt_event.time is. */
    int64_t begin;
    /** The goroutine that waited longest. */
    int64_t goroutine;
    /** The goroutine that ended the longest wait, or GT_NO_GOROUTINE. */
    int64_t unblocker;
    /** The reason of the waits. It is valid until the gt_latency is closed. */
    gt_string reason;
} gt_latency_pair;

/** Initialiser of gt_latency_pair. @since 0.1.0 */
#define GT_LATENCY_PAIR_INIT                                                                       \
    { sizeof(gt_latency_pair), 0, 0, 0, 0, 0, 0, { NULL, 0 } }

/** Returns the number of pairs, or 0 on the errors of gt_latency_series_count. @since 0.1.0 */
GT_API size_t gt_latency_pair_count(const gt_latency *latency);

/**
 * Fills `*pair` with pair number `index`, from 0. Pairs are sorted by falling number of waits,
 * and then by falling duration.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or pair->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such pair.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_get_pair(const gt_latency *latency, size_t index,
                                     gt_latency_pair *pair);

/**
 * Sets `*duration` to a quantile of the waits of pair number `index`, as gt_latency_quantile does
 * for a series.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or `part` is not from 0 to 1.
 * @retval GT_ERR_NOT_AVAILABLE there is no such pair, or the options are without
 *         GT_LATENCY_PAIR_WAITS.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_pair_quantile(const gt_latency *latency, size_t index, double part,
                                          int64_t *duration);

/**
 * Iterates over the non-empty buckets of pair number `index`, as gt_latency_next_bucket does for a
 * series.
 * @retval GT_END there are no more buckets.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or bucket->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such pair, or the options are without
 *         GT_LATENCY_PAIR_WAITS.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_next_pair_bucket(const gt_latency *latency, size_t index,
                                             gt_latency_bucket *bucket);

/** The two sides of a pair. @since 0.1.0 */
typedef uint32_t gt_latency_side;

/** Values of gt_latency_side. @since 0.1.0 */
enum {
    /** The goroutine that waited: the stack with which its wait began. */
    GT_LATENCY_WAITER = 0,
    /**
     * The goroutine that ended the wait: its stack. There is none if, for example, the network
     * or a timer ended it.
     */
    GT_LATENCY_UNBLOCKER = 1
};

/**
 * Copies the frames of one stack of pair number `index` to `frames`, leaf first, at most
 * `capacity` of them, and sets `*count` to the number of frames in the stack, which is at most
 * GT_STACK_MAX_FRAMES. `side` is a gt_latency_side. The strings in the frames are valid until
 * the gt_latency is closed.
 * @retval GT_ERR_INVALID_ARGUMENT `latency` or `count` is NULL, `frames` is NULL although
 *         `capacity` is not 0, or `side` is not a gt_latency_side.
 * @retval GT_ERR_NOT_AVAILABLE there is no such pair.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_pair_frames(const gt_latency *latency, size_t index, uint32_t side,
                                        gt_frame *frames, size_t capacity, size_t *count);

/** Information about the measurement. @since 0.1.0 */
typedef struct gt_latency_info {
    /** sizeof(gt_latency_info), set by the caller. */
    size_t size;
    /** The number of events taken. */
    uint64_t events;
    /** The number of waits that are in no pair, because there were too many pairs. */
    uint64_t unpaired;
    /** The number of bytes of memory held now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
} gt_latency_info;

/** Initialiser of gt_latency_info. @since 0.1.0 */
#define GT_LATENCY_INFO_INIT                                                                       \
    { sizeof(gt_latency_info), 0, 0, 0, 0 }

/**
 * Fills `*info`.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_get_info(const gt_latency *latency, gt_latency_info *info);

/**
 * Closes `*latency` and sets it to NULL. Does nothing if `latency` or `*latency` is NULL.
 * @since 0.1.0
 */
GT_API void gt_latency_close(gt_latency **latency);

#ifdef __cplusplus
}
#endif

#endif
