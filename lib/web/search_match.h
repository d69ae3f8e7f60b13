/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_MATCH_H
#define GT_WEB_SEARCH_MATCH_H

/*
 * What of the store a query is about. One thread's: what is found out of a text is kept, so
 * that each of them is looked through but once.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "web/search_query.h"

struct gt_search_match {
    const struct gt_search_query *query;
    /* The terms of each field; and which kinds can be found. */
    uint32_t terms_of[GT_SEARCH_STACK + 1];
    bool wants[GT_SEARCH_KINDS];
    /* By text: which terms are in it, with the highest bit; 0 where that is not known. */
    uint32_t *terms;
    size_t texts;
    /* The terms of GT_SEARCH_TEXT that are numbers, and which. */
    uint32_t numeric;
    int64_t numbers[GT_SEARCH_TERMS_MAX];
    /* By frame: which terms of GT_SEARCH_STACK are in it or in one that called it. Borrowed. */
    const uint16_t *stacks;
    size_t stack_count;
    /* Memory ran out; all else is then without meaning. */
    bool failed;
};

/* Terms are bits, by their number. */

void gt_search_match_init(struct gt_search_match *match, const struct gt_search_query *query,
                          const uint16_t *stacks, size_t stack_count);
void gt_search_match_free(struct gt_search_match *match);

/* All terms of a field. */
uint32_t gt_search_terms_of(const struct gt_search_query *query, enum gt_search_field field);
/* Those of any field that are in a string; in a text of the store, which is locked. */
uint32_t gt_search_terms_in(const struct gt_search_query *query, gt_string string);
uint32_t gt_search_match_text(struct gt_search_match *match, const struct gt_store *store,
                              uint32_t text);

/* The terms that are in the name or label of a row, or are its number. */
uint32_t gt_search_match_row(struct gt_search_match *match, const struct gt_store *store,
                             const struct gt_store_head *head);

/* Whether it is the goroutine that is asked for, if one is, and starts with GT_SEARCH_FUNC. */
bool gt_search_match_goroutine(struct gt_search_match *match, const struct gt_store *store,
                               const struct gt_store_head *head);

bool gt_search_match_duration(const struct gt_search_query *query, int64_t start, int64_t end);

/* What gt_search_match_span is for spans of a name and a class, whatever their times and stacks. */
enum gt_search_kind gt_search_match_use(struct gt_search_match *match, const struct gt_store *store,
                                        uint32_t lane, uint32_t cls, uint32_t name,
                                        uint32_t in_name);

/*
 * As what a span is found: GT_SEARCH_REASON, GT_SEARCH_STATE, GT_SEARCH_REGION or GT_SEARCH_RANGE;
 * else GT_SEARCH_KINDS. It is of a goroutine that gt_search_match_goroutine is true of, and in
 * whose name the terms `in_name` are.
 */
enum gt_search_kind gt_search_match_span(struct gt_search_match *match,
                                         const struct gt_store *store, uint32_t lane,
                                         const struct gt_span *span, uint32_t in_name);

#endif
