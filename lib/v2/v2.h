/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_V2_H
#define GT_V2_V2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>

#include "base/array.h"
#include "base/likely.h"
#include "base/mem.h"
#include "base/wraps.h"
#include "merge/frontier.h"
#include "merge/prints.h"
#include "merge/repair.h"
#include "model/event.h"
#include "model/names.h"
#include "model/table.h"
#include "source/source.h"
#include "v2/buffers.h"
#include "v2/state.h"

enum gt_v2_stage {
    GT_V2_EVENTS,       /* the generation may have more events */
    GT_V2_FAILED_AFTER, /* it may have more events; the error after them is set */
    GT_V2_FAILED,       /* the Sync that precedes the error was added */
    GT_V2_DONE          /* the last Sync was added */
};

/* A batch of a thread's events in the input. The batches of a thread are chained in file order. */
struct gt_v2_events {
    const uint8_t *data; /* followed by GT_SOURCE_SLACK readable bytes */
    uint64_t offset;     /* the offset of `data` in the input */
    uint64_t time;       /* in clock units */
    uint32_t size;       /* not 0 */
    int32_t next;        /* the thread's next batch, or -1 */
};

struct gt_v2_sample {
    int64_t time; /* in nanoseconds; in clock units until the generation is complete */
    int64_t thread;
    int64_t proc;
    int64_t goroutine;
    uint64_t stack;
    uint64_t offset; /* the offset in the input, by which samples with equal times are sorted */
};

/* The contents of a generation except for its tables. */
struct gt_v2_generation {
    bool is_open;    /* a part of it has been read; the rest is not available yet */
    uint64_t number; /* 0: not known yet */
    uint64_t offset; /* the offset of its first batch */

    GT_ARRAY(struct gt_v2_events) batches;
    bool has_events; /* it has a batch of events, which may be empty */
    bool is_cut;     /* the input ends within it, or one of its batches is cut off */

    GT_ARRAY(struct gt_v2_thread *)
    threads; /* in order of their first batches, which is the order of ranks */

    GT_ARRAY(struct gt_v2_sample) samples;

    bool has_frequency;
    double unit;          /* the number of nanoseconds per clock unit */
    uint64_t scale;       /* `unit` if it is a whole number, else 0 */
    uint64_t safe_span;   /* up to this span, span times `scale` is exact and fits */
    uint64_t min_time;    /* the earliest time of all batches, in clock units; 0: not known yet */
    uint64_t clock_units; /* the trace time of the clock snapshot */
    uint64_t undecoded;   /* the number of bytes in event batches that the merge has not reached */

    /*
     * Copies of batches that end too close to the end of a mapped file, followed by readable bytes.
     */
    uint8_t *tail;
    size_t tail_size;
    size_t tail_capacity;
};

/* The known damage to the current generation. Only a lenient reader uses it. */
struct gt_v2_damage {
    bool found;         /* something is missing, so events may wait in vain */
    unsigned reported;  /* the GT_V2_LOST_ bits that were reported already */
    uint64_t forced;    /* the offset of the last event that was forced; if it still waits, it
                           is left out; 0: none was */
    uint64_t frequency; /* of the last generation that had one; 0: none had */
};

/* What is known about the batches so far: v2/fit.h. Times are in clock units. */
struct gt_v2_fit {
    uint64_t generation; /* the newest one; 0: there was no batch */
    bool is_padded;      /* all sizes are padded, as the runtime's are */
    bool has_ended;      /* its end marker has come */
    bool has_stacks;     /* its stacks have come, which the runtime writes behind all events */
    bool has_strings;
    bool is_closed;    /* it has all that a generation needs */
    uint64_t least;    /* the earliest time of all batches of the trace */
    uint64_t latest;   /* the latest time of a batch of events */
    uint64_t floor;    /* that time when the generation began; 0: it is the first one */
    uint64_t greatest; /* the latest time of all batches of the newest generation */
    uint64_t lowest;   /* and their earliest one */
    bool is_doubtful;  /* one of its batches hardly fits, so that a lenient reader looks closer */
    uint64_t samples_time; /* the time of its last batch of CPU samples; 0: there was none */
};

/* A place where a batch should begin and does not: v2/gap.h. */
struct gt_v2_gap {
    bool begins_with_end; /* its first byte looks like an end marker */
    uint8_t second;       /* the byte behind that */
    bool is_open;         /* the search is waiting for more bytes */
    bool has_end;     /* a byte of it is the end marker of a generation, or text that looks so */
    bool has_batches; /* it has batches that cannot be of the trace */
    bool is_older;    /* they are earlier than the trace */
    bool is_zero;     /* all its bytes are zeros */
    bool is_last;     /* it ends with the input */
    bool is_trace;    /* it ends with the header of another trace */
    gt_error cause;   /* what is wrong with its first byte */
    struct gt_prints_run run;

    /* The offsets between which batches follow each other, none of which is late. */
    uint64_t chain_start, chain_end;
};

/* The merge of a generation's threads and CPU samples into one sequence. */
struct gt_v2_merge {
    struct gt_frontier frontier;
    struct gt_v2_buffers buffers;
    int64_t sample_time; /* the time of the next sample; INT64_MAX if there is none */
    size_t next_sample;
};

/* The data for completing events. */
struct gt_v2_output {
    int64_t least_time; /* the least time of the next event, in nanoseconds, which is more than 0 */
    uint64_t syncs;
};

/*
 * A reader of the current format: it reads generations from the source, and merges their batches by
 * thread and time according to the ordering rules.
 */
struct gt_v2 {
    struct gt_mem *mem;
    struct gt_source *source;
    gt_error *error;
    uint32_t version; /* the version whose rules are applied: at most GT_NEWEST */
    bool keep;        /* tables stay valid until the reader is closed */
    bool unforced;    /* a thread that waits for what is lost is left out */
    bool is_apart;    /* it reads one generation without those before it: v2/apart.h */
    struct gt_repair repair;
    struct gt_v2_damage damage;
    struct gt_v2_fit fit;
    struct gt_v2_gap gap;    /* the last one */
    struct gt_prints prints; /* the text in all gaps */
    bool is_over;            /* the rest of the input is of another trace */
    enum gt_v2_stage stage;
    gt_ending ending;
    bool is_torn;    /* since the last end marker something was repaired, so no ending is known */
    gt_status after; /* the result after all decoded events were delivered */
    struct gt_v2_generation generation;
    struct gt_table *table;    /* the table of the generation; NULL before the first one */
    struct gt_table *previous; /* without `keep`: the previous table, until it has expired */
    bool has_expired;          /* the Sync after the previous generation was delivered */
    struct gt_table **tables;  /* with `keep`: all tables, by ordinal - 1 */
    size_t tables_capacity;
    uint32_t generations; /* the number of generations that have begun */
    struct gt_names names;
    struct gt_v2_merge merge;
    struct gt_v2_state state;
    struct gt_v2_output output;
};

void gt_v2_init(struct gt_v2 *v2, struct gt_mem *mem, struct gt_source *source, gt_error *error);
void gt_v2_destroy(struct gt_v2 *v2);

/*
 * Decodes the next events to `*events`. Returns GT_OK with at least one event, GT_END, or an error
 * that is set with its place. Must be called with the same `*events` each time. The events of the
 * previous call become invalid, since the next generation may begin.
 */
gt_status gt_v2_fill(struct gt_v2 *v2, struct gt_events *events);

/*
 * Decodes more events of the same generation to `*events` without invalidating earlier ones.
 * Returns false, with no event, if only gt_v2_fill can continue: at the end of the generation and
 * at an error. Each `*events` must be all zeros on first use.
 */
bool gt_v2_more(struct gt_v2 *v2, struct gt_events *events);

/* Adds a Sync, which opens the generation of `table`, or no generation if that is NULL. */
void gt_v2_sync_add(struct gt_v2 *v2, struct gt_events *events, int64_t time,
                    const struct gt_table *table);

/* Initialises a goroutine that is all zeros. */
static inline void gt_v2_goroutine_begin(const struct gt_v2 *v2, struct gt_v2_goroutine *goroutine,
                                         int64_t id, uint8_t status)
{
    goroutine->id = id;
    goroutine->status = status;
    goroutine->seq.generation = v2->generation.number;
}

/* Returns the table with this ordinal, of a generation that has begun, or NULL if it was freed. */
static inline struct gt_table *gt_v2_table(const struct gt_v2 *v2, uint32_t ordinal)
{
    if (v2->keep)
        return v2->tables[ordinal - 1];
    if (v2->table && v2->table->ordinal == ordinal)
        return v2->table;
    return v2->previous && v2->previous->ordinal == ordinal ? v2->previous : NULL;
}

/*
 * The sequence number that follows another, and the one before it. A damaged trace may have any
 * number, and after the largest comes 0.
 */
GT_WRAPS static inline uint64_t gt_v2_seq_after(uint64_t number)
{
    return number + 1;
}

GT_WRAPS static inline uint64_t gt_v2_seq_before(uint64_t number)
{
    return number - 1;
}

/*
 * Returns the time of an event that happens at `time`, where `*least` is the least time of the next
 * event. Times must increase: an event that is not later than the previous one is moved to 1 ns
 * after it. The result does not exceed INT64_MAX. The usual case has no branch on times, because
 * with many threads equal times cannot be predicted.
 */
GT_WRAPS static inline int64_t gt_v2_time_after(int64_t *least, int64_t time)
{
    int64_t given = time > *least ? time : *least;
    int64_t after = (int64_t) ((uint64_t) given + 1);
    *least = GT_UNLIKELY(after < 0) ? INT64_MAX : after;
    return given;
}

static inline int64_t gt_v2_next_time(struct gt_v2 *v2, int64_t time)
{
    return gt_v2_time_after(&v2->output.least_time, time);
}

#endif
