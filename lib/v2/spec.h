/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_SPEC_H
#define GT_V2_SPEC_H

#include <stdint.h>

/* First bytes of batches and events: Go's internal/trace/tracev2/events.go. */
enum gt_wire {
    GT_WIRE_NONE = 0,
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

enum {
    /* Limits of the format, unchanged since Go 1.22: the same file. */
    GT_V2_MAX_BATCH = 64 << 10,
    GT_V2_MAX_STRING = 1 << 10,
    GT_V2_MAX_FRAMES = 128,

    /* Values of a goroutine's status ... */
    GT_V2_GO_BAD = 0,
    GT_V2_GO_RUNNABLE = 1,
    GT_V2_GO_RUNNING = 2,
    GT_V2_GO_SYSCALL = 3,
    GT_V2_GO_WAITING = 4,
    GT_V2_GO_STATUSES = 5,

    /* ... and of a proc's. */
    GT_V2_PROC_BAD = 0,
    GT_V2_PROC_RUNNING = 1,
    GT_V2_PROC_IDLE = 2,
    GT_V2_PROC_SYSCALL = 3,
    GT_V2_PROC_SYSCALL_ABANDONED = 4,
    GT_V2_PROC_STATUSES = 5
};

struct gt_wire_spec {
    const char *name;
    uint8_t numbers; /* how many follow, the time among them; 0: no event of a thread */
    uint8_t experiment;
    const char *argument_names[3]; /* of experimental events */
};

/* By first byte. A name is NULL where no event has that byte. */
extern const struct gt_wire_spec gt_wire_specs[256];

/* The name of an experiment, "" where it is not known. */
const char *gt_v2_experiment_name(uint64_t experiment);

#endif
