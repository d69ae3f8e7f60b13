/* SPDX-License-Identifier: BSD-3-Clause */
/* A writer of Parquet whose memory or output ends, and files that are the same each time. */
#include <string.h>

#include "parquet/crc.h"
#include "parquet/parquet.h"
#include "support/probe.h"
#include "support/test.h"

enum {
    CALLS_ROWS = 600,
    CALLS_FILE_MAX = 64 << 10
};

/* What was written. */
struct written {
    uint8_t data[CALLS_FILE_MAX];
    size_t size;
    unsigned calls;
    unsigned fail_at; /* the number of the call that fails, from 1; 0: none */
};

static const struct gt_pq_column calls_columns[] = {
    {"number", GT_PQ_INT64, false, false}, {"few", GT_PQ_INT32, true, false},
    {"text", GT_PQ_STRING, true, false},   {"is", GT_PQ_BOOLEAN, false, false},
    {"at", GT_PQ_TIMESTAMP, true, true},
};
static const struct gt_pq_schema calls_schema = {
    calls_columns, sizeof(calls_columns) / sizeof(*calls_columns), "key", "value"};

static int calls_write(void *user_data, const void *data, size_t size)
{
    struct written *written = user_data;
    if (++written->calls == written->fail_at)
        return 1;
    assert_true(sizeof(written->data) - written->size >= size);
    memcpy(written->data + written->size, data, size);
    written->size += size;
    return 0;
}

/* Writes two row groups. Returns the first failure. */
static gt_status calls_run(const gt_allocator *allocator, struct written *written)
{
    static const gt_string texts[] = {{"one", 3}, {"two", 3}, {"three", 5}};
    int64_t numbers[CALLS_ROWS], few[CALLS_ROWS];
    uint8_t valid[CALLS_ROWS];
    uint64_t random = 1;
    for (size_t i = 0; i < CALLS_ROWS; i++) {
        numbers[i] = (int64_t) (test_random(&random) >> 1);
        few[i] = (int64_t) (i % 3);
        valid[i] = i % 5 != 0;
    }
    const struct gt_pq_values values[] = {
        {numbers, NULL}, {few, valid}, {few, NULL}, {few, NULL}, {NULL, NULL}};
    const struct gt_pq_group group = {
        .rows = CALLS_ROWS, .columns = values, .texts = texts, .text_count = 3};
    struct gt_pq_writer *writer = gt_pq_open(&calls_schema, false, allocator, calls_write, written);
    if (!writer)
        return GT_ERR_NO_MEMORY;
    gt_status first = gt_pq_write(writer, &group);
    gt_status second = gt_pq_write(writer, &group);
    gt_status last = gt_pq_finish(writer);
    gt_pq_close(writer);
    if (first != GT_OK)
        assert_status(second, first);
    if (second != GT_OK)
        assert_status(last, second);
    return last;
}

static void test_files_are_the_same_each_time(void **state)
{
    static struct written a, b;
    (void) state;
    assert_status(calls_run(NULL, &a), GT_OK);
    assert_status(calls_run(NULL, &b), GT_OK);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
}

static void test_lack_of_memory_is_told_and_remains(void **state)
{
    static struct written written;
    struct probe probe;
    (void) state;
    uint64_t at = 0;
    do {
        probe_init(&probe);
        probe.fail_at = ++at;
        written.size = 0;
        gt_status status = calls_run(&probe.allocator, &written);
        assert_status(status, probe.failed != 0 ? GT_ERR_NO_MEMORY : GT_OK);
        probe_check(&probe);
    } while (probe.failed != 0);
    assert_true(at > 8);
}

static void test_nothing_is_written_after_the_output_has_failed(void **state)
{
    static struct written written;
    (void) state;
    unsigned calls;
    written.fail_at = 0;
    assert_status(calls_run(NULL, &written), GT_OK);
    calls = written.calls;
    for (unsigned at = 1; at <= calls; at++) {
        written.size = written.calls = 0;
        written.fail_at = at;
        assert_status(calls_run(NULL, &written), GT_ERR_CALLBACK);
        assert_int_equal(written.calls, at);
    }
}

static void test_a_file_without_rows_has_its_columns(void **state)
{
    static struct written written;
    const struct gt_pq_group none = {.rows = 0};
    (void) state;
    struct gt_pq_writer *writer = gt_pq_open(&calls_schema, false, NULL, calls_write, &written);
    assert_non_null(writer);
    assert_status(gt_pq_write(writer, &none), GT_OK);
    assert_status(gt_pq_finish(writer), GT_OK);
    gt_pq_close(writer);
    gt_pq_close(NULL);
    assert_true(written.size > 12);
    assert_memory_equal(written.data, "PAR1", 4);
    assert_memory_equal(written.data + written.size - 4, "PAR1", 4);
}

static void test_crc_is_that_of_gzip(void **state)
{
    struct gt_crc crc;
    (void) state;
    gt_crc_init(&crc);
    assert_int_equal(gt_crc(&crc, (const uint8_t *) "123456789", 9), 0xcbf43926);
    assert_int_equal(gt_crc(&crc, NULL, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_are_the_same_each_time),
        cmocka_unit_test(test_lack_of_memory_is_told_and_remains),
        cmocka_unit_test(test_nothing_is_written_after_the_output_has_failed),
        cmocka_unit_test(test_a_file_without_rows_has_its_columns),
        cmocka_unit_test(test_crc_is_that_of_gzip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
