/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SPANLINKS_H
#define GT_WEB_SPANLINKS_H

/* Which goroutine led to what another one does. The store is locked for reading. */

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

/* What one did to another. */
struct span_link {
    /* STORE_NONE: nobody. */
    uint32_t goroutine;
    int64_t time;
    /* What it did then; `track` is STORE_NONE where that is not known. */
    uint32_t track, index;
    /* From where. */
    uint32_t stack;
};

/* Who created a goroutine. */
void span_link_creator(const struct store *store, uint32_t goroutine, struct span_link *link);

/*
 * Who made the goroutine runnable before a state, which is a span of `track`; for one that
 * is runnable, before that. A `track` of STORE_NONE is fine.
 */
void span_link_before(const struct store *store, uint32_t track, const struct span *state,
                      struct span_link *link);

/* Who made it runnable at the state's end. */
void span_link_next(const struct store *store, uint32_t track, const struct span *state,
                    struct span_link *link);

#endif
