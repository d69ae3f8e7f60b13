/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_EMITTER_H
#define GOTRACE_EMITTER_H

/**
 * @file
 * Making events for a trace viewer: slices, instants, arrows, counters and tasks
 * go in, and events of the kind that Chrome's trace viewer and Perfetto read come
 * out, to functions of the caller's. Of libgotrace-viewer, which needs neither
 * libgotrace nor a Go trace.
 *
 * Times are nanoseconds since the beginning of what is shown. A resource is a row:
 * a proc, a thread or a goroutine, by its number.
 *
 * All that is passed to an emitter is copied or used during the call only. All
 * that a consumer is given is good for that call only.
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

/** Groups of rows: the pid of a viewer's event. @since 0.1.0 */
typedef enum gt_section {
    /** One row for each resource. */
    GT_SECTION_RESOURCES = 0,
    /** Counters. */
    GT_SECTION_STATS = 1,
    /** One row for each task. */
    GT_SECTION_TASKS = 2
} gt_section;

/** Rows that are none of the caller's; the numbers of gt_proc_stand_in. @since 0.1.0 */
typedef enum gt_row {
    /** What timers did. */
    GT_ROW_TIMERS = 1000001,
    /** What the network did. */
    GT_ROW_NETWORK = 1000002,
    /** System calls that were over. */
    GT_ROW_SYSCALLS = 1000003,
    /** Garbage collections. */
    GT_ROW_GC = 1000004
} gt_row;

/** What a gt_viewer_argument holds. More may come. @since 0.1.0 */
typedef enum gt_viewer_kind {
    /** gt_viewer_argument.number. */
    GT_VIEWER_UNSIGNED = 1,
    /** The same, two's complement. */
    GT_VIEWER_SIGNED = 2,
    /** gt_viewer_argument.string. */
    GT_VIEWER_STRING = 3
} gt_viewer_kind;

/** More that an event says: a key and a value. Its layout is fixed for ever. @since 0.1.0 */
typedef struct gt_viewer_argument {
    /** What it is about. */
    gt_string key;
    /** A gt_viewer_kind. */
    uint32_t kind;
    /** 0. */
    uint32_t reserved;
    /** With GT_VIEWER_UNSIGNED and GT_VIEWER_SIGNED. */
    uint64_t number;
    /** With GT_VIEWER_STRING. */
    gt_string string;
} gt_viewer_argument;

/**
 * One event for a viewer, as Chrome's Trace Event Format has it. The library's;
 * members may be added at the end.
 * @since 0.1.0
 */
typedef struct gt_viewer_event {
    /** sizeof(gt_viewer_event) of the library. */
    size_t size;
    /**
     * 'X' a slice, 'I' an instant, 's' and 't' the ends of an arrow, 'b' and 'e' the
     * ends of an asynchronous slice, 'C' counters, 'M' the name or the place of a row.
     */
    uint32_t phase;
    /** A gt_section. */
    uint32_t section;
    /** The row in that section. */
    uint64_t resource;
    /** Nanoseconds; for a slice, when it begins. */
    int64_t time;
    /** How long a slice is; else 0. */
    int64_t duration;
    /** What it says. */
    gt_string name;
    /** What kind of thing it is, or empty. */
    gt_string category;
    /** What tells the ids of asynchronous slices apart, or empty. */
    gt_string scope;
    /** One of the viewer's names for colours, or empty. */
    gt_string color;
    /** What the two ends of an arrow or an asynchronous slice have in common, from 1; else 0. */
    uint64_t id;
    /** The id of a frame, the leaf of a stack; 0 for none. */
    uint32_t stack;
    /** The same, of its end. */
    uint32_t end_stack;
    /** NULL where it says no more; a viewer is told of a list that is empty. */
    const gt_viewer_argument *arguments;
    /** How many there are. */
    size_t argument_count;
} gt_viewer_event;

/** One frame of all stacks, which are a tree. The library's. @since 0.1.0 */
typedef struct gt_viewer_frame {
    /** sizeof(gt_viewer_frame) of the library. */
    size_t size;
    /** From 1, in the order in which they are handed out. */
    uint32_t id;
    /** The caller's frame, which was handed out before; 0 for the outermost. */
    uint32_t parent;
    /** What tells frames with the same caller apart. */
    uint64_t pc;
    /** The function's name. */
    gt_string function;
    /** The line in `file`. */
    uint64_t line;
    /** The source file, or empty. */
    gt_string file;
} gt_viewer_frame;

/**
 * What takes an emitter's events. The caller owns it; it is copied when the
 * emitter is opened. Every member may be NULL. Each returns 0 to go on; anything
 * else ends the call that it came from, and all later ones, with GT_ERR_CALLBACK.
 * It must not use the emitter that it is called from.
 * @since 0.1.0
 */
typedef struct gt_consumer {
    /** sizeof(gt_consumer), set by the caller. */
    size_t size;
    /** Passed to each function as it is. */
    void *user_data;
    /** The unit that times are to be shown in, "ns"; called once, first of all. */
    int (*time_unit)(void *user_data, const char *unit);
    /**
     * An event. `required` is 1 for those that every part of a trace that is shown
     * in parts needs, which are the names and places of rows, else 0.
     */
    int (*event)(void *user_data, const gt_viewer_event *event, int required);
    /** A frame, before the first event that has it. */
    int (*frame)(void *user_data, const gt_viewer_frame *frame);
    /** There is no more. */
    int (*flush)(void *user_data);
} gt_consumer;

/** Initialiser of gt_consumer: nothing is taken. @since 0.1.0 */
#define GT_CONSUMER_INIT                                                                           \
    { sizeof(gt_consumer), NULL, NULL, NULL, NULL, NULL }

/** Whether the row of `resource` is to be shown: other than 0 if so. @since 0.1.0 */
typedef int (*gt_filter_fn)(void *user_data, uint64_t resource);

/** Bits of gt_emitter_options.flags. @since 0.1.0 */
enum {
    /**
     * Give slices that begin before the range and end after it. `go tool trace`
     * drops them; it keeps a slice only where one of its ends is in the range.
     */
    GT_EMITTER_ENCLOSING = 1 << 0
};

/** How to emit. The caller owns it; it is copied. @since 0.1.0 */
typedef struct gt_emitter_options {
    /** sizeof(gt_emitter_options), set by the caller. */
    size_t size;
    /** GT_EMITTER_ bits. Unknown bits are refused. */
    uint64_t flags;
    /** Only what is in a range of times is given, both ends included: where it starts. */
    int64_t range_start;
    /** Where that range ends. */
    int64_t range_end;
    /** Which rows of GT_SECTION_RESOURCES are given; NULL for all. */
    gt_filter_fn filter;
    /** Passed to `filter` as it is. */
    void *filter_data;
    /** The most bytes to hold at any time, 0 for no limit. */
    uint64_t memory_limit;
    /** Where memory comes from; NULL for malloc. */
    const gt_allocator *allocator;
} gt_emitter_options;

/** Initialiser of gt_emitter_options: everything, at any time. @since 0.1.0 */
#define GT_EMITTER_OPTIONS_INIT                                                                    \
    { sizeof(gt_emitter_options), 0, INT64_MIN, INT64_MAX, NULL, NULL, 0, NULL }

/**
 * Emits the events of one trace. Opaque.
 * Thread-safety: one thread at a time; different emitters are independent. An
 * emitter calls nothing of the program but its allocator, its filter and its
 * consumer, and those must not use it: such a call returns
 * GT_ERR_INVALID_ARGUMENT, and gt_emitter_close then does nothing.
 * @since 0.1.0
 */
typedef struct gt_emitter gt_emitter;

/**
 * Sets `*emitter`, or sets it to NULL and returns an error. `options` may be NULL for
 * the defaults.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL that must not be, or consumer,
 *         options or allocator has a wrong size or unknown bits.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is no memory for the emitter.
 * @retval GT_ERR_CALLBACK time_unit asked to end.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_open(gt_emitter **emitter, const gt_consumer *consumer,
                                 const gt_emitter_options *options);

/** Closes `*emitter` and sets it to NULL. NULL and a pointer to NULL are fine. @since 0.1.0 */
GT_API void gt_emitter_close(gt_emitter **emitter);

/**
 * @name Emitting
 * Each returns GT_OK also where the range or the filter leaves the thing out, and
 * otherwise
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, a structure's size is wrong, a value
 *         is none, or gt_emitter_flush was called.
 * @retval GT_ERR_CALLBACK the consumer asked to end. This and those below are
 *         returned from then on.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT
 * @{
 */

/** One frame of a stack. Its layout is fixed for ever. @since 0.1.0 */
typedef struct gt_emitter_frame {
    /** What tells frames with the same caller apart. */
    uint64_t pc;
    /** The line in `file`, 0 where it is not known. */
    uint64_t line;
    /** The function's name. */
    gt_string function;
    /** The source file, or empty. */
    gt_string file;
} gt_emitter_frame;

/**
 * Sets `*stack` to the id for the stack of these `count` `frames`, leaf first; of the same
 * stack it is the same, and 0 of an empty one. Frames that are new go to the consumer.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_stack(gt_emitter *emitter, const gt_emitter_frame *frames,
                                  size_t count, uint32_t *stack);

/**
 * Something that takes time. The caller's; set `size` with GT_SLICE_INIT. An end past
 * INT64_MAX is taken for that.
 * @since 0.1.0
 */
typedef struct gt_slice {
    /** sizeof(gt_slice), set by the caller. */
    size_t size;
    /** The row; of gt_emitter_task_slice the task. */
    uint64_t resource;
    /** When it begins. */
    int64_t time;
    /** How long it is. */
    int64_t duration;
    /** What it says. */
    gt_string name;
    /** Of gt_emitter_stack. */
    uint32_t stack;
    /** The same, of its end. */
    uint32_t end_stack;
    /** More that it says; NULL for nothing. */
    const gt_viewer_argument *arguments;
    /** How many there are. */
    size_t argument_count;
    /** What kind of thing it is, or empty. */
    gt_string category;
    /** The rest is of asynchronous slices only. */
    gt_string scope;
    /** The task whose colour it has; 0 for none. */
    uint64_t task;
} gt_slice;

/** Initialiser of gt_slice. @since 0.1.0 */
#define GT_SLICE_INIT                                                                              \
    { sizeof(gt_slice), 0, 0, 0, { "", 0 }, 0, 0, NULL, 0, { "", 0 }, { "", 0 }, 0 }

/** A slice in a resource's row. Slices of one row nest. @since 0.1.0 */
GT_API gt_status gt_emitter_slice(gt_emitter *emitter, const gt_slice *slice);
/** A slice in the row of the task gt_slice.resource, in its colour. @since 0.1.0 */
GT_API gt_status gt_emitter_task_slice(gt_emitter *emitter, const gt_slice *slice);
/** A slice in a resource's row that need not nest with others. @since 0.1.0 */
GT_API gt_status gt_emitter_async_slice(gt_emitter *emitter, const gt_slice *slice);

/** Something that takes no time. The caller's. @since 0.1.0 */
typedef struct gt_instant {
    /** sizeof(gt_instant), set by the caller. */
    size_t size;
    /** The row. */
    uint64_t resource;
    /** When it happens. */
    int64_t time;
    /** What it says. */
    gt_string name;
    /** What kind of thing it is, or empty. */
    gt_string category;
    /** Of gt_emitter_stack, or 0. */
    uint32_t stack;
    /** 0. */
    uint32_t reserved;
    /** More that it says; NULL for nothing. */
    const gt_viewer_argument *arguments;
    /** How many there are. */
    size_t argument_count;
} gt_instant;

/** Initialiser of gt_instant. @since 0.1.0 */
#define GT_INSTANT_INIT                                                                            \
    { sizeof(gt_instant), 0, 0, { "", 0 }, { "", 0 }, 0, 0, NULL, 0 }

/** An instant in a resource's row. @since 0.1.0 */
GT_API gt_status gt_emitter_instant(gt_emitter *emitter, const gt_instant *instant);

/** That one thing led to another. The caller's. @since 0.1.0 */
typedef struct gt_arrow {
    /** sizeof(gt_arrow), set by the caller. */
    size_t size;
    /** The row that it starts in. */
    uint64_t from;
    /** The row that it ends in. */
    uint64_t to;
    /** When it starts. */
    int64_t from_time;
    /** When it ends. */
    int64_t to_time;
    /** What it says. */
    gt_string name;
    /** Where it starts: of gt_emitter_stack, or 0. */
    uint32_t from_stack;
    /** 0. */
    uint32_t reserved;
} gt_arrow;

/** Initialiser of gt_arrow. @since 0.1.0 */
#define GT_ARROW_INIT                                                                              \
    { sizeof(gt_arrow), 0, 0, 0, 0, { "", 0 }, 0, 0 }

/** An arrow between resources' rows; both ends must be in the range. @since 0.1.0 */
GT_API gt_status gt_emitter_arrow(gt_emitter *emitter, const gt_arrow *arrow);
/** An arrow between the rows of tasks. @since 0.1.0 */
GT_API gt_status gt_emitter_task_arrow(gt_emitter *emitter, const gt_arrow *arrow);

/** What goroutines are counted by. @since 0.1.0 */
typedef enum gt_counted_state {
    /** Is not there: before it is created, and once it has ended. */
    GT_COUNTED_DEAD = 0,
    /** Waits for a proc. */
    GT_COUNTED_RUNNABLE = 1,
    /** Runs, or is in a system call. */
    GT_COUNTED_RUNNING = 2,
    /** Waits for something to happen. */
    GT_COUNTED_WAITING = 3,
    /** Waits for the garbage collector. */
    GT_COUNTED_WAITING_GC = 4
} gt_counted_state;

/** What threads are counted by. @since 0.1.0 */
typedef enum gt_counted_thread {
    /** In a system call. */
    GT_COUNTED_IN_SYSCALL = 0,
    /** In one of the runtime's own. */
    GT_COUNTED_IN_SYSCALL_RUNTIME = 1,
    /** Runs Go. */
    GT_COUNTED_THREAD_RUNNING = 2
} gt_counted_thread;

/**
 * At `time` a goroutine goes from one gt_counted_state, `from`, to another, `to`. Gives an
 * event where a count changed.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_count_goroutine(gt_emitter *emitter, int64_t time, uint32_t from,
                                            uint32_t to);
/**
 * From `time` on `change` more threads are in `state`, a gt_counted_thread. Gives an event
 * where that is not 0.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_count_threads(gt_emitter *emitter, int64_t time, uint32_t state,
                                          int64_t change);
/**
 * From `time` on so many `bytes` are on the heap; or at so many the next collection is to
 * end, where over 2^50 counts as 0. Gives an event where one changed.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_heap(gt_emitter *emitter, int64_t time, uint64_t bytes);
/** @copydoc gt_emitter_heap @since 0.1.0 */
GT_API gt_status gt_emitter_heap_goal(gt_emitter *emitter, int64_t time, uint64_t bytes);

/** What resources are, such as "PROCS": the name of their section. @since 0.1.0 */
GT_API gt_status gt_emitter_set_resource_type(gt_emitter *emitter, gt_string name);
/** A resource's name. Its row's place goes by its number. @since 0.1.0 */
GT_API gt_status gt_emitter_name_resource(gt_emitter *emitter, uint64_t resource, gt_string name);
/** The resource whose row is to come first; 0 for none. @since 0.1.0 */
GT_API gt_status gt_emitter_focus(gt_emitter *emitter, uint64_t resource);
/** A task's name, and its row's place. @since 0.1.0 */
GT_API gt_status gt_emitter_name_task(gt_emitter *emitter, uint64_t task, gt_string name,
                                      int64_t place);

/**
 * An event of the caller's own making, whatever the range and the filter.
 * `required` is as in gt_consumer. `event->size` is sizeof(gt_viewer_event); the phase is any
 * printable ASCII character but a space, a quote and a backslash, and the section may be any
 * number.
 * @since 0.1.0
 */
GT_API gt_status gt_emitter_event(gt_emitter *emitter, const gt_viewer_event *event, int required);

/** Gives names and places of all rows, and ends: nothing can be emitted any more. @since 0.1.0 */
GT_API gt_status gt_emitter_flush(gt_emitter *emitter);

/** @} */

/**
 * Whether counts are what they can be: 1, or 0 where one fell below zero, so that
 * what was counted cannot have been all. 0 where `emitter` is NULL.
 * @since 0.1.0
 */
GT_API int gt_emitter_is_consistent(const gt_emitter *emitter);

/** What is known of the emitting so far. @since 0.1.0 */
typedef struct gt_emitter_info {
    /** sizeof(gt_emitter_info), set by the caller. */
    size_t size;
    /** Events that went to the consumer. */
    uint64_t events;
    /** Frames that went to it. */
    uint64_t frames;
    /** Bytes of memory that the emitter holds now. */
    uint64_t memory;
    /** The most it ever held. */
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
