/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_SUMMARY_H
#define GOTRACE_SUMMARY_H

/**
 * @file
 * How goroutines, regions and tasks spent their time.
 *
 * A summary takes the events of a trace, in one pass:
 *
 * @code
 * while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
 *     gt_summary_event(summary, reader, event);
 * gt_summary_finish(summary);
 * goroutines = gt_summary_goroutines(summary, &count);
 * @endcode
 *
 * gt_summary_snapshot gives the same results at any moment before the end.
 *
 * Its results equal those of the summary in Go's own viewer. The structures that describe
 * goroutines, regions and tasks belong to the summary and are read-only. They, their strings
 * and their arrays are valid until the summary is closed, even if the reader is closed before;
 * those of a snapshot are valid until the next event is taken, and with GT_SUMMARY_DROP those
 * that a callback receives are valid only during the callback. Later releases may add members
 * at the end: never copy such a structure, and never take its size. Its first member says how
 * large it is in the library that the program runs with, and so which members exist.
 *
 * All times are nanoseconds, as in gt_event.time. A sum of times that an int64_t cannot hold,
 * which only a damaged or malicious trace has, is INT64_MAX.
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

/** An amount of time with a name. Its layout will never change. @since 0.1.0 */
typedef struct gt_summary_time {
    /** What the time was spent on. */
    gt_string name;
    /** The amount. */
    int64_t time;
} gt_summary_time;

/**
 * The largest number of distinct names of reasons and ranges in a summary. The runtime has
 * about 50. Further names are combined as GT_SUMMARY_OTHER.
 * @since 0.1.0
 */
#define GT_SUMMARY_MAX_NAMES 128

/** The name under which further names are combined. @since 0.1.0 */
#define GT_SUMMARY_OTHER "(other)"

/**
 * How a goroutine spent its time, in total or while a region was open.
 *
 * `execution`, `sched_wait`, `syscall`, `syscall_block`, `block` and `unknown` do not overlap
 * and add up to `total`, with one exception that exists in Go too: a system call that has lost
 * its proc and has not ended when the times are taken counts as `syscall` from its start, and
 * additionally as `sched_wait` from when it lost the proc.
 * @since 0.1.0
 */
typedef struct gt_summary_times {
    /** sizeof(gt_summary_times) of the library. */
    size_t size;
    /** Running. */
    int64_t execution;
    /** Runnable, waiting for a proc. */
    int64_t sched_wait;
    /** In a system call or in C, with its proc. */
    int64_t syscall;
    /** In a system call or in C, after its proc was taken away. */
    int64_t syscall_block;
    /** Waiting: the sum of `blocks`. */
    int64_t block;
    /** The rest of `total`. */
    int64_t unknown;
    /** The whole time. */
    int64_t total;
    /** The waiting time by reason, sorted by the bytes of the names. A reason can be empty. */
    const gt_summary_time *blocks;
    /** The number of reasons. */
    size_t block_count;
    /**
     * The time in ranges, such as "GC mark assist", by their full names, sorted by the bytes of
     * the names. These times overlap with all others. A range of a proc counts for the
     * goroutine that ran there when the range began, if it also runs there when the range ends.
     */
    const gt_summary_time *ranges;
    /** The number of ranges. */
    size_t range_count;
} gt_summary_times;

/**
 * Returns the sum of the times `a` and `b` in nanoseconds, for example of several goroutines: a
 * plain addition could overflow. If an int64_t cannot hold the sum, the result is INT64_MAX or
 * INT64_MIN.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API int64_t gt_summary_time_sum(int64_t a, int64_t b);

/** A region that a goroutine was in. @since 0.1.0 */
typedef struct gt_region_summary {
    /** sizeof(gt_region_summary) of the library. */
    size_t size;
    /** The name given to trace.StartRegion; empty if `inherited` is 1. */
    gt_string type;
    /** The task that the region belongs to, possibly GT_BACKGROUND_TASK. */
    uint64_t task;
    /** The goroutine that was in the region. */
    int64_t goroutine;
    /** 1 if the trace contains the begin of the region, else 0. */
    uint32_t has_begin;
    /** 1 if the trace contains the end of the region, else 0. */
    uint32_t has_end;
    /** The begin of the region, or 0 if it is not known. */
    int64_t begin;
    /**
     * The end of the region, or 0 if it is not known. A region that is open when its goroutine
     * ends, ends with it.
     */
    int64_t end;
    /**
     * 1 if the region stands for the one in which the goroutine was created: it lasts as long
     * as the goroutine and belongs to the same task. Else 0.
     */
    uint32_t inherited;
    /** Always 0. */
    uint32_t reserved;
    /** The outermost frame of the stack with which the region began; all zero if there is none. */
    gt_frame frame;
    /**
     * The times of the goroutine while the region was open; without a begin, all times up to
     * the end of the region.
     */
    const gt_summary_times *times;
} gt_region_summary;

/** A goroutine. @since 0.1.0 */
typedef struct gt_goroutine_summary {
    /** sizeof(gt_goroutine_summary) of the library. */
    size_t size;
    /** The number of the goroutine in the runtime. */
    int64_t id;
    /**
     * The function that the goroutine starts with: the outermost frame of the first of its
     * transitions that has a stack. Empty if none has a stack.
     */
    gt_string name;
    /** The pc of that frame. */
    uint64_t pc;
    /** The time of creation, or that of the Sync before its first event if it existed before. */
    int64_t created;
    /** The time at which it first ran in the trace, or 0 if it never did. */
    int64_t started;
    /** The time at which it ended or blocked for ever, or 0 if it never did. */
    int64_t ended;
    /** How the goroutine spent its time. */
    const gt_summary_times *times;
    /**
     * Its regions that ended or were open when the goroutine or the trace ended, sorted by
     * their begin; regions without a begin come first, in the order in which they ended.
     * Regions that remain open to the end are left out if the goroutine is one of the runtime's
     * own or has no name. NULL with GT_SUMMARY_DROP.
     */
    const gt_region_summary *const *regions;
    /** The number of regions. */
    size_t region_count;
} gt_goroutine_summary;

/** A log message of a task. Its layout will never change. @since 0.1.0 */
typedef struct gt_task_log {
    /** The time at which it was logged. */
    int64_t time;
    /** The goroutine that logged it. */
    int64_t goroutine;
    /** The category; often empty. */
    gt_string category;
    /** The text. */
    gt_string message;
} gt_task_log;

/**
 * A task that began, ended or was mentioned. GT_BACKGROUND_TASK is included if there are
 * regions or logs that belong to no task. Lists are in the order of the events that created
 * their entries; with GT_SUMMARY_DROP the lists are NULL, but their entries are counted.
 * @since 0.1.0
 */
typedef struct gt_task_summary {
    /** sizeof(gt_task_summary) of the library. */
    size_t size;
    /** The id of the task. */
    uint64_t id;
    /** The id of the parent task, or GT_NO_TASK. */
    uint64_t parent;
    /** The name given to trace.NewTask; empty if it is not in the trace. */
    gt_string name;
    /**
     * 1 if the trace contains the begin of the task, else 0. A task with begin and end is
     * complete.
     */
    uint32_t has_begin;
    /** 1 if the trace contains the end of the task, else 0. */
    uint32_t has_end;
    /** The begin of the task, or 0 if it is not known. */
    int64_t begin;
    /** The end of the task, or 0 if it is not known. */
    int64_t end;
    /** The ids of its child tasks. */
    const uint64_t *children;
    /** The number of child tasks. */
    size_t child_count;
    /** Its log messages. */
    const gt_task_log *logs;
    /** The number of log messages. */
    size_t log_count;
    /** The regions that belong to the task, except inherited ones. */
    const gt_region_summary *const *regions;
    /** The number of regions. */
    size_t region_count;
    /** The goroutines on which the task began or ended, or on which its logs and regions were. */
    const int64_t *goroutines;
    /** The number of goroutines. */
    size_t goroutine_count;
} gt_task_summary;

/**
 * A bit of gt_summary_options.flags. Drop goroutines, regions and tasks after they were passed to
 * the callbacks, so that memory depends only on the objects at one time: live goroutines, open
 * regions and tasks, and tasks that were mentioned after their end. The background task then has no
 * goroutines.
 * @since 0.1.0
 */
#define GT_SUMMARY_DROP (UINT64_C(1) << 0)

/**
 * Receives a goroutine when it ends, or at the end of the trace if it still exists.
 * @since 0.1.0
 */
typedef void (*gt_goroutine_summary_fn)(void *user_data, const gt_goroutine_summary *goroutine);
/** Receives a region when it ends, or at the end of the trace if it is still open. @since 0.1.0 */
typedef void (*gt_region_summary_fn)(void *user_data, const gt_region_summary *region);
/** Receives a task when it ends, or at the end of the trace if it still exists. @since 0.1.0 */
typedef void (*gt_task_summary_fn)(void *user_data, const gt_task_summary *task);

/** Options for a summary. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_summary_options {
    /** sizeof(gt_summary_options), set by the caller. */
    size_t size;
    /** GT_SUMMARY_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
    /** Receives goroutines; may be NULL. */
    gt_goroutine_summary_fn on_goroutine;
    /** Receives regions; may be NULL. */
    gt_region_summary_fn on_region;
    /** Receives tasks; may be NULL. */
    gt_task_summary_fn on_task;
    /** Passed unchanged to all three callbacks. */
    void *user_data;
} gt_summary_options;

/** Initialiser of gt_summary_options: everything is kept. @since 0.1.0 */
#define GT_SUMMARY_OPTIONS_INIT                                                                    \
    { sizeof(gt_summary_options), 0, 0, NULL, NULL, NULL, NULL, NULL }

/**
 * Sums up the events of one trace. Opaque.
 *
 * Thread-safety: a summary may be used by one thread at a time; different summaries are
 * independent. The callbacks and the allocator must not call gt_summary_event,
 * gt_summary_snapshot or gt_summary_finish for the summary that called them; such a call returns
 * GT_ERR_INVALID_ARGUMENT. Nor must they call gt_summary_close, which then does nothing.
 * @since 0.1.0
 */
typedef struct gt_summary gt_summary;

/**
 * Opens a summary and sets `*summary` to it. On failure it sets `*summary` to NULL, returns an
 * error, and stores the details in `*error` unless `error` is NULL. `options` may be NULL for the
 * defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `summary` is NULL, or options, allocator or error has a wrong
 *         size or unknown bits. The message of `*error` names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the summary.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_summary_open(gt_summary **summary,
                                              const gt_summary_options *options, gt_error *error)
    GT_NONNULL((1));

/**
 * Takes `event`, the next event of the trace, which `reader` has just delivered. All kinds of
 * events must be passed, including those that do not affect times. The first one should be the
 * first event of the trace: a goroutine that was not seen before is assumed to have been in its
 * old state since then. `reader` is NULL for a copy or an event that was
 * made, see gotrace/make.h; if it is NULL for another event, names that come from stacks are empty.
 * @retval GT_ERR_INVALID_ARGUMENT `summary` or `event` is NULL, `event` is not the event that
 *         `reader` has delivered last, or the summary is finished.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT the summary or, for frames, the reader ran out of
 *         memory. Every later call fails likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_summary_event(gt_summary *summary, struct gt_reader *reader,
                                  const gt_event *event) GT_NONNULL((1));

/**
 * Finishes the summary at the last event that it was given. It takes the times of the
 * goroutines and regions that still exist, and passes each goroutine to the callbacks, its
 * regions first, and then the tasks, sorted by id. Further calls have no effect.
 * @retval GT_ERR_INVALID_ARGUMENT `summary` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out, in this call or before.
 * @since 0.1.0
 */
GT_API gt_status gt_summary_finish(gt_summary *summary) GT_NONNULL((1));

/**
 * Makes the results of the events taken so far, which are there until the next event is taken:
 * the functions below then return what they would return if the trace had ended here and
 * gt_summary_finish had been called. What has not ended counts up to the last event: states,
 * ranges and regions. No callback is called. With GT_SUMMARY_DROP the lists contain those
 * goroutines and tasks that gt_summary_finish would pass to the callbacks. More events can
 * follow: a snapshot does not change later results. Has no effect after gt_summary_finish.
 *
 * Takes memory for each goroutine and each region that has not ended, and a pointer for all
 * others. It is used again for the next snapshot.
 * @retval GT_ERR_INVALID_ARGUMENT `summary` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory. Unless it ran out before,
 *         the summary remains as it was, and events can follow.
 * @since 0.1.0
 */
GT_API gt_status gt_summary_snapshot(gt_summary *summary);

/**
 * Returns all goroutines of a finished summary or of a snapshot, sorted by id; goroutines with
 * the same id are sorted by creation. Sets `*count` to their number, which is 0 if there are no
 * results: before a snapshot and after the event that follows it, and for a finished summary
 * with GT_SUMMARY_DROP. `summary` may be NULL, `count` may not. The array belongs to the
 * summary.
 * @since 0.1.0
 */
GT_API const gt_goroutine_summary *const *gt_summary_goroutines(const gt_summary *summary,
                                                                size_t *count);

/**
 * Returns all tasks, sorted by id, and sets `*count` to their number. Otherwise as
 * gt_summary_goroutines.
 * @since 0.1.0
 */
GT_API const gt_task_summary *const *gt_summary_tasks(const gt_summary *summary, size_t *count);

/**
 * Return the last goroutine, or the task, with this `id`, or NULL if there is none.
 * @since 0.1.0
 */
GT_API const gt_goroutine_summary *gt_summary_find_goroutine(const gt_summary *summary, int64_t id);
/** @copydoc gt_summary_find_goroutine @since 0.1.0 */
GT_API const gt_task_summary *gt_summary_find_task(const gt_summary *summary, uint64_t id);

/** Information about the events and the memory of a summary. @since 0.1.0 */
typedef struct gt_summary_info {
    /** sizeof(gt_summary_info), set by the caller. */
    size_t size;
    /** The number of events. */
    uint64_t events;
    /** The time of the first event. */
    int64_t first_time;
    /** The time of the last event. */
    int64_t last_time;
    /** The number of goroutines so far, including dropped ones. */
    uint64_t goroutines;
    /** The number of regions so far, including dropped ones. */
    uint64_t regions;
    /** The number of tasks so far, including dropped ones. */
    uint64_t tasks;
    /** The number of bytes of memory that the summary holds now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
} gt_summary_info;

/** Initialiser of gt_summary_info. @since 0.1.0 */
#define GT_SUMMARY_INFO_INIT                                                                       \
    { sizeof(gt_summary_info), 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*info`.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_summary_get_info(const gt_summary *summary, gt_summary_info *info);

/**
 * Closes `*summary` and sets it to NULL. Does nothing if `summary` or `*summary` is NULL.
 * @since 0.1.0
 */
GT_API void gt_summary_close(gt_summary **summary);

#ifdef __cplusplus
}
#endif

#endif
