/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_LIMITS_WATCH_H
#define TESTS_LIMITS_WATCH_H

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>

/* An allocator that records the total after each allocation. */
struct watch {
    gt_allocator allocator;
    uint64_t live;
    uint64_t peak;
    uint64_t *totals;
    size_t count;
    size_t capacity;
};

/* Starts again, and reuses the memory of the totals. */
void watch_begin(struct watch *watch);
void watch_free(struct watch *watch);

#endif
