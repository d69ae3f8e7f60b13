/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_LISTINGS_H
#define GT_WEB_LISTINGS_H

/* A cache of the most recently requested listings. */

#include "web/listing.h"
#include "web/web.h"

/*
 * Returns the listing for an order; `maker` is needed for the tree of a task only. While the trace
 * is being loaded it is made anew if events were added, but at most once a second, and once more
 * when loading has ended. Returns NULL if there is not enough memory. Otherwise gt_listings_release
 * must follow: until then the listing is locked and remains valid, and other threads wait for all
 * listings.
 */
const struct gt_listing *gt_listings_take(struct gt_web *web, const struct gt_tasktree_maker *maker,
                                          const struct gt_listing_order *order);
void gt_listings_release(struct gt_web *web);

/* Frees all listings. No request may be running. */
void gt_listings_close(struct gt_web *web);

#endif
