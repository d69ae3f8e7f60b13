/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_HITS_H
#define GT_WEB_SEARCH_HITS_H

/* What a search found of one kind: how many, and the first of them in order of time. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gt_hit {
    int64_t start, end;
    /* Where it is; GT_STORE_NONE where it is in no row or no track. */
    uint32_t view, ordinal;
    uint32_t track, index;
    /* A text and a class; of a log, its number; of a function, how many start with it. */
    uint32_t name, cls;
    uint64_t number;
};

/* A heap, the last in order at the top. Starts as all zeros but `max`. */
struct gt_hits {
    struct gt_hit *list;
    size_t count, capacity, max;
    uint64_t total;
};

/* Whether one that begins then would be kept, if added. */
bool gt_hits_keep(const struct gt_hits *hits, int64_t start);
/* False where there is no memory. */
bool gt_hits_add(struct gt_hits *hits, const struct gt_hit *hit);
bool gt_hits_merge(struct gt_hits *hits, const struct gt_hits *more);
/* Puts the list in order; nothing can be added any more. */
void gt_hits_sort(struct gt_hits *hits);
void gt_hits_free(struct gt_hits *hits);

#endif
