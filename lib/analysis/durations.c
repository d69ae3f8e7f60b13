/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/durations.h"

#include <string.h>

#include "base/bits.h"
#include "base/time.h"

void gt_durations_init(struct gt_durations *durations)
{
    memset(durations, 0, sizeof(*durations));
    durations->minimum = INT64_MAX;
}

static unsigned durations_octave(uint64_t duration)
{
    return duration < GT_OCTAVE_BUCKETS ? 0 : gt_highest_bit(duration) - GT_OCTAVE_BITS + 1;
}

static int64_t durations_bucket_width(unsigned octave)
{
    return octave == 0 ? 1 : (int64_t) 1 << (octave - 1);
}

static int64_t durations_bucket_begin(unsigned octave, unsigned i)
{
    unsigned first = octave == 0 ? 0 : GT_OCTAVE_BUCKETS;
    return (int64_t) (first + i) * durations_bucket_width(octave);
}

int64_t gt_durations_bucket_end(int64_t from)
{
    /* The last bucket of all would end beyond the largest number. */
    int64_t width = durations_bucket_width(durations_octave((uint64_t) from));
    return from > INT64_MAX - width ? INT64_MAX : from + width;
}

static gt_status durations_bucket_count(struct gt_durations *durations, struct gt_mem *mem,
                                        struct gt_pool *octaves, uint64_t duration)
{
    unsigned octave = durations_octave(duration);
    uint64_t **counts = &durations->octaves[octave];
    if (!*counts) {
        *counts = gt_pool_take(octaves);
        if (!*counts)
            return gt_mem_failure(mem);
        memset(*counts, 0, GT_OCTAVE_BYTES);
    }
    unsigned shift = octave == 0 ? 0 : octave - 1;
    (*counts)[duration >> shift & (GT_OCTAVE_BUCKETS - 1)]++;
    return GT_OK;
}

gt_status gt_durations_add(struct gt_durations *durations, struct gt_mem *mem,
                           struct gt_pool *octaves, int64_t duration)
{
    if (duration < 0)
        duration = 0;
    durations->count++;
    gt_time_add_to(&durations->sum, duration);
    if (duration < durations->minimum)
        durations->minimum = duration;
    if (duration > durations->maximum)
        durations->maximum = duration;
    return durations_bucket_count(durations, mem, octaves, (uint64_t) duration);
}

/* The middle of a bucket, but within the durations that there were. */
static int64_t durations_bucket_value(const struct gt_durations *durations, unsigned octave,
                                      unsigned i)
{
    int64_t middle = durations_bucket_begin(octave, i) + durations_bucket_width(octave) / 2;
    if (middle < durations->minimum)
        return durations->minimum;
    return middle > durations->maximum ? durations->maximum : middle;
}

int64_t gt_durations_quantile(const struct gt_durations *durations, double part)
{
    double exact = part * (double) durations->count;
    uint64_t rank = (uint64_t) exact;
    rank += (double) rank < exact;
    if (rank <= 1)
        return durations->minimum;
    if (rank >= durations->count)
        return durations->maximum;
    uint64_t below = 0;
    for (unsigned octave = 0; octave < GT_OCTAVES; octave++) {
        for (unsigned i = 0; durations->octaves[octave] && i < GT_OCTAVE_BUCKETS; i++) {
            below += durations->octaves[octave][i];
            if (below >= rank)
                return durations_bucket_value(durations, octave, i);
        }
    }
    return durations->maximum;
}

gt_status gt_durations_next_bucket(const struct gt_durations *durations, gt_latency_bucket *bucket)
{
    for (unsigned octave = 0; octave < GT_OCTAVES; octave++) {
        for (unsigned i = 0; durations->octaves[octave] && i < GT_OCTAVE_BUCKETS; i++) {
            int64_t begin = durations_bucket_begin(octave, i);
            if (begin < bucket->to || durations->octaves[octave][i] == 0)
                continue;
            bucket->from = begin;
            bucket->to = gt_durations_bucket_end(begin);
            bucket->count = durations->octaves[octave][i];
            return GT_OK;
        }
    }
    return GT_END;
}
