/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "web/totals.h"

bool totals_add_goroutine(struct totals *totals, const gt_goroutine_summary *goroutine)
{
    struct group *group = groups_put(&totals->groups, goroutine);
    if (group == NULL)
        return false;
    struct totals_group *own = group->own;
    if (own == NULL) {
        own = calloc(1, sizeof(*own));
        if (own == NULL)
            return false;
        own->group = group;
        own->pc = goroutine->pc;
        group->own = own;
    }
    return record_put_goroutine(&own->records, &totals->names, goroutine, totals->start);
}

/* One time after the other, so that there is room for one of each goroutine only. */
static bool find_percentiles(struct totals_group *group, enum record_time time)
{
    struct spread spread = {0};
    struct record_goroutine record;
    struct unpack unpack = {&group->records, 0};
    bool good = true;
    while (good && !unpack_is_end(&unpack)) {
        record_get_goroutine(&unpack, &record);
        good = spread_add(&spread, record.times.values[time]);
    }
    for (size_t i = 0; good && i < TOTALS_PERCENTILES; i++)
        group->percentiles[time][i] = spread_percentile(&spread, totals_percents[i]);
    spread_free(&spread);
    return good;
}

static int compare_groups(const void *a, const void *b)
{
    const struct group *left = *(struct group *const *) a, *right = *(struct group *const *) b;
    int64_t left_value = left->sums[GROUP_EXECUTION], right_value = right->sums[GROUP_EXECUTION];
    if (left_value != right_value)
        return left_value > right_value ? -1 : 1;
    size_t least = left->name_size < right->name_size ? left->name_size : right->name_size;
    int order = memcmp(left->name, right->name, least);
    return order != 0 ? order : left->name_size < right->name_size ? -1 : 1;
}

bool totals_finish_groups(struct totals *totals)
{
    static const enum record_time times[] = {RECORD_EXECUTION, RECORD_SCHED_WAIT, RECORD_BLOCK,
                                             RECORD_TOTAL};
    struct groups *groups = &totals->groups;
    if (groups->count > 0)
        qsort(groups->list, groups->count, sizeof(*groups->list), compare_groups);
    for (size_t i = 0; i < groups->count; i++) {
        struct totals_group *group = groups->list[i]->own;
        pack_trim(&group->records);
        for (size_t time = 0; time < sizeof(times) / sizeof(times[0]); time++) {
            if (!find_percentiles(group, times[time]))
                return false;
        }
    }
    return true;
}

const struct totals_group *totals_find_group(const struct totals *totals, gt_string name)
{
    for (size_t i = 0; i < totals->groups.count; i++) {
        const struct group *group = totals->groups.list[i];
        if (group->name_size == name.size &&
            (name.size == 0 || memcmp(group->name, name.data, name.size) == 0))
            return group->own;
    }
    return NULL;
}

void totals_free_groups(struct totals *totals)
{
    for (size_t i = 0; i < totals->groups.count; i++) {
        struct totals_group *group = totals->groups.list[i]->own;
        if (group != NULL)
            pack_free(&group->records);
        free(group);
    }
    groups_free(&totals->groups);
}
