/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_HITS_H
#define GT_WEB_SEARCH_HITS_H

/* The hits of one kind: their total number, and the first ones in order of time. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct gt_hit {
    int64_t start, end;
    /* The row and the span. They are GT_STORE_NONE if the hit is in no row or in no track. */
    uint32_t view, ordinal;
    uint32_t track, index;
    /*
     * `name` is the id of a text. `number` is the index of a log's mark, or the number of
     * goroutines that start with a function.
     */
    uint32_t name, cls;
    uint64_t number;
};

/*
 * A heap whose root is the last hit in order. To initialise it, set `mem` and `max`, and all other
 * bytes to 0.
 */
struct gt_hits {
    struct gt_mem *mem;
    struct gt_hit *list;
    size_t count, capacity, max;
    uint64_t total;
};

/* Returns whether a hit that begins at `start` would be kept if it was added. */
bool gt_hits_keep(const struct gt_hits *hits, int64_t start);
/* Both return false if memory runs out. */
bool gt_hits_add(struct gt_hits *hits, const struct gt_hit *hit);
bool gt_hits_merge(struct gt_hits *hits, const struct gt_hits *more);
/* Sorts the list. After this nothing may be added. */
void gt_hits_sort(struct gt_hits *hits);
void gt_hits_free(struct gt_hits *hits);

#endif
