/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_HITS_H
#define GT_WEB_SEARCH_HITS_H

/* The hits of one kind: their total number, and the first ones in order of time or another. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "store/store.h"
#include "web/distribution.h"
#include "web/histogram.h"

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
    /* An enum gt_search_kind, which gt_hits_add sets. */
    uint32_t kind;
};

enum gt_hits_order {
    GT_HITS_START,
    GT_HITS_DURATION,
    GT_HITS_NAME,
    GT_HITS_ORDERS
};

/*
 * How a table of hits is sorted, and which durations it contains, both limits included. The store
 * has the names.
 */
struct gt_hits_table {
    struct gt_store *store;
    enum gt_hits_order order;
    bool is_descending;
    int64_t shortest, longest;
};

/*
 * A heap whose root is the last hit in order. To initialise it, set the members before `list`, and
 * all other bytes to 0.
 */
struct gt_hits {
    struct gt_mem *mem;
    size_t max;
    uint32_t kind;
    /* Whether hits of this kind have a duration. */
    bool has_length;
    /* NULL: the first hits in time are kept, and only their number is counted. */
    const struct gt_hits_table *table;

    struct gt_hit *list;
    size_t count, capacity;
    uint64_t total;
    /*
     * For a table: the sum of the durations that it contains, and the distribution of all,
     * whatever its limits are.
     */
    int64_t time;
    struct gt_histogram histogram;
    struct gt_distribution lengths;
};

/* Returns whether a hit that begins at `start` would change anything if it was added. */
bool gt_hits_keep(const struct gt_hits *hits, int64_t start);
/* Returns false if memory runs out. The caller holds the lock of the table's store. */
bool gt_hits_add(struct gt_hits *hits, const struct gt_hit *hit);
/*
 * Moves hits that are not sorted yet to others, with their sums. Locks the table's store. Returns
 * false if memory runs out.
 */
bool gt_hits_merge(struct gt_hits *hits, struct gt_hits *more);
/* Sorts the list. After this nothing may be added. Locks the table's store. */
void gt_hits_sort(struct gt_hits *hits);
void gt_hits_free(struct gt_hits *hits);

#endif
