/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/histogram.h"

#include "base/bisect.h"

enum {
    /* The lower bound of the last bucket is the largest one that is below 2^63. */
    BUCKETS = 191
};

/* The powers 0 to 9 of the tenth root of ten, in units of 10^-9. */
static const int64_t steps[10] = {1000000000, 1258925412, 1584893192, 1995262315, 2511886432,
                                  3162277660, 3981071706, 5011872336, 6309573445, 7943282347};

static const int64_t powers[19] = {1,
                                   10,
                                   100,
                                   1000,
                                   10000,
                                   100000,
                                   1000000,
                                   10000000,
                                   100000000,
                                   1000000000,
                                   10000000000,
                                   100000000000,
                                   1000000000000,
                                   10000000000000,
                                   100000000000000,
                                   1000000000000000,
                                   10000000000000000,
                                   100000000000000000,
                                   1000000000000000000};

/*
 * Returns the lower bound of a bucket, or INT64_MAX behind the last one. Bucket 0 contains only 0.
 * Some small buckets have the same lower bound because of rounding; all but the last of those stay
 * empty.
 */
static int64_t histogram_least_of(size_t bucket)
{
    if (bucket == 0)
        return 0;
    if (bucket >= BUCKETS)
        return INT64_MAX;
    size_t power = (bucket - 1) / 10;
    int64_t value = steps[(bucket - 1) % 10];
    if (power > 9)
        return value * powers[power - 9];
    int64_t unit = powers[9 - power];
    return (value + unit / 2) / unit;
}

/* Returns the last bucket whose lower bound is not above `value`. */
static size_t histogram_bucket_of(int64_t value)
{
    size_t power = 0;
    if (value <= 0)
        return 0;
    while (power < 18 && powers[power + 1] <= value)
        power++;
    size_t first = 1 + 10 * power, end = first + 10 < BUCKETS ? first + 10 : BUCKETS, above;
    GT_BISECT(above, first + 1, end, histogram_least_of(above) <= value);
    return above - 1;
}

/* Makes room for the count of a bucket. Returns false if there is not enough memory. */
static bool histogram_include(struct gt_histogram *histogram, struct gt_mem *mem, size_t bucket)
{
    size_t first = histogram->count == 0 || bucket < histogram->first ? bucket : histogram->first;
    size_t end = histogram->first + histogram->count;
    end = histogram->count == 0 || bucket >= end ? bucket + 1 : end;
    if (end - first == histogram->count)
        return true;
    uint64_t *counts = gt_mem_zeros(mem, (end - first) * sizeof(*counts));
    if (!counts)
        return false;
    for (size_t i = 0; i < histogram->count; i++)
        counts[histogram->first - first + i] = histogram->counts[i];
    gt_histogram_free(histogram, mem);
    *histogram = (struct gt_histogram){first, end - first, counts};
    return true;
}

bool gt_histogram_add_many(struct gt_histogram *histogram, struct gt_mem *mem, int64_t value,
                           uint64_t count)
{
    size_t bucket = histogram_bucket_of(value);
    if (!histogram_include(histogram, mem, bucket))
        return false;
    histogram->counts[bucket - histogram->first] += count;
    return true;
}

bool gt_histogram_add(struct gt_histogram *histogram, struct gt_mem *mem, int64_t value)
{
    return gt_histogram_add_many(histogram, mem, value, 1);
}

bool gt_histogram_merge(struct gt_histogram *histogram, struct gt_mem *mem,
                        const struct gt_histogram *more)
{
    for (size_t i = 0; i < more->count; i++) {
        if (!histogram_include(histogram, mem, more->first + i))
            return false;
        histogram->counts[more->first + i - histogram->first] += more->counts[i];
    }
    return true;
}

void gt_histogram_write(struct gt_json *json, const char *key, const struct gt_histogram *histogram)
{
    gt_json_key_array(json, key);
    for (size_t i = 0; i < histogram->count; i++) {
        size_t bucket = histogram->first + i;
        int64_t from = histogram_least_of(bucket), next = histogram_least_of(bucket + 1);
        if (from == next)
            continue;
        gt_json_array(json);
        gt_json_int(json, from);
        gt_json_int(json, bucket + 1 < BUCKETS ? next - 1 : next);
        gt_json_uint(json, histogram->counts[i]);
        gt_json_end(json);
    }
    gt_json_end(json);
}

void gt_histogram_free(struct gt_histogram *histogram, struct gt_mem *mem)
{
    gt_mem_free(mem, histogram->counts, histogram->count * sizeof(*histogram->counts));
    *histogram = (struct gt_histogram){0};
}
