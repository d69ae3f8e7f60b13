/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_TIMELINE_PROC_H
#define GT_TIMELINE_PROC_H

#include <stdint.h>

#include <gotrace/event.h>

#include "base/idmap.h"
#include "base/pool.h"
#include "timeline/ranges.h"

struct gt_timeline;

enum {
    /* Procs below are named whether they are there or not. */
    GT_TL_NAMED_PROCS = 1 << 12
};

struct gt_tl_proc {
    struct gt_tl_proc *next;
    int64_t id;
    int is_named; /* it has a transition of its own */
    /* The goroutine that went into a system call here and has not come back. */
    int has_syscall;
    int64_t syscall_goroutine;
    struct gt_tl_range *ranges;
};

struct gt_tl_procs {
    struct gt_idmap map;
    struct gt_pool pool;
    struct gt_tl_proc *first;
    int64_t largest;
    /* The threads that were seen, whose rows are named. */
    struct gt_idmap threads;
};

/* NULL where there is none, and with `make` after a failure. */
struct gt_tl_proc *gt_tl_proc_find(struct gt_timeline *timeline, int64_t id, int make);

/* A transition of a proc. */
void gt_tl_proc_changes(struct gt_timeline *timeline, const gt_event *event,
                        const gt_transition *transition);
void gt_tl_proc_range(struct gt_timeline *timeline, const gt_event *event, const gt_range *range);

/* Names the row of a thread, unless that was done or it is GT_NO_THREAD. */
void gt_tl_thread_seen(struct gt_timeline *timeline, int64_t id);

/* Draws the ranges that are open. */
void gt_tl_procs_finish(struct gt_timeline *timeline);
void gt_tl_procs_name(struct gt_timeline *timeline);

#endif
