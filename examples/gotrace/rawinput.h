/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RAWINPUT_H
#define RAWINPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <gotrace/raw.h>

#include "command.h"
#include "intake.h"
#include "output.h"

/*
 * The trace whose records a command reads, in binary or text form. It is the first member of the
 * structure in which a command stores its options.
 */
struct rawinput {
    /* As the user gave it. Borrowed. */
    const char *name;
    struct intake intake;
    gt_raw_reader *reader;
    /* The trace is read twice, so a pipe or a compressed file is copied to a temporary file. */
    bool twice;
    FILE *copy;
};

/*
 * Parses the arguments of a command that reads the records of FILE, or of standard input if that is
 * "-". Opens it and returns COMMAND_GO_ON; or reports an error and returns the exit code of the
 * program.
 */
int rawinput_open(struct rawinput *in, const struct command *self, struct output *out,
                  char **arguments);

/*
 * Begins to read an input whose `twice` is set from the start again. Returns COMMAND_GO_ON, or
 * reports an error and returns the exit code of the program; then nothing is open.
 */
int rawinput_restart(struct rawinput *in);

/*
 * Closes the input after reading or processing the records ended with `status`. Writes all output
 * before it reports an error; a failure to write is reported by main. Returns the exit code of the
 * program.
 */
int rawinput_close(struct rawinput *in, struct output *out, gt_status status);

#endif
