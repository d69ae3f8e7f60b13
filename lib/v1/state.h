/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_STATE_H
#define GT_V1_STATE_H

#include <stdint.h>

#include "merge/lane.h"
#include "model/names.h"
#include "v1/spec.h"

/* A region that is open. */
struct gt_v1_region {
    struct gt_v1_region *next;
    uint64_t task;
    uint64_t name; /* string id */
};

struct gt_v1_task {
    uint64_t parent;
    struct gt_name *name;
};

enum gt_v1_state {
    GT_V1_DEAD,
    GT_V1_RUNNABLE,
    GT_V1_RUNNING,
    GT_V1_WAITING, /* also in a system call that blocks */
    /* Waits for its GoSysExit, of which the event was given already, as its time had come. */
    GT_V1_LEFT,
    /* Runnable since its GoSysExit, of which the event is not given yet: clocks disagree. */
    GT_V1_RETURNING
};

struct gt_v1_goroutine {
    uint64_t id;
    uint64_t seq;                 /* how often it changed hands */
    struct gt_v1_region *regions; /* the innermost first */
    struct gt_v1_goroutine *next; /* listed after it */
    struct gt_v1_proc *proc;      /* that runs it, or NULL */
    int64_t blocked;              /* ticks of the last GoSysBlock or GoInSyscall; 0: none */
    uint32_t start;               /* slot of the stack that it starts with */
    uint8_t state;                /* gt_v1_state */
    uint8_t given;                /* gt_go_state as the caller knows it */
    uint8_t listed;               /* its state when the trace started is still to be told */
    uint8_t is_linked;            /* it is in the list of those that were there */
    uint8_t on_network;           /* waits for the network */
    uint8_t assisting;
    uint8_t split; /* its system call was given as a short one, though it blocks */
};

/* A proc with its place in its batches: its next event, of which type and time are known. */
struct gt_v1_proc {
    struct gt_lane lane; /* its time is in ticks; with N = 5 the sequence number */
    struct gt_v1_proc *next;
    const uint8_t *event;              /* where the next event starts, ... */
    const uint8_t *pos;                /* ... and what follows its time, or what was read of it */
    int64_t ticks;                     /* of the next event */
    int64_t context;                   /* the goroutine that it has, or GT_NO_GOROUTINE */
    struct gt_v1_goroutine *goroutine; /* that the proc runs, in the state RUNNING; or NULL */
    int64_t thread;                    /* of the last ProcStart, or GT_NO_THREAD */
    int32_t id;
    int32_t first_batch;
    int32_t last_batch; /* while scanning; then the batch of the next event */
    uint8_t running;
    uint8_t seen; /* its state was told */
    uint8_t sweeping;
    uint8_t stopped; /* N < 10: a stopped world belongs to a proc */
    uint8_t forced;  /* its next event is let happen as it is */
};

#endif
