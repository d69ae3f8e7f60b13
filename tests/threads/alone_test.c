/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A library that was built with -Dthreads=disabled: what would start a thread works in that of the
 * caller, as its header says, or is refused with a message that names the flag.
 */

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"
#include "view/web_client.h"

/* More than the reader decodes before it would start a thread. */
static const char *const large = "v2/go1.27-gcgens.trace";

static void assert_no_thread_was_started(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return;
    for (const struct dirent *entry; (entry = readdir(tasks));)
        count += entry->d_name[0] != '.';
    closedir(tasks);
    assert_int_equal(count, 1);
}

static uint64_t count_events(uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    const gt_event *event;
    gt_status status;
    uint64_t count = 0;
    char *path = web_trace_path(large);
    options.flags = flags;
    assert_status(gt_reader_open_file(&reader, path, &options, NULL), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        count++;
    assert_status(status, GT_END);
    assert_no_thread_was_started();
    gt_reader_close(&reader);
    free(path);
    return count;
}

static void test_reading_ahead_reads_in_the_thread_of_the_caller(void **state)
{
    (void) state;
    assert_int_equal(count_events(GT_READER_AHEAD), count_events(0));
}

static void test_a_viewer_with_threads_is_refused_by_name_of_the_flag(void **state)
{
    (void) state;
    gt_error error = GT_ERROR_INIT;
    gt_web *web;
    char *path = web_trace_path(large);
    assert_status(gt_web_open_file(&web, path, NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_null(web);
    assert_non_null(strstr(error.message, "GT_WEB_NO_THREADS"));
    assert_non_null(strstr(error.message, "without threads"));
    free(path);
}

static void test_a_viewer_answers_in_the_thread_of_the_caller(void **state)
{
    (void) state;
    gt_web *web = web_open_without_threads(large);
    web_load_in_steps(web);
    static const char *const targets[] = {
        "/api/trace",
        "/api/rows?view=proc",
        "/api/minimap",
        "/api/search?q=runtime",
    };
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        struct web_reply reply = web_get(web, targets[i]);
        assert_true(reply.size > 0);
        web_reply_free(&reply);
    }
    assert_no_thread_was_started();
    gt_web_close(&web);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading_ahead_reads_in_the_thread_of_the_caller),
        cmocka_unit_test(test_a_viewer_with_threads_is_refused_by_name_of_the_flag),
        cmocka_unit_test(test_a_viewer_answers_in_the_thread_of_the_caller),
    };
    return cmocka_run_group_tests_name("alone", tests, NULL, NULL);
}
