/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGENT_SETTINGS_H
#define AGENT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * What `gotrace record` asks of the agent, in the environment variable
 * GOTRACE_RECORD: numbers with a colon after each, then two paths with a
 * newline between them.
 */

#define AGENT_VARIABLE "GOTRACE_RECORD"

enum {
    AGENT_PATH = 4096
};

struct agent_settings {
    pid_t first;        /* the process that `gotrace record` has started */
    uint64_t kinds;     /* AGENT_ bits */
    uint64_t stack;     /* the most frames of stacks */
    uint64_t sample_hz; /* samples in a second of processor time */
    uint64_t memory;    /* the most bytes to hold, or 0 */
    bool waits;         /* for the file, rather than to end the recording without memory */
    bool has_tables;    /* stacks are found by tables */
    bool follows;       /* processes that are forked or execute another program are recorded */
    bool is_flight;     /* only the newest events are kept, and written on request */
    uint64_t age;       /* of these, in ns */
    uint64_t bytes;     /* of these, or 0 */
    int dump_on, start_on, stop_on; /* signals, or 0 */
    uint64_t delay, duration;       /* in ns; 0: recording begins at once, goes on to the end */
    const char *report;             /* the path of the report */
    /* The path of the trace, with %p for the id of the process and %n for a number. */
    const char *file;
    size_t literal; /* how many bytes of `file` are taken as they are */
    char text[3 * AGENT_PATH];
};

/* Which trace one is. */
struct agent_number {
    uint64_t process;
    uint64_t trace; /* from 1, among those of all processes */
    uint64_t own;   /* from 1, among those of the process */
};

/* Reads the settings. Returns false if there are none. */
bool agent_settings_read(struct agent_settings *settings);

/*
 * Makes the path of a trace. One that would have the name of an earlier one has its number before
 * the end of the name. Returns false if the path is too long.
 */
bool agent_settings_file(const struct agent_settings *settings, const struct agent_number *number,
                         char path[AGENT_PATH]);

#endif
