/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/distribution.h"

#include <string.h>

#include "base/time.h"
#include "base/wraps.h"

enum {
    /* A bucket contains the values that agree in their first 1 + FINE_BITS significant bits. */
    FINE_BITS = 6,
    FINE = 1 << FINE_BITS,
    BUCKETS = (64 - FINE_BITS) * FINE,
    BUCKETS_BYTES = BUCKETS * sizeof(uint64_t)
};

static unsigned int distribution_highest_bit(uint64_t value)
{
    unsigned int bit = 0;
    for (unsigned int step = 32; step > 0; step /= 2) {
        if (value >> step != 0) {
            value >>= step;
            bit += step;
        }
    }
    return bit;
}

/* Returns the bucket of a value. Each value below FINE has its own bucket. */
static size_t distribution_bucket_of(int64_t value)
{
    uint64_t bits = (uint64_t) value;
    if (bits < FINE)
        return (size_t) bits;
    unsigned int shift = distribution_highest_bit(bits) - FINE_BITS;
    return ((size_t) shift + 1) * FINE + (size_t) (bits >> shift & (FINE - 1));
}

static int64_t distribution_middle_of(size_t bucket)
{
    if (bucket < FINE)
        return (int64_t) bucket;
    unsigned int shift = (unsigned int) (bucket / FINE) - 1;
    uint64_t least = (uint64_t) (FINE + bucket % FINE) << shift;
    return (int64_t) (least + (UINT64_C(1) << shift) / 2);
}

bool gt_distribution_add(struct gt_distribution *distribution, struct gt_mem *mem, int64_t value)
{
    if (distribution->buckets)
        distribution->buckets[distribution_bucket_of(value)]++;
    else if (gt_array_add(mem, &distribution->values, value) != GT_OK)
        return false;
    if (distribution->count == 0 || value < distribution->least)
        distribution->least = value;
    if (value > distribution->most)
        distribution->most = value;
    distribution->count++;
    gt_time_add_to(&distribution->sum, value);
    return true;
}

bool gt_distribution_coarsen(struct gt_distribution *distribution, struct gt_mem *mem)
{
    if (distribution->buckets)
        return true;
    distribution->buckets = gt_mem_zeros(mem, BUCKETS_BYTES);
    if (!distribution->buckets)
        return false;
    for (size_t i = 0; i < distribution->values.count; i++)
        distribution->buckets[distribution_bucket_of(distribution->values.items[i])]++;
    gt_array_free(mem, &distribution->values);
    return true;
}

bool gt_distribution_merge(struct gt_distribution *distribution, struct gt_mem *mem,
                           const struct gt_distribution *more)
{
    if (more->count == 0)
        return true;
    if (distribution->buckets) {
        for (size_t i = 0; i < BUCKETS; i++)
            distribution->buckets[i] += more->buckets[i];
    } else {
        if (gt_array_reserve(mem, &distribution->values, more->values.count) != GT_OK)
            return false;
        memcpy(distribution->values.items + distribution->values.count, more->values.items,
               more->values.count * sizeof(*more->values.items));
        distribution->values.count += more->values.count;
    }
    if (distribution->count == 0 || more->least < distribution->least)
        distribution->least = more->least;
    if (more->most > distribution->most)
        distribution->most = more->most;
    distribution->count += more->count;
    gt_time_add_to(&distribution->sum, more->sum);
    return true;
}

static void distribution_swap(int64_t *a, int64_t *b)
{
    int64_t held = *a;
    *a = *b;
    *b = held;
}

/*
 * Returns the value of a rank, counted from 0, by Hoare's selection. The pivot is random, so that a
 * trace cannot be crafted to have its values in the worst order. Values that equal the pivot are
 * excluded from further rounds.
 */
GT_WRAPS static int64_t distribution_select_rank(int64_t *values, size_t count, size_t rank)
{
    size_t low = 0, high = count;
    uint64_t random = (uint64_t) (uintptr_t) values ^ count;
    while (high - low > 1) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int64_t pivot = values[low + (size_t) (random >> 33) % (high - low)];
        size_t less = low, more = high;
        for (size_t i = low; i < more;) {
            if (values[i] < pivot)
                distribution_swap(&values[i++], &values[less++]);
            else if (values[i] > pivot)
                distribution_swap(&values[i], &values[--more]);
            else
                i++;
        }
        if (rank >= less && rank < more)
            return pivot;
        if (rank < less)
            high = less;
        else
            low = more;
    }
    return values[low];
}

/* Returns the rank of a percentile, counted from 0. There must be values. */
static uint64_t distribution_rank_of(const struct gt_distribution *distribution,
                                     unsigned int percent)
{
    uint64_t rank =
        distribution->count / 100 * percent + (distribution->count % 100 * percent + 99) / 100;
    return rank - (rank > 0);
}

/* Returns the bucket of a rank, and subtracts the number of values in the buckets before it. */
static size_t distribution_bucket_of_rank(const struct gt_distribution *distribution,
                                          uint64_t *rank)
{
    size_t bucket = 0;
    while (bucket < BUCKETS - 1 && distribution->buckets[bucket] <= *rank)
        *rank -= distribution->buckets[bucket++];
    return bucket;
}

static const struct gt_distribution_window *
distribution_find_window(const struct gt_distribution_windows *windows, size_t bucket)
{
    for (size_t i = 0; i < windows->count; i++) {
        if (windows->list[i].bucket == bucket)
            return &windows->list[i];
    }
    return NULL;
}

uint64_t gt_distribution_add_window(const struct gt_distribution *distribution,
                                    struct gt_distribution_windows *windows, unsigned int percent,
                                    uint64_t most)
{
    if (gt_distribution_is_exact(distribution, percent) ||
        windows->count == GT_DISTRIBUTION_WINDOWS)
        return 0;
    uint64_t rank = distribution_rank_of(distribution, percent);
    size_t bucket = distribution_bucket_of_rank(distribution, &rank);
    if (distribution->buckets[bucket] > most || distribution_find_window(windows, bucket))
        return 0;
    unsigned int shift = (unsigned int) (bucket / FINE) - 1;
    uint64_t least = (uint64_t) (FINE + bucket % FINE) << shift;
    windows->list[windows->count++] =
        (struct gt_distribution_window){.bucket = bucket,
                                        .least = (int64_t) least,
                                        .most = (int64_t) (least + (UINT64_C(1) << shift) - 1)};
    return distribution->buckets[bucket];
}

bool gt_distribution_collect(struct gt_distribution_windows *windows, struct gt_mem *mem,
                             int64_t value)
{
    for (size_t i = 0; i < windows->count; i++) {
        struct gt_distribution_window *window = &windows->list[i];
        if (value >= window->least && value <= window->most)
            return gt_array_add(mem, &window->values, value) == GT_OK;
    }
    return true;
}

static bool window_add_values(struct gt_distribution_window *window, struct gt_mem *mem,
                              const struct gt_distribution_window *more)
{
    if (more->values.count == 0)
        return true;
    if (gt_array_reserve(mem, &window->values, more->values.count) != GT_OK)
        return false;
    memcpy(window->values.items + window->values.count, more->values.items,
           more->values.count * sizeof(*more->values.items));
    window->values.count += more->values.count;
    return true;
}

bool gt_distribution_take_windows(struct gt_distribution *distribution, struct gt_mem *mem,
                                  const struct gt_distribution_windows *one,
                                  const struct gt_distribution_windows *other)
{
    struct gt_distribution_windows *windows = &distribution->windows;
    for (size_t i = 0; i < one->count && windows->count < GT_DISTRIBUTION_WINDOWS; i++) {
        const struct gt_distribution_window *window = &one->list[i];
        if (window->values.count + other->list[i].values.count !=
            distribution->buckets[window->bucket])
            continue;
        struct gt_distribution_window *added = &windows->list[windows->count++];
        *added = (struct gt_distribution_window){
            .bucket = window->bucket, .least = window->least, .most = window->most};
        if (!window_add_values(added, mem, window) ||
            !window_add_values(added, mem, &other->list[i]))
            return false;
    }
    return true;
}

void gt_distribution_windows_free(struct gt_distribution_windows *windows, struct gt_mem *mem)
{
    for (size_t i = 0; i < windows->count; i++)
        gt_array_free(mem, &windows->list[i].values);
    *windows = (struct gt_distribution_windows){0};
}

bool gt_distribution_is_exact(const struct gt_distribution *distribution, unsigned int percent)
{
    if (!distribution->buckets || distribution->count == 0)
        return true;
    uint64_t rank = distribution_rank_of(distribution, percent);
    size_t bucket = distribution_bucket_of_rank(distribution, &rank);
    return bucket < 2 * FINE || distribution_find_window(&distribution->windows, bucket);
}

/* Returns the value with a rank that is relative to the start of the bucket. */
static int64_t distribution_value_in(const struct gt_distribution *distribution, size_t bucket,
                                     uint64_t rank)
{
    const struct gt_distribution_window *window =
        distribution_find_window(&distribution->windows, bucket);
    if (window && rank < window->values.count)
        return distribution_select_rank(window->values.items, window->values.count, (size_t) rank);
    int64_t middle = distribution_middle_of(bucket);
    middle = middle < distribution->least ? distribution->least : middle;
    return middle > distribution->most ? distribution->most : middle;
}

int64_t gt_distribution_percentile(struct gt_distribution *distribution, unsigned int percent)
{
    if (distribution->count == 0)
        return 0;
    uint64_t rank = distribution_rank_of(distribution, percent);
    if (distribution->buckets) {
        size_t bucket = distribution_bucket_of_rank(distribution, &rank);
        return distribution_value_in(distribution, bucket, rank);
    }
    return distribution_select_rank(distribution->values.items, distribution->values.count,
                                    (size_t) rank);
}

double gt_distribution_mean(const struct gt_distribution *distribution)
{
    return distribution->count == 0 ? 0 : (double) distribution->sum / (double) distribution->count;
}

void gt_distribution_free(struct gt_distribution *distribution, struct gt_mem *mem)
{
    gt_array_free(mem, &distribution->values);
    gt_mem_free(mem, distribution->buckets, BUCKETS_BYTES);
    gt_distribution_windows_free(&distribution->windows, mem);
    *distribution = (struct gt_distribution){0};
}
