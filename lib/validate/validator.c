/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/validator.h"

#include <stddef.h>

#include "base/sized.h"

static gt_status validator_options_take(gt_validator_options *out, gt_allocator *allocator,
                                        const gt_validator_options *options)
{
    static const struct gt_options_layout layout =
        GT_OPTIONS_LAYOUT(gt_validator_options, keep, GT_VALIDATOR_COARSE_CLOCK);
    *out = (gt_validator_options) GT_VALIDATOR_OPTIONS_INIT;
    gt_status status = gt_options_take(out, allocator, &layout, options);
    if (status == GT_OK && out->reserved != 0)
        status = GT_ERR_INVALID_ARGUMENT;
    if (out->version == 0)
        out->version = UINT32_MAX;
    return status;
}

gt_status gt_validator_open(gt_validator **validator, const gt_validator_options *options)
{
    if (!validator)
        return GT_ERR_INVALID_ARGUMENT;
    *validator = NULL;
    gt_validator_options taken;
    gt_allocator allocator;
    gt_status status = validator_options_take(&taken, &allocator, options);
    if (status != GT_OK)
        return status;
    struct gt_validator *v = gt_mem_create(sizeof(*v), offsetof(struct gt_validator, mem),
                                           &allocator, taken.memory_limit, &status);
    if (!v)
        return status;
    v->options = taken;
    gt_subjects_init(&v->subjects, &v->mem);
    gt_pool_init(&v->ranges, &v->mem, sizeof(struct gt_open_range));
    gt_idmap_init(&v->tasks, &v->mem);
    gt_pool_init(&v->task_pool, &v->mem, sizeof(struct gt_open_task));
    v->texts.mem = &v->mem;
    *validator = v;
    return GT_OK;
}

static void free_stacks(struct gt_validator *v)
{
    gt_mem_free(&v->mem, v->stacks.bits, v->stacks.words * sizeof(*v->stacks.bits));
}

void gt_validator_close(gt_validator **validator)
{
    struct gt_validator *v = validator ? *validator : NULL;
    if (!v || v->busy)
        return;
    gt_mem_free(&v->mem, v->findings.list, v->findings.capacity * sizeof(*v->findings.list));
    gt_subjects_destroy(&v->subjects);
    free_stacks(v);
    gt_pool_destroy(&v->ranges);
    gt_idmap_destroy(&v->tasks);
    gt_pool_destroy(&v->task_pool);
    gt_kept_free_all(&v->texts);
    struct gt_mem mem = v->mem;
    gt_mem_free(&mem, v, sizeof(*v));
    *validator = NULL;
}

/* A time that was found wrong counts as well: else each that follows would be wrong. */
static gt_status look_at_time(struct gt_validator *v, const gt_event *event)
{
    int64_t last = v->last_time;
    v->last_time = event->time;
    if (v->number == 1 || event->time > last)
        return GT_OK;
    return gt_found(v, GT_RULE_TIME, "time is not later than %d, the time of the event before",
                    last);
}

static gt_look *look_of(uint32_t kind)
{
    static gt_look *const looks[] = {
        [GT_EVENT_SYNC] = gt_look_sync,
        [GT_EVENT_METRIC] = gt_look_metric,
        [GT_EVENT_LABEL] = gt_look_label,
        [GT_EVENT_RANGE_BEGIN] = gt_look_range,
        [GT_EVENT_RANGE_ACTIVE] = gt_look_range,
        [GT_EVENT_RANGE_END] = gt_look_range,
        [GT_EVENT_TASK_BEGIN] = gt_look_task,
        [GT_EVENT_TASK_END] = gt_look_task,
        [GT_EVENT_REGION_BEGIN] = gt_look_region,
        [GT_EVENT_REGION_END] = gt_look_region,
        [GT_EVENT_LOG] = gt_look_log,
        [GT_EVENT_STATE_TRANSITION] = gt_look_transition,
        [GT_EVENT_EXPERIMENTAL] = gt_look_experimental,
    };
    return kind < sizeof(looks) / sizeof(looks[0]) ? looks[kind] : NULL;
}

static gt_status look_at(struct gt_validator *v, const gt_event *event)
{
    gt_status status = look_at_time(v, event);
    if (status == GT_OK)
        status = gt_look_stack(v, gt_event_stack(event));
    v->has_events |= event->kind != GT_EVENT_SYNC && event->kind != GT_EVENT_STACK_SAMPLE;
    gt_look *look = look_of(event->kind);
    return status == GT_OK && look ? look(v, event) : status;
}

gt_status gt_validator_event(gt_validator *validator, struct gt_reader *reader,
                             const gt_event *event)
{
    struct gt_validator *v = validator;
    if (!v || !event || v->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (v->failure != GT_OK)
        return v->failure;
    v->busy = 1;
    v->event = event;
    v->reader = reader;
    v->number++;
    v->failure = look_at(v, event);
    v->busy = 0;
    return v->failure;
}
