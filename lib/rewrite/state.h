/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_STATE_H
#define GT_REWRITE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/roster.h"
#include "base/shared_text.h"
#include "rewrite/regions.h"

/*
 * The state of threads, procs and goroutines after the events so far: the resources that a
 * generation has to name at its beginning, and the sequence numbers of events. The reader has
 * validated all events, so the state follows them without checks; nevertheless it stays consistent
 * for any sequence of events: if a thread has a proc or a goroutine, that has the thread.
 */

/* The first id of a thread that is made up; no system has that many. */
#define GT_REWRITE_MADE_UP INT64_C(1000000000)

struct gt_rewrite_thread {
    int64_t id;
    int64_t written_id;                     /* its id in the output */
    struct gt_rewrite_proc *proc;           /* the proc of the thread, or NULL */
    struct gt_rewrite_goroutine *goroutine; /* the goroutine of the thread, or NULL */
    /* The events of the thread that are not written yet, as the content of a batch. */
    GT_ARRAY(uint8_t) bytes;
    int64_t base; /* the time of that batch */
    int64_t time; /* the time of the last event in it */
    /*
     * The last goroutine that was created here by an event of Go 1.21 or before, and the size of
     * the batch before and after that event: see v1context.h.
     */
    int64_t created;
    int64_t created_time;
    size_t size_before;
    size_t size_after;
    int64_t time_before;
    bool is_open; /* the thread is in the list of threads with batches */
};

struct gt_rewrite_proc {
    int64_t id;
    struct gt_rewrite_thread *thread; /* the thread that has it, or NULL */
    uint64_t sequence;
    uint64_t join;   /* the join at which it was last named: see join.c */
    uint64_t named;  /* the ordinal of the last generation that has named it */
    uint32_t status; /* a GT_V2_PROC_ constant */
    bool sweeping;
};

enum {
    /*
     * The stops of the world whose causes later generations repeat. Go's tracer has one at a time;
     * a trace that claims more of them must not make every generation large.
     */
    GT_REWRITE_KEPT_STOPS = 8
};

/* A stop of the world that a goroutine has begun. */
struct gt_rewrite_stop {
    struct gt_rewrite_stop *next;
    struct gt_shared_text *cause;
    /* Of a stop that is kept: the cause as it is in the output, and its id there. */
    struct gt_shared_text *written;
    uint32_t written_id;
    bool is_lost; /* its beginning is not in the output */
};

struct gt_rewrite_goroutine {
    int64_t id;
    struct gt_rewrite_thread *thread; /* the thread that has it, or NULL */
    uint64_t sequence;
    uint64_t number; /* its number in the roster */
    uint64_t join;   /* the join at which it was last named: see join.c */
    uint64_t named;  /* the ordinal of the last generation that has named it */
    uint32_t status; /* a GT_V2_GO_ constant */
    bool assisting;
    bool loses_regions; /* an event of one of its regions is not in the output: see v1context.c */
    struct gt_rewrite_stop *stops;     /* from the oldest on */
    struct gt_rewrite_region *regions; /* empty unless the input may be repaired */
};

/* A task that has begun and not ended. */
struct gt_rewrite_task {
    uint64_t id;
    uint64_t parent; /* as in the trace */
    uint64_t number; /* its number in the roster */
    struct gt_shared_text *type;
};

struct gt_rewrite_state {
    struct gt_mem *mem;
    struct gt_idmap thread_map;
    struct gt_idmap proc_map;
    struct gt_idmap goroutine_map;
    struct gt_idmap task_map;
    GT_ARRAY(struct gt_rewrite_thread *) threads;
    GT_ARRAY(struct gt_rewrite_proc *) procs;
    struct gt_roster goroutines;
    struct gt_roster tasks; /* empty unless the options ask for them */
    struct gt_pool stop_pool;
    struct gt_rewrite_regions regions;
    struct gt_shared_texts causes;
    struct gt_shared_texts task_types;
    struct gt_rewrite_thread *recent; /* the last thread that was looked up, or NULL */
    size_t stop_count;                /* the stops of the world that have not ended */
    struct gt_rewrite_stop *kept_stops[GT_REWRITE_KEPT_STOPS]; /* see gt_rewrite_stop_keep */
    size_t kept_stop_count;
    int64_t spare_proc;   /* the id of the next proc that is made up: see bridge.c */
    bool numbers_threads; /* the ids in the output are consecutive numbers */
    bool collecting;      /* the mark phase of the garbage collector is active */
};

void gt_rewrite_state_init(struct gt_rewrite_state *state, struct gt_mem *mem);
void gt_rewrite_state_destroy(struct gt_rewrite_state *state);

/*
 * These functions return the object with this id, which is created if it does not exist. They
 * return NULL if there is no memory.
 */
struct gt_rewrite_thread *gt_rewrite_thread_find(struct gt_rewrite_state *state, int64_t id);
struct gt_rewrite_proc *gt_rewrite_proc_get(struct gt_rewrite_state *state, int64_t id);
struct gt_rewrite_goroutine *gt_rewrite_goroutine_get(struct gt_rewrite_state *state, int64_t id);

/* Works as gt_rewrite_thread_find does. Most events are on the thread of the previous one. */
static inline struct gt_rewrite_thread *gt_rewrite_thread_get(struct gt_rewrite_state *state,
                                                              int64_t id)
{
    struct gt_rewrite_thread *recent = state->recent;
    return recent && recent->id == id ? recent : gt_rewrite_thread_find(state, id);
}

/* Removes and frees a goroutine that has ended. `goroutine` may be NULL. */
void gt_rewrite_goroutine_end(struct gt_rewrite_state *state,
                              struct gt_rewrite_goroutine *goroutine);

/*
 * These functions bind a proc or a goroutine to a thread. They return false if one of the two is
 * already bound to another, which a reader accepts in statuses. GT_NO_THREAD is never bound.
 */
bool gt_rewrite_bind_proc(struct gt_rewrite_thread *thread, struct gt_rewrite_proc *proc);
bool gt_rewrite_bind_goroutine(struct gt_rewrite_thread *thread,
                               struct gt_rewrite_goroutine *goroutine);

/* These functions unbind the proc, or the goroutine, from its thread. */
void gt_rewrite_free_proc(struct gt_rewrite_proc *proc);
void gt_rewrite_free_goroutine(struct gt_rewrite_goroutine *goroutine);

/* Notes that a task begins. Returns false if there is no memory. */
bool gt_rewrite_task_begin(struct gt_rewrite_state *state, uint64_t id, uint64_t parent,
                           gt_string type);

/* Forgets a task, if it is known. */
void gt_rewrite_task_end(struct gt_rewrite_state *state, uint64_t id);

/* Begins a stop of the world. Returns NULL on failure; see gt_mem_failure. */
struct gt_rewrite_stop *gt_rewrite_stop_begin(struct gt_rewrite_state *state,
                                              struct gt_rewrite_goroutine *goroutine,
                                              gt_string cause);

/*
 * Keeps a stop, whose beginning has the cause `text` with the id `id` in the output, for the
 * generations that follow before its end. Does nothing if there is no room. Returns false if there
 * is no memory.
 */
bool gt_rewrite_stop_keep(struct gt_rewrite_state *state, struct gt_rewrite_stop *stop,
                          gt_string text, uint32_t id);

/* Keeps no stop any longer, because another output begins. */
void gt_rewrite_stops_forget(struct gt_rewrite_state *state);

/* Ends the oldest stop of the goroutine. Returns whether its beginning is in the output. */
bool gt_rewrite_stop_end(struct gt_rewrite_state *state, struct gt_rewrite_goroutine *goroutine);

#endif
