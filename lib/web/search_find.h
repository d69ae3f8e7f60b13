/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_FIND_H
#define GT_WEB_SEARCH_FIND_H

/* Goes through the store for what a query is about. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "web/response.h"
#include "web/search_hits.h"
#include "web/search_query.h"

/* The caller sets what is before the hits, and frees them in any case. */
struct gt_search {
    struct gt_store *store;
    const struct gt_search_query *query;
    /* Asked whether to go on; NULL if it need not be. */
    struct gt_response *response;
    /* The most of each kind that are kept. */
    size_t max;
    /* How long it may take. */
    int64_t limit_ns;

    struct gt_hits hits[GT_SEARCH_KINDS];
    /* There was no time for all. */
    bool is_cut;
    int64_t deadline;
};

/* False where there is no memory or nobody who waits. */
bool gt_search_find(struct gt_search *search);
void gt_search_free(struct gt_search *search);

#endif
