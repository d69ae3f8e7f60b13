/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/validator.h"

/* Validates Sync events: EventSync in Go's testtrace/validation.go. */

enum {
    /* The first version in which every generation has a clock snapshot. */
    CLOCK_VERSION = 25
};

static gt_status sync_check_batches(struct gt_validator *v, const gt_event *event, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        gt_experimental_batch batch = GT_EXPERIMENTAL_BATCH_INIT;
        gt_status status = gt_event_experimental_batch(event, i, &batch);
        if (status != GT_OK)
            return gt_validator_report_getter(v, "gt_event_experimental_batch", status);
    }
    return GT_OK;
}

/* Returns the name of a clock whose snapshot is zero, or NULL. */
static const char *sync_zero_clock(const gt_sync *sync)
{
    if (sync->clock_trace == 0)
        return "trace";
    if (sync->clock_monotonic == 0)
        return "monotonic";
    return sync->clock_seconds == 0 && sync->clock_nanoseconds == 0 ? "wall" : NULL;
}

/* Returns whether the wall clock advanced from one Sync to the next. */
static bool sync_wall_rose(const gt_sync *from, const gt_sync *to)
{
    if (from->clock_seconds != to->clock_seconds)
        return from->clock_seconds < to->clock_seconds;
    return from->clock_nanoseconds < to->clock_nanoseconds;
}

/* Returns the name of a clock that did not advance from one Sync to the next, or NULL. */
static const char *sync_stuck_clock(const gt_sync *from, const gt_sync *to)
{
    if (from->clock_trace >= to->clock_trace)
        return "trace";
    if (from->clock_monotonic >= to->clock_monotonic)
        return "monotonic";
    return sync_wall_rose(from, to) ? NULL : "wall";
}

static gt_status sync_check_clock(struct gt_validator *v, const gt_event *event,
                                  const gt_sync *sync)
{
    const gt_sync before = v->clock;
    v->clock = *sync;
    int64_t seconds;
    uint32_t nanoseconds;
    gt_status status = gt_event_wall_clock(event, &seconds, &nanoseconds);
    if (status != GT_OK)
        return gt_validator_report_getter(v, "gt_event_wall_clock", status);
    const char *which = sync_zero_clock(sync);
    if (which)
        return gt_validator_report(v, GT_RULE_SYNC_CLOCK, "the snapshot of the %s clock is zero",
                                   which);
    if (!before.has_clock || (v->options.flags & GT_VALIDATOR_COARSE_CLOCK))
        return GT_OK;
    which = sync_stuck_clock(&before, sync);
    if (!which)
        return GT_OK;
    return gt_validator_report(
        v, GT_RULE_CLOCK_ORDER,
        "the snapshot of the %s clock is not later than that of the Sync before", which);
}

gt_status gt_validate_sync(struct gt_validator *v, const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    gt_status status = gt_event_sync(event, &sync);
    if (status != GT_OK)
        return gt_validator_report_getter(v, "gt_event_sync", status);
    uint64_t next = v->sync_number + 1;
    v->sync_number = sync.number;
    v->all_known = v->has_events;
    if (sync.number != next)
        status = gt_validator_report(v, GT_RULE_SYNC_NUMBER, "Sync %u comes where Sync %u is due",
                                     sync.number, next);
    if (status == GT_OK)
        status = sync_check_batches(v, event, sync.batch_count);
    if (status != GT_OK)
        return status;
    if (sync.has_clock)
        return sync_check_clock(v, event, &sync);
    if (sync.generation != 0 && v->options.version >= CLOCK_VERSION)
        return gt_validator_report(v, GT_RULE_SYNC_CLOCK, "generation %u has no clock snapshot",
                                   sync.generation);
    return GT_OK;
}
