/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMPAREVIEW_H
#define COMPAREVIEW_H

/* A comparison in the browser: the viewer of its traces, and what differs between them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/compare.h>

#include "intake.h"
#include "output.h"

struct compareview_options {
    /* The names of the traces before and after the change. */
    const char *const *names[2];
    size_t counts[2];
    /* Where to listen. */
    const char *address;
    bool no_open;
    /* How the traces are read. */
    uint64_t reader_flags;
    const char *program;
    const struct intake_settings *intake;
};

struct compareview;

/*
 * Opens the server, and begins to load the first trace of each side, while the caller compares the
 * traces. Returns NULL after it has reported an error. The options are copied; what they point to
 * must remain valid.
 */
struct compareview *compareview_open(const struct compareview_options *options);

/* Shows a comparison that is complete until a signal comes. Returns the exit code of the program.
 */
int compareview_run(struct compareview *view, const gt_compare *compare, struct output *out);

/* Does nothing if it is NULL. */
void compareview_close(struct compareview *view);

#endif
