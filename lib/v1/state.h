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

/* States of a goroutine, as the merge and the checks know them. */
enum gt_v1_state {
    GT_V1_DEAD,
    GT_V1_RUNNABLE,
    GT_V1_RUNNING,
    GT_V1_WAITING /* also in a system call that blocks */
};

struct gt_v1_goroutine {
    uint64_t id;
    uint64_t seq;                 /* the merge's: how often it changed hands */
    struct gt_v1_region *regions; /* the innermost first */
    struct gt_v1_goroutine *next; /* listed after it */
    struct gt_v1_proc *proc;      /* that runs it, or NULL */
    int64_t blocked;              /* ticks of the last GoSysBlock or GoInSyscall; 0: none */
    uint32_t start;               /* slot of the stack that it starts with */
    uint8_t merged;               /* gt_v1_state once events are ordered; ... */
    uint8_t state;                /* ... and once ends of system calls have their places */
    uint8_t given;                /* gt_go_state as the caller knows it */
    uint8_t listed;               /* its state when the trace started is still to be told */
    uint8_t on_network;           /* waits for the network */
    uint8_t assisting;
};

/* A proc with its place in its batches: its next event, of which type and time are known. */
struct gt_v1_proc {
    struct gt_lane lane; /* its time is in ticks; with N = 5 the sequence number */
    struct gt_v1_proc *next;
    const uint8_t *event;  /* where the next event starts ... */
    const uint8_t *behind; /* ... and its arguments */
    int64_t ticks;         /* of the next event */
    uint64_t current;      /* the goroutine that the next event's context has; 0: none */
    struct gt_v1_goroutine *goroutine; /* that it runs, by the checks; NULL: none */
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

/* A decoded event. */
struct gt_v1_event {
    const uint8_t *at;
    struct gt_v1_proc *proc;
    struct gt_v1_goroutine *subject; /* by the merge: the goroutine it is about, or NULL */
    const uint8_t *text;             /* GoUserLog: the message's length, and the message */
    int64_t ticks;
    uint64_t goroutine;  /* 0: none */
    uint64_t numbers[4]; /* the arguments but time and stack */
    int32_t proc_id;
    uint32_t stack; /* its id */
    uint8_t type;
    uint8_t forced; /* a lenient merge let it happen, and has told so */
};

#endif
