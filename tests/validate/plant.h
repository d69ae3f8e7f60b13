/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VALIDATE_PLANT_H
#define TESTS_VALIDATE_PLANT_H

#include <gotrace/gotrace.h>

#include "support/reading.h"

/*
 * A validator that gets events of two valid traces in an order that no valid trace has. All times
 * of the second trace are later than those of the first. Starts as all zeros: write the traces
 * first, then open it.
 */
struct plant {
    struct reading first;
    struct reading second;
    gt_validator *validator;
    /* The number of events that the validator got. */
    uint64_t fed;
    /* The number of findings expected so far. */
    uint64_t expected;
};

/* Begins both traces as reading_begin does. */
void plant_begin(struct plant *plant);

/* The same with proc 0 and goroutine 1 running on thread 5: three events in each trace. */
void plant_begin_running(struct plant *plant);

#define PLANT_RUNNING_EVENTS 3

/* Adds a generation in which thread 5 reports that proc 0 is idle; for versions before Go 1.25. */
void plant_generation(struct wire *wire, uint64_t gen);

/* Adds strings to generation 1: 1 is "main.f", 2 is "main.go". */
void plant_strings(struct wire *wire);

/*
 * Opens both traces and a validator. `options` may be NULL for those of the version that was
 * written.
 */
void plant_open(struct plant *plant, const gt_validator_options *options);

/* Reads `count` events and passes them to the validator. */
void plant_feed(struct plant *plant, struct reading *reading, unsigned count);

/* The same with all remaining events. */
void plant_feed_rest(struct plant *plant, struct reading *reading);

/* Asserts that the next finding is one of the last event, by this rule; returns its message. */
const char *plant_expect(struct plant *plant, gt_rule rule);

/* Asserts that there are no other findings than the expected ones; closes and frees everything. */
void plant_close(struct plant *plant);

#endif
