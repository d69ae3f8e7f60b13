/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/event.h>

#include "base/sized.h"

/* Questions about events that programs would otherwise answer themselves, with a risk of errors. */

int gt_goroutine_state_executing(uint32_t state)
{
    return state == GT_GO_RUNNING || state == GT_GO_SYSCALL;
}

int gt_proc_state_executing(uint32_t state)
{
    return state == GT_PROC_RUNNING;
}

static gt_status transition_of_kind(const gt_event *event, gt_transition *transition, uint32_t kind)
{
    gt_transition any = GT_TRANSITION_INIT;
    if (!gt_struct_fits(transition, GT_UP_TO(gt_transition, stack)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_status status = gt_event_transition(event, &any);
    if (status != GT_OK)
        return status;
    if (any.resource.kind != kind)
        return GT_ERR_WRONG_KIND;
    gt_struct_give(transition, &any, sizeof(any));
    return GT_OK;
}

gt_status gt_event_goroutine_transition(const gt_event *event, gt_transition *transition)
{
    return transition_of_kind(event, transition, GT_RESOURCE_GOROUTINE);
}

gt_status gt_event_proc_transition(const gt_event *event, gt_transition *transition)
{
    return transition_of_kind(event, transition, GT_RESOURCE_PROC);
}

/* Computes seconds and nanoseconds separately, so that no intermediate result can overflow. */
gt_status gt_sync_wall_clock(const gt_sync *sync, int64_t time, int64_t *seconds,
                             uint32_t *nanoseconds)
{
    const int64_t billion = 1000000000;
    if (!gt_struct_fits(sync, GT_UP_TO(gt_sync, reserved)) || !seconds || !nanoseconds ||
        sync->clock_nanoseconds >= billion)
        return GT_ERR_INVALID_ARGUMENT;
    if (!sync->has_clock)
        return GT_ERR_NOT_AVAILABLE;
    int64_t whole = time / billion - sync->clock_trace / billion;
    int64_t rest = time % billion - sync->clock_trace % billion + sync->clock_nanoseconds;
    whole += rest / billion - (rest % billion < 0);
    rest = (rest % billion + billion) % billion;
    if (whole > 0 ? sync->clock_seconds > INT64_MAX - whole
                  : sync->clock_seconds < INT64_MIN - whole)
        return GT_ERR_NOT_AVAILABLE;
    *seconds = sync->clock_seconds + whole;
    *nanoseconds = (uint32_t) rest;
    return GT_OK;
}
