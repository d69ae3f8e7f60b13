/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_CALLING_H
#define TESTS_SUPPORT_CALLING_H

#include <stdint.h>

#include <gotrace/allocator.h>

/* An allocator that calls a function whenever memory is allocated: one that uses its user. */
struct calling {
    /* Pass its address to the library. */
    gt_allocator allocator;
    /* Nothing is called while this is NULL. */
    void (*call)(void *user_data);
    void *user_data;
    uint64_t calls;
};

void calling_init(struct calling *calling);

#endif
