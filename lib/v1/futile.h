/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_FUTILE_H
#define GT_V1_FUTILE_H

#include "v1/v1.h"

/*
 * Finds the events of futile wakeups: a goroutine was unblocked, but another one
 * was faster, and it blocks again. Go 1.21's internal/trace/parser.go, removeFutile.
 *
 * Only the end of a wakeup shows that it was futile. So this runs a merge of its own, which
 * leaves a bit for each event in futile.bits. Few traces, of old versions, have such wakeups.
 */
gt_status gt_v1_futile_find(struct gt_v1 *v1);

/* The merge reports event number `index` to the search, while that is going on. */
gt_status gt_v1_futile_event(struct gt_v1 *v1, unsigned type, const struct gt_event_data *data,
                             uint64_t index);

#endif
