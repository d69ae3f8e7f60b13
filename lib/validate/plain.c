/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "validate/validator.h"

/* The events that can be validated without earlier ones; see Go's testtrace/validation.go. */

gt_status gt_validate_metric(struct gt_validator *v, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_status status = gt_event_metric(event, &metric);
    if (status != GT_OK)
        return gt_validator_report_getter(v, "gt_event_metric", status);
    struct gt_excerpt name = gt_excerpt_of(metric.name);
    if (!memchr(metric.name.data, ':', metric.name.size))
        return gt_validator_report(v, GT_RULE_METRIC, "metric '%s' has no colon in its name",
                                   name.text);
    if (metric.value.kind == GT_VALUE_NONE)
        return gt_validator_report(v, GT_RULE_METRIC, "metric '%s' has no value", name.text);
    return GT_OK;
}

/*
 * Returns whether the subject of a label is known to exist. Resources of later kinds are unknown.
 */
static bool label_subject_is_known(const gt_resource *resource, const struct gt_subject *subject)
{
    return resource->kind > GT_RESOURCE_THREAD || subject->knowledge != GT_UNSEEN;
}

gt_status gt_validate_label(struct gt_validator *v, const gt_event *event)
{
    gt_label label = GT_LABEL_INIT;
    gt_status status = gt_event_label(event, &label);
    if (status != GT_OK)
        return gt_validator_report_getter(v, "gt_event_label", status);
    if (label.label.size == 0)
        status = gt_validator_report(v, GT_RULE_LABEL, "label is empty");
    if (status != GT_OK)
        return status;
    if (label.resource.kind == GT_RESOURCE_NONE)
        return gt_validator_report(v, GT_RULE_LABEL, "label is for nothing");
    struct gt_subject *subject = gt_subjects_of(&v->subjects, &label.resource);
    if (!subject)
        return gt_mem_failure(&v->mem);
    if (label_subject_is_known(&label.resource, subject))
        return GT_OK;
    subject->knowledge = GT_STATELESS;
    struct gt_excerpt shown = gt_excerpt_of(label.label);
    return gt_validator_report(v, GT_RULE_LABEL, "label '%s' is for %s %d, which is not known",
                               shown.text, gt_resource_kind_name(label.resource.kind),
                               label.resource.id);
}

gt_status gt_validate_region(struct gt_validator *v, const gt_event *event)
{
    gt_region region = GT_REGION_INIT;
    gt_status status = gt_event_region(event, &region);
    return status == GT_OK ? GT_OK : gt_validator_report_getter(v, "gt_event_region", status);
}

gt_status gt_validate_log(struct gt_validator *v, const gt_event *event)
{
    gt_log log = GT_LOG_INIT;
    gt_status status = gt_event_log(event, &log);
    return status == GT_OK ? GT_OK : gt_validator_report_getter(v, "gt_event_log", status);
}

gt_status gt_validate_experimental(struct gt_validator *v, const gt_event *event)
{
    gt_experimental experimental = GT_EXPERIMENTAL_INIT;
    gt_status status = gt_event_experimental(event, &experimental);
    if (status != GT_OK)
        return gt_validator_report_getter(v, "gt_event_experimental", status);
    for (uint32_t i = 0; i < experimental.argument_count; i++) {
        gt_string name;
        gt_value value;
        status = gt_event_experimental_argument(event, i, &name, &value);
        if (status != GT_OK)
            return gt_validator_report_getter(v, "gt_event_experimental_argument", status);
    }
    return GT_OK;
}
