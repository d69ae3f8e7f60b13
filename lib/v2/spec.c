/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/spec.h"

/*
 * The types of records: all of Go's internal/trace/tracev2/events.go, with its names of arguments.
 */

/* clang-format off */
#define A_GEN {"gen", GT_WIRE_NUMBER, 0}
#define A_M {"m", GT_WIRE_THREAD, 0}
#define A_TIME {"time", GT_WIRE_TIME, 0}
#define A_SIZE {"size", GT_WIRE_COUNT, 0}
#define A_ID {"id", GT_WIRE_NUMBER, 0}
#define A_NFRAMES {"nframes", GT_WIRE_COUNT, 0}
#define A_P {"p", GT_WIRE_PROC, 0}
#define A_G {"g", GT_WIRE_GOROUTINE, 0}
#define A_STACK {"stack", GT_WIRE_STACK_ID, 0}
#define A_FREQ {"freq", GT_WIRE_NUMBER, 0}
#define A_DT {"dt", GT_WIRE_TIME_DELTA, 0}
#define A_PROCS_VALUE {"procs_value", GT_WIRE_NUMBER, 0}
#define A_P_SEQ {"p_seq", GT_WIRE_SEQUENCE, 0}
#define A_PSTATUS {"pstatus", GT_WIRE_PROC_STATUS_CODE, 0}
#define A_NEW_G {"new_g", GT_WIRE_GOROUTINE, 0}
#define A_NEW_STACK {"new_stack", GT_WIRE_NEW_STACK_ID, 0}
#define A_G_SEQ {"g_seq", GT_WIRE_SEQUENCE, 0}
#define A_REASON_STRING {"reason_string", GT_WIRE_STRING_ID, 0}
#define A_GSTATUS {"gstatus", GT_WIRE_GO_STATUS_CODE, 0}
#define A_KIND_STRING {"kind_string", GT_WIRE_STRING_ID, 0}
#define A_GC_SEQ {"gc_seq", GT_WIRE_SEQUENCE, 0}
#define A_SWEPT_VALUE {"swept_value", GT_WIRE_NUMBER, 0}
#define A_RECLAIMED_VALUE {"reclaimed_value", GT_WIRE_NUMBER, 0}
#define A_HEAPALLOC_VALUE {"heapalloc_value", GT_WIRE_NUMBER, 0}
#define A_HEAPGOAL_VALUE {"heapgoal_value", GT_WIRE_NUMBER, 0}
#define A_LABEL_STRING {"label_string", GT_WIRE_STRING_ID, 0}
#define A_TASK {"task", GT_WIRE_TASK, 0}
#define A_PARENT_TASK {"parent_task", GT_WIRE_TASK, 0}
#define A_NAME_STRING {"name_string", GT_WIRE_STRING_ID, 0}
#define A_KEY_STRING {"key_string", GT_WIRE_STRING_ID, 0}
#define A_VALUE_STRING {"value_string", GT_WIRE_STRING_ID, 0}
#define A_EXP {"exp", GT_WIRE_NUMBER, 0}
#define A_MONO {"mono", GT_WIRE_NUMBER, 0}
#define A_SEC {"sec", GT_WIRE_NUMBER, 0}
#define A_NSEC {"nsec", GT_WIRE_NUMBER, 0}
#define A_NPAGES_VALUE {"npages_value", GT_WIRE_NUMBER, 0}
#define A_KINDCLASS {"kindclass", GT_WIRE_NUMBER, 0}
#define A_TYPE {"type", GT_WIRE_NUMBER, 0}
#define A_ORDER {"order", GT_WIRE_NUMBER, 0}
/* clang-format on */

#define ARGUMENTS(...)                                                                             \
    (const gt_wire_argument[]){__VA_ARGS__},                                                       \
        sizeof((const gt_wire_argument[]){__VA_ARGS__}) / sizeof(gt_wire_argument)
#define BARE(number, text) [number] = {number, 0, text, NULL, 0, 0, 0, 0}
#define RECORD(number, text, flags, ...)                                                           \
    [number] = {number, flags, text, ARGUMENTS(__VA_ARGS__), 0, 0, 0}
#define TIMED(number, text, ...)                                                                   \
    [number] = {number, GT_WIRE_TIMED, text, ARGUMENTS(__VA_ARGS__), 0, 0, 0}
#define FOLLOWS(number, text, begin, ...)                                                          \
    [number] = {number, GT_WIRE_TIMED, text, ARGUMENTS(__VA_ARGS__), 0, begin, 0}
#define ALLOC_FREE(number, text, ...)                                                              \
    [number] = {number, GT_WIRE_TIMED, text, ARGUMENTS(__VA_ARGS__), 1, 0, 0}

const gt_wire_spec gt_v2_specs[256] = {
    RECORD(GT_WIRE_EVENT_BATCH, "EventBatch", 0, A_GEN, A_M, A_TIME, A_SIZE),
    BARE(GT_WIRE_STACKS, "Stacks"),
    RECORD(GT_WIRE_STACK, "Stack", GT_WIRE_HAS_FRAMES, A_ID, A_NFRAMES),
    BARE(GT_WIRE_STRINGS, "Strings"),
    RECORD(GT_WIRE_STRING, "String", GT_WIRE_HAS_DATA, A_ID),
    BARE(GT_WIRE_CPU_SAMPLES, "CPUSamples"),
    RECORD(GT_WIRE_CPU_SAMPLE, "CPUSample", 0, A_TIME, A_M, A_P, A_G, A_STACK),
    RECORD(GT_WIRE_FREQUENCY, "Frequency", 0, A_FREQ),
    TIMED(GT_WIRE_PROCS_CHANGE, "ProcsChange", A_DT, A_PROCS_VALUE, A_STACK),
    TIMED(GT_WIRE_PROC_START, "ProcStart", A_DT, A_P, A_P_SEQ),
    TIMED(GT_WIRE_PROC_STOP, "ProcStop", A_DT),
    TIMED(GT_WIRE_PROC_STEAL, "ProcSteal", A_DT, A_P, A_P_SEQ, A_M),
    TIMED(GT_WIRE_PROC_STATUS, "ProcStatus", A_DT, A_P, A_PSTATUS),
    TIMED(GT_WIRE_GO_CREATE, "GoCreate", A_DT, A_NEW_G, A_NEW_STACK, A_STACK),
    TIMED(GT_WIRE_GO_CREATE_SYSCALL, "GoCreateSyscall", A_DT, A_NEW_G),
    TIMED(GT_WIRE_GO_START, "GoStart", A_DT, A_G, A_G_SEQ),
    TIMED(GT_WIRE_GO_DESTROY, "GoDestroy", A_DT),
    TIMED(GT_WIRE_GO_DESTROY_SYSCALL, "GoDestroySyscall", A_DT),
    TIMED(GT_WIRE_GO_STOP, "GoStop", A_DT, A_REASON_STRING, A_STACK),
    TIMED(GT_WIRE_GO_BLOCK, "GoBlock", A_DT, A_REASON_STRING, A_STACK),
    TIMED(GT_WIRE_GO_UNBLOCK, "GoUnblock", A_DT, A_G, A_G_SEQ, A_STACK),
    TIMED(GT_WIRE_GO_SYSCALL_BEGIN, "GoSyscallBegin", A_DT, A_P_SEQ, A_STACK),
    FOLLOWS(GT_WIRE_GO_SYSCALL_END, "GoSyscallEnd", GT_WIRE_GO_SYSCALL_BEGIN, A_DT),
    FOLLOWS(GT_WIRE_GO_SYSCALL_END_BLOCKED, "GoSyscallEndBlocked", GT_WIRE_GO_SYSCALL_BEGIN, A_DT),
    TIMED(GT_WIRE_GO_STATUS, "GoStatus", A_DT, A_G, A_M, A_GSTATUS),
    TIMED(GT_WIRE_STW_BEGIN, "STWBegin", A_DT, A_KIND_STRING, A_STACK),
    FOLLOWS(GT_WIRE_STW_END, "STWEnd", GT_WIRE_STW_BEGIN, A_DT),
    FOLLOWS(GT_WIRE_GC_ACTIVE, "GCActive", GT_WIRE_GC_BEGIN, A_DT, A_GC_SEQ),
    TIMED(GT_WIRE_GC_BEGIN, "GCBegin", A_DT, A_GC_SEQ, A_STACK),
    FOLLOWS(GT_WIRE_GC_END, "GCEnd", GT_WIRE_GC_BEGIN, A_DT, A_GC_SEQ),
    FOLLOWS(GT_WIRE_GC_SWEEP_ACTIVE, "GCSweepActive", GT_WIRE_GC_SWEEP_BEGIN, A_DT, A_P),
    TIMED(GT_WIRE_GC_SWEEP_BEGIN, "GCSweepBegin", A_DT, A_STACK),
    FOLLOWS(GT_WIRE_GC_SWEEP_END, "GCSweepEnd", GT_WIRE_GC_SWEEP_BEGIN, A_DT, A_SWEPT_VALUE,
            A_RECLAIMED_VALUE),
    FOLLOWS(GT_WIRE_GC_MARK_ASSIST_ACTIVE, "GCMarkAssistActive", GT_WIRE_GC_MARK_ASSIST_BEGIN, A_DT,
            A_G),
    TIMED(GT_WIRE_GC_MARK_ASSIST_BEGIN, "GCMarkAssistBegin", A_DT, A_STACK),
    FOLLOWS(GT_WIRE_GC_MARK_ASSIST_END, "GCMarkAssistEnd", GT_WIRE_GC_MARK_ASSIST_BEGIN, A_DT),
    TIMED(GT_WIRE_HEAP_ALLOC, "HeapAlloc", A_DT, A_HEAPALLOC_VALUE),
    TIMED(GT_WIRE_HEAP_GOAL, "HeapGoal", A_DT, A_HEAPGOAL_VALUE),
    TIMED(GT_WIRE_GO_LABEL, "GoLabel", A_DT, A_LABEL_STRING),
    TIMED(GT_WIRE_USER_TASK_BEGIN, "UserTaskBegin", A_DT, A_TASK, A_PARENT_TASK, A_NAME_STRING,
          A_STACK),
    TIMED(GT_WIRE_USER_TASK_END, "UserTaskEnd", A_DT, A_TASK, A_STACK),
    TIMED(GT_WIRE_USER_REGION_BEGIN, "UserRegionBegin", A_DT, A_TASK, A_NAME_STRING, A_STACK),
    FOLLOWS(GT_WIRE_USER_REGION_END, "UserRegionEnd", GT_WIRE_USER_REGION_BEGIN, A_DT, A_TASK,
            A_NAME_STRING, A_STACK),
    TIMED(GT_WIRE_USER_LOG, "UserLog", A_DT, A_TASK, A_KEY_STRING, A_VALUE_STRING, A_STACK),
    TIMED(GT_WIRE_GO_SWITCH, "GoSwitch", A_DT, A_G, A_G_SEQ),
    TIMED(GT_WIRE_GO_SWITCH_DESTROY, "GoSwitchDestroy", A_DT, A_G, A_G_SEQ),
    TIMED(GT_WIRE_GO_CREATE_BLOCKED, "GoCreateBlocked", A_DT, A_NEW_G, A_NEW_STACK, A_STACK),
    TIMED(GT_WIRE_GO_STATUS_STACK, "GoStatusStack", A_DT, A_G, A_M, A_GSTATUS, A_STACK),
    RECORD(GT_WIRE_EXPERIMENTAL_BATCH, "ExperimentalBatch", GT_WIRE_HAS_DATA, A_EXP, A_GEN, A_M,
           A_TIME),
    BARE(GT_WIRE_SYNC, "Sync"),
    TIMED(GT_WIRE_CLOCK_SNAPSHOT, "ClockSnapshot", A_DT, A_MONO, A_SEC, A_NSEC),
    BARE(GT_WIRE_END_OF_GENERATION, "EndOfGeneration"),
    ALLOC_FREE(GT_WIRE_SPAN, "Span", A_DT, A_ID, A_NPAGES_VALUE, A_KINDCLASS),
    ALLOC_FREE(GT_WIRE_SPAN_ALLOC, "SpanAlloc", A_DT, A_ID, A_NPAGES_VALUE, A_KINDCLASS),
    ALLOC_FREE(GT_WIRE_SPAN_FREE, "SpanFree", A_DT, A_ID),
    ALLOC_FREE(GT_WIRE_HEAP_OBJECT, "HeapObject", A_DT, A_ID, A_TYPE),
    ALLOC_FREE(GT_WIRE_HEAP_OBJECT_ALLOC, "HeapObjectAlloc", A_DT, A_ID, A_TYPE),
    ALLOC_FREE(GT_WIRE_HEAP_OBJECT_FREE, "HeapObjectFree", A_DT, A_ID),
    ALLOC_FREE(GT_WIRE_GOROUTINE_STACK, "GoroutineStack", A_DT, A_ID, A_ORDER),
    ALLOC_FREE(GT_WIRE_GOROUTINE_STACK_ALLOC, "GoroutineStackAlloc", A_DT, A_ID, A_ORDER),
    ALLOC_FREE(GT_WIRE_GOROUTINE_STACK_FREE, "GoroutineStackFree", A_DT, A_ID),
};

const gt_wire_spec *gt_v2_spec_get(uint32_t version, uint32_t type)
{
    uint32_t last = version >= 26   ? GT_WIRE_END_OF_GENERATION
                    : version >= 25 ? GT_WIRE_CLOCK_SNAPSHOT
                    : version >= 23 ? GT_WIRE_EXPERIMENTAL_BATCH
                                    : GT_WIRE_USER_LOG;
    if (type > 255 || !gt_v2_specs[type].name)
        return NULL;
    /* Experiments were added in Go 1.23. */
    if (type > last && (version < 23 || !gt_v2_specs[type].experiment))
        return NULL;
    return &gt_v2_specs[type];
}

const char *gt_v2_experiment_name(uint64_t experiment)
{
    return experiment == 1 ? "AllocFree" : "";
}
