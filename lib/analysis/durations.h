/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_DURATIONS_H
#define GT_ANALYSIS_DURATIONS_H

#include <stdint.h>

#include <gotrace/latency.h>

#include "base/pool.h"

/*
 * Histograms whose buckets get wider with the duration: each power of two, here called an octave,
 * has equally many. Octave 0 is what is below the first power of two, with buckets of 1 ns; octave
 * n starts at 2^(n + 4) ns.
 */
enum {
    GT_OCTAVE_BITS = 5,
    GT_OCTAVE_BUCKETS = 1 << GT_OCTAVE_BITS,
    GT_OCTAVES = 63 - GT_OCTAVE_BITS + 1,
    /* The size of the objects in the pool of octaves. */
    GT_OCTAVE_BYTES = GT_OCTAVE_BUCKETS * sizeof(uint64_t)
};

struct gt_durations {
    uint64_t count;
    int64_t sum;
    int64_t minimum;
    int64_t maximum;
    uint64_t *octaves[GT_OCTAVES]; /* GT_OCTAVE_BUCKETS counts each; NULL: all of them are 0 */
};

void gt_durations_init(struct gt_durations *durations);

/* Adds a duration. A negative one counts as 0. */
gt_status gt_durations_add(struct gt_durations *durations, struct gt_mem *mem,
                           struct gt_pool *octaves, int64_t duration);

int64_t gt_durations_quantile(const struct gt_durations *durations, double part);

/* Returns the upper bound, excluded, of the bucket that begins at `from`. */
int64_t gt_durations_bucket_end(int64_t from);

/* See gt_latency_next_bucket. */
gt_status gt_durations_next_bucket(const struct gt_durations *durations, gt_latency_bucket *bucket);

#endif
