/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LEAD_H
#define LEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "generations.h"
#include "spans.h"

/*
 * The part of a trace from which on it has to be read to know what happens from a time on. Every
 * generation names all goroutines and procs, so those long before that time need not be read.
 */
struct lead {
    struct generations input;
    struct spans spans; /* what is to be read */
    bool is_open;
    int64_t first; /* the first time of the trace */
    int64_t final; /* the first time of its last generation */
};

/*
 * Opens a trace of Go 1.22 or later that is a plain file, has several generations, and no fault in
 * their structure. Returns whether it is one; otherwise there is nothing to close.
 */
bool lead_open(struct lead *lead, const char *name);

/* Sets `*last` to the last time of the trace. Returns false if that cannot be read. */
bool lead_last(const struct lead *lead, int64_t *last);

/*
 * Puts into the spans what has to be read for the events from `time` on. Returns whether that is
 * less than the whole.
 */
bool lead_begin(struct lead *lead, int64_t time);

void lead_close(struct lead *lead);

#endif
