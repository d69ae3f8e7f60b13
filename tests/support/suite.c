/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/suite.h"

#include <stdlib.h>

static void test_skipped(void **state)
{
    (void) state;
    skip();
}

void suite_add(struct suite *suite, const char *name, CMUnitTestFunction function, void *state)
{
    suite->tests = realloc(suite->tests, (suite->count + 1) * sizeof(*suite->tests));
    assert_non_null(suite->tests);
    suite->tests[suite->count++] = (struct CMUnitTest){name, function, NULL, NULL, state};
}

void suite_add_skipped(struct suite *suite, const char *name)
{
    suite_add(suite, name, test_skipped, NULL);
}

int suite_run(const struct suite *suite, const char *name)
{
    return _cmocka_run_group_tests(name, suite->tests, suite->count, NULL, NULL);
}

void suite_free(struct suite *suite, void (*free_state)(void *state))
{
    for (size_t i = 0; i < suite->count; i++) {
        if (suite->tests[i].initial_state)
            free_state(suite->tests[i].initial_state);
    }
    free(suite->tests);
    suite->tests = NULL;
    suite->count = 0;
}
