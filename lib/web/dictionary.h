/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_DICTIONARY_H
#define GT_WEB_DICTIONARY_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "base/mem.h"
#include "base/texts.h"

/*
 * An interner: copies of distinct texts of a trace, numbered from 0 in order of first appearance. A
 * dictionary starts as all zeros except `mem`. It has no lock.
 */
struct gt_dictionary {
    struct gt_mem *mem;
    struct gt_texts texts;
    bool is_open;
};

/*
 * Sets `*number` to the number of a text, and adds the text if it is new. Returns false if there is
 * not enough memory.
 */
bool gt_dictionary_put(struct gt_dictionary *dictionary, gt_string text, uint32_t *number);

/* Sets `*number` to the number of a text. Returns false if the dictionary does not contain it. */
bool gt_dictionary_find(const struct gt_dictionary *dictionary, gt_string text, uint32_t *number);

/* Returns the text with a number. It is valid until the dictionary is freed. */
gt_string gt_dictionary_get(const struct gt_dictionary *dictionary, uint32_t number);

void gt_dictionary_free(struct gt_dictionary *dictionary);

#endif
