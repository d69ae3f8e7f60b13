/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables without memory, tables that nobody takes, and several traces after each other. */
#include <string.h>

#include "columns/columns.h"
#include "support/crowd.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"

enum {
    CALLS_ALL = (1 << GT_TABLE_COUNT) - 1,
    /* With so many there are more rows than a table has room for at first. */
    CALLS_CROWD = 300
};

/* The rows that were taken. */
struct taken {
    size_t rows[GT_TABLE_COUNT];
    size_t calls;
    size_t refuse_at; /* the number of the call that returns false, from 1; 0: none */
};

static bool calls_take(void *user_data, enum gt_table_id table, const struct gt_pq_group *group)
{
    struct taken *taken = user_data;
    taken->rows[table] += group->rows;
    for (size_t i = 0; i < gt_table_list[table].schema.count; i++) {
        const struct gt_pq_column *column = &gt_table_list[table].schema.columns[i];
        assert_true(column->optional || (group->columns[i].values && !group->columns[i].valid));
        for (size_t row = 0;
             column->kind == GT_PQ_STRING && group->columns[i].values && row < group->rows; row++)
            assert_in_range(group->columns[i].values[row], 0, group->text_count - 1);
    }
    return ++taken->calls != taken->refuse_at;
}

/* Passes a trace on. Returns the first failure. */
static gt_status calls_read(struct gt_columns *columns, const struct wire *wire, const char *id)
{
    const struct gt_trace_about about = {
        .file = {"f\xff", 2}, .host = {"h", 1}, .meta = {"{}", 2}, .error = {"", 0}};
    const gt_event *event;
    gt_reader *reader;
    gt_status reading;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    gt_status status = gt_columns_begin(columns, reader, (gt_string){id, strlen(id)});
    while (status == GT_OK && (reading = gt_reader_next_event(reader, &event)) == GT_OK)
        status = gt_columns_event(columns, event);
    gt_status end = gt_columns_end(columns, &about);
    if (status != GT_OK)
        assert_status(end, status);
    gt_reader_close(&reader);
    return end;
}

/* Makes the tables of two traces. Returns the first failure. */
static gt_status calls_run(uint32_t tables, const gt_allocator *allocator, struct taken *taken,
                           const struct wire *wires)
{
    *taken = (struct taken){.refuse_at = taken->refuse_at};
    struct gt_columns *columns = gt_columns_open(tables, allocator, calls_take, taken);
    if (!columns)
        return GT_ERR_NO_MEMORY;
    gt_status first = calls_read(columns, &wires[0], "first");
    gt_status second = calls_read(columns, &wires[1], "second");
    gt_status last = gt_columns_flush(columns);
    if (first != GT_OK)
        assert_status(second, first);
    if (second != GT_OK)
        assert_status(last, second);
    gt_columns_close(columns);
    return last;
}

struct calls {
    struct gen crowd;
    struct wire wires[2];
};

static int calls_setup(void **state)
{
    static struct calls calls;
    crowd_write(&calls.crowd, CALLS_CROWD);
    calls.wires[0] = calls.crowd.wire;
    sample_trace(&calls.wires[1], 26, 2, 40);
    *state = &calls;
    return 0;
}

static int calls_teardown(void **state)
{
    struct calls *calls = *state;
    gen_free(&calls->crowd);
    wire_free(&calls->wires[1]);
    return 0;
}

static void test_every_table_has_rows(void **state)
{
    const struct calls *calls = *state;
    struct taken taken = {.calls = 0};
    assert_status(calls_run(CALLS_ALL, NULL, &taken, calls->wires), GT_OK);
    for (int i = 0; i < GT_TABLE_COUNT; i++)
        assert_true(taken.rows[i] > 0);
    assert_int_equal(taken.rows[GT_TABLE_IN_TRACES], 2);
}

static void test_a_table_has_the_same_rows_alone(void **state)
{
    const struct calls *calls = *state;
    struct taken all = {.calls = 0}, one = {.calls = 0};
    assert_status(calls_run(CALLS_ALL, NULL, &all, calls->wires), GT_OK);
    for (uint32_t i = 0; i < GT_TABLE_COUNT; i++) {
        assert_status(calls_run(UINT32_C(1) << i, NULL, &one, calls->wires), GT_OK);
        /* Stacks are those that other tables name. */
        if (i != GT_TABLE_IN_STACKS && i != GT_TABLE_IN_FRAMES)
            assert_int_equal(one.rows[i], all.rows[i]);
    }
}

static void test_lack_of_memory_is_told_and_remains(void **state)
{
    const struct calls *calls = *state;
    struct taken taken = {.calls = 0};
    for (int fail_on = 0; fail_on <= 1; fail_on++) {
        struct probe probe;
        uint64_t at = 0;
        do {
            probe_init(&probe);
            probe.fail_at = ++at;
            probe.fail_on = fail_on;
            gt_status status = calls_run(CALLS_ALL, &probe.allocator, &taken, calls->wires);
            assert_status(status, probe.failed != 0 ? GT_ERR_NO_MEMORY : GT_OK);
            probe_check(&probe);
        } while (probe.failed != 0);
        assert_true(at > 100);
    }
}

static void test_rows_that_are_refused_end_the_tables(void **state)
{
    const struct calls *calls = *state;
    struct taken taken = {.refuse_at = 1};
    gt_status status;
    do {
        status = calls_run(CALLS_ALL, NULL, &taken, calls->wires);
        if (status != GT_OK) {
            assert_status(status, GT_ERR_CALLBACK);
            assert_int_equal(taken.calls, taken.refuse_at);
        }
        taken.refuse_at++;
    } while (status != GT_OK);
    assert_true(taken.refuse_at > GT_TABLE_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_table_has_rows),
        cmocka_unit_test(test_a_table_has_the_same_rows_alone),
        cmocka_unit_test(test_lack_of_memory_is_told_and_remains),
        cmocka_unit_test(test_rows_that_are_refused_end_the_tables),
    };
    return cmocka_run_group_tests(tests, calls_setup, calls_teardown);
}
