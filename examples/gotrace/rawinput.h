/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RAWINPUT_H
#define RAWINPUT_H

#include <gotrace/raw.h>

#include "command.h"
#include "output.h"

/* The trace whose records a command reads, in bytes or in text. */
struct rawinput {
    /* As the user gave it. Borrowed. */
    const char *name;
    gt_raw_reader *reader;
};

/*
 * Parses the arguments of a command that reads the records of FILE, or of standard
 * input where that is "-": its `own` options. Opens it, and returns COMMAND_GO_ON;
 * or returns what the program is to exit with, after it has reported why.
 */
int rawinput_open(struct rawinput *in, const struct command *self, struct output *out,
                  char **arguments, const struct option *own, size_t own_count);

/*
 * Closes it after the reading, or what was done with the records, ended with
 * `status`. Where that is an error, writes out all output and then reports it; but
 * not that the output cannot be written, which main does. Returns what the program
 * is to exit with.
 */
int rawinput_close(struct rawinput *in, struct output *out, gt_status status);

#endif
