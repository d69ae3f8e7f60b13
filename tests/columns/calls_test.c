/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables without memory, tables that nobody takes, and several traces after each other. */
#include <string.h>

#include <gotrace/columns.h>
#include <gotrace/gotrace.h>

#include "support/crowd.h"
#include "support/probe.h"
#include "support/sample.h"
#include "support/test.h"

enum {
    CALLS_TABLES = GT_TABLE_EVENTS + 1,
    CALLS_TRACES = 3,
    CALLS_ALL = (1 << CALLS_TABLES) - 1,
    /* With so many there are more rows than a table has room for at first. */
    CALLS_CROWD = 300,
    /* Each gives a log message, and two states of its goroutine and of its proc. */
    CALLS_MANY = 70000,
    /* The most bytes of the rows of a table, of which a value takes 9, and of all else. */
    CALLS_ROWS_BYTES = 6 << 20,
    CALLS_VALUE_BYTES = sizeof(int64_t) + 1,
    CALLS_OTHER_BYTES = 2 << 20
};

static const gt_columns_options calls_all = {
    sizeof(calls_all), 0, CALLS_ALL, 0, 0, NULL, NULL, NULL};

/* The rows that were taken. */
struct taken {
    size_t rows[CALLS_TABLES];
    size_t calls;
    size_t most;      /* rows of a batch */
    size_t refuse_at; /* the number of the call that returns false, from 1; 0: none */
};

static int calls_take(void *user_data, const gt_batch *batch)
{
    struct taken *taken = user_data;
    gt_table_description about = GT_TABLE_DESCRIPTION_INIT;
    assert_status(gt_table_describe(batch->table, &about), GT_OK);
    assert_int_equal(batch->column_count, about.column_count);
    assert_in_range(batch->rows, 1, taken->most);
    taken->rows[batch->table] += batch->rows;
    for (uint32_t i = 0; i < about.column_count; i++) {
        const gt_batch_column *column = &batch->columns[i];
        assert_true(about.columns[i].flags & GT_COLUMN_OPTIONAL ||
                    (column->values && !column->valid));
        bool is_text = about.columns[i].kind == GT_COLUMN_STRING && column->values;
        for (size_t row = 0; is_text && row < batch->rows; row++) {
            if (!column->valid || column->valid[row])
                assert_in_range(column->values[row], 0, batch->text_count - 1);
        }
    }
    return ++taken->calls != taken->refuse_at ? 0 : 1;
}

/* All rows are counted. */
static void calls_check_info(const gt_columns *columns, const struct taken *taken, gt_status status)
{
    gt_columns_info info = GT_COLUMNS_INFO_INIT;
    uint64_t rows = 0;
    assert_status(gt_columns_get_info(columns, &info), GT_OK);
    for (int i = 0; i < CALLS_TABLES; i++)
        rows += taken->rows[i];
    if (status == GT_OK)
        assert_int_equal(info.rows, rows);
    assert_true(info.memory > 0 && info.memory_peak >= info.memory);
}

/* Passes a trace on. Returns the first failure. */
static gt_status calls_read(gt_columns *columns, const struct wire *wire, const char *id)
{
    gt_columns_about about = GT_COLUMNS_ABOUT_INIT;
    about.id = (gt_string){id, strlen(id)};
    about.file = (gt_string){"f\xff", 2};
    about.host = (gt_string){"h", 1};
    const gt_event *event;
    gt_reader *reader;
    gt_status reading;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    gt_status status = gt_columns_begin(columns, reader, &about);
    bool has_begun = status == GT_OK;
    while (status == GT_OK && (reading = gt_reader_next_event(reader, &event)) == GT_OK)
        status = gt_columns_event(columns, reader, event);
    if (has_begun) {
        gt_status end = gt_columns_end(columns, reader, (gt_string){"", 0});
        if (status != GT_OK)
            assert_status(end, status);
        status = end;
    }
    gt_reader_close(&reader);
    return status;
}

/* Makes the tables of three traces. Returns the first failure. */
static gt_status calls_run(const gt_columns_options *given, struct taken *taken,
                           const struct wire *wires)
{
    gt_columns_options options = *given;
    *taken = (struct taken){.refuse_at = taken->refuse_at,
                            .most = options.rows ? (size_t) options.rows : 262144};
    gt_columns *columns;
    options.on_batch = calls_take;
    options.user_data = taken;
    gt_status status = gt_columns_open(&columns, &options, NULL);
    if (status != GT_OK)
        return status;
    static const char *const ids[] = {"first", "second", "third"};
    for (int i = 0; i < CALLS_TRACES; i++) {
        gt_status read = calls_read(columns, &wires[i], ids[i]);
        if (status != GT_OK)
            assert_status(read, status);
        status = read;
    }
    gt_status last = gt_columns_finish(columns);
    if (status != GT_OK)
        assert_status(last, status);
    calls_check_info(columns, taken, last);
    gt_columns_close(&columns);
    gt_columns_close(&columns);
    return last;
}

struct calls {
    struct gen crowd;
    struct gen collector;
    struct wire wires[CALLS_TRACES];
};

/* Two cycles of the collector, of which the second has not ended, and sweeping. */
static void collector_write(struct gen *gen)
{
    gen_begin(gen, 26);
    gen_generation(gen, 1);
    gen_running(gen, 5, 0, 1);
    for (int cycle = 0; cycle < 2; cycle++) {
        gen_gc_begin(gen, 0);
        gen_stw_begin(gen, "GC sweep termination", 0);
        gen_bare(gen, EV_STW_END);
        GEN_EVENT(gen, EV_GC_MARK_ASSIST_BEGIN, 0);
        if (cycle > 0)
            continue;
        gen_bare(gen, EV_GC_MARK_ASSIST_END);
        gen_gc_end(gen);
        GEN_EVENT(gen, EV_GC_SWEEP_BEGIN, 0);
        GEN_EVENT(gen, EV_GC_SWEEP_END, 8, 4);
    }
    gen_end(gen);
}

static int calls_setup(void **state)
{
    static struct calls calls;
    crowd_write(&calls.crowd, CALLS_CROWD);
    calls.wires[0] = calls.crowd.wire;
    sample_trace(&calls.wires[1], 26, 2, 40);
    collector_write(&calls.collector);
    calls.wires[2] = calls.collector.wire;
    *state = &calls;
    return 0;
}

static int calls_teardown(void **state)
{
    struct calls *calls = *state;
    gen_free(&calls->crowd);
    gen_free(&calls->collector);
    wire_free(&calls->wires[1]);
    return 0;
}

static void test_every_table_has_rows(void **state)
{
    const struct calls *calls = *state;
    struct taken taken = {.calls = 0};
    assert_status(calls_run(&calls_all, &taken, calls->wires), GT_OK);
    for (int i = 0; i < CALLS_TABLES; i++)
        assert_true(taken.rows[i] > 0);
    assert_int_equal(taken.rows[GT_TABLE_TRACES], 3);
    assert_int_equal(taken.rows[GT_TABLE_GC_CYCLES], 2);
}

static void test_a_table_has_the_same_rows_alone(void **state)
{
    const struct calls *calls = *state;
    struct taken all = {.calls = 0}, one = {.calls = 0};
    assert_status(calls_run(&calls_all, &all, calls->wires), GT_OK);
    for (uint32_t i = 0; i < CALLS_TABLES; i++) {
        gt_columns_options options = calls_all;
        options.tables = UINT64_C(1) << i;
        assert_status(calls_run(&options, &one, calls->wires), GT_OK);
        /* Stacks are those that other tables name. */
        if (i != GT_TABLE_STACKS && i != GT_TABLE_FRAMES)
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
            /* The first ones all, and then fewer and fewer, as there are thousands. */
            probe.fail_at = at += 1 + at / 64;
            probe.fail_on = fail_on;
            gt_columns_options options = calls_all;
            options.allocator = &probe.allocator;
            gt_status status = calls_run(&options, &taken, calls->wires);
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
        status = calls_run(&calls_all, &taken, calls->wires);
        if (status != GT_OK) {
            assert_status(status, GT_ERR_CALLBACK);
            assert_int_equal(taken.calls, taken.refuse_at);
        }
        taken.refuse_at++;
    } while (status != GT_OK);
    assert_true(taken.refuse_at > CALLS_TABLES);
}

static void test_a_memory_limit_is_kept(void **state)
{
    const struct calls *calls = *state;
    struct taken taken = {.calls = 0};
    gt_columns_options options = calls_all;
    for (uint64_t limit = 1 << 10; limit < UINT64_C(1) << 32; limit *= 2) {
        options.memory_limit = limit;
        gt_status status = calls_run(&options, &taken, calls->wires);
        if (status == GT_OK) {
            assert_true(limit > 1 << 16);
            return;
        }
        assert_status(status, GT_ERR_LIMIT);
    }
    fail();
}

static void test_batches_have_no_more_rows_than_asked_for(void **state)
{
    const struct calls *calls = *state;
    struct taken all = {.calls = 0}, few = {.calls = 0};
    gt_columns_options options = calls_all;
    options.rows = 7;
    assert_status(calls_run(&calls_all, &all, calls->wires), GT_OK);
    assert_status(calls_run(&options, &few, calls->wires), GT_OK);
    assert_memory_equal(all.rows, few.rows, sizeof(all.rows));
    assert_true(few.calls > 10 * all.calls);
}

/* Fails if rows take more room than a table may have, and counts batches that nearly do. */
static int bound_take(void *user_data, const gt_batch *batch)
{
    size_t *full = user_data;
    size_t bytes = batch->rows * batch->column_count * CALLS_VALUE_BYTES;
    assert_in_range(bytes, 1, CALLS_ROWS_BYTES);
    full[batch->table] += bytes > CALLS_ROWS_BYTES / 2;
    return 0;
}

static void test_rows_of_a_table_have_bounded_memory(void **state)
{
    static const uint32_t tables[] = {GT_TABLE_GOROUTINE_STATES, GT_TABLE_LOGS};
    static struct gen gen;
    (void) state;
    gen_begin(&gen, 26);
    gen_generation(&gen, 1);
    gen_running(&gen, 5, 0, 1);
    for (int i = 0; i < CALLS_MANY; i++) {
        gen_syscall_begin(&gen, 0);
        gen_syscall_end(&gen);
        gen_log(&gen, 0, "k", "v", 0);
    }
    gen_end(&gen);
    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
        gt_columns_options options = calls_all;
        gt_columns_info info = GT_COLUMNS_INFO_INIT;
        size_t full[CALLS_TABLES] = {0};
        gt_columns *columns;
        options.tables = UINT64_C(1) << tables[i];
        options.on_batch = bound_take;
        options.user_data = full;
        assert_status(gt_columns_open(&columns, &options, NULL), GT_OK);
        assert_status(calls_read(columns, &gen.wire, "many"), GT_OK);
        assert_status(gt_columns_get_info(columns, &info), GT_OK);
        assert_true(full[tables[i]] > 0);
        assert_in_range(info.memory_peak, CALLS_ROWS_BYTES / 2,
                        CALLS_ROWS_BYTES + CALLS_OTHER_BYTES);
        gt_columns_close(&columns);
    }
    gen_free(&gen);
}

static void test_wrong_calls_are_refused(void **state)
{
    const struct calls *calls = *state;
    gt_columns_options options = GT_COLUMNS_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    struct taken taken = {.most = 262144};
    gt_columns *columns;
    gt_reader *reader;
    const gt_event *event;
    assert_status(gt_columns_open(&columns, &options, &error), GT_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "on_batch"));
    options.on_batch = calls_take;
    options.user_data = &taken;
    options.tables = UINT64_C(1) << CALLS_TABLES;
    assert_status(gt_columns_open(&columns, &options, &error), GT_ERR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "tables"));
    options.tables = 0;
    options.rows = 262145;
    assert_status(gt_columns_open(&columns, &options, &error), GT_ERR_INVALID_ARGUMENT);
    options.rows = 0;
    assert_status(gt_columns_open(&columns, &options, NULL), GT_OK);
    const struct wire *wire = &calls->wires[0];
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    assert_status(gt_reader_next_event(reader, &event), GT_OK);
    const gt_string none = {"", 0};
    assert_status(gt_columns_event(columns, reader, event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_end(columns, reader, none), GT_ERR_INVALID_ARGUMENT);
    gt_columns_about about = GT_COLUMNS_ABOUT_INIT;
    char id[65] = "";
    about.id = (gt_string){id, sizeof(id)};
    assert_status(gt_columns_begin(columns, reader, &about), GT_ERR_INVALID_ARGUMENT);
    about.id.size--;
    assert_status(gt_columns_begin(columns, reader, &about), GT_OK);
    assert_status(gt_columns_begin(columns, reader, &about), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_finish(columns), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_event(columns, reader, event), GT_OK);
    assert_status(gt_columns_end(columns, reader, none), GT_OK);
    assert_status(gt_columns_finish(columns), GT_OK);
    assert_int_equal(taken.rows[GT_TABLE_TRACES], 1);
    gt_columns_close(&columns);
    gt_reader_close(&reader);
}

/* What a callback calls, and whether it was called. */
struct inner {
    gt_columns *columns;
    gt_reader *reader;
    bool was_called;
};

/* All calls that have work to do are refused, and closing is left undone. */
static int calls_call_inside(void *user_data, const gt_batch *batch)
{
    struct inner *inner = user_data;
    gt_columns *columns = inner->columns;
    (void) batch;
    inner->was_called = true;
    assert_status(gt_columns_begin(columns, inner->reader, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_end(columns, inner->reader, (gt_string){"", 0}),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_finish(columns), GT_ERR_INVALID_ARGUMENT);
    gt_columns_close(&columns);
    assert_ptr_equal(columns, inner->columns);
    return 0;
}

static void test_calls_within_the_callback_are_refused(void **state)
{
    const struct calls *calls = *state;
    const struct wire *wire = &calls->wires[0];
    struct inner inner = {NULL, NULL, false};
    gt_columns_options options = calls_all;
    options.on_batch = calls_call_inside;
    options.user_data = &inner;
    assert_status(gt_columns_open(&inner.columns, &options, NULL), GT_OK);
    assert_status(gt_reader_open_memory(&inner.reader, wire->data, wire->size, NULL, NULL), GT_OK);
    assert_status(gt_columns_begin(inner.columns, inner.reader, NULL), GT_OK);
    assert_status(gt_columns_end(inner.columns, inner.reader, (gt_string){"", 0}), GT_OK);
    assert_status(gt_columns_finish(inner.columns), GT_OK);
    assert_true(inner.was_called);
    gt_columns_close(&inner.columns);
    gt_reader_close(&inner.reader);
}

static void test_missing_arguments_are_refused(void **state)
{
    const struct calls *calls = *state;
    const struct wire *wire = &calls->wires[0];
    const gt_string none = {"", 0};
    gt_columns_info info = GT_COLUMNS_INFO_INIT;
    struct taken taken = {.most = 262144};
    gt_columns_options options = calls_all;
    gt_columns *columns = NULL;
    gt_reader *reader, *other;
    const gt_event *event, *others;
    options.on_batch = calls_take;
    options.user_data = &taken;
    gt_columns_close(NULL);
    gt_columns_close(&columns);
    assert_status(gt_columns_open(&columns, &options, NULL), GT_OK);
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    assert_status(gt_reader_open_memory(&other, wire->data, wire->size, NULL, NULL), GT_OK);
    assert_status(gt_columns_begin(NULL, reader, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_begin(columns, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_begin(columns, reader, NULL), GT_OK);
    assert_status(gt_reader_next_event(reader, &event), GT_OK);
    assert_status(gt_reader_next_event(other, &others), GT_OK);
    assert_status(gt_columns_event(NULL, reader, event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_event(columns, NULL, event), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_event(columns, reader, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_event(columns, other, others), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_event(columns, reader, others), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_end(NULL, reader, none), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_end(columns, NULL, none), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_end(columns, other, none), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_finish(NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_get_info(NULL, &info), GT_ERR_INVALID_ARGUMENT);
    info.size = 1;
    assert_status(gt_columns_get_info(columns, &info), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_columns_end(columns, reader, none), GT_OK);
    gt_columns_close(&columns);
    gt_reader_close(&reader);
    gt_reader_close(&other);
}

static void test_tables_are_described(void **state)
{
    (void) state;
    gt_table_description about = GT_TABLE_DESCRIPTION_INIT;
    for (uint32_t i = 0; i < CALLS_TABLES; i++) {
        assert_status(gt_table_describe(i, &about), GT_OK);
        assert_in_range(about.column_count, 2, 32);
        assert_string_equal(about.columns[0].name, "trace_id");
    }
    assert_status(gt_table_describe(CALLS_TABLES, &about), GT_ERR_NOT_AVAILABLE);
    assert_status(gt_table_describe(0, NULL), GT_ERR_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_table_has_rows),
        cmocka_unit_test(test_a_table_has_the_same_rows_alone),
        cmocka_unit_test(test_lack_of_memory_is_told_and_remains),
        cmocka_unit_test(test_rows_that_are_refused_end_the_tables),
        cmocka_unit_test(test_a_memory_limit_is_kept),
        cmocka_unit_test(test_batches_have_no_more_rows_than_asked_for),
        cmocka_unit_test(test_rows_of_a_table_have_bounded_memory),
        cmocka_unit_test(test_wrong_calls_are_refused),
        cmocka_unit_test(test_calls_within_the_callback_are_refused),
        cmocka_unit_test(test_missing_arguments_are_refused),
        cmocka_unit_test(test_tables_are_described),
    };
    return cmocka_run_group_tests(tests, calls_setup, calls_teardown);
}
