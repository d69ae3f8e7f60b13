/* SPDX-License-Identifier: BSD-3-Clause */
/* Where goroutines spent their time, by their start function. */
#include <stdlib.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "formats.h"
#include "groups.h"
#include "input.h"
#include "table.h"

enum {
    PERCENTILES = 4,
    COLUMNS = GROUP_TIMES * (1 + PERCENTILES) + 2,
    NAME_COLUMN = GROUP_TIMES + 1
};

/* The names of the columns in options: first the count, then the times, then the name. */
static const char *const option_names[NAME_COLUMN + 1] = {
    "count",         "execution", "sched-wait", "block", "syscall",
    "syscall-block", "gc",        "unknown",    "total", "name",
};

static const struct table_column sums[GROUP_TIMES] = {
    [GROUP_EXECUTION] = {"execution", "execution_ns", TABLE_DURATION},
    [GROUP_SCHED_WAIT] = {"sched wait", "sched_wait_ns", TABLE_DURATION},
    [GROUP_BLOCK] = {"block", "block_ns", TABLE_DURATION},
    [GROUP_SYSCALL] = {"syscall", "syscall_ns", TABLE_DURATION},
    [GROUP_SYSCALL_BLOCK] = {"syscall block", "syscall_block_ns", TABLE_DURATION},
    [GROUP_GC] = {"GC", "gc_ns", TABLE_DURATION},
    [GROUP_UNKNOWN] = {"unknown", "unknown_ns", TABLE_DURATION},
    [GROUP_TOTAL] = {"total", "total_ns", TABLE_DURATION},
};

/* The label and the key of a percentile are abbreviations of those of its time. */
#define PERCENTILES_OF(label, key)                                                                 \
    {                                                                                              \
        {label " p50", key "_p50_ns", TABLE_DURATION},                                             \
            {label " p90", key "_p90_ns", TABLE_DURATION},                                         \
            {label " p99", key "_p99_ns", TABLE_DURATION},                                         \
        {                                                                                          \
            label " max", key "_max_ns", TABLE_DURATION                                            \
        }                                                                                          \
    }

static const struct table_column percentiles[GROUP_TIMES][PERCENTILES] = {
    [GROUP_EXECUTION] = PERCENTILES_OF("exec", "execution"),
    [GROUP_SCHED_WAIT] = PERCENTILES_OF("sched", "sched_wait"),
    [GROUP_BLOCK] = PERCENTILES_OF("block", "block"),
    [GROUP_SYSCALL] = PERCENTILES_OF("syscall", "syscall"),
    [GROUP_SYSCALL_BLOCK] = PERCENTILES_OF("sysblock", "syscall_block"),
    [GROUP_GC] = PERCENTILES_OF("GC", "gc"),
    [GROUP_UNKNOWN] = PERCENTILES_OF("unknown", "unknown"),
    [GROUP_TOTAL] = PERCENTILES_OF("total", "total"),
};

static const unsigned int percents[PERCENTILES] = {50, 90, 99, 100};

/* Returns the column of this name, or -1. */
static int goroutines_find_column(const char *name, size_t size)
{
    for (int i = 0; i <= NAME_COLUMN; i++) {
        if (strlen(option_names[i]) == size && memcmp(option_names[i], name, size) == 0)
            return i;
    }
    return -1;
}

/* Marks the times in a list such as "execution,block"; returns false if one is unknown. */
static bool goroutines_parse_times(const char *list, bool *times)
{
    while (list) {
        size_t size = strcspn(list, ",");
        int column = goroutines_find_column(list, size);
        if (column <= 0 || column == NAME_COLUMN)
            return false;
        times[column - 1] = true;
        list = list[size] == ',' ? list + size + 1 : NULL;
    }
    return true;
}

static int64_t goroutines_sort_key(const struct group *group, int column)
{
    if (column == NAME_COLUMN)
        return 0;
    return column == 0 ? (int64_t) group->count : group->sums[column - 1];
}

static int goroutines_compare_groups(const void *a, const void *b)
{
    const struct group *left = *(struct group *const *) a, *right = *(struct group *const *) b;
    if (left->key != right->key)
        return left->key > right->key ? -1 : 1;
    return group_compare_names(left, right);
}

static size_t goroutines_choose_columns(const struct groups *groups, struct table_column *columns)
{
    size_t count = 0;
    columns[count++] = (struct table_column){"count", "count", TABLE_COUNT};
    for (size_t time = 0; time < GROUP_TIMES; time++) {
        columns[count++] = sums[time];
        for (size_t i = 0; groups->keep[time] && i < PERCENTILES; i++)
            columns[count++] = percentiles[time][i];
    }
    columns[count++] = (struct table_column){"start function", "name", TABLE_TEXT};
    return count;
}

static struct table_cell *goroutines_fill_row(struct table_cell *cell, const struct groups *groups,
                                              const struct group *group, enum table_format format)
{
    static const char inactive[] = "(no stack was seen)";
    (cell++)->number = (int64_t) group->count;
    for (size_t time = 0; time < GROUP_TIMES; time++) {
        (cell++)->number = group->sums[time];
        for (size_t i = 0; groups->keep[time] && i < PERCENTILES; i++)
            (cell++)->number = group_percentile(group, (enum group_time) time, percents[i]);
    }
    cell->text = (gt_string){group->name, group->name_size};
    if (group->name_size == 0 && format == TABLE_COLUMNS)
        cell->text = (gt_string){inactive, sizeof(inactive) - 1};
    return cell + 1;
}

struct goroutines_command {
    struct input in;
    const char *sort;
    const char *percentiles;
    struct formats formats;
    int sort_column;
    struct groups groups;
    gt_summary *summary;
};

#define TIME_WORDS "execution sched-wait block syscall syscall-block gc unknown total"

static const struct option goroutines_options[] = {
    {OPTION_VALUE(
         struct goroutines_command, sort, "sort", "COLUMN",
         "sort by count, execution, sched-wait, block, syscall, syscall-block, gc, unknown, "
         "total (largest first) or name; the default is execution"),
     .summary = "sort by a column", .words = "count " TIME_WORDS " name"},
    {OPTION_VALUE(struct goroutines_command, percentiles, "percentiles", "COLUMN,...",
                  "add the 50th, 90th and 99th percentile and the maximum over the goroutines of a "
                  "row"),
     .summary = "add percentiles", .words = TIME_WORDS, .is_list = true},
    FORMATS_OPTIONS(struct goroutines_command, formats),
};

static bool goroutines_write_groups(struct goroutines_command *c, struct output *out)
{
    struct groups *groups = &c->groups;
    enum table_format format = formats_choose(&c->formats);
    struct table_column columns[COLUMNS];
    struct table table = {.columns = columns, .row_count = groups->count};
    table.column_count = goroutines_choose_columns(groups, columns);
    struct table_cell *cells = calloc(groups->count * table.column_count + 1, sizeof(*cells));
    if (!cells)
        return false;
    groups_sort_values(groups);
    for (size_t i = 0; i < groups->count; i++)
        groups->list[i]->key = goroutines_sort_key(groups->list[i], c->sort_column);
    if (groups->count > 0)
        qsort(groups->list, groups->count, sizeof(*groups->list), goroutines_compare_groups);
    struct table_cell *cell = cells;
    for (size_t i = 0; i < groups->count; i++)
        cell = goroutines_fill_row(cell, groups, groups->list[i], format);
    table.cells = cells;
    table_write(out, &table, format);
    free(cells);
    return true;
}

static gt_status goroutines_event(void *user_data, const gt_event *event)
{
    struct goroutines_command *c = user_data;
    gt_status status = gt_summary_event(c->summary, c->in.reader, event);
    return c->groups.out_of_memory ? GT_ERR_NO_MEMORY : status;
}

/* Returns the status that ended the reading, or that of another failure. */
static gt_status goroutines_read_events(struct goroutines_command *c)
{
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    options.flags = GT_SUMMARY_DROP;
    options.on_goroutine = groups_add;
    options.user_data = &c->groups;
    gt_status status = gt_summary_open(&c->summary, &options, &c->in.failure), reading = GT_OK;
    if (status == GT_OK)
        status = input_for_each_event(c->in.reader, goroutines_event, c, &reading);
    gt_status finished = gt_summary_finish(c->summary);
    gt_summary_close(&c->summary);
    if (c->groups.out_of_memory)
        return GT_ERR_NO_MEMORY;
    if (status != GT_OK)
        return status;
    return reading == GT_END ? finished : reading;
}

static int goroutines_check_options(struct goroutines_command *c, const struct command *self)
{
    c->sort_column = goroutines_find_column(c->sort, strlen(c->sort));
    if (c->sort_column < 0)
        return command_misused(self, "no such column", c->sort);
    if (!goroutines_parse_times(c->percentiles, c->groups.keep))
        return command_misused(self, "no such times", c->percentiles);
    return formats_check(&c->formats, self);
}

static int goroutines_run(const struct command *self, struct output *out, char **arguments)
{
    struct goroutines_command c = {.sort = option_names[1 + GROUP_EXECUTION]};
    int code = input_parse(&c.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = goroutines_check_options(&c, self);
    if (code == COMMAND_GO_ON)
        code = input_start(&c.in);
    if (code != COMMAND_GO_ON)
        return code;
    gt_status status = goroutines_read_events(&c);
    if (!goroutines_write_groups(&c, out))
        status = GT_ERR_NO_MEMORY;
    groups_free(&c.groups);
    return input_close(&c.in, out, status);
}

const struct command command_goroutines = {
    .name = "goroutines",
    .usage = "goroutines [OPTION...] FILE",
    .summary = "print where goroutines spent their time, by start function",
    .help = "Prints a row for each start function of goroutines: how many goroutines there\n"
            "were, and the sums of their times.\n",
    COMMAND_OPTIONS(goroutines_options),
    .shared = input_options,
    .run = goroutines_run,
};
