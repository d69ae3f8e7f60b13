/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/distribution.h"

#include <string.h>

#include "base/time.h"

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
 * not looked at again.
 */
static int64_t distribution_select_rank(int64_t *values, size_t count, size_t rank)
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

static int64_t distribution_middle_of_rank(const struct gt_distribution *distribution,
                                           uint64_t rank)
{
    uint64_t passed = 0;
    size_t bucket = 0;
    while (bucket < BUCKETS - 1 && passed + distribution->buckets[bucket] <= rank)
        passed += distribution->buckets[bucket++];
    int64_t middle = distribution_middle_of(bucket);
    middle = middle < distribution->least ? distribution->least : middle;
    return middle > distribution->most ? distribution->most : middle;
}

int64_t gt_distribution_percentile(struct gt_distribution *distribution, unsigned int percent)
{
    if (distribution->count == 0)
        return 0;
    uint64_t rank =
        distribution->count / 100 * percent + (distribution->count % 100 * percent + 99) / 100;
    rank -= rank > 0;
    if (distribution->buckets)
        return distribution_middle_of_rank(distribution, rank);
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
    *distribution = (struct gt_distribution){0};
}
