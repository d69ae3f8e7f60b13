/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_LATENCY_H
#define GOTRACE_LATENCY_H

/**
 * @file
 * How long goroutines wait, as distributions, and for whom.
 *
 * A gt_latency is fed the events of a trace, one after the other. When they are over it
 * holds a series of durations for each kind of wait, in all and by what the goroutine
 * was doing, and counts who unblocked whom.
 *
 * A series is a histogram with buckets no wider than 1/32 of where they begin; below
 * 64 ns each value has its own. What it says of durations is at most 1/64 off.
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

/** What is measured: all of which the trace has begin and end. More may come. @since 0.1.0 */
typedef enum gt_latency_kind {
    /** From when a goroutine becomes runnable until it is so no longer: it runs. */
    GT_LATENCY_SCHED = 1,
    /** From when a goroutine begins to wait until it waits no longer. */
    GT_LATENCY_BLOCK = 2,
    /** From when a task begins until it ends. */
    GT_LATENCY_TASK = 3,
    /** From when a region begins until it ends. */
    GT_LATENCY_REGION = 4
} gt_latency_kind;

/** What the durations of a kind are told apart by. More may come. @since 0.1.0 */
typedef enum gt_latency_group {
    /** Nothing: one series for all, whose name is empty. */
    GT_LATENCY_ALL = 0,
    /** The function that the goroutine starts with; empty until it is known. */
    GT_LATENCY_BY_GOROUTINE = 1,
    /**
     * Why it waits. Of GT_LATENCY_SCHED: what it waited for before, else why it
     * stopped running, "created" or "syscall".
     */
    GT_LATENCY_BY_REASON = 2,
    /** The name of the task of the innermost region that the goroutine is in when it stops. */
    GT_LATENCY_BY_TASK = 3,
    /** The type of that region. */
    GT_LATENCY_BY_REGION = 4
} gt_latency_group;

/**
 * The name of a `kind`: "sched", "block", "task" or "region"; "bad" for none. Static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_latency_kind_name(uint32_t kind);
/**
 * The name of a `group`: "all", "goroutine", "reason", "task" or "region"; "bad" for none.
 * Static. Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_latency_group_name(uint32_t group);

/** The name of a series for what went beyond gt_latency_options.series. @since 0.1.0 */
#define GT_LATENCY_OTHER "(other)"

/** How to measure. The caller owns it; it is copied. @since 0.1.0 */
typedef struct gt_latency_options {
    /** sizeof(gt_latency_options), set by the caller. */
    size_t size;
    /** 0. */
    uint64_t flags;
    /** The most series of one kind and group, besides one for the rest. */
    uint64_t series;
    /** The most pairs of stacks for who unblocks whom; 0 to count none. */
    uint64_t pairs;
    /** The most bytes to hold at any time, 0 for no limit. */
    uint64_t memory_limit;
    /** Where memory comes from; NULL for malloc. */
    const gt_allocator *allocator;
} gt_latency_options;

/** Initialiser of gt_latency_options: up to 1000 series each, and 100,000 pairs. @since 0.1.0 */
#define GT_LATENCY_OPTIONS_INIT                                                                    \
    { sizeof(gt_latency_options), 0, 1000, 100000, 0, NULL }

/**
 * Measures the events of one trace. Opaque.
 *
 * What it holds grows with the goroutines, open regions and tasks at a time, with the
 * stacks that differ, and with the series: at most 16 KiB each.
 *
 * Thread-safety: one thread at a time; different ones are independent. The allocator
 * must not use the one that calls it: such a call returns GT_ERR_INVALID_ARGUMENT, and
 * gt_latency_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_latency gt_latency;

/**
 * Sets `*latency`, or sets it to NULL and returns an error. `options` may be NULL for
 * the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `latency` is NULL, or options or allocator has a wrong
 *         size or unknown bits.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for it.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_open(gt_latency **latency, const gt_latency_options *options);

/**
 * Measures `event`, the next one of the trace, which `reader` has just delivered. With
 * `reader` NULL goroutines have no names and pairs no stacks.
 * @retval GT_ERR_INVALID_ARGUMENT `latency` or `event` is NULL, `event` is not of
 *         `reader`, or it is finished.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out, its own or, for frames, that of
 *         the reader. So does every later call.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_event(gt_latency *latency, struct gt_reader *reader,
                                  const gt_event *event);

/**
 * Puts series and pairs in order; events cannot follow. Called again it does nothing.
 * @retval GT_ERR_INVALID_ARGUMENT `latency` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out before.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_finish(gt_latency *latency);

/** A series. @since 0.1.0 */
typedef struct gt_latency_series {
    /** sizeof(gt_latency_series), set by the caller. */
    size_t size;
    /** A gt_latency_kind. */
    uint32_t kind;
    /** A gt_latency_group. */
    uint32_t group;
    /** Which of the group. Good until the gt_latency is closed. */
    gt_string name;
    /** How many durations, exactly. */
    uint64_t count;
    /** Their sum, exactly. */
    int64_t sum;
    /** The shortest, exactly. */
    int64_t minimum;
    /** The longest, exactly. */
    int64_t maximum;
} gt_latency_series;

/** Initialiser of gt_latency_series. @since 0.1.0 */
#define GT_LATENCY_SERIES_INIT                                                                     \
    { sizeof(gt_latency_series), 0, 0, { NULL, 0 }, 0, 0, 0, 0 }

/** How many series there are, once it is finished; 0 before, and for NULL. @since 0.1.0 */
GT_API size_t gt_latency_series_count(const gt_latency *latency);

/**
 * Fills `*series` with the one number `index`, from 0: by kind, group, and the bytes of
 * names.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or series->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such series.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_get_series(const gt_latency *latency, size_t index,
                                       gt_latency_series *series);

/**
 * Writes to `*duration` the least that is not exceeded by this part of the durations of
 * the series number `index`: 0.5 for the median, 1 for the maximum.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or `part` is not from 0 to 1.
 * @retval GT_ERR_NOT_AVAILABLE there is no such series.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_quantile(const gt_latency *latency, size_t index, double part,
                                     int64_t *duration);

/** A part of a histogram: from `from` up to below `to`. @since 0.1.0 */
typedef struct gt_latency_bucket {
    /** sizeof(gt_latency_bucket), set by the caller. */
    size_t size;
    /** The least duration that is in it. */
    int64_t from;
    /** The least that is not. */
    int64_t to;
    /** How many are in it. */
    uint64_t count;
} gt_latency_bucket;

/** Initialiser of gt_latency_bucket. @since 0.1.0 */
#define GT_LATENCY_BUCKET_INIT                                                                     \
    { sizeof(gt_latency_bucket), 0, 0, 0 }

/**
 * Goes through the buckets of the series number `index` that are not empty: fills `*bucket`
 * with the first that begins at bucket->to or later. Start with one that is initialised.
 * @retval GT_END there are no more.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or bucket->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such series.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_next_bucket(const gt_latency *latency, size_t index,
                                        gt_latency_bucket *bucket);

/** Who unblocked whom, by stacks. @since 0.1.0 */
typedef struct gt_latency_pair {
    /** sizeof(gt_latency_pair), set by the caller. */
    size_t size;
    /** How many waits. */
    uint64_t count;
    /** How long they were together. */
    int64_t time;
} gt_latency_pair;

/** Initialiser of gt_latency_pair. @since 0.1.0 */
#define GT_LATENCY_PAIR_INIT                                                                       \
    { sizeof(gt_latency_pair), 0, 0 }

/** How many pairs there are, once it is finished; 0 before, and for NULL. @since 0.1.0 */
GT_API size_t gt_latency_pair_count(const gt_latency *latency);

/**
 * Fills `*pair` with the one number `index`, from 0: those with the most waits come
 * first, of these those that took longer.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or pair->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such pair.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_get_pair(const gt_latency *latency, size_t index,
                                     gt_latency_pair *pair);

/** The two of a pair. @since 0.1.0 */
typedef enum gt_latency_side {
    /** Who waited: the stack with which it began to. */
    GT_LATENCY_WAITER = 0,
    /** Who ended that, with its own stack; none where it was the network or a timer, say. */
    GT_LATENCY_UNBLOCKER = 1
} gt_latency_side;

/**
 * Writes the frames of one of the stacks of the pair number `index` to `frames`, the leaf
 * first, at most `capacity` of them, and how many there are to `*count`: at most
 * GT_STACK_MAX_FRAMES. `side` is a gt_latency_side. Their strings are good until the
 * gt_latency is closed.
 * @retval GT_ERR_INVALID_ARGUMENT `latency` or `count` is NULL, `frames` is NULL while
 *         `capacity` is not 0, or `side` is none.
 * @retval GT_ERR_NOT_AVAILABLE there is no such pair.
 * @since 0.1.0
 */
GT_API gt_status gt_latency_pair_frames(const gt_latency *latency, size_t index, uint32_t side,
                                        gt_frame *frames, size_t capacity, size_t *count);

/** What was taken in. @since 0.1.0 */
typedef struct gt_latency_info {
    /** sizeof(gt_latency_info), set by the caller. */
    size_t size;
    /** Events that it was given. */
    uint64_t events;
    /** Waits that are in no pair, as there were too many pairs. */
    uint64_t unpaired;
    /** Bytes of memory that are held now. */
    uint64_t memory;
    /** The most it ever held. */
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

/** Closes `*latency` and sets it to NULL. NULL and a pointer to NULL are fine. @since 0.1.0 */
GT_API void gt_latency_close(gt_latency **latency);

#ifdef __cplusplus
}
#endif

#endif
