/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/path/intervals.h"

#include <string.h>

#include "base/hash.h"
#include "base/sort.h"
#include "base/time.h"

void gt_intervals_init(struct gt_intervals *intervals, struct gt_mem *mem)
{
    memset(intervals, 0, sizeof(*intervals));
    intervals->mem = mem;
    intervals->secret = gt_hash_secret(intervals);
}

void gt_intervals_destroy(struct gt_intervals *intervals)
{
    gt_array_free(intervals->mem, &intervals->list);
    gt_array_free(intervals->mem, &intervals->shares);
    gt_array_free(intervals->mem, &intervals->rows);
    gt_index_free(&intervals->index, intervals->mem);
    gt_array_free(intervals->mem, &intervals->durations);
    gt_array_free(intervals->mem, &intervals->selection);
}

gt_status gt_intervals_begin(struct gt_intervals *intervals, const struct gt_path_found *found)
{
    struct gt_path_found *place = gt_array_push(intervals->mem, &intervals->list);
    if (!place)
        return gt_mem_failure(intervals->mem);
    *place = *found;
    place->first_share = intervals->shares.count;
    return GT_OK;
}

/* Finds or adds a row that is not among the recent ones. NULL: no memory. */
static struct gt_path_sum *intervals_row_find(struct gt_intervals *intervals, uint32_t group,
                                              uint32_t label)
{
    uint64_t hash = gt_hash_pair(group, label, intervals->secret);
    struct gt_path_sum *row;
    GT_INDEX_FIND(row, &intervals->rows, &intervals->index, hash,
                  row->group == group && row->label == label);
    if (row)
        return row;
    const struct gt_path_sum empty = {.group = group, .label = label};
    gt_status status =
        gt_index_append(&intervals->index, &intervals->rows, intervals->mem, hash, empty);
    return status == GT_OK ? &intervals->rows.items[intervals->rows.count - 1] : NULL;
}

/* Finds or adds a row. NULL: no memory. */
static struct gt_path_sum *intervals_row(struct gt_intervals *intervals, uint32_t group,
                                         uint32_t label)
{
    uint32_t *place = gt_recent_place(&intervals->recent, (uint64_t) group << 32 | label);
    struct gt_path_sum *row;
    GT_RECENT_FIND(row, &intervals->rows, place, row->group == group && row->label == label);
    if (row)
        return row;
    row = intervals_row_find(intervals, group, label);
    if (row)
        *place = (uint32_t) (row - intervals->rows.items);
    return row;
}

gt_status gt_intervals_add(struct gt_intervals *intervals, uint32_t group, uint32_t label,
                           int64_t time)
{
    struct gt_path_sum *row = intervals_row(intervals, group, label);
    if (!row)
        return gt_mem_failure(intervals->mem);
    if (row->interval == intervals->list.count) {
        gt_time_add_to(&intervals->shares.items[row->share].time, time);
        return GT_OK;
    }
    row->interval = intervals->list.count;
    row->share = intervals->shares.count;
    const struct gt_path_share share = {(uint32_t) (row - intervals->rows.items), time};
    return gt_array_add(intervals->mem, &intervals->shares, share);
}

/* Rows whose times are equal are in the order in which they were added. */
static bool interval_row_is_before(const void *a, const void *b, void *context)
{
    const struct gt_path_sum *rows = context;
    const uint32_t left = *(const uint32_t *) a, right = *(const uint32_t *) b;
    if (rows[left].time != rows[right].time)
        return rows[left].time > rows[right].time;
    return left < right;
}

static void interval_sum(struct gt_intervals *intervals, size_t number)
{
    const struct gt_path_found *found = &intervals->list.items[number];
    uint64_t end = number + 1 < intervals->list.count ? found[1].first_share
                                                      : (uint64_t) intervals->shares.count;
    for (uint64_t i = found->first_share; i < end; i++) {
        const struct gt_path_share *share = &intervals->shares.items[i];
        struct gt_path_sum *row = &intervals->rows.items[share->row];
        row->count++;
        gt_time_add_to(&row->time, share->time);
    }
}

gt_status gt_intervals_select(struct gt_intervals *intervals, int64_t from, int64_t to)
{
    intervals->selection.count = intervals->selected = 0;
    gt_status status =
        gt_array_reserve(intervals->mem, &intervals->selection, intervals->rows.count);
    if (status != GT_OK)
        return status;
    for (size_t i = 0; i < intervals->rows.count; i++) {
        intervals->rows.items[i].count = 0;
        intervals->rows.items[i].time = 0;
    }
    for (size_t i = 0; i < intervals->list.count; i++) {
        const struct gt_path_found *found = &intervals->list.items[i];
        int64_t duration = gt_time_minus(found->end, found->start);
        if (duration < from || duration > to)
            continue;
        intervals->selected++;
        interval_sum(intervals, i);
    }
    for (size_t i = 0; i < intervals->rows.count; i++) {
        if (intervals->rows.items[i].count > 0)
            intervals->selection.items[intervals->selection.count++] = (uint32_t) i;
    }
    gt_sort(intervals->selection.items, intervals->selection.count, sizeof(uint32_t),
            interval_row_is_before, intervals->rows.items);
    return GT_OK;
}

static bool interval_duration_is_before(const void *a, const void *b, void *context)
{
    (void) context;
    return *(const int64_t *) a < *(const int64_t *) b;
}

static gt_status intervals_sort(struct gt_intervals *intervals)
{
    size_t known = intervals->durations.count, count = intervals->list.count;
    if (known == count)
        return GT_OK;
    gt_status status = gt_array_reserve(intervals->mem, &intervals->durations, count - known);
    if (status != GT_OK)
        return status;
    for (size_t i = known; i < count; i++)
        intervals->durations.items[i] =
            gt_time_minus(intervals->list.items[i].end, intervals->list.items[i].start);
    intervals->durations.count = count;
    gt_sort(intervals->durations.items, count, sizeof(int64_t), interval_duration_is_before, NULL);
    return GT_OK;
}

gt_status gt_intervals_quantile(struct gt_intervals *intervals, double part, int64_t *duration)
{
    gt_status status = intervals_sort(intervals);
    if (status != GT_OK)
        return status;
    size_t count = intervals->durations.count;
    double exact = part * (double) count;
    size_t rank = (size_t) exact;
    rank += (double) rank < exact;
    rank = rank < 1 ? 1 : rank > count ? count : rank;
    *duration = intervals->durations.items[rank - 1];
    return GT_OK;
}
