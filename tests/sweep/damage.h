/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SWEEP_DAMAGE_H
#define TESTS_SWEEP_DAMAGE_H

#include "support/digest.h"
#include "sweep/run.h"

/* A trace to be damaged in many ways, and what it is without. */
struct damage {
    const struct trace *trace;
    struct digest good;
    /* A copy that is changed, in a block of its own size. */
    uint8_t *bytes;
    /*
     * For each size whether the trace can end there: before a batch, for which it is 2, and a
     * generation's end, and up to Go 1.21 before any record.
     */
    uint8_t *ends;
    /* How many readings there were, and what the last one was of: its place and its value. */
    uint64_t readings;
    size_t place;
    int value;
};

void damage_begin(struct damage *damage, const struct trace *trace);
void damage_end(struct damage *damage);

/*
 * Reads the first `size` bytes strictly and leniently. Asserts that the events are the first
 * of the trace's, as far as its version lets one know, and how the reading ends.
 */
void damage_cut(struct damage *damage, size_t size);

/*
 * Reads the trace with every bit of the byte at `place` flipped in turn, and with the byte
 * set to what is special. Asserts that what comes before is not touched, and that there is
 * always an end.
 */
void damage_change(struct damage *damage, size_t place);

/* Whether a place lies within some bytes of where a batch begins. */
int damage_is_edge(const struct damage *damage, size_t place);

/* Reads the trace in pieces of `step` bytes; asserts that all is the same, error included. */
void damage_step(struct damage *damage, size_t step);

#endif
