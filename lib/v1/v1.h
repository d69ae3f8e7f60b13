/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_V1_H
#define GT_V1_V1_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/reader.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "merge/frontier.h"
#include "model/event.h"
#include "model/names.h"
#include "model/table.h"
#include "source/source.h"
#include "v1/late.h"
#include "v1/spec.h"
#include "v1/state.h"

enum gt_v1_stage {
    GT_V1_NEW,     /* nothing was read but the header */
    GT_V1_READING, /* the trace was scanned, and its events are being given */
    GT_V1_DONE     /* the last Sync was given */
};

/* Why a goroutine stopped: texts that the wire does not have. */
enum gt_v1_reason {
    GT_V1_FOREVER,
    GT_V1_PREEMPTED,
    GT_V1_GOSCHED,
    GT_V1_SLEEP,
    GT_V1_CHAN_SEND,
    GT_V1_CHAN_RECEIVE,
    GT_V1_NETWORK,
    GT_V1_SYNC,
    GT_V1_COND,
    GT_V1_SELECT,
    GT_V1_MARK_ASSIST_WAIT,
    GT_V1_UNSAID,
    GT_V1_REASONS
};

/* What the caller asked for. */
struct gt_v1_options {
    int lenient;
    int as_recorded;
    int keep; /* the table stays after the last event */
    gt_repair_fn on_repair;
    void *repair_data;
    gt_symbolize_fn symbolize;
    void *symbolize_data;
};

/* The batches that have events, in file order, chained by proc. */
struct gt_v1_batch {
    const uint8_t *start; /* its first byte */
    int32_t next;         /* of the same proc; -1: none */
};

/* A stack of N = 5, which gets its symbols when all pcs are known. */
struct gt_v1_bare_stack {
    uint64_t id;         /* of a record of the stack table, ... */
    const uint8_t *data; /* ... which is the number of its frames, and their pcs */
    int is_start;        /* else `id` is the pc at which a goroutine starts */
};

/*
 * Reads the formats of Go 1.5 to 1.21. All of the input is scanned first, as
 * stacks and the frequency come last; then procs are merged into one row of events.
 */
struct gt_v1 {
    struct gt_mem *mem;
    struct gt_source *source;
    gt_error *error;
    struct gt_v1_options options;
    uint32_t version;
    enum gt_v1_stage stage;
    gt_status after; /* what comes after the events that were given */
    uint64_t repairs;

    /* What the scan found. */
    const uint8_t *data; /* all of the input behind the header */
    const uint8_t *end;
    uint64_t data_offset; /* in the input */
    uint8_t numbers[64];  /* gt_v1_numbers by type */
    struct gt_v1_batch *batches;
    size_t batch_count;
    size_t batch_capacity;
    struct gt_v1_proc *procs; /* in order of their first batch */
    struct gt_v1_proc *last_proc;
    size_t proc_count;
    struct gt_idmap proc_map;
    struct gt_pool proc_pool;
    struct gt_v1_late exits;
    struct gt_v1_late samples;
    uint32_t *sample_next;   /* by sample: 1 + the next one of the same goroutine; 0: none */
    struct gt_idmap sampled; /* by goroutine: 1 + its next sample */
    struct gt_idmap timers;  /* goroutines that only fire timers */
    uint64_t frequency;      /* ticks a second; 0: not known */
    uint64_t futile_wakeups; /* how many */
    struct gt_table table;
    struct gt_names names;

    /* N = 5: pcs that get their symbols when all are known. */
    struct gt_v1_bare_stack *bare;
    size_t bare_count;
    size_t bare_capacity;
    uint64_t *pcs;
    size_t pc_count;
    size_t pc_capacity;
    uint8_t *frames; /* the stacks with symbols, in the form of later versions */
    size_t frames_size;
    struct gt_idmap starts; /* by pc: the slot of the stack of a goroutine that starts there */

    /* The merge. */
    struct gt_frontier frontier;
    int64_t until;  /* before this time the first proc's event comes next: see gt_v1_merge */
    int64_t merged; /* ticks of the last event, by the order of their procs */
    int64_t slack;  /* ticks that a lenient merge lets others run ahead */
    uint64_t gc_seq;
    struct gt_idmap goroutines;
    struct gt_pool goroutine_pool;
    struct gt_v1_search *search; /* for futile wakeups, while that is going on */
    uint8_t *futile;             /* a bit for each event: it is part of one */
    size_t futile_size;
    uint64_t taken; /* events so far */

    /* What is known at this point of the trace. */
    uint8_t collecting;
    uint8_t stopped;
    uint8_t began;                  /* an event happened, or was tried */
    uint8_t starting;               /* before the first Gomaxprocs, when what was there is listed */
    struct gt_v1_goroutine *listed; /* created while starting, in this order */
    struct gt_v1_goroutine *last_listed;
    struct gt_v1_goroutine *owed; /* listed ones whose state is still to be told ... */
    int64_t owed_ticks;           /* ... as of this time */
    struct gt_idmap tasks;
    struct gt_pool task_pool;
    struct gt_pool region_pool;

    /* Giving events. */
    struct gt_events *events;
    struct gt_event_data *slot;   /* in there, where the next event is completed */
    struct gt_v1_goroutine *made; /* by gt_v1_settle or gt_v1_make_run */
    int64_t ticks;                /* of the event that is being given */
    double unit;                  /* ns a tick */
    uint64_t overflow_ticks;      /* beyond this, nanoseconds overflow int64_t */
    int64_t first_ticks;          /* of the first event: the trace's zero */
    int64_t last_time;            /* of the last event, in ns */
    uint64_t syncs;
    uint32_t reasons[GT_V1_REASONS];             /* string slots */
    struct gt_name *stop_names[GT_V1_STW_KINDS]; /* made when first needed */
    struct gt_name *stop_name;                   /* of the last stopped world */
};

void gt_v1_init(struct gt_v1 *v1, struct gt_mem *mem, struct gt_source *source, gt_error *error);
void gt_v1_destroy(struct gt_v1 *v1);

/* As gt_v2_fill. */
gt_status gt_v1_fill(struct gt_v1 *v1, struct gt_events *events);

/*
 * The same, also to other `*events`, of which the first was given a table or NULL; but 0 with none
 * where only gt_v1_fill can go on: it then has the error, or the end.
 */
int gt_v1_more(struct gt_v1 *v1, struct gt_events *events);

/* The table of the trace, NULL where handles to it are over. */
struct gt_table *gt_v1_table(struct gt_v1 *v1);

/* Where a byte of the input is. */
static inline uint64_t gt_v1_offset(const struct gt_v1 *v1, const uint8_t *at)
{
    return v1->data_offset + (uint64_t) (at - v1->data);
}

static inline const uint8_t *gt_v1_at(const struct gt_v1 *v1, uint64_t offset)
{
    return v1->data + (offset - v1->data_offset);
}

/* Forgets all that was learnt of the trace's events. */
void gt_v1_forget_state(struct gt_v1 *v1);

/* Out of memory, or over the limit. */
gt_status gt_v1_fail_memory(struct gt_v1 *v1);

/*
 * A fault at `offset`, with a text for gt_error_set. A strict reader ends there:
 * returns `status`. A lenient one returns GT_OK when it has told the caller, to whose
 * message it adds `repair`: what the reader does about it.
 */
gt_status gt_v1_fault(struct gt_v1 *v1, gt_status status, uint64_t offset, const char *repair,
                      const char *text, ...);

#endif
