/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/ranking.h"

#include <stdlib.h>

enum {
    FIRST_CAPACITY = 64
};

void gt_ranking_init(struct gt_ranking *ranking, size_t wanted, bool largest_first)
{
    *ranking = (struct gt_ranking){.wanted = wanted, .largest_first = largest_first};
}

/*
 * Whether `a` comes before `b`. If the largest keys come first, all bits of the keys have been
 * inverted.
 */
static bool ranking_is_before(const struct gt_ranked *a, const struct gt_ranked *b)
{
    return a->key != b->key ? a->key < b->key : a->number < b->number;
}

/* Puts an item at the root of a heap and moves it down. The root is the item that comes last. */
static void ranking_sink(struct gt_ranked *list, size_t count, struct gt_ranked item)
{
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && ranking_is_before(&list[child], &list[child + 1]))
            child++;
        if (!ranking_is_before(&item, &list[child]))
            break;
        list[at] = list[child];
    }
    list[at] = item;
}

static void ranking_rise(struct gt_ranked *list, size_t at, struct gt_ranked item)
{
    for (size_t parent; at > 0; at = parent) {
        parent = (at - 1) / 2;
        if (!ranking_is_before(&list[parent], &item))
            break;
        list[at] = list[parent];
    }
    list[at] = item;
}

bool gt_ranking_add(struct gt_ranking *ranking, int64_t key, uint64_t what)
{
    struct gt_ranked item = {ranking->largest_first ? ~key : key, ranking->total++, what};
    if (ranking->count == ranking->wanted) {
        if (ranking_is_before(&item, &ranking->list[0]))
            ranking_sink(ranking->list, ranking->count, item);
        return true;
    }
    if (ranking->count == ranking->capacity) {
        size_t capacity = 2 * ranking->capacity + FIRST_CAPACITY;
        struct gt_ranked *list = realloc(ranking->list, capacity * sizeof(*list));
        if (!list)
            return false;
        ranking->list = list;
        ranking->capacity = capacity;
    }
    ranking_rise(ranking->list, ranking->count++, item);
    return true;
}

void gt_ranking_finish(struct gt_ranking *ranking)
{
    for (size_t left = ranking->count; left > 1; left--) {
        struct gt_ranked last = ranking->list[0];
        ranking_sink(ranking->list, left - 1, ranking->list[left - 1]);
        ranking->list[left - 1] = last;
    }
}

void gt_ranking_free(struct gt_ranking *ranking)
{
    free(ranking->list);
    ranking->list = NULL;
}
