/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/search_hits.h"

#include <stdlib.h>

enum {
    FIRST_CAPACITY = 64
};

static int hits_compare(const void *a, const void *b)
{
    const struct gt_hit *left = a, *right = b;
    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    if (left->ordinal != right->ordinal)
        return left->ordinal < right->ordinal ? -1 : 1;
    if (left->track != right->track)
        return left->track < right->track ? -1 : 1;
    if (left->index != right->index)
        return left->index < right->index ? -1 : 1;
    if (left->name != right->name)
        return left->name < right->name ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

/* Moves the element at `i` down to restore the order of the heap. */
static void hits_sink(struct gt_hits *hits, size_t i)
{
    for (;;) {
        size_t child = 2 * i + 1;
        if (child + 1 < hits->count && hits_compare(&hits->list[child], &hits->list[child + 1]) < 0)
            child++;
        if (child >= hits->count || hits_compare(&hits->list[i], &hits->list[child]) >= 0)
            return;
        struct gt_hit held = hits->list[i];
        hits->list[i] = hits->list[child];
        hits->list[child] = held;
        i = child;
    }
}

static void hits_rise(struct gt_hits *hits, size_t i)
{
    while (i > 0 && hits_compare(&hits->list[(i - 1) / 2], &hits->list[i]) < 0) {
        struct gt_hit held = hits->list[i];
        hits->list[i] = hits->list[(i - 1) / 2];
        hits->list[(i - 1) / 2] = held;
        i = (i - 1) / 2;
    }
}

static bool hits_insert(struct gt_hits *hits, const struct gt_hit *hit)
{
    if (hits->max == 0)
        return true;
    if (hits->count == hits->max) {
        if (hits_compare(hit, &hits->list[0]) < 0) {
            hits->list[0] = *hit;
            hits_sink(hits, 0);
        }
        return true;
    }
    if (hits->count == hits->capacity) {
        size_t capacity = hits->capacity == 0 ? FIRST_CAPACITY : 2 * hits->capacity;
        struct gt_hit *list = realloc(hits->list, capacity * sizeof(*list));
        if (!list)
            return false;
        hits->list = list;
        hits->capacity = capacity;
    }
    hits->list[hits->count++] = *hit;
    hits_rise(hits, hits->count - 1);
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
    if (hits->count > 0)
        qsort(hits->list, hits->count, sizeof(*hits->list), hits_compare);
}

void gt_hits_free(struct gt_hits *hits)
{
    free(hits->list);
}
