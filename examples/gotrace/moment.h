/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MOMENT_H
#define MOMENT_H

/* A point in time as the user gives it to an option such as --start. */

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

#include "command.h"

enum moment_origin {
    MOMENT_TRACE_CLOCK, /* a time that 'gotrace dump' prints */
    MOMENT_BEGINNING,   /* +1.5s, since the beginning of the trace */
    MOMENT_END,         /* -1.5s, before its end */
    MOMENT_WALL_CLOCK   /* 2026-11-23T14:30:00Z */
};

struct moment {
    enum moment_origin origin;
    /* Seconds since 1970 for the wall clock, otherwise 0. */
    int64_t seconds;
    int64_t nanoseconds;
};

/* The times in a trace that moments count from. Only those are used that a moment needs. */
struct moment_base {
    int64_t first;
    int64_t last;
    /* A Sync with a clock snapshot. */
    gt_sync sync;
};

/* Parses a text. Returns whether it is a moment. */
bool moment_parse(struct moment *moment, const char *text);

/*
 * Parses the value of an option, which may be NULL. Returns COMMAND_GO_ON, or the exit status after
 * an error message that says what a moment looks like.
 */
int moment_take(struct moment *moment, const char *text, const struct command *self);

/* Returns the time of a moment, or the nearest one that an int64_t can hold. */
int64_t moment_time(const struct moment *moment, const struct moment_base *base);

#endif
