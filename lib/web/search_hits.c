/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/search_hits.h"

#include <string.h>

#include "base/sort.h"
#include "base/time.h"
#include "web/answer.h"

enum {
    /* Up to this number every duration is kept, so that percentiles are exact. */
    EXACT_LENGTHS = 1000 * 1000
};

/* Compares two numbers like strcmp. */
static int hits_compare_numbers(int64_t left, int64_t right)
{
    return (left > right) - (left < right);
}

static gt_string hits_name_of(const struct gt_store *store, const struct gt_hit *hit)
{
    const char *cls = gt_answer_classes[hit->cls % GT_STORE_CLASSES];
    return hit->name != 0 ? gt_store_text(store, hit->name) : (gt_string){cls, strlen(cls)};
}

static int hits_compare_names(const struct gt_store *store, const struct gt_hit *left,
                              const struct gt_hit *right)
{
    if (left->name == right->name && (left->name != 0 || left->cls == right->cls))
        return 0;
    gt_string a = hits_name_of(store, left), b = hits_name_of(store, right);
    size_t size = a.size < b.size ? a.size : b.size;
    int order = size == 0 ? 0 : memcmp(a.data, b.data, size);
    return order != 0 ? order : hits_compare_numbers((int64_t) a.size, (int64_t) b.size);
}

/* Compares two hits by what a table is sorted by. */
static int hits_compare_by_order(const struct gt_hits_table *table, const struct gt_hit *left,
                                 const struct gt_hit *right)
{
    int order = 0;
    if (table->order == GT_HITS_START)
        order = hits_compare_numbers(left->start, right->start);
    else if (table->order == GT_HITS_DURATION)
        order = hits_compare_numbers(gt_time_minus(left->end, left->start),
                                     gt_time_minus(right->end, right->start));
    else
        order = hits_compare_names(table->store, left, right);
    return table->is_descending ? -order : order;
}

static bool hits_is_before(const void *a, const void *b, void *context)
{
    const struct gt_hit *left = a, *right = b;
    const struct gt_hits_table *table = ((const struct gt_hits *) context)->table;
    int order = table ? hits_compare_by_order(table, left, right) : 0;
    if (order != 0)
        return order < 0;
    if (left->start != right->start)
        return left->start < right->start;
    if (left->kind != right->kind)
        return left->kind < right->kind;
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
                       hits);
    return true;
}

bool gt_hits_keep(const struct gt_hits *hits, int64_t start)
{
    return hits->table || hits->count < hits->max ||
           (hits->max > 0 && start <= hits->list[0].start);
}

static bool hits_measure(struct gt_hits *hits, int64_t length)
{
    if (!hits->has_length)
        return true;
    if (hits->lengths.count == EXACT_LENGTHS && !gt_distribution_coarsen(&hits->lengths, hits->mem))
        return false;
    return gt_histogram_add(&hits->histogram, hits->mem, length) &&
           gt_distribution_add(&hits->lengths, hits->mem, length);
}

bool gt_hits_add(struct gt_hits *hits, const struct gt_hit *hit)
{
    struct gt_hit added = *hit;
    added.kind = hits->kind;
    if (hits->table) {
        int64_t length = gt_time_minus(hit->end, hit->start);
        if (!hits_measure(hits, length))
            return false;
        if (length < hits->table->shortest || length > hits->table->longest)
            return true;
        gt_time_add_to(&hits->time, length);
    }
    hits->total++;
    return hits_insert(hits, &added);
}

/* Merges the distributions of two lists of hits. If there are many durations, they are counted in
 * buckets from then on. */
static bool hits_merge_lengths(struct gt_hits *hits, struct gt_hits *more)
{
    bool is_coarse = hits->lengths.buckets || more->lengths.buckets ||
                     hits->lengths.count + more->lengths.count > EXACT_LENGTHS;
    if (is_coarse && (!gt_distribution_coarsen(&hits->lengths, hits->mem) ||
                      !gt_distribution_coarsen(&more->lengths, hits->mem)))
        return false;
    return gt_distribution_merge(&hits->lengths, hits->mem, &more->lengths) &&
           gt_histogram_merge(&hits->histogram, hits->mem, &more->histogram);
}

static void hits_lock(const struct gt_hits *hits)
{
    if (hits->table)
        gt_store_lock_read(hits->table->store);
}

static void hits_unlock(const struct gt_hits *hits)
{
    if (hits->table)
        gt_store_unlock(hits->table->store);
}

/* If `hits` is still empty, takes over the list of `more`, which is a heap as well. Returns whether
 * it has. */
static bool hits_take_over(struct gt_hits *hits, struct gt_hits *more)
{
    if (hits->count > 0 || more->count > hits->max)
        return false;
    gt_mem_free(hits->mem, hits->list, hits->capacity * sizeof(*hits->list));
    hits->list = more->list;
    hits->count = more->count;
    hits->capacity = more->capacity;
    more->list = NULL;
    more->count = more->capacity = 0;
    return true;
}

bool gt_hits_merge(struct gt_hits *hits, struct gt_hits *more)
{
    bool good = hits_merge_lengths(hits, more);
    hits->total += more->total;
    gt_time_add_to(&hits->time, more->time);
    if (hits_take_over(hits, more))
        return good;
    hits_lock(hits);
    for (size_t i = 0; i < more->count && good; i++)
        good = hits_insert(hits, &more->list[i]);
    hits_unlock(hits);
    return good;
}

void gt_hits_sort(struct gt_hits *hits)
{
    hits_lock(hits);
    gt_sort(hits->list, hits->count, sizeof(*hits->list), hits_is_before, hits);
    hits_unlock(hits);
}

void gt_hits_free(struct gt_hits *hits)
{
    gt_mem_free(hits->mem, hits->list, hits->capacity * sizeof(*hits->list));
    gt_histogram_free(&hits->histogram, hits->mem);
    gt_distribution_free(&hits->lengths, hits->mem);
}
