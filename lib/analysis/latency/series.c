/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/latency/series.h"

#include <string.h>

#include "analysis/summary_sort.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/wraps.h"

enum {
    FIRST_SLOTS = 64
};

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
    gt_mem_free(set->mem, set->list, set->capacity * sizeof(*set->list));
    if (set->slots)
        gt_mem_free(set->mem, set->slots, (set->mask + 1) * sizeof(*set->slots));
    gt_pool_destroy(&set->pool);
    gt_pool_destroy(&set->octaves);
}

/* Where the series is, or the free slot where it would be. Equal names are the same text. */
static struct gt_series **find(const struct gt_series_set *set, uint32_t kind, uint32_t group,
                               const struct gt_shared_text *name)
{
    uint64_t hash = gt_hash((uint64_t) (uintptr_t) name, set->secret);
    size_t i = (size_t) gt_hash(kind << 8 | group, hash) & set->mask;
    for (;; i = (i + 1) & set->mask) {
        const struct gt_series *series = set->slots[i];
        if (!series || (series->name == name && series->kind == kind && series->group == group))
            return &set->slots[i];
    }
}

static gt_status grow(struct gt_series_set *set)
{
    size_t room = set->slots ? 2 * (set->mask + 1) : FIRST_SLOTS;
    struct gt_series **slots = gt_mem_alloc(set->mem, room * sizeof(struct gt_series *));
    if (!slots)
        return gt_mem_failure(set->mem);
    memset(slots, 0, room * sizeof(struct gt_series *));
    if (set->slots)
        gt_mem_free(set->mem, set->slots, (set->mask + 1) * sizeof(*set->slots));
    set->slots = slots;
    set->mask = room - 1;
    for (size_t i = 0; i < set->count; i++) {
        struct gt_series *series = set->list[i];
        *find(set, series->kind, series->group, series->name) = series;
    }
    return GT_OK;
}

static struct gt_series *series_new(struct gt_series_set *set, uint32_t kind, uint32_t group,
                                    struct gt_shared_text *name)
{
    if (gt_mem_reserve(set->mem, &set->list, &set->capacity, set->count + 1, sizeof(*set->list)) !=
        GT_OK)
        return NULL;
    if ((!set->slots || 2 * set->count > set->mask) && grow(set) != GT_OK)
        return NULL;
    struct gt_series *series = gt_pool_take(&set->pool);
    if (!series)
        return NULL;
    memset(series, 0, sizeof(*series));
    series->kind = kind;
    series->group = group;
    series->name = name;
    series->minimum = INT64_MAX;
    gt_shared_text_hold(name);
    set->list[set->count++] = series;
    set->counts[kind][group]++;
    *find(set, kind, group, name) = series;
    return series;
}

/* `get` where the series was not found lately. */
static struct gt_series *search(struct gt_series_set *set, uint32_t kind, uint32_t group,
                                struct gt_shared_text *name)
{
    static const gt_string other = {GT_LATENCY_OTHER, sizeof(GT_LATENCY_OTHER) - 1};
    struct gt_series *series = set->slots ? *find(set, kind, group, name) : NULL;
    if (series)
        return series;
    if (set->counts[kind][group] < set->most)
        return series_new(set, kind, group, name);
    struct gt_shared_text *rest = gt_shared_text_get(set->texts, other);
    if (!rest)
        return NULL;
    series = set->slots ? *find(set, kind, group, rest) : NULL;
    if (!series)
        series = series_new(set, kind, group, rest);
    gt_shared_text_drop(set->texts, rest);
    return series;
}

static struct gt_series *get(struct gt_series_set *set, uint32_t kind, uint32_t group,
                             struct gt_shared_text *name)
{
    size_t place = (size_t) ((uintptr_t) name / 16) ^ kind * GT_LATENCY_GROUPS ^ group;
    struct gt_series **recent = &set->recent[place % GT_RECENT_SERIES];
    struct gt_series *series = *recent;
    if (!series || series->name != name || series->kind != kind || series->group != group)
        *recent = series = search(set, kind, group, name);
    return series;
}

static unsigned octave_of(uint64_t duration)
{
    return duration < GT_OCTAVE_BUCKETS ? 0 : gt_highest_bit(duration) - GT_OCTAVE_BITS + 1;
}

/* Where bucket `i` of an octave begins, and how wide it is. */
static int64_t bucket_width(unsigned octave)
{
    return octave == 0 ? 1 : (int64_t) 1 << (octave - 1);
}

static int64_t bucket_begin(unsigned octave, unsigned i)
{
    unsigned first = octave == 0 ? 0 : GT_OCTAVE_BUCKETS;
    return (int64_t) (first + i) * bucket_width(octave);
}

static gt_status count_it(struct gt_series_set *set, struct gt_series *series, uint64_t duration)
{
    unsigned octave = octave_of(duration);
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
    struct gt_series *series = get(set, kind, group, name);
    if (!series)
        return gt_mem_failure(set->mem);
    if (duration < 0)
        duration = 0;
    series->count++;
    series->sum = gt_time_plus(series->sum, duration);
    if (duration < series->minimum)
        series->minimum = duration;
    if (duration > series->maximum)
        series->maximum = duration;
    return count_it(set, series, (uint64_t) duration);
}

static int comes_before(const void *a, const void *b)
{
    const struct gt_series *const *left = a, *const *right = b;
    if ((*left)->kind != (*right)->kind)
        return (*left)->kind < (*right)->kind;
    if ((*left)->group != (*right)->group)
        return (*left)->group < (*right)->group;
    return gt_text_compare((*left)->name->string, (*right)->name->string) < 0;
}

void gt_series_set_sort(struct gt_series_set *set)
{
    gt_summary_sort(set->list, set->count, sizeof(*set->list), comes_before);
}

/* The middle of a bucket, but nothing that was not there. */
static int64_t show(const struct gt_series *series, unsigned octave, unsigned i)
{
    int64_t middle = bucket_begin(octave, i) + bucket_width(octave) / 2;
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
                return show(series, octave, i);
        }
    }
    return series->maximum;
}

gt_status gt_series_next_bucket(const struct gt_series *series, gt_latency_bucket *bucket)
{
    for (unsigned octave = 0; octave < GT_OCTAVES; octave++) {
        for (unsigned i = 0; series->octaves[octave] && i < GT_OCTAVE_BUCKETS; i++) {
            int64_t begin = bucket_begin(octave, i);
            if (begin < bucket->to || series->octaves[octave][i] == 0)
                continue;
            /* The very last one ends at the largest number. */
            int64_t width = bucket_width(octave);
            bucket->from = begin;
            bucket->to = begin > INT64_MAX - width ? INT64_MAX : begin + width;
            bucket->count = series->octaves[octave][i];
            return GT_OK;
        }
    }
    return GT_END;
}
