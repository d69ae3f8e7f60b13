/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_DICTIONARY_H
#define GT_WEB_DICTIONARY_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "base/mem.h"
#include "base/texts.h"

/*
 * Copies of distinct texts of a trace, numbered in order of first appearance: base's interner
 * with memory of its own. Starts as all zeros, and must stay where it is from the first text on.
 */
struct gt_dictionary {
    struct gt_mem mem;
    struct gt_texts texts;
    bool is_open;
};

/* The number of a text, which is added if it is new. False if there is no memory. */
bool gt_dictionary_put(struct gt_dictionary *dictionary, gt_string text, uint32_t *number);

/* The same, but returns false if the text is new. */
bool gt_dictionary_find(const struct gt_dictionary *dictionary, gt_string text, uint32_t *number);

/* The copy is valid until the dictionary is freed. */
gt_string gt_dictionary_get(const struct gt_dictionary *dictionary, uint32_t number);

void gt_dictionary_free(struct gt_dictionary *dictionary);

#endif
