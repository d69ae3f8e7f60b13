/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_LIVE_H
#define GT_READER_LIVE_H

#include <stdbool.h>

#include <gotrace/live.h>

#include "base/idmap.h"
#include "base/roster.h"
#include "base/shared_text.h"
#include "model/event.h"
#include "reader/kept_stack.h"

/* A state and the time at which it began. */
struct gt_live_state {
    uint32_t state;
    bool known; /* the trace contains its beginning */
    int64_t since;
};

/* A stack of a goroutine, which it holds once the generation of the stack has ended. */
struct gt_live_stack {
    gt_stack stack;
    bool is_held;
};

struct gt_live_goroutine {
    uint64_t number;
    int64_t id;
    struct gt_live_state now;
    struct gt_live_state before;
    struct gt_shared_text *reason; /* NULL: there is none */
    struct gt_shared_text *name;   /* NULL: unknown */
    int64_t thread;                /* the thread on which it executes */
    struct gt_live_stack stack;
    struct gt_live_stack start_stack;
    struct gt_live_stack creator_stack;
    int64_t created;
    int64_t creator;
};

struct gt_live_proc {
    uint64_t number;
    int64_t id;
    struct gt_live_state now;
    struct gt_live_state before;
    int64_t thread; /* the thread that holds it */
};

/* A thread that holds a proc or executes a goroutine. */
struct gt_live_thread {
    uint64_t number;
    int64_t id;
    int64_t since; /* the time of the last change of the members below */
    int64_t proc;
    int64_t goroutine;
};

/*
 * The state of the program at the caller's position in the trace, for GT_READER_TRACK. Delivered
 * events are applied to it only when the caller makes a query, and before they become invalid: so
 * delivering an event costs nothing more, and it does not matter which thread has decoded the
 * event.
 */
struct gt_live {
    struct gt_mem *mem;
    const struct gt_event_data *next; /* the next event to apply */
    int64_t sync_time;                /* the time of the last Sync */
    struct gt_live_goroutine *ended;  /* ended by the last event; queries still find it */
    struct gt_idmap goroutines;
    struct gt_idmap procs;
    struct gt_idmap threads;
    struct gt_roster goroutine_roster;
    struct gt_roster proc_roster;
    struct gt_roster thread_roster;
    struct gt_shared_texts texts;
    struct gt_recent_texts recent;
    struct gt_kept_stacks kept;
};

struct gt_reader;

/* Creates the state before the first event, `next`. Returns NULL if there is no memory. */
struct gt_live *gt_live_new(struct gt_mem *mem, const struct gt_event_data *next);
void gt_live_free(struct gt_live *live);

/*
 * Applies the decoded events up to `end`. After a failure it can be called again, because an event
 * is applied as a whole or not at all.
 */
gt_status gt_live_take(struct gt_live *live, struct gt_reader *reader,
                       const struct gt_event_data *end);

/*
 * Applies the delivered events as long as there is memory, and skips the others. The next event to
 * apply is then `next`.
 */
void gt_live_leave(struct gt_live *live, struct gt_reader *reader,
                   const struct gt_event_data *next);

/* Applies a transition. */
gt_status gt_live_transition(struct gt_live *live, struct gt_reader *reader, const gt_event *event);

/* Removes a goroutine. */
void gt_live_goroutine_drop(struct gt_live *live, struct gt_live_goroutine *goroutine);

#endif
