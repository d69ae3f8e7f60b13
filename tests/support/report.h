/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_REPORT_H
#define TESTS_SUPPORT_REPORT_H

#include <stdbool.h>

/*
 * Asserts that `text` begins with a line of the form that the command writes to standard error,
 * "gotrace: PATH: what (offset N)" or "... (offset N, generation N)", and that its message begins
 * with `what`. Returns what follows the line.
 */
const char *report_expect(const char *text, const char *path, const char *what,
                          bool has_generation);

/*
 * Asserts that `text` begins with a line about repairs of one kind, "... repaired: ... (offset N)",
 * perhaps with "and N more like it". Stores how many there are. Returns what follows the line.
 */
const char *report_expect_repairs(const char *text, const char *path, long *count);

#endif
