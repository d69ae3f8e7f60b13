/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_EVENT_H
#define GOTRACE_EVENT_H

/**
 * @file
 * Events, and the getters for the content of each kind of event.
 *
 * An event belongs to its reader and is valid until the next call of gt_reader_next_event or
 * gt_reader_next_events on that reader, or until the reader is closed. gt_event_copy makes a copy
 * that lives longer.
 * Events are read through the getters below, each of which applies to certain kinds; for any
 * other kind a getter returns GT_ERR_WRONG_KIND and leaves its outputs unchanged.
 *
 * The structures that getters fill belong to the caller. Each starts with its own size, so that
 * it can grow: initialise it with its _INIT macro. A getter sets all members except `size`, and
 * leaves members that it does not know unchanged. It returns GT_ERR_INVALID_ARGUMENT if a
 * pointer is NULL or `size` is too small.
 *
 * Thread-safety: an event may be read by one thread at a time, the thread that uses its reader.
 * A copy may be read by any number of threads at once.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/stack.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gt_reader;

/** Kinds of event. More may be added: skip the kinds that you do not know. @since 0.1.0 */
typedef uint32_t gt_event_kind;

/** Values of gt_event_kind. @since 0.1.0 */
enum {
    /**
     * A point by which all existing threads, procs and goroutines have been named. A Sync is
     * the first event of a trace, the first of each generation, and the last event. See
     * gt_event_sync.
     */
    GT_EVENT_SYNC = 1,
    /** The value of a metric. See gt_event_metric. */
    GT_EVENT_METRIC = 2,
    /** A label for a resource. See gt_event_label. */
    GT_EVENT_LABEL = 3,
    /**
     * A sample of the CPU profiler; its stack is gt_event_stack. Thread, proc and goroutine are
     * those of the sample and may slightly contradict the transitions around it.
     */
    GT_EVENT_STACK_SAMPLE = 4,
    /** A range begins. See gt_event_range. */
    GT_EVENT_RANGE_BEGIN = 5,
    /** A range that is already active at the start of a generation. See gt_event_range. */
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
    /** An event of an experiment, delivered as recorded. See gt_event_experimental. */
    GT_EVENT_EXPERIMENTAL = 14
};

/**
 * Returns the name of a kind as Go prints it, or "Bad" for an unknown kind. The string is
 * static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_event_kind_name(uint32_t kind);

/**
 * The members that every event has, which can be read without a call. These members will never
 * change, but the object is larger: do not take its size, and copy it with gt_event_copy. An
 * assignment copies only these members. C++ refuses it; the result of one in C is refused by all
 * getters with GT_ERR_INVALID_ARGUMENT. All members are read-only.
 *
 * Thread, proc and goroutine are the context in which the event happened, as it was before the
 * event. If a goroutine starts to run, for example, the goroutine here is GT_NO_GOROUTINE, and
 * gt_event_transition names the one that starts. In a trace of Go 1.21 or earlier the goroutine
 * here is already the one that starts, as in Go.
 * @since 0.1.0
 */
typedef struct gt_event {
    /** A gt_event_kind. */
    uint32_t kind;
    /** Reserved: the getters use it to detect a copy of an event that was made by assignment. */
    uint32_t reserved;
    /**
     * Nanoseconds of the clock that the runtime uses for tracing (on most systems the monotonic
     * clock), strictly increasing over the events of a trace. In a trace of Go 1.21 or earlier:
     * nanoseconds since its first event.
     */
    int64_t time;
    /** The thread's id, or GT_NO_THREAD. */
    int64_t thread;
    /**
     * The proc's id, or GT_NO_PROC. In a trace of Go 1.21 or earlier it can be a
     * gt_proc_stand_in, so never use it as an array index.
     */
    int64_t proc;
    /** The goroutine's id, or GT_NO_GOROUTINE. */
    int64_t goroutine;
#if defined(__cplusplus) && __cplusplus >= 201103L
    gt_event() = delete;
    gt_event(const gt_event &) = delete;
    gt_event &operator=(const gt_event &) = delete;
#endif
} gt_event;

/**
 * Copies an event, with the strings, stacks, frames, clocks and batches that it refers to, into
 * memory of `allocator`, and sets `*copy`. All getters work on the copy as on the event, and
 * gt_event_frames gives the frames of its stacks. A copy depends on nothing else: it may outlive
 * the reader and be used by other threads. Free it with gt_event_free, in any thread. The
 * analyses, which take events in order, take it only with a reader of NULL.
 *
 * `event` is the current event of `reader`, see gt_reader_has_event, or itself a copy; then
 * `reader` may be NULL. `allocator` may be NULL for malloc; it is copied, and its context must
 * live as long as the copy. Copies do not count for the memory limit of the reader, but frames
 * that the reader decodes for them do. On failure `*copy` is NULL.
 *
 * @retval GT_ERR_INVALID_ARGUMENT `copy` is NULL, `event` is neither the current event of `reader`
 *         nor a copy, or the allocator is invalid.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the copy or the frames.
 *
 * Thread-safety: as for the reader; a copy may be copied by any thread.
 * @since 0.1.0
 */
GT_API gt_status gt_event_copy(struct gt_reader *reader, const gt_event *event,
                               const gt_allocator *allocator, gt_event **copy);

/**
 * Copies an event into memory of the caller. The memory must be aligned as for a uint64_t. The copy
 * lives until the caller moves, changes or frees the memory; gt_event_free is not needed. Sets
 * `*size` to the number of bytes that the copy takes. If `capacity` is less than that, there is no
 * copy, and `memory` is unchanged. `memory` may be NULL if `capacity` is 0.
 *
 * @retval GT_ERR_INVALID_ARGUMENT as for gt_event_copy, or `size` is NULL, or `memory` is not
 *         aligned.
 * @retval GT_ERR_LIMIT `capacity` is less than `*size`; or, with a `*size` of 0, the memory limit
 *         of the reader leaves no room for the frames.
 * @retval GT_ERR_NO_MEMORY there is not enough memory for the frames.
 *
 * Thread-safety: as for gt_event_copy.
 * @since 0.1.0
 */
GT_API gt_status gt_event_copy_into(struct gt_reader *reader, const gt_event *event, void *memory,
                                    size_t capacity, size_t *size, gt_event **copy);

/**
 * Frees a copy that gt_event_copy made, or an event of gt_event_make, and sets `*copy` to NULL.
 * Does nothing if `copy` or `*copy` is NULL, or if it is an event of a reader.
 * Thread-safety: safe, if no other thread uses the copy.
 * @since 0.1.0
 */
GT_API void gt_event_free(gt_event **copy);

/**
 * Points `*frames` at the frames of a stack that a getter returned for `event`, leaf first, and
 * sets `*count` to their number. For an event of a reader this is gt_stack_view. For a copy,
 * `reader` is not used and may be NULL, and the frames live as long as the copy.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or `event` is a copy that does not have this
 *         stack.
 * @retval other see gt_stack_view.
 *
 * Thread-safety: as for the event.
 * @since 0.1.0
 */
GT_API gt_status gt_event_frames(struct gt_reader *reader, const gt_event *event, gt_stack stack,
                                 const gt_frame **frames, size_t *count);

/**
 * Returns the stack of the event's own context, or GT_STACK_NONE if the trace has none. Applies
 * to every kind.
 * Thread-safety: as for the event.
 * @since 0.1.0
 */
GT_API gt_stack gt_event_stack(const gt_event *event) GT_NONNULL((1));

/** The content of a Metric. @since 0.1.0 */
typedef struct gt_metric {
    /** sizeof(gt_metric), set by the caller. */
    size_t size;
    /** A name from Go's package runtime/metrics, including the unit. The string is static. */
    gt_string name;
    /** The current value. */
    gt_value value;
} gt_metric;

/** Initialiser of gt_metric. @since 0.1.0 */
#define GT_METRIC_INIT                                                                             \
    { sizeof(gt_metric), { NULL, 0 }, { 0, 0, 0, { NULL, 0 } } }

/**
 * Fills `*metric`. Applies to GT_EVENT_METRIC.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_metric(const gt_event *event, gt_metric *metric) GT_NONNULL((1, 2));

/** The content of a Label. @since 0.1.0 */
typedef struct gt_label {
    /** sizeof(gt_label), set by the caller. */
    size_t size;
    /** The text of the label. */
    gt_string label;
    /** The resource that is labelled. */
    gt_resource resource;
} gt_label;

/** Initialiser of gt_label. @since 0.1.0 */
#define GT_LABEL_INIT                                                                              \
    { sizeof(gt_label), { NULL, 0 }, { 0, 0, 0 } }

/**
 * Fills `*label`. Applies to GT_EVENT_LABEL.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_label(const gt_event *event, gt_label *label) GT_NONNULL((1, 2));

/** The content of a RangeBegin, RangeActive or RangeEnd. @since 0.1.0 */
typedef struct gt_range {
    /** sizeof(gt_range), set by the caller. */
    size_t size;
    /**
     * The name of the range, such as "GC mark assist". The string is static. The full name of a
     * stop of the world contains the cause, as in "stop-the-world (" `cause` ")"; here it is
     * "stop-the-world" alone.
     */
    gt_string name;
    /** Why the world was stopped; empty for all other ranges. */
    gt_string cause;
    /** 1 for a stop of the world, whose full name contains `cause`, else 0. */
    uint32_t has_cause;
    /** The number of attributes that gt_event_range_attribute returns. */
    uint32_t attribute_count;
    /**
     * The resource that the range belongs to; only one range of a name can be active on it. For
     * a RangeActive it need not be part of the event's context. If it is GT_RESOURCE_NONE, the
     * range is global.
     */
    gt_resource scope;
} gt_range;

/** Initialiser of gt_range. @since 0.1.0 */
#define GT_RANGE_INIT                                                                              \
    { sizeof(gt_range), { NULL, 0 }, { NULL, 0 }, 0, 0, { 0, 0, 0 } }

/**
 * Fills `*range`. Applies to GT_EVENT_RANGE_BEGIN, GT_EVENT_RANGE_ACTIVE and
 * GT_EVENT_RANGE_END.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_range(const gt_event *event, gt_range *range) GT_NONNULL((1, 2));

/**
 * Returns attribute number `index`, from 0, of a range that ended, such as "bytes swept", in
 * `*name` and `*value`. The name is a static string. Applies to GT_EVENT_RANGE_END.
 * @retval GT_ERR_WRONG_KIND see the top of this file.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or `index` is not below
 *         gt_range.attribute_count.
 * @since 0.1.0
 */
GT_API gt_status gt_event_range_attribute(const gt_event *event, uint32_t index, gt_string *name,
                                          gt_value *value) GT_NONNULL((1, 3, 4));

/** The content of a TaskBegin or TaskEnd. @since 0.1.0 */
typedef struct gt_task {
    /** sizeof(gt_task), set by the caller. */
    size_t size;
    /** The id of the task. */
    uint64_t id;
    /** The id of the parent task, or GT_NO_TASK. */
    uint64_t parent;
    /** The name given to trace.NewTask; empty in a TaskEnd without a TaskBegin. */
    gt_string type;
} gt_task;

/** Initialiser of gt_task. @since 0.1.0 */
#define GT_TASK_INIT                                                                               \
    { sizeof(gt_task), 0, 0, { NULL, 0 } }

/**
 * Fills `*task`. Applies to GT_EVENT_TASK_BEGIN and GT_EVENT_TASK_END.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_task(const gt_event *event, gt_task *task) GT_NONNULL((1, 2));

/** The content of a RegionBegin or RegionEnd. @since 0.1.0 */
typedef struct gt_region {
    /** sizeof(gt_region), set by the caller. */
    size_t size;
    /** The id of the task that the region belongs to, possibly GT_BACKGROUND_TASK. */
    uint64_t task;
    /** The name given to trace.StartRegion or trace.WithRegion. */
    gt_string type;
} gt_region;

/** Initialiser of gt_region. @since 0.1.0 */
#define GT_REGION_INIT                                                                             \
    { sizeof(gt_region), 0, { NULL, 0 } }

/**
 * Fills `*region`. Applies to GT_EVENT_REGION_BEGIN and GT_EVENT_REGION_END.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_region(const gt_event *event, gt_region *region) GT_NONNULL((1, 2));

/** The content of a Log. @since 0.1.0 */
typedef struct gt_log {
    /** sizeof(gt_log), set by the caller. */
    size_t size;
    /** The id of the task that the message belongs to, possibly GT_BACKGROUND_TASK. */
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
 * Fills `*log`. Applies to GT_EVENT_LOG.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_log(const gt_event *event, gt_log *log) GT_NONNULL((1, 2));

/** The content of a StateTransition. @since 0.1.0 */
typedef struct gt_transition {
    /** sizeof(gt_transition), set by the caller. */
    size_t size;
    /** The goroutine or proc that changes its state. */
    gt_resource resource;
    /**
     * The state before: a gt_go_state or a gt_proc_state, depending on the kind of the
     * resource.
     */
    uint32_t from;
    /** The state after: a gt_go_state or a gt_proc_state. */
    uint32_t to;
    /** The reason in the runtime's words, such as "chan receive"; often empty. */
    gt_string reason;
    /**
     * The stack of the resource that changes its state, or GT_STACK_NONE if the trace has none.
     * If a goroutine is created, this is the stack that it will start with, and gt_event_stack
     * is the stack of its creator.
     */
    gt_stack stack;
} gt_transition;

/** Initialiser of gt_transition. @since 0.1.0 */
#define GT_TRANSITION_INIT                                                                         \
    { sizeof(gt_transition), { 0, 0, 0 }, 0, 0, { NULL, 0 }, GT_STACK_NONE }

/**
 * Fills `*transition`. Applies to GT_EVENT_STATE_TRANSITION.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_transition(const gt_event *event, gt_transition *transition)
    GT_NONNULL((1, 2));

/**
 * Fills `*transition` if a goroutine changes its state: `from` and `to` are then gt_go_state. The
 * values of gt_go_state and gt_proc_state overlap, so a program that asks for any transition and
 * forgets to look at the kind of the resource takes an idle proc for a running goroutine.
 * @retval GT_ERR_WRONG_KIND the event is another one, or the transition is that of a proc.
 * @retval GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_goroutine_transition(const gt_event *event, gt_transition *transition);

/**
 * Fills `*transition` if a proc changes its state: `from` and `to` are then gt_proc_state.
 * @retval GT_ERR_WRONG_KIND the event is another one, or the transition is that of a goroutine.
 * @retval GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_proc_transition(const gt_event *event, gt_transition *transition);

/** The content of a Sync, which describes the generation that it opens. @since 0.1.0 */
typedef struct gt_sync {
    /** sizeof(gt_sync), set by the caller. */
    size_t size;
    /** The ordinal number of this Sync in the trace, from 1. */
    uint64_t number;
    /**
     * The number of the generation in the trace; 0 in a Sync that opens none. A trace of Go
     * 1.21 or earlier has one generation, number 1.
     */
    uint64_t generation;
    /** 1 if the clock members are set, as in traces of Go 1.25 and later, else 0. */
    uint32_t has_clock;
    /** The number of batches that gt_event_experimental_batch returns. */
    uint32_t batch_count;
    /**
     * One moment on three clocks. This is the time on the clock of gt_event.time, in
     * nanoseconds.
     */
    int64_t clock_trace;
    /** The reading of the system's monotonic clock at `clock_trace`, in nanoseconds. */
    uint64_t clock_monotonic;
    /** The wall-clock time at `clock_trace`: seconds since 1970-01-01 UTC. */
    int64_t clock_seconds;
    /** The nanoseconds of the wall-clock time, below 10^9. */
    uint32_t clock_nanoseconds;
    /** Always 0. */
    uint32_t reserved;
} gt_sync;

/** Initialiser of gt_sync. @since 0.1.0 */
#define GT_SYNC_INIT                                                                               \
    { sizeof(gt_sync), 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*sync`. Applies to GT_EVENT_SYNC.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_sync(const gt_event *event, gt_sync *sync) GT_NONNULL((1, 2));

/**
 * Converts a `time` of the clock of gt_event.time to wall-clock time by means of the clock snapshot
 * in `sync`. Sets `*seconds` to seconds since 1970-01-01 UTC, and `*nanoseconds` to a number below
 * 10^9. The last Sync of a trace opens no generation and has no snapshot, but its time is the
 * end of the trace: convert it with the gt_sync of the last generation.
 * Thread-safety: safe.
 * @retval GT_ERR_NOT_AVAILABLE `sync` has no snapshot, or the result is not representable.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, sync->size is too small, or
 *         sync->clock_nanoseconds is not below 10^9.
 * @since 0.1.0
 */
GT_API gt_status gt_sync_wall_clock(const gt_sync *sync, int64_t time, int64_t *seconds,
                                    uint32_t *nanoseconds);

/** Bytes that an experiment recorded, in its own format. @since 0.1.0 */
typedef struct gt_experimental_batch {
    /** sizeof(gt_experimental_batch), set by the caller. */
    size_t size;
    /**
     * The name of the experiment, such as "AllocFree"; empty if it is not known. The string is
     * static.
     */
    gt_string experiment;
    /** The number of the experiment in the trace. */
    uint64_t experiment_id;
    /** The thread that recorded the bytes, or GT_NO_THREAD. */
    int64_t thread;
    /** The bytes. Their lifetime is that of a gt_string. */
    gt_string data;
} gt_experimental_batch;

/** Initialiser of gt_experimental_batch. @since 0.1.0 */
#define GT_EXPERIMENTAL_BATCH_INIT                                                                 \
    { sizeof(gt_experimental_batch), { NULL, 0 }, 0, 0, { NULL, 0 } }

/**
 * Fills `*batch` with experimental batch number `index`, from 0, of the generation that a Sync
 * opens, in the order of the trace. Applies to GT_EVENT_SYNC.
 * @retval GT_ERR_WRONG_KIND see the top of this file.
 * @retval GT_ERR_INVALID_ARGUMENT see the top of this file, or `index` is not below
 *         gt_sync.batch_count.
 * @since 0.1.0
 */
GT_API gt_status gt_event_experimental_batch(const gt_event *event, uint32_t index,
                                             gt_experimental_batch *batch) GT_NONNULL((1, 3));

/** The content of an Experimental event. @since 0.1.0 */
typedef struct gt_experimental {
    /** sizeof(gt_experimental), set by the caller. */
    size_t size;
    /** The name of the event, such as "HeapObjectAlloc". The string is static. */
    gt_string name;
    /** The name of the experiment, such as "AllocFree". The string is static. */
    gt_string experiment;
    /** The number of arguments that gt_event_experimental_argument returns. */
    uint32_t argument_count;
    /** Always 0. */
    uint32_t reserved;
} gt_experimental;

/** Initialiser of gt_experimental. @since 0.1.0 */
#define GT_EXPERIMENTAL_INIT                                                                       \
    { sizeof(gt_experimental), { NULL, 0 }, { NULL, 0 }, 0, 0 }

/**
 * Fills `*experimental`. Applies to GT_EVENT_EXPERIMENTAL.
 * @retval GT_ERR_WRONG_KIND, GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_experimental(const gt_event *event, gt_experimental *experimental)
    GT_NONNULL((1, 2));

/**
 * Returns argument number `index`, from 0, of an Experimental event in `*name` and `*value`.
 * The name is a static string. Applies to GT_EVENT_EXPERIMENTAL.
 * @retval GT_ERR_WRONG_KIND see the top of this file.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or `index` is not below
 *         gt_experimental.argument_count.
 * @since 0.1.0
 */
GT_API gt_status gt_event_experimental_argument(const gt_event *event, uint32_t index,
                                                gt_string *name, gt_value *value)
    GT_NONNULL((1, 3, 4));

/** The record of an event in the trace. @since 0.1.0 */
typedef struct gt_wire_event {
    /** sizeof(gt_wire_event), set by the caller. */
    size_t size;
    /**
     * The gt_wire_type of the record; 0 for a Sync, which is no record. In a trace of Go 1.21 or
     * earlier it is the type that Go 1.22 has for the same. All three transitions that Go makes of
     * a GoSwitch follow each other: the first is the GoSwitch, the others are a GoBlock and a
     * GoStart; likewise a GoSwitchDestroy is followed by a GoDestroy and a GoStart. If a
     * GoDestroySyscall takes the proc from its thread, a ProcSteal precedes it, and both have the
     * proc in their context; after a record ProcSteal the thread has none.
     */
    uint32_t type;
    /**
     * The status in a ProcStatus, a GoStatus or a GoStatusStack, as in the trace: see
     * GT_WIRE_PROC_STATUS_CODE and GT_WIRE_GO_STATUS_CODE. A transition tells less: a proc that a
     * thread holds runs, also if it is in a system call. 0 for other types.
     */
    uint32_t status;
} gt_wire_event;

/** Initialiser of gt_wire_event. @since 0.1.0 */
#define GT_WIRE_EVENT_INIT                                                                         \
    { sizeof(gt_wire_event), 0, 0 }

/**
 * Fills `*wire`. Applies to every kind.
 * @retval GT_ERR_NOT_AVAILABLE the event is a transition that gt_event_make made, which is no
 *         record of any trace.
 * @retval GT_ERR_INVALID_ARGUMENT see the top of this file.
 * @since 0.1.0
 */
GT_API gt_status gt_event_wire(const gt_event *event, gt_wire_event *wire) GT_NONNULL((1, 2));

/**
 * Converts the event's time to wall-clock time by means of the clock snapshot of the event's
 * generation. Sets `*seconds` to seconds since 1970-01-01 UTC, and `*nanoseconds` to a number
 * below 10^9. Applies to every kind.
 * @retval GT_ERR_NOT_AVAILABLE the generation has no snapshot (before Go 1.25), the event is
 *         the last Sync, which opens no generation (see gt_sync_wall_clock), or the result is not
 *         representable.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL.
 * @since 0.1.0
 */
GT_API gt_status gt_event_wall_clock(const gt_event *event, int64_t *seconds, uint32_t *nanoseconds)
    GT_NONNULL((1, 2, 3));

#ifdef __cplusplus
}
#endif

#endif
