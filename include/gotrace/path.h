/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_PATH_H
#define GOTRACE_PATH_H

/**
 * @file
 * Critical paths: what an interval of time went to, in all goroutines that it depended on.
 *
 * A gt_path takes the events of a trace, one after the other. The critical path of an interval of
 * a goroutine is found backwards from its end. As long as the goroutine runs, is in a system call
 * or waits for a proc, that is where the time went. Where it waited for another goroutine that made
 * it runnable, the path goes on in the other one, up to the moment at which the wait began, and
 * then in the first one again. Before a goroutine was created, the path goes on in its creator.
 *
 * The path consists of parts, each a stretch of time in which one goroutine was in one state. Parts
 * do not overlap, and together they are exactly the interval.
 *
 * The paths of many intervals, which are all tasks, regions or lives of goroutines of a name, are
 * added up by goroutine group, state, reason and stack: the rows.
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

/** What the goroutine of a part did. More may be added. @since 0.1.0 */
typedef uint32_t gt_path_state;

/** Values of gt_path_state. @since 0.1.0 */
enum {
    /** It ran. The stack is that of the event or CPU sample at the end of the part. */
    GT_PATH_RUNNING = 1,
    /** It was in a system call, or in C. The stack is that of the call. */
    GT_PATH_SYSCALL = 2,
    /** It was runnable, and for at least half of the time that this took no proc was idle. */
    GT_PATH_SCHED_BUSY = 3,
    /** It was runnable although a proc was idle, or GOMAXPROCS is not known. */
    GT_PATH_SCHED_IDLE = 4,
    /**
     * It waited, and no goroutine ended the wait: the network, a timer or the collector did, as
     * the reason says, or the wait had not ended. The stack is where it waited.
     */
    GT_PATH_WAITING = 5,
    /**
     * Not known: before the trace or after its end, when the goroutine did not exist and no
     * goroutine created it, or so long ago that gt_path_options.history had no room for it.
     */
    GT_PATH_UNKNOWN = 6,
    /** Not followed any further, because of gt_path_options.steps. */
    GT_PATH_CUT = 7
};

/**
 * Returns the name of a `state`: "running", "syscall", "scheduler, procs busy", "scheduler, proc
 * idle", "waiting", "unknown" or "not followed", or "bad" for an unknown value. The string is
 * static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_path_state_name(uint32_t state);

/**
 * A bit of gt_path_options.flags. An interval is a task, from its begin to its end.
 * @since 0.1.0
 */
#define GT_PATH_TASKS (UINT64_C(1) << 0)
/** A bit of gt_path_options.flags. An interval is a region. @since 0.1.0 */
#define GT_PATH_REGIONS (UINT64_C(1) << 1)
/**
 * A bit of gt_path_options.flags. An interval is the life of a goroutine, from its creation, which
 * must be in the trace, to its end. What has not ended counts only when gt_path_finish is called.
 * @since 0.1.0
 */
#define GT_PATH_GOROUTINES (UINT64_C(1) << 2)

/**
 * Options for finding critical paths. The structure belongs to the caller and is copied, with the
 * text that it names.
 * @since 0.1.0
 */
typedef struct gt_path_options {
    /** sizeof(gt_path_options), set by the caller. */
    size_t size;
    /** GT_PATH_ bits: which intervals are followed as they end. Unknown bits are refused. */
    uint64_t flags;
    /**
     * Only intervals of this name: the type of the task or region, or the start function of the
     * goroutine. All if `data` is NULL.
     */
    gt_string name;
    /**
     * The most bytes for the past of the goroutines, of which a change of a state takes about 9; 0
     * for no bound. The oldest is forgotten. At least 128 KiB are used.
     */
    uint64_t history;
    /**
     * The most steps that all paths of intervals take together, for each event taken so far, so
     * that the time is proportional to the number of events whatever the trace is; 0 for no bound.
     */
    uint64_t steps;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
} gt_path_options;

/** Initialiser of gt_path_options: no intervals, all of the past, 64 steps. @since 0.1.0 */
#define GT_PATH_OPTIONS_INIT                                                                       \
    { sizeof(gt_path_options), 0, { NULL, 0 }, 0, 64, 0, NULL }

/**
 * Finds the critical paths of one trace. Opaque.
 *
 * Its memory grows with the changes of state of goroutines, about 9 bytes each, up to the limit of
 * the options, with room for up to a quarter more but at most 16 MiB; with the goroutines that
 * exist or are in that past, about 60 bytes each; with the distinct stacks; and with the intervals:
 * 48 bytes each, and 16 for each row in which it has time.
 *
 * Thread-safety: an object may be used by one thread at a time; different objects are
 * independent. The allocator must not use the object that calls it: such a call returns
 * GT_ERR_INVALID_ARGUMENT, and gt_path_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_path gt_path;

/**
 * Opens a gt_path and sets `*path` to it. On failure it sets `*path` to NULL, returns an error, and
 * stores the details in `*error` unless `error` is NULL. `options` may be NULL for the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT `path` is NULL, or options, allocator or error has a wrong size
 *         or unknown bits. The message of `*error` names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_path_open(gt_path **path, const gt_path_options *options,
                                           gt_error *error) GT_NONNULL((1));

/**
 * Takes `event`, the next event of the trace, which `reader` has just delivered. `reader` is NULL
 * for a copy or an event that was made, see gotrace/make.h; if it is NULL for another event,
 * goroutines have no names and parts have no stacks. An event whose time is before that of the
 * previous one counts as simultaneous with it.
 * @retval GT_ERR_INVALID_ARGUMENT `path` or `event` is NULL, `event` is not the event that `reader`
 *         has delivered last, or gt_path_finish was called.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT the object or, for frames, the reader ran out of
 *         memory. Every later call fails likewise.
 * @since 0.1.0
 */
GT_API gt_status gt_path_event(gt_path *path, struct gt_reader *reader, const gt_event *event)
    GT_NONNULL((1));

/**
 * Ends the lives of the goroutines that still exist, for GT_PATH_GOROUTINES; no events can follow.
 * Further calls have no effect.
 * @retval GT_ERR_INVALID_ARGUMENT `path` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out.
 * @since 0.1.0
 */
GT_API gt_status gt_path_finish(gt_path *path) GT_NONNULL((1));

/**
 * Sets `*name` and `*count` to a name that intervals have and to how many have it. Those that
 * gt_path_options.name leaves out count as well: if there is none of the name that was asked for,
 * these are the names that there are. `index` counts from 0, beginning with the most frequent name.
 * The name is valid until the gt_path is closed.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @retval GT_ERR_NOT_AVAILABLE there is no such name, or gt_path_finish was not called.
 * @since 0.1.0
 */
GT_API gt_status gt_path_get_name(const gt_path *path, size_t index, gt_string *name,
                                  uint64_t *count);

/** An interval whose path was found. @since 0.1.0 */
typedef struct gt_path_interval {
    /** sizeof(gt_path_interval), set by the caller. */
    size_t size;
    /** The id of the task, or 0. */
    uint64_t task;
    /** The goroutine in which it ended, or GT_NO_GOROUTINE. */
    int64_t goroutine;
    /** When it began, as gt_event.time is. */
    int64_t start;
    /** When it ended. */
    int64_t end;
    /** Its name: the type of the task or region, or a start function. */
    gt_string name;
} gt_path_interval;

/** Initialiser of gt_path_interval. @since 0.1.0 */
#define GT_PATH_INTERVAL_INIT                                                                      \
    { sizeof(gt_path_interval), 0, 0, 0, 0, { NULL, 0 } }

/** Returns the number of intervals that have ended so far; 0 for NULL. @since 0.1.0 */
GT_API size_t gt_path_interval_count(const gt_path *path);

/**
 * Fills `*interval` with interval number `index`, from 0, in the order in which they ended. Its
 * name is valid until the gt_path is closed.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or interval->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such interval.
 * @since 0.1.0
 */
GT_API gt_status gt_path_get_interval(const gt_path *path, size_t index,
                                      gt_path_interval *interval);

/**
 * Sets `*duration` to a quantile of the durations of the intervals so far: the least one that the
 * fraction `part` of them does not exceed, for example 0.5 for the median or 1 for the maximum.
 * Sorts the intervals by duration if there are new ones.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or `part` is not from 0 to 1.
 * @retval GT_ERR_NOT_AVAILABLE there are no intervals.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out, now or before.
 * @since 0.1.0
 */
GT_API gt_status gt_path_quantile(gt_path *path, double part, int64_t *duration);

/**
 * Adds up the paths of the intervals so far whose duration is at least `from` and at most `to`; the
 * functions below then tell the rows. More events can follow. The result remains as it is until
 * the next call.
 * @retval GT_ERR_INVALID_ARGUMENT `path` is NULL.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out, now or before.
 * @since 0.1.0
 */
GT_API gt_status gt_path_select(gt_path *path, int64_t from, int64_t to);

/** What intervals spent in one state, with one reason and stack, in goroutines of one group.
 * @since 0.1.0 */
typedef struct gt_path_row {
    /** sizeof(gt_path_row), set by the caller. */
    size_t size;
    /** A number that is the row's in every selection, from 0 on. */
    uint64_t id;
    /** The start function of the goroutines; empty if it is not known. */
    gt_string group;
    /** The reason of a wait, or empty. */
    gt_string reason;
    /** A gt_path_state. */
    uint32_t state;
    /** Always 0. */
    uint32_t reserved;
    /** The number of selected intervals that have it in their path. */
    uint64_t count;
    /** The sum of its times, in nanoseconds, or INT64_MAX if it is larger. */
    int64_t time;
} gt_path_row;

/** Initialiser of gt_path_row. @since 0.1.0 */
#define GT_PATH_ROW_INIT                                                                           \
    { sizeof(gt_path_row), 0, { NULL, 0 }, { NULL, 0 }, 0, 0, 0, 0 }

/** Returns the number of intervals that gt_path_select has selected; 0 for NULL. @since 0.1.0 */
GT_API size_t gt_path_selected_count(const gt_path *path);

/** Returns the number of rows of the selection; 0 for NULL. @since 0.1.0 */
GT_API size_t gt_path_row_count(const gt_path *path);

/**
 * Fills `*row` with row number `index` of the selection, from 0. Rows are sorted by falling time.
 * Texts are valid until the gt_path is closed.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or row->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such row.
 * @since 0.1.0
 */
GT_API gt_status gt_path_get_row(const gt_path *path, size_t index, gt_path_row *row);

/**
 * Copies the frames of the stack of row number `index` to `frames`, leaf first, at most `capacity`
 * of them, and sets `*count` to the number of frames in the stack, which is at most
 * GT_STACK_MAX_FRAMES. The strings in the frames are valid until the gt_path is closed.
 * @retval GT_ERR_INVALID_ARGUMENT `path` or `count` is NULL, or `frames` is NULL although
 *         `capacity` is not 0.
 * @retval GT_ERR_NOT_AVAILABLE there is no such row.
 * @since 0.1.0
 */
GT_API gt_status gt_path_row_frames(const gt_path *path, size_t index, gt_frame *frames,
                                    size_t capacity, size_t *count);

/**
 * Finds the path of one interval of a goroutine, from `start` to `end`, by what is known of the
 * past; the functions below then tell its parts. If the goroutine waits at `end` and a later event
 * ends that wait, this is what is followed, up to `end`. More events can follow. The result remains
 * as it is until the next call; after a failure there are no parts, but other calls can succeed.
 * gt_path_options.steps does not apply.
 * @retval GT_ERR_INVALID_ARGUMENT `path` is NULL, or `end` is before `start`.
 * @retval GT_ERR_NOT_AVAILABLE the goroutine is not known.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT memory ran out, now or before.
 * @since 0.1.0
 */
GT_API gt_status gt_path_follow(gt_path *path, int64_t goroutine, int64_t start, int64_t end);

/** A part of a path. @since 0.1.0 */
typedef struct gt_path_part {
    /** sizeof(gt_path_part), set by the caller. */
    size_t size;
    /** When it begins: at the end of the part before. */
    int64_t start;
    /** When it ends, which is later. */
    int64_t end;
    /** The goroutine. */
    int64_t goroutine;
    /** Its start function; empty if it is not known. */
    gt_string group;
    /** The reason of a wait, or empty. */
    gt_string reason;
    /** A gt_path_state. */
    uint32_t state;
    /** Always 0. */
    uint32_t reserved;
} gt_path_part;

/** Initialiser of gt_path_part. @since 0.1.0 */
#define GT_PATH_PART_INIT                                                                          \
    { sizeof(gt_path_part), 0, 0, 0, { NULL, 0 }, { NULL, 0 }, 0, 0 }

/** Returns the number of parts that gt_path_follow has found; 0 for NULL. @since 0.1.0 */
GT_API size_t gt_path_part_count(const gt_path *path);

/**
 * Fills `*part` with part number `index`, from 0, in the order of time. Texts are valid until the
 * gt_path is closed.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or part->size is wrong.
 * @retval GT_ERR_NOT_AVAILABLE there is no such part.
 * @since 0.1.0
 */
GT_API gt_status gt_path_get_part(const gt_path *path, size_t index, gt_path_part *part);

/**
 * Copies the frames of the stack of part number `index`, as gt_path_row_frames does for a row.
 * @retval GT_ERR_INVALID_ARGUMENT `path` or `count` is NULL, or `frames` is NULL although
 *         `capacity` is not 0.
 * @retval GT_ERR_NOT_AVAILABLE there is no such part.
 * @since 0.1.0
 */
GT_API gt_status gt_path_part_frames(const gt_path *path, size_t index, gt_frame *frames,
                                     size_t capacity, size_t *count);

/** Information about the paths. @since 0.1.0 */
typedef struct gt_path_info {
    /** sizeof(gt_path_info), set by the caller. */
    size_t size;
    /** The number of events taken. */
    uint64_t events;
    /** The number of changes of state that were taken. */
    uint64_t changes;
    /** The number of these that gt_path_options.history had no more room for. */
    uint64_t forgotten;
    /** The number of intervals whose path was cut because of gt_path_options.steps. */
    uint64_t cut;
    /** The number of bytes of memory held now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
    /** The time of the first event, or 0. */
    int64_t start;
    /** The time of the last event, or 0. */
    int64_t end;
} gt_path_info;

/** Initialiser of gt_path_info. @since 0.1.0 */
#define GT_PATH_INFO_INIT                                                                          \
    { sizeof(gt_path_info), 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*info`.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_path_get_info(const gt_path *path, gt_path_info *info);

/**
 * Closes `*path` and sets it to NULL. Does nothing if `path` or `*path` is NULL.
 * @since 0.1.0
 */
GT_API void gt_path_close(gt_path **path);

#ifdef __cplusplus
}
#endif

#endif
