/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_LOSSES_H
#define GT_WEB_LOSSES_H

/* The times in which it is not known what goroutines did, because data of the trace was lost. */

#include <stdint.h>

#include "store/store.h"
#include "web/scope.h"

struct gt_losses_sum {
    int64_t time;
    uint64_t count;
};

/* Computes the sums of the losses within a scope. The store's lock is held. */
void gt_losses_add_up(const struct gt_store *store, const struct gt_scope *scope,
                      struct gt_losses_sum *sum);

#endif
