/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes the tables of any input, and reads the files that are made of them. */

#include <stdlib.h>
#include <string.h>

#include <gotrace/gotrace.h>
#include <gotrace/parquet.h>

#include "fuzz/convert.h"
#include "fuzz/input.h"
#include "fuzz/parquet.h"
#include "support/test.h"

/* Bits of the choices. */
enum {
    CHOICE_PLAIN = 1,
    CHOICE_STRICT = 2,
    CHOICE_TWICE = 4,
    CHOICE_FLUSH = 8
};

enum {
    TABLES = GT_TABLE_EVENTS + 1,
    ALL_TABLES = (1 << TABLES) - 1,
    COLUMNS_MAX = 32,
    /* The bytes of the input that become texts about the trace. */
    ABOUT_MAX = 100
};

/* What was given to the writer of a table, and what it made of that. */
struct table {
    struct fuzz *fuzz;
    gt_parquet *writer;
    struct converted file;
    uint64_t rows;
    uint64_t digests[COLUMNS_MAX];
    /* The same, as it was read back. */
    uint64_t read[COLUMNS_MAX];
};

struct ids {
    int64_t *list;
    size_t count;
    size_t capacity;
};

struct fuzz {
    const struct input *input;
    struct probe probe;
    gt_columns *columns;
    uint32_t tables;
    uint64_t traces;
    uint64_t written; /* bytes, of all files */
    bool refused;     /* a write failed on purpose */
    struct table about[TABLES];
    struct table *reading;
    /* The stacks that are named, and those that there are. */
    struct ids named;
    struct ids stacks;
};

static uint64_t digest_bytes(uint64_t digest, const void *data, size_t size)
{
    const uint8_t *bytes = data;

    for (size_t i = 0; i < size; i++)
        digest = (digest ^ bytes[i]) % (UINT64_C(1) << 52) * 0x1b3 % (UINT64_C(1) << 52);
    return digest;
}

static uint64_t digest_value(uint64_t digest, const struct parquet_value *value)
{
    uint8_t head = value->is_null;

    digest = digest_bytes(digest, &head, 1);
    digest = digest_bytes(digest, &value->number, sizeof(value->number));
    digest = digest_bytes(digest, value->text, value->size);
    return digest_bytes(digest, &value->size, sizeof(value->size));
}

/* A write fails if the input chooses that a read fails. */
static int write_file(void *user_data, const void *data, size_t size)
{
    struct table *table = user_data;
    struct fuzz *fuzz = table->fuzz;

    fuzz->written += size;
    assert_false(fuzz->refused);
    fuzz->refused = fuzz->input->trouble == TROUBLE_READ && fuzz->written > fuzz->input->at;
    return fuzz->refused ? 1 : converted_take(&table->file, data, size);
}

static struct parquet_value value_of(const gt_batch *batch, size_t column, size_t row,
                                     uint32_t kind)
{
    const gt_batch_column *from = &batch->columns[column];
    struct parquet_value value = {.is_null = !from->values || (from->valid && !from->valid[row])};

    if (value.is_null)
        return value;
    if (kind == GT_COLUMN_STRING) {
        const gt_string *text = &batch->texts[from->values[row]];
        value.text = (const uint8_t *) text->data;
        value.size = text->size;
    } else {
        value.number = from->values[row];
    }
    return value;
}

static gt_table_description described(uint32_t id)
{
    gt_table_description about = GT_TABLE_DESCRIPTION_INIT;

    assert_status(gt_table_describe(id, &about), GT_OK);
    return about;
}

static bool open_file(struct fuzz *fuzz, struct table *table, uint32_t id)
{
    gt_parquet_options options = GT_PARQUET_OPTIONS_INIT;

    options.flags = fuzz->input->flags & CHOICE_PLAIN ? GT_PARQUET_PLAIN : 0;
    options.allocator = &fuzz->probe.allocator;
    table->fuzz = fuzz;
    return gt_parquet_open(&table->writer, id, write_file, table, &options, NULL) == GT_OK;
}

static int take_rows(void *user_data, const gt_batch *batch)
{
    struct fuzz *fuzz = user_data;
    struct table *table = &fuzz->about[batch->table];
    const gt_table_description about = described(batch->table);

    assert_true(fuzz->tables >> batch->table & 1);
    if (!table->writer && !open_file(fuzz, table, batch->table))
        return -1;
    table->rows += batch->rows;
    for (size_t i = 0; i < about.column_count; i++) {
        for (size_t row = 0; row < batch->rows; row++) {
            const struct parquet_value value =
                value_of(batch, i, batch->order ? batch->order[row] : row, about.columns[i].kind);
            table->digests[i] = digest_value(table->digests[i], &value);
        }
    }
    return gt_parquet_batch(table->writer, batch) == GT_OK ? 0 : -1;
}

/* Gives the events of the input to the tables. Returns the first failure of these. */
static gt_status make_rows(struct fuzz *fuzz)
{
    const struct input *input = fuzz->input;
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_string bytes = {(const char *) input->data,
                       input->size < ABOUT_MAX ? input->size : ABOUT_MAX};
    gt_columns_about about = GT_COLUMNS_ABOUT_INIT;
    const gt_string error = {bytes.data, bytes.size / 3};
    const gt_event *event;
    gt_reader *reader;

    about.id = (gt_string){"0123", 4};
    about.file = bytes;
    about.host = (gt_string){bytes.data, bytes.size / 2};
    options.flags = input->flags & CHOICE_STRICT ? 0 : GT_READER_LENIENT;
    if (gt_reader_open_memory(&reader, input->data, input->size, &options, NULL) != GT_OK)
        return GT_OK;
    gt_status status = gt_columns_begin(fuzz->columns, reader, &about);
    while (status == GT_OK && gt_reader_next_event(reader, &event) == GT_OK)
        status = gt_columns_event(fuzz->columns, reader, event);
    if (status == GT_OK)
        status = gt_columns_end(fuzz->columns, reader, error);
    if (status == GT_OK && input->flags & CHOICE_FLUSH)
        status = gt_columns_finish(fuzz->columns);
    gt_reader_close(&reader);
    fuzz->traces++;
    return status;
}

static void ids_add(struct ids *ids, int64_t id)
{
    if (ids->count == ids->capacity) {
        ids->capacity = 2 * ids->capacity + 16;
        ids->list = realloc(ids->list, ids->capacity * sizeof(*ids->list));
        assert_non_null(ids->list);
    }
    ids->list[ids->count++] = id;
}

static bool name_is(const struct parquet_column *column, const char *name)
{
    return column->name_size == strlen(name) && memcmp(column->name, name, strlen(name)) == 0;
}

/* What must hold of single values. */
static void check_value(struct fuzz *fuzz, const struct parquet_column *column,
                        const struct parquet_value *value)
{
    bool defines = fuzz->reading == &fuzz->about[GT_TABLE_STACKS];

    if (value->is_null)
        return;
    if (name_is(column, "duration_ns") || name_is(column, "total_ns") ||
        name_is(column, "lost_proc_ns"))
        assert_true(value->number >= 0);
    if (name_is(column, "cut"))
        assert_in_range(value->number, 0, 3);
    if (name_is(column, "stack_id"))
        ids_add(defines ? &fuzz->stacks : &fuzz->named, value->number);
    else if (name_is(column, "unblocker_stack") || name_is(column, "creation_stack"))
        ids_add(&fuzz->named, value->number);
}

static void take_value(void *user_data, const struct parquet_file *file, size_t column,
                       const struct parquet_value *value)
{
    struct fuzz *fuzz = user_data;

    fuzz->reading->read[column] = digest_value(fuzz->reading->read[column], value);
    check_value(fuzz, &file->columns[column], value);
}

/* The file of a table has the schema of the table, and the rows that were given. */
static void check_file(struct fuzz *fuzz, uint32_t id)
{
    struct table *table = &fuzz->about[id];
    const gt_table_description about = described(id);
    struct parquet_file file = {.take = take_value, .user_data = fuzz};

    fuzz->reading = table;
    const char *why = parquet_read(&file, table->file.data, table->file.size);
    if (why)
        fail_msg("%s: %s", about.name, why);
    assert_int_equal(file.rows, table->rows);
    assert_int_equal(file.column_count, about.column_count);
    for (size_t i = 0; i < about.column_count; i++) {
        assert_true(name_is(&file.columns[i], about.columns[i].name));
        assert_int_equal(file.columns[i].optional,
                         (about.columns[i].flags & GT_COLUMN_OPTIONAL) != 0);
        assert_int_equal(table->read[i], table->digests[i]);
    }
}

static int compare_ids(const void *a, const void *b)
{
    const int64_t *one = a, *other = b;

    return *one < *other ? -1 : *one > *other;
}

/* Each stack that is named is there. */
static void check_stacks(struct fuzz *fuzz)
{
    if (!(fuzz->tables >> GT_TABLE_STACKS & 1) || fuzz->named.count == 0)
        return;
    assert_true(fuzz->stacks.count > 0);
    qsort(fuzz->stacks.list, fuzz->stacks.count, sizeof(*fuzz->stacks.list), compare_ids);
    for (size_t i = 0; i < fuzz->named.count; i++)
        assert_non_null(bsearch(&fuzz->named.list[i], fuzz->stacks.list, fuzz->stacks.count,
                                sizeof(*fuzz->stacks.list), compare_ids));
}

static void check_files(struct fuzz *fuzz)
{
    for (uint32_t i = 0; i < TABLES; i++) {
        if (fuzz->about[i].writer)
            check_file(fuzz, i);
    }
    if (fuzz->tables >> GT_TABLE_TRACES & 1)
        assert_int_equal(fuzz->about[GT_TABLE_TRACES].rows, fuzz->traces);
    check_stacks(fuzz);
}

static gt_status make_files(struct fuzz *fuzz)
{
    gt_status status = make_rows(fuzz);

    if (status == GT_OK && fuzz->input->flags & CHOICE_TWICE)
        status = make_rows(fuzz);
    if (status == GT_OK)
        status = gt_columns_finish(fuzz->columns);
    for (uint32_t i = 0; i < TABLES; i++) {
        if (status == GT_OK && fuzz->about[i].writer)
            status = gt_parquet_finish(fuzz->about[i].writer);
    }
    return status;
}

static void run(struct fuzz *fuzz)
{
    gt_columns_options options = GT_COLUMNS_OPTIONS_INIT;
    gt_status status;

    input_probe(fuzz->input, &fuzz->probe);
    options.tables = fuzz->tables;
    options.allocator = &fuzz->probe.allocator;
    options.on_batch = take_rows;
    options.user_data = fuzz;
    status = gt_columns_open(&fuzz->columns, &options, NULL);
    if (status == GT_OK)
        status = make_files(fuzz);
    if (status == GT_OK)
        check_files(fuzz);
    else
        assert_true(fuzz->probe.failed > 0 || fuzz->refused);
    for (uint32_t i = 0; i < TABLES; i++) {
        gt_parquet_close(&fuzz->about[i].writer);
        converted_free(&fuzz->about[i].file);
    }
    gt_columns_close(&fuzz->columns);
    probe_check(&fuzz->probe);
    free(fuzz->named.list);
    free(fuzz->stacks.list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {.tables = ALL_TABLES};
    struct input input;

    if (!input_take(&input, data, size, 0))
        return 0;
    fuzz.input = &input;
    /* Some tables, or all. */
    if (input.pick != 0)
        fuzz.tables = input.pick * UINT32_C(0x010101) >> input.pick % 8 & ALL_TABLES;
    if (fuzz.tables == 0)
        fuzz.tables = ALL_TABLES;
    run(&fuzz);
    input_free(&input);
    return 0;
}
