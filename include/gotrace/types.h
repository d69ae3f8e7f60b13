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
 * No thread. Ids of threads, procs and goroutines are those of the runtime; the id of a thread
 * is that of the operating system.
 * @since 0.1.0
 */
#define GT_NO_THREAD (-INT64_C(1))
/** No proc. @since 0.1.0 */
#define GT_NO_PROC (-INT64_C(1))
/** No goroutine. @since 0.1.0 */
#define GT_NO_GOROUTINE (-INT64_C(1))

/** The parent of a task that has none. @since 0.1.0 */
#define GT_NO_TASK UINT64_MAX
/** The task of regions and logs that belong to no task. @since 0.1.0 */
#define GT_BACKGROUND_TASK UINT64_C(0)

/**
 * A string of the trace. It is not NUL-terminated, may contain any byte, and need not be UTF-8.
 * `data` is never NULL in one that the library gives, not even if `size` is 0. In one that is given
 * to the library, `data` may be anything, also NULL, if `size` is 0. The layout will never
 * change.
 *
 * Lifetime: that of the stacks of its generation, see gt_stack: until the call of
 * gt_reader_next_event after the one that returned the next Sync; in the last generation and
 * with GT_READER_KEEP, until the reader is closed.
 * @since 0.1.0
 */
typedef struct gt_string {
    /** The bytes. */
    const char *data;
    /** The number of bytes. */
    size_t size;
} gt_string;

/** The type of a gt_value. More may be added. @since 0.1.0 */
typedef uint32_t gt_value_kind;

/** Values of gt_value_kind. @since 0.1.0 */
enum {
    /** No value. */
    GT_VALUE_NONE = 0,
    /** An unsigned number, in gt_value.number. */
    GT_VALUE_UINT64 = 1,
    /** A string, in gt_value.string. */
    GT_VALUE_STRING = 2
};

/** A value whose type is known only at run time. Its layout will never change. @since 0.1.0 */
typedef struct gt_value {
    /** A gt_value_kind. */
    uint32_t kind;
    /** Always 0. */
    uint32_t reserved;
    /** The value if `kind` is GT_VALUE_UINT64. */
    uint64_t number;
    /** The value if `kind` is GT_VALUE_STRING. */
    gt_string string;
} gt_value;

/** Kinds of resources that events refer to. More may be added. @since 0.1.0 */
typedef uint32_t gt_resource_kind;

/** Values of gt_resource_kind. @since 0.1.0 */
enum {
    /** No resource: the event or range is global. */
    GT_RESOURCE_NONE = 0,
    /** A goroutine, Go's unit of concurrent execution. */
    GT_RESOURCE_GOROUTINE = 1,
    /**
     * A proc (the runtime's P), which a thread must hold to run Go code. There are GOMAXPROCS
     * of them.
     */
    GT_RESOURCE_PROC = 2,
    /** A thread of the operating system. */
    GT_RESOURCE_THREAD = 3
};

/** A resource. Its layout will never change. @since 0.1.0 */
typedef struct gt_resource {
    /** A gt_resource_kind. */
    uint32_t kind;
    /** Always 0. */
    uint32_t reserved;
    /** The id of the goroutine, proc or thread; 0 if `kind` is GT_RESOURCE_NONE. */
    int64_t id;
} gt_resource;

/** States of a goroutine. More may be added. @since 0.1.0 */
typedef uint32_t gt_go_state;

/** Values of gt_go_state. @since 0.1.0 */
enum {
    /** The state is not known, as at the beginning of the trace. */
    GT_GO_UNDETERMINED = 0,
    /** The goroutine does not exist yet, or no longer. */
    GT_GO_NOT_EXIST = 1,
    /** Ready to run, waiting for a proc. */
    GT_GO_RUNNABLE = 2,
    /** Running on a proc and a thread. */
    GT_GO_RUNNING = 3,
    /** Waiting for something to happen. */
    GT_GO_WAITING = 4,
    /** In a system call or in C; bound to its thread, possibly without a proc. */
    GT_GO_SYSCALL = 5
};

/** States of a proc. More may be added. @since 0.1.0 */
typedef uint32_t gt_proc_state;

/** Values of gt_proc_state. @since 0.1.0 */
enum {
    /** The state is not known, as at the beginning of the trace. */
    GT_PROC_UNDETERMINED = 0,
    /** The proc does not exist yet, or no longer. */
    GT_PROC_NOT_EXIST = 1,
    /** A thread holds the proc. */
    GT_PROC_RUNNING = 2,
    /** No thread holds the proc. */
    GT_PROC_IDLE = 3
};

/**
 * Pseudo procs: these ids stand in for the proc of events that happened on none, in traces of
 * Go 1.21 and earlier.
 * @since 0.1.0
 */
typedef int64_t gt_proc_stand_in;

/** A gt_proc_stand_in: a timer unblocked a goroutine. @since 0.1.0 */
#define GT_STAND_IN_TIMERS INT64_C(1000001)
/** A gt_proc_stand_in: the network poller unblocked a goroutine. @since 0.1.0 */
#define GT_STAND_IN_NETWORK INT64_C(1000002)
/** A gt_proc_stand_in: a blocked system call ended. @since 0.1.0 */
#define GT_STAND_IN_SYSCALLS INT64_C(1000003)
/** A gt_proc_stand_in: a garbage collection began. @since 0.1.0 */
#define GT_STAND_IN_GC INT64_C(1000004)

/**
 * Returns the name of a `state` or `kind` as Go prints it, such as "Running", or "Bad" for an
 * unknown value. The string is static.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const char *gt_go_state_name(uint32_t state);
/** @copydoc gt_go_state_name @since 0.1.0 */
GT_API const char *gt_proc_state_name(uint32_t state);
/** @copydoc gt_go_state_name @since 0.1.0 */
GT_API const char *gt_resource_kind_name(uint32_t kind);

/**
 * Returns 1 if a goroutine in this `state` is bound to a thread, because it runs or is in a system
 * call, as Go's GoState.Executing tells; else 0.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API int gt_goroutine_state_executing(uint32_t state);

/**
 * Returns 1 if a thread holds a proc in this `state`, as Go's ProcState.Executing tells; else 0.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API int gt_proc_state_executing(uint32_t state);

/**
 * Quotes text as Go's %q does, without the surrounding quotes. Writes as much of the quoted
 * text as fits to the `room` bytes at `to`, advances `*rest` past the text that was quoted, and
 * returns the number of bytes written. With at least 16 bytes of room every call makes
 * progress.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API size_t gt_string_quote(gt_string *rest, char *to, size_t room);

/**
 * Escapes text for a JSON string as Go's encoding/json does, without the surrounding quotes: <,
 * >, & and the line separators of JavaScript are escaped, and U+FFFD replaces each byte that is
 * not part of valid UTF-8. Writes as much of the escaped text as fits to the `room` bytes at
 * `to`, advances `*rest` past the text that was escaped, and returns the number of bytes
 * written. With at least 6 bytes of room every call makes progress.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API size_t gt_string_escape_json(gt_string *rest, char *to, size_t room);

#ifdef __cplusplus
}
#endif

#endif
