/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_PROCS_H
#define GT_BASE_PROCS_H

#include <stdbool.h>

#include <gotrace/event.h>

#include "base/text.h"

/* The name of the metric that is GOMAXPROCS. */
#define GT_PROCS_METRIC "/sched/gomaxprocs:threads"

/* Whether an event of kind Metric tells GOMAXPROCS, to which `*procs` is set then. */
static inline bool gt_procs_take(const gt_event *event, uint64_t *procs)
{
    gt_metric metric = GT_METRIC_INIT;
    if (gt_event_metric(event, &metric) != GT_OK || metric.value.kind != GT_VALUE_UINT64 ||
        !gt_text_is(metric.name, GT_PROCS_METRIC))
        return false;
    *procs = metric.value.number;
    return true;
}

#endif
