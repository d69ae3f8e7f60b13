/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLUMNTRACE_H
#define COLUMNTRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <gotrace/reader.h>
#include <gotrace/time.h>

#include "input.h"
#include "partition.h"
#include "terminal.h"
#include "traceid.h"

/* A trace that becomes rows of tables. Its members but the name begin as zeros. */
struct columntrace {
    /* As the user gave it. Borrowed. */
    const char *name;
    /* Of what can be read only once, all bytes; otherwise NULL. */
    FILE *copy;
    struct traceid id;
    uint64_t bytes; /* decompressed */
    /* The date of the wall clock of the first event, or unknown. */
    char date[GT_WALL_CLOCK_TEXT_SIZE];
    /* What is to be said of it, and that nothing more will be. */
    struct terminal_messages messages;
    bool is_over;
    /* The next one of the same date. */
    struct columntrace *next;
};

/* How traces are read. */
struct columntrace_reading {
    const struct input *settings;
    /* What is known of all traces. */
    const gt_columns_about *about;
    /* Called while a trace is read. It ends the reading if it does not return 0. */
    gt_progress_fn on_progress;
    void *progress_data;
};

/* How the reading of a trace has ended. */
enum columntrace_end {
    COLUMNTRACE_GOOD,
    COLUMNTRACE_BAD,       /* it gave no rows */
    COLUMNTRACE_CANCELLED, /* on_progress has ended it */
    COLUMNTRACE_FAILED     /* its rows could not be written */
};

/*
 * Finds out the id, the size and the date of a trace. `*settings` says how to read. Returns false
 * after it has reported that the trace cannot be read.
 */
bool columntrace_survey(struct columntrace *trace, const struct input *settings);

/* Adds its rows to a partition, and frees the copy. Reports what goes wrong. */
enum columntrace_end columntrace_read(struct columntrace *trace, struct partition *partition,
                                      const struct columntrace_reading *how);

/* Frees the copy of a trace that is not read. */
void columntrace_close(struct columntrace *trace);

#endif
