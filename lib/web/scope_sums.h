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
    /*
     * Sums of the part that there was no time to visit span by span. It is counted in
     * `functions`, but in no other member.
     */
    struct gt_track_sums rest;
    uint64_t spans;
    /* Percentiles are approximate, as durations were kept in buckets. */
    bool coarse;
    /* The time limit was reached, so that `rest` is not empty. */
    bool cut;
};

/*
 * Computes `*sums`, which the caller frees in any case. Spans are visited for up to `limit_ns`
 * nanoseconds; the remaining ones are added from the sums of their tracks. Returns false if
 * memory runs out or the client has gone away, which `response` tells unless it is NULL.
 */
bool gt_scope_sums_make(struct gt_scope_sums *sums, struct gt_mem *mem, struct gt_store *store,
                        const struct gt_scope *scope, int64_t limit_ns,
                        struct gt_response *response);
void gt_scope_sums_free(struct gt_scope_sums *sums);

#endif
