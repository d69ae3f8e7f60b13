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

/*
 * Ends the open batch, reads the trace from memory and a byte at a time, and
 * asserts that both end so. Returns 0, or 1 with the differences printed under
 * `name`.
 */
int fault_check(const char *name, struct wire *wire, const struct fault *expected);

#endif
