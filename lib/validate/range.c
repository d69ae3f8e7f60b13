/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "validate/validator.h"

/*
 * Validates ranges: EventRangeBegin, EventRangeActive and EventRangeEnd in Go's
 * testtrace/validation.go.
 */

/* Returns the link to the open range that equals `range`, or the link at the end of the list. */
static struct gt_open_range **range_find_open(struct gt_subject *subject, const gt_range *range)
{
    struct gt_open_range **link = &subject->ranges;
    while (*link && !(gt_text_equal((*link)->name->string, range->name) &&
                      gt_text_equal((*link)->cause->string, range->cause)))
        link = &(*link)->next;
    return link;
}

static gt_status range_add_open(struct gt_validator *v, struct gt_open_range **link,
                                const gt_range *range)
{
    struct gt_shared_text *name = gt_shared_text_get(&v->texts, range->name);
    struct gt_shared_text *cause = name ? gt_shared_text_get(&v->texts, range->cause) : NULL;
    struct gt_open_range *open = cause ? gt_pool_take(&v->ranges) : NULL;
    if (!open)
        return gt_mem_failure(&v->mem);
    *open = (struct gt_open_range){NULL, name, cause};
    *link = open;
    return GT_OK;
}

static void range_remove_open(struct gt_validator *v, struct gt_open_range **link)
{
    struct gt_open_range *open = *link;
    *link = open->next;
    gt_shared_text_drop(&v->texts, open->name);
    gt_shared_text_drop(&v->texts, open->cause);
    gt_pool_give(&v->ranges, open);
}

void gt_validator_drop_ranges(struct gt_validator *v, struct gt_subject *subject)
{
    while (subject->ranges)
        range_remove_open(v, &subject->ranges);
}

static gt_status range_report(struct gt_validator *v, gt_rule rule, const char *what,
                              const gt_range *range)
{
    struct gt_excerpt name = gt_excerpt_of(range->name);
    struct gt_excerpt cause = gt_excerpt_of(range->cause);
    const char *open = range->has_cause ? " (" : "";
    const char *close = range->has_cause ? ")" : "";
    if (range->scope.kind == GT_RESOURCE_NONE)
        return gt_validator_report(v, rule, "range '%s%s%s%s' %s", name.text, open, cause.text,
                                   close, what);
    return gt_validator_report(v, rule, "range '%s%s%s%s' of %s %d %s", name.text, open, cause.text,
                               close, gt_resource_kind_name(range->scope.kind), range->scope.id,
                               what);
}

static gt_status range_check_attributes(struct gt_validator *v, const gt_event *event,
                                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        gt_string name;
        gt_value value;
        gt_status status = gt_event_range_attribute(event, i, &name, &value);
        if (status != GT_OK)
            return gt_validator_report_getter(v, "gt_event_range_attribute", status);
    }
    return GT_OK;
}

/* A trace of Go 1.21 or older does not say which ranges were open when it began. */
static bool range_may_be_older(const struct gt_validator *v, const struct gt_subject *subject)
{
    return v->options.version < GT_VALIDATE_THREADS && subject->is_older;
}

/*
 * Returns whether the range cannot be identified: up to Go 1.21 several threads without a goroutine
 * can appear to have stopped the world at the same time.
 */
static bool range_is_ambiguous(const struct gt_validator *v, const gt_resource *scope)
{
    return v->options.version < GT_VALIDATE_THREADS && scope->kind == GT_RESOURCE_GOROUTINE &&
           scope->id == GT_NO_GOROUTINE;
}

static gt_status range_check_end(struct gt_validator *v, const gt_event *event,
                                 const struct gt_subject *subject, struct gt_open_range **link,
                                 const gt_range *range)
{
    gt_status status = range_check_attributes(v, event, range->attribute_count);
    if (status != GT_OK)
        return status;
    if (!*link && range_may_be_older(v, subject))
        return GT_OK;
    if (!*link)
        return range_report(v, GT_RULE_RANGE_END, "ends but is not open", range);
    range_remove_open(v, link);
    return GT_OK;
}

gt_status gt_validate_range(struct gt_validator *v, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_status status = gt_event_range(event, &range);
    if (status != GT_OK)
        return gt_validator_report_getter(v, "gt_event_range", status);
    if (range_is_ambiguous(v, &range.scope))
        return GT_OK;
    struct gt_subject *subject = gt_subjects_of(&v->subjects, &range.scope);
    if (!subject)
        return gt_mem_failure(&v->mem);
    struct gt_open_range **link = range_find_open(subject, &range);
    if (event->kind == GT_EVENT_RANGE_END)
        return range_check_end(v, event, subject, link, &range);
    if (!*link)
        return range_add_open(v, link, &range);
    if (event->kind == GT_EVENT_RANGE_BEGIN)
        return range_report(v, GT_RULE_RANGE_BEGIN, "begins but is open already", &range);
    return GT_OK;
}
