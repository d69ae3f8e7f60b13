/* SPDX-License-Identifier: BSD-3-Clause */

/* Ids that no Go program has: those of different things remain different in the tables. */
#include <string.h>

#include <gotrace/columns.h>

#include "support/gen_events.h"
#include "support/test.h"

#define TWO_TO_31 (UINT64_C(1) << 31)
#define TWO_TO_63 (UINT64_C(1) << 63)

enum {
    MOST = 16
};

/* The different values that a column has, in the order of their appearance. */
struct values {
    uint32_t table;
    const char *column;
    int64_t list[MOST];
    size_t count;
};

static void values_add(struct values *values, int64_t value)
{
    for (size_t i = 0; i < values->count; i++)
        if (values->list[i] == value)
            return;
    assert_true(values->count < MOST);
    values->list[values->count++] = value;
}

/* A gt_batch_fn. */
static int take_batch(void *user_data, const gt_batch *batch)
{
    struct values *values = user_data;
    gt_table_description about = GT_TABLE_DESCRIPTION_INIT;
    assert_status(gt_table_describe(batch->table, &about), GT_OK);
    for (uint32_t i = 0; batch->table == values->table && i < batch->column_count; i++) {
        const gt_batch_column *column = &batch->columns[i];
        if (strcmp(about.columns[i].name, values->column) != 0 || !column->values)
            continue;
        for (size_t row = 0; row < batch->rows; row++)
            if (!column->valid || column->valid[row])
                values_add(values, column->values[row]);
    }
    return 0;
}

/* Two goroutines run on two procs, each in a task with a region and a log message. */
static void describe(struct gen *g)
{
    gen_begin(g, 26);
    g->clock.monotonic = g->clock.seconds = 1000;
    gen_generation(g, 1);
    for (uint64_t i = 5; i <= 6; i++) {
        gen_running(g, i, TWO_TO_31 + i, TWO_TO_63 + i);
        gen_task_begin(g, TWO_TO_63 + i, 0, "task", 0);
        gen_region_begin(g, TWO_TO_63 + i, "region", 0);
        gen_log(g, TWO_TO_63 + i, "", "message", 0);
        gen_go_stop(g, "", 0);
        gen_go_start(g, TWO_TO_63 + i);
        gen_region_end(g, TWO_TO_63 + i, "region", 0);
        gen_proc_stop(g);
    }
    gen_end(g);
}

static void read_values(struct values *values)
{
    gt_columns_options options = GT_COLUMNS_OPTIONS_INIT;
    struct gen g = {0};
    gt_columns *columns;
    const gt_event *event;
    gt_reader *reader;
    gt_status status;
    describe(&g);
    options.tables = UINT64_C(1) << values->table;
    options.on_batch = take_batch;
    options.user_data = values;
    assert_status(gt_columns_open(&columns, &options, NULL), GT_OK);
    assert_status(gt_reader_open_memory(&reader, g.wire.data, g.wire.size, NULL, NULL), GT_OK);
    assert_status(gt_columns_begin(columns, reader, NULL), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        assert_status(gt_columns_event(columns, reader, event), GT_OK);
    assert_status(status, GT_END);
    assert_status(gt_columns_end(columns, reader, (gt_string){NULL, 0}), GT_OK);
    assert_status(gt_columns_finish(columns), GT_OK);
    gt_columns_close(&columns);
    gt_reader_close(&reader);
    gen_free(&g);
}

static void expect_values(uint32_t table, const char *column, int64_t first, int64_t second)
{
    struct values values = {.table = table, .column = column};
    read_values(&values);
    if (values.count != 2)
        fail_msg("%s has %lu values", column, (unsigned long) values.count);
    assert_true(values.list[0] == first && values.list[1] == second);
}

/* A column of procs has 32 bits. */
static void test_procs_with_large_ids_remain_different(void **state)
{
    (void) state;
    expect_values(GT_TABLE_PROC_STATES, "proc", -2, -3);
    expect_values(GT_TABLE_GOROUTINE_STATES, "proc", -2, -3);
    expect_values(GT_TABLE_EVENTS, "proc", -2, -3);
}

static void test_tasks_with_large_ids_remain_different(void **state)
{
    static const uint32_t tables[] = {GT_TABLE_TASKS, GT_TABLE_REGIONS, GT_TABLE_LOGS,
                                      GT_TABLE_GOROUTINE_STATES};
    (void) state;
    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
        expect_values(tables[i], "task_id", INT64_MIN + 5, INT64_MIN + 6);
}

static void test_goroutines_with_large_ids_remain_different(void **state)
{
    (void) state;
    expect_values(GT_TABLE_GOROUTINES, "goroutine", INT64_MIN + 5, INT64_MIN + 6);
    expect_values(GT_TABLE_LOGS, "goroutine", INT64_MIN + 5, INT64_MIN + 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_procs_with_large_ids_remain_different),
        cmocka_unit_test(test_tasks_with_large_ids_remain_different),
        cmocka_unit_test(test_goroutines_with_large_ids_remain_different),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
