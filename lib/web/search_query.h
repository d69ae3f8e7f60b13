/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_QUERY_H
#define GT_WEB_SEARCH_QUERY_H

/*
 * What is searched for: words with blanks between them, all of which must hold. A word is
 *
 *     TEXT, "SOME TEXT"            that is in a name, whatever the case of ASCII letters
 *     g12                          goroutine 12
 *     func:TEXT                    in the name of the goroutine's start function
 *     reason:TEXT                  in why a state was entered
 *     stack:TEXT                   in a function on a state's stacks
 *     state:running ...            a class of states, or how its name begins
 *     dur>10ms dur<1s dur>=5us     how long it is
 *     kind:log ...                 what it is
 *
 * and TEXT may be in quotes, too.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

/* In the order in which results are listed. */
enum gt_search_kind {
    GT_SEARCH_GOROUTINE,
    GT_SEARCH_FUNCTION,
    GT_SEARCH_TASK,
    GT_SEARCH_REGION,
    GT_SEARCH_LOG,
    GT_SEARCH_RANGE,
    GT_SEARCH_REASON,
    GT_SEARCH_STATE,
    GT_SEARCH_KINDS
};

/* Their names. */
extern const char *const gt_search_kinds[];

enum gt_search_field {
    GT_SEARCH_TEXT,
    GT_SEARCH_FUNC,
    GT_SEARCH_WHY,
    GT_SEARCH_STACK
};

enum {
    GT_SEARCH_QUERY_MAX = 1024,
    GT_SEARCH_TERMS_MAX = 16
};

struct gt_search_term {
    enum gt_search_field field;
    /* In lower case, not empty. */
    const char *text;
    size_t size;
};

struct gt_search_query {
    struct gt_search_term terms[GT_SEARCH_TERMS_MAX];
    size_t count;
    /* Both ends included. */
    int64_t shortest, longest;
    bool has_duration;
    /* Bits of classes; those of all where no state is named. */
    uint32_t classes;
    bool has_state;
    /* Bits of enum gt_search_kind; all where none is named. */
    uint32_t kinds;
    bool has_goroutine;
    int64_t goroutine;
    /* What the terms point into: the words, each with a NUL, and one more. */
    char text[GT_SEARCH_QUERY_MAX + 2];
};

/* Returns NULL, or what is wrong with the text. The query must stay where it is. */
const char *gt_search_query_parse(struct gt_search_query *query, const char *text);

/* Whether a name has the text of a term in it. */
bool gt_search_term_is_in(const struct gt_search_term *term, gt_string name);

bool gt_search_query_has(const struct gt_search_query *query, enum gt_search_field field);

#endif
