/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CUTFOCUS_H
#define CUTFOCUS_H

#include <stdbool.h>

#include <gotrace/focus.h>

#include "command.h"
#include "input.h"

/* The goroutines, tasks and regions that the user asked for. Begins as zeros. */
struct focus {
    /* The values of the options, or NULL: numbers with commas in between, and a type. */
    const char *goroutines;
    const char *tasks;
    const char *region;
    /* NULL if there are none. */
    gt_focus *chosen;
};

/* Whether the user asked for any. */
bool focus_is_set(const struct focus *focus);

/*
 * Takes the values of the options. Returns COMMAND_GO_ON, or the exit code of the program after it
 * has reported what is wrong.
 */
int focus_take(struct focus *focus, const struct command *self);

/*
 * Ends the first reading, whose events were passed to gt_focus_event. Returns GT_OK; or
 * GT_ERR_NOT_AVAILABLE after it has reported what the trace does not have; or another error.
 */
gt_status focus_finish(struct focus *focus, const struct input *in);

void focus_close(struct focus *focus);

#endif
