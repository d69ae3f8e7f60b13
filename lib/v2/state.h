/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_STATE_H
#define GT_V2_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "base/pool.h"
#include "merge/lane.h"
#include "model/names.h"

struct gt_v2;

/*
 * What is known of threads, procs, goroutines and tasks at a point of the trace. It lives on from
 * generation to generation. Threads point to their proc and goroutine; ids are looked up only if
 * an event names a resource that is not in its own context.
 */

/* An open region of a goroutine, or a stop of the world that it has begun. */
struct gt_v2_open {
    struct gt_v2_open *next;
    uint64_t task; /* of a region */
    struct gt_name *name;
};

/* A sequence number, which counts within a generation. */
struct gt_v2_seq {
    uint64_t generation;
    uint64_t number;
};

struct gt_v2_goroutine {
    /* Comes first: in one that has ended the pool overwrites this, and not the id. */
    struct gt_v2_seq seq;
    int64_t id; /* GT_NO_GOROUTINE once it has ended */
    uint8_t status;
    bool assisting;             /* a mark assist is open */
    struct gt_v2_open *regions; /* the innermost first */
    struct gt_v2_open *stops;   /* the oldest first */
};

struct gt_v2_proc {
    int64_t id;
    struct gt_v2_seq seq;
    struct gt_v2_thread *thread; /* the last one that had it; it may have let go since */
    uint8_t status;
    bool sweeping;
};

struct gt_v2_task {
    uint64_t parent;
    struct gt_name *name;
};

/*
 * A thread with its place in the current generation: its next event, of which type and time are
 * known, and the batches from there on.
 */
struct gt_v2_thread {
    /* Its time is in nanoseconds. Its type is GT_WIRE_NONE if the event's time is malformed. */
    struct gt_lane lane;
    int64_t id;
    int64_t proc_id;                   /* or GT_NO_PROC */
    int64_t goroutine_id;              /* or GT_NO_GOROUTINE */
    struct gt_v2_proc *proc;           /* NULL with GT_NO_PROC */
    struct gt_v2_goroutine *goroutine; /* may be out of date: see gt_v2_context_goroutine */

    const uint8_t *event;     /* start of the next event */
    const uint8_t *pos;       /* read pointer in it: its time and what precedes it are read */
    const uint8_t *end;       /* of its batch */
    const uint8_t *quick_end; /* before it, an event can be followed by the header of another */
    int32_t batch;            /* index of its batch; those of a generation are in file order */
    int32_t last_batch;
};

enum {
    /* A power of two. 8 KiB of pointers stay in the first-level cache. */
    GT_V2_RECENT = 1024
};

enum gt_v2_gc {
    GT_V2_GC_UNDETERMINED,
    GT_V2_GC_OFF,
    GT_V2_GC_ON
};

/* What the events so far have left: the state that decides whether an event can happen. */
struct gt_v2_state {
    struct gt_idmap threads;
    struct gt_idmap procs;
    struct gt_idmap goroutines;
    /*
     * Goroutines that were looked up, by the low bits of their ids. Some may have ended since:
     * these have no id and no status, or are other goroutines by now. `no_goroutine` stands for
     * none.
     */
    struct gt_v2_goroutine *recent[GT_V2_RECENT];
    struct gt_v2_goroutine no_goroutine;
    struct gt_idmap tasks;
    struct gt_pool open_pool;
    enum gt_v2_gc gc;
    uint64_t gc_seq;
    uint64_t first_generation; /* the number of the first one with events; 0 before it */
};

void gt_v2_state_init(struct gt_v2_state *state, struct gt_mem *mem);
void gt_v2_state_destroy(struct gt_v2_state *state);

/* The thread with this id, which is created if need be; NULL without memory. */
struct gt_v2_thread *gt_v2_thread_get(struct gt_v2 *v2, int64_t id);

/* These create what does not exist yet; NULL without memory. */
struct gt_v2_goroutine *gt_v2_goroutine_add(struct gt_v2 *v2, int64_t id, uint8_t status);
struct gt_v2_proc *gt_v2_proc_add(struct gt_v2 *v2, int64_t id, uint8_t status);

/* The goroutine has ended, and with it all that it had open; no event says so. */
void gt_v2_goroutine_end(struct gt_v2 *v2, struct gt_v2_goroutine *goroutine);

#endif
