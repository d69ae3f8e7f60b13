/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_SPEC_H
#define GT_V1_SPEC_H

#include <stdint.h>

/*
 * Types of events, the low 6 bits of their first byte: Go 1.21's
 * runtime/trace.go. The names are those of Go's trace reader.
 */
enum gt_v1_type {
    GT_V1_NONE = 0,
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
    GT_V1_CPU_SAMPLE = 49,
    GT_V1_TYPES = 50
};

enum {
    /* The first byte's high 2 bits: one less than the arguments after the time, or this. */
    GT_V1_COUNTED = 3, /* the arguments' length in bytes comes first */

    /* Limits of Go's reader: Go 1.21's internal/trace/parser.go. */
    GT_V1_MAX_TEXT = 1000000,
    GT_V1_MAX_FRAMES = 1000,

    /* The most numbers that an event has, but for stacks: N = 5, GoSysExit. */
    GT_V1_NUMBERS = 5,

    /* Kinds of stopped worlds: Go 1.21's runtime/proc.go, stwReason. */
    GT_V1_STW_KINDS = 17
};

struct gt_v1_spec {
    const char *name;
    uint8_t since;     /* N of the first header that has it; 0: no event */
    uint8_t arguments; /* between time and stack, as of N = 21 */
    uint8_t has_stack;
    uint8_t has_time;
};

/* By type. */
extern const struct gt_v1_spec gt_v1_specs[GT_V1_TYPES];

/*
 * How many numbers an event of a trace with header N has, the time, its
 * sequence number with N = 5, and the stack among them; 0 where N has no such type.
 */
unsigned gt_v1_numbers(uint32_t version, unsigned type);

#endif
