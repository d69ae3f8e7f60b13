/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/spec.h"

#include <stddef.h>

/* Structural records, events, and events with a stack at their end. */
#define RECORD(name, since, arguments)                                                             \
    {                                                                                              \
        name, since, arguments, 0, 0                                                               \
    }
#define EVENT(name, since, arguments)                                                              \
    {                                                                                              \
        name, since, arguments, 0, 1                                                               \
    }
#define STACKED(name, since, arguments)                                                            \
    {                                                                                              \
        name, since, arguments, 1, 1                                                               \
    }

const struct gt_v1_spec gt_v1_specs[GT_V1_TYPES] = {
    [GT_V1_NONE] = {"None", 0, 0, 0, 0},
    [GT_V1_BATCH] = RECORD("Batch", 5, 2),
    [GT_V1_FREQUENCY] = RECORD("Frequency", 5, 1),
    [GT_V1_STACK] = RECORD("Stack", 5, 2),
    [GT_V1_GOMAXPROCS] = STACKED("Gomaxprocs", 5, 1),
    [GT_V1_PROC_START] = EVENT("ProcStart", 5, 1),
    [GT_V1_PROC_STOP] = EVENT("ProcStop", 5, 0),
    [GT_V1_GC_START] = STACKED("GCStart", 5, 1),
    [GT_V1_GC_DONE] = EVENT("GCDone", 5, 0),
    [GT_V1_STW_START] = EVENT("STWStart", 5, 1),
    [GT_V1_STW_DONE] = EVENT("STWDone", 5, 0),
    [GT_V1_SWEEP_START] = STACKED("GCSweepStart", 5, 0),
    [GT_V1_SWEEP_DONE] = EVENT("GCSweepDone", 5, 2),
    [GT_V1_GO_CREATE] = STACKED("GoCreate", 5, 2),
    [GT_V1_GO_START] = EVENT("GoStart", 5, 2),
    [GT_V1_GO_END] = EVENT("GoEnd", 5, 0),
    [GT_V1_GO_STOP] = STACKED("GoStop", 5, 0),
    [GT_V1_GO_SCHED] = STACKED("GoSched", 5, 0),
    [GT_V1_GO_PREEMPT] = STACKED("GoPreempt", 5, 0),
    [GT_V1_GO_SLEEP] = STACKED("GoSleep", 5, 0),
    [GT_V1_GO_BLOCK] = STACKED("GoBlock", 5, 0),
    [GT_V1_GO_UNBLOCK] = STACKED("GoUnblock", 5, 2),
    [GT_V1_GO_BLOCK_SEND] = STACKED("GoBlockSend", 5, 0),
    [GT_V1_GO_BLOCK_RECV] = STACKED("GoBlockRecv", 5, 0),
    [GT_V1_GO_BLOCK_SELECT] = STACKED("GoBlockSelect", 5, 0),
    [GT_V1_GO_BLOCK_SYNC] = STACKED("GoBlockSync", 5, 0),
    [GT_V1_GO_BLOCK_COND] = STACKED("GoBlockCond", 5, 0),
    [GT_V1_GO_BLOCK_NET] = STACKED("GoBlockNet", 5, 0),
    [GT_V1_GO_SYS_CALL] = STACKED("GoSysCall", 5, 0),
    [GT_V1_GO_SYS_EXIT] = EVENT("GoSysExit", 5, 3),
    [GT_V1_GO_SYS_BLOCK] = EVENT("GoSysBlock", 5, 0),
    [GT_V1_GO_WAITING] = EVENT("GoWaiting", 5, 1),
    [GT_V1_GO_IN_SYSCALL] = EVENT("GoInSyscall", 5, 1),
    [GT_V1_HEAP_ALLOC] = EVENT("HeapAlloc", 5, 1),
    [GT_V1_HEAP_GOAL] = EVENT("HeapGoal", 5, 1),
    [GT_V1_TIMER_GOROUTINE] = RECORD("TimerGoroutine", 5, 1),
    [GT_V1_FUTILE_WAKEUP] = EVENT("FutileWakeup", 5, 0),
    [GT_V1_STRING] = RECORD("String", 7, 2),
    [GT_V1_GO_START_LOCAL] = EVENT("GoStartLocal", 7, 1),
    [GT_V1_GO_UNBLOCK_LOCAL] = STACKED("GoUnblockLocal", 7, 1),
    [GT_V1_GO_SYS_EXIT_LOCAL] = EVENT("GoSysExitLocal", 7, 2),
    [GT_V1_GO_START_LABEL] = EVENT("GoStartLabel", 8, 3),
    [GT_V1_GO_BLOCK_GC] = STACKED("GoBlockGC", 8, 0),
    [GT_V1_MARK_ASSIST_START] = STACKED("GCMarkAssistStart", 9, 0),
    [GT_V1_MARK_ASSIST_DONE] = EVENT("GCMarkAssistDone", 9, 0),
    [GT_V1_USER_TASK_CREATE] = STACKED("UserTaskCreate", 11, 3),
    [GT_V1_USER_TASK_END] = STACKED("UserTaskEnd", 11, 1),
    [GT_V1_USER_REGION] = STACKED("UserRegion", 11, 3),
    [GT_V1_USER_LOG] = STACKED("UserLog", 11, 2),
    [GT_V1_CPU_SAMPLE] = STACKED("CPUSample", 19, 3),
};

/* How many arguments a type lacks with this N. */
static unsigned lacking(uint32_t version, unsigned type)
{
    switch (type) {
    case GT_V1_GC_START:
    case GT_V1_GO_START:
    case GT_V1_GO_UNBLOCK:
        return version < 7 ? 1 : 0;
    case GT_V1_SWEEP_DONE:
        return version < 9 ? 2 : 0;
    case GT_V1_STW_START:
        return version < 10 ? 1 : 0;
    default:
        return 0;
    }
}

unsigned gt_v1_numbers(uint32_t version, unsigned type)
{
    if (type >= GT_V1_TYPES)
        return 0;
    const struct gt_v1_spec *spec = &gt_v1_specs[type];
    if (spec->since == 0 || spec->since > version)
        return 0;
    unsigned count = spec->arguments + 0U + spec->has_stack - lacking(version, type);
    if (spec->has_time)
        count += version < 7 ? 2 : 1;
    /* A number that Go 1.5 wrote and never used; in a batch it is the sequence number. */
    else if (version < 7 && type != GT_V1_STACK)
        count++;
    return count;
}
