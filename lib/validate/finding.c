/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "base/sized.h"
#include "validate/validator.h"

static_assert((int) GT_FINDING_MESSAGE_SIZE >= (int) GT_ERROR_MESSAGE_SIZE, "room for messages");

static gt_status finding_keep(struct gt_validator *v, const gt_finding *finding)
{
    v->finding_count++;
    if (v->kept.count >= v->options.keep)
        return GT_OK;
    return gt_array_add(&v->mem, &v->kept, *finding);
}

gt_status gt_validator_report(struct gt_validator *v, gt_rule rule, const char *format, ...)
{
    gt_error error = GT_ERROR_INIT;
    va_list arguments;
    va_start(arguments, format);
    gt_error_set_list(&error, GT_OK, GT_NO_OFFSET, 0, format, arguments);
    va_end(arguments);
    gt_finding finding = GT_FINDING_INIT;
    finding.rule = (uint32_t) rule;
    finding.kind = v->event->kind;
    finding.number = v->number;
    finding.time = v->event->time;
    finding.thread = v->event->thread;
    finding.proc = v->event->proc;
    finding.goroutine = v->event->goroutine;
    memcpy(finding.message, error.message, sizeof(error.message));
    gt_status status = finding_keep(v, &finding);
    if (v->options.on_finding)
        v->options.on_finding(v->options.user_data, &finding);
    return status;
}

gt_status gt_validator_report_getter(struct gt_validator *v, const char *getter, gt_status status)
{
    return gt_validator_report(v, GT_RULE_GETTER, "%s gives the error '%s'", getter,
                               gt_status_text(status));
}

struct gt_excerpt gt_excerpt_of(gt_string text)
{
    static const char cut[] = "...";
    struct gt_excerpt excerpt;
    gt_string rest = text;
    size_t size = gt_string_quote(&rest, excerpt.text, sizeof(excerpt.text) - sizeof(cut));
    memcpy(excerpt.text + size, cut, sizeof(cut));
    if (rest.size == 0)
        excerpt.text[size] = '\0';
    return excerpt;
}

uint64_t gt_validator_count(const gt_validator *validator)
{
    return validator ? validator->finding_count : 0;
}

gt_status gt_validator_finding(const gt_validator *validator, uint64_t index, gt_finding *finding)
{
    if (!validator || !gt_struct_fits(finding, GT_UP_TO(gt_finding, message)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= validator->kept.count)
        return GT_ERR_NOT_AVAILABLE;
    gt_struct_give(finding, &validator->kept.items[index], sizeof(*finding));
    return GT_OK;
}
