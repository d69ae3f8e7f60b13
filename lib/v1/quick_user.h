/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_QUICK_USER_H
#define GT_V1_QUICK_USER_H

#include "v1/quick_read.h"

/* The quick cases of regions and logs of package runtime/trace. See v1/quick.h. */

/* Begins a region of the goroutine. */
static GT_ALWAYS_INLINE bool gt_v1_quick_region_begin(struct gt_v1 *v1,
                                                      struct gt_v1_goroutine *goroutine,
                                                      uint64_t task, uint64_t name)
{
    struct gt_v1_region *region = gt_pool_take_again(&v1->state.region_pool);
    if (!region)
        return false;
    region->task = task;
    region->name = name;
    region->next = goroutine->regions;
    goroutine->regions = region;
    return true;
}

/* Ends the goroutine's innermost region, or one that began before the trace started. */
static GT_ALWAYS_INLINE bool gt_v1_quick_region_end(struct gt_v1 *v1,
                                                    struct gt_v1_goroutine *goroutine,
                                                    uint64_t task, uint64_t name)
{
    struct gt_v1_region *region = goroutine->regions;
    if (!region)
        return true;
    if (region->task != task || region->name != name)
        return false;
    goroutine->regions = region->next;
    gt_pool_give(&v1->state.region_pool, region);
    return true;
}

static GT_ALWAYS_INLINE const uint8_t *gt_v1_quick_region(struct gt_v1 *v1, struct gt_v1_proc *proc,
                                                          const struct gt_v1_place *at,
                                                          struct gt_event_data *data)
{
    uint64_t numbers[4];
    const uint8_t *end = gt_v1_quick_read(at, numbers, 4);
    uint64_t task = numbers[0], mode = numbers[1], name = numbers[2];
    if (mode > 1 || !gt_v1_quick_runs(proc) ||
        !gt_strings_find(&v1->table.strings, name, &data->strings[0]))
        return NULL;
    if (mode == 0 ? !gt_v1_quick_region_begin(v1, proc->goroutine, task, name)
                  : !gt_v1_quick_region_end(v1, proc->goroutine, task, name))
        return NULL;
    data->event.kind = mode == 0 ? GT_EVENT_REGION_BEGIN : GT_EVENT_REGION_END;
    data->type = mode == 0 ? GT_WIRE_USER_REGION_BEGIN : GT_WIRE_USER_REGION_END;
    data->arguments[0] = task;
    gt_v1_quick_stack(v1, numbers[3], data);
    return end;
}

/* A log message, which the event itself contains. */
static GT_ALWAYS_INLINE const uint8_t *
gt_v1_quick_log(struct gt_v1 *v1, const struct gt_v1_place *at, struct gt_event_data *data)
{
    uint64_t numbers[4];
    const uint8_t *text = gt_v1_quick_read(at, numbers, 4);
    if (!gt_strings_find(&v1->table.strings, numbers[1], &data->strings[0]))
        return NULL;
    data->event.kind = GT_EVENT_LOG;
    data->type = GT_WIRE_USER_LOG;
    data->strings[1] = GT_TEXT_INLINE;
    data->arguments[0] = numbers[0];
    data->arguments[2] = (uint64_t) (uintptr_t) text;
    data->arguments[3] = numbers[3];
    gt_v1_quick_stack(v1, numbers[2], data);
    return text + numbers[3];
}

#endif
