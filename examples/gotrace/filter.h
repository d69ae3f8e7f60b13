/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FILTER_H
#define FILTER_H

/* Another program that turns a text into a text, such as addr2line. */

#include <stdbool.h>
#include <stdio.h>

#include <gotrace/status.h>

/* Begins as zeros. */
struct filter {
    /* What the program is to read. */
    FILE *input;
    /* What it printed, terminated by NUL. Owned. */
    char *output;
    /* There is no such program. */
    bool is_missing;
    /* Why there is no output, in one line; empty if nothing went wrong. */
    char error[GT_ERROR_MESSAGE_SIZE];
};

/* Forgets the output of before, and makes a file for the input. Returns false on failure. */
bool filter_begin(struct filter *filter);

/*
 * Runs the program `arguments[0]`, which is found by PATH, on what was written to `input`. Returns
 * false if that fails or the program does.
 */
bool filter_run(struct filter *filter, char *const arguments[]);

void filter_free(struct filter *filter);

#endif
