/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/spec.h"

#define STRUCTURAL(text)                                                                           \
    {                                                                                              \
        .name = text                                                                               \
    }
#define TIMED(text, arguments)                                                                     \
    {                                                                                              \
        .name = text, .numbers = 1 + (arguments)                                                   \
    }
#define ALLOC_FREE(text, arguments, ...)                                                           \
    {                                                                                              \
        .name = text, .numbers = 1 + (arguments), .experiment = 1, .argument_names = {             \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

const struct gt_wire_spec gt_wire_specs[256] = {
    [GT_WIRE_EVENT_BATCH] = STRUCTURAL("EventBatch"),
    [GT_WIRE_STACKS] = STRUCTURAL("Stacks"),
    [GT_WIRE_STACK] = STRUCTURAL("Stack"),
    [GT_WIRE_STRINGS] = STRUCTURAL("Strings"),
    [GT_WIRE_STRING] = STRUCTURAL("String"),
    [GT_WIRE_CPU_SAMPLES] = STRUCTURAL("CPUSamples"),
    [GT_WIRE_CPU_SAMPLE] = STRUCTURAL("CPUSample"),
    [GT_WIRE_FREQUENCY] = STRUCTURAL("Frequency"),
    [GT_WIRE_PROCS_CHANGE] = TIMED("ProcsChange", 2),
    [GT_WIRE_PROC_START] = TIMED("ProcStart", 2),
    [GT_WIRE_PROC_STOP] = TIMED("ProcStop", 0),
    [GT_WIRE_PROC_STEAL] = TIMED("ProcSteal", 3),
    [GT_WIRE_PROC_STATUS] = TIMED("ProcStatus", 2),
    [GT_WIRE_GO_CREATE] = TIMED("GoCreate", 3),
    [GT_WIRE_GO_CREATE_SYSCALL] = TIMED("GoCreateSyscall", 1),
    [GT_WIRE_GO_START] = TIMED("GoStart", 2),
    [GT_WIRE_GO_DESTROY] = TIMED("GoDestroy", 0),
    [GT_WIRE_GO_DESTROY_SYSCALL] = TIMED("GoDestroySyscall", 0),
    [GT_WIRE_GO_STOP] = TIMED("GoStop", 2),
    [GT_WIRE_GO_BLOCK] = TIMED("GoBlock", 2),
    [GT_WIRE_GO_UNBLOCK] = TIMED("GoUnblock", 3),
    [GT_WIRE_GO_SYSCALL_BEGIN] = TIMED("GoSyscallBegin", 2),
    [GT_WIRE_GO_SYSCALL_END] = TIMED("GoSyscallEnd", 0),
    [GT_WIRE_GO_SYSCALL_END_BLOCKED] = TIMED("GoSyscallEndBlocked", 0),
    [GT_WIRE_GO_STATUS] = TIMED("GoStatus", 3),
    [GT_WIRE_STW_BEGIN] = TIMED("STWBegin", 2),
    [GT_WIRE_STW_END] = TIMED("STWEnd", 0),
    [GT_WIRE_GC_ACTIVE] = TIMED("GCActive", 1),
    [GT_WIRE_GC_BEGIN] = TIMED("GCBegin", 2),
    [GT_WIRE_GC_END] = TIMED("GCEnd", 1),
    [GT_WIRE_GC_SWEEP_ACTIVE] = TIMED("GCSweepActive", 1),
    [GT_WIRE_GC_SWEEP_BEGIN] = TIMED("GCSweepBegin", 1),
    [GT_WIRE_GC_SWEEP_END] = TIMED("GCSweepEnd", 2),
    [GT_WIRE_GC_MARK_ASSIST_ACTIVE] = TIMED("GCMarkAssistActive", 1),
    [GT_WIRE_GC_MARK_ASSIST_BEGIN] = TIMED("GCMarkAssistBegin", 1),
    [GT_WIRE_GC_MARK_ASSIST_END] = TIMED("GCMarkAssistEnd", 0),
    [GT_WIRE_HEAP_ALLOC] = TIMED("HeapAlloc", 1),
    [GT_WIRE_HEAP_GOAL] = TIMED("HeapGoal", 1),
    [GT_WIRE_GO_LABEL] = TIMED("GoLabel", 1),
    [GT_WIRE_USER_TASK_BEGIN] = TIMED("UserTaskBegin", 4),
    [GT_WIRE_USER_TASK_END] = TIMED("UserTaskEnd", 2),
    [GT_WIRE_USER_REGION_BEGIN] = TIMED("UserRegionBegin", 3),
    [GT_WIRE_USER_REGION_END] = TIMED("UserRegionEnd", 3),
    [GT_WIRE_USER_LOG] = TIMED("UserLog", 4),
    [GT_WIRE_GO_SWITCH] = TIMED("GoSwitch", 2),
    [GT_WIRE_GO_SWITCH_DESTROY] = TIMED("GoSwitchDestroy", 2),
    [GT_WIRE_GO_CREATE_BLOCKED] = TIMED("GoCreateBlocked", 3),
    [GT_WIRE_GO_STATUS_STACK] = TIMED("GoStatusStack", 4),
    [GT_WIRE_EXPERIMENTAL_BATCH] = STRUCTURAL("ExperimentalBatch"),
    [GT_WIRE_SYNC] = STRUCTURAL("Sync"),
    [GT_WIRE_CLOCK_SNAPSHOT] = STRUCTURAL("ClockSnapshot"),
    [GT_WIRE_END_OF_GENERATION] = STRUCTURAL("EndOfGeneration"),
    [GT_WIRE_SPAN] = ALLOC_FREE("Span", 3, "id", "npages_value", "kindclass"),
    [GT_WIRE_SPAN_ALLOC] = ALLOC_FREE("SpanAlloc", 3, "id", "npages_value", "kindclass"),
    [GT_WIRE_SPAN_FREE] = ALLOC_FREE("SpanFree", 1, "id"),
    [GT_WIRE_HEAP_OBJECT] = ALLOC_FREE("HeapObject", 2, "id", "type"),
    [GT_WIRE_HEAP_OBJECT_ALLOC] = ALLOC_FREE("HeapObjectAlloc", 2, "id", "type"),
    [GT_WIRE_HEAP_OBJECT_FREE] = ALLOC_FREE("HeapObjectFree", 1, "id"),
    [GT_WIRE_GOROUTINE_STACK] = ALLOC_FREE("GoroutineStack", 2, "id", "order"),
    [GT_WIRE_GOROUTINE_STACK_ALLOC] = ALLOC_FREE("GoroutineStackAlloc", 2, "id", "order"),
    [GT_WIRE_GOROUTINE_STACK_FREE] = ALLOC_FREE("GoroutineStackFree", 1, "id"),
};

const char *gt_v2_experiment_name(uint64_t experiment)
{
    return experiment == 1 ? "AllocFree" : "";
}
