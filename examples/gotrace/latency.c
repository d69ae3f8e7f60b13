/* SPDX-License-Identifier: BSD-3-Clause */
/* How long goroutines wait, as distributions, and who ends their waits. */
#include <ctype.h>
#include <stdlib.h>

#include <gotrace/gotrace.h>

#include "command.h"
#include "input.h"
#include "pairs.h"
#include "table.h"

enum {
    QUANTILES = 5,
    COLUMNS = QUANTILES + 6,
    HISTOGRAM_COLUMNS = 6
};

static const double quantiles[QUANTILES] = {0.5, 0.9, 0.99, 0.999, 0.9999};

/* What is asked for. */
struct request {
    bool histogram;
    bool unblocks;
    bool stacks;
    enum table_format format;
    size_t top; /* rows of each kind and group */
};

/* Rows that become a table. */
struct rows {
    struct table_cell *cells;
    size_t count;
    size_t capacity;
};

static gt_string latency_text(const char *text)
{
    return (gt_string){text, strlen(text)};
}

/* Room for one more row of so many cells; NULL: no memory. */
static struct table_cell *latency_add_row(struct rows *rows, size_t columns)
{
    if (rows->count == rows->capacity) {
        size_t capacity = rows->capacity == 0 ? 64 : 2 * rows->capacity;
        struct table_cell *grown = realloc(rows->cells, capacity * columns * sizeof(*grown));
        if (!grown)
            return NULL;
        rows->cells = grown;
        rows->capacity = capacity;
    }
    return rows->cells + rows->count++ * columns;
}

static bool latency_add_series(struct rows *rows, const gt_latency *latency, size_t index)
{
    gt_latency_series series = GT_LATENCY_SERIES_INIT;
    struct table_cell *cell = latency_add_row(rows, COLUMNS);
    if (!cell)
        return false;
    gt_latency_get_series(latency, index, &series);
    (cell++)->text = latency_text(gt_latency_kind_name(series.kind));
    (cell++)->text = latency_text(gt_latency_group_name(series.group));
    (cell++)->number = (int64_t) series.count;
    (cell++)->number = series.sum;
    for (size_t i = 0; i < QUANTILES; i++)
        gt_latency_quantile(latency, index, quantiles[i], &(cell++)->number);
    (cell++)->number = series.maximum;
    cell->text = series.name;
    return true;
}

/* The power of two that `from` belongs to, as from and to; 0 and 1 have their own. */
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
        cell[0].text = latency_text(gt_latency_kind_name(series.kind));
        cell[1].text = latency_text(gt_latency_group_name(series.group));
        cell[2].number = wide.from;
        cell[3].number = wide.to;
        cell[4].number = (int64_t) bucket.count;
        cell[5].text = series.name;
    }
    return true;
}

/* A series and what it is ranked by. */
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

/* Adds the series of the longest sums among those from `first` to before `end`. */
static bool latency_add_group(struct rows *rows, const gt_latency *latency, struct ranked *ranked,
                              size_t count, const struct request *request)
{
    qsort(ranked, count, sizeof(*ranked), latency_compare_ranked);
    for (size_t i = 0; i < count && i < request->top; i++) {
        if (!(request->histogram ? latency_add_histogram(rows, latency, ranked[i].index)
                                 : latency_add_series(rows, latency, ranked[i].index)))
            return false;
    }
    return true;
}

static bool latency_add_all_series(struct rows *rows, const gt_latency *latency,
                                   const struct request *request)
{
    size_t count = gt_latency_series_count(latency), begun = 0;
    struct ranked *ranked = calloc(count + 1, sizeof(*ranked));
    bool good = ranked != NULL;
    uint32_t kind = 0, group = 0;
    for (size_t i = 0; good && i < count; i++) {
        gt_latency_series series = GT_LATENCY_SERIES_INIT;
        gt_latency_get_series(latency, i, &series);
        if (series.kind != kind || series.group != group) {
            good = latency_add_group(rows, latency, ranked + begun, i - begun, request);
            begun = i;
        }
        kind = series.kind;
        group = series.group;
        ranked[i] = (struct ranked){i, series.sum};
    }
    good = good && latency_add_group(rows, latency, ranked + begun, count - begun, request);
    free(ranked);
    return good;
}

static bool latency_write_series(struct output *out, const gt_latency *latency,
                                 const struct request *request)
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
    bool good = latency_add_all_series(&rows, latency, request);
    if (good) {
        const struct table table = {
            .columns = request->histogram ? histogram_columns : columns,
            .column_count = request->histogram ? HISTOGRAM_COLUMNS : COLUMNS,
            .cells = rows.cells,
            .row_count = rows.count,
        };
        table_write(out, &table, request->format);
    }
    free(rows.cells);
    return good;
}

static bool latency_write_pairs(struct output *out, const gt_latency *latency,
                                const struct request *request)
{
    static const struct table_column columns[PAIR_COLUMNS] = {
        {"count", "count", TABLE_COUNT},
        {"time waited", "time_ns", TABLE_DURATION},
        {"who waited", "waiter", TABLE_TEXT},
        {"who unblocked it", "unblocker", TABLE_TEXT},
    };
    struct pairs pairs = {0};
    bool good = pairs_collect(&pairs, latency, request->stacks);
    if (good) {
        const struct table table = {
            .columns = columns,
            .column_count = PAIR_COLUMNS,
            .cells = pairs.cells,
            .row_count = pairs.count < request->top ? pairs.count : request->top,
        };
        table_write(out, &table, request->format);
    }
    pairs_free(&pairs);
    return good;
}

static gt_status latency_read_events(gt_reader *reader, gt_latency *latency)
{
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        status = gt_latency_event(latency, reader, event);
        if (status != GT_OK)
            break;
    }
    return status;
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

static int latency_measure(struct input *in, struct output *out, const struct request *request)
{
    gt_latency *latency;
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    options.pairs = request->unblocks ? options.pairs : 0;
    gt_status status = gt_latency_open(&latency, &options);
    if (status == GT_OK) {
        status = latency_read_events(in->reader, latency);
        gt_status finished = gt_latency_finish(latency);
        if (status == GT_END)
            status = finished;
        if (!(request->unblocks ? latency_write_pairs(out, latency, request)
                                : latency_write_series(out, latency, request)))
            status = GT_ERR_NO_MEMORY;
    }
    gt_latency_close(&latency);
    return input_close(in, out, status);
}

static int latency_run(const struct command *self, struct output *out, char **arguments)
{
    bool json = false, csv = false;
    const char *top = "10";
    struct request request = {0};
    const struct option own[] = {
        {.name = "histogram", .flag = &request.histogram},
        {.name = "unblocks", .flag = &request.unblocks},
        {.name = "stacks", .flag = &request.stacks},
        {.name = "top", .value = &top},
        {.name = "json", .flag = &json},
        {.name = "csv", .flag = &csv},
    };
    struct input in;
    int code = input_open(&in, self, out, arguments, own, sizeof(own) / sizeof(own[0]));
    if (code != COMMAND_GO_ON)
        return code;
    request.format = table_choose(json, csv);
    if (json && csv)
        code = command_misused(self, "--json does not go with", "--csv");
    else if (request.histogram && request.unblocks)
        code = command_misused(self, "--histogram does not go with", "--unblocks");
    else if (request.stacks && !request.unblocks)
        code = command_misused(self, "without --unblocks there are no", "--stacks");
    else if (!latency_parse_top(top, &request.top))
        code = command_misused(self, "not a number:", top);
    if (code == COMMAND_GO_ON)
        return latency_measure(&in, out, &request);
    input_close(&in, out, GT_OK);
    return code;
}

const struct command command_latency = {
    .name = "latency",
    .usage = "latency [OPTION...] FILE",
    .summary = "say how long goroutines wait, and for whom",
    .help = "Prints how long goroutines waited for a proc (sched) and for something to happen\n"
            "(block), and how long tasks and regions took: of all, and by goroutine, reason,\n"
            "task and region. Percentiles are at most 1/64 off.\n"
            "\n"
            "  --histogram     how many durations there are in each power of two, instead\n"
            "  --unblocks      instead who ended whose waits how often, by function\n"
            "  --stacks        with --unblocks: by stack, the innermost function first\n"
            "  --top N         up to N rows of each kind, those with the longest sum or the\n"
            "                  highest count; 0 for all; without it 10\n"
            "  --json          as JSON, an object a line; times are nanoseconds\n"
            "  --csv           as CSV; times are nanoseconds\n" INPUT_HELP,
    .run = latency_run,
};
