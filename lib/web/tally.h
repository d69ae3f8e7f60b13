/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TALLY_H
#define GT_WEB_TALLY_H

/* What is added up of the spans of a scope: by class, by reason and by start function. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "web/scope.h"
#include "web/spread.h"
#include "web/starts.h"

struct tally_reason {
    /* A text; STORE_NONE of those that are too many to be told apart. */
    uint32_t name;
    struct spread spread;
};

struct tally {
    struct spread classes[STORE_CLASSES];
    struct tally_reason *reasons;
    size_t reason_count, reason_capacity;
    struct starts starts;
    /* What there was no time to look at span by span; not in the members above but `starts`. */
    struct track_sums rest;
    uint64_t spans;
    /* Percentiles are of buckets. */
    bool coarse;
    /* There is some rest. */
    bool cut;
};

/*
 * Fills `*tally`, which is to be freed in any case. Looks at spans for `limit_ns`; what is
 * left then is added up by tracks. `response` is asked whether to go on, unless it is NULL.
 * False where there is no memory or nobody who waits.
 */
bool tally_make(struct tally *tally, struct store *store, const struct scope *scope,
                int64_t limit_ns, struct gt_response *response);
void tally_free(struct tally *tally);

#endif
