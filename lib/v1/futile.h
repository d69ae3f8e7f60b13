/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_FUTILE_H
#define GT_V1_FUTILE_H

#include "v1/v1.h"

/*
 * Finds the events of futile wakeups: a goroutine was unblocked, but another one was faster, and
 * the goroutine blocks again. See Go 1.21's internal/trace/parser.go, removeFutile.
 *
 * Only the end of a wakeup shows that it was futile. Therefore the search is a merge of its own
 * before the one that delivers events, and sets a bit in futile.bytes for each event to be left
 * out. Only old versions have such wakeups, and few of their traces.
 */
gt_status gt_v1_futile_find(struct gt_v1 *v1);

/* Called by the merge for event number `index` while the search is in progress. */
gt_status gt_v1_futile_event(struct gt_v1 *v1, unsigned type, const struct gt_event_data *data,
                             uint64_t index);

#endif
