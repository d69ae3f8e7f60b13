/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SPANLINKS_H
#define GT_WEB_SPANLINKS_H

/*
 * Finds which goroutine caused what another one does. The caller holds the store's lock for
 * reading.
 */

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

/* An action of one goroutine that affected another. */
struct gt_span_link {
    /* The acting goroutine, or GT_STORE_NONE if there is none. */
    uint32_t goroutine;
    int64_t time;
    /* The state of the acting goroutine at that time. `track` is GT_STORE_NONE if it is unknown. */
    uint32_t track, index;
    /* The stack from which it acted. */
    uint32_t stack;
};

/* Finds who created a goroutine. */
struct gt_span_link gt_span_link_creator(const struct gt_store *store, uint32_t goroutine);

/*
 * Finds who last made the goroutine runnable, or switched to it, before it entered `state`, which
 * is a span of `track`, or, if that happened with `state` itself, who caused that. `track` may be
 * GT_STORE_NONE; nobody is found then.
 */
struct gt_span_link gt_span_link_before(const struct gt_store *store, uint32_t track,
                                        const struct gt_span *state);

/* Finds who made the goroutine runnable, or switched to it, at the end of `state`. */
struct gt_span_link gt_span_link_next(const struct gt_store *store, uint32_t track,
                                      const struct gt_span *state);

#endif
