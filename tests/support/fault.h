/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_FAULT_H
#define TESTS_SUPPORT_FAULT_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

#include "support/wire.h"

/* What must come of a trace with a fault. */
struct fault {
    gt_status status;
    uint64_t offset;
    uint64_t generation;
    /* How many events come before it. */
    size_t events;
};

/* One version of each set of rules that differs from the others'. */
#define FAULT_VERSIONS 4
extern const unsigned fault_versions[FAULT_VERSIONS];

/* What fault_generation makes: a Sync, a proc and a goroutine. */
#define FAULT_GENERATION_EVENTS 3

/* A good generation, without its end; thread 5's batch stays open. */
void fault_generation(struct wire *wire, uint64_t gen);

/* Begins a trace: the header, and generation 1 with its end. */
void fault_begin(struct wire *wire, unsigned version);

/*
 * Ends the open batch, reads the trace from memory and a byte at a time, and
 * checks that both end so. Frees the bytes; returns 0, or 1 with the differences
 * printed under `name`.
 */
int fault_check(const char *name, struct wire *wire, const struct fault *expected);

#endif
