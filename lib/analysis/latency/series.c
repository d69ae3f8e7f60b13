/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/latency/series.h"

#include <string.h>

#include "base/hash.h"
#include "base/sort.h"
#include "base/text.h"

void gt_series_set_init(struct gt_series_set *set, struct gt_mem *mem,
                        struct gt_shared_texts *texts, uint64_t most)
{
    memset(set, 0, sizeof(*set));
    set->mem = mem;
    set->texts = texts;
    set->most = most;
    set->secret = gt_hash_secret(set);
    gt_pool_init(&set->pool, mem, sizeof(struct gt_series));
    gt_pool_init(&set->octaves, mem, GT_OCTAVE_BYTES);
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
    gt_durations_init(&series->durations);
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

gt_status gt_series_add(struct gt_series_set *set, uint32_t kind, uint32_t group,
                        struct gt_shared_text *name, int64_t duration)
{
    struct gt_series *series = series_get(set, kind, group, name);
    return series ? gt_durations_add(&series->durations, set->mem, &set->octaves, duration)
                  : gt_mem_failure(set->mem);
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
    gt_index_clear(&set->index);
    for (size_t i = 0; i < set->list.count; i++) {
        const struct gt_series *series = set->list.items[i];
        uint64_t hash = series_hash(set, series->kind, series->group, series->name);
        /* There was room for as many before. */
        gt_index_add(&set->index, set->mem, hash, i);
    }
}
