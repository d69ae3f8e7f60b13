/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SAMPLES_H
#define GT_WEB_SAMPLES_H

/* Iterates over the CPU samples of a scope. */

#include <stdbool.h>

#include "store/store.h"
#include "web/response.h"
#include "web/scope.h"

/* Returns false to end the iteration. */
typedef bool gt_samples_fn(void *user_data, const struct gt_mark *sample);

/*
 * Calls `each`, with the store locked for reading, for all samples of the scope: those of its
 * goroutines, and those taken while a goroutine ran on its procs or threads. The lock is released
 * from time to time. Returns false if `each` did or if the client has gone away. `response` may be
 * NULL.
 */
bool gt_samples_each(struct gt_store *store, const struct gt_scope *scope,
                     struct gt_response *response, gt_samples_fn *each, void *user_data);

#endif
