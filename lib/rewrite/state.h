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

/*
 * What the events so far have left of threads, procs and goroutines: what a generation has to name
 * where it begins, and the sequence numbers of events. The reader has checked all events, so the
 * state follows them and checks nothing; but whatever events come, it stays consistent: a thread
 * that has a proc or a goroutine is the one that it has.
 */

struct gt_rewrite_thread {
    int64_t id;
    struct gt_rewrite_proc *proc;           /* or NULL */
    struct gt_rewrite_goroutine *goroutine; /* or NULL */
    /* Its events that are not written yet: the content of a batch. */
    GT_ARRAY(uint8_t) bytes;
    int64_t base; /* the time of that batch */
    int64_t time; /* of the last event in it */
    bool is_open; /* it is in the list of threads with batches */
};

struct gt_rewrite_proc {
    int64_t id;
    struct gt_rewrite_thread *thread; /* that has it, or NULL */
    uint64_t sequence;
    uint32_t status; /* GT_V2_PROC_ */
    bool sweeping;
};

/* A stop of the world that a goroutine has begun. */
struct gt_rewrite_stop {
    struct gt_rewrite_stop *next;
    struct gt_shared_text *cause;
    bool is_lost; /* the output does not have its beginning */
};

struct gt_rewrite_goroutine {
    int64_t id;
    struct gt_rewrite_thread *thread; /* that has it, or NULL */
    uint64_t sequence;
    uint64_t number; /* in the roster */
    uint32_t status; /* GT_V2_GO_ */
    bool assisting;
    struct gt_rewrite_stop *stops; /* the oldest first */
};

struct gt_rewrite_state {
    struct gt_mem *mem;
    struct gt_idmap thread_map;
    struct gt_idmap proc_map;
    struct gt_idmap goroutine_map;
    GT_ARRAY(struct gt_rewrite_thread *) threads;
    GT_ARRAY(struct gt_rewrite_proc *) procs;
    struct gt_roster goroutines;
    struct gt_pool stop_pool;
    struct gt_shared_texts causes;
    struct gt_rewrite_thread *recent; /* the thread that was asked for last, or NULL */
    bool collecting;                  /* the garbage collector marks */
};

void gt_rewrite_state_init(struct gt_rewrite_state *state, struct gt_mem *mem);
void gt_rewrite_state_destroy(struct gt_rewrite_state *state);

/* The one with this id, which is created if need be; NULL without memory. */
struct gt_rewrite_thread *gt_rewrite_thread_get(struct gt_rewrite_state *state, int64_t id);
struct gt_rewrite_proc *gt_rewrite_proc_get(struct gt_rewrite_state *state, int64_t id);
struct gt_rewrite_goroutine *gt_rewrite_goroutine_get(struct gt_rewrite_state *state, int64_t id);

/* The goroutine has ended; it is freed. It may be NULL. */
void gt_rewrite_goroutine_end(struct gt_rewrite_state *state,
                              struct gt_rewrite_goroutine *goroutine);

/*
 * These tie a thread to a proc or a goroutine. Return false if either has another already, which a
 * reader does not refuse in statuses; GT_NO_THREAD gets none.
 */
bool gt_rewrite_bind_proc(struct gt_rewrite_thread *thread, struct gt_rewrite_proc *proc);
bool gt_rewrite_bind_goroutine(struct gt_rewrite_thread *thread,
                               struct gt_rewrite_goroutine *goroutine);

/* Parts the proc, or the goroutine, from the thread that has it. */
void gt_rewrite_free_proc(struct gt_rewrite_proc *proc);
void gt_rewrite_free_goroutine(struct gt_rewrite_goroutine *goroutine);

/* Begins a stop of the world. NULL: see gt_mem_failure. */
struct gt_rewrite_stop *gt_rewrite_stop_begin(struct gt_rewrite_state *state,
                                              struct gt_rewrite_goroutine *goroutine,
                                              gt_string cause);

/* Ends the oldest stop of the goroutine. Returns whether the output has its beginning. */
bool gt_rewrite_stop_end(struct gt_rewrite_state *state, struct gt_rewrite_goroutine *goroutine);

#endif
