/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SWEEP_DAMAGE_H
#define TESTS_SWEEP_DAMAGE_H

#include "support/digest.h"
#include "sweep/run.h"

/* A trace to be damaged in many ways, and its undamaged reading. */
struct damage {
    const struct trace *trace;
    struct digest good;
    /* The copy that is changed, in a block of exactly its size. */
    uint8_t *bytes;
    /*
     * For each size whether the trace can end there: 2 before a batch or the end of a generation;
     * up to Go 1.21 before any record.
     */
    uint8_t *ends;
    /* How many readings there were, and the place and the value of the last one. */
    uint64_t readings;
    size_t place;
    int value;
};

void damage_begin(struct damage *damage, const struct trace *trace);
void damage_end(struct damage *damage);

/*
 * Reads the first `size` bytes strictly and leniently. Asserts that the events are the first ones
 * of the trace, as far as its version allows to know, and how the reading ends.
 */
void damage_cut(struct damage *damage, size_t size);

/*
 * Reads the trace with every bit of the byte at `place` flipped in turn, and with the byte set to
 * special values. Asserts that earlier events do not change, and that each reading ends.
 */
void damage_change(struct damage *damage, size_t place);

/* Whether a place is close to the beginning of a batch. */
int damage_is_edge(const struct damage *damage, size_t place);

/* Reads the trace in pieces of `step` bytes. Asserts that events and error are the same. */
void damage_step(struct damage *damage, size_t step);

#endif
