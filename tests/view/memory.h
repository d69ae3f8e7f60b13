/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEW_MEMORY_H
#define TESTS_VIEW_MEMORY_H

/*
 * Makes the store's allocation after the next `successes` ones fail. If `successes` is negative,
 * as it is at first, none fails.
 */
void memory_fail_after(int successes);

#endif
