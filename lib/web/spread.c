/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/spread.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* A bucket holds values that agree in the first 1 + FINE_BITS bits. */
    FINE_BITS = 6,
    FINE = 1 << FINE_BITS,
    BUCKETS = (64 - FINE_BITS) * FINE,
    FIRST_CAPACITY = 64
};

static unsigned int highest_bit(uint64_t value)
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

/* Values below FINE have a bucket each. */
static size_t bucket_of(int64_t value)
{
    uint64_t bits = (uint64_t) value;
    if (bits < FINE)
        return (size_t) bits;
    unsigned int shift = highest_bit(bits) - FINE_BITS;
    return ((size_t) shift + 1) * FINE + (size_t) (bits >> shift & (FINE - 1));
}

static int64_t middle_of(size_t bucket)
{
    if (bucket < FINE)
        return (int64_t) bucket;
    unsigned int shift = (unsigned int) (bucket / FINE) - 1;
    uint64_t least = (uint64_t) (FINE + bucket % FINE) << shift;
    return (int64_t) (least + (UINT64_C(1) << shift) / 2);
}

static bool reserve(struct gt_spread *spread, size_t count)
{
    if (count <= spread->capacity)
        return true;
    size_t capacity = spread->capacity == 0 ? FIRST_CAPACITY : spread->capacity;
    while (capacity < count)
        capacity *= 2;
    int64_t *values = realloc(spread->values, capacity * sizeof(*values));
    if (values == NULL)
        return false;
    spread->values = values;
    spread->capacity = capacity;
    return true;
}

bool gt_spread_add(struct gt_spread *spread, int64_t value)
{
    if (spread->buckets != NULL) {
        spread->buckets[bucket_of(value)]++;
    } else {
        if (spread->kept == spread->capacity && !reserve(spread, spread->kept + 1))
            return false;
        spread->values[spread->kept++] = value;
    }
    if (spread->count == 0 || value < spread->least)
        spread->least = value;
    if (value > spread->most)
        spread->most = value;
    spread->count++;
    spread->sum = gt_spread_sum(spread->sum, value);
    return true;
}

bool gt_spread_coarsen(struct gt_spread *spread)
{
    if (spread->buckets != NULL)
        return true;
    spread->buckets = calloc(BUCKETS, sizeof(*spread->buckets));
    if (spread->buckets == NULL)
        return false;
    for (size_t i = 0; i < spread->kept; i++)
        spread->buckets[bucket_of(spread->values[i])]++;
    free(spread->values);
    spread->values = NULL;
    spread->kept = 0;
    spread->capacity = 0;
    return true;
}

bool gt_spread_merge(struct gt_spread *spread, const struct gt_spread *more)
{
    if (more->count == 0)
        return true;
    if (spread->buckets != NULL) {
        for (size_t i = 0; i < BUCKETS; i++)
            spread->buckets[i] += more->buckets[i];
    } else {
        if (!reserve(spread, spread->kept + more->kept))
            return false;
        memcpy(spread->values + spread->kept, more->values, more->kept * sizeof(*more->values));
        spread->kept += more->kept;
    }
    if (spread->count == 0 || more->least < spread->least)
        spread->least = more->least;
    if (more->most > spread->most)
        spread->most = more->most;
    spread->count += more->count;
    spread->sum = gt_spread_sum(spread->sum, more->sum);
    return true;
}

static void swap(int64_t *a, int64_t *b)
{
    int64_t held = *a;
    *a = *b;
    *b = held;
}

/*
 * The value of that rank, from 0, by Hoare's selection. The pivot is random, lest a trace
 * be made to have its values in the worst order; what equals it is left out at once.
 */
static int64_t select_rank(int64_t *values, size_t count, size_t rank)
{
    size_t low = 0, high = count;
    uint64_t random = (uint64_t) (uintptr_t) values ^ count;
    while (high - low > 1) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int64_t pivot = values[low + (size_t) (random >> 33) % (high - low)];
        size_t less = low, more = high;
        for (size_t i = low; i < more;) {
            if (values[i] < pivot)
                swap(&values[i++], &values[less++]);
            else if (values[i] > pivot)
                swap(&values[i], &values[--more]);
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

static int64_t middle_of_rank(const struct gt_spread *spread, uint64_t rank)
{
    uint64_t passed = 0;
    size_t bucket = 0;
    while (bucket < BUCKETS - 1 && passed + spread->buckets[bucket] <= rank)
        passed += spread->buckets[bucket++];
    int64_t middle = middle_of(bucket);
    middle = middle < spread->least ? spread->least : middle;
    return middle > spread->most ? spread->most : middle;
}

int64_t gt_spread_percentile(struct gt_spread *spread, unsigned int percent)
{
    if (spread->count == 0)
        return 0;
    uint64_t rank = spread->count / 100 * percent + (spread->count % 100 * percent + 99) / 100;
    rank -= rank > 0;
    if (spread->buckets != NULL)
        return middle_of_rank(spread, rank);
    return select_rank(spread->values, spread->kept, (size_t) rank);
}

double gt_spread_mean(const struct gt_spread *spread)
{
    return spread->count == 0 ? 0 : (double) spread->sum / (double) spread->count;
}

void gt_spread_free(struct gt_spread *spread)
{
    free(spread->values);
    free(spread->buckets);
    *spread = (struct gt_spread){0};
}
