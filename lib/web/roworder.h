/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ROWORDER_H
#define GT_WEB_ROWORDER_H

#include "web/listing.h"
#include "web/query.h"
#include "web/web.h"

/* Reads the parameters that determine which rows a listing has, and in which order. */
void gt_row_order_take(struct gt_query *query, struct gt_web *web, struct gt_listing_order *order);

#endif
