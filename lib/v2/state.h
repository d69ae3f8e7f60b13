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
 * The state of threads, procs, goroutines and tasks at a point of the trace. It persists from one
 * generation to the next. Threads point to their proc and goroutine, so that ids are looked up only
 * if an event names a resource outside of its own context.
 */

/* An open region of a goroutine, or a stop of the world that it has begun. */
struct gt_v2_open {
    struct gt_v2_open *next;
    uint64_t task; /* the task of a region */
    struct gt_name *name;
};

/* A sequence number, which counts within a generation. */
struct gt_v2_seq {
    uint64_t generation;
    uint64_t number;
};

struct gt_v2_goroutine {
    /*
     * The first member, because it may be overwritten by the pool after the goroutine has ended,
     * unlike the id.
     */
    struct gt_v2_seq seq;
    int64_t id; /* GT_NO_GOROUTINE once it has ended */
    uint8_t status;
    bool assisting;             /* a mark assist is open */
    struct gt_v2_open *regions; /* open regions, from the innermost to the outermost */
    struct gt_v2_open *stops;   /* open stops of the world, from the oldest on */
};

struct gt_v2_proc {
    int64_t id;
    struct gt_v2_seq seq;
    struct gt_v2_thread *thread; /* the last thread that had it, and may have released it since */
    uint8_t status;
    bool sweeping;
};

struct gt_v2_task {
    uint64_t parent;
    struct gt_name *name;
};

/*
 * A thread and its position in the current generation: its next event, whose type and time are
 * known, and its remaining batches.
 */
struct gt_v2_thread {
    /* The time is in nanoseconds. The type is GT_WIRE_NONE if the event's time is malformed. */
    struct gt_lane lane;
    int64_t id;
    int64_t proc_id;                   /* or GT_NO_PROC */
    int64_t goroutine_id;              /* or GT_NO_GOROUTINE */
    struct gt_v2_proc *proc;           /* NULL with GT_NO_PROC */
    struct gt_v2_goroutine *goroutine; /* may be out of date: see gt_v2_context_goroutine */

    const uint8_t *event;     /* the start of the next event */
    const uint8_t *pos;       /* the read pointer in that event, after its time */
    const uint8_t *end;       /* the end of its batch */
    const uint8_t *quick_end; /* before it, the header of another event fits after an event */
    int32_t batch;            /* the index of its batch, in file order within the generation */
    int32_t last_batch;
};

enum {
    /* The size of the cache, a power of two. 8 KiB of pointers fit the first-level cache. */
    GT_V2_RECENT = 1024
};

enum gt_v2_gc {
    GT_V2_GC_UNDETERMINED,
    GT_V2_GC_OFF,
    GT_V2_GC_ON
};

/* The state that results from the events so far and decides whether an event can happen. */
struct gt_v2_state {
    struct gt_idmap threads;
    struct gt_idmap procs;
    struct gt_idmap goroutines;
    /*
     * A cache of goroutines that were looked up, indexed by the low bits of their ids. An entry may
     * have ended since: such a goroutine has no id and no status, or its memory is used for another
     * goroutine. Empty entries point to `no_goroutine`.
     */
    struct gt_v2_goroutine *recent[GT_V2_RECENT];
    struct gt_v2_goroutine no_goroutine;
    struct gt_idmap tasks;
    struct gt_pool open_pool;
    enum gt_v2_gc gc;
    uint64_t gc_seq;
    uint64_t first_generation; /* the first generation with events; 0 before it */
};

void gt_v2_state_init(struct gt_v2_state *state, struct gt_mem *mem);
void gt_v2_state_destroy(struct gt_v2_state *state);

/*
 * Returns the thread with this id, which is created if it does not exist. Returns NULL if there is
 * no memory.
 */
struct gt_v2_thread *gt_v2_thread_get(struct gt_v2 *v2, int64_t id);

/*
 * These functions create an object that does not exist yet. They return NULL if there is no memory.
 */
struct gt_v2_goroutine *gt_v2_goroutine_add(struct gt_v2 *v2, int64_t id, uint8_t status);
struct gt_v2_proc *gt_v2_proc_add(struct gt_v2 *v2, int64_t id, uint8_t status);

/*
 * Removes a goroutine that has ended, with everything that it had open, for which there are no
 * events.
 */
void gt_v2_goroutine_end(struct gt_v2 *v2, struct gt_v2_goroutine *goroutine);

#endif
