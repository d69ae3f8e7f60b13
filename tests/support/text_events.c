/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/text_events.h"

#include <string.h>

#include "support/wire.h"

/* The names and arguments of internal/trace/tracev2/events.go, Go 1.27. */
static const struct text_event events[] = {
    {"EventBatch", EV_EVENT_BATCH, "gen m time size", 0},
    {"Stacks", EV_STACKS, "", 0},
    {"Stack", EV_STACK, "id nframes", 0},
    {"Strings", EV_STRINGS, "", 0},
    {"String", EV_STRING, "id", 1},
    {"CPUSamples", EV_CPU_SAMPLES, "", 0},
    {"CPUSample", EV_CPU_SAMPLE, "time m p g stack", 0},
    {"Frequency", EV_FREQUENCY, "freq", 0},
    {"ProcsChange", EV_PROCS_CHANGE, "dt procs_value stack", 0},
    {"ProcStart", EV_PROC_START, "dt p p_seq", 0},
    {"ProcStop", EV_PROC_STOP, "dt", 0},
    {"ProcSteal", EV_PROC_STEAL, "dt p p_seq m", 0},
    {"ProcStatus", EV_PROC_STATUS, "dt p pstatus", 0},
    {"GoCreate", EV_GO_CREATE, "dt new_g new_stack stack", 0},
    {"GoCreateSyscall", EV_GO_CREATE_SYSCALL, "dt new_g", 0},
    {"GoStart", EV_GO_START, "dt g g_seq", 0},
    {"GoDestroy", EV_GO_DESTROY, "dt", 0},
    {"GoDestroySyscall", EV_GO_DESTROY_SYSCALL, "dt", 0},
    {"GoStop", EV_GO_STOP, "dt reason_string stack", 0},
    {"GoBlock", EV_GO_BLOCK, "dt reason_string stack", 0},
    {"GoUnblock", EV_GO_UNBLOCK, "dt g g_seq stack", 0},
    {"GoSyscallBegin", EV_GO_SYSCALL_BEGIN, "dt p_seq stack", 0},
    {"GoSyscallEnd", EV_GO_SYSCALL_END, "dt", 0},
    {"GoSyscallEndBlocked", EV_GO_SYSCALL_END_BLOCKED, "dt", 0},
    {"GoStatus", EV_GO_STATUS, "dt g m gstatus", 0},
    {"STWBegin", EV_STW_BEGIN, "dt kind_string stack", 0},
    {"STWEnd", EV_STW_END, "dt", 0},
    {"GCActive", EV_GC_ACTIVE, "dt gc_seq", 0},
    {"GCBegin", EV_GC_BEGIN, "dt gc_seq stack", 0},
    {"GCEnd", EV_GC_END, "dt gc_seq", 0},
    {"GCSweepActive", EV_GC_SWEEP_ACTIVE, "dt p", 0},
    {"GCSweepBegin", EV_GC_SWEEP_BEGIN, "dt stack", 0},
    {"GCSweepEnd", EV_GC_SWEEP_END, "dt swept_value reclaimed_value", 0},
    {"GCMarkAssistActive", EV_GC_MARK_ASSIST_ACTIVE, "dt g", 0},
    {"GCMarkAssistBegin", EV_GC_MARK_ASSIST_BEGIN, "dt stack", 0},
    {"GCMarkAssistEnd", EV_GC_MARK_ASSIST_END, "dt", 0},
    {"HeapAlloc", EV_HEAP_ALLOC, "dt heapalloc_value", 0},
    {"HeapGoal", EV_HEAP_GOAL, "dt heapgoal_value", 0},
    {"GoLabel", EV_GO_LABEL, "dt label_string", 0},
    {"UserTaskBegin", EV_USER_TASK_BEGIN, "dt task parent_task name_string stack", 0},
    {"UserTaskEnd", EV_USER_TASK_END, "dt task stack", 0},
    {"UserRegionBegin", EV_USER_REGION_BEGIN, "dt task name_string stack", 0},
    {"UserRegionEnd", EV_USER_REGION_END, "dt task name_string stack", 0},
    {"UserLog", EV_USER_LOG, "dt task key_string value_string stack", 0},
    {"GoSwitch", EV_GO_SWITCH, "dt g g_seq", 0},
    {"GoSwitchDestroy", EV_GO_SWITCH_DESTROY, "dt g g_seq", 0},
    {"GoCreateBlocked", EV_GO_CREATE_BLOCKED, "dt new_g new_stack stack", 0},
    {"GoStatusStack", EV_GO_STATUS_STACK, "dt g m gstatus stack", 0},
    {"ExperimentalBatch", EV_EXPERIMENTAL_BATCH, "exp gen m time", 1},
    {"Sync", EV_SYNC, "", 0},
    {"ClockSnapshot", EV_CLOCK_SNAPSHOT, "dt mono sec nsec", 0},
    {"EndOfGeneration", EV_END_OF_GENERATION, "", 0},
    {"Span", EV_SPAN, "dt id npages_value kindclass", 0},
    {"SpanAlloc", EV_SPAN_ALLOC, "dt id npages_value kindclass", 0},
    {"SpanFree", EV_SPAN_FREE, "dt id", 0},
    {"HeapObject", EV_HEAP_OBJECT, "dt id type", 0},
    {"HeapObjectAlloc", EV_HEAP_OBJECT_ALLOC, "dt id type", 0},
    {"HeapObjectFree", EV_HEAP_OBJECT_FREE, "dt id", 0},
    {"GoroutineStack", EV_GOROUTINE_STACK, "dt id order", 0},
    {"GoroutineStackAlloc", EV_GOROUTINE_STACK_ALLOC, "dt id order", 0},
    {"GoroutineStackFree", EV_GOROUTINE_STACK_FREE, "dt id", 0},
};

const struct text_event *text_event_find(const char *name, size_t size)
{
    size_t i;

    for (i = 0; i < sizeof(events) / sizeof(*events); i++) {
        if (strlen(events[i].name) == size && memcmp(events[i].name, name, size) == 0)
            return &events[i];
    }
    return NULL;
}
