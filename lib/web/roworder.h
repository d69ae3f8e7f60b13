/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ROWORDER_H
#define GT_WEB_ROWORDER_H

#include "web/listing.h"
#include "web/query.h"
#include "web/totals.h"
#include "web/web.h"

/*
 * Reads the parameters that determine which rows a listing has, and in which order. With "tree", it
 * sets `*totals` to the analysis that the listing needs, otherwise to NULL. Returns false if the
 * query is refused, or the request has been answered because the analysis is not ready. `totals`
 * may be NULL where no tree is wanted.
 */
bool gt_row_order_take(struct gt_query *query, struct gt_web *web, struct gt_listing_order *order,
                       const struct gt_totals **totals);

/*
 * Reads "tree", the number of a task. If it is there, sets `*has_task` and `*task`, and finds the
 * analysis that knows the task. Returns false as gt_row_order_take does.
 */
bool gt_row_order_tree(struct gt_query *query, struct gt_web *web, bool *has_task, uint64_t *task,
                       const struct gt_totals **totals);

#endif
