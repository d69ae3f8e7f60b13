/* SPDX-License-Identifier: BSD-3-Clause */
#include "cutfocus.h"

#include <string.h>

#include "terminal.h"

bool focus_is_set(const struct focus *focus)
{
    return focus->goroutines || focus->tasks || focus->region;
}

static gt_status focus_add_goroutine(struct focus *focus, uint64_t number)
{
    return number <= INT64_MAX ? gt_focus_add_goroutine(focus->chosen, (int64_t) number)
                               : GT_ERR_INVALID_ARGUMENT;
}

static gt_status focus_add_task(struct focus *focus, uint64_t number)
{
    return gt_focus_add_task(focus->chosen, number);
}

/*
 * Adds each number of a list, or nothing if that is NULL. Returns GT_ERR_INVALID_ARGUMENT if there
 * is another word in it.
 */
static gt_status focus_add(struct focus *focus, const char *list,
                           gt_status (*add)(struct focus *focus, uint64_t number))
{
    gt_status status = GT_OK;
    while (list && status == GT_OK) {
        char digits[32] = "";
        uint64_t number;
        size_t size = strcspn(list, ",");
        if (size >= sizeof(digits))
            return GT_ERR_INVALID_ARGUMENT;
        memcpy(digits, list, size);
        if (!options_number(digits, UINT64_MAX, &number))
            return GT_ERR_INVALID_ARGUMENT;
        status = add(focus, number);
        list = list[size] == ',' ? list + size + 1 : NULL;
    }
    return status;
}

int focus_take(struct focus *focus, const struct command *self)
{
    if (!focus_is_set(focus))
        return COMMAND_GO_ON;
    gt_status status = gt_focus_open(&focus->chosen, NULL, NULL);
    if (status == GT_OK)
        status = focus_add(focus, focus->goroutines, focus_add_goroutine);
    if (status == GT_ERR_INVALID_ARGUMENT)
        return command_misused(self, "not a list of goroutines:", focus->goroutines);
    if (status == GT_OK)
        status = focus_add(focus, focus->tasks, focus_add_task);
    if (status == GT_ERR_INVALID_ARGUMENT)
        return command_misused(self, "not a list of tasks:", focus->tasks);
    if (status == GT_OK && focus->region)
        status =
            gt_focus_add_region(focus->chosen, (gt_string){focus->region, strlen(focus->region)});
    if (status == GT_OK)
        return COMMAND_GO_ON;
    terminal_report("%s", gt_status_text(status));
    return COMMAND_BAD;
}

gt_status focus_finish(struct focus *focus, const struct input *in)
{
    gt_error error = GT_ERROR_INIT;
    gt_status status = gt_focus_finish(focus->chosen, &error);
    if (status == GT_ERR_NOT_AVAILABLE)
        terminal_report("%s: %s", in->name, error.message);
    return status;
}

void focus_close(struct focus *focus)
{
    gt_focus_close(&focus->chosen);
}
