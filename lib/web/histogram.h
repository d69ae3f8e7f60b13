/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_HISTOGRAM_H
#define GT_WEB_HISTOGRAM_H

/* How many lengths of time are in which buckets, of which there are ten to a power of ten. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/json.h"

/* Starts as all zeros. */
struct gt_histogram {
    /* From the bucket number `first` on. */
    size_t first, count;
    uint64_t *counts;
};

/* A length that is negative counts as 0. False where there is no memory. */
bool gt_histogram_add(struct gt_histogram *histogram, int64_t value);

/*
 * The key, and [[from, to, count], ...] from the first bucket that has any to the last
 * one; both ends belong to a bucket, and the next one begins behind its end.
 */
void gt_histogram_write(struct gt_json *json, const char *key,
                        const struct gt_histogram *histogram);

void gt_histogram_free(struct gt_histogram *histogram);

#endif
