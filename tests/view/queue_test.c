/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests that the queue hands over exactly the operations that were put, in batches of any size. */

#include "store/queue.h"

#include "support/test.h"
#include "view/memory.h"

static void put(struct gt_queue *queue, int64_t from, int64_t count)
{
    for (int64_t i = from; i < from + count; i++) {
        const struct gt_op op = {.kind = GT_OP_SAMPLE, .row = i};
        assert_true(gt_queue_put(queue, &op));
    }
}

static void assert_next(struct gt_queue *queue, int64_t from, size_t expected)
{
    size_t count = 0;
    const struct gt_op *batch = gt_queue_next(queue, &count);
    assert_non_null(batch);
    assert_int_equal(count, expected);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(batch[i].row, from + (int64_t) i);
    gt_queue_done(queue);
}

/* A flushed batch may be followed by others before anything is applied. */
static void test_batches_have_what_was_flushed(void **state)
{
    struct gt_mem mem;
    struct gt_queue queue;
    size_t count;
    (void) state;
    gt_mem_init(&mem, NULL, 0);
    assert_true(gt_queue_init(&queue, &mem));
    for (int round = 0; round < 2 * GT_QUEUE_BATCHES; round++) {
        put(&queue, 0, 10);
        assert_true(gt_queue_flush(&queue));
        assert_true(gt_queue_flush(&queue));
        put(&queue, 10, 5);
        assert_true(gt_queue_flush(&queue));
        put(&queue, 15, GT_QUEUE_BATCH + 3);
        assert_next(&queue, 0, 10);
        assert_next(&queue, 10, 5);
        assert_next(&queue, 15, GT_QUEUE_BATCH);
        assert_true(gt_queue_flush(&queue));
        assert_next(&queue, 15 + GT_QUEUE_BATCH, 3);
    }
    put(&queue, 1, 2);
    gt_queue_close(&queue);
    assert_next(&queue, 1, 2);
    assert_null(gt_queue_next(&queue, &count));
    gt_queue_destroy(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_have_what_was_flushed),
    };

    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
