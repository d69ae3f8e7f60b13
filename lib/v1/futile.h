/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_FUTILE_H
#define GT_V1_FUTILE_H

#include "v1/v1.h"

/* Whether they are to be removed: Go's reader of N >= 11 fails on one instead. */
static inline int gt_v1_removes_futile(const struct gt_v1 *v1)
{
    return v1->version < 11 || v1->options.lenient;
}

/*
 * Finds the events of futile wakeups: a goroutine was unblocked, but another one
 * was faster, and it blocks again. Go 1.21's internal/trace/parser.go, removeFutile.
 *
 * That a wakeup was futile shows at its end, so this takes a merge of its own, and
 * leaves a bit for each event in v1->futile. Few traces, of old versions, have any.
 */
gt_status gt_v1_find_futile(struct gt_v1 *v1);

#endif
