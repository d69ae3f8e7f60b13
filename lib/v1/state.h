/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_STATE_H
#define GT_V1_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

#include "base/idmap.h"
#include "base/pool.h"
#include "merge/lane.h"
#include "model/names.h"
#include "v1/spec.h"

struct gt_v1;

/* A region that is open. */
struct gt_v1_region {
    struct gt_v1_region *next; /* the one around it */
    uint64_t task;
    uint64_t name; /* id of a string */
};

struct gt_v1_task {
    uint64_t parent;
    struct gt_name *name;
};

enum gt_v1_go_state {
    GT_V1_DEAD,
    GT_V1_RUNNABLE,
    GT_V1_RUNNING,
    GT_V1_WAITING, /* also in a system call that blocks */
    /* Waits for its GoSysExit, whose event was reported already, as its time had come. */
    GT_V1_LEFT,
    /* Runnable since its GoSysExit, whose event is not reported yet: clocks disagree. */
    GT_V1_RETURNING
};

struct gt_v1_goroutine {
    uint64_t id;
    uint64_t seq;                 /* how often it changed hands */
    struct gt_v1_region *regions; /* the innermost first */
    struct gt_v1_goroutine *next; /* in the list of those that existed when the trace started */
    struct gt_v1_proc *proc;      /* the one that runs it, or NULL */
    int64_t blocked;              /* ticks of the last GoSysBlock or GoInSyscall; 0: none */
    uint32_t start;               /* slot of the stack that it starts with */
    uint8_t state;                /* gt_v1_go_state */
    uint8_t reported;             /* gt_go_state: its last state that the caller was given */
    bool is_unreported;           /* its state when the trace started is still to be reported */
    bool is_listed;               /* it is in the list */
    bool on_network;              /* it waits for the network */
    bool assisting;               /* a mark assist is open */
    bool is_over;                 /* it ended, and only a lenient reader still keeps it */
    bool split; /* its system call was reported as one that does not block, although it does */
};

/* A proc with its place in its batches: its next event, of which type and time are known. */
struct gt_v1_proc {
    struct gt_lane lane;     /* its time is in ticks; in version 5 the sequence number */
    struct gt_v1_proc *next; /* the proc whose first batch comes next */
    const uint8_t *event;    /* start of the next event */
    const uint8_t *pos;      /* read pointer in it: its time and what precedes it are read */
    int64_t ticks;           /* of the next event */
    int64_t context;         /* the current goroutine, or GT_NO_GOROUTINE */
    struct gt_v1_goroutine *goroutine; /* the one in the state RUNNING on the proc, or NULL */
    int64_t thread;                    /* of the last ProcStart, or GT_NO_THREAD */
    int32_t id;
    int32_t first_batch;
    int32_t last_batch; /* while scanning the last one; then that of the next event */
    bool running;
    bool seen; /* its state was reported */
    bool sweeping;
    bool stopped; /* before version 10 each proc stops the world by itself */
    bool forced;  /* its next event happens whatever the state */
};

enum {
    /* A power of two. 8 KiB of pointers stay in the first-level cache. */
    GT_V1_RECENT = 1024
};

/* What the events so far have left: the state that decides whether an event can happen. */
struct gt_v1_state {
    struct gt_idmap goroutines;
    /*
     * Goroutines that were looked up, by the low bits of their ids. Some may have been freed since:
     * these are dead and their ids have no meaning, or they are other goroutines by now.
     * `no_goroutine`, which is dead, stands for none.
     */
    struct gt_v1_goroutine *recent[GT_V1_RECENT];
    struct gt_v1_goroutine no_goroutine;
    struct gt_idmap tasks;
    struct gt_pool region_pool;
    uint64_t gc_seq; /* sequence number of the garbage collector's next start */
    bool collecting; /* a collection is open */
    bool stopped;    /* the world is stopped */
    bool starting;   /* before the first Gomaxprocs: existing goroutines are listed */
    struct gt_v1_goroutine *listed; /* goroutines created while starting, in order */
    struct gt_v1_goroutine *last_listed;
    struct gt_v1_goroutine *owed; /* the listed ones whose state is still to be reported */
    int64_t owed_ticks;           /* the time of those reports */
};

void gt_v1_state_init(struct gt_v1_state *state, struct gt_mem *mem);
void gt_v1_state_destroy(struct gt_v1_state *state);

/* Forgets everything that events have left. */
void gt_v1_state_clear(struct gt_v1_state *state);

/* The goroutine with this id, which is created if need be; NULL without memory. */
struct gt_v1_goroutine *gt_v1_goroutine_get(struct gt_v1 *v1, uint64_t id);

/*
 * The goroutine has ended, or nothing will be heard of it again; `reported` is the state that
 * the caller is given. It is freed, unless the trace is still starting, in which case it may be
 * in the list, or the reader is lenient: a damaged trace may have more events of it.
 */
void gt_v1_goroutine_end(struct gt_v1 *v1, struct gt_v1_goroutine *goroutine, gt_go_state reported);

/* Takes the goroutine off its proc. */
static inline void gt_v1_goroutine_leave(struct gt_v1_goroutine *goroutine)
{
    if (goroutine->proc)
        goroutine->proc->goroutine = NULL;
    goroutine->proc = NULL;
}

/* Puts the goroutine on the proc, which has none. */
static inline void gt_v1_goroutine_enter(struct gt_v1_goroutine *goroutine, struct gt_v1_proc *proc)
{
    goroutine->proc = proc;
    proc->goroutine = goroutine;
    proc->context = (int64_t) goroutine->id;
}

#endif
