/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_FAULT_H
#define TESTS_SUPPORT_FAULT_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

#include "support/wire.h"

/* The expected result of a trace with a fault. */
struct fault {
    gt_status status;
    uint64_t offset;
    uint64_t generation;
    /* How many events come before the error. */
    size_t events;
};

/* One version for each set of rules. */
#define FAULT_VERSIONS 4
extern const unsigned fault_versions[FAULT_VERSIONS];

/* What fault_generation makes: a Sync, a proc and a goroutine. */
#define FAULT_GENERATION_EVENTS 3

/* Writes a good generation without its end; the batch of thread 5 stays open. */
void fault_generation(struct wire *wire, uint64_t gen);

/* Begins a trace: writes the header, and generation 1 with its end. */
void fault_begin(struct wire *wire, unsigned version);

/*
 * Ends the open batch, reads the trace from memory and byte by byte, and checks that both end as
 * expected. Frees the bytes. Returns 0, or 1 after it has printed the differences under `name`.
 */
int fault_check(const char *name, struct wire *wire, const struct fault *expected);

#endif
