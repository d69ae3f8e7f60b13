/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/summary/times.h"

#include <string.h>

#include "base/text.h"

/* Most goroutines block for one or two reasons. The largest list has room for every name. */
static const uint32_t time_list_sizes[GT_TIME_SIZES] = {2, 8, 32, GT_SUMMARY_MAX_NAMES + 1};

void gt_time_pools_init(struct gt_time_pools *pools, struct gt_mem *mem)
{
    pools->mem = mem;
    for (size_t i = 0; i < GT_TIME_SIZES; i++)
        gt_pool_init(&pools->sizes[i], mem, time_list_sizes[i] * sizeof(gt_summary_time));
}

void gt_time_pools_destroy(struct gt_time_pools *pools)
{
    for (size_t i = 0; i < GT_TIME_SIZES; i++)
        gt_pool_destroy(&pools->sizes[i]);
}

static void time_list_free(struct gt_time_pools *pools, struct gt_time_list *list)
{
    if (list->list)
        gt_pool_give(&pools->sizes[list->size], list->list);
    memset(list, 0, sizeof(*list));
}

/* Makes an empty list with room for `count` times. */
static gt_status time_list_new(struct gt_time_pools *pools, struct gt_time_list *list,
                               uint32_t count)
{
    uint32_t size = 0;
    while (time_list_sizes[size] < count)
        size++;
    list->list = gt_pool_take(&pools->sizes[size]);
    list->size = size;
    list->count = 0;
    return list->list ? GT_OK : gt_mem_failure(pools->mem);
}

static gt_status time_list_copy(struct gt_time_pools *pools, struct gt_time_list *to,
                                const struct gt_time_list *from)
{
    memset(to, 0, sizeof(*to));
    if (from->count == 0)
        return GT_OK;
    gt_status status = time_list_new(pools, to, from->count);
    if (status != GT_OK)
        return status;
    memcpy(to->list, from->list, from->count * sizeof(*from->list));
    to->count = from->count;
    return GT_OK;
}

static gt_status time_list_reserve(struct gt_time_pools *pools, struct gt_time_list *list)
{
    if (!list->list)
        return time_list_new(pools, list, 1);
    if (list->count < time_list_sizes[list->size])
        return GT_OK;
    struct gt_time_list larger;
    gt_status status = time_list_new(pools, &larger, list->count + 1);
    if (status != GT_OK)
        return status;
    memcpy(larger.list, list->list, list->count * sizeof(*list->list));
    larger.count = list->count;
    time_list_free(pools, list);
    *list = larger;
    return GT_OK;
}

gt_status gt_time_add(struct gt_time_pools *pools, struct gt_time_list *list,
                      const struct gt_shared_text *name, int64_t time)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->list[i].name.data == name->string.data) {
            gt_time_add_to(&list->list[i].time, time);
            return GT_OK;
        }
    }
    gt_status status = time_list_reserve(pools, list);
    if (status != GT_OK)
        return status;
    uint32_t at = list->count++;
    for (; at > 0 && gt_text_compare(list->list[at - 1].name, name->string) > 0; at--)
        list->list[at] = list->list[at - 1];
    list->list[at].name = name->string;
    list->list[at].time = time;
    return GT_OK;
}

int64_t gt_summary_time_sum(int64_t a, int64_t b)
{
    return gt_time_plus(a, b);
}

/*
 * The difference, but not less than 0. It could be less for a region that begins within a range or
 * a system call: a range that begins again before it ended counts from the second begin, and a
 * system call that lost its proc counts, while it lasts, as if it still had it and as waiting to be
 * scheduled besides.
 */
static int64_t time_left(int64_t time, int64_t before)
{
    int64_t left = gt_time_minus(time, before);
    return left > 0 ? left : 0;
}

/* Both lists are sorted, so one pass over both is enough. */
static void time_list_subtract(struct gt_time_list *to, const struct gt_time_list *from)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        while (at < to->count && gt_text_compare(to->list[at].name, from->list[i].name) < 0)
            at++;
        if (at == to->count || to->list[at].name.data != from->list[i].name.data)
            continue;
        to->list[at].time = time_left(to->list[at].time, from->list[i].time);
    }
}

void gt_times_subtract(gt_summary_times *to, struct gt_time_lists *to_lists,
                       const gt_summary_times *from, const struct gt_time_lists *from_lists)
{
    to->execution = gt_time_minus(to->execution, from->execution);
    to->sched_wait = time_left(to->sched_wait, from->sched_wait);
    to->syscall = time_left(to->syscall, from->syscall);
    to->syscall_block = gt_time_minus(to->syscall_block, from->syscall_block);
    to->total = gt_time_minus(to->total, from->total);
    time_list_subtract(&to_lists->blocks, &from_lists->blocks);
    time_list_subtract(&to_lists->ranges, &from_lists->ranges);
}

gt_status gt_time_lists_copy(struct gt_time_pools *pools, struct gt_time_lists *to,
                             const struct gt_time_lists *from)
{
    memset(to, 0, sizeof(*to));
    gt_status status = time_list_copy(pools, &to->blocks, &from->blocks);
    return status == GT_OK ? time_list_copy(pools, &to->ranges, &from->ranges) : status;
}

void gt_time_lists_free(struct gt_time_pools *pools, struct gt_time_lists *lists)
{
    time_list_free(pools, &lists->blocks);
    time_list_free(pools, &lists->ranges);
}

void gt_times_publish(gt_summary_times *times, const struct gt_time_lists *lists)
{
    times->blocks = lists->blocks.list;
    times->block_count = lists->blocks.count;
    times->ranges = lists->ranges.list;
    times->range_count = lists->ranges.count;
    times->block = 0;
    for (size_t i = 0; i < times->block_count; i++)
        gt_time_add_to(&times->block, times->blocks[i].time);
    int64_t known = gt_time_plus(times->execution, times->sched_wait);
    gt_time_add_to(&known, times->syscall);
    gt_time_add_to(&known, times->syscall_block);
    gt_time_add_to(&known, times->block);
    times->unknown = known < times->total ? gt_time_minus(times->total, known) : 0;
}
