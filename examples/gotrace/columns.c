/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes traces as tables, in files of Parquet that query engines read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backfill.h"
#include "command.h"
#include "input.h"
#include "partition.h"
#include "tablesql.h"
#include "terminal.h"

static const char columns_unknown[] = "unknown";

struct columns_command {
    struct input in;
    const char *output;
    const char *service;
    const char *version;
    const char *host;
    const char *meta;
    const char *tables;
    const char *level;
    const char *format;
    const char *sql;
    bool plain;
    bool schema;
    const char **names;
    size_t count;
    struct partition_place place;
    char *meta_json;
    const char *jobs_text; /* the value of --jobs, or NULL */
    unsigned jobs;
};

static const char columns_table_names[] = "traces generations goroutines goroutine_states "
                                          "proc_states ranges gc_cycles regions tasks logs "
                                          "metrics samples waits latency stacks frames events";

static const struct option columns_options[] = {
    {OPTION_VALUE(struct columns_command, output, "output", "DIR",
                  "the folder in which each table gets a folder; it is made if need be"),
     .letter = 'o', .summary = "the folder of the tables", .words = OPTION_DIRECTORY},
    {OPTION_VALUE(struct columns_command, service, "service", "NAME",
                  "the program that was traced, a column in the path of the files; the default is "
                  "unknown, as for --version"),
     .summary = "the program that was traced"},
    {OPTION_VALUE(struct columns_command, version, "version", "NAME",
                  "the version of that program, a column in the path of the files"),
     .summary = "the version of that program"},
    {OPTION_VALUE(struct columns_command, host, "host", "NAME",
                  "the host on which it ran, for the column host of traces"),
     .summary = "the host on which it ran"},
    {OPTION_VALUE(
         struct columns_command, meta, "meta", "PAIRS",
         "more that is known of the traces, as KEY=VALUE,KEY=VALUE, for the column meta of "
         "traces, a JSON object"),
     .summary = "more that is known of the traces"},
    {OPTION_VALUE(struct columns_command, tables, "tables", "LIST",
                  "write only these tables, with commas in between; events is written only if it "
                  "is named here"),
     .summary = "write only these tables", .words = columns_table_names, .is_list = true},
    {OPTION_VALUE(struct columns_command, level, "level", "LEVEL",
                  "fleet for the tables that are small and add up over traces, or full for all but "
                  "events; the default is full"),
     .summary = "fleet or full: which tables to write", .words = "fleet full"},
    {OPTION_VALUE(struct columns_command, format, "format", "FORMAT",
                  "parquet, which is the default, or csv: a line for each row, below one with the "
                  "names of the columns"),
     .summary = "parquet or csv", .words = "parquet csv"},
    {OPTION_FLAG(struct columns_command, plain, "plain",
                 "write numbers as they are and do not compress, for readers that know little of "
                 "Parquet")},
    {OPTION_VALUE(struct columns_command, jobs_text, "jobs", "N",
                  "work on N dates at once, each in a thread of its own that takes the memory of a "
                  "reader and its tables; the default is one for each processor, but at most 4"),
     .letter = 'j', .summary = "how many dates to work on at once"},
    {OPTION_FLAG(struct columns_command, schema, "schema",
                 "print the tables and their columns, and read nothing"),
     .summary = "print the tables and their columns"},
    {OPTION_VALUE(struct columns_command, sql, "sql", "ENGINE",
                  "print the statements by which duckdb, clickhouse or spark knows the tables in "
                  "the folder of --output, with views for common questions, and read nothing"),
     .summary = "print statements for duckdb, clickhouse or spark", .words = tablesql_engines},
};

/* Finds the table whose name is the `size` bytes at `name`. Returns PARTITION_TABLES if none is. */
static uint32_t columns_table(const char *name, size_t size)
{
    gt_table_description about = GT_TABLE_DESCRIPTION_INIT;
    uint32_t table = 0;
    while (gt_table_describe(table, &about) == GT_OK) {
        if (strlen(about.name) == size && strncmp(about.name, name, size) == 0)
            return table;
        table++;
    }
    return PARTITION_TABLES;
}

/* Parses the list of tables. Returns 0 if one of them does not exist. */
static uint64_t columns_parse_tables(const char *list)
{
    uint64_t tables = 0;
    for (;;) {
        size_t size = strcspn(list, ",");
        uint32_t table = columns_table(list, size);
        if (table == PARTITION_TABLES)
            return 0;
        tables |= UINT64_C(1) << table;
        if (list[size] == '\0')
            return tables;
        list += size + 1;
    }
}

/* The tables of a level. Returns 0 if it does not exist. */
static uint64_t columns_parse_level(const char *level)
{
    gt_table_description about = GT_TABLE_DESCRIPTION_INIT;
    uint64_t tables = 0;
    bool is_full = strcmp(level, "full") == 0;
    if (!is_full && strcmp(level, "fleet") != 0)
        return 0;
    for (uint32_t i = 0; gt_table_describe(i, &about) == GT_OK; i++) {
        if (about.level == GT_TABLE_LEVEL_FLEET || (about.level == GT_TABLE_LEVEL_FULL && is_full))
            tables |= UINT64_C(1) << i;
    }
    return tables;
}

static char *columns_put_json(char *to, const char *text, size_t size)
{
    enum {
        /* Each byte can become an escape, or U+FFFD. */
        ESCAPE = 6
    };

    gt_string rest = {text, size};
    *to++ = '"';
    to += gt_string_escape_json(&rest, to, ESCAPE * size);
    *to++ = '"';
    return to;
}

/*
 * Makes a JSON object of KEY=VALUE,... Returns false if that is not the form of `meta`, or after it
 * has set `*json` to NULL for want of memory.
 */
static bool columns_make_meta(const char *meta, char **json)
{
    /* A byte can become six, and a comma or equals sign more punctuation. */
    char *to = *json = malloc(6 * strlen(meta) + sizeof("{\"\":\"\"}"));
    if (!to)
        return false;
    *to++ = '{';
    while (*meta != '\0') {
        size_t size = strcspn(meta, ","), key = strcspn(meta, "=");
        if (key == 0 || key >= size)
            return false;
        to = columns_put_json(to, meta, key);
        *to++ = ':';
        to = columns_put_json(to, meta + key + 1, size - key - 1);
        meta += size + (meta[size] == ',');
        *to = ',';
        to += *meta != '\0';
    }
    *to++ = '}';
    *to = '\0';
    return true;
}

static bool columns_parse_jobs(struct columns_command *c)
{
    uint64_t jobs;
    if (!c->jobs_text)
        return true;
    if (!options_number(c->jobs_text, BACKFILL_MAX_JOBS, &jobs) || jobs == 0)
        return false;
    c->jobs = (unsigned) jobs;
    return true;
}

static int columns_check(struct columns_command *c, const struct command *self)
{
    const char *level = c->level ? c->level : "full";
    bool is_csv = c->format && strcmp(c->format, "csv") == 0;
    if (!c->schema && !c->sql && c->count == 0)
        return command_misused(self, "too few arguments", NULL);
    if (c->schema)
        return COMMAND_GO_ON;
    if (!c->output || *c->output == '\0')
        return command_misused(self, "--output names the folder of the tables", NULL);
    if (strcmp(c->output, "-") == 0)
        return command_misused(self,
                               "the tables are files in a folder: --output cannot be "
                               "standard output, and ./- names a folder",
                               NULL);
    if ((c->service && *c->service == '\0') || (c->version && *c->version == '\0'))
        return command_misused(self, "--service and --version must not be empty", NULL);
    if (c->sql && !tablesql_knows(c->sql))
        return command_misused(self, "no engine:", c->sql);
    if (c->sql && is_csv)
        return command_misused(self, "--sql is about files of Parquet", NULL);
    if (!columns_parse_jobs(c))
        return command_misused(self, "not a number of jobs from 1 to 64:", c->jobs_text);
    if (c->level && c->tables)
        return command_misused(self, "--level and --tables both say which tables", NULL);
    if (c->format && !is_csv && strcmp(c->format, "parquet") != 0)
        return command_misused(self, "no format:", c->format);
    c->place = (struct partition_place){.folder = c->output,
                                        .service = c->service ? c->service : columns_unknown,
                                        .version = c->version ? c->version : columns_unknown,
                                        .tables = c->tables ? columns_parse_tables(c->tables)
                                                            : columns_parse_level(level),
                                        .plain = c->plain,
                                        .csv = is_csv};
    if (c->place.tables == 0)
        return c->tables ? command_misused(self, "no list of tables:", c->tables)
                         : command_misused(self, "no level:", c->level);
    if (!columns_make_meta(c->meta ? c->meta : "", &c->meta_json) && c->meta_json)
        return command_misused(self, "not KEY=VALUE,...:", c->meta);
    return COMMAND_GO_ON;
}

/* Prints a line for each column of each table, below one for the table. */
static void columns_print_schema(struct output *out)
{
    static const char *const kinds[] = {
        [GT_COLUMN_BOOLEAN] = "BOOLEAN", [GT_COLUMN_INT32] = "INT32",
        [GT_COLUMN_INT64] = "INT64",     [GT_COLUMN_TIMESTAMP] = "TIMESTAMP",
        [GT_COLUMN_STRING] = "STRING",
    };
    gt_table_description table = GT_TABLE_DESCRIPTION_INIT;

    for (uint32_t i = 0; gt_table_describe(i, &table) == GT_OK; i++) {
        char line[256];
        snprintf(line, sizeof(line), "%s%s: %s\n", i > 0 ? "\n" : "", table.name, table.meaning);
        output_text(out, line);
        for (uint32_t j = 0; j < table.column_count; j++) {
            const gt_column_description *column = &table.columns[j];
            snprintf(line, sizeof(line), "  %-16s %-9s %-4s  %s\n", column->name,
                     kinds[column->kind], column->flags & GT_COLUMN_OPTIONAL ? "NULL" : "",
                     column->meaning);
            output_text(out, line);
        }
    }
}

/* Writes the tables. */
static int columns_write(const struct columns_command *c)
{
    gt_columns_about about = GT_COLUMNS_ABOUT_INIT;
    about.host = (gt_string){c->host ? c->host : "", c->host ? strlen(c->host) : 0};
    about.meta = (gt_string){c->meta_json, strlen(c->meta_json)};
    const struct backfill backfill = {.settings = &c->in,
                                      .place = &c->place,
                                      .about = &about,
                                      .names = c->names,
                                      .count = c->count,
                                      .jobs = c->jobs};
    return backfill_run(&backfill);
}

static int columns_fail_memory(void)
{
    terminal_report("columns: %s", gt_status_text(GT_ERR_NO_MEMORY));
    return COMMAND_BAD;
}

static int columns_run(const struct command *self, struct output *out, char **arguments)
{
    struct columns_command c = {.in = {.lenient = true, .twice = true}};
    size_t most = 0;
    while (arguments[most])
        most++;
    c.names = calloc(most + 1, sizeof(*c.names));
    const struct operands operands = {.list = c.names, .min = 0, .max = most};
    int code = c.names ? input_parse_operands(&c.in, self, out, arguments, &operands)
                       : columns_fail_memory();
    /* What is repaired is in the tables. */
    c.in.reporting = INPUT_REPORTS_NONE;
    while (code == COMMAND_GO_ON && c.names[c.count])
        c.count++;
    if (code == COMMAND_GO_ON)
        code = columns_check(&c, self);
    if (code == COMMAND_GO_ON && (c.schema || c.sql)) {
        if (c.schema)
            columns_print_schema(out);
        else
            tablesql_print(out, c.sql, c.output, c.place.tables);
        code = COMMAND_GOOD;
    }
    if (code == COMMAND_GO_ON)
        code = c.meta_json ? columns_write(&c) : columns_fail_memory();
    free(c.meta_json);
    free(c.names);
    return code;
}

const struct command command_columns = {
    .name = "columns",
    .usage = "columns [OPTION...] FILE... -o DIR",
    .summary = "write traces as tables, in Parquet files for query engines",
    .help = "Writes the goroutines, states, regions, stacks and so on of any number of traces\n"
            "as tables, in Parquet files DIR/TABLE/service=S/version=V/date=D/ID.parquet,\n"
            "which DuckDB, Spark, ClickHouse and others read. The same traces give the same\n"
            "names, so that a second call replaces their files. A damaged trace is read as\n"
            "far as it can be; what was repaired is counted in the table traces.\n",
    COMMAND_OPTIONS(columns_options),
    .shared = input_tables_options,
    .run = columns_run,
};
