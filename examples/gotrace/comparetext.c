/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparetext.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "text.h"

enum {
    COLUMNS = 6,
    /* The columns that are numbers. */
    FIGURES = 4,
    /* Enough for any number in any unit, and for two of them. */
    FIGURE_MAX = 80,
    NUMBER_MAX = 36,
    PERCENT = 100
};

/* A row: its cells, and the texts to which they point. */
struct row {
    char figures[FIGURES][FIGURE_MAX];
    char *what;
};

static void figure_put(char *to, const gt_compare_difference *difference, double value)
{
    static const struct {
        double least;
        double unit;
        const char *name;
    } units[] = {{1e9, 1e9, "s"}, {1e6, 1e6, "ms"}, {1e3, 1e3, "us"}, {0, 1, "ns"}};

    const double mib = 1 << 20;
    double size = value < 0 ? -value : value;
    size_t i = 0;
    if (difference->statistic == GT_COMPARE_RATE) {
        snprintf(to, NUMBER_MAX, "%.1f/s", value);
        return;
    }
    if (difference->measure == GT_COMPARE_ALLOCATED) {
        snprintf(to, NUMBER_MAX, "%.1f MiB/s", value / mib);
        return;
    }
    while (size < units[i].least)
        i++;
    snprintf(to, NUMBER_MAX, "%.2f %s%s", value / units[i].unit, units[i].name,
             difference->statistic == GT_COMPARE_PER_SECOND ? "/s" : "");
}

static void figure_put_change(char *to, const gt_compare_difference *difference)
{
    double change = difference->after - difference->before;
    if (difference->before > 0)
        snprintf(to, NUMBER_MAX, "%+.1f%%", change / difference->before * PERCENT);
    else
        snprintf(to, NUMBER_MAX, "%s", change > 0 ? "new" : "0%");
}

static void figure_put_interval(char *to, const gt_compare_difference *difference)
{
    char low[NUMBER_MAX], high[NUMBER_MAX];
    if (!difference->has_interval) {
        snprintf(to, FIGURE_MAX, "too few");
        return;
    }
    figure_put(low, difference, difference->low);
    figure_put(high, difference, difference->high);
    snprintf(to, FIGURE_MAX, "%s to %s", low, high);
}

static char *label_add(char *to, const char *between, gt_string text)
{
    size_t size = strlen(between);
    memcpy(to, between, size);
    if (text.size > 0)
        memcpy(to + size, text.data, text.size);
    return to + size + text.size;
}

char *comparetext_label(const gt_compare_difference *difference, size_t *size)
{
    gt_string subject = text_of(gt_compare_subject_name(difference->subject));
    gt_string measure = text_of(gt_compare_measure_name(difference->measure));
    gt_string statistic = text_of(gt_compare_statistic_name(difference->statistic));
    char *label = malloc(subject.size + difference->name.size + measure.size +
                         difference->detail.size + statistic.size + 5);
    char *at = label;
    if (!label)
        return NULL;
    at = label_add(at, "", subject);
    if (difference->subject != GT_COMPARE_TRACE)
        at = label_add(at, ":", difference->name);
    if (difference->measure != GT_COMPARE_DURATION)
        at = label_add(at, " ", measure);
    if (difference->detail.size > 0)
        at = label_add(at, " ", difference->detail);
    if (difference->statistic != GT_COMPARE_PER_SECOND)
        at = label_add(at, " ", statistic);
    *size = (size_t) (at - label);
    return label;
}

static bool row_make(struct row *row, struct table_cell *cells,
                     const gt_compare_difference *difference)
{
    size_t size = 0;
    row->what = comparetext_label(difference, &size);
    if (!row->what)
        return false;
    figure_put(row->figures[0], difference, difference->before);
    figure_put(row->figures[1], difference, difference->after);
    figure_put_change(row->figures[2], difference);
    figure_put_interval(row->figures[3], difference);
    cells[0].text = text_of(gt_compare_verdict_name(difference->verdict));
    for (size_t i = 0; i < FIGURES; i++)
        cells[1 + i].text = text_of(row->figures[i]);
    cells[1 + FIGURES].text = (gt_string){row->what, size};
    return true;
}

size_t comparetext_count(const gt_compare *compare, bool all)
{
    gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
    size_t count = gt_compare_count(compare);
    while (!all && count > 0 && gt_compare_get(compare, count - 1, &difference) == GT_OK &&
           difference.verdict == GT_COMPARE_NOISE)
        count--;
    return count;
}

static void comparetext_write_side(struct output *out, const char *side, uint64_t traces,
                                   int64_t time, uint64_t pieces)
{
    const double second = 1e9;
    char line[FIGURE_MAX * 2];
    snprintf(line, sizeof(line), "%s %" PRIu64 " trace%s, %.3f s, %" PRIu64 " pieces\n", side,
             traces, traces == 1 ? "" : "s", (double) time / second, pieces);
    output_text(out, line);
}

static void comparetext_write_heading(struct output *out, const gt_compare *compare, size_t count)
{
    gt_compare_info info = GT_COMPARE_INFO_INIT;
    char line[FIGURE_MAX * 2];
    gt_compare_get_info(compare, &info);
    comparetext_write_side(out, "before:", info.before_traces, info.before_time,
                           info.before_pieces);
    comparetext_write_side(out, "after: ", info.after_traces, info.after_time, info.after_pieces);
    snprintf(line, sizeof(line), "%" PRIu64 " differences tested%s\n", info.tested,
             count == 0 ? "; none is beyond the noise" : "");
    output_text(out, line);
    if (info.lost > 0)
        output_text(out, "there are too many names, so that some are left out\n");
    if (count > 0)
        output_text(out, "\n");
}

bool comparetext_write(struct output *out, const gt_compare *compare, bool all)
{
    static const struct table_column columns[COLUMNS] = {
        {"verdict", "verdict", TABLE_TEXT},    {"before", "before", TABLE_TEXT},
        {"after", "after", TABLE_TEXT},        {"change", "change", TABLE_TEXT},
        {"by (95 %)", "interval", TABLE_TEXT}, {"what", "what", TABLE_TEXT},
    };
    size_t count = comparetext_count(compare, all);
    struct row *rows = calloc(count + 1, sizeof(*rows));
    struct table_cell *cells = calloc((count + 1) * COLUMNS, sizeof(*cells));
    bool good = rows && cells;
    for (size_t i = 0; i < count && good; i++) {
        gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
        gt_compare_get(compare, i, &difference);
        good = row_make(&rows[i], &cells[i * COLUMNS], &difference);
    }
    if (good) {
        const struct table table = {columns, COLUMNS, cells, count};
        comparetext_write_heading(out, compare, count);
        if (count > 0)
            table_write(out, &table, TABLE_COLUMNS);
    }
    for (size_t i = 0; i < count && rows; i++)
        free(rows[i].what);
    free(rows);
    free(cells);
    return good;
}
