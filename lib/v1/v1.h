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
#include "merge/prints.h"
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

/* The reasons why a goroutine stops. The wire format has no texts for them. */
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

/* The caller's options. */
struct gt_v1_options {
    bool as_recorded;
    gt_symbolize_fn symbolize;
    void *symbolize_data;
};

/* A batch that has events. The batches of a proc are chained in file order. */
struct gt_v1_batch {
    const uint8_t *start; /* the first byte of the batch */
    /* Where reading stops unless the next batch begins before: bytes of something else follow. */
    const uint8_t *end;
    int32_t next;   /* the index of the proc's next batch, or -1 */
    bool is_opened; /* the merge that delivers events has reached the batch */
};

/* Bytes between the records that are left out: text or damage. */
struct gt_v1_gap {
    const uint8_t *first; /* the earliest end of a record at which the gap may begin */
    const uint8_t *last;  /* the latest one */
    const uint8_t *end;
    int32_t batch; /* the index of the batch that it follows, or -1 */
    bool is_text;
};

/* The gaps of the trace, and what tells bytes in them from its records. */
struct gt_v1_gaps {
    bool has_batches; /* the trace has a batch, so that the times are set */
    /* All events have come: the runtime writes the frequency, and then only stacks and strings. */
    bool is_closing;
    uint64_t least; /* the times of the earliest and of the latest batch, in ticks */
    uint64_t most;
    uint64_t last_string;     /* the id of the string that came last */
    const uint8_t *no_text;   /* a record before it is not the beginning of a text */
    const uint8_t *frequency; /* the record with the frequency, if it has come */
    GT_ARRAY(struct gt_v1_gap) passed;
};

/* The results of the scan of the input. */
struct gt_v1_input {
    const uint8_t *data; /* all of the input after the header */
    const uint8_t *end;
    uint64_t data_offset; /* the offset of `data` in the input */
    uint8_t numbers[64];  /* the result of gt_v1_numbers for each type */
    GT_ARRAY(struct gt_v1_batch) batches;
    struct gt_v1_proc *procs; /* in order of their first batches */
    struct gt_v1_proc *last_proc;
    size_t proc_count;
    struct gt_idmap proc_map;
    struct gt_v1_late exits;   /* the ends of system calls */
    struct gt_v1_late samples; /* CPU samples */
    struct gt_idmap timers;    /* the goroutines that only fire timers */
    uint64_t frequency;        /* ticks per second; 0: unknown */
    uint64_t futile_wakeups;   /* the number of GoFutileWakeup events */
    uint64_t undecoded;        /* the number of bytes in batches that were not opened */
    struct gt_v1_gaps gaps;
    bool has_stacks;
    bool is_odd; /* some event does not fit the quick cases of the merge: see v1/quick.h */
};

/* A stack of version 5, whose symbols are resolved when all program counters are known. */
struct gt_v1_bare_stack {
    uint64_t id;         /* its id, or if `is_start` is set, the pc at which a goroutine starts */
    const uint8_t *data; /* the number of its frames and their pcs; NULL if `is_start` is set */
    bool is_start;
};

/* Version 5: stacks without symbols, and the program counters that need them. */
struct gt_v1_symbols {
    GT_ARRAY(struct gt_v1_bare_stack) bare;
    GT_ARRAY(uint64_t) pcs;
    struct gt_arena frames; /* the stacks with symbols, in the wire format of later versions */
    struct gt_idmap starts; /* by pc: the slot of the stack of a goroutine that starts at the pc */
};

/* The merge of procs and late events into one sequence. */
struct gt_v1_merge {
    struct gt_frontier frontier;
    int64_t until;           /* up to this time only events of procs come next: see gt_v1_merge */
    int64_t last_ticks;      /* the time of the last event that happened */
    int64_t slack;           /* how far other procs may advance beyond a parked one, in ticks */
    uint32_t *sample_next;   /* for each sample 1 + the goroutine's next one; 0: none */
    struct gt_idmap sampled; /* for each goroutine 1 + its next sample */
};

/* The events of futile wakeups, which only versions before 11 have. */
struct gt_v1_futile {
    struct gt_v1_search *search; /* NULL unless the search for them is in progress */
    GT_ARRAY(uint8_t) bytes;     /* one bit for each event: set if it is part of a futile wakeup */
    uint64_t taken;              /* the number of events that have happened */
};

/* The destination of events, and the data for completing them. */
struct gt_v1_output {
    struct gt_events *events;
    struct gt_event_data *next; /* the place in `events` where the next event is completed */
    int64_t ticks;              /* the time of that event */
    double unit;                /* nanoseconds per tick */
    uint64_t overflow_ticks;    /* from this span on, nanoseconds overflow an int64_t */
    int64_t first_ticks;        /* the time of the first event, at which the trace begins */
    int64_t last_time;          /* the time of the last event, in nanoseconds */
    uint64_t syncs;
    uint64_t first_procs;                        /* GOMAXPROCS at first, if no event tells it */
    bool began;                                  /* an event happened or was tried */
    uint32_t reasons[GT_V1_REASONS];             /* the slots of the strings of the reasons */
    struct gt_name *stop_names[GT_V1_STW_KINDS]; /* each is made on first use */
    struct gt_name *stop_name;                   /* the name of the last stop of the world */
};

/*
 * A reader of the formats of Go 1.5 to 1.21. All of the input is scanned first, because stacks and
 * the frequency are at its end; then the events of all procs are merged into one sequence.
 */
struct gt_v1 {
    struct gt_mem *mem;
    struct gt_source *source;
    gt_error *error;
    struct gt_v1_options options;
    struct gt_repair repair;
    struct gt_prints prints; /* the text in all gaps, and before the header */
    uint32_t version;
    enum gt_v1_stage stage;
    gt_status after; /* the result after all events in `events` were delivered */
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

/*
 * Decodes the next events to `*events`. Returns GT_OK with at least one event, GT_END, or an error
 * that is set with its place. Must be called with the same `*events` each time. The events of the
 * previous call become invalid.
 */
gt_status gt_v1_fill(struct gt_v1 *v1, struct gt_events *events);

/*
 * Decodes more events to `*events` without invalidating earlier ones. Returns false, with no event,
 * if only gt_v1_fill can continue. Each `*events` must be all zeros on first use.
 */
bool gt_v1_more(struct gt_v1 *v1, struct gt_events *events);

/*
 * These two functions convert between the address of a byte of input.data and its offset in the
 * input.
 */
static inline uint64_t gt_v1_offset(const struct gt_v1 *v1, const uint8_t *at)
{
    return v1->input.data_offset + (uint64_t) (at - v1->input.data);
}

static inline const uint8_t *gt_v1_at(const struct gt_v1 *v1, uint64_t offset)
{
    return v1->input.data + (offset - v1->input.data_offset);
}

#endif
