/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_LOSTROWS_H
#define GT_WEB_LOSTROWS_H

/* The rows of a view that have losses: times in which it is not known what happened, because data
 * was lost. */

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "store/store.h"

/* All zeros if there are none, but `mem` must be set. */
struct gt_lostrows {
    struct gt_mem *mem;
    uint32_t view;
    /* By the ordinal of the row. */
    GT_ARRAY(bool) has;
};

/* Returns the ordinal of the row of a view to which a loss belongs, or GT_STORE_NONE. */
uint32_t gt_lostrows_of(const struct gt_loss *loss, uint32_t view);
bool gt_lostrows_overlaps(const struct gt_loss *loss, int64_t start, int64_t end);

/*
 * Finds the rows of a view that have losses between `start` and `end`. Returns false if memory runs
 * out. The store's lock is held.
 */
bool gt_lostrows_find(struct gt_lostrows *rows, const struct gt_store *store, uint32_t view,
                      int64_t start, int64_t end);
bool gt_lostrows_has(const struct gt_lostrows *rows, uint32_t view, uint32_t ordinal);
void gt_lostrows_free(struct gt_lostrows *rows);

#endif
