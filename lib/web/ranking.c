/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/ranking.h"

#include "base/sort.h"

void gt_ranking_init(struct gt_ranking *ranking, struct gt_mem *mem, size_t wanted,
                     bool largest_first)
{
    *ranking = (struct gt_ranking){.mem = mem, .wanted = wanted, .largest_first = largest_first};
}

/*
 * Whether `a` comes before `b`. If the largest keys come first, all bits of the keys have been
 * inverted.
 */
static bool ranking_is_before(const void *left, const void *right, void *context)
{
    const struct gt_ranked *a = left, *b = right;
    (void) context;
    return a->key != b->key ? a->key < b->key : a->number < b->number;
}

bool gt_ranking_add(struct gt_ranking *ranking, int64_t key, uint64_t what)
{
    struct gt_ranked item = {ranking->largest_first ? ~key : key, ranking->total++, what};
    if (ranking->count < ranking->wanted &&
        gt_mem_reserve(ranking->mem, &ranking->list, &ranking->capacity, ranking->count + 1,
                       sizeof(*ranking->list)) != GT_OK)
        return false;
    gt_sort_keep_first(ranking->list, &ranking->count, ranking->wanted, &item, sizeof(item),
                       ranking_is_before, NULL);
    return true;
}

void gt_ranking_finish(struct gt_ranking *ranking)
{
    gt_sort(ranking->list, ranking->count, sizeof(*ranking->list), ranking_is_before, NULL);
}

void gt_ranking_free(struct gt_ranking *ranking)
{
    gt_mem_free(ranking->mem, ranking->list, ranking->capacity * sizeof(*ranking->list));
}
