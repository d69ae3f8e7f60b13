/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_PROCESS_H
#define TESTS_SUPPORT_PROCESS_H

#include <stdio.h>
#include <sys/types.h>

/* Room for what a command writes to its standard error. */
#define PROCESS_ERRORS_SIZE 4096

/* A command that runs with its standard output in a pipe. */
struct process {
    pid_t child;
    /* What it writes. */
    FILE *output;
    /* What it wrote to standard error, once it was waited for. */
    char errors[PROCESS_ERRORS_SIZE];
    FILE *errors_file;
};

/* Starts `arguments` (the last is NULL) in this process's environment. */
void process_start(struct process *process, const char *const *arguments);

/* Closes the pipe, waits, and returns the exit status, or -1 where a signal ended it. */
int process_wait(struct process *process);

#endif
