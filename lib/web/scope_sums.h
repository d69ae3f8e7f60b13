/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SCOPE_SUMS_H
#define GT_WEB_SCOPE_SUMS_H

/* Sums over the spans of a scope: by class, by reason and by start function. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "web/distribution.h"
#include "web/scope.h"
#include "web/start_functions.h"

struct gt_scope_sums_reason {
    /* The id of a text, or GT_STORE_NONE for the sum of all reasons beyond the limit. */
    uint32_t name;
    struct gt_distribution distribution;
};

struct gt_scope_sums {
    struct gt_mem *mem;
    struct gt_distribution classes[GT_STORE_CLASSES];
    GT_ARRAY(struct gt_scope_sums_reason) reasons;
    struct gt_start_functions functions;
    uint64_t spans;
    /* Durations were kept in buckets. */
    bool coarse;
    /* Some percentiles are the middle of a bucket. */
    bool approximate;
};

enum {
    GT_SCOPE_SUMS_PERCENTS = 3
};

/* The percentiles that are exact unless `approximate` is set. */
extern const unsigned int gt_scope_sums_percents[GT_SCOPE_SUMS_PERCENTS];

/*
 * Computes `*sums`, which the caller frees in any case, from all spans of the scope. If there are
 * so many that durations are kept in buckets, a second pass makes the percentiles exact, unless
 * `rough` is set. They may remain approximate if the store grows meanwhile or if too many spans
 * have almost the same duration. Returns false if memory runs out or the client has gone away,
 * which `response` tells unless it is NULL.
 */
bool gt_scope_sums_make(struct gt_scope_sums *sums, struct gt_mem *mem, struct gt_store *store,
                        const struct gt_scope *scope, bool rough, struct gt_response *response);
void gt_scope_sums_free(struct gt_scope_sums *sums);

#endif
