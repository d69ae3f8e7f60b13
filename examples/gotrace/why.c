/* SPDX-License-Identifier: BSD-3-Clause */
/* What tasks, regions or goroutines spent their time on: their critical paths. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/gotrace.h>

#include "choices.h"
#include "command.h"
#include "formats.h"
#include "input.h"
#include "moment.h"
#include "text.h"
#include "whyrows.h"

enum {
    ROW_COLUMNS = 5,
    SIDES_COLUMNS = 7,
    PART_COLUMNS = 7,
    LINE_MAX_SIZE = 256,
    HISTORY_MIB = 128,
    HISTORY_MIB_MAX = 1 << 20
};

struct why_command {
    struct input in;
    const char *task;
    const char *region;
    const char *group;
    const char *goroutine;
    const char *start;
    const char *end;
    struct moment moments[2];
    const char *percentile;
    const char *top;
    const char *history;
    bool stacks;
    struct formats formats;
    struct output *out;
    gt_path_options options;
    int64_t goroutine_id;
    double quantile;
    size_t row_max;
    gt_path *path;
    struct whyrows rows;
    size_t counts[WHYROWS_SIDES];
    bool is_missing; /* the trace does not have what is asked for */
};

static const struct option why_options[] = {
    {OPTION_VALUE(struct why_command, task, "task", "TYPE",
                  "all tasks of this type; of any type if it is empty"),
     .summary = "all tasks of a type"},
    {OPTION_VALUE(struct why_command, region, "region", "TYPE", "all regions, likewise"),
     .summary = "all regions of a type"},
    {OPTION_VALUE(
         struct why_command, group, "group", "FUNCTION",
         "all goroutines that start with this function and were created in the trace, from "
         "creation to end; of any function if it is empty"),
     .summary = "all goroutines of a start function"},
    {OPTION_VALUE(struct why_command, goroutine, "goroutine", "N",
                  "one goroutine: prints the parts of the path in the order of time"),
     .summary = "the path of one goroutine"},
    {OPTION_VALUE(
         struct why_command, start, "start", "TIME",
         "with --goroutine, where the path begins: +1.5s is 1.5 seconds after the beginning "
         "of the trace, and a number is a time that 'gotrace dump' prints; the default is "
         "the beginning"),
     .summary = "where the path begins"},
    {OPTION_VALUE(struct why_command, end, "end", "TIME",
                  "where it ends; the default is the end of the goroutine"),
     .summary = "where the path ends"},
    {OPTION_VALUE(struct why_command, percentile, "percentile", "P",
                  "compare the slow ones, whose duration is at least this percentile, with those "
                  "in the middle, from the 40th to the 60th; times are means"),
     .summary = "compare the slow ones with those in the middle"},
    {OPTION_FLAG(struct why_command, stacks, "stacks", "by stack, innermost function first")},
    {OPTION_VALUE(struct why_command, top, "top", "N",
                  "up to N rows; 0 for all; the default is 20, and all of a goroutine"),
     .summary = "up to N rows"},
    {OPTION_VALUE(struct why_command, history, "history", "MIB",
                  "keep so many MiB of the past of goroutines; 0 for all; the default is 128, "
                  "about 5.6 million changes of state, and all for --goroutine"),
     .summary = "how much of the past to keep"},
    FORMATS_OPTIONS(struct why_command, formats),
};

static bool why_parse_count(const char *text, uint64_t most, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char) *text))
        return false;
    *value = strtoull(text, &end, 10);
    return *end == '\0' && *value <= most;
}

/* Sets what is asked for. Returns how many of the options that say so were given. */
static int why_choose(struct why_command *c)
{
    const char *const names[] = {c->task, c->region, c->group};
    static const uint64_t flags[] = {GT_PATH_TASKS, GT_PATH_REGIONS, GT_PATH_GOROUTINES};
    int given = c->goroutine != NULL;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!names[i])
            continue;
        given++;
        c->options.flags |= flags[i];
        if (names[i][0] != '\0')
            c->options.name = text_of(names[i]);
    }
    return given;
}

static int why_check_numbers(struct why_command *c, const struct command *self)
{
    uint64_t value = c->goroutine ? 0 : 20, history = c->goroutine ? 0 : HISTORY_MIB;
    if (c->top && !why_parse_count(c->top, UINT64_MAX, &value))
        return command_misused(self, "not a number:", c->top);
    c->row_max = value == 0 || value > SIZE_MAX ? SIZE_MAX : (size_t) value;
    if (c->history && !why_parse_count(c->history, HISTORY_MIB_MAX, &history))
        return command_misused(self, "not a number of MiB:", c->history);
    c->options.history = history << 20;
    if (c->goroutine && !why_parse_count(c->goroutine, INT64_MAX, &value))
        return command_misused(self, "not the number of a goroutine:", c->goroutine);
    c->goroutine_id = (int64_t) value;
    char *end;
    if (!c->percentile)
        return COMMAND_GO_ON;
    c->quantile = strtod(c->percentile, &end) / 100;
    if (!isdigit((unsigned char) *c->percentile) || *end != '\0' || !(c->quantile <= 1))
        return command_misused(self, "not a percentile:", c->percentile);
    return COMMAND_GO_ON;
}

/* Parses a time as --start describes it: the trace is read only once. */
static bool why_parse_time(const char *text, struct moment *moment)
{
    return moment_parse(moment, text) &&
           (moment->origin == MOMENT_TRACE_CLOCK || moment->origin == MOMENT_BEGINNING);
}

static int why_check_options(struct why_command *c, const struct command *self)
{
    if (why_choose(c) != 1)
        return command_misused(self, "give one of --task, --region, --group and --goroutine", NULL);
    if (!c->goroutine && (c->start || c->end))
        return command_misused(self, "--start and --end need", "--goroutine");
    if (c->goroutine && c->percentile)
        return command_misused(self, "--percentile does not go with", "--goroutine");
    if (c->start && !why_parse_time(c->start, &c->moments[0]))
        return command_misused(self, "not a time such as +1.5s:", c->start);
    if (c->end && !why_parse_time(c->end, &c->moments[1]))
        return command_misused(self, "not a time such as +1.5s:", c->end);
    int code = why_check_numbers(c, self);
    return code == COMMAND_GO_ON ? formats_check(&c->formats, self) : code;
}

/* Writes a line about the whole above a table for people. */
static void why_write_heading(struct why_command *c, const char *heading)
{
    gt_path_info info = GT_PATH_INFO_INIT;
    if (formats_choose(&c->formats) != TABLE_COLUMNS)
        return;
    output_text(c->out, heading);
    gt_path_get_info(c->path, &info);
    if (info.cut > 0) {
        char line[LINE_MAX_SIZE];
        snprintf(line, sizeof(line), "; %" PRIu64 " paths are incomplete, as they are too long",
                 info.cut);
        output_text(c->out, line);
    }
    output_text(c->out, "\n\n");
}

static void why_write_rows(struct why_command *c, const struct table_column *columns,
                           size_t column_count, struct table_cell *cells)
{
    struct table_cell *cell = cells;
    size_t count = c->rows.count < c->row_max ? c->rows.count : c->row_max;
    for (size_t i = 0; i < count; i++) {
        const struct whyrow *row = &c->rows.list[i];
        (cell++)->number = row->time[0];
        if (column_count == SIDES_COLUMNS) {
            (cell++)->number = row->time[1];
            (cell++)->number = (int64_t) ((uint64_t) row->time[0] - (uint64_t) row->time[1]);
        }
        (cell++)->text = row->group;
        (cell++)->text = row->where;
        (cell++)->text = row->reason;
        (cell++)->text = row->what;
    }
    const struct table table = {columns, column_count, cells, count};
    table_write(c->out, &table, formats_choose(&c->formats));
}

#define WHY_TEXT_COLUMNS                                                                           \
    {"goroutines", "group", TABLE_TEXT}, {"where", "where", TABLE_TEXT},                           \
        {"reason", "reason", TABLE_TEXT},                                                          \
    {                                                                                              \
        "state", "state", TABLE_TEXT                                                               \
    }

static gt_status why_write_table(struct why_command *c)
{
    static const struct table_column one[ROW_COLUMNS] = {
        {"time", "time_ns", TABLE_DURATION},
        WHY_TEXT_COLUMNS,
    };
    static const struct table_column two[SIDES_COLUMNS] = {
        {"slow", "slow_ns", TABLE_DURATION},
        {"middle", "middle_ns", TABLE_DURATION},
        {"difference", "difference_ns", TABLE_DURATION},
        WHY_TEXT_COLUMNS,
    };
    whyrows_merge(&c->rows, c->counts, c->percentile != NULL);
    struct table_cell *cells = calloc(c->rows.count + 1, SIDES_COLUMNS * sizeof(*cells));
    if (!cells)
        return GT_ERR_NO_MEMORY;
    if (c->percentile)
        why_write_rows(c, two, SIDES_COLUMNS, cells);
    else
        why_write_rows(c, one, ROW_COLUMNS, cells);
    free(cells);
    return GT_OK;
}

/* Adds the paths of the intervals with durations from one quantile to another to a side. */
static gt_status why_select(struct why_command *c, size_t side, double from, double to,
                            int64_t *shortest, int64_t *longest)
{
    gt_status status = gt_path_quantile(c->path, from, shortest);
    if (status == GT_OK)
        status = gt_path_quantile(c->path, to, longest);
    if (status == GT_ERR_NOT_AVAILABLE)
        return GT_OK;
    if (status == GT_OK)
        status = gt_path_select(c->path, *shortest, *longest);
    if (status != GT_OK)
        return status;
    c->counts[side] = gt_path_selected_count(c->path);
    return whyrows_add(&c->rows, c->path, side, c->stacks) ? GT_OK : GT_ERR_NO_MEMORY;
}

static const char *why_noun(const struct why_command *c)
{
    return c->task ? "tasks" : c->region ? "regions" : "goroutines";
}

static gt_status why_write_all(struct why_command *c)
{
    int64_t from = 0, to = 0;
    char line[LINE_MAX_SIZE], shortest[GT_DURATION_TEXT_SIZE], longest[GT_DURATION_TEXT_SIZE];
    gt_status status = why_select(c, 0, 0, 1, &from, &to);
    if (status != GT_OK)
        return status;
    gt_duration_format(from, shortest, sizeof(shortest));
    gt_duration_format(to, longest, sizeof(longest));
    snprintf(line, sizeof(line), "%zu %s of %s to %s", c->counts[0], why_noun(c), shortest,
             longest);
    why_write_heading(c, line);
    return why_write_table(c);
}

static gt_status why_write_sides(struct why_command *c)
{
    int64_t slow = 0, longest = 0, from = 0, to = 0;
    char line[LINE_MAX_SIZE], texts[3][GT_DURATION_TEXT_SIZE];
    gt_status status = why_select(c, 0, c->quantile, 1, &slow, &longest);
    if (status == GT_OK)
        status = why_select(c, 1, 0.4, 0.6, &from, &to);
    if (status != GT_OK)
        return status;
    gt_duration_format(slow, texts[0], sizeof(texts[0]));
    gt_duration_format(from, texts[1], sizeof(texts[1]));
    gt_duration_format(to, texts[2], sizeof(texts[2]));
    snprintf(line, sizeof(line), "%zu slow %s of at least %s, and %zu of %s to %s, on average",
             c->counts[0], why_noun(c), texts[0], c->counts[1], texts[1], texts[2]);
    why_write_heading(c, line);
    return why_write_table(c);
}

static gt_status why_write_parts(struct why_command *c, int64_t first)
{
    static const struct table_column columns[PART_COLUMNS] = {
        {"after", "start_ns", TABLE_DURATION},
        {"time", "time_ns", TABLE_DURATION},
        {"goroutine", "goroutine", TABLE_COUNT},
        WHY_TEXT_COLUMNS,
    };
    size_t count = gt_path_part_count(c->path);
    count = count < c->row_max ? count : c->row_max;
    struct table_cell *cells = calloc(count + 1, PART_COLUMNS * sizeof(*cells)), *cell = cells;
    bool good = cells != NULL, is_table = formats_choose(&c->formats) == TABLE_COLUMNS;
    for (size_t i = 0; good && i < count; i++) {
        gt_path_part part = GT_PATH_PART_INIT;
        gt_path_get_part(c->path, i, &part);
        (cell++)->number =
            is_table ? (int64_t) ((uint64_t) part.start - (uint64_t) first) : part.start;
        (cell++)->number = (int64_t) ((uint64_t) part.end - (uint64_t) part.start);
        (cell++)->number = part.goroutine;
        (cell++)->text = part.group;
        good =
            whyrows_describe(&c->rows, &(cell++)->text, c->path, i, gt_path_part_frames, c->stacks);
        (cell++)->text = part.reason;
        (cell++)->text = text_of(gt_path_state_name(part.state));
    }
    const struct table table = {columns, PART_COLUMNS, cells, count};
    if (good)
        table_write(c->out, &table, formats_choose(&c->formats));
    free(cells);
    return good ? GT_OK : GT_ERR_NO_MEMORY;
}

/* Leaves out the time after the end of the goroutine. */
static gt_status why_trim(const struct why_command *c, int64_t start)
{
    gt_path_part last = GT_PATH_PART_INIT;
    size_t count = gt_path_part_count(c->path);
    if (c->end || count < 2)
        return GT_OK;
    gt_path_get_part(c->path, count - 1, &last);
    if (last.state != GT_PATH_UNKNOWN)
        return GT_OK;
    return gt_path_follow(c->path, c->goroutine_id, start, last.start);
}

static gt_status why_write_goroutine(struct why_command *c)
{
    gt_path_info info = GT_PATH_INFO_INIT;
    gt_path_get_info(c->path, &info);
    const struct moment_base base = {.first = info.start};
    int64_t start = c->start ? moment_time(&c->moments[0], &base) : info.start;
    int64_t end = c->end ? moment_time(&c->moments[1], &base) : info.end;
    gt_status status = gt_path_follow(c->path, c->goroutine_id, start, end < start ? start : end);
    if (status == GT_ERR_NOT_AVAILABLE) {
        terminal_report("%s: the trace has no goroutine %s", c->in.name, c->goroutine);
        c->is_missing = true;
        return GT_OK;
    }
    if (status == GT_OK)
        status = why_trim(c, start);
    return status == GT_OK ? why_write_parts(c, info.start) : status;
}

/* Says that there is nothing of the name that was asked for, and which names there are. */
static gt_status why_report_missing(struct why_command *c)
{
    const char *name = c->task ? c->task : c->region ? c->region : c->group;
    const char *what = c->task     ? "no task of type '%s' begins and ends in the trace"
                       : c->region ? "no region of type '%s' begins and ends in the trace"
                                   : "no goroutine that starts with '%s' was created in the trace";
    const char *any = c->task     ? "no task begins and ends in the trace"
                      : c->region ? "no region begins and ends in the trace"
                                  : "no goroutine was created in the trace";
    struct choices choices = {NULL, 0, 0};
    gt_string each;
    uint64_t count;
    c->is_missing = true;
    for (size_t i = 0; gt_path_get_name(c->path, i, &each, &count) == GT_OK; i++) {
        if (!choices_add(&choices, each, count))
            break;
    }
    char *names = choices_text(&choices);
    size_t size = strlen(what) + strlen(name) + 1;
    char *said = malloc(size);
    if (said)
        snprintf(said, size, name[0] == '\0' ? any : what, name);
    if (said && names)
        terminal_report("%s: %s%s%s", c->in.name, said, choices.count > 0 ? "; there are " : "",
                        choices.count > 0 ? names : "");
    bool is_good = said && names;
    free(said);
    free(names);
    choices_free(&choices);
    return is_good ? GT_OK : GT_ERR_NO_MEMORY;
}

static gt_status why_write(struct why_command *c)
{
    if (c->goroutine)
        return why_write_goroutine(c);
    if (gt_path_interval_count(c->path) == 0)
        return why_report_missing(c);
    return c->percentile ? why_write_sides(c) : why_write_all(c);
}

static gt_status why_event(void *user_data, const gt_event *event)
{
    struct why_command *c = user_data;
    return gt_path_event(c->path, c->in.reader, event);
}

/* Returns the status that ended the reading, or that of another failure. */
static gt_status why_read_events(struct why_command *c)
{
    gt_status reading = GT_OK;
    gt_status status = gt_path_open(&c->path, &c->options, &c->in.failure);
    if (status == GT_OK)
        status = input_for_each_event(c->in.reader, why_event, c, &reading);
    if (status == GT_OK)
        status = gt_path_finish(c->path);
    if (status == GT_OK)
        status = why_write(c);
    return status == GT_OK ? reading : status;
}

static int why_run(const struct command *self, struct output *out, char **arguments)
{
    struct why_command c = {.out = out, .options = GT_PATH_OPTIONS_INIT};
    int code = input_parse(&c.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = why_check_options(&c, self);
    if (code == COMMAND_GO_ON)
        code = input_start(&c.in);
    if (code != COMMAND_GO_ON)
        return code;
    gt_status status = why_read_events(&c);
    whyrows_free(&c.rows);
    gt_path_close(&c.path);
    code = input_close(&c.in, out, status);
    return code == COMMAND_GOOD && c.is_missing ? COMMAND_BAD : code;
}

const struct command command_why = {
    .name = "why",
    .usage = "why [OPTION...] FILE",
    .summary = "print what tasks, regions or goroutines spent their time on",
    .help = "Prints the critical path of all tasks, regions or goroutines of a name, added\n"
            "up: where they ran, waited for a proc or were in system calls and, where they\n"
            "waited for another goroutine, what that one did in the meantime. The times are\n"
            "exactly those of the tasks. One of --task, --region, --group and --goroutine is\n"
            "needed.\n",
    COMMAND_OPTIONS(why_options),
    .shared = input_options,
    .run = why_run,
};
