/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>

#include <gotrace/reader.h>

#include "output.h"

/* The trace that a command reads. */
struct input {
    /* As the user gave it. Borrowed. */
    const char *name;
    gt_reader *reader;
};

/* Opens a file, or standard input where `name` is "-". Reports a failure and returns false. */
bool input_open(struct input *in, const char *name);

/*
 * Fills `*error` with the error that ended the reading with `status`; where
 * `status` is none, its status is GT_OK.
 */
void input_error(const struct input *in, gt_status status, gt_error *error);

/*
 * Closes it after the reading ended with `status`. Where that is an error,
 * writes out all output and then reports it. Returns what the program is to
 * exit with.
 */
int input_close(struct input *in, struct output *out, gt_status status);

#endif
