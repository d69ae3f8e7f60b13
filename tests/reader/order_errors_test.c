/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Events that contradict the state before them, each as one row of a table. The last event of a row
 * is the bad one; all before it are good.
 */

#include <stdbool.h>

#include "support/fault.h"
#include "support/gen_moments.h"
#include "support/test.h"

#define EVENTS_MAX 10
#define ARGS_MAX   6
#define NONE       WIRE_NONE

struct step {
    /* The generation and thread of the event; 0 ends the row. */
    unsigned generation;
    uint64_t thread;
    unsigned type;
    /* The arguments after dt, and a count that is one more than theirs. */
    unsigned count;
    uint64_t args[ARGS_MAX];
};

struct row {
    const char *name;
    struct step steps[EVENTS_MAX];
};

/* An event of generation 1 or 2 on a thread; its dt is 1. */
#define ON(generation, thread, type, ...)                                                          \
    {                                                                                              \
        generation, thread, EV_##type,                                                             \
            sizeof((const uint64_t[]){1, __VA_ARGS__}) / sizeof(uint64_t),                         \
        {                                                                                          \
            1, __VA_ARGS__                                                                         \
        }                                                                                          \
    }
#define BARE(generation, thread, type)                                                             \
    {                                                                                              \
        generation, thread, EV_##type, 1,                                                          \
        {                                                                                          \
            1                                                                                      \
        }                                                                                          \
    }

/* A proc and a goroutine run on a thread. */
#define RUNS(generation, thread, proc, goroutine)                                                  \
    ON(generation, thread, PROC_STATUS, proc, PROC_RUNNING),                                       \
        ON(generation, thread, GO_STATUS, goroutine, thread, GO_RUNNING)

static const struct row proc_rows[] = {
    {"proc status that is none", {ON(1, 5, PROC_STATUS, 0, 5)}},
    {"proc status 255", {ON(1, 5, PROC_STATUS, 0, 255)}},
    {"proc id none", {ON(1, 5, PROC_STATUS, NONE, PROC_IDLE)}},
    {"proc with another status",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, PROC_STATUS, 0, PROC_IDLE)}},
    {"abandoned proc that runs",
     {ON(1, 5, PROC_STATUS, 0, PROC_ABANDONED), ON(1, 5, PROC_STATUS, 0, PROC_RUNNING)}},
    {"idle proc that is abandoned",
     {ON(1, 5, PROC_STATUS, 0, PROC_IDLE), ON(1, 5, PROC_STATUS, 0, PROC_ABANDONED)}},
    {"proc in a system call of another generation",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), ON(2, 6, PROC_STATUS, 0, PROC_RUNNING)}},
    {"abandoned proc without an owner",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), ON(1, 5, PROC_STATUS, 1, PROC_RUNNING),
      ON(1, 6, PROC_STATUS, 0, PROC_ABANDONED)}},
    {"ProcStart without a thread",
     {ON(1, 5, PROC_STATUS, 0, PROC_IDLE), ON(1, NONE, PROC_START, 0, 1)}},
    {"ProcStop without a proc", {BARE(1, 5, PROC_STOP)}},
    {"ProcStop without a thread", {BARE(1, NONE, PROC_STOP)}},
    {"ProcStop of an idle proc",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 6, PROC_STATUS, 0, PROC_RUNNING),
      BARE(1, 6, PROC_STOP), BARE(1, 5, PROC_STOP)}},
    {"ProcSteal without a thread",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), ON(1, NONE, PROC_STEAL, 0, 1, 5)}},
    {"ProcSteal from itself of another's",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), ON(1, 6, PROC_STEAL, 0, 1, 6)}},
    {"ProcSteal from itself, which has another",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), ON(1, 6, PROC_STATUS, 1, PROC_RUNNING),
      ON(1, 6, PROC_STEAL, 0, 1, 6)}},
    {"ProcSteal from a thread without a proc",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), ON(1, 6, GO_STATUS, 1, 6, GO_RUNNING),
      ON(1, 7, PROC_STEAL, 0, 1, 6)}},
    {"ProcSteal from an unknown thread",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), ON(1, 6, PROC_STEAL, 0, 1, 77)}},
    {"ProcSteal from no thread",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), ON(1, 6, PROC_STEAL, 0, 1, NONE)}},
    {"ProcSteal from the wrong thread",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), ON(1, 6, PROC_STATUS, 1, PROC_RUNNING),
      ON(1, 7, PROC_STEAL, 0, 1, 6)}},
};

static const struct row status_rows[] = {
    {"goroutine status that is none", {ON(1, 5, GO_STATUS, 1, 5, 5)}},
    {"goroutine id none", {ON(1, 5, GO_STATUS, NONE, 5, GO_WAITING)}},
    {"goroutine with another status",
     {ON(1, 5, GO_STATUS, 1, 5, GO_RUNNABLE), ON(1, 5, GO_STATUS, 1, 5, GO_WAITING)}},
    {"goroutine with another status and a stack",
     {ON(1, 5, GO_STATUS, 1, 5, GO_RUNNABLE), ON(1, 5, GO_STATUS_STACK, 1, 5, GO_WAITING, 0)}},
    {"new goroutine in a later generation",
     {ON(1, 5, GO_STATUS, 1, 5, GO_RUNNABLE), ON(2, 5, GO_STATUS, 2, 5, GO_WAITING)}},
    {"system call without a thread", {ON(1, 5, GO_STATUS, 1, NONE, GO_SYSCALL)}},
    {"system call on this thread, which has none",
     {ON(1, 5, GO_STATUS, 1, 9, GO_SYSCALL), ON(2, 5, GO_STATUS, 1, 5, GO_SYSCALL)}},
    {"system call on a thread with another goroutine",
     {RUNS(1, 6, 0, 2), ON(1, 5, GO_STATUS, 1, 6, GO_SYSCALL)}},
    {"system call on a thread without a goroutine",
     {ON(1, 6, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, GO_STATUS, 1, 6, GO_SYSCALL)}},
};

/* As far as thread 5 knows, goroutine 1 runs on it, but thread 6 ended that goroutine. */
#define GONE                                                                                       \
    RUNS(1, 5, 0, 1), ON(1, 6, PROC_STATUS, 1, PROC_RUNNING),                                      \
        ON(1, 6, GO_STATUS, 1, 6, GO_RUNNING), BARE(1, 6, GO_DESTROY)

/* Goroutine 1 runs on thread 5, goroutine 2 waits, and goroutine 4 ran on thread 6 and ended. */
#define ENDED                                                                                      \
    RUNS(1, 5, 0, 1), ON(1, 5, GO_STATUS, 2, NONE, GO_WAITING),                                    \
        ON(1, 6, PROC_STATUS, 1, PROC_RUNNING), ON(1, 6, GO_STATUS, 4, 6, GO_RUNNING),             \
        BARE(1, 6, GO_DESTROY)

static const struct row create_rows[] = {
    {"GoCreate without a thread", {ON(1, NONE, GO_CREATE, 2, 0, 0)}},
    {"GoCreate without a proc", {ON(1, 5, GO_CREATE, 2, 0, 0)}},
    {"GoCreate in a system call",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_SYSCALL_BEGIN, 1, 0), ON(1, 5, GO_CREATE, 2, 0, 0)}},
    {"GoCreateBlocked in a system call",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_SYSCALL_BEGIN, 1, 0), ON(1, 5, GO_CREATE_BLOCKED, 2, 0, 0)}},
    {"GoCreate of one that exists", {RUNS(1, 5, 0, 1), ON(1, 5, GO_CREATE, 1, 0, 0)}},
    {"GoCreate of id none", {RUNS(1, 5, 0, 1), ON(1, 5, GO_CREATE, NONE, 0, 0)}},
    {"GoCreateBlocked of one that exists",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_CREATE_BLOCKED, 1, 0, 0)}},
    {"GoCreateBlocked of id none", {RUNS(1, 5, 0, 1), ON(1, 5, GO_CREATE_BLOCKED, NONE, 0, 0)}},
    {"GoCreate in a system call, after an end",
     {ENDED, ON(1, 5, GO_SYSCALL_BEGIN, 1, 0), ON(1, 5, GO_CREATE, 5, 0, 0)}},
    {"GoCreate without a proc, after an end", {ENDED, ON(1, 7, GO_CREATE, 5, 0, 0)}},
    {"GoCreate of one that exists, after an end", {ENDED, ON(1, 5, GO_CREATE, 2, 0, 0)}},
    {"GoCreate of id none, after an end",
     {ON(1, 5, GO_STATUS, NONE - 1, NONE, GO_WAITING),
      ON(1, 5, GO_STATUS, NONE - 2, NONE, GO_WAITING), ENDED, ON(1, 5, GO_CREATE, NONE, 0, 0)}},
    {"GoCreateSyscall without a thread", {ON(1, NONE, GO_CREATE_SYSCALL, 2)}},
    {"GoCreateSyscall with a goroutine", {RUNS(1, 5, 0, 1), ON(1, 5, GO_CREATE_SYSCALL, 2)}},
    {"GoCreateSyscall of one that exists",
     {ON(1, 5, GO_STATUS, 2, NONE, GO_WAITING), ON(1, 5, GO_CREATE_SYSCALL, 2)}},
    {"GoCreateSyscall of id none", {ON(1, 5, GO_CREATE_SYSCALL, NONE)}},
    {"GoStart without a proc",
     {ON(1, 5, GO_STATUS, 2, NONE, GO_RUNNABLE), ON(1, 5, GO_START, 2, 1)}},
    {"GoStart with a goroutine",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_STATUS, 2, NONE, GO_RUNNABLE), ON(1, 5, GO_START, 2, 1)}},
    {"GoStart without a thread",
     {ON(1, 5, GO_STATUS, 2, NONE, GO_RUNNABLE), ON(1, NONE, GO_START, 2, 1)}},
};

static const struct row stop_rows[] = {
    {"GoStop without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, GO_STOP, 0, 0)}},
    {"GoStop without a proc", {ON(1, 5, GO_STATUS, 1, 5, GO_RUNNING), ON(1, 5, GO_STOP, 0, 0)}},
    {"GoStop without a thread", {ON(1, NONE, GO_STOP, 0, 0)}},
    {"GoBlock without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, GO_BLOCK, 0, 0)}},
    {"GoDestroy without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), BARE(1, 5, GO_DESTROY)}},
    {"GoStop in a system call",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_SYSCALL_BEGIN, 1, 0), ON(1, 5, GO_STOP, 0, 0)}},
    {"GoBlock in a system call",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_SYSCALL_BEGIN, 1, 0), ON(1, 5, GO_BLOCK, 0, 0)}},
    {"GoDestroy in a system call",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_SYSCALL_BEGIN, 1, 0), BARE(1, 5, GO_DESTROY)}},
    {"GoStop of one that is gone", {GONE, ON(1, 5, GO_STOP, 0, 0)}},
    {"GoDestroy of one that is gone", {GONE, BARE(1, 5, GO_DESTROY)}},
    {"GoSwitch without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, GO_SWITCH, 2, 1)}},
    {"GoSwitch in a system call",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_SYSCALL_BEGIN, 1, 0), ON(1, 5, GO_SWITCH, 2, 1)}},
    {"GoSwitchDestroy in a system call",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_SYSCALL_BEGIN, 1, 0), ON(1, 5, GO_SWITCH_DESTROY, 2, 1)}},
    {"GoSwitchDestroy without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, GO_SWITCH_DESTROY, 2, 1)}},
    {"GoSwitch of one that is gone", {GONE, ON(1, 5, GO_SWITCH, 2, 1)}},
    {"GoSyscallBegin without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, GO_SYSCALL_BEGIN, 1, 0)}},
    {"GoSyscallBegin twice",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_SYSCALL_BEGIN, 1, 0), ON(1, 5, GO_SYSCALL_BEGIN, 2, 0)}},
    {"GoSyscallBegin out of sequence", {RUNS(1, 5, 0, 1), ON(1, 5, GO_SYSCALL_BEGIN, 2, 0)}},
    {"GoSyscallBegin with the sequence of another generation",
     {RUNS(1, 5, 0, 1), ON(2, 5, GO_SYSCALL_BEGIN, 1, 0)}},
    {"GoSyscallBegin of one that is gone", {GONE, ON(1, 5, GO_SYSCALL_BEGIN, 1, 0)}},
    {"GoSyscallEnd without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), BARE(1, 5, GO_SYSCALL_END)}},
    {"GoSyscallEnd without a proc",
     {ON(1, 5, GO_STATUS, 1, 5, GO_SYSCALL), BARE(1, 5, GO_SYSCALL_END)}},
    {"GoSyscallEnd without a thread", {BARE(1, NONE, GO_SYSCALL_END)}},
    {"GoSyscallEnd outside a system call", {RUNS(1, 5, 0, 1), BARE(1, 5, GO_SYSCALL_END)}},
    {"GoSyscallEnd with a proc outside one",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, GO_STATUS, 1, 5, GO_SYSCALL),
      BARE(1, 5, GO_SYSCALL_END)}},
    {"GoSyscallEnd of one that is gone", {GONE, BARE(1, 5, GO_SYSCALL_END)}},
    {"GoSyscallEndBlocked without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), BARE(1, 5, GO_SYSCALL_END_BLOCKED)}},
    {"GoSyscallEndBlocked without a thread", {BARE(1, NONE, GO_SYSCALL_END_BLOCKED)}},
    {"GoSyscallEndBlocked outside a system call",
     {RUNS(1, 5, 0, 1), BARE(1, 5, GO_SYSCALL_END_BLOCKED)}},
    {"GoSyscallEndBlocked of one that is gone", {GONE, BARE(1, 5, GO_SYSCALL_END_BLOCKED)}},
    {"GoDestroySyscall without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), BARE(1, 5, GO_DESTROY_SYSCALL)}},
    {"GoDestroySyscall outside a system call", {RUNS(1, 5, 0, 1), BARE(1, 5, GO_DESTROY_SYSCALL)}},
    {"GoDestroySyscall with a proc outside one",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, GO_STATUS, 1, 5, GO_SYSCALL),
      BARE(1, 5, GO_DESTROY_SYSCALL)}},
    {"GoDestroySyscall without anything", {BARE(1, 5, GO_DESTROY_SYSCALL)}},
    {"GoDestroySyscall without a thread", {BARE(1, NONE, GO_DESTROY_SYSCALL)}},
    {"GoDestroySyscall of one that runs without a proc",
     {ON(1, 5, GO_STATUS, 1, 5, GO_RUNNING), BARE(1, 5, GO_DESTROY_SYSCALL)}},
    {"GoDestroySyscall of one that is gone", {GONE, BARE(1, 5, GO_DESTROY_SYSCALL)}},
};

static const struct row gc_rows[] = {
    {"GCActive in the first generation, not first",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_BEGIN, 1, 0), ON(1, 5, GC_ACTIVE, 2)}},
    {"GCActive twice in the first generation", {ON(1, 5, GC_ACTIVE, 1), ON(1, 5, GC_ACTIVE, 2)}},
    {"GCActive in the first generation, after a cycle",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_BEGIN, 1, 0), ON(1, 5, GC_END, 2), ON(1, 5, GC_ACTIVE, 3)}},
    {"GCActive later while it is off",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_BEGIN, 1, 0), ON(1, 5, GC_END, 2), ON(2, 5, GC_ACTIVE, 3)}},
    {"GCActive later without a goroutine",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_BEGIN, 1, 0), ON(2, 6, GC_ACTIVE, 2)}},
    {"GCBegin while it is on",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_BEGIN, 1, 0), ON(1, 5, GC_BEGIN, 2, 0)}},
    {"GCBegin without a goroutine",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_BEGIN, 1, 0), ON(1, 5, GC_END, 2), ON(1, 6, GC_BEGIN, 3, 0)}},
    {"GCEnd while it is off",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_BEGIN, 1, 0), ON(1, 5, GC_END, 2), ON(1, 5, GC_END, 3)}},
    {"GCEnd while nothing is known", {RUNS(1, 5, 0, 1), ON(1, 5, GC_END, 1)}},
    {"GCEnd without a goroutine",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_BEGIN, 1, 0), ON(1, 6, GC_END, 2)}},
};

static const struct row range_rows[] = {
    {"GCSweepBegin without a proc", {ON(1, 5, GC_SWEEP_BEGIN, 0)}},
    {"GCSweepBegin without a thread", {ON(1, NONE, GC_SWEEP_BEGIN, 0)}},
    {"GCSweepBegin twice",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_SWEEP_BEGIN, 0), ON(1, 5, GC_SWEEP_BEGIN, 0)}},
    {"GCSweepEnd without a begin", {RUNS(1, 5, 0, 1), ON(1, 5, GC_SWEEP_END, 0, 0)}},
    {"GCSweepEnd without a proc", {ON(1, 5, GC_SWEEP_END, 0, 0)}},
    {"GCSweepEnd on another proc",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_SWEEP_BEGIN, 0), ON(1, 6, PROC_STATUS, 1, PROC_RUNNING),
      ON(1, 6, GC_SWEEP_END, 0, 0)}},
    {"GCSweepActive of an unknown proc", {ON(1, 5, GC_SWEEP_ACTIVE, 7)}},
    {"GCSweepActive of one that sweeps",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_SWEEP_BEGIN, 0), ON(1, 5, GC_SWEEP_ACTIVE, 0)}},
    {"GCSweepActive later of one that does not",
     {ON(1, 5, PROC_STATUS, 0, PROC_IDLE), ON(2, 5, GC_SWEEP_ACTIVE, 0)}},
    {"STWBegin without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, STW_BEGIN, 0, 0)}},
    {"STWBegin twice of one kind",
     {RUNS(1, 5, 0, 1), ON(1, 5, STW_BEGIN, 0, 0), ON(1, 5, STW_BEGIN, 0, 0)}},
    {"STWBegin of one that is gone", {GONE, ON(1, 5, STW_BEGIN, 0, 0)}},
    {"STWEnd without a begin", {RUNS(1, 5, 0, 1), BARE(1, 5, STW_END)}},
    {"STWEnd without a goroutine", {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), BARE(1, 5, STW_END)}},
    {"GCMarkAssistBegin without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, GC_MARK_ASSIST_BEGIN, 0)}},
    {"GCMarkAssistBegin twice",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_MARK_ASSIST_BEGIN, 0), ON(1, 5, GC_MARK_ASSIST_BEGIN, 0)}},
    {"GCMarkAssistEnd without a begin", {RUNS(1, 5, 0, 1), BARE(1, 5, GC_MARK_ASSIST_END)}},
    {"GCMarkAssistEnd of one that is gone", {GONE, BARE(1, 5, GC_MARK_ASSIST_END)}},
    {"GCMarkAssistActive of an unknown goroutine", {ON(1, 5, GC_MARK_ASSIST_ACTIVE, 7)}},
    {"GCMarkAssistActive of one that assists",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_MARK_ASSIST_BEGIN, 0), ON(1, 5, GC_MARK_ASSIST_ACTIVE, 1)}},
    {"GCMarkAssistActive later of one that does not",
     {ON(1, 5, GO_STATUS, 1, NONE, GO_WAITING), ON(2, 5, GC_MARK_ASSIST_ACTIVE, 1)}},
};

static const struct row user_rows[] = {
    {"HeapAlloc without a proc", {ON(1, 5, HEAP_ALLOC, 1)}},
    {"HeapGoal without a thread", {ON(1, NONE, HEAP_GOAL, 1)}},
    {"ProcsChange without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, PROCS_CHANGE, 4, 0)}},
    {"GoLabel without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, GO_LABEL, 0)}},
    {"UserLog without a proc",
     {ON(1, 5, GO_STATUS, 1, 5, GO_RUNNING), ON(1, 5, USER_LOG, 0, 0, 0, 0)}},
    {"UserTaskBegin without a goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, USER_TASK_BEGIN, 1, 0, 0, 0)}},
    {"UserTaskBegin twice",
     {RUNS(1, 5, 0, 1), ON(1, 5, USER_TASK_BEGIN, 1, 0, 0, 0),
      ON(1, 5, USER_TASK_BEGIN, 1, 0, 0, 0)}},
    {"UserTaskBegin again in a later generation",
     {RUNS(1, 5, 0, 1), ON(1, 5, USER_TASK_BEGIN, 1, 0, 0, 0),
      ON(2, 5, USER_TASK_BEGIN, 1, 0, 0, 0)}},
    {"UserTaskEnd without a goroutine", {ON(1, 5, USER_TASK_END, 1, 0)}},
    {"UserRegionBegin without a goroutine", {ON(1, 5, USER_REGION_BEGIN, 0, 0, 0)}},
    {"UserRegionBegin of one that is gone", {GONE, ON(1, 5, USER_REGION_BEGIN, 0, 0, 0)}},
    {"UserRegionEnd without a goroutine", {ON(1, 5, USER_REGION_END, 0, 0, 0)}},
    {"UserRegionEnd of another task",
     {RUNS(1, 5, 0, 1), ON(1, 5, USER_REGION_BEGIN, 1, 0, 0), ON(1, 5, USER_REGION_END, 2, 0, 0)}},
    {"UserRegionEnd of another name",
     {RUNS(1, 5, 0, 1), ON(1, 5, USER_REGION_BEGIN, 1, 0, 0), ON(1, 5, USER_REGION_END, 1, 1, 0)}},
    {"UserRegionBegin of one that is gone, with a name that was used",
     {GONE, ON(1, 6, GO_STATUS, 3, 6, GO_RUNNING), ON(1, 6, USER_REGION_BEGIN, 0, 0, 0),
      ON(1, 6, USER_REGION_END, 0, 0, 0), ON(1, 5, USER_REGION_BEGIN, 0, 0, 0)}},
    {"UserRegionEnd of another name that was used",
     {RUNS(1, 5, 0, 1), ON(1, 5, USER_REGION_BEGIN, 1, 1, 0), ON(1, 5, USER_REGION_END, 1, 1, 0),
      ON(1, 5, USER_REGION_BEGIN, 1, 0, 0), ON(1, 5, USER_REGION_END, 1, 1, 0)}},
    {"UserRegionEnd of another task with a name that was used",
     {RUNS(1, 5, 0, 1), ON(1, 5, USER_REGION_BEGIN, 1, 1, 0), ON(1, 5, USER_REGION_END, 1, 1, 0),
      ON(1, 5, USER_REGION_BEGIN, 2, 1, 0), ON(1, 5, USER_REGION_END, 1, 1, 0)}},
    {"UserRegionEnd of the outer one",
     {RUNS(1, 5, 0, 1), ON(1, 5, USER_REGION_BEGIN, 1, 0, 0), ON(1, 5, USER_REGION_BEGIN, 2, 0, 0),
      ON(1, 5, USER_REGION_END, 1, 0, 0)}},
    {"Span without a thread", {ON(1, NONE, SPAN, 1, 1, 1)}},
    {"GoroutineStackFree without a thread", {ON(1, NONE, GOROUTINE_STACK_FREE, 1)}},
};

/* Strings 1 and stacks 1 exist in each generation; no others do. */
static const struct row reference_rows[] = {
    {"UserTaskBegin, string", {RUNS(1, 5, 0, 1), ON(1, 5, USER_TASK_BEGIN, 1, 0, 9, 0)}},
    {"UserRegionBegin, string", {RUNS(1, 5, 0, 1), ON(1, 5, USER_REGION_BEGIN, 1, 9, 0)}},
    {"UserRegionEnd, string", {RUNS(1, 5, 0, 1), ON(1, 5, USER_REGION_END, 1, 9, 0)}},
    {"UserLog, first string", {RUNS(1, 5, 0, 1), ON(1, 5, USER_LOG, 1, 9, 1, 0)}},
    {"UserLog, second string", {RUNS(1, 5, 0, 1), ON(1, 5, USER_LOG, 1, 1, 9, 0)}},
    {"GoLabel, string", {RUNS(1, 5, 0, 1), ON(1, 5, GO_LABEL, 9)}},
    {"GoStop, string", {RUNS(1, 5, 0, 1), ON(1, 5, GO_STOP, 9, 0)}},
    {"GoBlock, string", {RUNS(1, 5, 0, 1), ON(1, 5, GO_BLOCK, 9, 0)}},
    {"STWBegin, string", {RUNS(1, 5, 0, 1), ON(1, 5, STW_BEGIN, 9, 0)}},
    {"UserLog, highest string", {RUNS(1, 5, 0, 1), ON(1, 5, USER_LOG, 1, NONE, 1, 0)}},
    {"ProcsChange, stack", {RUNS(1, 5, 0, 1), ON(1, 5, PROCS_CHANGE, 1, 9)}},
    {"GoCreate, new stack", {RUNS(1, 5, 0, 1), ON(1, 5, GO_CREATE, 2, 9, 1)}},
    {"GoCreate after an end, new stack", {ENDED, ON(1, 5, GO_CREATE, 5, 9, 1)}},
    {"GoCreate after an end, stack", {ENDED, ON(1, 5, GO_CREATE, 5, 1, 9)}},
    {"GoCreate, stack", {RUNS(1, 5, 0, 1), ON(1, 5, GO_CREATE, 2, 1, 9)}},
    {"GoCreateBlocked, new stack", {RUNS(1, 5, 0, 1), ON(1, 5, GO_CREATE_BLOCKED, 2, 9, 1)}},
    {"GoCreateBlocked, stack", {RUNS(1, 5, 0, 1), ON(1, 5, GO_CREATE_BLOCKED, 2, 1, 9)}},
    {"GoStop, stack", {RUNS(1, 5, 0, 1), ON(1, 5, GO_STOP, 1, 9)}},
    {"GoBlock, stack", {RUNS(1, 5, 0, 1), ON(1, 5, GO_BLOCK, 1, 9)}},
    {"GoUnblock, stack", {ON(1, 5, GO_STATUS, 1, NONE, GO_WAITING), ON(1, 5, GO_UNBLOCK, 1, 1, 9)}},
    {"GoSyscallBegin, stack", {RUNS(1, 5, 0, 1), ON(1, 5, GO_SYSCALL_BEGIN, 1, 9)}},
    {"GoStatusStack, stack", {ON(1, 5, GO_STATUS_STACK, 1, NONE, GO_WAITING, 9)}},
    {"STWBegin, stack", {RUNS(1, 5, 0, 1), ON(1, 5, STW_BEGIN, 1, 9)}},
    {"GCBegin, stack", {RUNS(1, 5, 0, 1), ON(1, 5, GC_BEGIN, 1, 9)}},
    {"GCSweepBegin, stack", {RUNS(1, 5, 0, 1), ON(1, 5, GC_SWEEP_BEGIN, 9)}},
    {"GCMarkAssistBegin, stack", {RUNS(1, 5, 0, 1), ON(1, 5, GC_MARK_ASSIST_BEGIN, 9)}},
    {"UserTaskBegin, stack", {RUNS(1, 5, 0, 1), ON(1, 5, USER_TASK_BEGIN, 1, 0, 1, 9)}},
    {"UserTaskEnd, stack", {RUNS(1, 5, 0, 1), ON(1, 5, USER_TASK_END, 1, 9)}},
    {"UserRegionBegin with a name that was used, stack",
     {RUNS(1, 5, 0, 1), ON(1, 5, USER_REGION_BEGIN, 1, 1, 0), ON(1, 5, USER_REGION_END, 1, 1, 0),
      ON(1, 5, USER_REGION_BEGIN, 1, 1, 9)}},
    {"UserRegionEnd of one that is open, stack",
     {RUNS(1, 5, 0, 1), ON(1, 5, USER_REGION_BEGIN, 1, 1, 0), ON(1, 5, USER_REGION_END, 1, 1, 9)}},
    {"UserRegionBegin, stack", {RUNS(1, 5, 0, 1), ON(1, 5, USER_REGION_BEGIN, 1, 1, 9)}},
    {"UserRegionEnd, stack", {RUNS(1, 5, 0, 1), ON(1, 5, USER_REGION_END, 1, 1, 9)}},
    {"UserLog, stack", {RUNS(1, 5, 0, 1), ON(1, 5, USER_LOG, 1, 1, 1, 9)}},
    {"UserLog, highest stack", {RUNS(1, 5, 0, 1), ON(1, 5, USER_LOG, 1, 1, 1, NONE)}},
};

/* Events that wait for one that never comes. */
static const struct row stuck_rows[] = {
    {"ProcStart of an unknown proc", {ON(1, 5, PROC_START, 0, 1)}},
    {"ProcStart of a running proc",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 6, PROC_START, 0, 1)}},
    {"ProcStart of a proc in a system call",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), ON(1, 6, PROC_START, 0, 1)}},
    {"ProcStart of an abandoned proc",
     {ON(1, 5, PROC_STATUS, 0, PROC_ABANDONED), ON(1, 6, PROC_START, 0, 1)}},
    {"ProcStart out of sequence",
     {ON(1, 5, PROC_STATUS, 0, PROC_IDLE), ON(1, 5, PROC_START, 0, 2)}},
    {"ProcStart with another generation's sequence",
     {ON(1, 5, PROC_STATUS, 0, PROC_IDLE), ON(2, 5, PROC_START, 0, 1)}},
    {"ProcStart with a proc",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, PROC_STATUS, 1, PROC_IDLE),
      ON(1, 5, PROC_START, 1, 1)}},
    {"ProcSteal of an unknown proc", {ON(1, 5, PROC_STEAL, 0, 1, 6)}},
    {"ProcSteal of a running proc",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 6, PROC_STEAL, 0, 1, 5)}},
    {"ProcSteal of an idle proc",
     {ON(1, 5, PROC_STATUS, 0, PROC_IDLE), ON(1, 6, PROC_STEAL, 0, 1, 5)}},
    {"ProcSteal of an abandoned proc, out of sequence",
     {ON(1, 5, PROC_STATUS, 0, PROC_ABANDONED), ON(1, 6, PROC_STEAL, 0, 2, 5)}},
    {"ProcSteal with another generation's sequence",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), ON(2, 6, PROC_STEAL, 0, 1, 5)}},
    {"ProcSteal out of sequence",
     {ON(1, 5, PROC_STATUS, 0, PROC_SYSCALL), ON(1, 6, PROC_STEAL, 0, 2, 5)}},
    {"GoStart of an unknown goroutine",
     {ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, GO_START, 7, 1)}},
    {"GoStart of a waiting goroutine",
     {ON(1, 5, GO_STATUS, 7, NONE, GO_WAITING), ON(1, 5, GO_START, 7, 1)}},
    {"GoStart of a running goroutine",
     {RUNS(1, 6, 1, 7), ON(1, 5, PROC_STATUS, 0, PROC_RUNNING), ON(1, 5, GO_START, 7, 1)}},
    {"GoStart of a goroutine in a system call",
     {ON(1, 6, GO_STATUS, 7, 6, GO_SYSCALL), ON(1, 5, PROC_STATUS, 0, PROC_RUNNING),
      ON(1, 5, GO_START, 7, 1)}},
    {"GoStart with another generation's sequence",
     {ON(1, 5, GO_STATUS, 7, NONE, GO_RUNNABLE), ON(2, 5, GO_START, 7, 1)}},
    {"GoStart out of sequence",
     {ON(1, 5, GO_STATUS, 7, NONE, GO_RUNNABLE), ON(1, 5, GO_START, 7, 0)}},
    {"GoUnblock of an unknown goroutine", {ON(1, 5, GO_UNBLOCK, 7, 1, 0)}},
    {"GoUnblock of a runnable goroutine",
     {ON(1, 5, GO_STATUS, 7, NONE, GO_RUNNABLE), ON(1, 5, GO_UNBLOCK, 7, 1, 0)}},
    {"GoUnblock of a running goroutine",
     {ON(1, 6, GO_STATUS, 7, 6, GO_RUNNING), ON(1, 5, GO_UNBLOCK, 7, 1, 0)}},
    {"GoUnblock of a goroutine in a system call",
     {ON(1, 6, GO_STATUS, 7, 6, GO_SYSCALL), ON(1, 5, GO_UNBLOCK, 7, 1, 0)}},
    {"GoUnblock with another generation's sequence",
     {ON(1, 5, GO_STATUS, 7, NONE, GO_WAITING), ON(2, 5, GO_UNBLOCK, 7, 1, 0)}},
    {"GoUnblock out of sequence",
     {ON(1, 5, GO_STATUS, 7, NONE, GO_WAITING), ON(1, 5, GO_UNBLOCK, 7, NONE, 0)}},
    {"GoSwitch to an unknown goroutine", {RUNS(1, 5, 0, 1), ON(1, 5, GO_SWITCH, 7, 1)}},
    {"GoSwitch to a runnable goroutine",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_STATUS, 7, NONE, GO_RUNNABLE), ON(1, 5, GO_SWITCH, 7, 1)}},
    {"GoSwitch out of sequence",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_STATUS, 7, NONE, GO_WAITING), ON(1, 5, GO_SWITCH, 7, 2)}},
    {"GoSwitchDestroy to an unknown goroutine",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_SWITCH_DESTROY, 7, 1)}},
    {"GoSwitchDestroy to a runnable goroutine",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_STATUS, 7, NONE, GO_RUNNABLE),
      ON(1, 5, GO_SWITCH_DESTROY, 7, 1)}},
    {"GoSwitchDestroy out of sequence",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_STATUS, 7, NONE, GO_WAITING),
      ON(1, 5, GO_SWITCH_DESTROY, 7, 2)}},
    {"GoSwitch to itself", {RUNS(1, 5, 0, 1), ON(1, 5, GO_SWITCH, 1, 1)}},
    {"GoSyscallEndBlocked with a proc in a system call",
     {RUNS(1, 5, 0, 1), ON(1, 5, GO_SYSCALL_BEGIN, 1, 0), BARE(1, 5, GO_SYSCALL_END_BLOCKED)}},
    {"GCBegin out of sequence",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_BEGIN, 1, 0), ON(1, 5, GC_BEGIN, 3, 0)}},
    {"GCEnd while nothing is known, out of sequence", {RUNS(1, 5, 0, 1), ON(1, 5, GC_END, 2)}},
    {"GCEnd out of sequence", {RUNS(1, 5, 0, 1), ON(1, 5, GC_BEGIN, 1, 0), ON(1, 5, GC_END, 1)}},
    {"GCActive later out of sequence",
     {RUNS(1, 5, 0, 1), ON(1, 5, GC_BEGIN, 1, 0), ON(2, 5, GC_ACTIVE, 1)}},
};

/* Ends a generation, with one string and one stack. */
static void end_generation(struct wire *wire, unsigned generation)
{
    wire_strings(wire, generation);
    wire_string(wire, 1, "one");
    wire_stacks(wire, generation);
    wire_stack(wire, 1, 0);
    wire_generation_end(wire);
}

static size_t steps_of(const struct row *row)
{
    size_t count = 0;
    while (count < EVENTS_MAX && row->steps[count].generation)
        count++;
    return count;
}

/*
 * Enough events that the one before them is not the last of its batch. The reader takes frequent
 * events another way at the end of a batch than within it.
 */
static void write_following(struct wire *wire)
{
    for (uint64_t i = 0; i < 4; i++)
        WIRE_EVENT(wire, EV_PROC_STATUS, 1, 50 + i, PROC_IDLE);
}

/*
 * Writes the events of the row, each run of one thread as a batch, in order of time. With
 * `followed` the last batch goes on after the bad event.
 */
static void write_row(struct wire *wire, const struct row *row, bool followed, struct fault *fault)
{
    size_t count = steps_of(row), i;
    const struct step *step = NULL, *last = NULL;
    for (i = 0; i < count; i++, last = step) {
        step = &row->steps[i];
        if (!last || last->generation != step->generation) {
            if (last)
                end_generation(wire, last->generation);
            wire_sync(wire, step->generation, 100 * (i + 1), WIRE_NANOSECONDS);
            fault->events++;
        }
        if (!last || last->generation != step->generation || last->thread != step->thread)
            wire_batch(wire, step->generation, step->thread, 100 * (i + 1));
        fault->offset = wire->size;
        fault->generation = step->generation;
        wire_event(wire, step->type, step->args, step->count);
    }
    if (followed)
        write_following(wire);
    end_generation(wire, step->generation);
    fault->events += count - 1;
}

static int check_row(const struct row *row, unsigned version, bool followed, gt_status status)
{
    struct fault fault = {status, 0, 0, 0};
    struct wire wire = {0};
    wire_begin(&wire, version);
    write_row(&wire, row, followed, &fault);
    return fault_check(row->name, &wire, &fault);
}

static void check_rows(const struct row *rows, size_t count, gt_status status)
{
    int bad = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < FAULT_VERSIONS; k++)
            bad += check_row(&rows[i], fault_versions[k], false, status) +
                   check_row(&rows[i], fault_versions[k], true, status);
    }
    assert_int_equal(bad, 0);
}

#define ROWS(rows) (rows), sizeof(rows) / sizeof(*(rows))

static void test_wrong_proc_event_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(proc_rows), GT_ERR_ORDER);
}

static void test_wrong_status_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(status_rows), GT_ERR_ORDER);
}

static void test_wrong_creation_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(create_rows), GT_ERR_ORDER);
}

static void test_wrong_stop_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(stop_rows), GT_ERR_ORDER);
}

static void test_wrong_collector_event_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(gc_rows), GT_ERR_ORDER);
}

static void test_wrong_range_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(range_rows), GT_ERR_ORDER);
}

static void test_wrong_annotation_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(user_rows), GT_ERR_ORDER);
}

static void test_unknown_reference_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(reference_rows), GT_ERR_REFERENCE);
}

static void test_event_that_waits_for_ever_is_an_error(void **state)
{
    (void) state;
    check_rows(ROWS(stuck_rows), GT_ERR_STUCK);
}

/* The samples before the event that cannot happen are delivered, and those after it are not. */
static void write_stuck_samples(struct gen *g)
{
    gen_generation(g, 1);
    gen_on(g, 5);
    gen_sample(g, 6, 1, 7, 0);
    g->time = 100;
    gen_sample(g, 6, 1, 8, 0);
    g->time = 50;
    GEN_EVENT(g, EV_PROC_START, 0, 1);
}

static const struct gen_moment stuck_samples[] = {SYNC_OF(1), ANY(STACK_SAMPLE, 6, 1, 7)};

static void test_only_samples_before_a_stuck_event_are_given(void **state)
{
    (void) state;
    gen_check_fault(write_stuck_samples, 22, 26, GT_ERR_STUCK, GEN_MOMENTS(stuck_samples));
}

/* A goroutine can have at most sixteen open stops of different causes. */
static void test_seventeenth_open_stop_is_an_error(void **state)
{
    struct fault fault = {GT_ERR_ORDER, 0, 1, FAULT_GENERATION_EVENTS + 16};
    struct wire wire = {0};
    (void) state;
    wire_begin(&wire, 26);
    fault_generation(&wire, 1);
    for (uint64_t i = 1; i <= 17; i++) {
        fault.offset = wire.size;
        WIRE_EVENT(&wire, EV_STW_BEGIN, 1, i, 0);
    }
    wire_strings(&wire, 1);
    for (uint64_t i = 1; i <= 17; i++)
        wire_string_sized(&wire, i, &i, sizeof(i));
    wire_generation_end(&wire);
    assert_int_equal(fault_check("too many stops", &wire, &fault), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_proc_event_is_an_error),
        cmocka_unit_test(test_wrong_status_is_an_error),
        cmocka_unit_test(test_wrong_creation_is_an_error),
        cmocka_unit_test(test_wrong_stop_is_an_error),
        cmocka_unit_test(test_wrong_collector_event_is_an_error),
        cmocka_unit_test(test_wrong_range_is_an_error),
        cmocka_unit_test(test_wrong_annotation_is_an_error),
        cmocka_unit_test(test_unknown_reference_is_an_error),
        cmocka_unit_test(test_event_that_waits_for_ever_is_an_error),
        cmocka_unit_test(test_only_samples_before_a_stuck_event_are_given),
        cmocka_unit_test(test_seventeenth_open_stop_is_an_error),
    };
    return cmocka_run_group_tests_name("order errors", tests, NULL, NULL);
}
