/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_FUTILE_H
#define GT_V1_FUTILE_H

#include "v1/v1.h"

/*
 * Finds the events of futile wakeups: a goroutine was unblocked, but another one
 * was faster, and it blocks again. Go 1.21's internal/trace/parser.go, removeFutile.
 *
 * That a wakeup was futile shows at its end, so this takes a merge of its own, and
 * leaves a bit for each event in v1->futile. Few traces, of old versions, have any.
 */
gt_status gt_v1_find_futile(struct gt_v1 *v1);

/* For the merge, while that is going on: an event that happened, the how manieth. */
gt_status gt_v1_search_event(struct gt_v1 *v1, unsigned type, const struct gt_event_data *data,
                             uint64_t index);

#endif
