/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_MATCH_H
#define GT_WEB_SEARCH_MATCH_H

/*
 * Decides what in a store matches a query. A struct gt_search_match belongs to one thread: it
 * caches the result for each text, so that every text is searched only once.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "store/store.h"
#include "web/search_query.h"

struct gt_search_match {
    struct gt_mem *mem;
    const struct gt_search_query *query;
    /*
     * For each field the terms that belong to it, as a mask, and for each kind whether it can
     * match.
     */
    uint32_t terms_of[GT_SEARCH_STACK + 1];
    bool wants[GT_SEARCH_KINDS];
    /*
     * Indexed by the id of a text: the mask of the terms that it contains, with the highest bit
     * set, or 0 if the text was not searched yet.
     */
    GT_ARRAY(uint32_t) terms;
    /* The mask of the GT_SEARCH_TEXT terms that are numbers, and the numbers by term. */
    uint32_t numeric;
    int64_t numbers[GT_SEARCH_TERMS_MAX];
    /*
     * Indexed by frame: the mask of the GT_SEARCH_STACK terms that the frame or one of its
     * callers contains. It is borrowed from the caller.
     */
    const uint16_t *stacks;
    size_t stack_count;
    /* Memory ran out. The other members are meaningless then. */
    bool failed;
};

/*
 * The masks of terms below have the bit 1 << i for term i. Functions that take a store require it
 * to be locked for reading.
 */

void gt_search_match_init(struct gt_search_match *match, struct gt_mem *mem,
                          const struct gt_search_query *query, const uint16_t *stacks,
                          size_t stack_count);
void gt_search_match_free(struct gt_search_match *match);

/* Returns all terms of a field. */
uint32_t gt_search_terms_of(const struct gt_search_query *query, enum gt_search_field field);
/* Return the terms, of any field, that a string or a text of the store contains. */
uint32_t gt_search_terms_in(const struct gt_search_query *query, gt_string string);
uint32_t gt_search_match_text(struct gt_search_match *match, const struct gt_store *store,
                              uint32_t text);

/* Returns the terms that are contained in the name or label of a row, or are its number. */
uint32_t gt_search_match_row(struct gt_search_match *match, const struct gt_store *store,
                             const struct gt_store_head *head);

/*
 * Returns whether a goroutine is the one that the query names, if any, and whether the name of
 * its start function contains all GT_SEARCH_FUNC terms.
 */
bool gt_search_match_goroutine(struct gt_search_match *match, const struct gt_store *store,
                               const struct gt_store_head *head);

/*
 * Returns whether a duration matches, and whether it ends or not. What lasts until the end of the
 * trace has not ended.
 */
bool gt_search_match_times(const struct gt_search_query *query, const struct gt_store *store,
                           int64_t start, int64_t end);

/*
 * Does the same as gt_search_match_span, but for all spans with this name and class, regardless
 * of times and stacks.
 */
enum gt_search_kind gt_search_match_use(struct gt_search_match *match, const struct gt_store *store,
                                        uint32_t lane, uint32_t cls, uint32_t name,
                                        uint32_t in_name);

/*
 * Returns the kind of result that a span is: GT_SEARCH_REASON, GT_SEARCH_STATE, GT_SEARCH_REGION
 * or GT_SEARCH_RANGE, or GT_SEARCH_KINDS if it does not match. The span's goroutine must match
 * according to gt_search_match_goroutine. `in_name` is the mask of the terms that the goroutine's
 * name contains.
 */
enum gt_search_kind gt_search_match_span(struct gt_search_match *match,
                                         const struct gt_store *store, uint32_t lane,
                                         const struct gt_span *span, uint32_t in_name);

#endif
