/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_TYPES_H
#define GOTRACE_TYPES_H

/**
 * @file
 * Ids, strings and values that events are made of.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * No thread. Ids of threads, procs and goroutines are the runtime's own; a thread's id is
 * that of the operating system.
 * @since 0.1.0
 */
#define GT_NO_THREAD ((int64_t) -1)
/** No proc. @since 0.1.0 */
#define GT_NO_PROC ((int64_t) -1)
/** No goroutine. @since 0.1.0 */
#define GT_NO_GOROUTINE ((int64_t) -1)

/** A task's parent where it has none. @since 0.1.0 */
#define GT_NO_TASK UINT64_MAX
/** The task of regions and logs outside any task. @since 0.1.0 */
#define GT_BACKGROUND_TASK ((uint64_t) 0)

/**
 * Bytes of a string of the trace. They are not NUL-terminated, may hold any
 * byte, and need not be UTF-8. `data` is never NULL, not even where `size` is 0.
 *
 * Lifetime: until the next call of gt_reader_next_event that returns a Sync
 * event, GT_END or an error; with GT_READER_KEEP until the reader is closed.
 * @since 0.1.0
 */
typedef struct gt_string {
    /** The bytes. */
    const char *data;
    /** How many there are. */
    size_t size;
} gt_string;

/** What a gt_value holds. More may come. @since 0.1.0 */
typedef enum gt_value_kind {
    /** Nothing. */
    GT_VALUE_NONE = 0,
    /** gt_value.number. */
    GT_VALUE_UINT64 = 1,
    /** gt_value.string. */
    GT_VALUE_STRING = 2
} gt_value_kind;

/** A value whose type is known only at run time. @since 0.1.0 */
typedef struct gt_value {
    /** A gt_value_kind. */
    uint32_t kind;
    /** 0. */
    uint32_t reserved;
    /** What it is with GT_VALUE_UINT64. */
    uint64_t number;
    /** What it is with GT_VALUE_STRING. */
    gt_string string;
} gt_value;

/** Kinds of resource that events speak of. More may come. @since 0.1.0 */
typedef enum gt_resource_kind {
    /** None: something is global. */
    GT_RESOURCE_NONE = 0,
    /** A goroutine, Go's thread of execution. */
    GT_RESOURCE_GOROUTINE = 1,
    /** A proc: what a thread must have to run Go. There are GOMAXPROCS. */
    GT_RESOURCE_PROC = 2,
    /** A thread of the operating system. */
    GT_RESOURCE_THREAD = 3
} gt_resource_kind;

/** One resource. @since 0.1.0 */
typedef struct gt_resource {
    /** A gt_resource_kind. */
    uint32_t kind;
    /** 0. */
    uint32_t reserved;
    /** The goroutine's, proc's or thread's id; 0 with GT_RESOURCE_NONE. */
    int64_t id;
} gt_resource;

/** States of a goroutine. More may come. @since 0.1.0 */
typedef enum gt_go_state {
    /** Nothing is known: the trace begins. */
    GT_GO_UNDETERMINED = 0,
    /** Not yet, or no more. */
    GT_GO_NOT_EXIST = 1,
    /** Could run, and waits for a proc. */
    GT_GO_RUNNABLE = 2,
    /** Runs, on a proc and a thread. */
    GT_GO_RUNNING = 3,
    /** Waits for something to happen. */
    GT_GO_WAITING = 4,
    /** In a system call or in C; bound to its thread, perhaps without a proc. */
    GT_GO_SYSCALL = 5
} gt_go_state;

/** States of a proc. More may come. @since 0.1.0 */
typedef enum gt_proc_state {
    /** Nothing is known: the trace begins. */
    GT_PROC_UNDETERMINED = 0,
    /** Not yet, or no more. */
    GT_PROC_NOT_EXIST = 1,
    /** A thread has it. */
    GT_PROC_RUNNING = 2,
    /** No thread has it. */
    GT_PROC_IDLE = 3
} gt_proc_state;

/**
 * What stands in for a proc in events that happened on none, in traces of Go
 * 1.21 and before.
 * @since 0.1.0
 */
typedef enum gt_proc_stand_in {
    /** A timer unblocked a goroutine. */
    GT_PROC_TIMERS = 1000001,
    /** The network did. */
    GT_PROC_NETWORK = 1000002,
    /** A blocked system call ended. */
    GT_PROC_SYSCALLS = 1000003,
    /** A garbage collection began. */
    GT_PROC_GC = 1000004
} gt_proc_stand_in;

/**
 * The name of a `state`, or a `kind`, as Go prints it, such as "Running"; "Bad" for a value
 * that is none. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_go_state_name(uint32_t state);
/** @copydoc gt_go_state_name @since 0.1.0 */
GT_API const char *gt_proc_state_name(uint32_t state);
/** @copydoc gt_go_state_name @since 0.1.0 */
GT_API const char *gt_resource_kind_name(uint32_t kind);

/**
 * Quotes text as Go does with %q, without the quotes around it: writes as much of
 * it to the `room` bytes at `to` as fits, moves `*rest` behind that, and returns
 * how many bytes were written. With 16 bytes of room there is always progress.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API size_t gt_string_quote(gt_string *rest, char *to, size_t room);

#ifdef __cplusplus
}
#endif

#endif
