/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/latency/series.h"

#include <string.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/time.h"

void gt_series_set_init(struct gt_series_set *set, struct gt_mem *mem,
                        struct gt_shared_texts *texts, uint64_t most)
{
    memset(set, 0, sizeof(*set));
    set->mem = mem;
    set->texts = texts;
    set->most = most;
    set->secret = gt_hash_secret(set);
    gt_pool_init(&set->pool, mem, sizeof(struct gt_series));
    gt_pool_init(&set->octaves, mem, GT_OCTAVE_BUCKETS * sizeof(uint64_t));
}

void gt_series_set_destroy(struct gt_series_set *set)
{
    gt_array_free(set->mem, &set->list);
    gt_index_free(&set->index, set->mem);
    gt_pool_destroy(&set->pool);
    gt_pool_destroy(&set->octaves);
}

/* Equal names are the same text, so the address is hashed. */
static uint64_t series_hash(const struct gt_series_set *set, uint32_t kind, uint32_t group,
                            const struct gt_shared_text *name)
{
    return gt_hash_pair((uintptr_t) name, kind << 8 | group, set->secret);
}

static bool series_is(const struct gt_series *series, uint32_t kind, uint32_t group,
                      const struct gt_shared_text *name)
{
    return series->name == name && series->kind == kind && series->group == group;
}

/* The series, or NULL. */
static struct gt_series *series_find(const struct gt_series_set *set, uint32_t kind, uint32_t group,
                                     const struct gt_shared_text *name)
{
    struct gt_series *const *series;
    GT_INDEX_FIND(series, &set->list, &set->index, series_hash(set, kind, group, name),
                  series_is(*series, kind, group, name));
    return series ? *series : NULL;
}

/* Adds a series. NULL: no memory. */
static struct gt_series *series_add(struct gt_series_set *set, uint32_t kind, uint32_t group,
                                    struct gt_shared_text *name)
{
    if (gt_array_reserve(set->mem, &set->list, 1) != GT_OK ||
        gt_index_reserve(&set->index, set->mem, 1) != GT_OK)
        return NULL;
    struct gt_series *series = gt_pool_take(&set->pool);
    if (!series || gt_index_add(&set->index, set->mem, series_hash(set, kind, group, name),
                                set->list.count) != GT_OK)
        return NULL;
    memset(series, 0, sizeof(*series));
    series->kind = kind;
    series->group = group;
    series->name = gt_shared_text_hold(name);
    series->minimum = INT64_MAX;
    set->list.items[set->list.count++] = series;
    set->counts[kind][group]++;
    return series;
}

/* Finds or adds the series, or the one that stands for the rest. NULL: no memory. */
static struct gt_series *series_search(struct gt_series_set *set, uint32_t kind, uint32_t group,
                                       struct gt_shared_text *name)
{
    static const gt_string other = {GT_LATENCY_OTHER, sizeof(GT_LATENCY_OTHER) - 1};
    struct gt_series *series = series_find(set, kind, group, name);
    if (series)
        return series;
    if (set->counts[kind][group] < set->most)
        return series_add(set, kind, group, name);
    struct gt_shared_text *rest = gt_shared_text_get(set->texts, other);
    if (!rest)
        return NULL;
    series = series_find(set, kind, group, rest);
    if (!series)
        series = series_add(set, kind, group, rest);
    gt_shared_text_drop(set->texts, rest);
    return series;
}

/* The same by way of the cache. */
static struct gt_series *series_get(struct gt_series_set *set, uint32_t kind, uint32_t group,
                                    struct gt_shared_text *name)
{
    /* Numbers of texts are small, and kinds and groups few: frequent series have own places. */
    size_t place = (size_t) name->ordinal * 7 + kind * GT_LATENCY_GROUPS + group;
    struct gt_series **recent = &set->recent[place % GT_RECENT_SERIES];
    if (!*recent || !series_is(*recent, kind, group, name))
        *recent = series_search(set, kind, group, name);
    return *recent;
}

static unsigned series_octave(uint64_t duration)
{
    return duration < GT_OCTAVE_BUCKETS ? 0 : gt_highest_bit(duration) - GT_OCTAVE_BITS + 1;
}

static int64_t series_bucket_width(unsigned octave)
{
    return octave == 0 ? 1 : (int64_t) 1 << (octave - 1);
}

static int64_t series_bucket_begin(unsigned octave, unsigned i)
{
    unsigned first = octave == 0 ? 0 : GT_OCTAVE_BUCKETS;
    return (int64_t) (first + i) * series_bucket_width(octave);
}

static gt_status series_bucket_count(struct gt_series_set *set, struct gt_series *series,
                                     uint64_t duration)
{
    unsigned octave = series_octave(duration);
    uint64_t **counts = &series->octaves[octave];
    if (!*counts) {
        *counts = gt_pool_take(&set->octaves);
        if (!*counts)
            return gt_mem_failure(set->mem);
        memset(*counts, 0, GT_OCTAVE_BUCKETS * sizeof(uint64_t));
    }
    unsigned shift = octave == 0 ? 0 : octave - 1;
    (*counts)[duration >> shift & (GT_OCTAVE_BUCKETS - 1)]++;
    return GT_OK;
}

gt_status gt_series_add(struct gt_series_set *set, uint32_t kind, uint32_t group,
                        struct gt_shared_text *name, int64_t duration)
{
    struct gt_series *series = series_get(set, kind, group, name);
    if (!series)
        return gt_mem_failure(set->mem);
    if (duration < 0)
        duration = 0;
    series->count++;
    gt_time_add_to(&series->sum, duration);
    if (duration < series->minimum)
        series->minimum = duration;
    if (duration > series->maximum)
        series->maximum = duration;
    return series_bucket_count(set, series, (uint64_t) duration);
}

static bool series_is_before(const void *a, const void *b, void *context)
{
    const struct gt_series *const *left = a, *const *right = b;
    (void) context;
    if ((*left)->kind != (*right)->kind)
        return (*left)->kind < (*right)->kind;
    if ((*left)->group != (*right)->group)
        return (*left)->group < (*right)->group;
    return gt_text_compare((*left)->name->string, (*right)->name->string) < 0;
}

void gt_series_set_sort(struct gt_series_set *set)
{
    gt_sort(set->list.items, set->list.count, sizeof(struct gt_series *), series_is_before, NULL);
}

/* The middle of a bucket, but within the durations that there were. */
static int64_t series_bucket_value(const struct gt_series *series, unsigned octave, unsigned i)
{
    int64_t middle = series_bucket_begin(octave, i) + series_bucket_width(octave) / 2;
    if (middle < series->minimum)
        return series->minimum;
    return middle > series->maximum ? series->maximum : middle;
}

int64_t gt_series_quantile(const struct gt_series *series, double part)
{
    double exact = part * (double) series->count;
    uint64_t rank = (uint64_t) exact;
    rank += (double) rank < exact;
    if (rank <= 1)
        return series->minimum;
    if (rank >= series->count)
        return series->maximum;
    uint64_t below = 0;
    for (unsigned octave = 0; octave < GT_OCTAVES; octave++) {
        for (unsigned i = 0; series->octaves[octave] && i < GT_OCTAVE_BUCKETS; i++) {
            below += series->octaves[octave][i];
            if (below >= rank)
                return series_bucket_value(series, octave, i);
        }
    }
    return series->maximum;
}

gt_status gt_series_next_bucket(const struct gt_series *series, gt_latency_bucket *bucket)
{
    for (unsigned octave = 0; octave < GT_OCTAVES; octave++) {
        for (unsigned i = 0; series->octaves[octave] && i < GT_OCTAVE_BUCKETS; i++) {
            int64_t begin = series_bucket_begin(octave, i);
            if (begin < bucket->to || series->octaves[octave][i] == 0)
                continue;
            /* The last bucket of all would end beyond the largest number. */
            int64_t width = series_bucket_width(octave);
            bucket->from = begin;
            bucket->to = begin > INT64_MAX - width ? INT64_MAX : begin + width;
            bucket->count = series->octaves[octave][i];
            return GT_OK;
        }
    }
    return GT_END;
}
