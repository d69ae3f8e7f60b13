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
    struct gt_v1_region *next; /* the enclosing region */
    uint64_t task;
    uint64_t name; /* the id of its string */
};

struct gt_v1_task {
    uint64_t parent;
    struct gt_name *name;
};

enum gt_v1_go_state {
    GT_V1_DEAD,
    GT_V1_RUNNABLE,
    GT_V1_RUNNING,
    GT_V1_WAITING, /* includes a system call that blocks */
    /* It waits for its GoSysExit, which was already reported because its time had come. */
    GT_V1_LEFT,
    /* It is runnable since its GoSysExit, which is not reported yet because clocks disagree. */
    GT_V1_RETURNING
};

struct gt_v1_goroutine {
    uint64_t id;
    uint64_t seq;                 /* its sequence number */
    struct gt_v1_region *regions; /* open regions, from the innermost to the outermost */
    struct gt_v1_goroutine *next; /* the next goroutine that existed when the trace started */
    struct gt_v1_proc *proc;      /* the proc that runs it, or NULL */
    int64_t blocked;              /* ticks of the last GoSysBlock or GoInSyscall; 0: none */
    uint32_t start;               /* the slot of the stack with which it starts */
    uint8_t state;                /* gt_v1_go_state */
    uint8_t reported;             /* a gt_go_state: its last state that was delivered */
    bool is_unreported;           /* its state when the trace started is still to be reported */
    bool is_listed;               /* it is in the list that `next` links */
    bool on_network;              /* it waits for the network */
    bool assisting;               /* a mark assist is open */
    bool is_over;                 /* it ended, and only a lenient reader still keeps it */
    bool split; /* its system call was reported as non-blocking, although it blocks */
};

/* A proc and its position in its batches: its next event, whose type and time are known. */
struct gt_v1_proc {
    struct gt_lane lane;     /* its time is in ticks, or in version 5 the sequence number */
    struct gt_v1_proc *next; /* the next proc, by the order of first batches */
    const uint8_t *event;    /* the start of the next event */
    const uint8_t *pos;      /* the read pointer in that event, after its time */
    const uint8_t *end;      /* that of its batch */
    int64_t ticks;           /* the time of the next event */
    int64_t context;         /* the current goroutine, or GT_NO_GOROUTINE */
    struct gt_v1_goroutine *goroutine; /* the goroutine in the state RUNNING on the proc, or NULL */
    int64_t thread;                    /* the thread of the last ProcStart, or GT_NO_THREAD */
    int32_t id;
    int32_t first_batch;
    int32_t last_batch; /* during the scan the last batch, later the batch of the next event */
    bool running;
    bool seen; /* its state was reported */
    bool sweeping;
    bool stopped; /* it has stopped the world: before version 10 each proc does so by itself */
    bool forced;  /* its next event happens whatever the state is */
};

enum {
    /* The size of the cache, a power of two. 8 KiB of pointers fit the first-level cache. */
    GT_V1_RECENT = 1024
};

/* The state that results from the events so far and decides whether an event can happen. */
struct gt_v1_state {
    struct gt_idmap goroutines;
    /*
     * A cache of goroutines that were looked up, indexed by the low bits of their ids. An entry may
     * have been freed since: such a goroutine is dead, and its id has no meaning, or its memory is
     * used for another goroutine. Empty entries point to `no_goroutine`, which is dead.
     */
    struct gt_v1_goroutine *recent[GT_V1_RECENT];
    struct gt_v1_goroutine no_goroutine;
    struct gt_idmap tasks;
    struct gt_pool region_pool;
    uint64_t gc_seq; /* the sequence number of the next start of the garbage collector */
    bool collecting; /* a collection is in progress */
    bool stopped;    /* the world is stopped */
    bool starting;   /* before the first Gomaxprocs, existing goroutines are listed */
    struct gt_v1_goroutine *listed; /* the goroutines created while starting, in order */
    struct gt_v1_goroutine *last_listed;
    struct gt_v1_goroutine *owed; /* the listed goroutines whose state is still to be reported */
    int64_t owed_ticks;           /* the time of those reports */
};

void gt_v1_state_init(struct gt_v1_state *state, struct gt_mem *mem);
void gt_v1_state_destroy(struct gt_v1_state *state);

/* Resets the state to that before the first event. */
void gt_v1_state_clear(struct gt_v1_state *state);

/*
 * Returns the goroutine with this id, which is created if it does not exist. Returns NULL if there
 * is no memory.
 */
struct gt_v1_goroutine *gt_v1_goroutine_get(struct gt_v1 *v1, uint64_t id);

/*
 * Ends the goroutine, or forgets it if no more events of it can follow. `reported` is the last
 * state that is delivered. The goroutine is freed, unless the trace is still starting and the
 * goroutine may be listed, or the reader is lenient and a damaged trace may have more events of the
 * goroutine.
 */
void gt_v1_goroutine_end(struct gt_v1 *v1, struct gt_v1_goroutine *goroutine, gt_go_state reported);

/* Takes the goroutine off its proc. */
static inline void gt_v1_goroutine_leave(struct gt_v1_goroutine *goroutine)
{
    if (goroutine->proc)
        goroutine->proc->goroutine = NULL;
    goroutine->proc = NULL;
}

/* Puts the goroutine on the proc, on which none runs. */
static inline void gt_v1_goroutine_enter(struct gt_v1_goroutine *goroutine, struct gt_v1_proc *proc)
{
    goroutine->proc = proc;
    proc->goroutine = goroutine;
    proc->context = (int64_t) goroutine->id;
}

#endif
