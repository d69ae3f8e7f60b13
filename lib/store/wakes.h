/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_WAKES_H
#define GT_STORE_WAKES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gt_wake;
struct gt_wakes_run;
struct gt_wakes_edge;

/*
 * Who woke whom and when. They come in no order; as many as make a run are sorted by the
 * one who woke, then by time, so that a question is a search in each run, and looks through
 * those that came last. 12 bytes each.
 */
struct gt_wakes {
    struct gt_wakes_run *runs;
    size_t run_count, run_room;
    /* What is not in a run yet, and room for as many to sort them. */
    struct gt_wakes_edge *latest, *spare;
    size_t latest_count;
    size_t memory;
};

void gt_wakes_destroy(struct gt_wakes *wakes);

/* `by` woke `goroutine`. False: out of memory. */
bool gt_wakes_add(struct gt_wakes *wakes, int64_t time, uint32_t by, uint32_t goroutine);

/* See gt_store_wakes. */
size_t gt_wakes_get(const struct gt_wakes *wakes, uint32_t by, int64_t start, int64_t end,
                    struct gt_wake *out, size_t max, uint64_t *total);
size_t gt_wakes_memory(const struct gt_wakes *wakes);

#endif
