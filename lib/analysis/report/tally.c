/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/tally.h"

#include "analysis/report/report.h"
#include "base/hash.h"
#include "base/time.h"

void gt_report_tallies_free(struct gt_report *report)
{
    struct gt_report_tallies *tallies = &report->tallies;
    gt_array_free(&report->mem, &tallies->list);
    gt_index_free(&tallies->index, &report->mem);
    gt_array_free(&report->mem, &tallies->series);
}

/* Sets `*tally` to the one with this key, which is added if it is new; to NULL if none is free. */
static gt_status tally_get(struct gt_report *report, const struct gt_report_tally_key *key,
                           struct gt_report_tally **tally)
{
    struct gt_report_tallies *tallies = &report->tallies;
    uint64_t hash = gt_hash_pair((uint64_t) key->who << 32 | key->stack,
                                 (uint64_t) key->kind << 32 | key->other, report->secret);
    GT_INDEX_FIND(*tally, &tallies->list, &tallies->index, hash,
                  (*tally)->key.who == key->who && (*tally)->key.stack == key->stack &&
                      (*tally)->key.other == key->other && (*tally)->key.kind == key->kind);
    if (*tally || tallies->list.count >= GT_REPORT_TALLIES)
        return GT_OK;
    const struct gt_report_tally blank = {.key = *key, .longest = GT_REPORT_NO_SPAN};
    gt_status status = gt_index_append(&tallies->index, &tallies->list, &report->mem, hash, blank);
    if (status == GT_OK)
        *tally = &tallies->list.items[tallies->list.count - 1];
    return status;
}

static void tally_count(struct gt_report *report, struct gt_report_tally *tally, int64_t goroutine,
                        int64_t start)
{
    tally->count++;
    gt_time_add_to(&tally->time, gt_time_minus(report->now, start));
    gt_report_span_keep(&tally->longest, goroutine, start, report->now);
}

gt_status gt_report_tally_add(struct gt_report *report, const struct gt_report_tally_key *key,
                              int64_t goroutine, int64_t start)
{
    struct gt_report_tally *tally;
    gt_status status = tally_get(report, key, &tally);
    if (status == GT_OK && tally)
        tally_count(report, tally, goroutine, start);
    return status;
}

gt_status gt_report_tally_add_part(struct gt_report *report, const struct gt_report_tally_key *key,
                                   int64_t goroutine, int64_t start,
                                   const struct gt_report_tally *whole)
{
    uint32_t number = whole ? (uint32_t) (whole - report->tallies.list.items) + 1 : 0;
    struct gt_report_tally *tally;
    gt_status status = tally_get(report, key, &tally);
    if (status != GT_OK || !tally)
        return status;
    tally->whole_plus_1 = number;
    tally_count(report, tally, goroutine, start);
    return GT_OK;
}

static gt_status tally_series_add(struct gt_report *report, struct gt_report_tally *tally)
{
    struct gt_durations blank;
    gt_durations_init(&blank);
    gt_status status = gt_array_add(&report->mem, &report->tallies.series, blank);
    if (status == GT_OK)
        tally->series_plus_1 = (uint32_t) report->tallies.series.count;
    return status;
}

gt_status gt_report_tally_measure(struct gt_report *report, const struct gt_report_tally_key *key,
                                  int64_t goroutine, int64_t start, struct gt_report_tally **tally)
{
    gt_status status = tally_get(report, key, tally);
    if (status == GT_OK && *tally && (*tally)->series_plus_1 == 0 &&
        report->tallies.series.count < GT_REPORT_SERIES)
        status = tally_series_add(report, *tally);
    if (status != GT_OK || !*tally || (*tally)->series_plus_1 == 0) {
        *tally = NULL;
        return status;
    }
    tally_count(report, *tally, goroutine, start);
    return gt_durations_add(&report->tallies.series.items[(*tally)->series_plus_1 - 1],
                            &report->mem, &report->octaves, gt_time_minus(report->now, start));
}

double gt_report_tally_quantile(const struct gt_report *report, const struct gt_report_tally *tally,
                                double part)
{
    if (tally->series_plus_1 == 0)
        return 0;
    return (double) gt_durations_quantile(&report->tallies.series.items[tally->series_plus_1 - 1],
                                          part);
}

double gt_report_slow_find(const struct gt_report *report, const struct gt_report_slow *slow,
                           struct gt_report_found *found)
{
    double time = 0;
    for (size_t i = 0; i < report->tallies.list.count; i++) {
        const struct gt_report_tally *tally = &report->tallies.list.items[i];
        if (tally->key.kind != slow->kind || (double) tally->count < report->limits[slow->count])
            continue;
        const struct gt_report_about about = {
            .figure = gt_report_tally_quantile(report, tally, 0.99),
            .count = tally->count,
            .group = report->groups.items[tally->key.who].text,
            .detail = tally->lost > tally->count / 2 ? slow->lost : 0,
            .stack = tally->key.stack,
        };
        if (about.figure <= report->limits[slow->limit])
            continue;
        time += (double) tally->time;
        gt_report_top_keep(&found->top, &about);
        if (about.figure <= found->figure)
            continue;
        found->figure = about.figure;
        found->example = tally->longest;
    }
    return time;
}
