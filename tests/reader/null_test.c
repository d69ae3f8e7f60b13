/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * NULL where the headers say that it may be NULL. Here, unlike in the other tests, the compiler
 * warns of a NULL that it may not be.
 */
#undef GT_NONNULL

#include <stdlib.h>

#include <gotrace/format.h>

#include "support/files.h"
#include "support/test.h"

static void test_copies_need_no_reader(void **state)
{
    char *path = files_join(files_testdata(), "v2/go1.27-mix.trace");
    gt_reader *reader = NULL;
    const gt_event *event;
    gt_event *copy = NULL;
    const gt_frame *frames;
    size_t size, count;
    (void) state;
    assert_status(gt_reader_open_file(&reader, path, NULL, NULL), GT_OK);
    do
        assert_status(gt_reader_next_event(reader, &event), GT_OK);
    while (gt_event_stack(event) == GT_STACK_NONE);
    assert_status(gt_event_copy(reader, event, NULL, &copy), GT_OK);
    gt_reader_close(&reader);
    assert_status(gt_event_format(NULL, copy, NULL, 0, &size), GT_OK);
    assert_true(size > 0);
    assert_status(gt_event_frames(NULL, copy, gt_event_stack(copy), &frames, &count), GT_OK);
    assert_true(count > 0);
    gt_event_free(&copy);
    free(path);
}

static void test_closing_nothing_does_nothing(void **state)
{
    gt_reader *reader = NULL;
    gt_formatter *formatter = NULL;
    gt_event *copy = NULL;
    (void) state;
    gt_reader_close(&reader);
    gt_reader_close(NULL);
    gt_formatter_close(&formatter);
    gt_formatter_close(NULL);
    gt_event_free(&copy);
    gt_event_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies_need_no_reader),
        cmocka_unit_test(test_closing_nothing_does_nothing),
    };
    return cmocka_run_group_tests_name("null", tests, NULL, NULL);
}
