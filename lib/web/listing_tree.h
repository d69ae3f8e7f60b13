/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_LISTING_TREE_H
#define GT_WEB_LISTING_TREE_H

#include "web/listing.h"

/*
 * Sorts the rows of a listing so that each follows the one that made it, depth first; those
 * that one row made stay in their order. Depths count all of the first `total` rows of the
 * view, also those that the listing has not.
 */
bool gt_listing_tree(struct gt_listing *listing, struct gt_store *store, uint32_t view,
                     uint32_t total);

#endif
