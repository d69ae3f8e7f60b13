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
#include "merge/repair.h"
#include "model/event.h"
#include "model/names.h"
#include "model/table.h"
#include "source/source.h"
#include "v2/state.h"

enum gt_v2_stage {
    GT_V2_EVENTS,       /* events of a generation may be left */
    GT_V2_FAILED_AFTER, /* the same; then comes the error, which is set */
    GT_V2_FAILED,       /* the Sync before the error was added */
    GT_V2_DONE          /* the last Sync was added */
};

/* A batch of a thread's events in the input. The batches of a thread are chained in file order. */
struct gt_v2_events {
    const uint8_t *data; /* followed by GT_SOURCE_SLACK readable bytes */
    uint64_t offset;     /* of `data` in the input */
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
    uint64_t offset; /* in the input; it orders samples of the same time */
};

/* What a generation holds besides its tables. */
struct gt_v2_generation {
    bool is_open;    /* a part of it has been read; the rest of its bytes have not come yet */
    uint64_t number; /* 0: not known yet */
    uint64_t offset; /* of its first batch */

    GT_ARRAY(struct gt_v2_events) batches;
    bool has_events; /* a batch of events was read, even if it was empty */
    bool is_cut;     /* the input ends in it, or a batch of it that does */

    GT_ARRAY(struct gt_v2_thread *)
    threads; /* in order of their first batch, which is their rank */

    GT_ARRAY(struct gt_v2_sample) samples;

    bool has_frequency;
    double unit;          /* nanoseconds for each unit of the clock */
    uint64_t scale;       /* the same if it is a whole number, else 0 */
    uint64_t safe_span;   /* up to this, a span times `scale` is exact, and fits */
    uint64_t min_time;    /* the earliest of all batches, in clock units; 0: not known yet */
    uint64_t clock_units; /* the clock snapshot's trace time */
    uint64_t undecoded;   /* bytes of the batches of events that the merge has not come to */

    /* Copies of batches of a mapped file that end too close to its end, with bytes after them. */
    uint8_t *tail;
    size_t tail_size;
    size_t tail_capacity;
};

/* What is known of the damage to the current generation. Only a lenient reader uses it. */
struct gt_v2_damage {
    bool found;            /* something is missing, so events may wait for what never comes */
    unsigned reported;     /* GT_V2_LOST_ bits: what was reported already */
    const uint8_t *forced; /* the last event that was forced; if it still waits, it is left out */
    uint64_t frequency;    /* of the last generation that had one; 0: none had */
    bool is_skipping;      /* looking for the next batch, for which bytes have yet to come */
    uint64_t skipped;      /* how many bytes were skipped meanwhile */
    gt_error cause;        /* why */
};

/* The merge of a generation's threads and CPU samples into one sequence. */
struct gt_v2_merge {
    struct gt_frontier frontier;
    int64_t sample_time; /* of the next sample; INT64_MAX if there is none */
    size_t next_sample;
};

/* What completes events. */
struct gt_v2_output {
    int64_t least_time; /* that the next event can have, in nanoseconds: more than 0 */
    uint64_t syncs;
};

/*
 * Reads the current format: generations from the source, whose batches are merged by thread and
 * time through the ordering rules.
 */
struct gt_v2 {
    struct gt_mem *mem;
    struct gt_source *source;
    gt_error *error;
    uint32_t version; /* of the rules to read by: at most GT_NEWEST */
    bool keep;        /* tables stay valid until the reader is closed */
    struct gt_repair repair;
    struct gt_v2_damage damage;
    enum gt_v2_stage stage;
    gt_status after; /* the result once all events that were decoded are delivered */
    struct gt_v2_generation generation;
    struct gt_table *table;    /* of the generation; NULL before the first */
    struct gt_table *previous; /* without keep: of the one before, until that has expired */
    bool has_expired;          /* the caller has the Sync after the previous generation */
    struct gt_table **tables;  /* with keep: all of them, by ordinal - 1 */
    size_t tables_capacity;
    uint32_t generations; /* how many have begun */
    struct gt_names names;
    struct gt_v2_merge merge;
    struct gt_v2_state state;
    struct gt_v2_output output;
};

void gt_v2_init(struct gt_v2 *v2, struct gt_mem *mem, struct gt_source *source, gt_error *error);
void gt_v2_destroy(struct gt_v2 *v2);

/*
 * Decodes the next events to `*events`. Returns GT_OK with at least one event, GT_END, or an error
 * that is set with its place. Must be given the same `*events` each time. The events of the call
 * before become invalid, since the next generation may begin.
 */
gt_status gt_v2_fill(struct gt_v2 *v2, struct gt_events *events);

/*
 * Decodes the next events of the same generation to `*events`, and leaves earlier ones valid.
 * Returns false, with no event, if only gt_v2_fill can continue: at the end of the generation and
 * at an error. Each `*events` must be given all zero the first time.
 */
bool gt_v2_more(struct gt_v2 *v2, struct gt_events *events);

/* Completes a goroutine that was all zeros. */
static inline void gt_v2_goroutine_begin(const struct gt_v2 *v2, struct gt_v2_goroutine *goroutine,
                                         int64_t id, uint8_t status)
{
    goroutine->id = id;
    goroutine->status = status;
    goroutine->seq.generation = v2->generation.number;
}

/* The table with this ordinal, of a generation that has begun, or NULL if it is gone. */
static inline struct gt_table *gt_v2_table(const struct gt_v2 *v2, uint32_t ordinal)
{
    if (v2->keep)
        return v2->tables[ordinal - 1];
    if (v2->table && v2->table->ordinal == ordinal)
        return v2->table;
    return v2->previous && v2->previous->ordinal == ordinal ? v2->previous : NULL;
}

/*
 * Returns the time of an event that happens at `time`. Time must increase: an event that is not
 * later than the one before it is moved to 1 ns after. It does not exceed INT64_MAX. The usual case
 * has no branch on times, as with many threads nobody can predict which of them are equal.
 */
GT_WRAPS static inline int64_t gt_v2_next_time(struct gt_v2 *v2, int64_t time)
{
    int64_t given = time > v2->output.least_time ? time : v2->output.least_time;
    int64_t after = (int64_t) ((uint64_t) given + 1);
    v2->output.least_time = GT_UNLIKELY(after < 0) ? INT64_MAX : after;
    return given;
}

#endif
