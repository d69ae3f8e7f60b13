/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TASKLINES_H
#define GT_WEB_TASKLINES_H

/* Makes the tree of a task from the analysis of the trace. */

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"
#include "web/tasktree.h"

/*
 * Adds the lines of a task to an empty tree. `context` is a struct gt_totals, as the signature is
 * that of a gt_tasktree_make_fn. A task that is its own ancestor, as in a broken trace, is listed
 * once. The store remains locked for reading. This does not delay the loading, because the analysis
 * is made after it. Returns false if memory runs out; the tree must be freed in any case.
 */
bool gt_tasklines_make(struct gt_tasktree *tree, struct gt_store *store, const void *context,
                       uint64_t task);

#endif
