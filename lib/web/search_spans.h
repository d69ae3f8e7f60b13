/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_SPANS_H
#define GT_WEB_SEARCH_SPANS_H

/* Goes through the spans of goroutines, which are most of what a store has. */

#include <stdbool.h>

#include "web/search_find.h"
#include "web/search_match.h"

/*
 * Adds to the hits of a search, until its deadline. `match` is of the same query, and says what
 * is on stacks. False where there is no memory or nobody who waits.
 */
bool gt_search_spans(struct gt_search *search, struct gt_search_match *match);

#endif
