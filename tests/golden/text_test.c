/* SPDX-License-Identifier: BSD-3-Clause */

/* Traces in Go's raw text form, with the verdict that each must get. Each file is a test. */

#include <stdio.h>
#include <stdlib.h>

#include "support/digest.h"
#include "support/files.h"
#include "support/suite.h"
#include "support/test.h"
#include "support/text.h"

static void test_trace_gets_its_verdict(void **state)
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

/* Adds the tests of a directory, whose states are the paths. Returns how many there are. */
static size_t add_tests(struct suite *suite, const char *parent)
{
    char *directory = files_join(parent, "text"), *path;
    struct file_list list = {NULL, 0};
    size_t count;

    files_list(&list, directory, "", ".test");
    for (size_t i = 0; i < list.count; i++) {
        path = files_join(directory, list.names[i]);
        suite_add(suite, path, test_trace_gets_its_verdict, path);
    }
    count = list.count;
    files_list_free(&list);
    free(directory);
    return count;
}

int main(void)
{
    struct suite suite = {NULL, 0};
    int failures;

    if (add_tests(&suite, files_testdata()) == 0) {
        fprintf(stderr, "no tests in %s/text\n", files_testdata());
        return 1;
    }
    if (files_corpus())
        add_tests(&suite, files_corpus());
    else
        suite_add_skipped(&suite, "traces in $GT_CORPUS");
    failures = suite_run(&suite, "text");
    suite_free(&suite, free);
    return failures;
}
