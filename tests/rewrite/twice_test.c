/* SPDX-License-Identifier: BSD-3-Clause */

/* Events that are passed a second time to a writer or a downgrader: it refuses them, and goes on.
 */

#include <stdlib.h>

#include "rewrite/copy.h"
#include "rewrite/lowered.h"
#include "support/files.h"
#include "support/test.h"

struct input {
    uint8_t *data;
    size_t size;
};

static gt_reader *input_open(const struct input *input)
{
    gt_reader *reader;
    assert_status(gt_reader_open_memory(&reader, input->data, input->size, NULL, NULL), GT_OK);
    return reader;
}

static void expect_same(const struct output *a, const struct output *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

/* A writer whose events `pass` passes makes the same of the trace as one that gets each once. */
static void expect_same_copy(const struct input *input, void (*pass)(gt_reader *, gt_writer *))
{
    struct copy once;
    struct output twice = {0};
    gt_reader *reader = input_open(input);
    gt_writer *writer;
    copy_init(&once);
    copy_make(&once, input->data, input->size);
    copy_expect_good(&once);
    assert_status(gt_writer_open(&writer, reader, output_write, &twice, NULL, NULL), GT_OK);
    pass(reader, writer);
    assert_status(gt_writer_finish(writer), GT_OK);
    expect_same(&once.out, &twice);
    gt_writer_close(&writer);
    gt_reader_close(&reader);
    output_free(&twice);
    copy_free(&once);
}

static void pass_twice(gt_reader *reader, gt_writer *writer)
{
    const gt_event *event;
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        assert_status(gt_writer_event(writer, event), GT_OK);
        assert_status(gt_writer_event(writer, event), GT_ERR_INVALID_ARGUMENT);
        assert_status(gt_writer_skip(writer, event), GT_ERR_INVALID_ARGUMENT);
    }
}

static void test_writer_takes_each_event_once(void **state)
{
    expect_same_copy(*state, pass_twice);
}

/* All events of a batch are current ones, but each has its turn. */
static void pass_batches_twice(gt_reader *reader, gt_writer *writer)
{
    const gt_event *const *events;
    size_t count;
    while (gt_reader_next_events(reader, &events, &count) == GT_OK) {
        for (size_t i = 0; i < count; i++) {
            assert_status(gt_writer_event(writer, events[i]), GT_OK);
            assert_status(gt_writer_event(writer, events[i / 2]), GT_ERR_INVALID_ARGUMENT);
        }
    }
}

static void test_writer_takes_the_events_of_a_batch_in_their_order(void **state)
{
    expect_same_copy(*state, pass_batches_twice);
}

static void test_downgrader_takes_each_event_once(void **state)
{
    const struct input *input = *state;
    struct lowered once;
    struct output twice = {0};
    gt_reader *reader = input_open(input);
    const gt_event *event;
    gt_downgrader *downgrader;
    lowered_init(&once);
    lowered_make(&once, input->data, input->size);
    lowered_expect_good(&once);
    assert_status(gt_downgrader_open(&downgrader, reader, output_write, &twice, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        assert_status(gt_downgrader_event(downgrader, event), GT_OK);
        assert_status(gt_downgrader_event(downgrader, event), GT_ERR_INVALID_ARGUMENT);
    }
    assert_status(gt_downgrader_finish(downgrader), GT_OK);
    expect_same(&once.out, &twice);
    gt_downgrader_close(&downgrader);
    gt_reader_close(&reader);
    output_free(&twice);
    lowered_free(&once);
}

static int read_input(void **state)
{
    static struct input input;
    char *path = files_join(files_testdata(), "v2/go1.26-tasks.trace");
    input.data = files_read(path, &input.size);
    free(path);
    *state = &input;
    return 0;
}

static int free_input(void **state)
{
    struct input *input = *state;
    free(input->data);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writer_takes_each_event_once),
        cmocka_unit_test(test_writer_takes_the_events_of_a_batch_in_their_order),
        cmocka_unit_test(test_downgrader_takes_each_event_once),
    };
    return cmocka_run_group_tests(tests, read_input, free_input);
}
