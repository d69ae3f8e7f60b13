/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_LISTINGS_H
#define GT_WEB_LISTINGS_H

/* The last few listings that were asked for. */

#include "web/listing.h"
#include "web/web.h"

/*
 * The listing, made anew if the trace has grown since, though at most once a second. NULL
 * where there is no memory. Otherwise gt_listings_release must follow: till then it stays,
 * and no other is given out.
 */
const struct gt_listing *gt_listings_take(struct gt_web *web, const struct gt_listing_order *order);
void gt_listings_release(struct gt_web *web);

/* With no request under way. */
void gt_listings_close(struct gt_web *web);

#endif
