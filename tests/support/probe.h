/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_PROBE_H
#define TESTS_SUPPORT_PROBE_H

#include <stdint.h>

#include <gotrace/allocator.h>

/*
 * An allocator that checks its user: it counts, checks that every block is freed with the size that
 * it was allocated with, and fails when it is told to.
 */
struct probe {
    /* Pass its address to the library. */
    gt_allocator allocator;
    /* The number of the call of allocate or reallocate that fails, counted from 1; 0: none. */
    uint64_t fail_at;
    /* All later calls fail as well. */
    int fail_on;
    uint64_t calls;
    /* How many calls failed on purpose. */
    uint64_t failed;
    uint64_t live_blocks;
    uint64_t live_bytes;
    uint64_t peak_bytes;
    /* Calls with a size of 0, or with a wrong block or old size. */
    uint64_t misuses;
};

void probe_init(struct probe *probe);

/* From now on so many calls succeed, and all later ones fail. */
void probe_allow(struct probe *probe, uint64_t calls);

/* Asserts that all memory was freed, and that there was no misuse. */
void probe_check(const struct probe *probe);

#endif
