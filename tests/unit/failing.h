/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_UNIT_FAILING_H
#define TESTS_UNIT_FAILING_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/status.h>

#include "base/mem.h"
#include "support/probe.h"

/* Memory of which one allocation fails, or one and all after it. */
struct failing {
    struct probe probe;
    struct gt_mem mem;
    /* The number of calls that reported a lack of memory. */
    uint64_t reported;
};

/*
 * `run` makes an object with `failing->mem`, uses it, and destroys it. It is run with each of its
 * allocations failing, in two ways: only that one, and all from there on. Asserts that `run` has at
 * least `least` allocations, that each failure was reported, and that all memory was freed.
 */
void failing_each(void (*run)(struct failing *failing), uint64_t least);

/*
 * Makes a call that returns a gt_status. If only one allocation fails, the call is made again and
 * must then succeed. 0 if all further allocations fail: `run` should destroy what it has.
 */
#define TRY(failing, call)                                                                         \
    (failing_passed((failing), (call)) ||                                                          \
     (!(failing)->probe.fail_on && failing_passed((failing), (call))))

/* The same for a call that returns a pointer, which is assigned to `variable`. */
#define TRY_POINTER(failing, variable, call)                                                       \
    TRY(failing, ((variable) = (call)) != NULL ? GT_OK : (failing)->mem.failure)

/* Returns whether the status is GT_OK; otherwise it must be the failure that is due. */
bool failing_passed(struct failing *failing, gt_status status);

#endif
