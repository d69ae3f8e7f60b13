/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_SUITE_H
#define TESTS_SUPPORT_SUITE_H

#include "support/test.h"

/* Tests that are collected at run time, such as one for each file of a directory. */
struct suite {
    struct CMUnitTest *tests;
    size_t count;
};

/* Neither `name` nor `state` is copied. */
void suite_add(struct suite *suite, const char *name, CMUnitTestFunction function, void *state);

/* Adds a test that is skipped, for missing files. Its state is NULL. */
void suite_add_skipped(struct suite *suite, const char *name);

/* Runs all tests, and returns how many failed. */
int suite_run(const struct suite *suite, const char *name);

/* Frees the suite, and with `free_state` each state that is not NULL. */
void suite_free(struct suite *suite, void (*free_state)(void *state));

#endif
