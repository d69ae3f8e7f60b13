/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Traces in Go's raw text form, each with the verdict that it must get: one
 * test a file.
 */

#include <stdio.h>
#include <stdlib.h>

#include "support/digest.h"
#include "support/files.h"
#include "support/test.h"
#include "support/text.h"

static void test_verdict(void **state)
{
    struct text_case text_case;
    struct wire wire = {0};
    struct digest digest;
    size_t size;
    char *text = (char *) files_read(*state, &size);

    assert_int_equal(text_parse_case(&text_case, text, size), 0);
    assert_int_equal(text_encode(&wire, text_case.trace, text_case.trace_size), 0);
    digest_memory(&digest, wire.data, wire.size, NULL);
    if (text_case.success)
        assert_status(digest.status, GT_END);
    else
        assert_true(digest.status < 0);
    digest_free(&digest);
    wire_free(&wire);
    free(text);
}

static void test_no_corpus(void **state)
{
    (void) state;
    skip();
}

/* Makes the tests of a directory; their states are the paths. */
static struct CMUnitTest *list_tests(const char *parent, struct CMUnitTest *tests, size_t *count)
{
    char *directory = files_join(parent, "text"), *path;
    struct file_list list = {NULL, 0};
    size_t i;

    files_list(&list, directory, "", ".test");
    tests = realloc(tests, (*count + list.count + 1) * sizeof(*tests));
    assert_non_null(tests);
    for (i = 0; i < list.count; i++) {
        path = files_join(directory, list.names[i]);
        tests[(*count)++] = (struct CMUnitTest){path, test_verdict, NULL, NULL, path};
    }
    files_list_free(&list);
    free(directory);
    return tests;
}

int main(void)
{
    struct CMUnitTest *tests = NULL;
    size_t count = 0, i;
    int failures;

    tests = list_tests(files_testdata(), tests, &count);
    if (count == 0) {
        fprintf(stderr, "no tests in %s/text\n", files_testdata());
        return 1;
    }
    if (files_corpus())
        tests = list_tests(files_corpus(), tests, &count);
    else
        tests[count++] = (struct CMUnitTest){"corpus", test_no_corpus, NULL, NULL, NULL};
    failures = _cmocka_run_group_tests("text", tests, count, NULL, NULL);
    for (i = 0; i < count; i++)
        free(tests[i].initial_state);
    free(tests);
    return failures;
}
