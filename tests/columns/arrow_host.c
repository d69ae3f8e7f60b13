/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arrow_host chdb|duckdb LIBRARY TRACE: gives the stream of each table of a trace to ClickHouse or
 * DuckDB in this process, and compares what they count and add up with the batches of rows. It
 * knows a few functions of their C interfaces, which it finds in the shared library.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/arrow.h>

enum {
    TABLES = GT_TABLE_EVENTS + 1,
    COLUMNS = 32,
    /* Ids of stacks have 64 bits: what is added up are remainders, so that no sum overflows. */
    MODULUS = 1000000007,
    TEXT_SIZE = 8192
};

/* Ends the program, as a test that fails. */
static void need(bool is_good, const char *what, const char *why)
{
    if (is_good)
        return;
    fprintf(stderr, "%s: %s\n", what, why ? why : "failed");
    exit(1);
}

/* A text that grows. */
struct text {
    char bytes[TEXT_SIZE];
    size_t size;
};

__attribute__((format(printf, 2, 3))) static void text_add(struct text *text, const char *format,
                                                           ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->size +=
        (size_t) vsnprintf(text->bytes + text->size, TEXT_SIZE - text->size, format, arguments);
    va_end(arguments);
    need(text->size < TEXT_SIZE, "text", "it is too long");
}

/* The functions of an engine, and what they work on. */
struct engine {
    const char *name;
    void *library;
    void *connection;
    void *database;
    /* How the engine calls the length of a string in bytes, the number of a moment, and what makes
     * text and large numbers. */
    const char *length, *moment, *as_text, *as_number;
    void (*take)(struct engine *engine, struct ArrowArrayStream *stream);
    void (*ask)(struct engine *engine, const char *question, struct text *answer);
};

/* Finds a function. Standard C does not convert a pointer to an object to one to a function. */
static void engine_find(const struct engine *engine, const char *name, void *function)
{
    void *found = dlsym(engine->library, name);
    need(found != NULL, engine->name, name);
    memcpy(function, &found, sizeof(found));
}

/* chdb.h: chdb_connect gives the address of a connection. */
typedef void **chdb_connect_fn(int argc, char **argv);
typedef int chdb_arrow_scan_fn(void *connection, const char *table, void *stream);
typedef int chdb_arrow_unregister_fn(void *connection, const char *table);
typedef void *chdb_query_fn(void *connection, const char *query, const char *format);
typedef char *chdb_buffer_fn(void *result);
typedef size_t chdb_length_fn(void *result);
typedef const char *chdb_error_fn(void *result);
typedef void chdb_destroy_fn(void *result);

static void chdb_ask(struct engine *engine, const char *question, struct text *answer)
{
    chdb_query_fn *query;
    chdb_buffer_fn *buffer;
    chdb_length_fn *length;
    chdb_error_fn *error;
    chdb_destroy_fn *destroy;
    engine_find(engine, "chdb_query", &query);
    engine_find(engine, "chdb_result_buffer", &buffer);
    engine_find(engine, "chdb_result_length", &length);
    engine_find(engine, "chdb_result_error", &error);
    engine_find(engine, "chdb_destroy_query_result", &destroy);
    void *result = query(engine->connection, question, "TabSeparatedRaw");
    need(result && !error(result), question, result ? error(result) : NULL);
    size_t size = length(result);
    answer->size = 0;
    if (size > 0)
        text_add(answer, "%.*s", (int) size - 1, buffer(result));
    destroy(result);
}

/* The table in memory is read from the stream while it is made. */
static void chdb_take(struct engine *engine, struct ArrowArrayStream *stream)
{
    struct text none = {.size = 0};
    chdb_arrow_scan_fn *scan;
    chdb_arrow_unregister_fn *forget;
    engine_find(engine, "chdb_arrow_scan", &scan);
    engine_find(engine, "chdb_arrow_unregister_table", &forget);
    need(scan(engine->connection, "t", stream) == 0, engine->name, "chdb_arrow_scan");
    chdb_ask(engine,
             "CREATE OR REPLACE TABLE rows ENGINE = Memory AS SELECT * FROM arrowstream('t')",
             &none);
    need(forget(engine->connection, "t") == 0, engine->name, "chdb_arrow_unregister_table");
}

static void chdb_open(struct engine *engine)
{
    char name[] = "chdb";
    char *arguments[] = {name, NULL};
    chdb_connect_fn *connect;
    engine_find(engine, "chdb_connect", &connect);
    void **connection = connect(1, arguments);
    need(connection && *connection, engine->name, "chdb_connect");
    engine->connection = *connection;
}

/* duckdb.h: its result is a structure of the caller, of fewer bytes. */
struct duckdb_answer {
    uint64_t members[32];
};

typedef int duckdb_open_fn(const char *path, void **database);
typedef int duckdb_connect_fn(void *database, void **connection);
typedef int duckdb_arrow_scan_fn(void *connection, const char *table, void *stream);
typedef int duckdb_query_fn(void *connection, const char *query, struct duckdb_answer *result);
typedef char *duckdb_value_fn(struct duckdb_answer *result, uint64_t column, uint64_t row);
typedef const char *duckdb_error_fn(struct duckdb_answer *result);
typedef void duckdb_destroy_fn(struct duckdb_answer *result);
typedef void duckdb_free_fn(void *value);

static void duckdb_ask(struct engine *engine, const char *question, struct text *answer)
{
    duckdb_query_fn *query;
    duckdb_value_fn *value;
    duckdb_error_fn *error;
    duckdb_destroy_fn *destroy;
    duckdb_free_fn *release;
    struct duckdb_answer result;
    engine_find(engine, "duckdb_query", &query);
    engine_find(engine, "duckdb_value_varchar", &value);
    engine_find(engine, "duckdb_result_error", &error);
    engine_find(engine, "duckdb_destroy_result", &destroy);
    engine_find(engine, "duckdb_free", &release);
    if (query(engine->connection, question, &result) != 0)
        need(false, question, error(&result));
    char *text = value(&result, 0, 0);
    answer->size = 0;
    text_add(answer, "%s", text ? text : "");
    release(text);
    destroy(&result);
}

/* A query of a view of the stream itself would ask it for some columns only, which a plain stream
 * cannot do. */
static void duckdb_take(struct engine *engine, struct ArrowArrayStream *stream)
{
    struct text none = {.size = 0};
    duckdb_arrow_scan_fn *scan;
    engine_find(engine, "duckdb_arrow_scan", &scan);
    need(scan(engine->connection, "t", stream) == 0, engine->name, "duckdb_arrow_scan");
    duckdb_ask(engine, "CREATE OR REPLACE TABLE rows AS SELECT * FROM t", &none);
    duckdb_ask(engine, "DROP VIEW t", &none);
}

static void duckdb_open(struct engine *engine)
{
    duckdb_open_fn *open;
    duckdb_connect_fn *connect;
    engine_find(engine, "duckdb_open", &open);
    engine_find(engine, "duckdb_connect", &connect);
    need(open(NULL, &engine->database) == 0, engine->name, "duckdb_open");
    need(connect(engine->database, &engine->connection) == 0, engine->name, "duckdb_connect");
}

/* Composes the question: the number of rows, and of each column how many values there are and what
 * they, or their lengths, add up to. */
static void question_make(const struct engine *engine, const gt_table_description *table,
                          struct text *question)
{
    text_add(question, "SELECT concat_ws(' ', CAST(count(*) AS %s)", engine->as_text);
    for (uint32_t i = 0; i < table->column_count; i++) {
        const gt_column_description *column = &table->columns[i];
        const char *function = column->kind == GT_COLUMN_STRING      ? engine->length
                               : column->kind == GT_COLUMN_TIMESTAMP ? engine->moment
                                                                     : "";
        text_add(question, ", CAST(count(%s) AS %s)", column->name, engine->as_text);
        text_add(question, ", CAST(coalesce(sum(CAST(%s(%s) AS %s) %% %d), 0) AS %s)", function,
                 column->name, engine->as_number, MODULUS, engine->as_text);
    }
    text_add(question, ") FROM rows");
}

/* What the library's own batches add up to. */
struct sums {
    uint64_t rows;
    uint64_t counts[COLUMNS];
    int64_t sums[COLUMNS];
    uint32_t wanted;
    gt_table_description table;
};

static int sums_take(void *user_data, const gt_batch *batch)
{
    struct sums *sums = user_data;
    if (batch->table != sums->wanted)
        return 0;
    sums->rows += batch->rows;
    for (uint32_t i = 0; i < batch->column_count; i++) {
        const gt_batch_column *column = &batch->columns[i];
        for (size_t row = 0; column->values && row < batch->rows; row++) {
            if (column->valid && !column->valid[row])
                continue;
            sums->counts[i]++;
            bool is_text = sums->table.columns[i].kind == GT_COLUMN_STRING;
            int64_t value = column->values[row];
            sums->sums[i] += (is_text ? (int64_t) batch->texts[value].size : value) % MODULUS;
        }
    }
    return 0;
}

static gt_reader *trace_open(const char *path)
{
    gt_reader *reader;
    gt_error error = GT_ERROR_INIT;
    need(gt_reader_open_file(&reader, path, NULL, &error) == GT_OK, path, error.message);
    return reader;
}

static void sums_read(struct sums *sums, const char *path, uint32_t table)
{
    gt_columns *columns;
    gt_columns_options options = GT_COLUMNS_OPTIONS_INIT;
    const gt_event *event;
    gt_reader *reader = trace_open(path);
    gt_status status;
    sums->wanted = table;
    /* Stacks are those that the other tables name. */
    if (table != GT_TABLE_STACKS && table != GT_TABLE_FRAMES)
        options.tables = UINT64_C(1) << table;
    options.on_batch = sums_take;
    options.user_data = sums;
    need(gt_columns_open(&columns, &options, NULL) == GT_OK, path, "gt_columns_open");
    need(gt_columns_begin(columns, reader, NULL) == GT_OK, path, "gt_columns_begin");
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        need(gt_columns_event(columns, reader, event) == GT_OK, path, "gt_columns_event");
    need(status == GT_END, path, "gt_reader_next_event");
    need(gt_columns_end(columns, reader, (gt_string){NULL, 0}) == GT_OK, path, "gt_columns_end");
    need(gt_columns_finish(columns) == GT_OK, path, "gt_columns_finish");
    gt_columns_close(&columns);
    gt_reader_close(&reader);
}

/* Compares a table. Returns the number of its rows. */
static uint64_t table_compare(struct engine *engine, const char *path, uint32_t table)
{
    struct sums sums = {.rows = 0, .table = GT_TABLE_DESCRIPTION_INIT};
    struct text question = {.size = 0}, answer = {.size = 0}, own = {.size = 0};
    struct ArrowArrayStream stream;
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader = trace_open(path);
    gt_table_describe(table, &sums.table);
    sums_read(&sums, path, table);
    text_add(&own, "%" PRIu64, sums.rows);
    for (uint32_t i = 0; i < sums.table.column_count; i++)
        text_add(&own, " %" PRIu64 " %" PRId64, sums.counts[i], sums.sums[i]);
    need(gt_arrow_stream(&stream, &reader, table, NULL, NULL, &error) == GT_OK, path,
         error.message);
    engine->take(engine, &stream);
    if (stream.release)
        stream.release(&stream);
    question_make(engine, &sums.table, &question);
    engine->ask(engine, question.bytes, &answer);
    if (strcmp(answer.bytes, own.bytes) != 0)
        fprintf(stderr, "%s, by the library: %s\n", sums.table.name, own.bytes);
    need(strcmp(answer.bytes, own.bytes) == 0, sums.table.name, answer.bytes);
    return sums.rows;
}

int main(int argc, char **argv)
{
    struct engine chdb = {.name = "chdb",
                          .length = "length",
                          .moment = "toUnixTimestamp64Micro",
                          .as_text = "String",
                          .as_number = "Nullable(Int64)",
                          .take = chdb_take,
                          .ask = chdb_ask};
    struct engine duckdb = {.name = "duckdb",
                            .length = "strlen",
                            .moment = "epoch_us",
                            .as_text = "VARCHAR",
                            .as_number = "BIGINT",
                            .take = duckdb_take,
                            .ask = duckdb_ask};
    need(argc == 4, "usage", "arrow_host chdb|duckdb LIBRARY TRACE");
    struct engine *engine = strcmp(argv[1], chdb.name) == 0 ? &chdb : &duckdb;
    engine->library = dlopen(argv[2], RTLD_NOW);
    need(engine->library != NULL, argv[2], dlerror());
    if (engine == &chdb)
        chdb_open(engine);
    else
        duckdb_open(engine);
    size_t with_rows = 0;
    for (uint32_t table = 0; table < TABLES; table++)
        with_rows += table_compare(engine, argv[3], table) > 0;
    printf("%s: %zu tables with rows\n", engine->name, with_rows);
    return with_rows > TABLES / 2 ? 0 : 1;
}
