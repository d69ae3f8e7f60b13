/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_HITS_H
#define GT_WEB_SEARCH_HITS_H

/* What a search found of one kind: how many, and the first of them in order of time. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hit {
    int64_t start, end;
    /* Where it is; STORE_NONE where it is in no row or no track. */
    uint32_t view, ordinal;
    uint32_t track, index;
    /* A text and a class; of a log, its number; of a function, how many start with it. */
    uint32_t name, cls;
    uint64_t number;
};

/* A heap, the last in order at the top. Starts as all zeros but `max`. */
struct hits {
    struct hit *list;
    size_t count, capacity, max;
    uint64_t total;
};

/* Whether one that begins then would be kept, if added. */
bool hits_keep(const struct hits *hits, int64_t start);
/* False where there is no memory. */
bool hits_add(struct hits *hits, const struct hit *hit);
bool hits_merge(struct hits *hits, const struct hits *more);
/* Puts the list in order; nothing can be added any more. */
void hits_sort(struct hits *hits);
void hits_free(struct hits *hits);

#endif
