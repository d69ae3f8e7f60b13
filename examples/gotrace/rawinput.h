/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RAWINPUT_H
#define RAWINPUT_H

#include <gotrace/raw.h>

#include "command.h"
#include "intake.h"
#include "output.h"

/*
 * The trace whose records a command reads, in bytes or in text. A command keeps what its options
 * say in a structure whose first member this is.
 */
struct rawinput {
    /* As the user gave it. Borrowed. */
    const char *name;
    struct intake intake;
    gt_raw_reader *reader;
};

/*
 * Parses the arguments of a command that reads the records of FILE, or of standard input if that
 * is "-". Opens it and returns COMMAND_GO_ON; or returns what the program is to exit with, after
 * it has reported why.
 */
int rawinput_open(struct rawinput *in, const struct command *self, struct output *out,
                  char **arguments);

/*
 * Closes it after reading or processing the records ended with `status`. Writes out all output
 * before it reports an error, but leaves a failure to write to main. Returns what the program is
 * to exit with.
 */
int rawinput_close(struct rawinput *in, struct output *out, gt_status status);

#endif
