/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/search_hits.h"

#include "base/sort.h"

static bool hits_is_before(const void *a, const void *b, void *context)
{
    const struct gt_hit *left = a, *right = b;
    (void) context;
    if (left->start != right->start)
        return left->start < right->start;
    if (left->ordinal != right->ordinal)
        return left->ordinal < right->ordinal;
    if (left->track != right->track)
        return left->track < right->track;
    if (left->index != right->index)
        return left->index < right->index;
    if (left->name != right->name)
        return left->name < right->name;
    return left->number < right->number;
}

static bool hits_insert(struct gt_hits *hits, const struct gt_hit *hit)
{
    if (hits->count < hits->max && gt_mem_reserve(hits->mem, &hits->list, &hits->capacity,
                                                  hits->count + 1, sizeof(*hits->list)) != GT_OK)
        return false;
    gt_sort_keep_first(hits->list, &hits->count, hits->max, hit, sizeof(*hit), hits_is_before,
                       NULL);
    return true;
}

bool gt_hits_keep(const struct gt_hits *hits, int64_t start)
{
    return hits->count < hits->max || (hits->max > 0 && start <= hits->list[0].start);
}

bool gt_hits_add(struct gt_hits *hits, const struct gt_hit *hit)
{
    hits->total++;
    return hits_insert(hits, hit);
}

bool gt_hits_merge(struct gt_hits *hits, const struct gt_hits *more)
{
    hits->total += more->total;
    for (size_t i = 0; i < more->count; i++) {
        if (!hits_insert(hits, &more->list[i]))
            return false;
    }
    return true;
}

void gt_hits_sort(struct gt_hits *hits)
{
    gt_sort(hits->list, hits->count, sizeof(*hits->list), hits_is_before, NULL);
}

void gt_hits_free(struct gt_hits *hits)
{
    gt_mem_free(hits->mem, hits->list, hits->capacity * sizeof(*hits->list));
}
