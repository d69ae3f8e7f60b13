/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_HISTOGRAM_H
#define GT_WEB_HISTOGRAM_H

/*
 * A histogram of durations in nanoseconds. Its buckets are logarithmic: ten for each power of ten.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/json.h"

/* A histogram starts as all zeros. `counts` belongs to it. */
struct gt_histogram {
    /* The counts of `count` buckets, the first of which has the number `first`. */
    size_t first, count;
    uint64_t *counts;
};

/*
 * Adds a duration; a negative one counts as 0. Returns false if there is not enough memory. `mem`
 * must be the same one in all calls.
 */
bool gt_histogram_add(struct gt_histogram *histogram, struct gt_mem *mem, int64_t value);
/* Adds `count` equal durations, like gt_histogram_add. */
bool gt_histogram_add_many(struct gt_histogram *histogram, struct gt_mem *mem, int64_t value,
                           uint64_t count);

/* Adds the counts of another histogram. Returns false if there is not enough memory. */
bool gt_histogram_merge(struct gt_histogram *histogram, struct gt_mem *mem,
                        const struct gt_histogram *more);

/*
 * Writes the key and [[from, to, count], ...], from the first bucket with a count to the last one.
 * Both bounds are included in a bucket; the next bucket begins after `to`.
 */
void gt_histogram_write(struct gt_json *json, const char *key,
                        const struct gt_histogram *histogram);

void gt_histogram_free(struct gt_histogram *histogram, struct gt_mem *mem);

#endif
