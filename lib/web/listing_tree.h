/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_LISTING_TREE_H
#define GT_WEB_LISTING_TREE_H

#include "web/listing.h"

/*
 * Sorts the rows of a listing so that each follows its parent, depth first; the children of a row
 * keep their order. Sets the depths, which also count ancestors that are not listed, among the
 * first `total` rows of the view. Locks the store for reading, repeatedly. Returns false if there
 * is not enough memory.
 */
bool gt_listing_tree(struct gt_listing *listing, struct gt_store *store, uint32_t view,
                     uint32_t total);

#endif
