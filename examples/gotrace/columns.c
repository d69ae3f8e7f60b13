/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes traces as tables, in files of Parquet that query engines read. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gotrace/time.h>

#include "command.h"
#include "input.h"
#include "interrupt.h"
#include "partition.h"
#include "terminal.h"
#include "traceid.h"

enum {
    COLUMNS_DATE_SIZE = sizeof("2026-11-23") - 1
};

static const char columns_unknown[] = "unknown";

struct columns_command {
    struct input in;
    const char *output;
    const char *service;
    const char *version;
    const char *host;
    const char *meta;
    const char *tables;
    bool plain;
    bool schema;
    const char **names;
    size_t count;
    struct partition_place place;
    struct partition *partitions;
    char *meta_json;
    /* The ids of the traces that were read. */
    struct traceid *ids;
    size_t read;
};

/* A trace that is being read. */
struct columns_trace {
    struct columns_command *command;
    struct input in;
    struct traceid id;
    uint64_t bytes;
    struct partition *partition; /* NULL before the first event */
};

#define COLUMNS_TABLE_NAME(NAME, name, meaning) #name " "

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
                  "write only these tables, with commas in between; the default is all"),
     .summary = "write only these tables", .words = GT_TABLES(COLUMNS_TABLE_NAME), .is_list = true},
    {OPTION_FLAG(struct columns_command, plain, "plain",
                 "write numbers as they are and do not compress, for readers that know little of "
                 "Parquet")},
    {OPTION_FLAG(struct columns_command, schema, "schema",
                 "print the tables and their columns, and read nothing"),
     .summary = "print the tables and their columns"},
};

/* Finds the table whose name is the `size` bytes at `name`. Returns GT_TABLE_COUNT if none is. */
static unsigned columns_table(const char *name, size_t size)
{
    unsigned table = 0;
    while (table < GT_TABLE_COUNT && (strlen(gt_table_list[table].name) != size ||
                                      strncmp(gt_table_list[table].name, name, size) != 0))
        table++;
    return table;
}

/* Parses the list of tables. Returns 0 if one of them does not exist. */
static uint32_t columns_parse_tables(const char *list)
{
    uint32_t tables = 0;
    if (!list)
        return (UINT32_C(1) << GT_TABLE_COUNT) - 1;
    for (;;) {
        size_t size = strcspn(list, ",");
        unsigned table = columns_table(list, size);
        if (table == GT_TABLE_COUNT)
            return 0;
        tables |= UINT32_C(1) << table;
        if (list[size] == '\0')
            return tables;
        list += size + 1;
    }
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

static int columns_check(struct columns_command *c, const struct command *self)
{
    if (!c->schema && c->count == 0)
        return command_misused(self, "too few arguments", NULL);
    if (c->schema)
        return COMMAND_GO_ON;
    if (!c->output || *c->output == '\0')
        return command_misused(self, "--output names the folder of the tables", NULL);
    if ((c->service && *c->service == '\0') || (c->version && *c->version == '\0'))
        return command_misused(self, "--service and --version must not be empty", NULL);
    c->place = (struct partition_place){.folder = c->output,
                                        .service = c->service ? c->service : columns_unknown,
                                        .version = c->version ? c->version : columns_unknown,
                                        .tables = columns_parse_tables(c->tables),
                                        .plain = c->plain};
    if (c->place.tables == 0)
        return command_misused(self, "no list of tables:", c->tables);
    if (!columns_make_meta(c->meta ? c->meta : "", &c->meta_json) && c->meta_json)
        return command_misused(self, "not KEY=VALUE,...:", c->meta);
    return COMMAND_GO_ON;
}

/* Prints a line for each column of each table, below one for the table. */
static void columns_print_schema(struct output *out)
{
    static const char *const kinds[] = {"BOOLEAN", "INT32", "INT64", "TIMESTAMP", "STRING"};

    for (int i = 0; i < GT_TABLE_COUNT; i++) {
        const struct gt_table_about *table = &gt_table_list[i];
        char line[256];
        snprintf(line, sizeof(line), "%s%s: %s\n", i > 0 ? "\n" : "", table->name, table->meaning);
        output_text(out, line);
        for (size_t j = 0; j < table->schema.count; j++) {
            const struct gt_pq_column *column = &table->schema.columns[j];
            snprintf(line, sizeof(line), "  %-16s %-9s %-4s  %s\n", column->name,
                     kinds[column->kind], column->optional ? "NULL" : "", table->meanings[j]);
            output_text(out, line);
        }
    }
}

/* Sets the date of the wall clock of an event, or unknown. */
static void columns_date(const gt_event *event, char date[GT_WALL_CLOCK_TEXT_SIZE])
{
    int64_t seconds;
    uint32_t nanoseconds;
    snprintf(date, GT_WALL_CLOCK_TEXT_SIZE, "%s", columns_unknown);
    if (!event || gt_event_wall_clock(event, &seconds, &nanoseconds) != GT_OK)
        return;
    gt_wall_clock_format(seconds, nanoseconds, 0, date, GT_WALL_CLOCK_TEXT_SIZE);
    date[strcspn(date, "T")] = '\0';
}

/* Begins with the trace in the partition of its first event, which is NULL if there is none. */
static bool columns_begin(struct columns_trace *trace, const gt_event *event)
{
    struct columns_command *c = trace->command;
    char date[GT_WALL_CLOCK_TEXT_SIZE], id[TRACEID_DIGITS + 1];
    columns_date(event, date);
    struct partition *partition = c->partitions;
    while (partition && strcmp(partition->date, date) != 0)
        partition = partition->next;
    if (!partition) {
        partition = partition_open(&c->place, date);
        if (!partition)
            return false;
        partition->next = c->partitions;
        c->partitions = partition;
    }
    trace->partition = partition;
    traceid_format(&trace->id, id);
    partition_add(partition, &trace->id);
    const gt_string text = {id, TRACEID_DIGITS};
    return gt_columns_begin(partition->columns, trace->in.reader, text) == GT_OK;
}

static gt_status columns_events(void *user_data, const gt_event *const *events, size_t count)
{
    struct columns_trace *trace = user_data;
    gt_status status = GT_OK;
    if (!trace->partition && !columns_begin(trace, events[0]))
        return GT_ERR_CALLBACK;
    for (size_t i = 0; i < count && status == GT_OK; i++)
        status = gt_columns_event(trace->partition->columns, events[i]);
    return status;
}

/* Ends the trace with what is known of it. `status` is the end of the reading. */
static bool columns_end(struct columns_trace *trace, gt_status status)
{
    const struct columns_command *c = trace->command;
    gt_error error;
    input_error(&trace->in, status, &error);
    const struct gt_trace_about about = {
        .file = {trace->in.name, strlen(trace->in.name)},
        .host = {c->host ? c->host : "", c->host ? strlen(c->host) : 0},
        .meta = {c->meta_json, strlen(c->meta_json)},
        .bytes = trace->bytes,
        .error = {error.message, error.status == GT_OK ? 0 : strlen(error.message)},
    };
    return gt_columns_end(trace->partition->columns, &about) == GT_OK;
}

/* Finds out the id of the trace, whose reader is open. */
static bool columns_identify(struct columns_trace *trace)
{
    int fd = trace->in.copy ? fileno(trace->in.copy) : open(trace->in.name, O_RDONLY | O_CLOEXEC);
    bool is_read = fd >= 0 && traceid_of(fd, &trace->id, &trace->bytes);
    if (!is_read)
        terminal_report("%s: %s", trace->in.name, strerror(errno));
    if (fd >= 0 && !trace->in.copy)
        close(fd);
    return is_read;
}

/* Whether the trace was read before. Otherwise notes that it is. */
static bool columns_repeats(struct columns_command *c, const struct traceid *id)
{
    for (size_t i = 0; i < c->read; i++) {
        if (memcmp(&c->ids[i], id, sizeof(*id)) == 0)
            return true;
    }
    c->ids[c->read++] = *id;
    return false;
}

/*
 * Adds the rows of a trace. Sets `*code` to COMMAND_BAD if it gave none. Returns whether the
 * command can go on.
 */
static bool columns_read(struct columns_trace *trace, struct output *out, int *code)
{
    gt_status reading = GT_OK;
    gt_status status = input_for_each_batch(trace->in.reader, columns_events, trace, &reading);
    bool has_rows = trace->partition != NULL;
    bool goes_on = status == GT_OK && reading != GT_CANCELLED;
    if (goes_on && !has_rows)
        goes_on = columns_begin(trace, NULL);
    if (goes_on)
        goes_on = columns_end(trace, reading);
    else if (status != GT_OK && status != GT_ERR_CALLBACK)
        terminal_report("%s: %s", trace->in.name, gt_status_text(status));
    input_close(&trace->in, out, status == GT_OK ? reading : GT_OK);
    if (!has_rows)
        *code = COMMAND_BAD;
    return goes_on;
}

/* Reads a trace. Returns whether the command can go on. */
static bool columns_take(struct columns_command *c, struct output *out, const char *name, int *code)
{
    struct columns_trace trace = {.command = c, .in = c->in};
    trace.in.name = name;
    if (input_start(&trace.in) != COMMAND_GO_ON) {
        *code = COMMAND_BAD;
        return true;
    }
    if (!columns_identify(&trace)) {
        input_close(&trace.in, out, GT_OK);
        *code = COMMAND_BAD;
        return true;
    }
    if (columns_repeats(c, &trace.id)) {
        terminal_report("%s: left out: a trace before it is the same", name);
        input_close(&trace.in, out, GT_OK);
        return true;
    }
    return columns_read(&trace, out, code);
}

static int columns_run_all(struct columns_command *c, struct output *out)
{
    int code = COMMAND_GOOD;
    bool goes_on = true, is_written = true;
    for (size_t i = 0; i < c->count && goes_on; i++)
        goes_on = columns_take(c, out, c->names[i], &code);
    for (struct partition *at = c->partitions; at; at = at->next)
        is_written = partition_finish(at) && is_written;
    for (struct partition *next, *at = c->partitions; at; at = next) {
        next = at->next;
        is_written = partition_close(at, goes_on && is_written) && is_written;
    }
    return goes_on && is_written ? code : COMMAND_BAD;
}

static int columns_run(const struct command *self, struct output *out, char **arguments)
{
    struct columns_command c = {.in = {.lenient = true, .twice = true}};
    size_t most = 0;
    while (arguments[most])
        most++;
    c.names = calloc(most + 1, sizeof(*c.names));
    c.ids = calloc(most + 1, sizeof(*c.ids));
    const struct operands operands = {.list = c.names, .min = 0, .max = most};
    int code = COMMAND_BAD;
    if (c.names && c.ids)
        code = input_parse_operands(&c.in, self, out, arguments, &operands);
    /* What is repaired is in the tables. */
    c.in.reporting = INPUT_REPORTS_NONE;
    while (code == COMMAND_GO_ON && c.names[c.count])
        c.count++;
    if (code == COMMAND_GO_ON)
        code = columns_check(&c, self);
    if (code == COMMAND_GO_ON && c.schema) {
        columns_print_schema(out);
        code = COMMAND_GOOD;
    }
    if (code == COMMAND_GO_ON)
        code = c.meta_json ? columns_run_all(&c, out) : COMMAND_BAD;
    free(c.meta_json);
    free(c.ids);
    free(c.names);
    return code;
}

const struct command command_columns = {
    .name = "columns",
    .usage = "columns [OPTION...] FILE... -o DIR",
    .summary = "write traces as tables, in Parquet files for query engines",
    .help = "Writes the goroutines, states, regions, stacks and so on of any number of traces as\n"
            "tables, in Parquet files DIR/TABLE/service=S/version=V/date=D/ID.parquet, which\n"
            "DuckDB, Spark, ClickHouse and others read. The same traces give the same names, so\n"
            "that a second call replaces their files. A damaged trace is read as far as it can\n"
            "be; what was repaired is counted in the table traces.\n",
    COMMAND_OPTIONS(columns_options),
    .shared = input_tables_options,
    .run = columns_run,
};
