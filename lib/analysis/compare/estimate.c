/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/compare/estimate.h"

#include "base/bits.h"

enum {
    /* How many successive pieces are left out together. */
    RUN = 4,
    /* The smallest number of groups of pieces from which a variance is computed. */
    GROUPS_MIN = 4,
    /* The number of traces from which on the noise between runs is known. */
    TRACES_KNOWN = 3
};

static const double SECOND = 1e9;

/* What pieces are left out together. */
enum level {
    LEVEL_PIECE,
    LEVEL_RUN,
    LEVEL_TRACE,
    LEVELS
};

/* The sums over some pieces. */
struct sums {
    double amount;
    double count;
    double time;
};

/* The figure of one side that is computed, and the sums of all its pieces. */
struct figure {
    const struct gt_compare_set *set;
    const struct gt_compare_part *part;
    uint32_t side;
    uint32_t statistic;
    uint64_t *counts; /* by bucket */
    struct sums all;
    double value;    /* of all pieces */
    unsigned lowest; /* the first bucket that has a duration */
};

static unsigned bucket_number(int64_t from)
{
    if (from < GT_OCTAVE_BUCKETS)
        return (unsigned) from;
    unsigned octave = gt_highest_bit((uint64_t) from) - GT_OCTAVE_BITS + 1;
    return octave * GT_OCTAVE_BUCKETS + (unsigned) (from >> (octave - 1) & (GT_OCTAVE_BUCKETS - 1));
}

/* The middle of a bucket. */
static double bucket_value(unsigned number)
{
    const double half = 0.5;
    unsigned octave = number / GT_OCTAVE_BUCKETS;
    if (octave == 0)
        return number;
    double width = (double) (UINT64_C(1) << (octave - 1));
    return (GT_OCTAVE_BUCKETS + number % GT_OCTAVE_BUCKETS + half) * width;
}

/* The part of all values that is below the quantile. */
static double figure_part(uint32_t statistic)
{
    const double median = 0.5, ninth_decile = 0.9, last_percentile = 0.99;
    if (statistic == GT_COMPARE_P50)
        return median;
    return statistic == GT_COMPARE_P90 ? ninth_decile : last_percentile;
}

static double figure_quantile(const struct figure *figure, double count)
{
    double wanted = count * figure_part(figure->statistic), below = 0;
    for (unsigned i = figure->lowest; i < GT_COMPARE_BUCKETS; i++) {
        below += (double) figure->counts[i];
        if (figure->counts[i] > 0 && below >= wanted)
            return bucket_value(i);
    }
    return 0;
}

static double figure_value(const struct figure *figure, const struct sums *sums)
{
    switch (figure->statistic) {
    case GT_COMPARE_PER_SECOND:
        return sums->time > 0 ? sums->amount / sums->time * SECOND : 0;
    case GT_COMPARE_RATE:
        return sums->time > 0 ? sums->count / sums->time * SECOND : 0;
    case GT_COMPARE_MEAN:
        return sums->count > 0 ? sums->amount / sums->count : 0;
    default:
        return figure_quantile(figure, sums->count);
    }
}

static bool figure_is_quantile(const struct figure *figure)
{
    return figure->statistic >= GT_COMPARE_P50;
}

/* Adds up the pieces from `first` up to `end`, except for what only quantiles need. */
static void figure_sum(const struct figure *figure, size_t first, size_t end, struct sums *sums)
{
    *sums = (struct sums){0, 0, 0};
    for (size_t i = first; i < end; i++) {
        sums->time += (double) figure->set->pieces[figure->side].items[i].time;
        if (i >= figure->part->cells.count)
            continue;
        sums->amount += figure->part->cells.items[i].sum;
        sums->count += (double) figure->part->cells.items[i].count;
    }
}

/* The first bucket of a piece or of a later one. */
static size_t figure_bucket_of(const struct figure *figure, size_t piece)
{
    size_t low = 0, high = figure->part->buckets.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (figure->part->buckets.items[middle].piece < piece)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Takes the buckets of some pieces out of the counts, or puts them back. Returns their number. */
static double figure_buckets_take(const struct figure *figure, size_t first, size_t end, bool takes)
{
    double count = 0;
    size_t last = figure_bucket_of(figure, end);
    for (size_t i = figure_bucket_of(figure, first); i < last; i++) {
        const struct gt_compare_bucket *bucket = &figure->part->buckets.items[i];
        uint64_t *place = &figure->counts[bucket_number(bucket->from)];
        *place = takes ? *place - bucket->count : *place + bucket->count;
        count += bucket->count;
    }
    return count;
}

/* The figure without the pieces from `first` up to `end`. */
static double figure_without(const struct figure *figure, size_t first, size_t end)
{
    struct sums sums;
    figure_sum(figure, first, end, &sums);
    sums.amount = figure->all.amount - sums.amount;
    sums.time = figure->all.time - sums.time;
    if (!figure_is_quantile(figure)) {
        sums.count = figure->all.count - sums.count;
        return figure_value(figure, &sums);
    }
    double taken = figure_buckets_take(figure, first, end, true);
    sums.count = figure->all.count - taken;
    double value = taken > 0 ? figure_value(figure, &sums) : figure->value;
    figure_buckets_take(figure, first, end, false);
    return value;
}

/* The end of the group of pieces that begins with `first`. */
static size_t figure_group_end(const struct figure *figure, size_t first, enum level level)
{
    const struct gt_compare_piece *pieces = figure->set->pieces[figure->side].items;
    size_t count = figure->set->pieces[figure->side].count, most = level == LEVEL_PIECE ? 1 : RUN;
    size_t end = first + 1;
    while (end < count && pieces[end].trace == pieces[first].trace &&
           (pieces[end].is_rest || level == LEVEL_TRACE || end - first < most))
        end++;
    return end;
}

/* Computes the variance by the jackknife. Returns the number of groups. */
static unsigned figure_jackknife(const struct figure *figure, enum level level, double *variance)
{
    size_t count = figure->set->pieces[figure->side].count, end;
    unsigned groups = 0;
    double sum = 0, mean = 0;
    for (size_t first = 0; first < count; first = end) {
        end = figure_group_end(figure, first, level);
        /* The mean and the sum of squares as in Welford's algorithm. */
        double value = figure_without(figure, first, end), step = value - mean;
        groups++;
        mean += step / groups;
        sum += step * (value - mean);
    }
    *variance = groups > 0 ? sum * (groups - 1) / groups : 0;
    return groups;
}

static void figure_spread(const struct figure *figure, uint32_t traces,
                          struct gt_compare_estimate *estimate)
{
    const double unknown = 0.02, known = 0.01;
    double noise = estimate->value * (traces < TRACES_KNOWN ? unknown : known);
    double variance;
    unsigned pieces = figure_jackknife(figure, LEVEL_PIECE, &estimate->variance);
    if (pieces < GROUPS_MIN)
        return;
    estimate->freedom = (pieces - 1) / 2 * 2;
    if (figure_jackknife(figure, LEVEL_RUN, &variance) >= GROUPS_MIN &&
        variance > estimate->variance)
        estimate->variance = variance;
    if (figure_jackknife(figure, LEVEL_TRACE, &variance) > 1 && variance > estimate->variance)
        estimate->variance = variance;
    estimate->variance += noise * noise;
}

/* Adds up all pieces. A quantile takes their buckets into its counts. */
static void figure_begin(struct figure *figure)
{
    size_t pieces = figure->set->pieces[figure->side].count;
    figure_sum(figure, 0, pieces, &figure->all);
    if (figure_is_quantile(figure))
        figure->all.count = figure_buckets_take(figure, 0, pieces, false);
    while (figure->all.count > 0 && figure_is_quantile(figure) &&
           figure->counts[figure->lowest] == 0)
        figure->lowest++;
    figure->value = figure_value(figure, &figure->all);
}

/* Leaves the counts as they were before figure_begin. */
static void figure_end(const struct figure *figure)
{
    if (figure_is_quantile(figure))
        figure_buckets_take(figure, 0, figure->set->pieces[figure->side].count, true);
}

void gt_compare_estimate(const struct gt_compare_figure *of, uint32_t side,
                         struct gt_compare_estimate *estimate)
{
    struct figure figure = {
        of->set, &of->series->parts[side], side, of->statistic, of->counts, {0, 0, 0}, 0, 0};
    figure_begin(&figure);
    figure_end(&figure);
    *estimate = (struct gt_compare_estimate){0, 0, 0, 0, 0};
    estimate->amount = figure.all.time > 0 ? figure.all.amount / figure.all.time * SECOND : 0;
    estimate->count = (uint64_t) figure.all.count;
    estimate->value = figure.value;
}

void gt_compare_spread(const struct gt_compare_figure *of, uint32_t side,
                       struct gt_compare_estimate *estimate)
{
    struct figure figure = {
        of->set, &of->series->parts[side], side, of->statistic, of->counts, {0, 0, 0}, 0, 0};
    size_t pieces = of->set->pieces[side].count;
    if (pieces == 0)
        return;
    figure_begin(&figure);
    figure_spread(&figure, of->set->pieces[side].items[pieces - 1].trace + 1, estimate);
    figure_end(&figure);
}
