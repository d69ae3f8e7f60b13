/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_LIVE_H
#define GT_READER_LIVE_H

#include <stdbool.h>

#include <gotrace/live.h>

#include "base/idmap.h"
#include "base/roster.h"
#include "base/shared_text.h"
#include "model/event.h"

/* A state and when it began. */
struct gt_live_state {
    uint32_t state;
    bool known; /* the trace contains its begin */
    int64_t since;
};

struct gt_live_goroutine {
    uint64_t number;
    int64_t id;
    struct gt_live_state now;
    struct gt_live_state before;
    struct gt_shared_text *reason; /* NULL: none */
    struct gt_shared_text *name;   /* NULL: not known */
    int64_t thread;                /* on which it executes */
    gt_stack stack;
    gt_stack start_stack;
    int64_t created;
    int64_t creator;
    gt_stack creator_stack;
};

struct gt_live_proc {
    uint64_t number;
    int64_t id;
    struct gt_live_state now;
    struct gt_live_state before;
    int64_t thread; /* that holds it */
};

/* A thread that holds a proc or executes a goroutine. */
struct gt_live_thread {
    uint64_t number;
    int64_t id;
    int64_t since; /* when one of these changed */
    int64_t proc;
    int64_t goroutine;
};

/*
 * The state of the program at the caller's position in the trace, for GT_READER_TRACK. The events
 * that were delivered are taken in only when somebody asks, and before they become invalid: so
 * delivering an event costs nothing more, and it does not matter which thread has decoded it.
 */
struct gt_live {
    struct gt_mem *mem;
    const struct gt_event_data *next; /* the event to take in next */
    int64_t sync_time;                /* of the last Sync */
    struct gt_live_goroutine *ended;  /* the last event ended it: it is still found by its id */
    struct gt_idmap goroutines;
    struct gt_idmap procs;
    struct gt_idmap threads;
    struct gt_roster goroutine_roster;
    struct gt_roster proc_roster;
    struct gt_roster thread_roster;
    struct gt_shared_texts texts;
    struct gt_recent_texts recent;
};

struct gt_reader;

/* Makes the state before the event `next`, the first one. NULL: no memory. */
struct gt_live *gt_live_new(struct gt_mem *mem, const struct gt_event_data *next);
void gt_live_free(struct gt_live *live);

/*
 * Takes in the decoded events up to `end`. After a failure it can be called again: an event is
 * taken in as a whole or not at all.
 */
gt_status gt_live_take(struct gt_live *live, struct gt_reader *reader,
                       const struct gt_event_data *end);

/*
 * Takes in the events that were delivered, as far as there is memory, and goes on at `next`: the
 * others are left out.
 */
void gt_live_leave(struct gt_live *live, struct gt_reader *reader,
                   const struct gt_event_data *next);

/* Takes in a transition. */
gt_status gt_live_transition(struct gt_live *live, struct gt_reader *reader, const gt_event *event);

/* Removes a goroutine. */
void gt_live_goroutine_drop(struct gt_live *live, struct gt_live_goroutine *goroutine);

#endif
