/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_EMITTER_H
#define GOTRACE_EMITTER_H

/**
 * @file
 * Producing events for a trace viewer. The caller passes in slices, instants, arrows, counters
 * and tasks; the emitter passes events of the kind that Chrome's trace viewer and Perfetto read
 * to callbacks of the caller. Part of libgotrace-viewer, which needs neither libgotrace nor a
 * Go trace.
 *
 * Times are nanoseconds since the beginning of what is shown. A resource is a row, identified by
 * its number: a thread, a worker, a request, or in a Go trace a proc or a goroutine. Any number may
 * be used. A section or a row is shown only if something is in it, or if the caller names it.
 *
 * Everything that is passed to an emitter is either copied or used only during the call.
 * Everything that is passed to a consumer is valid only during that call.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Groups of rows, which viewers show as processes: the pid of a viewer event. See
 * gt_emitter_name_section for their names.
 * @since 0.1.0
 */
typedef uint32_t gt_section;

/** Values of gt_section. @since 0.1.0 */
enum {
    /** One row for each resource. */
    GT_SECTION_RESOURCES = 0,
    /** Counters. */
    GT_SECTION_STATS = 1,
    /** One row for each task. */
    GT_SECTION_TASKS = 2
};

/**
 * Rows of a Go trace that do not belong to a resource. Only an emitter that follows Go's viewer
 * (gt_emitter_follow_go) has them; in any other the numbers are free. They are those of
 * gt_proc_stand_in.
 * @since 0.1.0
 */
typedef uint64_t gt_row;

/** A gt_row for the activity of timers. @since 0.1.0 */
#define GT_ROW_TIMERS UINT64_C(1000001)
/** A gt_row for the activity of the network poller. @since 0.1.0 */
#define GT_ROW_NETWORK UINT64_C(1000002)
/** A gt_row for the ends of system calls. @since 0.1.0 */
#define GT_ROW_SYSCALLS UINT64_C(1000003)
/** A gt_row for garbage collections. @since 0.1.0 */
#define GT_ROW_GC UINT64_C(1000004)

/** The type of a gt_viewer_argument. More may be added. @since 0.1.0 */
typedef uint32_t gt_viewer_kind;

/** Values of gt_viewer_kind. @since 0.1.0 */
enum {
    /** An unsigned number, in gt_viewer_argument.number. */
    GT_VIEWER_UNSIGNED = 1,
    /** A signed number, in gt_viewer_argument.number as two's complement. */
    GT_VIEWER_SIGNED = 2,
    /** A string, in gt_viewer_argument.string. */
    GT_VIEWER_STRING = 3,
    /** A finite number, in gt_viewer_argument.real. */
    GT_VIEWER_DOUBLE = 4
};

/** An argument of an event: a key and a value. Its layout will never change. @since 0.1.0 */
typedef struct gt_viewer_argument {
    /** The key. */
    gt_string key;
    /** A gt_viewer_kind. */
    uint32_t kind;
    /** Always 0. */
    uint32_t reserved;
    /** The value if `kind` is GT_VIEWER_UNSIGNED or GT_VIEWER_SIGNED. */
    uint64_t number;
    /** The value if `kind` is GT_VIEWER_STRING. */
    gt_string string;
    /** The value if `kind` is GT_VIEWER_DOUBLE; it must be finite. */
    double real;
} gt_viewer_argument;

/**
 * An event for a viewer, as Chrome's Trace Event Format defines it. What a consumer is passed
 * belongs to the library; members may be added at the end. For gt_emitter_event the caller
 * initialises one with GT_VIEWER_EVENT_INIT.
 * @since 0.1.0
 */
typedef struct gt_viewer_event {
    /** sizeof(gt_viewer_event) of the library, or set by the caller. */
    size_t size;
    /**
     * 'X' for a slice, 'I' for an instant, 's' and 't' for the two ends of an arrow, 'b' and
     * 'e' for the two ends of an asynchronous slice, 'C' for counters, 'M' for the name or the
     * position of a row.
     */
    uint32_t phase;
    /** A gt_section. */
    uint32_t section;
    /** The row in that section. */
    uint64_t resource;
    /** The time in nanoseconds; for a slice, its start. */
    int64_t time;
    /** The duration of a slice in nanoseconds; 0 for other events. */
    int64_t duration;
    /** The name that is displayed. */
    gt_string name;
    /** The category, or empty. */
    gt_string category;
    /** The scope that makes the ids of asynchronous slices unique, or empty. */
    gt_string scope;
    /** One of the viewer's names for colours, or empty. */
    gt_string color;
    /** The id, from 1, that the two ends of an arrow or of an asynchronous slice share; else 0. */
    uint64_t id;
    /** The id of the leaf frame of the stack; 0 for none. */
    uint32_t stack;
    /** The id of the leaf frame of the stack at the end of a slice; 0 for none. */
    uint32_t end_stack;
    /**
     * The arguments. NULL if the event has none; an empty list, in contrast, is passed on to
     * the viewer.
     */
    const gt_viewer_argument *arguments;
    /** The number of arguments. */
    size_t argument_count;
} gt_viewer_event;

/** Initialiser of gt_viewer_event: an instant at 0 in row 0, without a name. @since 0.1.0 */
#define GT_VIEWER_EVENT_INIT                                                                       \
    { sizeof(gt_viewer_event), 'I', GT_SECTION_RESOURCES, 0, 0, 0, { "", 0 }, { "", 0 },           \
      { "", 0 }, { "", 0 }, 0, 0, 0, NULL, 0 }

/** A node of the tree that all stacks form. It belongs to the library. @since 0.1.0 */
typedef struct gt_viewer_frame {
    /** sizeof(gt_viewer_frame) of the library. */
    size_t size;
    /** The id of the frame, from 1, in the order in which frames are passed to the consumer. */
    uint32_t id;
    /** The id of the calling frame, which was passed before; 0 for the outermost frame. */
    uint32_t parent;
    /** The address that distinguishes frames with the same caller. */
    uint64_t pc;
    /** The name of the function. */
    gt_string function;
    /** The line in `file`. */
    uint64_t line;
    /** The source file, or empty. */
    gt_string file;
} gt_viewer_frame;

/**
 * The callbacks that receive an emitter's events. The structure belongs to the caller and is
 * copied when the emitter is opened. Every callback may be NULL. Each returns 0 to continue;
 * any other value ends the call it was made from, and all later calls, with GT_ERR_CALLBACK. A
 * callback must not use the emitter that calls it.
 * @since 0.1.0
 */
typedef struct gt_consumer {
    /** sizeof(gt_consumer), set by the caller. */
    size_t size;
    /** Passed unchanged to each function. */
    void *user_data;
    /**
     * Receives the unit in which times are to be displayed, "ns". Called once, before all
     * others.
     */
    int (*time_unit)(void *user_data, const char *unit);
    /**
     * Receives an event. `required` is 1 for the names and positions of rows, which every part
     * of a trace needs if the trace is shown in parts, and 0 for all other events.
     */
    int (*event)(void *user_data, const gt_viewer_event *event, int required);
    /** Receives a frame, before the first event that refers to it. */
    int (*frame)(void *user_data, const gt_viewer_frame *frame);
    /** Called once after the last event. */
    int (*flush)(void *user_data);
} gt_consumer;

/** Initialiser of gt_consumer: no callbacks. @since 0.1.0 */
#define GT_CONSUMER_INIT                                                                           \
    { sizeof(gt_consumer), NULL, NULL, NULL, NULL, NULL }

/**
 * Returns whether the row of `resource` is to be shown: a value other than 0 if so.
 * @since 0.1.0
 */
typedef int (*gt_filter_fn)(void *user_data, uint64_t resource);

/**
 * A bit of gt_emitter_options.flags. Emit slices that begin before the range and end after it. `go
 * tool trace` drops them: it keeps a slice only if one of its ends is in the range.
 * @since 0.1.0
 */
#define GT_EMITTER_ENCLOSING (UINT64_C(1) << 0)

/** Options for an emitter. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_emitter_options {
    /** sizeof(gt_emitter_options), set by the caller. */
    size_t size;
    /** GT_EMITTER_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** The start of the range of times to emit. Both ends are included. */
    int64_t range_start;
    /** The end of that range. */
    int64_t range_end;
    /** Decides which rows of GT_SECTION_RESOURCES are emitted; NULL for all. */
    gt_filter_fn filter;
    /** Passed unchanged to `filter`. */
    void *filter_data;
    /** The most bytes to hold at any time, or 0 for no limit. */
    uint64_t memory_limit;
    /** The allocator, or NULL for malloc. */
    const gt_allocator *allocator;
} gt_emitter_options;

/** Initialiser of gt_emitter_options: all rows at all times. @since 0.1.0 */
#define GT_EMITTER_OPTIONS_INIT                                                                    \
    { sizeof(gt_emitter_options), 0, INT64_MIN, INT64_MAX, NULL, NULL, 0, NULL }

/**
 * Emits the events of one trace. Opaque.
 * Thread-safety: an emitter may be used by one thread at a time; different emitters are
 * independent. An emitter calls only its allocator, its filter and its consumer. None of them
 * may use the emitter: such a call returns GT_ERR_INVALID_ARGUMENT, and gt_emitter_close then
 * does nothing.
 * @since 0.1.0
 */
typedef struct gt_emitter gt_emitter;

/**
 * Opens an emitter and sets `*emitter` to it. On failure it sets `*emitter` to NULL, returns an
 * error, and stores the details in `*error` unless `error` is NULL. `options` may be NULL for the
 * defaults.
 * @retval GT_ERR_INVALID_ARGUMENT a required pointer is NULL, or consumer, options, allocator or
 *         error has a wrong size or unknown bits. The message of `*error` names the member.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for the emitter.
 * @retval GT_ERR_CALLBACK `time_unit` asked to stop.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_emitter_open(gt_emitter **emitter, const gt_consumer *consumer,
                                              const gt_emitter_options *options, gt_error *error)
    GT_NONNULL((1, 2));

/**
 * Closes `*emitter` and sets it to NULL. Does nothing if `emitter` or `*emitter` is NULL.
 * @since 0.1.0
 */
GT_API void gt_emitter_close(gt_emitter **emitter);

/**
 * @name Emitting
 * Each of these functions returns GT_OK also if the range or the filter excludes the event.
 * Otherwise they return:
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, a structure has a wrong size, a value is
 *         not valid, or gt_emitter_flush was called. gt_emitter_error says which value.
 * @retval GT_ERR_CALLBACK the consumer asked to stop.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 *
 * After one of the last three errors every later call returns the same error.
 * @{
 */

/** A frame of a stack. Its layout will never change. @since 0.1.0 */
typedef struct gt_emitter_frame {
    /** The address that distinguishes frames with the same caller. */
    uint64_t pc;
    /** The line in `file`, or 0 if it is not known. */
    uint64_t line;
    /** The name of the function. */
    gt_string function;
    /** The source file, or empty. */
    gt_string file;
} gt_emitter_frame;

/**
 * Sets `*stack` to the id of the stack that consists of these `count` `frames`, leaf first.
 * Equal stacks have the same id; the id of an empty stack is 0. New frames are passed to the
 * consumer.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_stack(gt_emitter *emitter, const gt_emitter_frame *frames,
                                  size_t count, uint32_t *stack);

/**
 * An interval of time. The structure belongs to the caller; initialise it with GT_SLICE_INIT.
 * If it ends after INT64_MAX, its end is set to INT64_MAX.
 * @since 0.1.0
 */
typedef struct gt_slice {
    /** sizeof(gt_slice), set by the caller. */
    size_t size;
    /** The row; for gt_emitter_task_slice, the task. */
    uint64_t resource;
    /** The start. */
    int64_t time;
    /** The duration, which must not be negative. */
    int64_t duration;
    /** The name that is displayed. */
    gt_string name;
    /** The stack, as returned by gt_emitter_stack, or 0. */
    uint32_t stack;
    /** The stack at the end, as returned by gt_emitter_stack, or 0. */
    uint32_t end_stack;
    /** The arguments, or NULL for none. */
    const gt_viewer_argument *arguments;
    /** The number of arguments. */
    size_t argument_count;
    /** The category, or empty. */
    gt_string category;
    /** The scope. This and the following member apply to asynchronous slices only. */
    gt_string scope;
    /** The task whose colour the slice has; 0 for none. */
    uint64_t task;
} gt_slice;

/** Initialiser of gt_slice. @since 0.1.0 */
#define GT_SLICE_INIT                                                                              \
    { sizeof(gt_slice), 0, 0, 0, { "", 0 }, 0, 0, NULL, 0, { "", 0 }, { "", 0 }, 0 }

/** Emits a slice in the row of a resource. Slices of one row nest. @since 0.1.0 */
GT_API gt_status gt_emitter_slice(gt_emitter *emitter, const gt_slice *slice);
/**
 * Emits a slice in the row of the task gt_slice.resource, in the colour of that task.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_task_slice(gt_emitter *emitter, const gt_slice *slice);
/** Emits a slice in the row of a resource that need not nest with other slices. @since 0.1.0 */
GT_API gt_status gt_emitter_async_slice(gt_emitter *emitter, const gt_slice *slice);

/** A point in time. The structure belongs to the caller. @since 0.1.0 */
typedef struct gt_instant {
    /** sizeof(gt_instant), set by the caller. */
    size_t size;
    /** The row. */
    uint64_t resource;
    /** The time. */
    int64_t time;
    /** The name that is displayed. */
    gt_string name;
    /** The category, or empty. */
    gt_string category;
    /** The stack, as returned by gt_emitter_stack, or 0. */
    uint32_t stack;
    /** Reserved; must be 0. */
    uint32_t reserved;
    /** The arguments, or NULL for none. */
    const gt_viewer_argument *arguments;
    /** The number of arguments. */
    size_t argument_count;
} gt_instant;

/** Initialiser of gt_instant. @since 0.1.0 */
#define GT_INSTANT_INIT                                                                            \
    { sizeof(gt_instant), 0, 0, { "", 0 }, { "", 0 }, 0, 0, NULL, 0 }

/** Emits an instant in the row of a resource. @since 0.1.0 */
GT_API gt_status gt_emitter_instant(gt_emitter *emitter, const gt_instant *instant);

/**
 * An arrow, which shows that one thing led to another. The structure belongs to the caller.
 * @since 0.1.0
 */
typedef struct gt_arrow {
    /** sizeof(gt_arrow), set by the caller. */
    size_t size;
    /** The row in which it starts. */
    uint64_t from;
    /** The row in which it ends. */
    uint64_t to;
    /** The time at which it starts. */
    int64_t from_time;
    /** The time at which it ends. */
    int64_t to_time;
    /** The name that is displayed. */
    gt_string name;
    /** The stack at its start, as returned by gt_emitter_stack, or 0. */
    uint32_t from_stack;
    /** Reserved; must be 0. */
    uint32_t reserved;
} gt_arrow;

/** Initialiser of gt_arrow. @since 0.1.0 */
#define GT_ARROW_INIT                                                                              \
    { sizeof(gt_arrow), 0, 0, 0, 0, { "", 0 }, 0, 0 }

/** Emits an arrow between the rows of resources. Both ends must be in the range. @since 0.1.0 */
GT_API gt_status gt_emitter_arrow(gt_emitter *emitter, const gt_arrow *arrow);
/** Emits an arrow between the rows of tasks. @since 0.1.0 */
GT_API gt_status gt_emitter_task_arrow(gt_emitter *emitter, const gt_arrow *arrow);

/** The states by which goroutines are counted. @since 0.1.0 */
typedef uint32_t gt_counted_state;

/** Values of gt_counted_state. @since 0.1.0 */
enum {
    /** Does not exist: before it is created, and after it has ended. */
    GT_COUNTED_DEAD = 0,
    /** Waiting for a proc. */
    GT_COUNTED_RUNNABLE = 1,
    /** Running, or in a system call. */
    GT_COUNTED_RUNNING = 2,
    /** Waiting for something to happen. */
    GT_COUNTED_WAITING = 3,
    /** Waiting for the garbage collector. */
    GT_COUNTED_WAITING_GC = 4
};

/** The states by which threads are counted. @since 0.1.0 */
typedef uint32_t gt_counted_thread;

/** Values of gt_counted_thread. @since 0.1.0 */
enum {
    /** In a system call. */
    GT_COUNTED_IN_SYSCALL = 0,
    /** In a system call of the runtime's own. */
    GT_COUNTED_IN_SYSCALL_RUNTIME = 1,
    /** Running Go code. */
    GT_COUNTED_THREAD_RUNNING = 2
};

/**
 * Records that at `time` a goroutine changes from one gt_counted_state, `from`, to another,
 * `to`. Emits an event if a count changed.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_count_goroutine(gt_emitter *emitter, int64_t time, uint32_t from,
                                            uint32_t to);
/**
 * Records that from `time` on `change` more threads (or fewer, if negative) are in `state`, a
 * gt_counted_thread. Emits an event if `change` is not 0.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_count_threads(gt_emitter *emitter, int64_t time, uint32_t state,
                                          int64_t change);
/**
 * Record that from `time` on the heap contains `bytes` bytes, or that the next garbage
 * collection is to end at a heap of `bytes` bytes. A heap goal over 2^50 counts as 0. Each
 * emits an event if its value changed.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_heap(gt_emitter *emitter, int64_t time, uint64_t bytes);
/** @copydoc gt_emitter_heap @since 0.1.0 */
GT_API gt_status gt_emitter_heap_goal(gt_emitter *emitter, int64_t time, uint64_t bytes);

/**
 * The values of a counter at one time. The structure belongs to the caller; initialise it with
 * GT_COUNTER_INIT.
 * @since 0.1.0
 */
typedef struct gt_counter {
    /** sizeof(gt_counter), set by the caller. */
    size_t size;
    /** The time from which on the counter has these values. */
    int64_t time;
    /** The name of the counter. */
    gt_string name;
    /** The unit of its values, or empty. It is displayed after the name: "temperature (K)". */
    gt_string unit;
    /** The values, one for each series: any numbers, with the names of the series as keys. */
    const gt_viewer_argument *values;
    /** The number of values, at least 1. */
    size_t value_count;
} gt_counter;

/** Initialiser of gt_counter. @since 0.1.0 */
#define GT_COUNTER_INIT                                                                            \
    { sizeof(gt_counter), 0, { "", 0 }, { "", 0 }, NULL, 0 }

/** Emits the values of a counter, in GT_SECTION_STATS. @since 0.1.0 */
GT_API gt_status gt_emitter_counter(gt_emitter *emitter, const gt_counter *counter);

/**
 * Sets the name of a section, a gt_section, such as "WORKERS" for GT_SECTION_RESOURCES. Otherwise
 * that one has no name, and the others are called "STATS" and "TASKS".
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_name_section(gt_emitter *emitter, uint32_t section, gt_string name);
/**
 * Sets the name of a resource. The position of its row is determined by its number.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_name_resource(gt_emitter *emitter, uint64_t resource, gt_string name);
/** Sets the resource whose row comes first; 0 for none. @since 0.1.0 */
GT_API gt_status gt_emitter_focus(gt_emitter *emitter, uint64_t resource);
/** Sets the name of a task and the position, `place`, of its row. @since 0.1.0 */
GT_API gt_status gt_emitter_name_task(gt_emitter *emitter, uint64_t task, gt_string name,
                                      int64_t place);

/**
 * Emits an event made by the caller, regardless of the range and the filter. `required` is as
 * in gt_consumer. Initialise the event with GT_VIEWER_EVENT_INIT. The phase may be any printable
 * ASCII character except the space, the double quote and the backslash; the section may be any
 * number.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_event(gt_emitter *emitter, const gt_viewer_event *event, int required)
    GT_NONNULL((1));

/**
 * From now on the drawing is one of Go's viewer: it has the four rows of gt_row and the section
 * "STATS" whether they are used or not, and slices of negative duration are emitted, which traces
 * with a faulty clock have. A gt_timeline asks for this itself. A resource of the caller that has
 * the number of a gt_row shares its row, as in Go's viewer.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_follow_go(gt_emitter *emitter);

/**
 * Emits the names and positions of all rows and ends the emitter: nothing can be emitted
 * afterwards.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_flush(gt_emitter *emitter);

/** @} */

/**
 * Fills `*error` with the failure of the last call above that failed: its status, and a message
 * that names the argument or the member if that was not valid, such as "the duration of the slice
 * is negative". The status is GT_OK if no call has failed. Calls that were refused because the
 * emitter had ended do not count.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or error->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_error(const gt_emitter *emitter, gt_error *error);

/**
 * Returns 1 if all counts are plausible, and 0 if one of them fell below zero, which means that
 * not everything was counted. Returns 0 if `emitter` is NULL.
 * @since 0.1.0
 */
GT_API int gt_emitter_is_consistent(const gt_emitter *emitter);

/** Information about the events emitted so far. @since 0.1.0 */
typedef struct gt_emitter_info {
    /** sizeof(gt_emitter_info), set by the caller. */
    size_t size;
    /** The number of events passed to the consumer. */
    uint64_t events;
    /** The number of frames passed to the consumer. */
    uint64_t frames;
    /** The number of bytes of memory that the emitter holds now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
} gt_emitter_info;

/** Initialiser of gt_emitter_info. @since 0.1.0 */
#define GT_EMITTER_INFO_INIT                                                                       \
    { sizeof(gt_emitter_info), 0, 0, 0, 0 }

/**
 * Fills `*info`.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_get_info(const gt_emitter *emitter, gt_emitter_info *info);

#ifdef __cplusplus
}
#endif

#endif
