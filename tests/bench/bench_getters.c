/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_getters.h"

static uint64_t string_sum(gt_string string)
{
    return string.size + (string.size ? (unsigned char) string.data[0] : 0);
}

static uint64_t value_sum(const gt_value *value)
{
    return value->number + string_sum(value->string);
}

static uint64_t walk(gt_reader *reader, gt_stack stack)
{
    const gt_frame *frames;
    uint64_t sum = 0;
    size_t count;

    if (stack == GT_STACK_NONE || gt_stack_view(reader, stack, &frames, &count) != GT_OK)
        return 0;
    for (size_t i = 0; i < count; i++)
        sum += frames[i].pc + frames[i].line + string_sum(frames[i].function) +
               string_sum(frames[i].file);
    return sum;
}

static uint64_t visit_sync(const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    uint64_t sum;

    gt_event_sync(event, &sync);
    sum = sync.number + sync.generation + sync.clock_monotonic;
    for (uint32_t i = 0; i < sync.batch_count; i++) {
        gt_experimental_batch batch = GT_EXPERIMENTAL_BATCH_INIT;

        gt_event_experimental_batch(event, i, &batch);
        sum += string_sum(batch.data);
    }
    return sum;
}

static uint64_t visit_metric(const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;

    gt_event_metric(event, &metric);
    return string_sum(metric.name) + value_sum(&metric.value);
}

static uint64_t visit_label(const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;

    gt_event_label(event, &label);
    return string_sum(label.label) + (uint64_t) label.resource.id;
}

static uint64_t visit_range(const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_value value = {0};
    gt_string name;
    uint64_t sum;

    gt_event_range(event, &range);
    sum = string_sum(range.name) + string_sum(range.cause) + (uint64_t) range.scope.id;
    for (uint32_t i = 0; i < range.attribute_count; i++) {
        gt_event_range_attribute(event, i, &name, &value);
        sum += string_sum(name) + value.number;
    }
    return sum;
}

static uint64_t visit_task(const gt_event *event)
{
    gt_task task = GT_TASK_INIT;

    gt_event_task(event, &task);
    return task.id + task.parent + string_sum(task.type);
}

static uint64_t visit_region(const gt_event *event)
{
    gt_region region = GT_REGION_INIT;

    gt_event_region(event, &region);
    return region.task + string_sum(region.type);
}

static uint64_t visit_log(const gt_event *event)
{
    gt_log log = GT_LOG_INIT;

    gt_event_log(event, &log);
    return log.task + string_sum(log.category) + string_sum(log.message);
}

static uint64_t visit_transition(gt_reader *reader, const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;
    uint64_t sum;

    gt_event_transition(event, &transition);
    sum = (uint64_t) transition.resource.id + transition.from + transition.to;
    return sum + string_sum(transition.reason) + walk(reader, transition.stack);
}

static uint64_t visit_experimental(const gt_event *event)
{
    gt_experimental experimental = GT_EXPERIMENTAL_INIT;
    gt_value value = {0};
    gt_string name;
    uint64_t sum;

    gt_event_experimental(event, &experimental);
    sum = string_sum(experimental.name) + string_sum(experimental.experiment);
    for (uint32_t i = 0; i < experimental.argument_count; i++) {
        gt_event_experimental_argument(event, i, &name, &value);
        sum += string_sum(name) + value_sum(&value);
    }
    return sum;
}

uint64_t bench_visit(gt_reader *reader, const gt_event *event)
{
    uint64_t sum = (uint64_t) event->time + (uint64_t) event->goroutine;

    sum += walk(reader, gt_event_stack(event));
    switch (event->kind) {
    case GT_EVENT_SYNC:
        return sum + visit_sync(event);
    case GT_EVENT_METRIC:
        return sum + visit_metric(event);
    case GT_EVENT_LABEL:
        return sum + visit_label(event);
    case GT_EVENT_RANGE_BEGIN:
    case GT_EVENT_RANGE_ACTIVE:
    case GT_EVENT_RANGE_END:
        return sum + visit_range(event);
    case GT_EVENT_TASK_BEGIN:
    case GT_EVENT_TASK_END:
        return sum + visit_task(event);
    case GT_EVENT_REGION_BEGIN:
    case GT_EVENT_REGION_END:
        return sum + visit_region(event);
    case GT_EVENT_LOG:
        return sum + visit_log(event);
    case GT_EVENT_STATE_TRANSITION:
        return sum + visit_transition(reader, event);
    case GT_EVENT_EXPERIMENTAL:
        return sum + visit_experimental(event);
    default:
        return sum;
    }
}
