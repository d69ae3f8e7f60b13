/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BACKFILL_H
#define BACKFILL_H

#include <stddef.h>

#include <gotrace/columns.h>

#include "input.h"
#include "partition.h"

enum {
    BACKFILL_MAX_JOBS = 64
};

/*
 * The writing of any number of traces as tables. They are grouped by their dates, and several dates
 * are worked on at once, each by one thread with one reader, so that the files are the same for any
 * number of threads.
 */
struct backfill {
    /* How a trace is read. */
    const struct input *settings;
    const struct partition_place *place;
    /* What is known of all traces. */
    const gt_columns_about *about;
    const char *const *names;
    size_t count;
    /* At most so many dates at once; 0: as many as there are processors, but at most 4. */
    unsigned jobs;
};

/* Does it, and reports what goes wrong, in the order of the names. Returns the exit code. */
int backfill_run(const struct backfill *backfill);

#endif
