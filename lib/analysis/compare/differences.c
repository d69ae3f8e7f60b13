/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/compare/compare.h"
#include "analysis/compare/estimate.h"
#include "base/sort.h"
#include "base/text.h"

/* The probability that chance tells anything; that of the interval; and the least change. */
static const double CHANCE = 0.001, INTERVAL = 0.05, LEAST = 0.05;

/* The largest factor, which also stands for what is on one side only. */
static const double FACTOR_MOST = 1e6;

/* Whether a larger figure is worse, and not only another one. */
static bool difference_is_cost(const gt_compare_difference *difference)
{
    static const char *const waits[] = {"sync", "chan send", "GC mark assist wait for work",
                                        "wait until GC ends"};
    if (difference->measure == GT_COMPARE_GC || difference->measure == GT_COMPARE_STOP)
        return true;
    if (difference->statistic == GT_COMPARE_RATE)
        return false;
    if (difference->subject == GT_COMPARE_TASK || difference->subject == GT_COMPARE_REGION)
        return true;
    if (difference->measure == GT_COMPARE_DURATION)
        return false;
    if (difference->measure != GT_COMPARE_BLOCKED)
        return true;
    for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
        if (gt_text_is(difference->detail, waits[i]))
            return true;
    }
    return false;
}

/* How many durations a figure needs, so that ten are beyond a quantile. */
static uint64_t difference_least_count(uint32_t statistic)
{
    static const uint64_t counts[] = {
        [GT_COMPARE_PER_SECOND] = 0, [GT_COMPARE_RATE] = 10, [GT_COMPARE_MEAN] = 20,
        [GT_COMPARE_P50] = 20,       [GT_COMPARE_P90] = 100, [GT_COMPARE_P99] = 1000};
    return counts[statistic];
}

static bool difference_has_enough(const gt_compare_difference *difference)
{
    uint64_t least = difference_least_count(difference->statistic);
    if (difference->statistic <= GT_COMPARE_RATE)
        return difference->before_count >= least || difference->after_count >= least;
    return difference->before_count >= least && difference->after_count >= least;
}

static double difference_size(const gt_compare_difference *difference)
{
    double size = difference->after - difference->before;
    return size < 0 ? -size : size;
}

/*
 * Whether a duration differs by more than the clock of a trace can tell: Go's has steps of 64 ns,
 * and short times consist of few of them.
 */
static bool difference_is_resolved(const gt_compare_difference *difference)
{
    const double least = 1e3;
    return difference->statistic <= GT_COMPARE_RATE || difference_size(difference) >= least;
}

/* Whether there is so much of it in a second that the figure matters. */
static bool difference_matters(const gt_compare_difference *difference,
                               const struct gt_compare_estimate *sides)
{
    const double time = 1e6, stop = 1e5, bytes = 1 << 20;
    double most = sides[0].amount > sides[1].amount ? sides[0].amount : sides[1].amount;
    return most >= (difference->measure == GT_COMPARE_ALLOCATED ? bytes
                    : difference->measure == GT_COMPARE_STOP    ? stop
                                                                : time);
}

/*
 * By which factor the larger figure exceeds the smaller one at least, according to the interval.
 */
static double difference_factor(const gt_compare_difference *difference)
{
    bool rises = difference->after > difference->before;
    double base = rises ? difference->before : difference->after;
    double change = rises ? difference->low : -difference->high;
    return base + change < base * FACTOR_MOST ? (base + change) / base : FACTOR_MOST;
}

/* Noise comes last. */
static uint32_t row_class(const struct gt_compare_row *row)
{
    uint32_t verdict = row->difference.verdict;
    return verdict == GT_COMPARE_NOISE ? UINT32_MAX : verdict;
}

static bool row_is_before(const void *a, const void *b, void *context)
{
    const struct gt_compare_row *rows = context;
    uint32_t left_number = *(const uint32_t *) a, right_number = *(const uint32_t *) b;
    const struct gt_compare_row *left = &rows[left_number], *right = &rows[right_number];
    if (row_class(left) != row_class(right))
        return row_class(left) < row_class(right);
    if (left->factor != right->factor)
        return left->factor > right->factor;
    /* Of what is on one side only, the largest comes first. */
    if (left->factor == FACTOR_MOST &&
        difference_size(&left->difference) != difference_size(&right->difference))
        return difference_size(&left->difference) > difference_size(&right->difference);
    return left_number < right_number;
}

/* Sets the interval, and the probability that chance alone makes such a difference. */
static void row_test(struct gt_compare_row *row, const struct gt_compare_estimate *sides)
{
    gt_compare_difference *difference = &row->difference;
    unsigned freedom = sides[0].freedom < sides[1].freedom ? sides[0].freedom : sides[1].freedom;
    double error = gt_compare_root(sides[0].variance + sides[1].variance);
    double change = difference->after - difference->before;
    if (freedom == 0 || !(error > 0))
        return;
    double half = error * gt_compare_student(INTERVAL, freedom);
    difference->has_interval = 1;
    difference->low = change - half;
    difference->high = change + half;
    row->chance = gt_compare_chance(change / error, freedom);
    row->factor = difference_factor(difference);
}

static enum gt_compare_family row_family(const struct gt_compare_row *row)
{
    return row->difference.subject == GT_COMPARE_STACK ? GT_COMPARE_OF_STACKS : GT_COMPARE_OF_NAMES;
}

static gt_status row_add(struct gt_compare *compare, const struct gt_compare_series *series,
                         uint32_t statistic)
{
    const struct gt_compare_figure figure = {&compare->set, series, compare->counts, statistic};
    struct gt_compare_estimate sides[GT_COMPARE_SIDES];
    for (uint32_t side = 0; side < GT_COMPARE_SIDES; side++)
        gt_compare_estimate(&figure, side, &sides[side]);
    const gt_string *texts = compare->texts.list.items;
    struct gt_compare_row row = {.difference = GT_COMPARE_DIFFERENCE_INIT};
    gt_compare_difference *difference = &row.difference;
    difference->subject = series->key.subject;
    difference->measure = series->key.measure;
    difference->statistic = statistic;
    difference->name = texts[series->key.name];
    difference->detail = texts[series->key.detail];
    difference->before_count = sides[0].count;
    difference->after_count = sides[1].count;
    difference->before = sides[0].value;
    difference->after = sides[1].value;
    for (uint32_t side = 0; side < GT_COMPARE_SIDES && difference_has_enough(difference); side++)
        gt_compare_spread(&figure, side, &sides[side]);
    row_test(&row, sides);
    row.series = (uint32_t) gt_array_index(&compare->set.list, series);
    row.matters = difference_matters(difference, sides) && difference_is_resolved(difference);
    compare->tested[row_family(&row)] += difference->has_interval;
    return gt_array_add(&compare->mem, &compare->rows, row);
}

/* Whether a series has a figure. */
static bool series_has(const struct gt_compare_series *series, uint32_t statistic)
{
    uint32_t measure = series->key.measure;
    bool is_duration = measure == GT_COMPARE_DURATION;
    switch (statistic) {
    case GT_COMPARE_PER_SECOND:
        return !series->key.is_per_one;
    case GT_COMPARE_RATE:
        return is_duration || measure == GT_COMPARE_GC || measure == GT_COMPARE_STOP;
    case GT_COMPARE_MEAN:
        return series->key.is_per_one;
    default:
        return is_duration || measure == GT_COMPARE_STOP ||
               (!series->key.is_per_one && series->key.subject != GT_COMPARE_STACK &&
                (measure == GT_COMPARE_SCHEDULER || measure == GT_COMPARE_BLOCKED));
    }
}

/* The probability that chance alone makes such a difference somewhere among those that are alike.
 * Where stacks are told, too, either family may err half as often. */
static double row_chance(const struct gt_compare *compare, const struct gt_compare_row *row)
{
    bool has_stacks = (compare->options.flags & GT_COMPARE_STACKS) != 0;
    double tested = (double) compare->tested[row_family(row)];
    return row->chance * tested * (has_stacks ? GT_COMPARE_FAMILIES : 1);
}

/* Whether a side lacks what the difference is about. A task that never waits is there. */
static bool difference_lacks(const gt_compare_difference *difference, double value, uint64_t count)
{
    return !(value > 0) && (difference->statistic != GT_COMPARE_MEAN || count == 0);
}

static uint32_t row_verdict(const struct gt_compare *compare, const struct gt_compare_row *row)
{
    const gt_compare_difference *difference = &row->difference;
    double larger = difference->before > difference->after ? difference->before : difference->after;
    if (!difference->has_interval || !row->matters || row_chance(compare, row) >= CHANCE ||
        difference_size(difference) < larger * LEAST)
        return GT_COMPARE_NOISE;
    if (difference_lacks(difference, difference->before, difference->before_count))
        return GT_COMPARE_ADDED;
    if (difference_lacks(difference, difference->after, difference->after_count))
        return GT_COMPARE_REMOVED;
    if (!difference_is_cost(difference))
        return GT_COMPARE_CHANGED;
    return difference->after > difference->before ? GT_COMPARE_WORSE : GT_COMPARE_BETTER;
}

static gt_status compare_rows_make(struct gt_compare *compare)
{
    gt_status status = GT_OK;
    for (size_t i = 0; i < compare->set.list.count; i++) {
        const struct gt_compare_series *series = &compare->set.list.items[i];
        for (uint32_t k = GT_COMPARE_PER_SECOND; k <= GT_COMPARE_P99 && status == GT_OK; k++) {
            if (series_has(series, k))
                status = row_add(compare, series, k);
        }
    }
    return status;
}

gt_status gt_compare_all(struct gt_compare *compare)
{
    const size_t room = GT_COMPARE_BUCKETS * sizeof(*compare->counts);
    compare->counts = gt_mem_zeros(&compare->mem, room);
    if (!compare->counts)
        return gt_mem_failure(&compare->mem);
    gt_status status = compare_rows_make(compare);
    gt_mem_free(&compare->mem, compare->counts, room);
    if (status == GT_OK)
        status = gt_array_extend(&compare->mem, &compare->order, compare->rows.count);
    if (status != GT_OK)
        return status;
    for (uint32_t i = 0; i < compare->order.count; i++) {
        compare->order.items[i] = i;
        compare->rows.items[i].difference.verdict = row_verdict(compare, &compare->rows.items[i]);
    }
    if (compare->order.count > 1)
        gt_sort(compare->order.items, compare->order.count, sizeof(uint32_t), row_is_before,
                compare->rows.items);
    return GT_OK;
}
