/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_SAMPLES_H
#define GT_WEB_SAMPLES_H

/* The CPU samples of a scope. */

#include <stdbool.h>

#include "store/store.h"
#include "web/response.h"
#include "web/scope.h"

/* Returns false to end all. */
typedef bool gt_samples_fn(void *user_data, const struct gt_mark *sample);

/*
 * Calls `each` for those that were taken of the goroutines that the scope is about, or
 * while these ran on its procs or threads; with the store's lock held. False where `each`
 * returned that, and where there is no memory or nobody who waits.
 */
bool gt_samples_each(struct gt_store *store, const struct gt_scope *scope,
                     struct gt_response *response, gt_samples_fn *each, void *user_data);

#endif
