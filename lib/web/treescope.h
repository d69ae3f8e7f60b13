/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TREESCOPE_H
#define GT_WEB_TREESCOPE_H

/* A scope that may be the tree of a task. */

#include <stdbool.h>

#include "web/query.h"
#include "web/scope.h"
#include "web/web.h"

/* Which lanes of the rows of a tree are meant. */
enum gt_treescope_lanes {
    /* The first ones, in the times in which goroutines worked for the task. */
    GT_TREESCOPE_FIRST_LANES,
    /* All of them, at all times. */
    GT_TREESCOPE_ALL_LANES
};

/*
 * Reads what gt_scope_take reads, and "tree", the number of a task, which is used if there are no
 * "tracks". Returns false if the query failed or the request has been answered, as with the
 * progress of the analysis that a tree needs. The caller frees the scope in any case.
 */
bool gt_treescope_take(struct gt_scope *scope, struct gt_query *query, struct gt_web *web,
                       enum gt_treescope_lanes lanes);

#endif
