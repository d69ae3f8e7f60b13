/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_EVENT_H
#define GOTRACE_EVENT_H

/**
 * @file
 * Events, and what each kind of event says.
 *
 * An event belongs to its reader and is good until the next call of
 * gt_reader_next_event on that reader, or until the reader is closed. Events
 * are read through the getters below, each of which goes with certain kinds;
 * with any other kind it returns GT_ERR_WRONG_KIND and leaves its outputs alone.
 *
 * The structures that getters fill are the caller's. Each starts with its own
 * size, so that it can grow: initialise it with its _INIT macro. A getter sets
 * all members but `size`, returns GT_ERR_INVALID_ARGUMENT where a pointer is
 * NULL or `size` is too small, and leaves members that it does not know alone.
 *
 * Thread-safety: an event may be read by one thread at a time, the one that
 * uses its reader.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/stack.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of event. More may come: skip the kinds that you do not know. @since 0.1.0 */
typedef enum gt_event_kind {
    /**
     * A point up to which all threads, procs and goroutines that exist have
     * been named. The first event of a trace, one at the start of each
     * generation, and the last event. See gt_event_sync.
     */
    GT_EVENT_SYNC = 1,
    /** The value of a metric. See gt_event_metric. */
    GT_EVENT_METRIC = 2,
    /** A label for a resource. See gt_event_label. */
    GT_EVENT_LABEL = 3,
    /**
     * A CPU profiler's sample; its stack is gt_event_stack. Its thread, proc
     * and goroutine are the sample's own and may slightly contradict the
     * transitions around it.
     */
    GT_EVENT_STACK_SAMPLE = 4,
    /** A range begins. See gt_event_range. */
    GT_EVENT_RANGE_BEGIN = 5,
    /** A range that is already active, at the start of a generation. See gt_event_range. */
    GT_EVENT_RANGE_ACTIVE = 6,
    /** A range ends. See gt_event_range and gt_event_range_attribute. */
    GT_EVENT_RANGE_END = 7,
    /** A runtime/trace task begins. See gt_event_task. */
    GT_EVENT_TASK_BEGIN = 8,
    /** A task ends. See gt_event_task. */
    GT_EVENT_TASK_END = 9,
    /** A runtime/trace region begins on the event's goroutine. See gt_event_region. */
    GT_EVENT_REGION_BEGIN = 10,
    /** A region ends. See gt_event_region. */
    GT_EVENT_REGION_END = 11,
    /** A runtime/trace log message. See gt_event_log. */
    GT_EVENT_LOG = 12,
    /** A goroutine or a proc changes state. See gt_event_transition. */
    GT_EVENT_STATE_TRANSITION = 13,
    /** An event of an experiment, given as it is. See gt_event_experimental. */
    GT_EVENT_EXPERIMENTAL = 14
} gt_event_kind;

/** Name of a kind as Go prints it; "Bad" for none. Static. Thread-safety: safe. @since 0.1.0 */
GT_API const char *gt_event_kind_name(uint32_t kind);

/**
 * What every event has, to be read without a call. The members are fixed for
 * ever, but the object is larger: never copy one, and never take its size.
 * All are read-only.
 *
 * Thread, proc and goroutine are the context in which the event happened, as
 * it was before the event: of a goroutine that starts to run, the goroutine
 * here is GT_NO_GOROUTINE, and gt_event_transition names it. In a trace of Go
 * 1.21 or before the goroutine here is already the one that starts, as in Go.
 * @since 0.1.0
 */
typedef struct gt_event {
    /** A gt_event_kind. */
    uint32_t kind;
    /** 0. */
    uint32_t reserved;
    /**
     * Nanoseconds of the clock that the runtime traces with (on most systems
     * the monotonic clock), strictly increasing over the events of a trace. In
     * a trace of Go 1.21 or before: nanoseconds since its first event.
     */
    int64_t time;
    /** The thread's id, or GT_NO_THREAD. */
    int64_t thread;
    /**
     * The proc's id, or GT_NO_PROC. In a trace of Go 1.21 or before it can be a
     * gt_proc_stand_in: never use it as an index.
     */
    int64_t proc;
    /** The goroutine's id, or GT_NO_GOROUTINE. */
    int64_t goroutine;
} gt_event;

/**
 * The stack of the event's own context, GT_STACK_NONE where the trace has none.
 * Goes with every kind. Thread-safety: as the event's.
 * @since 0.1.0
 */
GT_API gt_stack gt_event_stack(const gt_event *event);

/** What a Metric says. @since 0.1.0 */
typedef struct gt_metric {
    /** sizeof(gt_metric), set by the caller. */
    size_t size;
    /** A name of Go's package runtime/metrics, unit included. Static. */
    gt_string name;
    /** What it is now. */
    gt_value value;
} gt_metric;

/** Initialiser of gt_metric. @since 0.1.0 */
#define GT_METRIC_INIT                                                                             \
    { sizeof(gt_metric), { NULL, 0 }, { 0, 0, 0, { NULL, 0 } } }

/**
 * Goes with GT_EVENT_METRIC.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_metric(const gt_event *event, gt_metric *metric);

/** What a Label says. @since 0.1.0 */
typedef struct gt_label {
    /** sizeof(gt_label), set by the caller. */
    size_t size;
    /** The text. */
    gt_string label;
    /** What the label is for. */
    gt_resource resource;
} gt_label;

/** Initialiser of gt_label. @since 0.1.0 */
#define GT_LABEL_INIT                                                                              \
    { sizeof(gt_label), { NULL, 0 }, { 0, 0, 0 } }

/**
 * Goes with GT_EVENT_LABEL.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_label(const gt_event *event, gt_label *label);

/** What a RangeBegin, RangeActive or RangeEnd says. @since 0.1.0 */
typedef struct gt_range {
    /** sizeof(gt_range), set by the caller. */
    size_t size;
    /**
     * The range's name, such as "GC mark assist". For a stopped world, whose
     * name holds the cause, it reads "stop-the-world (" `cause` ")", and this
     * is "stop-the-world". Static.
     */
    gt_string name;
    /** Why the world was stopped; empty for all other ranges. */
    gt_string cause;
    /** 1 for a stopped world, whose full name holds `cause`, else 0. */
    uint32_t has_cause;
    /** How many attributes gt_event_range_attribute gives. */
    uint32_t attribute_count;
    /**
     * What the range belongs to: only one of a name can be active on it. With
     * RangeActive it need not be of the event's context. GT_RESOURCE_NONE: the
     * range is global.
     */
    gt_resource scope;
} gt_range;

/** Initialiser of gt_range. @since 0.1.0 */
#define GT_RANGE_INIT                                                                              \
    { sizeof(gt_range), { NULL, 0 }, { NULL, 0 }, 0, 0, { 0, 0, 0 } }

/**
 * Goes with GT_EVENT_RANGE_BEGIN, GT_EVENT_RANGE_ACTIVE, GT_EVENT_RANGE_END.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_range(const gt_event *event, gt_range *range);

/**
 * The attribute number `index` of a range that ended, such as "bytes swept".
 * `name` is static. Goes with GT_EVENT_RANGE_END.
 * @retval GT_ERR_WRONG_KIND see the top of this file.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or `index` is not below
 *         gt_range.attribute_count.
 * @since 0.1.0
 */
GT_API gt_status gt_event_range_attribute(const gt_event *event, uint32_t index, gt_string *name,
                                          gt_value *value);

/** What a TaskBegin or TaskEnd says. @since 0.1.0 */
typedef struct gt_task {
    /** sizeof(gt_task), set by the caller. */
    size_t size;
    /** The task's own id. */
    uint64_t id;
    /** The parent's id, or GT_NO_TASK. */
    uint64_t parent;
    /** The name given to trace.NewTask; empty in an end without its begin. */
    gt_string type;
} gt_task;

/** Initialiser of gt_task. @since 0.1.0 */
#define GT_TASK_INIT                                                                               \
    { sizeof(gt_task), 0, 0, { NULL, 0 } }

/**
 * Goes with GT_EVENT_TASK_BEGIN, GT_EVENT_TASK_END.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_task(const gt_event *event, gt_task *task);

/** What a RegionBegin or RegionEnd says. @since 0.1.0 */
typedef struct gt_region {
    /** sizeof(gt_region), set by the caller. */
    size_t size;
    /** The task it belongs to, perhaps GT_BACKGROUND_TASK. */
    uint64_t task;
    /** The name given to trace.StartRegion or trace.WithRegion. */
    gt_string type;
} gt_region;

/** Initialiser of gt_region. @since 0.1.0 */
#define GT_REGION_INIT                                                                             \
    { sizeof(gt_region), 0, { NULL, 0 } }

/**
 * Goes with GT_EVENT_REGION_BEGIN, GT_EVENT_REGION_END.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_region(const gt_event *event, gt_region *region);

/** What a Log says. @since 0.1.0 */
typedef struct gt_log {
    /** sizeof(gt_log), set by the caller. */
    size_t size;
    /** The task it belongs to, perhaps GT_BACKGROUND_TASK. */
    uint64_t task;
    /** The category given to trace.Log; often empty. */
    gt_string category;
    /** The message. */
    gt_string message;
} gt_log;

/** Initialiser of gt_log. @since 0.1.0 */
#define GT_LOG_INIT                                                                                \
    { sizeof(gt_log), 0, { NULL, 0 }, { NULL, 0 } }

/**
 * Goes with GT_EVENT_LOG.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_log(const gt_event *event, gt_log *log);

/** What a StateTransition says. @since 0.1.0 */
typedef struct gt_transition {
    /** sizeof(gt_transition), set by the caller. */
    size_t size;
    /** What changes its state: a goroutine or a proc. */
    gt_resource resource;
    /** The state before: a gt_go_state or a gt_proc_state, by the resource's kind. */
    uint32_t from;
    /** The state after, in the same way. */
    uint32_t to;
    /** Why, in the runtime's words, such as "chan receive"; often empty. */
    gt_string reason;
    /**
     * The stack of the resource that changes, GT_STACK_NONE where the trace has
     * none. Of a goroutine that is created this is the stack it will start
     * with, and gt_event_stack is its creator's.
     */
    gt_stack stack;
} gt_transition;

/** Initialiser of gt_transition. @since 0.1.0 */
#define GT_TRANSITION_INIT                                                                         \
    { sizeof(gt_transition), { 0, 0, 0 }, 0, 0, { NULL, 0 }, GT_STACK_NONE }

/**
 * Goes with GT_EVENT_STATE_TRANSITION.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_transition(const gt_event *event, gt_transition *transition);

/** What a Sync says of the generation that it opens. @since 0.1.0 */
typedef struct gt_sync {
    /** sizeof(gt_sync), set by the caller. */
    size_t size;
    /** The how manieth Sync of the trace this is, from 1. */
    uint64_t number;
    /**
     * The generation's number as the trace has it; 0 in a Sync that opens none. A
     * trace of Go 1.21 or before has one, number 1.
     */
    uint64_t generation;
    /** 1 where the clock's members are set: traces of Go 1.25 and later. */
    uint32_t has_clock;
    /** How many batches gt_event_experimental_batch gives. */
    uint32_t batch_count;
    /** One moment on three clocks: nanoseconds as gt_event.time, ... */
    int64_t clock_trace;
    /** ... nanoseconds of the system's monotonic clock, ... */
    uint64_t clock_monotonic;
    /** ... and wall-clock time: seconds since 1970-01-01 UTC, ... */
    int64_t clock_seconds;
    /** ... and nanoseconds below 10^9. */
    uint32_t clock_nanoseconds;
    /** 0. */
    uint32_t reserved;
} gt_sync;

/** Initialiser of gt_sync. @since 0.1.0 */
#define GT_SYNC_INIT                                                                               \
    { sizeof(gt_sync), 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Goes with GT_EVENT_SYNC.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_sync(const gt_event *event, gt_sync *sync);

/** Bytes that an experiment recorded, in a format of its own. @since 0.1.0 */
typedef struct gt_experimental_batch {
    /** sizeof(gt_experimental_batch), set by the caller. */
    size_t size;
    /** The experiment's name, such as "AllocFree"; empty where it is not known. Static. */
    gt_string experiment;
    /** The experiment's number on the wire. */
    uint64_t experiment_id;
    /** The thread that recorded them, or GT_NO_THREAD. */
    int64_t thread;
    /** The bytes. Lifetime as gt_string's. */
    gt_string data;
} gt_experimental_batch;

/** Initialiser of gt_experimental_batch. @since 0.1.0 */
#define GT_EXPERIMENTAL_BATCH_INIT                                                                 \
    { sizeof(gt_experimental_batch), { NULL, 0 }, 0, 0, { NULL, 0 } }

/**
 * The experimental batch number `index` of the generation that a Sync opens,
 * in the order of the trace. Goes with GT_EVENT_SYNC.
 * @retval GT_ERR_WRONG_KIND see the top of this file.
 * @retval GT_ERR_INVALID_ARGUMENT as above, or `index` is not below
 *         gt_sync.batch_count.
 * @since 0.1.0
 */
GT_API gt_status gt_event_experimental_batch(const gt_event *event, uint32_t index,
                                             gt_experimental_batch *batch);

/** What an Experimental event says. @since 0.1.0 */
typedef struct gt_experimental {
    /** sizeof(gt_experimental), set by the caller. */
    size_t size;
    /** The event's name, such as "HeapObjectAlloc". Static. */
    gt_string name;
    /** The experiment's name, such as "AllocFree". Static. */
    gt_string experiment;
    /** How many arguments gt_event_experimental_argument gives. */
    uint32_t argument_count;
    /** 0. */
    uint32_t reserved;
} gt_experimental;

/** Initialiser of gt_experimental. @since 0.1.0 */
#define GT_EXPERIMENTAL_INIT                                                                       \
    { sizeof(gt_experimental), { NULL, 0 }, { NULL, 0 }, 0, 0 }

/**
 * Goes with GT_EVENT_EXPERIMENTAL.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_experimental(const gt_event *event, gt_experimental *experimental);

/**
 * The argument number `index` of an Experimental event. `name` is static.
 * @retval GT_ERR_WRONG_KIND see the top of this file.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or `index` is not below
 *         gt_experimental.argument_count.
 * @since 0.1.0
 */
GT_API gt_status gt_event_experimental_argument(const gt_event *event, uint32_t index,
                                                gt_string *name, gt_value *value);

/**
 * When the event happened by the wall clock, reckoned from the clock snapshot
 * of the event's generation: seconds since 1970-01-01 UTC, and nanoseconds
 * below 10^9. Goes with every kind.
 * @retval GT_ERR_NOT_AVAILABLE the generation has no snapshot (before Go 1.25), the
 *         event is the last Sync, which opens no generation, or the result is not
 *         representable.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @since 0.1.0
 */
GT_API gt_status gt_event_wall_clock(const gt_event *event, int64_t *seconds,
                                     uint32_t *nanoseconds);

#ifdef __cplusplus
}
#endif

#endif
