/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SELECTION_H
#define SELECTION_H

#include <stdint.h>

#include <gotrace/timeline.h>

#include "command.h"
#include "input.h"

/* The part of a trace that is drawn. All zeros: the whole trace. */
struct selection {
    /* A GT_SELECT_ value, or 0 for the whole trace. */
    uint32_t kind;
    uint64_t id;
    /* NULL for the whole trace, and before selection_start. */
    gt_selector *selector;
};

/*
 * Parses a number up to 2^64-1 without a sign. If `text` is NULL, `*value` remains unchanged.
 * Returns COMMAND_GO_ON, or COMMAND_MISUSED after it has reported the text.
 */
int selection_parse_number(const char *text, const struct command *self, uint64_t *value);

/*
 * Sets the selection from the text of the option for `kind`, unless that is NULL. Returns what
 * selection_parse_number does, also if there is a selection already; `names` says of what there can
 * be only one.
 */
int selection_parse(struct selection *selection, uint32_t kind, const char *text,
                    const struct command *self, const char *names);

/*
 * Opens the trace with input_start. For a part of it, reads it once to find out what to draw, and
 * opens it again. An error in the trace ends the reading, but the events before it are used.
 * Returns COMMAND_GO_ON, or the exit code of the program after it has closed the input and reported
 * why.
 */
int selection_start(struct selection *selection, struct input *in, struct output *out);

void selection_close(struct selection *selection);

#endif
