/* SPDX-License-Identifier: BSD-3-Clause */
/* A host of Arrow's streams, which knows them from the specification: every cell is that of the
 * batches, whoever releases what in which order. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/arrow.h>

#include "support/crowd.h"
#include "support/probe.h"
#include "support/test.h"

enum {
    TABLES = GT_TABLE_EVENTS + 1,
    CROWD = 60
};

/* All cells of a table as text, a line for each. */
struct cells {
    char *text;
    size_t size;
    size_t capacity;
    size_t rows;
    uint32_t table; /* the one whose batches are taken */
};

static void cells_put(struct cells *cells, const char *data, size_t size)
{
    if (cells->capacity - cells->size < size + 1) {
        cells->capacity = 2 * cells->capacity + size + 1;
        cells->text = realloc(cells->text, cells->capacity);
        assert_non_null(cells->text);
    }
    memcpy(cells->text + cells->size, data, size);
    cells->text[cells->size + size] = '\n';
    cells->size += size + 1;
}

static void cells_put_number(struct cells *cells, int64_t number)
{
    char text[32];
    int size = snprintf(text, sizeof(text), "%" PRId64, number);
    cells_put(cells, text, (size_t) size);
}

/* The cells of a batch. */
static int cells_take(void *user_data, const gt_batch *batch)
{
    struct cells *cells = user_data;
    gt_table_description about = GT_TABLE_DESCRIPTION_INIT;
    if (batch->table != cells->table)
        return 0;
    assert_status(gt_table_describe(batch->table, &about), GT_OK);
    for (size_t row = 0; row < batch->rows; row++) {
        for (uint32_t i = 0; i < batch->column_count; i++) {
            const gt_batch_column *column = &batch->columns[i];
            if (!column->values || (column->valid && !column->valid[row]))
                cells_put(cells, "NULL", 4);
            else if (about.columns[i].kind == GT_COLUMN_STRING)
                cells_put(cells, batch->texts[column->values[row]].data,
                          batch->texts[column->values[row]].size);
            else
                cells_put_number(cells, column->values[row]);
        }
    }
    cells->rows += batch->rows;
    return 0;
}

static bool bit_is_set(const void *bits, int64_t at)
{
    return ((const uint8_t *) bits)[at / 8] >> at % 8 & 1;
}

static void host_put_text(struct cells *cells, const struct ArrowArray *texts, int32_t index)
{
    const int32_t *offsets = texts->buffers[1];
    const char *bytes = texts->buffers[2];
    assert_in_range(index, 0, texts->length - 1);
    cells_put(cells, bytes + offsets[index], (size_t) (offsets[index + 1] - offsets[index]));
}

static void host_put_cell(struct cells *cells, const struct ArrowSchema *schema,
                          const struct ArrowArray *array, int64_t row)
{
    if (array->buffers[0] && !bit_is_set(array->buffers[0], row)) {
        assert_true(schema->flags & ARROW_FLAG_NULLABLE);
        cells_put(cells, "NULL", 4);
    } else if (schema->dictionary) {
        assert_string_equal(schema->format, "i");
        assert_string_equal(schema->dictionary->format, "u");
        host_put_text(cells, array->dictionary, ((const int32_t *) array->buffers[1])[row]);
    } else if (strcmp(schema->format, "b") == 0) {
        cells_put_number(cells, bit_is_set(array->buffers[1], row));
    } else if (strcmp(schema->format, "i") == 0) {
        cells_put_number(cells, ((const int32_t *) array->buffers[1])[row]);
    } else {
        assert_true(strcmp(schema->format, "l") == 0 || strcmp(schema->format, "tsu:UTC") == 0);
        cells_put_number(cells, ((const int64_t *) array->buffers[1])[row]);
    }
}

static void host_take(struct cells *cells, const struct ArrowSchema *schema,
                      const struct ArrowArray *array)
{
    assert_int_equal(array->n_children, schema->n_children);
    for (int64_t i = 0; i < array->n_children; i++) {
        int64_t nulls = 0;
        for (int64_t row = 0; array->children[i]->buffers[0] && row < array->length; row++)
            nulls += !bit_is_set(array->children[i]->buffers[0], row);
        assert_int_equal(array->children[i]->null_count, nulls);
        assert_int_equal(array->children[i]->length, array->length);
    }
    for (int64_t row = 0; row < array->length; row++) {
        for (int64_t i = 0; i < array->n_children; i++)
            host_put_cell(cells, schema->children[i], array->children[i], row);
    }
    cells->rows += (size_t) array->length;
}

static gt_reader *host_open(const struct wire *wire)
{
    gt_reader *reader;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, NULL, NULL), GT_OK);
    return reader;
}

/* Reads a stream to its end. Returns what get_next or get_schema has returned last. */
static int host_read(struct ArrowArrayStream *stream, struct cells *cells)
{
    struct ArrowSchema schema;
    struct ArrowArray array;
    int code = stream->get_schema(stream, &schema);
    if (code != 0)
        return code;
    assert_string_equal(schema.format, "+s");
    while ((code = stream->get_next(stream, &array)) == 0 && array.release) {
        host_take(cells, &schema, &array);
        array.release(&array);
        assert_null(array.release);
    }
    schema.release(&schema);
    return code;
}

static void batches_read(const struct wire *wire, uint32_t table, struct cells *cells)
{
    gt_columns_options options = GT_COLUMNS_OPTIONS_INIT;
    gt_columns_about about = GT_COLUMNS_ABOUT_INIT;
    gt_columns *columns;
    const gt_event *event;
    gt_reader *reader = host_open(wire);
    about.id = (gt_string){"crowd", 5};
    cells->table = table;
    /* Stacks are those that the other tables name. */
    if (table != GT_TABLE_STACKS && table != GT_TABLE_FRAMES)
        options.tables = UINT64_C(1) << table;
    options.on_batch = cells_take;
    options.user_data = cells;
    assert_status(gt_columns_open(&columns, &options, NULL), GT_OK);
    assert_status(gt_columns_begin(columns, reader, &about), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_columns_event(columns, reader, event), GT_OK);
    assert_status(gt_columns_end(columns, reader, (gt_string){NULL, 0}), GT_OK);
    assert_status(gt_columns_finish(columns), GT_OK);
    gt_columns_close(&columns);
    gt_reader_close(&reader);
}

/* Opens a stream of a table, with arrays of a few rows. */
static gt_status host_stream(const struct wire *wire, uint32_t table, const gt_allocator *allocator,
                             struct ArrowArrayStream *stream)
{
    gt_arrow_options options = GT_ARROW_OPTIONS_INIT;
    gt_columns_about about = GT_COLUMNS_ABOUT_INIT;
    gt_reader *reader = host_open(wire);
    about.id = (gt_string){"crowd", 5};
    options.rows = 11;
    options.allocator = allocator;
    gt_status status = gt_arrow_stream(stream, &reader, table, &about, &options, NULL);
    if (status == GT_OK)
        assert_null(reader);
    else
        assert_null(stream->release);
    gt_reader_close(&reader);
    return status;
}

static int streams_setup(void **state)
{
    static struct gen crowd;
    crowd_write(&crowd, CROWD);
    *state = &crowd;
    return 0;
}

static int streams_teardown(void **state)
{
    gen_free(*state);
    return 0;
}

static void test_streams_have_the_cells_of_batches(void **state)
{
    const struct gen *crowd = *state;
    size_t with_rows = 0;
    for (uint32_t table = 0; table < TABLES; table++) {
        struct cells batches = {.text = NULL}, stream_cells = {.text = NULL};
        struct ArrowArrayStream stream;
        batches_read(&crowd->wire, table, &batches);
        assert_status(host_stream(&crowd->wire, table, NULL, &stream), GT_OK);
        assert_int_equal(host_read(&stream, &stream_cells), 0);
        assert_null(stream.get_last_error(&stream));
        stream.release(&stream);
        assert_null(stream.release);
        assert_int_equal(stream_cells.rows, batches.rows);
        assert_int_equal(stream_cells.size, batches.size);
        if (batches.size > 0)
            assert_memory_equal(stream_cells.text, batches.text, batches.size);
        with_rows += batches.rows > 0;
        free(batches.text);
        free(stream_cells.text);
    }
    assert_true(with_rows > TABLES / 2);
}

static void test_children_may_outlive_all_else(void **state)
{
    const struct gen *crowd = *state;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema, name;
    struct ArrowArray array, column, texts;
    struct probe probe;
    probe_init(&probe);
    assert_status(host_stream(&crowd->wire, GT_TABLE_REGIONS, &probe.allocator, &stream), GT_OK);
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_int_equal(stream.get_next(&stream, &array), 0);
    stream.release(&stream);
    name = *schema.children[0];
    schema.children[0]->release = NULL;
    schema.release(&schema);
    assert_string_equal(name.name, "trace_id");
    column = *array.children[0];
    array.children[0]->release = NULL;
    array.release(&array);
    texts = *column.dictionary;
    column.dictionary->release = NULL;
    column.release(&column);
    assert_memory_equal(texts.buffers[2], "crowd", 5);
    texts.release(&texts);
    name.release(&name);
    probe_check(&probe);
}

static void test_lack_of_memory_is_an_error_number(void **state)
{
    const struct gen *crowd = *state;
    struct probe probe;
    uint64_t at = 0;
    do {
        struct ArrowArrayStream stream;
        struct cells cells = {.text = NULL};
        probe_init(&probe);
        probe.fail_at = at += 1 + at / 16;
        gt_status status =
            host_stream(&crowd->wire, GT_TABLE_GOROUTINE_STATES, &probe.allocator, &stream);
        if (status == GT_OK) {
            int code = host_read(&stream, &cells);
            assert_int_equal(code, probe.failed != 0 ? ENOMEM : 0);
            assert_true((stream.get_last_error(&stream) != NULL) == (code != 0));
            stream.release(&stream);
        } else {
            assert_status(status, GT_ERR_NO_MEMORY);
        }
        free(cells.text);
        probe_check(&probe);
    } while (probe.failed != 0);
    assert_true(at > 100);
}

static void test_damage_is_an_error_with_a_text(void **state)
{
    const struct gen *crowd = *state;
    struct wire cut = crowd->wire;
    struct ArrowArrayStream stream;
    struct cells cells = {.text = NULL};
    cut.size = cut.size * 2 / 3;
    assert_status(host_stream(&cut, GT_TABLE_TRACES, NULL, &stream), GT_OK);
    assert_int_equal(host_read(&stream, &cells), EIO);
    assert_non_null(strstr(stream.get_last_error(&stream), "(offset "));
    stream.release(&stream);
    free(cells.text);
}

static void test_wrong_calls_are_refused(void **state)
{
    const struct gen *crowd = *state;
    struct ArrowArrayStream stream;
    gt_reader *reader = host_open(&crowd->wire), *none = NULL;
    gt_arrow_options options = GT_ARROW_OPTIONS_INIT;
    assert_status(gt_arrow_stream(&stream, &none, 0, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_arrow_stream(&stream, &reader, TABLES, NULL, NULL, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_arrow_stream(&stream, NULL, 0, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    assert_status(gt_arrow_stream(NULL, &reader, 0, NULL, NULL, NULL), GT_ERR_INVALID_ARGUMENT);
    options.flags = 1;
    assert_status(gt_arrow_stream(&stream, &reader, 0, NULL, &options, NULL),
                  GT_ERR_INVALID_ARGUMENT);
    assert_null(stream.release);
    assert_non_null(reader);
    gt_reader_close(&reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams_have_the_cells_of_batches),
        cmocka_unit_test(test_children_may_outlive_all_else),
        cmocka_unit_test(test_lack_of_memory_is_an_error_number),
        cmocka_unit_test(test_damage_is_an_error_with_a_text),
        cmocka_unit_test(test_wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, streams_setup, streams_teardown);
}
