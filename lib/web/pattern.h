/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_PATTERN_H
#define GT_WEB_PATTERN_H

/*
 * Regular expressions for searches. A pattern is compiled to an automaton of at most 64 positions
 * (Glushkov's construction), so that a set of positions is one word. A match takes linear time in
 * the size of the text, whatever the pattern is: there is no backtracking.
 *
 * Understood are: characters, "." (any byte), classes such as [a-z_] and [^0-9], \d \w \s and their
 * negations \D \W \S, a backslash before any other punctuation for itself, groups, "|", "*", "+",
 * "?", and "^" and "$" for the beginning and the end of the text. The case of ASCII letters is
 * ignored. Classes may contain only ASCII characters.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

enum {
    GT_PATTERN_POSITIONS = 64,
    /* The beginning and the end of a text count as characters. */
    GT_PATTERN_BEGIN = 256,
    GT_PATTERN_END,
    GT_PATTERN_CHARACTERS
};

struct gt_pattern {
    /* The positions at which a match begins, and those at which it ends. */
    uint64_t first, last;
    /* By position: the positions that may follow it. */
    uint64_t next[GT_PATTERN_POSITIONS];
    /* By character: the positions that accept it. */
    uint64_t accepts[GT_PATTERN_CHARACTERS];
    /* Whether the pattern matches the empty text, and so every text. */
    bool is_empty;
};

/*
 * Compiles `size` bytes. Returns NULL on success, otherwise a message that says what is wrong with
 * the pattern.
 */
const char *gt_pattern_compile(struct gt_pattern *pattern, const char *text, size_t size);

/* Returns whether the pattern matches any part of the text. */
bool gt_pattern_matches(const struct gt_pattern *pattern, gt_string text);

#endif
