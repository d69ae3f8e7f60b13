/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_STATE_H
#define GT_V2_STATE_H

#include <stdint.h>

#include "merge/lane.h"
#include "model/names.h"

/*
 * What is known of threads, procs, goroutines and tasks at a point of the
 * trace. All of it lives on from generation to generation, and is found by
 * pointer where the cursor is: ids are looked up only where an event names a
 * resource that is not of its own context.
 */

/* An open region, or a stopped world, of a goroutine. */
struct gt_v2_open {
    struct gt_v2_open *next;
    uint64_t task; /* of a region */
    struct gt_name *name;
};

/* A sequence number counts within a generation only. */
struct gt_v2_seq {
    uint64_t generation;
    uint64_t number;
};

struct gt_v2_goroutine {
    struct gt_v2_seq seq; /* first: the pool overwrites it in one that is gone, not the id */
    int64_t id;           /* GT_NO_GOROUTINE once it is gone */
    uint8_t status;
    uint8_t assisting;          /* a mark assist is open */
    struct gt_v2_open *regions; /* the innermost first */
    struct gt_v2_open *stops;   /* the oldest first */
};

struct gt_v2_proc {
    int64_t id;
    struct gt_v2_seq seq;
    struct gt_v2_thread *thread; /* the last that took it; it may have let go since */
    uint8_t status;
    uint8_t sweeping;
};

struct gt_v2_task {
    uint64_t parent;
    struct gt_name *name;
};

/* What a thread's next event waits for. */
enum gt_v2_need {
    /* Goroutine `id` to be runnable, or waiting, with the sequence number before `seq`. */
    GT_V2_NEED_RUNNABLE,
    GT_V2_NEED_WAITING,
    /* Proc `id` to be idle, or in a system call, with the number before `seq`. */
    GT_V2_NEED_IDLE,
    GT_V2_NEED_IN_SYSCALL,
    /* Proc `id` to leave its system call. */
    GT_V2_NEED_SYSCALL_OVER,
    /* Thread `id`, which is the one that waits, to lose its proc. */
    GT_V2_NEED_NO_PROC,
    /* The garbage collector's sequence number before `seq`. */
    GT_V2_NEED_GC
};

/*
 * A thread with its place in the current generation: the batches that it has
 * still to give, and its next event, of which type and time are known.
 */
struct gt_v2_thread {
    /* Its time is in ns, its type GT_WIRE_NONE where the event has no time. */
    struct gt_lane lane;
    int64_t id;
    int64_t proc_id;                   /* GT_NO_PROC */
    int64_t goroutine_id;              /* GT_NO_GOROUTINE */
    struct gt_v2_proc *proc;           /* NULL with GT_NO_PROC */
    struct gt_v2_goroutine *goroutine; /* a guess: see gt_v2_goroutine_of */

    const uint8_t *event; /* where the next event starts */
    const uint8_t *pos;   /* its type and time, and once they are read its arguments */
    const uint8_t *end;   /* of its batch */
    int32_t batch;        /* index of the batch; the generation's, in file order */
    int32_t last_batch;
};

#endif
