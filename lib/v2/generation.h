/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_GENERATION_H
#define GT_V2_GENERATION_H

#include <stddef.h>
#include <stdint.h>

#include "v2/batch.h"
#include "v2/state.h"

struct gt_v2;

/* A batch of a thread's events, where it lies in the input. */
struct gt_v2_events {
    const uint8_t *data; /* with GT_SOURCE_SLACK readable bytes behind it */
    uint64_t offset;     /* in the input */
    uint64_t time;       /* in clock units */
    uint32_t size;       /* not 0 */
    int32_t next;        /* the thread's next batch, or -1 */
};

/* A CPU sample; `time` is in clock units until the generation is complete. */
struct gt_v2_sample {
    int64_t time;
    int64_t thread;
    int64_t proc;
    int64_t goroutine;
    uint64_t stack;
    uint64_t offset; /* in the input; also keeps samples of one time in order */
};

/* What a generation holds besides its tables. */
struct gt_v2_generation {
    uint64_t number; /* 0: not known yet */
    uint64_t offset; /* of its first batch */

    struct gt_v2_events *batches;
    size_t batch_count;
    size_t batch_capacity;
    int has_events; /* a batch of events was there, be it empty */

    struct gt_v2_thread **threads; /* in order of their first batch: by rank */
    size_t thread_count;
    size_t thread_capacity;

    struct gt_v2_sample *samples;
    size_t sample_count;
    size_t sample_capacity;

    int has_frequency;
    double unit;          /* ns for each unit of the clock */
    uint64_t scale;       /* the same where it is a whole number, else 0 */
    uint64_t safe_span;   /* up to here a span times `scale` is that times `unit`, and fits */
    uint64_t min_time;    /* of all batches, in clock units; 0: not known yet */
    uint64_t clock_units; /* the clock snapshot's trace time */

    /* Batches of a mapped file that end too near its end, with room behind. */
    uint8_t *tail;
    size_t tail_size;
    size_t tail_capacity;
};

enum gt_v2_outcome {
    GT_V2_READ,         /* a generation is there */
    GT_V2_READ_CUT,     /* the same, and the error that comes after it is set */
    GT_V2_READ_NOTHING, /* the input was over */
    GT_V2_READ_FAILED   /* the error is set */
};

/*
 * Reads the next generation: its tables to v2->table, everything else to
 * v2->generation. The one before must be over.
 */
enum gt_v2_outcome gt_v2_generation_read(struct gt_v2 *v2);

void gt_v2_generation_destroy(struct gt_v2 *v2);

/*
 * A number of clock units in ns, cut to a whole number, as Go does it on amd64:
 * what no int64_t can hold gives INT64_MIN (internal/trace/base.go, frequency.mul).
 */
int64_t gt_v2_to_ns_slow(double unit, uint64_t units);

static inline int64_t gt_v2_to_ns(const struct gt_v2_generation *generation, uint64_t units)
{
    /* Whole units are the rule. An event's time decides what comes next, so it should be fast. */
    if (units <= generation->safe_span)
        return (int64_t) (units * generation->scale);
    return gt_v2_to_ns_slow(generation->unit, units);
}

#endif
