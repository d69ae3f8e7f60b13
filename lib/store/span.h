/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_SPAN_H
#define GT_STORE_SPAN_H

#include <stdint.h>

/* What time is spent on, in the order in which the shares of a merged bar are stacked, from
 * the bottom. */
enum store_class {
    CLASS_RUNNING,
    CLASS_RUNNING_GC, /* a goroutine of the collector's */
    CLASS_SYSCALL,
    CLASS_SYSCALL_BLOCKED, /* its proc was taken away */
    CLASS_RUNNABLE,
    CLASS_WAIT_CHAN,
    CLASS_WAIT_SYNC,
    CLASS_WAIT_NET,
    CLASS_WAIT_SLEEP,
    CLASS_WAIT_GC,
    CLASS_WAIT_OTHER,
    CLASS_REGION,
    CLASS_TASK,
    CLASS_RANGE, /* mark assist, sweep */
    CLASS_GC,
    CLASS_STW,
    STORE_CLASSES
};

#define STORE_NONE UINT32_MAX

struct span {
    int64_t start, end;        /* ns since the trace's start; end >= start */
    uint32_t index;            /* its ordinal in its track */
    uint32_t cls;              /* enum store_class */
    uint32_t name;             /* text: reason of a state, name of a region, range, task; 0 none */
    uint32_t goroutine;        /* ordinal; of procs and threads: who runs there. STORE_NONE: none */
    uint32_t by;               /* ordinal of the goroutine that led to it, or STORE_NONE */
    uint32_t proc, thread;     /* ordinals of their rows, or STORE_NONE */
    uint32_t stack, end_stack; /* frames; 0 none */
};

#endif
