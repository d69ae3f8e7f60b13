/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEW_MEMORY_H
#define TESTS_VIEW_MEMORY_H

#include <gotrace/allocator.h>

#include "base/mem.h"

/* Uses malloc, unless it is to fail. */
extern const gt_allocator memory_allocator;

/*
 * Makes the allocation after the next `successes` ones fail. If `successes` is negative, as it is
 * at first, none fails.
 */
void memory_fail_after(int successes);

/* Calls gt_mem_init for that allocator, without a limit. */
void memory_init(struct gt_mem *mem);

/* A gt_mem that several threads may use. The first call must be made by a single thread. */
struct gt_mem *memory_shared(void);

#endif
