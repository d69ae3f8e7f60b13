/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/validator.h"

#include <gotrace/reader.h>

#include "base/error.h"
#include "base/object.h"

enum {
    /* The number of unused texts to keep: names of ranges, and of most types of tasks, recur. */
    SPARE_TEXTS = 64
};

static bool validator_options_are_valid(const void *options, gt_error *failure)
{
    return ((const gt_validator_options *) options)->reserved == 0 ||
           gt_error_refuse(failure, "options.reserved is not 0") == GT_OK;
}

gt_status gt_validator_open(gt_validator **validator, const gt_validator_options *options,
                            gt_error *error)
{
    static const gt_validator_options defaults = GT_VALIDATOR_OPTIONS_INIT;
    static const struct gt_object_layout layout =
        GT_OBJECT_LAYOUT("validator", gt_validator, gt_validator_options, keep,
                         GT_VALIDATOR_COARSE_CLOCK, &defaults, validator_options_are_valid);
    gt_status status;
    struct gt_validator *v = gt_object_open(validator, &layout, options, error, &status);
    if (!v)
        return status;
    if (v->options.version == 0)
        v->options.version = UINT32_MAX;
    gt_subjects_init(&v->subjects, &v->mem);
    gt_pool_init(&v->ranges, &v->mem, sizeof(struct gt_open_range));
    gt_idmap_init(&v->tasks, &v->mem);
    gt_shared_texts_init(&v->texts, &v->mem, SPARE_TEXTS);
    *validator = v;
    return GT_OK;
}

void gt_validator_close(gt_validator **validator)
{
    struct gt_validator *v = validator ? *validator : NULL;
    if (!v || v->busy)
        return;
    gt_array_free(&v->mem, &v->kept);
    gt_subjects_destroy(&v->subjects);
    gt_array_free(&v->mem, &v->stacks.words);
    gt_pool_destroy(&v->ranges);
    gt_idmap_destroy(&v->tasks);
    gt_shared_texts_destroy(&v->texts);
    gt_mem_delete(&v->mem, v, sizeof(*v));
    *validator = NULL;
}

/*
 * Checks the time of an event. A wrong time becomes the last one, too; otherwise every later event
 * might be reported.
 */
static gt_status validator_check_time(struct gt_validator *v, const gt_event *event)
{
    int64_t last = v->last_time;
    v->last_time = event->time;
    if (v->number == 1 || event->time > last)
        return GT_OK;
    return gt_validator_report(v, GT_RULE_TIME,
                               "time is not later than %d, the time of the event before", last);
}

/* The function that validates a kind of event, or NULL. */
static gt_validate_fn *validator_function(uint32_t kind)
{
    static gt_validate_fn *const functions[] = {
        [GT_EVENT_SYNC] = gt_validate_sync,
        [GT_EVENT_METRIC] = gt_validate_metric,
        [GT_EVENT_LABEL] = gt_validate_label,
        [GT_EVENT_RANGE_BEGIN] = gt_validate_range,
        [GT_EVENT_RANGE_ACTIVE] = gt_validate_range,
        [GT_EVENT_RANGE_END] = gt_validate_range,
        [GT_EVENT_TASK_BEGIN] = gt_validate_task,
        [GT_EVENT_TASK_END] = gt_validate_task,
        [GT_EVENT_REGION_BEGIN] = gt_validate_region,
        [GT_EVENT_REGION_END] = gt_validate_region,
        [GT_EVENT_LOG] = gt_validate_log,
        [GT_EVENT_STATE_TRANSITION] = gt_validate_transition,
        [GT_EVENT_EXPERIMENTAL] = gt_validate_experimental,
    };
    return kind < sizeof(functions) / sizeof(functions[0]) ? functions[kind] : NULL;
}

static gt_status validator_check(struct gt_validator *v, const gt_event *event)
{
    gt_status status = validator_check_time(v, event);
    if (status == GT_OK)
        status = gt_validate_stack(v, gt_event_stack(event));
    v->has_events |= event->kind != GT_EVENT_SYNC && event->kind != GT_EVENT_STACK_SAMPLE;
    gt_validate_fn *validate = validator_function(event->kind);
    return status == GT_OK && validate ? validate(v, event) : status;
}

gt_status gt_validator_event(gt_validator *validator, struct gt_reader *reader,
                             const gt_event *event)
{
    struct gt_validator *v = validator;
    if (!v || !event || v->busy || (reader && !gt_reader_has_event(reader, event)))
        return GT_ERR_INVALID_ARGUMENT;
    if (v->failure != GT_OK)
        return v->failure;
    v->busy = true;
    v->event = event;
    v->reader = reader;
    v->number++;
    v->failure = validator_check(v, event);
    v->busy = false;
    return v->failure;
}
