/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ROWORDER_H
#define GT_WEB_ROWORDER_H

#include "web/listing.h"
#include "web/query.h"
#include "web/tasktree.h"
#include "web/web.h"

/*
 * Reads the parameters that determine which rows a listing has, and in which order. With "tree", it
 * sets `*maker`, which the listing needs then. Returns false if the query is refused, or the
 * request has been answered because the analysis that a tree needs is not ready. `maker` may be
 * NULL where no tree is wanted.
 */
bool gt_row_order_take(struct gt_query *query, struct gt_web *web, struct gt_listing_order *order,
                       struct gt_tasktree_maker *maker);

/*
 * Reads "tree", the number of a task. If it is there, sets `*has_task` and `*task`, and sets
 * `*maker` to one that knows the task. Returns false as gt_row_order_take does.
 */
bool gt_row_order_tree(struct gt_query *query, struct gt_web *web, bool *has_task, uint64_t *task,
                       struct gt_tasktree_maker *maker);

#endif
