/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "web/totals.h"

bool gt_totals_add_goroutine(struct gt_totals *totals, const gt_goroutine_summary *goroutine)
{
    struct gt_group *group = gt_groups_put(&totals->groups, goroutine);
    if (!group)
        return false;
    struct gt_totals_group *own = group->own;
    if (!own) {
        own = calloc(1, sizeof(*own));
        if (!own)
            return false;
        own->group = group;
        own->pc = goroutine->pc;
        group->own = own;
    }
    return gt_record_put_goroutine(&own->records, &totals->names, goroutine, totals->start);
}

/*
 * Computes the percentiles of one time. As each time has its own pass over the records, memory is
 * needed for only one number per goroutine.
 */
static bool totals_group_find_percentiles(struct gt_totals_group *group, enum gt_record_time time)
{
    struct gt_distribution distribution = {0};
    struct gt_record_goroutine record;
    struct gt_unpack unpack = {&group->records, 0};
    bool good = true;
    while (good && !gt_unpack_is_end(&unpack)) {
        gt_record_get_goroutine(&unpack, &record);
        good = gt_distribution_add(&distribution, record.times.values[time]);
    }
    for (size_t i = 0; good && i < GT_TOTALS_PERCENTILES; i++)
        group->percentiles[time][i] =
            gt_distribution_percentile(&distribution, gt_totals_percents[i]);
    gt_distribution_free(&distribution);
    return good;
}

static int totals_group_compare_groups(const void *a, const void *b)
{
    const struct gt_group *left = *(struct gt_group *const *) a,
                          *right = *(struct gt_group *const *) b;
    int64_t left_value = left->sums[GT_GROUP_EXECUTION],
            right_value = right->sums[GT_GROUP_EXECUTION];
    if (left_value != right_value)
        return left_value > right_value ? -1 : 1;
    size_t least = left->name_size < right->name_size ? left->name_size : right->name_size;
    int order = memcmp(left->name, right->name, least);
    return order != 0 ? order : left->name_size < right->name_size ? -1 : 1;
}

bool gt_totals_finish_groups(struct gt_totals *totals)
{
    static const enum gt_record_time times[] = {GT_RECORD_EXECUTION, GT_RECORD_SCHED_WAIT,
                                                GT_RECORD_BLOCK, GT_RECORD_TOTAL};
    struct gt_groups *groups = &totals->groups;
    if (groups->count > 0)
        qsort(groups->list, groups->count, sizeof(*groups->list), totals_group_compare_groups);
    for (size_t i = 0; i < groups->count; i++) {
        struct gt_totals_group *group = groups->list[i]->own;
        gt_pack_trim(&group->records);
        for (size_t time = 0; time < sizeof(times) / sizeof(times[0]); time++) {
            if (!totals_group_find_percentiles(group, times[time]))
                return false;
        }
    }
    return true;
}

const struct gt_totals_group *gt_totals_find_group(const struct gt_totals *totals, gt_string name)
{
    for (size_t i = 0; i < totals->groups.count; i++) {
        const struct gt_group *group = totals->groups.list[i];
        if (group->name_size == name.size &&
            (name.size == 0 || memcmp(group->name, name.data, name.size) == 0))
            return group->own;
    }
    return NULL;
}

void gt_totals_free_groups(struct gt_totals *totals)
{
    for (size_t i = 0; i < totals->groups.count; i++) {
        struct gt_totals_group *group = totals->groups.list[i]->own;
        if (group)
            gt_pack_free(&group->records);
        free(group);
    }
    gt_groups_free(&totals->groups);
}
