/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_HOSTILE_H
#define TESTS_SUPPORT_HOSTILE_H

#include <stddef.h>

#include <gotrace/status.h>

#include "support/wire.h"

/* A kind of trace that makes a careless reader slow or large. */
struct hostile {
    const char *name;
    /* Writes a trace of `n` things of its kind. */
    void (*write)(struct wire *wire, uint64_t n);
    /* The `n` that gives about 100 KB. */
    uint64_t n;
    /* How reading it ends. */
    gt_status status;
};

extern const struct hostile hostiles[];
extern const size_t hostile_count;

/* Traces that are hostile to analyses of the events. */
extern const struct hostile event_hostiles[];
extern const size_t event_hostile_count;

/* Damaged ones. */
extern const struct hostile damage_hostiles[];
extern const size_t damage_hostile_count;

/*
 * Writes a trace in which the first event of a thread waits for an event of the last of `n` other
 * threads.
 */
void hostile_parked(struct wire *wire, uint64_t n);

/*
 * Writes a trace of `n` threads with one byte each, an event that is cut off: the most threads that
 * fit into a trace, for each of which a reader has to remember the most.
 */
void hostile_tiny_threads(struct wire *wire, uint64_t n);

#endif
