/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of Parquet through the public header: wrong calls, limits, and writing that is ended. */
#include <string.h>

#include <gotrace/parquet.h>

#include "support/probe.h"
#include "support/test.h"

enum {
    FILE_ROWS = 100
};

struct written {
    size_t size;
    size_t calls;
    size_t refuse_at; /* the number of the call that is refused, from 1; 0: none */
    char end[4];      /* the last bytes */
};

static int file_write(void *user_data, const void *data, size_t size)
{
    struct written *written = user_data;
    written->size += size;
    if (size >= sizeof(written->end))
        memcpy(written->end, (const char *) data + size - sizeof(written->end),
               sizeof(written->end));
    return ++written->calls == written->refuse_at;
}

/* Rows of the table of generations, with the same text in each. */
struct rows {
    int64_t zeros[FILE_ROWS];
    int64_t numbers[FILE_ROWS];
    gt_string text;
    gt_batch_column columns[4];
    gt_batch batch;
};

static void rows_make(struct rows *rows)
{
    memset(rows, 0, sizeof(*rows));
    for (int i = 0; i < FILE_ROWS; i++)
        rows->numbers[i] = i * 1000;
    rows->text = (gt_string){"trace", 5};
    rows->columns[0].values = rows->zeros;
    rows->columns[1].values = rows->columns[2].values = rows->numbers;
    rows->batch = (gt_batch) GT_BATCH_INIT;
    rows->batch.table = GT_TABLE_GENERATIONS;
    rows->batch.column_count = 4;
    rows->batch.rows = FILE_ROWS;
    rows->batch.columns = rows->columns;
    rows->batch.texts = &rows->text;
    rows->batch.text_count = 1;
}

/* Writes a file of two batches. Returns the first failure. */
static gt_status file_make(const gt_parquet_options *options, struct written *written)
{
    struct rows rows;
    gt_parquet *parquet;
    rows_make(&rows);
    gt_status status =
        gt_parquet_open(&parquet, GT_TABLE_GENERATIONS, file_write, written, options, NULL);
    if (status != GT_OK) {
        assert_null(parquet);
        return status;
    }
    gt_status first = gt_parquet_batch(parquet, &rows.batch);
    gt_status second = gt_parquet_batch(parquet, &rows.batch);
    gt_status last = gt_parquet_finish(parquet);
    if (first != GT_OK)
        assert_status(second, first);
    if (second != GT_OK)
        assert_status(last, second);
    gt_parquet_close(&parquet);
    assert_null(parquet);
    return last;
}

static void test_a_file_ends_as_it_must(void **state)
{
    (void) state;
    struct written packed = {.calls = 0}, plain = {.calls = 0};
    gt_parquet_options options = GT_PARQUET_OPTIONS_INIT;
    assert_status(file_make(NULL, &packed), GT_OK);
    options.flags = GT_PARQUET_PLAIN;
    assert_status(file_make(&options, &plain), GT_OK);
    assert_memory_equal(packed.end, "PAR1", 4);
    assert_memory_equal(plain.end, "PAR1", 4);
    assert_true(packed.size < plain.size);
}

static void test_wrong_calls_are_refused(void **state)
{
    (void) state;
    struct written written = {.calls = 0};
    struct rows rows;
    gt_error error = GT_ERROR_INIT;
    gt_parquet *parquet;
    rows_make(&rows);
    assert_status(gt_parquet_open(&parquet, 0, NULL, NULL, NULL, &error), GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "write is NULL");
    assert_status(gt_parquet_open(&parquet, 1000, file_write, NULL, NULL, &error),
                  GT_ERR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "there is no such table");
    assert_status(gt_parquet_open(&parquet, 1, file_write, &written, NULL, NULL), GT_OK);
    assert_status(gt_parquet_batch(NULL, &rows.batch), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_parquet_batch(parquet, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_parquet_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    rows.batch.size = 1;
    assert_status(gt_parquet_batch(parquet, &rows.batch), GT_ERR_INVALID_ARGUMENT);
    rows.batch.size = sizeof(rows.batch);
    rows.batch.table = GT_TABLE_TRACES;
    assert_status(gt_parquet_batch(parquet, &rows.batch), GT_ERR_INVALID_ARGUMENT);
    rows.batch.table = GT_TABLE_GENERATIONS;
    rows.batch.column_count--;
    assert_status(gt_parquet_batch(parquet, &rows.batch), GT_ERR_INVALID_ARGUMENT);
    rows.batch.column_count++;
    rows.batch.rows = 262145;
    assert_status(gt_parquet_batch(parquet, &rows.batch), GT_ERR_INVALID_ARGUMENT);
    rows.batch.rows = 0;
    assert_status(gt_parquet_batch(parquet, &rows.batch), GT_OK);
    assert_status(gt_parquet_finish(parquet), GT_OK);
    size_t size = written.size;
    assert_status(gt_parquet_finish(parquet), GT_OK);
    assert_int_equal(written.size, size);
    assert_status(gt_parquet_batch(parquet, &rows.batch), GT_ERR_INVALID_ARGUMENT);
    gt_parquet_close(&parquet);
    gt_parquet_close(&parquet);
    gt_parquet_close(NULL);
}

static void test_lack_of_memory_and_limits_are_told(void **state)
{
    (void) state;
    struct written written = {.calls = 0};
    gt_parquet_options options = GT_PARQUET_OPTIONS_INIT;
    struct probe probe;
    uint64_t at = 0;
    do {
        probe_init(&probe);
        probe.fail_at = ++at;
        options.allocator = &probe.allocator;
        gt_status made = file_make(&options, &written);
        assert_status(made, probe.failed != 0 ? GT_ERR_NO_MEMORY : GT_OK);
        probe_check(&probe);
    } while (probe.failed != 0);
    assert_true(at > 10);
    options.allocator = NULL;
    gt_status status = GT_ERR_LIMIT;
    for (options.memory_limit = 1 << 10; status != GT_OK; options.memory_limit *= 2) {
        status = file_make(&options, &written);
        assert_true(status == GT_OK || status == GT_ERR_LIMIT);
    }
    assert_true(options.memory_limit > 1 << 16);
}

static void test_writing_that_is_ended_is_told(void **state)
{
    (void) state;
    struct written written = {.refuse_at = 1};
    gt_status status;
    do {
        written.calls = 0;
        status = file_make(NULL, &written);
        assert_true(status == GT_OK || status == GT_ERR_CALLBACK);
        if (status != GT_OK)
            assert_int_equal(written.calls, written.refuse_at);
        written.refuse_at++;
    } while (status != GT_OK);
    assert_true(written.refuse_at > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_file_ends_as_it_must),
        cmocka_unit_test(test_wrong_calls_are_refused),
        cmocka_unit_test(test_lack_of_memory_and_limits_are_told),
        cmocka_unit_test(test_writing_that_is_ended_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
