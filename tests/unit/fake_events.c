/* SPDX-License-Identifier: BSD-3-Clause */
#include "fake_events.h"

#include <string.h>

static const struct fake *behind(const gt_event *event)
{
    return (const struct fake *) event;
}

/* Fills the caller's structure, whose size stays. */
static gt_status give(const gt_event *event, void *out, const void *in, size_t size)
{
    if (behind(event)->status != GT_OK)
        return behind(event)->status;
    memcpy((char *) out + sizeof(size_t), (const char *) in + sizeof(size_t),
           size - sizeof(size_t));
    return GT_OK;
}

gt_stack gt_event_stack(const gt_event *event)
{
    return behind(event)->stack;
}

gt_status gt_event_metric(const gt_event *event, gt_metric *metric)
{
    return give(event, metric, &behind(event)->metric, sizeof(*metric));
}

gt_status gt_event_label(const gt_event *event, gt_label *label)
{
    return give(event, label, &behind(event)->label, sizeof(*label));
}

gt_status gt_event_range(const gt_event *event, gt_range *range)
{
    return give(event, range, &behind(event)->range, sizeof(*range));
}

gt_status gt_event_range_attribute(const gt_event *event, uint32_t index, gt_string *name,
                                   gt_value *value)
{
    (void) index;
    (void) name;
    (void) value;
    return behind(event)->part_status;
}

gt_status gt_event_task(const gt_event *event, gt_task *task)
{
    return give(event, task, &behind(event)->task, sizeof(*task));
}

gt_status gt_event_region(const gt_event *event, gt_region *region)
{
    (void) region;
    return behind(event)->status;
}

gt_status gt_event_log(const gt_event *event, gt_log *log)
{
    (void) log;
    return behind(event)->status;
}

gt_status gt_event_transition(const gt_event *event, gt_transition *transition)
{
    return give(event, transition, &behind(event)->transition, sizeof(*transition));
}

gt_status gt_event_sync(const gt_event *event, gt_sync *sync)
{
    return give(event, sync, &behind(event)->sync, sizeof(*sync));
}

gt_status gt_event_experimental_batch(const gt_event *event, uint32_t index,
                                      gt_experimental_batch *batch)
{
    (void) index;
    (void) batch;
    return behind(event)->part_status;
}

gt_status gt_event_experimental(const gt_event *event, gt_experimental *experimental)
{
    experimental->argument_count = 2;
    return behind(event)->status;
}

gt_status gt_event_experimental_argument(const gt_event *event, uint32_t index, gt_string *name,
                                         gt_value *value)
{
    (void) name;
    (void) value;
    return index == 1 ? behind(event)->part_status : GT_OK;
}

gt_status gt_event_wall_clock(const gt_event *event, int64_t *seconds, uint32_t *nanoseconds)
{
    (void) seconds;
    (void) nanoseconds;
    return behind(event)->part_status;
}

int gt_reader_has_event(const gt_reader *reader, const gt_event *event)
{
    (void) reader;
    (void) event;
    return 1;
}

gt_status gt_stack_view(struct gt_reader *reader, gt_stack stack, const gt_frame **frames,
                        size_t *count)
{
    (void) reader;
    *frames = NULL;
    *count = 0;
    return (gt_status) (0 - (int) (stack & 0xff));
}
