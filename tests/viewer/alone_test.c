/* SPDX-License-Identifier: BSD-3-Clause */
/* What the headers of libgotrace-viewer include is in that library: this program links no other. */
#include <stdio.h>

#include <gotrace/viewer_json.h>

#include "support/test.h"

static void test_status_has_a_text(void **state)
{
    (void) state;
    assert_string_equal(gt_status_text(GT_ERR_INVALID_ARGUMENT), "invalid argument");
    assert_string_equal(gt_status_text(12345), "unknown status");
}

static void test_error_is_formatted(void **state)
{
    gt_error error = GT_ERROR_INIT;
    char text[GT_ERROR_TEXT_SIZE];
    (void) state;
    snprintf(error.message, sizeof(error.message), "something");
    error.offset = 7;
    assert_int_equal(gt_error_format(&error, text, sizeof(text)), 20);
    assert_string_equal(text, "something (offset 7)");
}

static void test_version_is_that_of_the_headers(void **state)
{
    char text[32];
    (void) state;
    assert_int_equal(gt_library_version(), GT_VERSION);
    snprintf(text, sizeof(text), "%d.%d.%d", GT_VERSION_MAJOR, GT_VERSION_MINOR, GT_VERSION_PATCH);
    assert_string_equal(gt_library_version_text(), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status_has_a_text),
        cmocka_unit_test(test_error_is_formatted),
        cmocka_unit_test(test_version_is_that_of_the_headers),
    };
    return cmocka_run_group_tests_name("alone", tests, NULL, NULL);
}
