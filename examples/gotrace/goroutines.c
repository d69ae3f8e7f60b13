/* SPDX-License-Identifier: BSD-3-Clause */
/* Where goroutines spent their time, by the function that they start with. */
#include <stdlib.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "groups.h"
#include "input.h"
#include "table.h"

enum {
    PERCENTILES = 4,
    COLUMNS = GROUP_TIMES * (1 + PERCENTILES) + 2,
    NAME_COLUMN = GROUP_TIMES + 1
};

/* How options name columns. What is not a time: the count before them, the name after. */
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

/* A percentile's label and key are those of the time, in short. */
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

/* The column of this name, or -1. */
static int goroutines_find_column(const char *name, size_t size)
{
    for (int i = 0; i <= NAME_COLUMN; i++) {
        if (strlen(option_names[i]) == size && memcmp(option_names[i], name, size) == 0)
            return i;
    }
    return -1;
}

/* Marks the times that a list such as "execution,block" names; false where one is none. */
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

/* Which column qsort sorts by, which cannot be told otherwise. */
static int sort_column;

static int64_t goroutines_sort_value(const struct group *group)
{
    if (sort_column == NAME_COLUMN)
        return 0;
    return sort_column == 0 ? (int64_t) group->count : group->sums[sort_column - 1];
}

static int goroutines_compare_groups(const void *a, const void *b)
{
    const struct group *left = *(struct group *const *) a, *right = *(struct group *const *) b;
    int64_t left_value = goroutines_sort_value(left), right_value = goroutines_sort_value(right);
    if (left_value != right_value)
        return left_value > right_value ? -1 : 1;
    size_t least = left->name_size < right->name_size ? left->name_size : right->name_size;
    int order = memcmp(left->name, right->name, least);
    return order != 0 ? order : left->name_size < right->name_size ? -1 : 1;
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

static bool goroutines_write_groups(struct output *out, struct groups *groups,
                                    enum table_format format)
{
    struct table_column columns[COLUMNS];
    struct table table = {.columns = columns, .row_count = groups->count};
    table.column_count = goroutines_choose_columns(groups, columns);
    struct table_cell *cells = calloc(groups->count * table.column_count + 1, sizeof(*cells));
    if (!cells)
        return false;
    groups_sort_values(groups);
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

/* What ended the reading, or went wrong here. */
static gt_status goroutines_read_events(gt_reader *reader, struct groups *groups)
{
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    options.flags = GT_SUMMARY_DROP;
    options.on_goroutine = groups_add;
    options.user_data = groups;
    gt_summary *summary;
    const gt_event *event;
    gt_status status = gt_summary_open(&summary, &options), finished;
    while (status == GT_OK && !groups->out_of_memory) {
        status = gt_reader_next_event(reader, &event);
        if (status == GT_OK)
            status = gt_summary_event(summary, reader, event);
    }
    finished = gt_summary_finish(summary);
    gt_summary_close(&summary);
    if (groups->out_of_memory)
        return GT_ERR_NO_MEMORY;
    return status == GT_END ? finished : status;
}

static int goroutines_run(const struct command *self, struct output *out, char **arguments)
{
    bool json = false, csv = false;
    const char *sort = option_names[1 + GROUP_EXECUTION], *list = NULL;
    const struct option own[] = {
        {.name = "sort", .value = &sort},
        {.name = "percentiles", .value = &list},
        {.name = "json", .flag = &json},
        {.name = "csv", .flag = &csv},
    };
    struct input in;
    struct groups groups = {0};
    int code = input_open(&in, self, out, arguments, own, sizeof(own) / sizeof(own[0]));
    if (code != COMMAND_GO_ON)
        return code;
    sort_column = goroutines_find_column(sort, strlen(sort));
    if (sort_column < 0)
        code = command_misused(self, "no such column", sort);
    else if (!goroutines_parse_times(list, groups.keep))
        code = command_misused(self, "no such times", list);
    else if (json && csv)
        code = command_misused(self, "--json does not go with", "--csv");
    if (code != COMMAND_GO_ON) {
        input_close(&in, out, GT_OK);
        return code;
    }
    gt_status status = goroutines_read_events(in.reader, &groups);
    if (!goroutines_write_groups(out, &groups, table_choose(json, csv)))
        status = GT_ERR_NO_MEMORY;
    groups_free(&groups);
    return input_close(&in, out, status);
}

const struct command command_goroutines = {
    .name = "goroutines",
    .usage = "goroutines [OPTION...] FILE",
    .summary = "say what goroutines spent their time on, by start function",
    .help = "Prints a row for each function that goroutines start with: how many there were,\n"
            "and the sums of their times.\n"
            "\n"
            "  --sort COLUMN   sort by count, execution, sched-wait, block, syscall,\n"
            "                  syscall-block, gc, unknown, total (from the largest) or name;\n"
            "                  without it by execution\n"
            "  --percentiles COLUMN,...\n"
            "                  add the 50th, 90th and 99th percentile and the maximum over\n"
            "                  the goroutines of a row\n"
            "  --json          as JSON, an object a line; times are nanoseconds\n"
            "  --csv           as CSV; times are nanoseconds\n" INPUT_HELP,
    .run = goroutines_run,
};
