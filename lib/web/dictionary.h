/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_DICTIONARY_H
#define GT_WEB_DICTIONARY_H

/* Copies of distinct texts of a trace, numbered from 0. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

struct gt_dictionary_entry {
    size_t at, size;
    uint64_t hash;
};

/* Starts as all zeros. */
struct gt_dictionary {
    char *bytes;
    size_t used, room;
    struct gt_dictionary_entry *list;
    size_t count, list_room;
    /* Numbers + 1 by hash; 0 is free. */
    uint32_t *slots;
    size_t slot_count;
    uint64_t seed;
};

/* The number of a text, which is added if it is new. False where there is no memory. */
bool gt_dictionary_put(struct gt_dictionary *dictionary, gt_string text, uint32_t *number);
/* The same, but false for a new one. */
bool gt_dictionary_find(const struct gt_dictionary *dictionary, gt_string text, uint32_t *number);
/* Good until the next one is added. */
gt_string gt_dictionary_get(const struct gt_dictionary *dictionary, uint32_t number);

void gt_dictionary_free(struct gt_dictionary *dictionary);

#endif
