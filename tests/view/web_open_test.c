/* SPDX-License-Identifier: BSD-3-Clause */
/* Which arguments libgotrace-web refuses when it opens a trace, and how it says so. */
#include <stdlib.h>
#include <string.h>

#include <gotrace/web.h>

#include "support/test.h"

#include "view/web_client.h"

static void test_wrong_arguments_are_refused(void **state)
{
    static const char bytes[] = "no trace at all, but long enough";
    gt_web *web;
    gt_error error = GT_ERROR_INIT;
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    (void) state;
    assert_status(gt_web_open_file(NULL, "x", NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_web_open_file(&web, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_null(web);
    assert_status(gt_web_open_fd(&web, -1, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_web_open_memory(&web, NULL, 1, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_web_open_callback(&web, NULL, NULL, 0, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    options.flags = 1u << 20;
    assert_status(gt_web_open_memory(&web, bytes, sizeof(bytes), &options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    options.flags = 0;
    options.size = 8;
    assert_status(gt_web_open_memory(&web, bytes, sizeof(bytes), &options, &error),
                  GT_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "options.size is 8, less than "));
    assert_status(gt_web_open_memory(&web, bytes, sizeof(bytes), NULL, &error), GT_ERR_NOT_A_TRACE);
    assert_null(web);
    assert_int_equal(error.status, GT_ERR_NOT_A_TRACE);
    assert_status(gt_web_open_memory(&web, NULL, 0, NULL, NULL), GT_ERR_NOT_A_TRACE);
    assert_status(gt_web_open_file(&web, "/nowhere/at all", NULL, &error), GT_ERR_IO);
    assert_string_equal(error.message, "cannot open the file: No such file or directory");
    options = (gt_web_options) GT_WEB_OPTIONS_INIT;
    options.reader_flags = UINT64_C(1) << 40;
    char *path = web_trace_path("v2/go1.27-tasks.trace");
    assert_status(gt_web_open_file(&web, path, &options, NULL), GT_ERR_INVALID_ARGUMENT);
    free(path);
    gt_web_close(NULL);
    gt_web_close(&web);
}

static void refuse(const gt_web_options *options, const char *text)
{
    gt_error error = GT_ERROR_INIT;
    gt_web *web;
    assert_status(gt_web_open_memory(&web, "go 1.22 trace\0\0\0", 16, options, &error),
                  GT_ERR_INVALID_ARGUMENT);
    assert_null(web);
    assert_status(error.status, GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, text);
}

#define REFUSE(member, value, text)                                                                \
    do {                                                                                           \
        gt_web_options options = GT_WEB_OPTIONS_INIT;                                              \
        options.member = (value);                                                                  \
        refuse(&options, (text));                                                                  \
    } while (0)

static void test_error_names_the_argument_or_member_that_is_refused(void **state)
{
    const gt_allocator lacking = {.size = sizeof(lacking)};
    gt_error error = GT_ERROR_INIT;
    gt_web *web;
    (void) state;
    REFUSE(flags, UINT64_C(0x500), "options.flags has unknown bits 0x500");
    REFUSE(reader_flags, UINT64_C(1) << 40, "options.reader_flags has unknown bits");
    REFUSE(allocator, &lacking, "options.allocator->allocate is NULL");
    REFUSE(frame_ancestors, "a;b", "options.frame_ancestors is not a list of sources");
    REFUSE(source_url, "javascript:{file}",
           "options.source_url is not a pattern of URLs with a known scheme");
    REFUSE(traces_url, "//evil", "options.traces_url is not an address on this site");
    REFUSE(comparison_url, "https://a/b", "options.comparison_url is not an address on this site");
    REFUSE(comparison_url, "//evil", "options.comparison_url is not an address on this site");
    REFUSE(perfetto_url, "javascript://x", "options.perfetto_url is not the address of a page");
    REFUSE(perfetto_url, "https://", "options.perfetto_url is not the address of a page");
    REFUSE(perfetto_url, "https://a b", "options.perfetto_url is not the address of a page");
    assert_status(gt_web_open_file(NULL, "x", NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "web is NULL");
    assert_status(gt_web_open_file(&web, NULL, NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "path is NULL");
    assert_status(gt_web_open_fd(&web, -1, NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "fd is negative");
    assert_status(gt_web_open_memory(&web, NULL, 1, NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "data is NULL");
    assert_status(gt_web_open_callback(&web, NULL, NULL, 0, NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "open is NULL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_arguments_are_refused),
        cmocka_unit_test(test_error_names_the_argument_or_member_that_is_refused),
    };

    return cmocka_run_group_tests_name("web", tests, NULL, NULL);
}
