/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_COMMAND_CAPTURE_H
#define TESTS_COMMAND_CAPTURE_H

/* A run of the command, and what it wrote. */

#include "support/process.h"
#include "support/wire.h"

#define CAPTURE_ARGUMENTS 8

struct capture {
    int exit_status;
    /* From malloc. */
    char *output;
    char errors[PROCESS_ERRORS_SIZE];
};

/* Runs `program` with up to CAPTURE_ARGUMENTS arguments, of which the last is NULL. */
void capture_program(struct capture *capture, const char *program, const char *const *arguments);

/* The same for $GT_COMMAND. */
void capture_command(struct capture *capture, const char *const *arguments);

#define CAPTURE(capture, ...) capture_command((capture), (const char *const[]){__VA_ARGS__, NULL})

void capture_free(struct capture *capture);

/* Writes the trace to a temporary file; returns its path, from malloc. */
char *capture_trace(struct wire *wire);

/* Asserts that `text` is in `whole`, and returns what follows it. */
const char *capture_find(const char *whole, const char *text);

/* How often `text` is in `whole`. */
unsigned capture_count(const char *whole, const char *text);

#endif
