/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_SPANS_H
#define GT_WEB_SEARCH_SPANS_H

/* Searches the spans of goroutines, which are most of what a store contains. */

#include <stdbool.h>

#include "web/search_find.h"
#include "web/search_match.h"

/*
 * Adds matching spans to the hits of a search. `match` must be of the same
 * query; its `stacks` must be complete. Returns false if memory runs out or the client has gone
 * away.
 */
bool gt_search_spans(struct gt_search *search, struct gt_search_match *match);

#endif
