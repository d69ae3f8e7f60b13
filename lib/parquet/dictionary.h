/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_DICTIONARY_H
#define GT_PARQUET_DICTIONARY_H

#include <stdbool.h>

#include "base/array.h"
#include "base/mem.h"

enum {
    /* The most values of a dictionary. With more, indexes are hardly shorter than values. */
    GT_DICTIONARY_MAX = 65536
};

/* The numbers of which a dictionary is made, at least one. */
struct gt_dictionary_input {
    const int64_t *numbers;
    size_t count;
    int64_t min;
    int64_t max;
    /* Whether to give up early if hardly any of the first numbers are equal. */
    bool may_give_up;
};

/* The distinct values of a column in a row group, in the order of their first appearance. */
struct gt_dictionary {
    struct gt_mem *mem;
    GT_ARRAY(int64_t) values;
    /* By the hash of a value, or by how much it exceeds the smallest: its index plus 1, or 0. */
    GT_ARRAY(uint32_t) places;
    uint64_t secret;
    gt_status status; /* of the current one */
};

void gt_dictionary_init(struct gt_dictionary *dictionary, struct gt_mem *mem);
void gt_dictionary_destroy(struct gt_dictionary *dictionary);

/*
 * Makes the dictionary of numbers and sets `indexes` to the index of each, unless there is only one
 * value. Sets `*worth` to false if there are too many values for it to pay off.
 */
gt_status gt_dictionary_make(struct gt_dictionary *dictionary,
                             const struct gt_dictionary_input *input, uint32_t *indexes,
                             bool *worth);

#endif
