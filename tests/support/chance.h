/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_CHANCE_H
#define TESTS_SUPPORT_CHANCE_H

/*
 * Random traces of a few procs and goroutines, in which most events are possible after those before
 * them, and some are any. The same seed gives the same traces.
 */

#include <stdbool.h>

#include "support/gen.h"

enum {
    /* The number of events of a trace. */
    CHANCE_EVENTS = 60,
    CHANCE_GOROUTINES = 8,
    CHANCE_PROCS = 3
};

/* What a trace says so far, as far as it is possible; and what the next event is. */
struct chance {
    uint64_t seed; /* not 0 */
    uint64_t sequences[CHANCE_GOROUTINES];
    uint64_t collections;
    uint64_t wild; /* one of so many events is any one */
    unsigned lives[CHANCE_GOROUTINES];
    bool is_on[CHANCE_PROCS];
    uint64_t runs[CHANCE_PROCS];    /* the goroutine on each proc, or CHANCE_GOROUTINES */
    uint64_t blocked[CHANCE_PROCS]; /* the goroutine that has left the proc in a call, or
                                       CHANCE_GOROUTINES */
    bool has_calls;                 /* a proc with a goroutine that has left it can be used */
};

/* Returns a random number below `limit`. */
uint64_t chance_below(struct chance *chance, uint64_t limit);

/* Writes a trace of Go 1.5 to 1.21. */
void chance_old_trace(struct chance *chance, struct wire *wire, unsigned version);

/* Writes a trace of Go 1.22 or later, of up to three generations. */
void chance_trace(struct chance *chance, struct gen *gen, unsigned version);

#endif
