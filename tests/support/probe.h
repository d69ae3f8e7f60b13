/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_PROBE_H
#define TESTS_SUPPORT_PROBE_H

#include <stdint.h>

#include <gotrace/allocator.h>

/*
 * An allocator that watches its user: it counts, checks that every block comes
 * back with the size it was given, and fails when it is told to.
 */
struct probe {
    /* Pass its address to the library. */
    gt_allocator allocator;
    /* The call (from 1) of allocate or reallocate that fails; 0 for none. */
    uint64_t fail_at;
    /* Not only that call fails but all after it. */
    int fail_on;
    uint64_t calls;
    /* How many calls failed because they were told to. */
    uint64_t failed;
    uint64_t live_blocks;
    uint64_t live_bytes;
    uint64_t peak_bytes;
    /* Calls with a size of 0, or with a block or an old size that is not so. */
    uint64_t misuses;
};

void probe_init(struct probe *probe);

/* Asserts that all memory came back and nothing was misused. */
void probe_check(const struct probe *probe);

#endif
