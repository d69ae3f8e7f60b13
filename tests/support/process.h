/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_PROCESS_H
#define TESTS_SUPPORT_PROCESS_H

#include <stdio.h>
#include <sys/types.h>

/* The size of the buffer for the standard error of a command. */
#define PROCESS_ERRORS_SIZE 4096

/* A command that runs with its standard output in a pipe. */
struct process {
    pid_t child;
    /* Its standard output. */
    FILE *output;
    /* Its standard error, after process_wait. */
    char errors[PROCESS_ERRORS_SIZE];
    FILE *errors_file;
};

/*
 * Starts `arguments`, the last of which is NULL, in the environment of this process, but with the
 * default actions for signals.
 */
void process_start(struct process *process, const char *const *arguments);

/* Closes the pipe and waits. Returns the exit status, or -1 if a signal ended the process. */
int process_wait(struct process *process);

#endif
