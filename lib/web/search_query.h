/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SEARCH_QUERY_H
#define GT_WEB_SEARCH_QUERY_H

/*
 * Parses search queries. A query consists of words separated by blanks, and all of them must
 * match. A word has one of these forms:
 *
 *     TEXT, "SOME TEXT"            a name contains the text; the case of ASCII letters is ignored
 *     g12                          it belongs to goroutine 12
 *     func:TEXT                    the name of the goroutine's start function contains the text
 *     reason:TEXT                  the reason for which a state was entered contains the text
 *     stack:TEXT                   a function on one of a state's stacks contains the text
 *     state:running ...            the class of a state, or the beginning of its name
 *     dur>10ms dur<1s dur>=5us     the duration
 *     kind:log ...                 the kind of result
 *     ended:no, ended:yes          whether it ended within the trace
 *     /EXPRESSION/                 a regular expression, see pattern.h
 *
 * The TEXT after a colon may be in quotes, or a regular expression, as well. An expression ends at
 * the first slash that a blank or the end follows; in it, "\/" is a slash. Text that begins with a
 * slash but does not end with one is no expression.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "web/pattern.h"

/* Results are listed in this order. */
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

/* The names of the kinds. */
extern const char *const gt_search_kinds[];

enum gt_search_field {
    GT_SEARCH_TEXT,
    GT_SEARCH_FUNC,
    GT_SEARCH_WHY,
    GT_SEARCH_STACK
};

enum {
    GT_SEARCH_QUERY_MAX = 1024,
    GT_SEARCH_TERMS_MAX = 16,
    GT_SEARCH_PATTERNS_MAX = 4
};

struct gt_search_term {
    enum gt_search_field field;
    /* The text is in lower case and not empty. */
    const char *text;
    size_t size;
    /* Instead of the text, unless NULL. */
    const struct gt_pattern *pattern;
};

struct gt_search_query {
    struct gt_search_term terms[GT_SEARCH_TERMS_MAX];
    size_t count;
    /* The limits of the duration in nanoseconds, both inclusive. */
    int64_t shortest, longest;
    bool has_duration;
    bool has_ended, ended;
    /* A mask of classes. All bits are set if the query names no state. */
    uint32_t classes;
    bool has_state;
    /* A mask of enum gt_search_kind. All bits are set if the query names no kind. */
    uint32_t kinds;
    bool has_goroutine;
    int64_t goroutine;
    /* The regular expressions that the terms point to. */
    struct gt_pattern patterns[GT_SEARCH_PATTERNS_MAX];
    size_t pattern_count;
    /* The words that the terms point into. Each ends in NUL, and there is room for one more NUL. */
    char text[GT_SEARCH_QUERY_MAX + 2];
};

/*
 * Returns NULL on success, otherwise a message that says what is wrong with the text. The terms
 * point into `*query`, so it must not be moved or copied.
 */
const char *gt_search_query_parse(struct gt_search_query *query, const char *text);

#endif
