/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_PARQUET_DICTIONARY_H
#define GT_PARQUET_DICTIONARY_H

#include <stdbool.h>

#include "base/mem.h"

enum {
    /* The most values of a dictionary. With more, indexes are hardly shorter than values. */
    GT_DICTIONARY_MAX = 65536
};

/* The distinct values of a column in a row group, in the order of their first appearance. */
struct gt_dictionary {
    struct gt_mem *mem;
    int64_t *values; /* GT_DICTIONARY_MAX of them; NULL before the first use */
    size_t count;
    uint32_t *places; /* for each hash, the index of a value plus 1, or 0 */
    size_t mask;
    uint64_t secret;
};

void gt_dictionary_init(struct gt_dictionary *dictionary, struct gt_mem *mem);
void gt_dictionary_destroy(struct gt_dictionary *dictionary);

/* Makes room for the values. */
gt_status gt_dictionary_reserve(struct gt_dictionary *dictionary);

/*
 * Makes the dictionary of `values` and sets `indexes` to the index of each. Sets `*worth` to false
 * if there are too many different values for it to pay off.
 */
gt_status gt_dictionary_make(struct gt_dictionary *dictionary, const int64_t *values, size_t count,
                             uint32_t *indexes, bool *worth);

#endif
