/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SCOPE_SUMS_H
#define GT_WEB_SCOPE_SUMS_H

/* What is added up of the spans of a scope: by class, by reason and by start function. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "web/distribution.h"
#include "web/scope.h"
#include "web/start_functions.h"

struct gt_scope_sums_reason {
    /* A text; GT_STORE_NONE of those that are too many to be told apart. */
    uint32_t name;
    struct gt_distribution distribution;
};

struct gt_scope_sums {
    struct gt_distribution classes[GT_STORE_CLASSES];
    struct gt_scope_sums_reason *reasons;
    size_t reason_count, reason_capacity;
    struct gt_start_functions functions;
    /* What there was no time to look at span by span; not in the members above but `starts`. */
    struct gt_track_sums rest;
    uint64_t spans;
    /* Percentiles are of buckets. */
    bool coarse;
    /* There is some rest. */
    bool cut;
};

/*
 * Fills `*sums`, which is to be freed in any case. Looks at spans for `limit_ns`; what is
 * left then is added up by tracks. `response` is asked whether to go on, unless it is NULL.
 * False where there is no memory or nobody who waits.
 */
bool gt_scope_sums_make(struct gt_scope_sums *sums, struct gt_store *store,
                        const struct gt_scope *scope, int64_t limit_ns,
                        struct gt_response *response);
void gt_scope_sums_free(struct gt_scope_sums *sums);

#endif
