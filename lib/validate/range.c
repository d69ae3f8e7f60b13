/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/validator.h"

/* EventRangeBegin, EventRangeActive and EventRangeEnd in testtrace/validation.go. */

/* What points at the range, or at the end of the list. */
static struct gt_open_range **find(struct gt_subject *subject, const gt_range *range)
{
    struct gt_open_range **link = &subject->ranges;
    while (*link &&
           !(gt_kept_is(&(*link)->name, range->name) && gt_kept_is(&(*link)->cause, range->cause)))
        link = &(*link)->next;
    return link;
}

static void give_back(struct gt_validator *v, struct gt_open_range *open)
{
    gt_kept_free(&v->texts, &open->name);
    gt_kept_free(&v->texts, &open->cause);
    gt_pool_give(&v->ranges, open);
}

static gt_status open_range(struct gt_validator *v, struct gt_open_range **link,
                            const gt_range *range)
{
    struct gt_open_range *open = gt_pool_take(&v->ranges);
    if (!open)
        return gt_mem_failure(&v->mem);
    open->next = NULL;
    gt_status status = gt_kept_set(&v->texts, &open->name, range->name);
    if (status == GT_OK)
        status = gt_kept_set(&v->texts, &open->cause, range->cause);
    if (status == GT_OK)
        *link = open;
    return status;
}

static void close_range(struct gt_validator *v, struct gt_open_range **link)
{
    struct gt_open_range *open = *link;
    *link = open->next;
    give_back(v, open);
}

void gt_ranges_drop(struct gt_validator *v, struct gt_subject *subject)
{
    while (subject->ranges)
        close_range(v, &subject->ranges);
}

static gt_status found(struct gt_validator *v, gt_rule rule, const char *what,
                       const gt_range *range)
{
    struct gt_shown name = gt_shown_make(range->name);
    struct gt_shown cause = gt_shown_make(range->cause);
    const char *open = range->has_cause ? " (" : "";
    const char *close = range->has_cause ? ")" : "";
    if (range->scope.kind == GT_RESOURCE_NONE)
        return gt_found(v, rule, "range '%s%s%s%s' %s", name.text, open, cause.text, close, what);
    return gt_found(v, rule, "range '%s%s%s%s' of %s %d %s", name.text, open, cause.text, close,
                    gt_resource_kind_name(range->scope.kind), range->scope.id, what);
}

static gt_status look_at_attributes(struct gt_validator *v, const gt_event *event, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        gt_string name;
        gt_value value;
        gt_status status = gt_event_range_attribute(event, i, &name, &value);
        if (status != GT_OK)
            return gt_found_getter(v, "gt_event_range_attribute", status);
    }
    return GT_OK;
}

/* Before Go 1.22 nothing says which ranges were open when the trace began. */
static int may_have_begun(const struct gt_validator *v, const struct gt_subject *subject)
{
    return v->options.version < GT_VALIDATE_THREADS && subject->older;
}

/* Before Go 1.22 several threads without a goroutine can have stopped the world at a time. */
static int is_shared(const struct gt_validator *v, const gt_resource *scope)
{
    return v->options.version < GT_VALIDATE_THREADS && scope->kind == GT_RESOURCE_GOROUTINE &&
           scope->id == GT_NO_GOROUTINE;
}

static gt_status end_range(struct gt_validator *v, const gt_event *event,
                           const struct gt_subject *subject, struct gt_open_range **link,
                           const gt_range *range)
{
    gt_status status = look_at_attributes(v, event, range->attribute_count);
    if (status != GT_OK)
        return status;
    if (!*link && may_have_begun(v, subject))
        return GT_OK;
    if (!*link)
        return found(v, GT_RULE_RANGE_END, "ends but is not open", range);
    close_range(v, link);
    return GT_OK;
}

gt_status gt_look_range(struct gt_validator *v, const gt_event *event)
{
    gt_range range = GT_RANGE_INIT;
    gt_status status = gt_event_range(event, &range);
    if (status != GT_OK)
        return gt_found_getter(v, "gt_event_range", status);
    if (is_shared(v, &range.scope))
        return GT_OK;
    struct gt_subject *subject = gt_subjects_of(&v->subjects, &range.scope);
    if (!subject)
        return gt_mem_failure(&v->mem);
    struct gt_open_range **link = find(subject, &range);
    if (event->kind == GT_EVENT_RANGE_END)
        return end_range(v, event, subject, link, &range);
    if (!*link)
        return open_range(v, link, &range);
    if (event->kind == GT_EVENT_RANGE_BEGIN)
        return found(v, GT_RULE_RANGE_BEGIN, "begins but is open already", &range);
    return GT_OK;
}
