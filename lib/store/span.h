/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_SPAN_H
#define GT_STORE_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"

/* The classes of spans: the activity or state in which time is spent. The shares of a merged bar
 * are stacked in this order, from the bottom. */
enum gt_store_class {
    GT_CLASS_RUNNING,
    GT_CLASS_RUNNING_GC, /* a goroutine of the garbage collector runs */
    GT_CLASS_SYSCALL,
    GT_CLASS_SYSCALL_BLOCKED, /* in a system call, and its proc was taken away */
    GT_CLASS_RUNNABLE,
    GT_CLASS_WAIT_CHAN,
    GT_CLASS_WAIT_SYNC,
    GT_CLASS_WAIT_NET,
    GT_CLASS_WAIT_SLEEP,
    GT_CLASS_WAIT_GC,
    GT_CLASS_WAIT_OTHER,
    GT_CLASS_REGION,
    GT_CLASS_TASK,
    GT_CLASS_RANGE, /* mark assist, sweep */
    GT_CLASS_GC,
    GT_CLASS_STW,
    GT_STORE_CLASSES
};

#define GT_STORE_NONE UINT32_MAX

struct gt_span {
    int64_t start, end; /* ns since the start of the trace; end >= start */
    uint32_t index;     /* its ordinal in its track */
    uint32_t cls;       /* enum gt_store_class */
    uint32_t
        name; /* a text: the reason of a state, or the name of a region, range or task; 0: none */
    uint32_t goroutine; /* an ordinal; on procs and threads, the one that runs; or GT_STORE_NONE */
    uint32_t by;        /* the ordinal of the goroutine that caused it, or GT_STORE_NONE */
    uint32_t proc, thread;     /* the ordinals of their rows, or GT_STORE_NONE */
    uint32_t stack, end_stack; /* frames; 0: none */
};

/*
 * Whether a state of a goroutine is the one that followed what ended a wait: it is runnable, or it
 * runs because another one, a coroutine, has switched to it.
 */
static inline bool gt_span_is_woken(const struct gt_span *state)
{
    bool runs = state->cls == GT_CLASS_RUNNING || state->cls == GT_CLASS_RUNNING_GC;
    return state->cls == GT_CLASS_RUNNABLE || (runs && state->by != GT_STORE_NONE);
}

/* When that was: one that has switched to another one stops then, and so did it just before. */
static inline int64_t gt_span_wake_time(const struct gt_span *state)
{
    return state->cls == GT_CLASS_RUNNABLE ? state->start : gt_time_minus(state->start, 1);
}

#endif
