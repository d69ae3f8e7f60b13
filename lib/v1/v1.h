/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_V1_H
#define GT_V1_V1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/reader.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "merge/frontier.h"
#include "merge/repair.h"
#include "model/event.h"
#include "model/names.h"
#include "model/table.h"
#include "source/source.h"
#include "v1/late.h"
#include "v1/spec.h"
#include "v1/state.h"

enum gt_v1_stage {
    GT_V1_NEW,     /* only the header was read */
    GT_V1_READING, /* the trace was scanned, and its events are being decoded */
    GT_V1_DONE     /* the last Sync was added */
};

/* Why a goroutine stopped. The wire has no texts for it. */
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
    GT_V1_NO_REASON,
    GT_V1_REASONS
};

/* What the caller asked for. */
struct gt_v1_options {
    bool as_recorded;
    gt_symbolize_fn symbolize;
    void *symbolize_data;
};

/* A batch that has events. The batches of a proc are chained in file order. */
struct gt_v1_batch {
    const uint8_t *start; /* its first byte */
    int32_t next;         /* the proc's next batch, or -1 */
    bool is_opened;       /* the merge that delivers events has come to it */
};

/* What the scan found in the input. */
struct gt_v1_input {
    const uint8_t *data; /* all of the input after the header */
    const uint8_t *end;
    uint64_t data_offset; /* of `data` in the input */
    uint8_t numbers[64];  /* gt_v1_numbers by type */
    GT_ARRAY(struct gt_v1_batch) batches;
    struct gt_v1_proc *procs; /* in order of their first batch */
    struct gt_v1_proc *last_proc;
    size_t proc_count;
    struct gt_idmap proc_map;
    struct gt_v1_late exits;   /* ends of system calls */
    struct gt_v1_late samples; /* CPU samples */
    struct gt_idmap timers;    /* the goroutines that only fire timers */
    uint64_t frequency;        /* ticks a second; 0: not known */
    uint64_t futile_wakeups;   /* how many events say that a wakeup was futile */
    uint64_t undecoded;        /* bytes of the batches that were not opened */
    bool has_stacks;
    bool is_odd; /* an event is not as the quick cases of the merge expect: see v1/quick.h */
};

/* A stack of version 5, which gets its symbols when all program counters are known. */
struct gt_v1_bare_stack {
    uint64_t id;         /* of the stack; with `is_start` the pc at which a goroutine starts */
    const uint8_t *data; /* the number of its frames, and their pcs; NULL with `is_start` */
    bool is_start;
};

/* Version 5: stacks without symbols, and the program counters that need them. */
struct gt_v1_symbols {
    GT_ARRAY(struct gt_v1_bare_stack) bare;
    GT_ARRAY(uint64_t) pcs;
    struct gt_arena frames; /* the stacks with symbols, in the wire form of later versions */
    struct gt_idmap starts; /* by pc: the slot of the stack of a goroutine that starts there */
};

/* The merge of procs and late events into one sequence. */
struct gt_v1_merge {
    struct gt_frontier frontier;
    int64_t until;      /* before this time the first proc's event comes next: see gt_v1_merge */
    int64_t last_ticks; /* of the last event that happened */
    int64_t slack; /* ticks that other procs may run ahead of a waiting one; then it is forced */
    uint32_t *sample_next;   /* by sample: 1 + the next one of the same goroutine; 0: none */
    struct gt_idmap sampled; /* by goroutine: 1 + its next sample */
};

/* The events of futile wakeups, which only versions before 11 have. */
struct gt_v1_futile {
    struct gt_v1_search *search; /* NULL unless the search for them is going on */
    GT_ARRAY(uint8_t) bytes;     /* of bits, one for each event: it is part of a futile wakeup */
    uint64_t taken;              /* how many events have happened */
};

/* Where events go, and what completes them. */
struct gt_v1_output {
    struct gt_events *events;
    struct gt_event_data *next; /* in `events`: where the next event is completed */
    int64_t ticks;              /* the time of that event */
    double unit;                /* nanoseconds a tick */
    uint64_t overflow_ticks;    /* beyond this, nanoseconds overflow int64_t */
    int64_t first_ticks;        /* of the first event: the trace's zero */
    int64_t last_time;          /* of the last event, in nanoseconds */
    uint64_t syncs;
    bool began;                                  /* an event happened, or was tried */
    uint32_t reasons[GT_V1_REASONS];             /* slots of their strings */
    struct gt_name *stop_names[GT_V1_STW_KINDS]; /* each is made when it is first needed */
    struct gt_name *stop_name;                   /* of the world that was stopped last */
};

/*
 * Reads the formats of Go 1.5 to 1.21. All of the input is scanned first, because stacks and the
 * frequency come last; then the events of all procs are merged into one sequence.
 */
struct gt_v1 {
    struct gt_mem *mem;
    struct gt_source *source;
    gt_error *error;
    struct gt_v1_options options;
    struct gt_repair repair;
    uint32_t version;
    enum gt_v1_stage stage;
    gt_status after; /* the result once all events in `events` were delivered */
    struct gt_v1_input input;
    struct gt_v1_symbols symbols;
    struct gt_table table;
    struct gt_names names;
    struct gt_v1_merge merge;
    struct gt_v1_futile futile;
    struct gt_v1_state state;
    struct gt_v1_output output;
};

void gt_v1_init(struct gt_v1 *v1, struct gt_mem *mem, struct gt_source *source, gt_error *error);
void gt_v1_destroy(struct gt_v1 *v1);

/* The same as gt_v2_fill. */
gt_status gt_v1_fill(struct gt_v1 *v1, struct gt_events *events);

/* The same as gt_v2_more. */
bool gt_v1_more(struct gt_v1 *v1, struct gt_events *events);

/* The offset in the input of a byte of input.data, and the other way round. */
static inline uint64_t gt_v1_offset(const struct gt_v1 *v1, const uint8_t *at)
{
    return v1->input.data_offset + (uint64_t) (at - v1->input.data);
}

static inline const uint8_t *gt_v1_at(const struct gt_v1 *v1, uint64_t offset)
{
    return v1->input.data + (offset - v1->input.data_offset);
}

#endif
