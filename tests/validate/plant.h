/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VALIDATE_PLANT_H
#define TESTS_VALIDATE_PLANT_H

#include <gotrace/gotrace.h>

#include "support/reading.h"

/*
 * A validator that is given events of two good traces, in an order that no good
 * trace has. All times of the second trace are later than those of the first. Starts
 * as all zeros: write to the traces first, then open.
 */
struct plant {
    struct reading first;
    struct reading second;
    gt_validator *validator;
    /* How many events it was given. */
    uint64_t fed;
    /* How many findings were expected so far. */
    uint64_t expected;
};

/* Begins both as reading_begin does. */
void plant_begin(struct plant *plant);

/* The same with proc 0 and goroutine 1 running on thread 5: three events in each. */
void plant_begin_running(struct plant *plant);

#define PLANT_RUNNING_EVENTS 3

/* Adds a generation in which thread 5 says that proc 0 is idle, before Go 1.25. */
void plant_generation(struct wire *wire, uint64_t gen);

/* Adds strings to generation 1: 1 is "main.f", 2 is "main.go". */
void plant_strings(struct wire *wire);

/* Opens both, and a validator; `options` may be NULL for those of the version that was written. */
void plant_open(struct plant *plant, const gt_validator_options *options);

/* Reads `count` events, and gives them to the validator. */
void plant_feed(struct plant *plant, struct reading *reading, unsigned count);

/* The same with all that are left. */
void plant_feed_rest(struct plant *plant, struct reading *reading);

/* The last event had the next finding; returns its message. */
const char *plant_expect(struct plant *plant, gt_rule rule);

/* Asserts that there are no findings but those that were expected; closes and frees all. */
void plant_close(struct plant *plant);

#endif
