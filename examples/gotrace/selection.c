/* SPDX-License-Identifier: BSD-3-Clause */
#include "selection.h"

#include <inttypes.h>

#include "terminal.h"

int selection_parse_number(const char *text, const struct command *self, uint64_t *value)
{
    if (!text || options_number(text, UINT64_MAX, value))
        return COMMAND_GO_ON;
    return command_misused(self, "not a number:", text);
}

int selection_parse(struct selection *selection, uint32_t kind, const char *text,
                    const struct command *self, const char *names)
{
    if (!text)
        return COMMAND_GO_ON;
    if (selection->kind != 0)
        return command_misused(self, names, NULL);
    selection->kind = kind;
    return selection_parse_number(text, self, &selection->id);
}

static gt_status selection_take_event(void *user_data, const gt_event *event)
{
    struct selection *selection = user_data;
    return gt_selector_event(selection->selector, event);
}

static int selection_read(struct selection *selection, struct input *in, struct output *out)
{
    static const char *const kinds[] = {"", "goroutine", "task", "task"};
    gt_status reading = GT_OK;
    if (selection->kind == 0)
        return COMMAND_GO_ON;
    gt_status status =
        gt_selector_open(&selection->selector, selection->kind, selection->id, NULL, &in->failure);
    if (status == GT_OK)
        status = input_for_each_event(in->reader, selection_take_event, selection, &reading);
    if (status == GT_OK && input_is_in_trouble(in, reading))
        return input_close(in, out, reading);
    if (status == GT_OK)
        status = gt_selector_finish(selection->selector);
    if (status == GT_ERR_NOT_AVAILABLE) {
        terminal_report("%s: nothing to show of %s %" PRIu64, in->name, kinds[selection->kind],
                        selection->id);
        input_close(in, out, GT_END);
        return COMMAND_BAD;
    }
    return status == GT_OK ? input_restart(in) : input_close(in, out, status);
}

int selection_start(struct selection *selection, struct input *in, struct output *out)
{
    if (selection->kind != 0)
        in->twice = true;
    int code = input_start(in);
    return code == COMMAND_GO_ON ? selection_read(selection, in, out) : code;
}

void selection_close(struct selection *selection)
{
    gt_selector_close(&selection->selector);
}
