/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEW_MEMORY_H
#define TESTS_VIEW_MEMORY_H

/* The next `successes` allocations of the store succeed, and the one after them fails. Below 0
 * none fails, as at first. */
void memory_fail_after(int successes);

#endif
