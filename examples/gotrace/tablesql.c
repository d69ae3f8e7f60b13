/* SPDX-License-Identifier: BSD-3-Clause */
#include "tablesql.h"

#include <string.h>

#include <gotrace/columns.h>

struct tablesql_engine {
    const char *name;
    /* What comes before the name of a view. */
    const char *create;
    /* What comes between the name and the folder. */
    const char *before;
    /* What comes behind the name of the table in the path. */
    const char *behind;
    /* What an apostrophe and a backslash become in a string. */
    const char *apostrophe, *backslash;
    /* The function wall, of the table traces: the time of the wall clock. */
    const char *wall;
    /* Types by gt_column_kind, if the statement names columns; otherwise the first is NULL. */
    const char *types[GT_COLUMN_STRING + 1];
};

const char tablesql_engines[] = "duckdb clickhouse spark";

static const struct tablesql_engine tablesql_list[] = {
    {
        .name = "duckdb",
        .create = "CREATE OR REPLACE VIEW ",
        .before = " AS SELECT * FROM read_parquet('",
        .behind = "/**/*.parquet',\n  hive_partitioning = true, hive_types = {'service': VARCHAR, "
                  "'version': VARCHAR, 'date': VARCHAR})",
        .apostrophe = "''",
        .backslash = "\\",
        /* The names in the query are its own, as an argument can be a column, such as trace_id. */
        .wall = "CREATE OR REPLACE MACRO wall(of_trace, at_ns) AS make_timestamp_ns(\n"
                "  (SELECT max(wall_ns) FROM (SELECT trace_id, wall_offset_ns FROM traces)\n"
                "   AS wall_offsets(wall_trace, wall_ns) WHERE wall_trace = of_trace) + at_ns);\n",
    },
    {
        .name = "clickhouse",
        .create = "CREATE OR REPLACE VIEW ",
        .before = " AS SELECT * FROM file('",
        .behind = "/service=*/version=*/date=*/*.parquet', Parquet,\n  '",
        .apostrophe = "\\'",
        .backslash = "\\\\",
        /* A function cannot have a correlated query. */
        .wall = "CREATE OR REPLACE DICTIONARY wall_offsets (trace_id String,\n"
                "  wall_offset_ns Nullable(Int64)) PRIMARY KEY trace_id SOURCE(CLICKHOUSE(QUERY\n"
                "  'SELECT trace_id, max(wall_offset_ns) FROM traces GROUP BY trace_id'))\n"
                "  LAYOUT(COMPLEX_KEY_HASHED()) LIFETIME(MIN 0 MAX 300);\n"
                "CREATE OR REPLACE FUNCTION wall AS (of_trace, at_ns) -> fromUnixTimestamp64Nano(\n"
                "  dictGet('wall_offsets', 'wall_offset_ns', of_trace) + at_ns, 'UTC');\n",
        .types = {[GT_COLUMN_BOOLEAN] = "Bool",
                  [GT_COLUMN_INT32] = "Int32",
                  [GT_COLUMN_INT64] = "Int64",
                  [GT_COLUMN_TIMESTAMP] = "DateTime64(6, \\'UTC\\')",
                  [GT_COLUMN_STRING] = "String"},
    },
    {
        .name = "spark",
        .create = "CREATE OR REPLACE TEMPORARY VIEW ",
        .before = " USING parquet OPTIONS (path '",
        .behind = "')",
        .apostrophe = "\\'",
        .backslash = "\\\\",
        .wall = "CREATE OR REPLACE TEMPORARY FUNCTION wall(of_trace STRING, at_ns BIGINT)\n"
                "  RETURNS TIMESTAMP RETURN timestamp_micros(((SELECT max(wall_offset_ns)\n"
                "  FROM traces WHERE trace_id = of_trace) + at_ns) div 1000);\n",
    },
};

/* A view of what many ask for. */
struct tablesql_view {
    const char *name;
    const char *query;
    uint64_t tables; /* those that it needs */
};

#define TABLESQL_BIT(table) (UINT64_C(1) << (table))

static const struct tablesql_view tablesql_views[] = {
    {"running",
     "SELECT service, version, date, trace_id, proc, thread, goroutine, function,\n"
     "  start_ns, duration_ns, cut\nFROM goroutine_states WHERE state = 'Running'",
     TABLESQL_BIT(GT_TABLE_GOROUTINE_STATES)},
    {"syscalls",
     "SELECT s.service AS service, s.version AS version, s.date AS date, s.trace_id AS trace_id,\n"
     "  s.goroutine AS goroutine, s.function AS function, s.start_ns AS start_ns,\n"
     "  s.duration_ns AS duration_ns, s.cut AS cut, s.lost_proc_ns AS lost_proc_ns,\n"
     "  k.own AS own, k.folded AS folded\nFROM goroutine_states AS s\n"
     "  LEFT JOIN (SELECT DISTINCT stack_id, own, folded FROM stacks) AS k\n"
     "  ON s.stack_id = k.stack_id\nWHERE s.state = 'Syscall'",
     TABLESQL_BIT(GT_TABLE_GOROUTINE_STATES) | TABLESQL_BIT(GT_TABLE_STACKS)},
    {"stw",
     "SELECT service, version, date, trace_id, cause, start_ns, duration_ns, cut\n"
     "FROM ranges WHERE name = 'stop-the-world'",
     TABLESQL_BIT(GT_TABLE_RANGES)},
};

static const struct tablesql_engine *tablesql_engine(const char *name)
{
    for (size_t i = 0; i < sizeof(tablesql_list) / sizeof(*tablesql_list); i++) {
        if (strcmp(tablesql_list[i].name, name) == 0)
            return &tablesql_list[i];
    }
    return NULL;
}

bool tablesql_knows(const char *engine)
{
    return tablesql_engine(engine) != NULL;
}

/* Prints text as a part of a string. */
static void tablesql_put_string(struct output *out, const struct tablesql_engine *engine,
                                const char *text)
{
    while (*text != '\0') {
        size_t plain = strcspn(text, "'\\");
        output_bytes(out, text, plain);
        text += plain;
        if (*text == '\0')
            return;
        output_text(out, *text == '\'' ? engine->apostrophe : engine->backslash);
        text++;
    }
}

/* Prints the names and types of columns, and those of the columns that are in paths. */
static void tablesql_put_columns(struct output *out, const struct tablesql_engine *engine,
                                 const gt_table_description *table)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        const gt_column_description *column = &table->columns[i];
        bool is_optional = (column->flags & GT_COLUMN_OPTIONAL) != 0;
        output_text(out, column->name);
        output_text(out, is_optional ? " Nullable(" : " ");
        output_text(out, engine->types[column->kind]);
        output_text(out, is_optional ? "), " : ", ");
    }
    output_text(out, "service String, version String, date String')");
}

static void tablesql_put_table(struct output *out, const struct tablesql_engine *engine,
                               const char *folder, const gt_table_description *table)
{
    output_text(out, engine->create);
    output_text(out, table->name);
    output_text(out, engine->before);
    tablesql_put_string(out, engine, folder);
    output_text(out, "/");
    output_text(out, table->name);
    output_text(out, engine->behind);
    if (engine->types[GT_COLUMN_STRING])
        tablesql_put_columns(out, engine, table);
    output_text(out, ";\n");
}

void tablesql_print(struct output *out, const char *engine, const char *folder, uint64_t tables)
{
    const struct tablesql_engine *to = tablesql_engine(engine);
    gt_table_description table = GT_TABLE_DESCRIPTION_INIT;
    for (uint32_t i = 0; gt_table_describe(i, &table) == GT_OK; i++) {
        if (tables & TABLESQL_BIT(i))
            tablesql_put_table(out, to, folder, &table);
    }
    for (size_t i = 0; i < sizeof(tablesql_views) / sizeof(*tablesql_views); i++) {
        const struct tablesql_view *view = &tablesql_views[i];
        if ((tables & view->tables) != view->tables)
            continue;
        output_text(out, to->create);
        output_text(out, view->name);
        output_text(out, " AS\n");
        output_text(out, view->query);
        output_text(out, ";\n");
    }
    if (tables & TABLESQL_BIT(GT_TABLE_TRACES))
        output_text(out, to->wall);
}
