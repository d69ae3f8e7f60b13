/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_SUMMARY_H
#define GOTRACE_SUMMARY_H

/**
 * @file
 * What goroutines, regions and tasks spent their time on.
 *
 * A summary is fed the events of a trace, in one pass:
 *
 * @code
 * while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
 *     gt_summary_event(summary, reader, event);
 * gt_summary_finish(summary);
 * goroutines = gt_summary_goroutines(summary, &count);
 * @endcode
 *
 * It says the same as the summary of Go's own viewer. The structures that describe
 * goroutines, regions and tasks belong to the summary and are read-only. They are good
 * until it is closed, with their strings and arrays, whatever becomes of the reader;
 * with GT_SUMMARY_DROP for the callback only. They grow at the end in later releases:
 * never copy one, and never take its size.
 *
 * All times are nanoseconds, as gt_event.time.
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

/** How much time went to something that has a name. Its layout is fixed for ever. @since 0.1.0 */
typedef struct gt_summary_time {
    /** What the time went to. */
    gt_string name;
    /** How much it was. */
    int64_t time;
} gt_summary_time;

/**
 * The most names that are told apart, of all reasons and ranges of a summary. The
 * runtime has about 50. Further ones are added up as GT_SUMMARY_OTHER.
 * @since 0.1.0
 */
#define GT_SUMMARY_MAX_NAMES 128

/** The name for the rest. @since 0.1.0 */
#define GT_SUMMARY_OTHER "(other)"

/**
 * Where the time of a goroutine went, in all or while a region was open. Its layout is
 * fixed for ever.
 *
 * `execution`, `sched_wait`, `syscall`, `syscall_block`, `block` and `unknown` do not
 * overlap and add up to `total`, with one exception that is Go's: a system call that has
 * lost its proc and is not over when the times are taken counts from its start as
 * `syscall`, and since it lost the proc as `sched_wait` besides.
 * @since 0.1.0
 */
typedef struct gt_summary_times {
    /** Running. */
    int64_t execution;
    /** Runnable, and waiting for a proc. */
    int64_t sched_wait;
    /** In a system call or in C, with its proc. */
    int64_t syscall;
    /** In a system call or in C after its proc was taken away. */
    int64_t syscall_block;
    /** Waiting: the sum of `blocks`. */
    int64_t block;
    /** What is left of `total`. */
    int64_t unknown;
    /** All of the time. */
    int64_t total;
    /** Waiting, by reason; in the order of the names' bytes. A reason can be empty. */
    const gt_summary_time *blocks;
    /** How many reasons there are. */
    size_t block_count;
    /**
     * In ranges, such as "GC mark assist", by their full names; in the order of the names'
     * bytes. They overlap with all else. A range of a proc counts for the goroutine that
     * ran there when it began, if that also runs there when it ends.
     */
    const gt_summary_time *ranges;
    /** How many names there are. */
    size_t range_count;
} gt_summary_times;

/** A region, which a goroutine was in. @since 0.1.0 */
typedef struct gt_region_summary {
    /** The name given to trace.StartRegion; empty if `inherited`. */
    gt_string type;
    /** The task it belongs to, perhaps GT_BACKGROUND_TASK. */
    uint64_t task;
    /** The goroutine that was in it. */
    int64_t goroutine;
    /** 1 where the trace has its begin, else 0. */
    uint32_t has_begin;
    /** 1 where the trace has its end, else 0. */
    uint32_t has_end;
    /**
     * When it began and ended, 0 where that is not known. One that is open when its
     * goroutine ends does so as well.
     */
    int64_t begin;
    /** When it ended, 0 where that is not known. */
    int64_t end;
    /**
     * 1 for one that stands for the region in which the goroutine was created: it lasts
     * as long as the goroutine, and belongs to the same task.
     */
    uint32_t inherited;
    /** 0. */
    uint32_t reserved;
    /** The outermost frame of the stack that it began with; of zeros where there is none. */
    gt_frame frame;
    /** Of its goroutine while it was open; without a begin, all until it ended. */
    gt_summary_times times;
} gt_region_summary;

/** A goroutine. @since 0.1.0 */
typedef struct gt_goroutine_summary {
    /** Its number in the runtime. */
    int64_t id;
    /**
     * The function that it starts with: the outermost frame of the first of its
     * transitions that has a stack; empty where none has.
     */
    gt_string name;
    /** The pc of that frame. */
    uint64_t pc;
    /** When it was created, or the Sync before its first event where it was there before. */
    int64_t created;
    /** When it first ran in the trace, 0 if never. */
    int64_t started;
    /** When it ended, or blocked for ever; 0 if never. */
    int64_t ended;
    /** Where its time went. */
    gt_summary_times times;
    /**
     * Its regions that ended, or were open when the goroutine or the trace ended, by begin:
     * first those without one, in the order in which they ended. Regions that are open
     * to the end on a goroutine of the runtime's own, or without a name, are not among
     * them. NULL with GT_SUMMARY_DROP.
     */
    const gt_region_summary *const *regions;
    /** How many there are. */
    size_t region_count;
} gt_goroutine_summary;

/** A log message of a task. Its layout is fixed for ever. @since 0.1.0 */
typedef struct gt_task_log {
    /** When it was written. */
    int64_t time;
    /** Who wrote it. */
    int64_t goroutine;
    /** Its category; often empty. */
    gt_string category;
    /** Its text. */
    gt_string message;
} gt_task_log;

/**
 * A task: one that began, ended, or was mentioned. GT_BACKGROUND_TASK is among them
 * where regions or logs belong to no task. Lists are in the order of the events that
 * brought about their entries; with GT_SUMMARY_DROP they are NULL, but are counted.
 * @since 0.1.0
 */
typedef struct gt_task_summary {
    /** The task's own id. */
    uint64_t id;
    /** The parent's id, or GT_NO_TASK. */
    uint64_t parent;
    /** The name given to trace.NewTask; empty where the trace does not say. */
    gt_string name;
    /** 1 where the trace has its begin, else 0; a task with both is complete. */
    uint32_t has_begin;
    /** 1 where the trace has its end, else 0. */
    uint32_t has_end;
    /** When it began, 0 where that is not known. */
    int64_t begin;
    /** When it ended, 0 where that is not known. */
    int64_t end;
    /** Tasks whose parent it is. */
    const uint64_t *children;
    /** How many there are. */
    size_t child_count;
    /** Its log messages. */
    const gt_task_log *logs;
    /** How many there are. */
    size_t log_count;
    /** The regions that belong to it, without those that are inherited. */
    const gt_region_summary *const *regions;
    /** How many there are. */
    size_t region_count;
    /** The goroutines on which it began or ended, or on which its logs and regions were. */
    const int64_t *goroutines;
    /** How many there are. */
    size_t goroutine_count;
} gt_task_summary;

/** Bits of gt_summary_options.flags. @since 0.1.0 */
enum {
    /**
     * Drop goroutines, regions and tasks after the callbacks were told of them, so that
     * what is held grows with what there is at a time: live goroutines, open regions and
     * tasks, and tasks that were mentioned after their end. The background then has
     * no goroutines.
     */
    GT_SUMMARY_DROP = 1 << 0
};

/** Told of a goroutine when it ended, or is there at the end of the trace. @since 0.1.0 */
typedef void (*gt_goroutine_summary_fn)(void *user_data, const gt_goroutine_summary *goroutine);
/** Told of a region when it ended, or is open at the end of the trace. @since 0.1.0 */
typedef void (*gt_region_summary_fn)(void *user_data, const gt_region_summary *region);
/** Told of a task when it ended, or is there at the end of the trace. @since 0.1.0 */
typedef void (*gt_task_summary_fn)(void *user_data, const gt_task_summary *task);

/** How to make a summary. The caller owns it; it is copied. @since 0.1.0 */
typedef struct gt_summary_options {
    /** sizeof(gt_summary_options), set by the caller. */
    size_t size;
    /** GT_SUMMARY_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** The most bytes to hold at any time, 0 for no limit. */
    uint64_t memory_limit;
    /** Where memory comes from; NULL for malloc. */
    const gt_allocator *allocator;
    /** Told of goroutines; may be NULL. */
    gt_goroutine_summary_fn on_goroutine;
    /** Told of regions; may be NULL. */
    gt_region_summary_fn on_region;
    /** Told of tasks; may be NULL. */
    gt_task_summary_fn on_task;
    /** Passed to all three as it is. */
    void *user_data;
} gt_summary_options;

/** Initialiser of gt_summary_options: keeps all. @since 0.1.0 */
#define GT_SUMMARY_OPTIONS_INIT                                                                    \
    { sizeof(gt_summary_options), 0, 0, NULL, NULL, NULL, NULL, NULL }

/**
 * Sums up the events of one trace. Opaque.
 *
 * Thread-safety: one thread at a time; different summaries are independent. The
 * callbacks and the allocator may not call gt_summary_event or gt_summary_finish for
 * the summary that called them, which return GT_ERR_INVALID_ARGUMENT, nor
 * gt_summary_close, which then does nothing.
 * @since 0.1.0
 */
typedef struct gt_summary gt_summary;

/**
 * Sets `*summary`, or sets it to NULL and returns an error. `options` may be NULL for
 * the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `summary` is NULL, or options or allocator has a
 *         wrong size or unknown bits.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for the summary.
 * @since 0.1.0
 */
GT_API gt_status gt_summary_open(gt_summary **summary, const gt_summary_options *options);

/**
 * Takes in `event`, the next one of the trace, which `reader` has just delivered; the
 * kinds that say nothing of times too. The first event should be the trace's first: a
 * goroutine that was not seen before is taken to have been in its old state since
 * then. With `reader` NULL nothing has a name that comes from a stack.
 * @retval GT_ERR_INVALID_ARGUMENT `summary` or `event` is NULL, `event` is not of
 *         `reader`, or the summary is finished.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out, that of the summary or, for
 *         frames, of the reader. So does every later call.
 * @since 0.1.0
 */
GT_API gt_status gt_summary_event(gt_summary *summary, struct gt_reader *reader,
                                  const gt_event *event);

/**
 * Ends the summary with the last event that it was given: takes the times of the
 * goroutines and regions that are there, and tells the callbacks of each goroutine,
 * its regions first, and then of the tasks, by id. Called again it does nothing.
 * @retval GT_ERR_INVALID_ARGUMENT `summary` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out, now or before.
 * @since 0.1.0
 */
GT_API gt_status gt_summary_finish(gt_summary *summary);

/**
 * All goroutines of a finished summary, by id; where an id was used again, by creation.
 * Writes to `*count` how many there are, 0 with GT_SUMMARY_DROP and before the summary is
 * finished. `summary` may be NULL, `count` may not. The array is the summary's.
 * @since 0.1.0
 */
GT_API const gt_goroutine_summary *const *gt_summary_goroutines(const gt_summary *summary,
                                                                size_t *count);

/** The same of all tasks, by id, with `*count` how many there are. @since 0.1.0 */
GT_API const gt_task_summary *const *gt_summary_tasks(const gt_summary *summary, size_t *count);

/** The goroutine of this `id` that came last, or the task; NULL if there is none. @since 0.1.0 */
GT_API const gt_goroutine_summary *gt_summary_find_goroutine(const gt_summary *summary, int64_t id);
/** @copydoc gt_summary_find_goroutine @since 0.1.0 */
GT_API const gt_task_summary *gt_summary_find_task(const gt_summary *summary, uint64_t id);

/** What a summary has taken in. @since 0.1.0 */
typedef struct gt_summary_info {
    /** sizeof(gt_summary_info), set by the caller. */
    size_t size;
    /** How many events. */
    uint64_t events;
    /** The time of the first event. */
    int64_t first_time;
    /** The time of the last. */
    int64_t last_time;
    /** Goroutines so far, dropped ones too; so with regions and tasks. */
    uint64_t goroutines;
    /** Regions so far. */
    uint64_t regions;
    /** Tasks so far. */
    uint64_t tasks;
    /** Bytes of memory that the summary holds now. */
    uint64_t memory;
    /** The most it ever held. */
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

/** Closes `*summary` and sets it to NULL. NULL and a pointer to NULL are fine. @since 0.1.0 */
GT_API void gt_summary_close(gt_summary **summary);

#ifdef __cplusplus
}
#endif

#endif
