/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VIEW_LISTINGS_H
#define VIEW_LISTINGS_H

/* The last few listings that were asked for. */

#include "listing.h"
#include "view.h"

/*
 * The listing, made anew if the trace has grown since, though at most once a second. NULL
 * where there is no memory. Otherwise listings_release must follow: till then it stays,
 * and no other is given out.
 */
const struct listing *listings_take(struct view *view, const struct listing_order *order);
void listings_release(struct view *view);

/* With no request under way. */
void listings_close(struct view *view);

#endif
