/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_FIND_H
#define GT_WEB_SEARCH_FIND_H

/* Finds what a query describes in a store. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "web/query.h"
#include "web/response.h"
#include "web/search_hits.h"
#include "web/search_query.h"

/*
 * The caller sets the members before `hits`, and frees the result with gt_search_free in any
 * case.
 */
struct gt_search {
    struct gt_mem *mem;
    struct gt_store *store;
    const struct gt_search_query *query;
    /* Tells whether the client has gone away. It may be NULL. */
    struct gt_response *response;
    /*
     * Hits must overlap with this range. Functions, which have no time, are found in any case.
     * NULL: the whole trace.
     */
    const struct gt_query_range *range;
    /*
     * Hits must be in rows that have one of these tracks, or be spans of one of them. The list is
     * sorted. Functions, which are in no row, are found in any case. NULL: all rows.
     */
    const struct gt_query_tracks *tracks;
    /* NULL: the first hits in time are found. */
    const struct gt_hits_table *table;
    /* The number of hits of each kind that are kept. */
    size_t max;
    /*
     * About the most spans to examine; 0: all. If there are more, a sample of them is searched, and
     * the totals are estimates from it; see struct gt_scan.
     */
    uint64_t most;

    struct gt_hits hits[GT_SEARCH_KINDS];
    /* The number of spans that might match, and whether only a sample of them was searched. */
    uint64_t spans;
    bool approximate;
};

/* Returns whether something that lasts from `start` to `end` overlaps with the range. */
static inline bool gt_search_has_time(const struct gt_search *search, int64_t start, int64_t end)
{
    const struct gt_query_range *range = search->range;
    return !range || (start < range->end && (end > range->start || start >= range->start));
}

/* Returns whether one of the row's lanes is among the tracks. */
bool gt_search_has_row(const struct gt_search *search, const struct gt_store_row *row);

/* Prepares an empty list of hits. */
struct gt_hits gt_search_new_hits(const struct gt_search *search, enum gt_search_kind kind);

/*
 * The hits are sorted, unless they are for a table. Returns false if memory runs out or the client
 * has gone away.
 */
bool gt_search_find(struct gt_search *search);
void gt_search_free(struct gt_search *search);

#endif
