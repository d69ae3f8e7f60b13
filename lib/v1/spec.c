/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/spec.h"

#include <stddef.h>

/*
 * The types of records: Go 1.21's internal/trace/parser.go, EventDescriptions, and the same file of
 * Go 1.5. An argument that v2 also has is named as there.
 */

/* clang-format off */
#define A_EVENT_SEQ {"seq", GT_WIRE_SEQUENCE, 0}
#define A_P {"p", GT_WIRE_PROC, 0}
#define A_TICKS {"ticks", GT_WIRE_TIME, 0}
#define A_FREQ {"freq", GT_WIRE_NUMBER, 0}
#define A_UNUSED {"unused", GT_WIRE_NUMBER, 0}
#define A_ID {"id", GT_WIRE_NUMBER, 0}
#define A_NFRAMES {"nframes", GT_WIRE_COUNT, 0}
#define A_DT {"dt", GT_WIRE_TIME_DELTA, 0}
#define A_PROCS_VALUE {"procs_value", GT_WIRE_NUMBER, 0}
#define A_STACK {"stack", GT_WIRE_STACK_ID, 0}
#define A_M {"m", GT_WIRE_THREAD, 0}
#define A_GC_SEQ {"gc_seq", GT_WIRE_SEQUENCE, 0}
#define A_KIND {"kind", GT_WIRE_NUMBER, 0}
#define A_SWEPT_VALUE {"swept_value", GT_WIRE_NUMBER, 0}
#define A_RECLAIMED_VALUE {"reclaimed_value", GT_WIRE_NUMBER, 0}
#define A_NEW_G {"new_g", GT_WIRE_GOROUTINE, 0}
#define A_NEW_STACK {"new_stack", GT_WIRE_NEW_STACK_ID, 0}
#define A_NEW_PC {"new_pc", GT_WIRE_NUMBER, 0}
#define A_G {"g", GT_WIRE_GOROUTINE, 0}
#define A_G_SEQ {"g_seq", GT_WIRE_SEQUENCE, 0}
#define A_HEAPALLOC_VALUE {"heapalloc_value", GT_WIRE_NUMBER, 0}
#define A_HEAPGOAL_VALUE {"heapgoal_value", GT_WIRE_NUMBER, 0}
#define A_LABEL_STRING {"label_string", GT_WIRE_STRING_ID, 0}
#define A_TASK {"task", GT_WIRE_TASK, 0}
#define A_PARENT_TASK {"parent_task", GT_WIRE_TASK, 0}
#define A_MODE {"mode", GT_WIRE_NUMBER, 0}
#define A_NAME_STRING {"name_string", GT_WIRE_STRING_ID, 0}
#define A_KEY_STRING {"key_string", GT_WIRE_STRING_ID, 0}
/* clang-format on */

#define SPEC(number, flags, text, ...)                                                             \
    {                                                                                              \
        number, flags, text, (const gt_wire_argument[]){__VA_ARGS__},                              \
            sizeof((const gt_wire_argument[]){__VA_ARGS__}) / sizeof(gt_wire_argument), 0, 0, 0    \
    }
#define NO_SPEC                                                                                    \
    {                                                                                              \
        0, 0, NULL, NULL, 0, 0, 0, 0                                                               \
    }
#define UNPACK(...) __VA_ARGS__

/*
 * CHANGED declares an event of all versions with different arguments in version 5, EVENT one with
 * the same arguments in all versions, and LATER one that version 5 lacks.
 */
#define CHANGED(number, text, now, then)                                                           \
    [number] = {5,                                                                                 \
                {SPEC(number, GT_WIRE_TIMED, text, UNPACK now),                                    \
                 SPEC(number, GT_WIRE_TIMED, text, A_EVENT_SEQ, UNPACK then)}}
#define EVENT(number, text, ...) CHANGED(number, text, (__VA_ARGS__), (__VA_ARGS__))
#define LATER(since, number, text, ...)                                                            \
    [number] = {since, {SPEC(number, GT_WIRE_TIMED, text, __VA_ARGS__), NO_SPEC}}

const struct gt_v1_spec gt_v1_specs[GT_V1_TYPES] = {
    [GT_V1_NONE] = {0, {{0, 0, "None", NULL, 0, 0, 0, 0}, NO_SPEC}},
    [GT_V1_BATCH] = {5,
                     {SPEC(GT_V1_BATCH, 0, "Batch", A_P, A_TICKS),
                      SPEC(GT_V1_BATCH, 0, "Batch", A_P, A_EVENT_SEQ, A_TICKS)}},
    [GT_V1_FREQUENCY] = {5,
                         {SPEC(GT_V1_FREQUENCY, 0, "Frequency", A_FREQ),
                          SPEC(GT_V1_FREQUENCY, 0, "Frequency", A_FREQ, A_UNUSED)}},
    [GT_V1_STACK] = {5,
                     {SPEC(GT_V1_STACK, GT_WIRE_HAS_FRAMES, "Stack", A_ID, A_NFRAMES),
                      SPEC(GT_V1_STACK, GT_WIRE_HAS_FRAMES | GT_WIRE_BARE_FRAMES, "Stack", A_ID,
                           A_NFRAMES)}},
    EVENT(GT_V1_GOMAXPROCS, "Gomaxprocs", A_DT, A_PROCS_VALUE, A_STACK),
    EVENT(GT_V1_PROC_START, "ProcStart", A_DT, A_M),
    EVENT(GT_V1_PROC_STOP, "ProcStop", A_DT),
    CHANGED(GT_V1_GC_START, "GCStart", (A_DT, A_GC_SEQ, A_STACK), (A_DT, A_STACK)),
    EVENT(GT_V1_GC_DONE, "GCDone", A_DT),
    CHANGED(GT_V1_STW_START, "STWStart", (A_DT, A_KIND), (A_DT)),
    EVENT(GT_V1_STW_DONE, "STWDone", A_DT),
    EVENT(GT_V1_SWEEP_START, "GCSweepStart", A_DT, A_STACK),
    CHANGED(GT_V1_SWEEP_DONE, "GCSweepDone", (A_DT, A_SWEPT_VALUE, A_RECLAIMED_VALUE), (A_DT)),
    CHANGED(GT_V1_GO_CREATE, "GoCreate", (A_DT, A_NEW_G, A_NEW_STACK, A_STACK),
            (A_DT, A_NEW_G, A_NEW_PC, A_STACK)),
    CHANGED(GT_V1_GO_START, "GoStart", (A_DT, A_G, A_G_SEQ), (A_DT, A_G)),
    EVENT(GT_V1_GO_END, "GoEnd", A_DT),
    EVENT(GT_V1_GO_STOP, "GoStop", A_DT, A_STACK),
    EVENT(GT_V1_GO_SCHED, "GoSched", A_DT, A_STACK),
    EVENT(GT_V1_GO_PREEMPT, "GoPreempt", A_DT, A_STACK),
    EVENT(GT_V1_GO_SLEEP, "GoSleep", A_DT, A_STACK),
    EVENT(GT_V1_GO_BLOCK, "GoBlock", A_DT, A_STACK),
    CHANGED(GT_V1_GO_UNBLOCK, "GoUnblock", (A_DT, A_G, A_G_SEQ, A_STACK), (A_DT, A_G, A_STACK)),
    EVENT(GT_V1_GO_BLOCK_SEND, "GoBlockSend", A_DT, A_STACK),
    EVENT(GT_V1_GO_BLOCK_RECV, "GoBlockRecv", A_DT, A_STACK),
    EVENT(GT_V1_GO_BLOCK_SELECT, "GoBlockSelect", A_DT, A_STACK),
    EVENT(GT_V1_GO_BLOCK_SYNC, "GoBlockSync", A_DT, A_STACK),
    EVENT(GT_V1_GO_BLOCK_COND, "GoBlockCond", A_DT, A_STACK),
    EVENT(GT_V1_GO_BLOCK_NET, "GoBlockNet", A_DT, A_STACK),
    EVENT(GT_V1_GO_SYS_CALL, "GoSysCall", A_DT, A_STACK),
    EVENT(GT_V1_GO_SYS_EXIT, "GoSysExit", A_DT, A_G, A_G_SEQ, A_TICKS),
    EVENT(GT_V1_GO_SYS_BLOCK, "GoSysBlock", A_DT),
    EVENT(GT_V1_GO_WAITING, "GoWaiting", A_DT, A_G),
    EVENT(GT_V1_GO_IN_SYSCALL, "GoInSyscall", A_DT, A_G),
    EVENT(GT_V1_HEAP_ALLOC, "HeapAlloc", A_DT, A_HEAPALLOC_VALUE),
    EVENT(GT_V1_HEAP_GOAL, "HeapGoal", A_DT, A_HEAPGOAL_VALUE),
    [GT_V1_TIMER_GOROUTINE] = {5,
                               {SPEC(GT_V1_TIMER_GOROUTINE, 0, "TimerGoroutine", A_G),
                                SPEC(GT_V1_TIMER_GOROUTINE, 0, "TimerGoroutine", A_G, A_UNUSED)}},
    EVENT(GT_V1_FUTILE_WAKEUP, "FutileWakeup", A_DT),
    [GT_V1_STRING] = {7, {SPEC(GT_V1_STRING, GT_WIRE_HAS_DATA, "String", A_ID), NO_SPEC}},
    LATER(7, GT_V1_GO_START_LOCAL, "GoStartLocal", A_DT, A_G),
    LATER(7, GT_V1_GO_UNBLOCK_LOCAL, "GoUnblockLocal", A_DT, A_G, A_STACK),
    LATER(7, GT_V1_GO_SYS_EXIT_LOCAL, "GoSysExitLocal", A_DT, A_G, A_TICKS),
    LATER(8, GT_V1_GO_START_LABEL, "GoStartLabel", A_DT, A_G, A_G_SEQ, A_LABEL_STRING),
    LATER(8, GT_V1_GO_BLOCK_GC, "GoBlockGC", A_DT, A_STACK),
    LATER(9, GT_V1_MARK_ASSIST_START, "GCMarkAssistStart", A_DT, A_STACK),
    LATER(9, GT_V1_MARK_ASSIST_DONE, "GCMarkAssistDone", A_DT),
    LATER(11, GT_V1_USER_TASK_CREATE, "UserTaskCreate", A_DT, A_TASK, A_PARENT_TASK, A_NAME_STRING,
          A_STACK),
    LATER(11, GT_V1_USER_TASK_END, "UserTaskEnd", A_DT, A_TASK, A_STACK),
    LATER(11, GT_V1_USER_REGION, "UserRegion", A_DT, A_TASK, A_MODE, A_NAME_STRING, A_STACK),
    [GT_V1_USER_LOG] = {11,
                        {SPEC(GT_V1_USER_LOG, GT_WIRE_TIMED | GT_WIRE_HAS_DATA, "UserLog", A_DT,
                              A_TASK, A_KEY_STRING, A_STACK),
                         NO_SPEC}},
    LATER(19, GT_V1_CPU_SAMPLE, "CPUSample", A_DT, A_TICKS, A_P, A_G, A_STACK),
};

/* Records whose arguments differ in intermediate versions. */
static const gt_wire_spec v1_sweep_done_7 =
    SPEC(GT_V1_SWEEP_DONE, GT_WIRE_TIMED, "GCSweepDone", A_DT);
static const gt_wire_spec v1_stw_start_7 = SPEC(GT_V1_STW_START, GT_WIRE_TIMED, "STWStart", A_DT);

const gt_wire_spec *gt_v1_spec_get(uint32_t version, uint32_t type)
{
    if (type >= GT_V1_TYPES || type == GT_V1_NONE || gt_v1_specs[type].since > version)
        return NULL;
    if (version < 7)
        return &gt_v1_specs[type].records[1];
    if (type == GT_V1_SWEEP_DONE && version < 9)
        return &v1_sweep_done_7;
    if (type == GT_V1_STW_START && version < 10)
        return &v1_stw_start_7;
    return &gt_v1_specs[type].records[0];
}

unsigned gt_v1_numbers(uint32_t version, unsigned type)
{
    const gt_wire_spec *spec = gt_v1_spec_get(version, type);
    if (!spec)
        return 0;
    /* The length of a string counts as a number, unlike the length of a message. */
    return spec->argument_count + (type == GT_V1_STRING ? 1U : 0U);
}
