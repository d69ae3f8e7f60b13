/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_WIRE_H
#define GOTRACE_WIRE_H

/**
 * @file
 * The records of a trace file: their types, their arguments, and the version in which each type
 * appeared. gotrace/raw.h reads and writes records; docs/formats.md explains their meaning.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Types of records in traces of Go 1.22 and later; the type is the first byte of a record. The
 * values are those of the format; more may be added.
 * @since 0.1.0
 */
typedef uint32_t gt_wire_type;

/** Values of gt_wire_type. @since 0.1.0 */
enum {
    GT_WIRE_EVENT_BATCH = 1,
    GT_WIRE_STACKS = 2,
    GT_WIRE_STACK = 3,
    GT_WIRE_STRINGS = 4,
    GT_WIRE_STRING = 5,
    GT_WIRE_CPU_SAMPLES = 6,
    GT_WIRE_CPU_SAMPLE = 7,
    GT_WIRE_FREQUENCY = 8,
    GT_WIRE_PROCS_CHANGE = 9,
    GT_WIRE_PROC_START = 10,
    GT_WIRE_PROC_STOP = 11,
    GT_WIRE_PROC_STEAL = 12,
    GT_WIRE_PROC_STATUS = 13,
    GT_WIRE_GO_CREATE = 14,
    GT_WIRE_GO_CREATE_SYSCALL = 15,
    GT_WIRE_GO_START = 16,
    GT_WIRE_GO_DESTROY = 17,
    GT_WIRE_GO_DESTROY_SYSCALL = 18,
    GT_WIRE_GO_STOP = 19,
    GT_WIRE_GO_BLOCK = 20,
    GT_WIRE_GO_UNBLOCK = 21,
    GT_WIRE_GO_SYSCALL_BEGIN = 22,
    GT_WIRE_GO_SYSCALL_END = 23,
    GT_WIRE_GO_SYSCALL_END_BLOCKED = 24,
    GT_WIRE_GO_STATUS = 25,
    GT_WIRE_STW_BEGIN = 26,
    GT_WIRE_STW_END = 27,
    GT_WIRE_GC_ACTIVE = 28,
    GT_WIRE_GC_BEGIN = 29,
    GT_WIRE_GC_END = 30,
    GT_WIRE_GC_SWEEP_ACTIVE = 31,
    GT_WIRE_GC_SWEEP_BEGIN = 32,
    GT_WIRE_GC_SWEEP_END = 33,
    GT_WIRE_GC_MARK_ASSIST_ACTIVE = 34,
    GT_WIRE_GC_MARK_ASSIST_BEGIN = 35,
    GT_WIRE_GC_MARK_ASSIST_END = 36,
    GT_WIRE_HEAP_ALLOC = 37,
    GT_WIRE_HEAP_GOAL = 38,
    GT_WIRE_GO_LABEL = 39,
    GT_WIRE_USER_TASK_BEGIN = 40,
    GT_WIRE_USER_TASK_END = 41,
    GT_WIRE_USER_REGION_BEGIN = 42,
    GT_WIRE_USER_REGION_END = 43,
    GT_WIRE_USER_LOG = 44,
    GT_WIRE_GO_SWITCH = 45,
    GT_WIRE_GO_SWITCH_DESTROY = 46,
    GT_WIRE_GO_CREATE_BLOCKED = 47,
    GT_WIRE_GO_STATUS_STACK = 48,
    GT_WIRE_EXPERIMENTAL_BATCH = 49,
    GT_WIRE_SYNC = 50,
    GT_WIRE_CLOCK_SNAPSHOT = 51,
    GT_WIRE_END_OF_GENERATION = 52,
    GT_WIRE_SPAN = 128,
    GT_WIRE_SPAN_ALLOC = 129,
    GT_WIRE_SPAN_FREE = 130,
    GT_WIRE_HEAP_OBJECT = 131,
    GT_WIRE_HEAP_OBJECT_ALLOC = 132,
    GT_WIRE_HEAP_OBJECT_FREE = 133,
    GT_WIRE_GOROUTINE_STACK = 134,
    GT_WIRE_GOROUTINE_STACK_ALLOC = 135,
    GT_WIRE_GOROUTINE_STACK_FREE = 136
};

/**
 * Types of records in traces of Go 1.5 to 1.21; the type is the low 6 bits of the first byte of
 * a record. No more will be added.
 * @since 0.1.0
 */
typedef uint32_t gt_v1_type;

/** Values of gt_v1_type. @since 0.1.0 */
enum {
    GT_V1_BATCH = 1,
    GT_V1_FREQUENCY = 2,
    GT_V1_STACK = 3,
    GT_V1_GOMAXPROCS = 4,
    GT_V1_PROC_START = 5,
    GT_V1_PROC_STOP = 6,
    GT_V1_GC_START = 7,
    GT_V1_GC_DONE = 8,
    GT_V1_STW_START = 9,
    GT_V1_STW_DONE = 10,
    GT_V1_SWEEP_START = 11,
    GT_V1_SWEEP_DONE = 12,
    GT_V1_GO_CREATE = 13,
    GT_V1_GO_START = 14,
    GT_V1_GO_END = 15,
    GT_V1_GO_STOP = 16,
    GT_V1_GO_SCHED = 17,
    GT_V1_GO_PREEMPT = 18,
    GT_V1_GO_SLEEP = 19,
    GT_V1_GO_BLOCK = 20,
    GT_V1_GO_UNBLOCK = 21,
    GT_V1_GO_BLOCK_SEND = 22,
    GT_V1_GO_BLOCK_RECV = 23,
    GT_V1_GO_BLOCK_SELECT = 24,
    GT_V1_GO_BLOCK_SYNC = 25,
    GT_V1_GO_BLOCK_COND = 26,
    GT_V1_GO_BLOCK_NET = 27,
    GT_V1_GO_SYS_CALL = 28,
    GT_V1_GO_SYS_EXIT = 29,
    GT_V1_GO_SYS_BLOCK = 30,
    GT_V1_GO_WAITING = 31,
    GT_V1_GO_IN_SYSCALL = 32,
    GT_V1_HEAP_ALLOC = 33,
    GT_V1_HEAP_GOAL = 34,
    GT_V1_TIMER_GOROUTINE = 35,
    GT_V1_FUTILE_WAKEUP = 36,
    GT_V1_STRING = 37,
    GT_V1_GO_START_LOCAL = 38,
    GT_V1_GO_UNBLOCK_LOCAL = 39,
    GT_V1_GO_SYS_EXIT_LOCAL = 40,
    GT_V1_GO_START_LABEL = 41,
    GT_V1_GO_BLOCK_GC = 42,
    GT_V1_MARK_ASSIST_START = 43,
    GT_V1_MARK_ASSIST_DONE = 44,
    GT_V1_USER_TASK_CREATE = 45,
    GT_V1_USER_TASK_END = 46,
    GT_V1_USER_REGION = 47,
    GT_V1_USER_LOG = 48,
    GT_V1_CPU_SAMPLE = 49
};

/** The meaning of the number in an argument. More may be added. @since 0.1.0 */
typedef uint32_t gt_wire_kind;

/** Values of gt_wire_kind. @since 0.1.0 */
enum {
    /** A plain number: an amount, a line, or an id of something not listed below. */
    GT_WIRE_NUMBER = 0,
    /** Clock units since the previous record in the batch. */
    GT_WIRE_TIME_DELTA = 1,
    /** Clock units since the zero of the clock. */
    GT_WIRE_TIME = 2,
    /** A sequence number: it counts the changes of a goroutine, a proc or the garbage collector. */
    GT_WIRE_SEQUENCE = 3,
    /** The id of a thread; all bits set means none. */
    GT_WIRE_THREAD = 4,
    /** The id of a proc; all bits set means none. */
    GT_WIRE_PROC = 5,
    /** The id of a goroutine; all bits set means none, in traces of Go 1.21 and earlier 0 does. */
    GT_WIRE_GOROUTINE = 6,
    /** The id of a task; 0 is the background task. */
    GT_WIRE_TASK = 7,
    /** An id in the string table; 0 is the empty string. */
    GT_WIRE_STRING_ID = 8,
    /** An id in the stack table: the stack where the record was made; 0 is no stack. */
    GT_WIRE_STACK_ID = 9,
    /** An id in the stack table: the stack that a new goroutine will start with. */
    GT_WIRE_NEW_STACK_ID = 10,
    /**
     * The status of a proc: 1 running, 2 idle, 3 in a system call, 4 in an abandoned system
     * call.
     */
    GT_WIRE_PROC_STATUS_CODE = 11,
    /** The status of a goroutine: 1 runnable, 2 running, 3 in a system call, 4 waiting. */
    GT_WIRE_GO_STATUS_CODE = 12,
    /** The number of bytes of a batch, or of frames of a stack, that follow. */
    GT_WIRE_COUNT = 13
};

/** An argument of a type of record. Its layout will never change. @since 0.1.0 */
typedef struct gt_wire_argument {
    /** The name in Go's text form, such as "new_g". The string is static. */
    const char *name;
    /** A gt_wire_kind. */
    uint32_t kind;
    /** Always 0. */
    uint32_t reserved;
} gt_wire_argument;

/**
 * A bit of gt_wire_spec.flags. The record has a time: one of its arguments is a GT_WIRE_TIME_DELTA.
 * @since 0.1.0
 */
#define GT_WIRE_TIMED (UINT32_C(1) << 0)

/** A bit of gt_wire_spec.flags. The arguments are followed by bytes. @since 0.1.0 */
#define GT_WIRE_HAS_DATA (UINT32_C(1) << 1)

/**
 * A bit of gt_wire_spec.flags. The arguments are followed by frames; the last argument is their
 * number.
 * @since 0.1.0
 */
#define GT_WIRE_HAS_FRAMES (UINT32_C(1) << 2)

/**
 * A bit of gt_wire_spec.flags. The frames consist of gt_raw_frame.pc alone, as in Go 1.5 and 1.6.
 * @since 0.1.0
 */
#define GT_WIRE_BARE_FRAMES (UINT32_C(1) << 3)

/**
 * The description of a type of record in one version. It belongs to the library, is static and
 * read-only. Its layout will never change.
 * @since 0.1.0
 */
typedef struct gt_wire_spec {
    /** A gt_wire_type, or up to version 21 a gt_v1_type. */
    uint32_t type;
    /** GT_WIRE_ bits. */
    uint32_t flags;
    /** The name in Go's text form, such as "GoCreate". */
    const char *name;
    /** The arguments, in the order of the trace. */
    const gt_wire_argument *arguments;
    /** The number of arguments. */
    uint32_t argument_count;
    /** The number of the experiment that the record belongs to, or 0 for none. */
    uint32_t experiment;
    /** If the record ends or continues what another type begins, that type, else 0. */
    uint32_t begin_type;
    /** Always 0. */
    uint32_t reserved;
} gt_wire_spec;

/**
 * Look up a type of record in traces with the header "go 1.N trace", where N is `version`: by
 * its number `type`, or by its name of `size` bytes. A version newer than those that the
 * library knows has the records of the newest known version. Return NULL if there is no such
 * record or version.
 * Thread-safety: safe.
 * @since 0.1.0
 */
GT_API const gt_wire_spec *gt_wire_spec_get(uint32_t version, uint32_t type);
/** @copydoc gt_wire_spec_get @since 0.1.0 */
GT_API const gt_wire_spec *gt_wire_spec_find(uint32_t version, const char *name, size_t size);

#ifdef __cplusplus
}
#endif

#endif
