/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit/failing.h"

#include "support/test.h"

bool failing_passed(struct failing *failing, gt_status status)
{
    if (status == GT_OK)
        return true;
    assert_status(status, GT_ERR_NO_MEMORY);
    assert_status(failing->mem.failure, GT_ERR_NO_MEMORY);
    failing->reported++;
    assert_int_equal(failing->reported, failing->probe.failed);
    return false;
}

/* Returns whether there was an allocation number `n`. */
static bool run_once(void (*run)(struct failing *failing), uint64_t n, bool fail_on)
{
    struct failing failing;
    probe_init(&failing.probe);
    failing.probe.fail_at = n;
    failing.probe.fail_on = fail_on;
    failing.reported = 0;
    gt_mem_init(&failing.mem, &failing.probe.allocator, 0);
    run(&failing);
    probe_check(&failing.probe);
    assert_int_equal(failing.mem.used, 0);
    assert_int_equal(failing.reported, failing.probe.failed);
    return failing.probe.failed != 0;
}

void failing_each(void (*run)(struct failing *failing), uint64_t least)
{
    for (int fail_on = 0; fail_on <= 1; fail_on++) {
        uint64_t n = 1;
        while (run_once(run, n, fail_on))
            n++;
        assert_true(n > least);
    }
}
