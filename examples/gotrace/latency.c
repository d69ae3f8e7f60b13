/* SPDX-License-Identifier: BSD-3-Clause */
/* The distributions of how long goroutines wait, and who ends their waits. */
#include <ctype.h>
#include <stdlib.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "formats.h"
#include "input.h"
#include "list.h"
#include "pairs.h"
#include "table.h"
#include "text.h"

enum {
    QUANTILES = 5,
    COLUMNS = QUANTILES + 6,
    HISTOGRAM_COLUMNS = 6
};

static const double quantiles[QUANTILES] = {0.5, 0.9, 0.99, 0.999, 0.9999};

struct latency_command {
    struct input in;
    bool histogram;
    bool unblocks;
    bool stacks;
    /* The largest number of rows of each kind and group: the text of the option, and its value. */
    const char *top;
    size_t row_max;
    struct formats formats;
    gt_latency *latency;
};

static const struct option latency_options[] = {
    {OPTION_FLAG(struct latency_command, histogram, "histogram",
                 "print how many durations are in each power of two instead"),
     .summary = "count the durations in each power of two", .excludes = "--unblocks"},
    {OPTION_FLAG(struct latency_command, unblocks, "unblocks",
                 "print who ended whose waits, and how often, by function instead"),
     .summary = "print who ended whose waits, and how often", .excludes = "--histogram"},
    {OPTION_FLAG(struct latency_command, stacks, "stacks",
                 "with --unblocks: by stack, innermost function first"),
     .summary = "with --unblocks, by stack"},
    {OPTION_VALUE(
         struct latency_command, top, "top", "N",
         "up to N rows of each kind, those with the longest sum or the highest count; 0 for "
         "all; the default is 10"),
     .summary = "up to N rows of each kind"},
    FORMATS_OPTIONS(struct latency_command, formats),
};

/* Rows that become a table. */
struct rows {
    struct table_cell *cells;
    size_t count;
    size_t capacity;
};

/* Appends a row of `columns` cells. Returns NULL if there is not enough memory. */
static struct table_cell *latency_add_row(struct rows *rows, size_t columns)
{
    size_t row = columns * sizeof(*rows->cells);
    if (!list_reserve(&rows->cells, &rows->capacity, rows->count + 1, row))
        return NULL;
    return rows->cells + rows->count++ * columns;
}

/* The name of a series, or what to print for one that is not known or is empty. */
static gt_string latency_name(const gt_latency_series *series)
{
    static const char *const unknown[] = {
        [GT_LATENCY_ALL] = "",
        [GT_LATENCY_BY_GOROUTINE] = "(no stack was seen)",
        [GT_LATENCY_BY_REASON] = "(unknown)",
        [GT_LATENCY_BY_TASK] = "(no name)",
        [GT_LATENCY_BY_REGION] = "(no name)",
    };
    bool is_known = series->name.size > 0 || series->group >= sizeof(unknown) / sizeof(unknown[0]);
    return is_known ? series->name : text_of(unknown[series->group]);
}

static bool latency_add_series(struct rows *rows, const gt_latency *latency, size_t index)
{
    gt_latency_series series = GT_LATENCY_SERIES_INIT;
    struct table_cell *cell = latency_add_row(rows, COLUMNS);
    if (!cell)
        return false;
    gt_latency_get_series(latency, index, &series);
    (cell++)->text = text_of(gt_latency_kind_name(series.kind));
    (cell++)->text = text_of(gt_latency_group_name(series.group));
    (cell++)->number = (int64_t) series.count;
    (cell++)->number = series.sum;
    for (size_t i = 0; i < QUANTILES; i++)
        gt_latency_quantile(latency, index, quantiles[i], &(cell++)->number);
    (cell++)->number = series.maximum;
    cell->text = latency_name(&series);
    return true;
}

/* Widens a bucket to the powers of two around it; 0 and 1 have buckets of their own. */
static void latency_widen_bucket(gt_latency_bucket *bucket)
{
    int64_t begin = 1;
    while (begin <= bucket->from / 2)
        begin *= 2;
    bucket->from = bucket->from == 0 ? 0 : begin;
    bucket->to = bucket->from == 0 ? 1 : begin <= INT64_MAX / 2 ? 2 * begin : INT64_MAX;
}

static bool latency_add_histogram(struct rows *rows, const gt_latency *latency, size_t index)
{
    gt_latency_series series = GT_LATENCY_SERIES_INIT;
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    int64_t from = -1;
    gt_latency_get_series(latency, index, &series);
    while (gt_latency_next_bucket(latency, index, &bucket) == GT_OK) {
        gt_latency_bucket wide = bucket;
        latency_widen_bucket(&wide);
        if (wide.from == from) {
            rows->cells[rows->count * HISTOGRAM_COLUMNS - 2].number += (int64_t) bucket.count;
            continue;
        }
        struct table_cell *cell = latency_add_row(rows, HISTOGRAM_COLUMNS);
        if (!cell)
            return false;
        from = wide.from;
        cell[0].text = text_of(gt_latency_kind_name(series.kind));
        cell[1].text = text_of(gt_latency_group_name(series.group));
        cell[2].number = wide.from;
        cell[3].number = wide.to;
        cell[4].number = (int64_t) bucket.count;
        cell[5].text = latency_name(&series);
    }
    return true;
}

/* A series, and the sum by which it is ranked. */
struct ranked {
    size_t index;
    int64_t sum;
};

static int latency_compare_ranked(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    if (left->sum != right->sum)
        return left->sum > right->sum ? -1 : 1;
    return left->index < right->index ? -1 : 1;
}

/* Adds rows for the series with the longest sums. */
static bool latency_add_group(struct rows *rows, const gt_latency *latency, struct ranked *ranked,
                              size_t count, const struct latency_command *c)
{
    qsort(ranked, count, sizeof(*ranked), latency_compare_ranked);
    for (size_t i = 0; i < count && i < c->row_max; i++) {
        if (!(c->histogram ? latency_add_histogram(rows, latency, ranked[i].index)
                           : latency_add_series(rows, latency, ranked[i].index)))
            return false;
    }
    return true;
}

static bool latency_add_all_series(struct rows *rows, const gt_latency *latency,
                                   const struct latency_command *c)
{
    size_t count = gt_latency_series_count(latency), begun = 0;
    struct ranked *ranked = calloc(count + 1, sizeof(*ranked));
    bool good = ranked != NULL;
    uint32_t kind = 0, group = 0;
    for (size_t i = 0; good && i < count; i++) {
        gt_latency_series series = GT_LATENCY_SERIES_INIT;
        gt_latency_get_series(latency, i, &series);
        if (series.kind != kind || series.group != group) {
            good = latency_add_group(rows, latency, ranked + begun, i - begun, c);
            begun = i;
        }
        kind = series.kind;
        group = series.group;
        ranked[i] = (struct ranked){i, series.sum};
    }
    good = good && latency_add_group(rows, latency, ranked + begun, count - begun, c);
    free(ranked);
    return good;
}

static bool latency_write_series(struct output *out, const gt_latency *latency,
                                 const struct latency_command *c)
{
    static const struct table_column columns[COLUMNS] = {
        {"what", "kind", TABLE_TEXT},
        {"by", "group", TABLE_TEXT},
        {"count", "count", TABLE_COUNT},
        {"sum", "sum_ns", TABLE_DURATION},
        {"p50", "p50_ns", TABLE_DURATION},
        {"p90", "p90_ns", TABLE_DURATION},
        {"p99", "p99_ns", TABLE_DURATION},
        {"p99.9", "p99_9_ns", TABLE_DURATION},
        {"p99.99", "p99_99_ns", TABLE_DURATION},
        {"max", "max_ns", TABLE_DURATION},
        {"name", "name", TABLE_TEXT},
    };
    static const struct table_column histogram_columns[HISTOGRAM_COLUMNS] = {
        {"what", "kind", TABLE_TEXT},        {"by", "group", TABLE_TEXT},
        {"from", "from_ns", TABLE_DURATION}, {"to", "to_ns", TABLE_DURATION},
        {"count", "count", TABLE_COUNT},     {"name", "name", TABLE_TEXT},
    };
    struct rows rows = {0};
    bool good = latency_add_all_series(&rows, latency, c);
    if (good) {
        const struct table table = {
            .columns = c->histogram ? histogram_columns : columns,
            .column_count = c->histogram ? HISTOGRAM_COLUMNS : COLUMNS,
            .cells = rows.cells,
            .row_count = rows.count,
        };
        table_write(out, &table, formats_choose(&c->formats));
    }
    free(rows.cells);
    return good;
}

static bool latency_write_pairs(struct output *out, const gt_latency *latency,
                                const struct latency_command *c)
{
    static const struct table_column columns[PAIR_COLUMNS] = {
        {"count", "count", TABLE_COUNT},
        {"time waited", "time_ns", TABLE_DURATION},
        {"who waited", "waiter", TABLE_TEXT},
        {"who unblocked it", "unblocker", TABLE_TEXT},
    };
    struct pairs pairs = {0};
    bool good = pairs_collect(&pairs, latency, c->stacks);
    if (good) {
        const struct table table = {
            .columns = columns,
            .column_count = PAIR_COLUMNS,
            .cells = pairs.cells,
            .row_count = pairs.count < c->row_max ? pairs.count : c->row_max,
        };
        table_write(out, &table, formats_choose(&c->formats));
    }
    pairs_free(&pairs);
    return good;
}

static gt_status latency_event(void *user_data, const gt_event *event)
{
    struct latency_command *c = user_data;
    return gt_latency_event(c->latency, c->in.reader, event);
}

static bool latency_parse_top(const char *text, size_t *top)
{
    char *end;
    unsigned long long value = isdigit((unsigned char) *text) ? strtoull(text, &end, 10) : 0;
    if (!isdigit((unsigned char) *text) || *end != '\0')
        return false;
    *top = value == 0 || value > SIZE_MAX ? SIZE_MAX : (size_t) value;
    return true;
}

/* Returns the status that ended the reading, or that of another failure. */
static gt_status latency_read_events(struct latency_command *c)
{
    gt_status reading;
    gt_status status = input_for_each_event(c->in.reader, latency_event, c, &reading);
    gt_status finished = gt_latency_finish(c->latency);
    if (status != GT_OK)
        return status;
    return reading == GT_END ? finished : reading;
}

static int latency_check_options(struct latency_command *c, const struct command *self)
{
    if (c->histogram && c->unblocks)
        return command_misused(self, "--histogram does not go with", "--unblocks");
    if (c->stacks && !c->unblocks)
        return command_misused(self, "without --unblocks there are no", "--stacks");
    if (!latency_parse_top(c->top, &c->row_max))
        return command_misused(self, "not a number:", c->top);
    return formats_check(&c->formats, self);
}

static int latency_run(const struct command *self, struct output *out, char **arguments)
{
    struct latency_command c = {.top = "10"};
    int code = input_parse(&c.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = latency_check_options(&c, self);
    if (code == COMMAND_GO_ON)
        code = input_start(&c.in);
    if (code != COMMAND_GO_ON)
        return code;
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    options.pairs = c.unblocks ? options.pairs : 0;
    gt_status status = gt_latency_open(&c.latency, &options, &c.in.failure);
    if (status == GT_OK) {
        status = latency_read_events(&c);
        if (!(c.unblocks ? latency_write_pairs(out, c.latency, &c)
                         : latency_write_series(out, c.latency, &c)))
            status = GT_ERR_NO_MEMORY;
    }
    gt_latency_close(&c.latency);
    return input_close(&c.in, out, status);
}

const struct command command_latency = {
    .name = "latency",
    .usage = "latency [OPTION...] FILE",
    .summary = "print how long goroutines wait, and for whom",
    .help = "Prints how long goroutines waited for a proc (sched) and for other events\n"
            "(block), and how long tasks and regions took: in total, and by goroutine,\n"
            "reason, task and region. Percentiles are off by at most 1/64.\n",
    COMMAND_OPTIONS(latency_options),
    .shared = input_options,
    .run = latency_run,
};
