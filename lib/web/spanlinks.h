/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SPANLINKS_H
#define GT_WEB_SPANLINKS_H

/* Which goroutine led to what another one does. The store is locked for reading. */

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

/* What one did to another. */
struct gt_span_link {
    /* GT_STORE_NONE: nobody. */
    uint32_t goroutine;
    int64_t time;
    /* What it did then; `track` is GT_STORE_NONE where that is not known. */
    uint32_t track, index;
    /* From where. */
    uint32_t stack;
};

/* Who created a goroutine. */
void gt_span_link_creator(const struct gt_store *store, uint32_t goroutine,
                          struct gt_span_link *link);

/*
 * Who made the goroutine runnable before a state, which is a span of `track`; for one that
 * is runnable, before that. A `track` of GT_STORE_NONE is fine.
 */
void gt_span_link_before(const struct gt_store *store, uint32_t track, const struct gt_span *state,
                         struct gt_span_link *link);

/* Who made it runnable at the state's end. */
void gt_span_link_next(const struct gt_store *store, uint32_t track, const struct gt_span *state,
                       struct gt_span_link *link);

#endif
