/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "base/text.h"
#include "base/time.h"
#include "web/totals.h"

/* Returns the group of the goroutines of a name, which is added if it is new. */
static struct gt_totals_group *totals_group_get(struct gt_totals *totals, gt_string name)
{
    uint32_t text;
    if (!gt_dictionary_put(&totals->names, name, &text) ||
        gt_array_extend(totals->mem, &totals->group_numbers, text + (size_t) 1) != GT_OK)
        return NULL;
    uint32_t *number = &totals->group_numbers.items[text];
    if (*number == 0) {
        const struct gt_totals_group added = {
            .name = gt_dictionary_get(&totals->names, text),
            .records.mem = totals->mem,
        };
        if (gt_array_add(totals->mem, &totals->groups, added) != GT_OK)
            return NULL;
        *number = (uint32_t) totals->groups.count;
    }
    return &totals->groups.items[*number - 1];
}

bool gt_totals_add_goroutine(struct gt_totals *totals, const gt_goroutine_summary *goroutine)
{
    struct gt_totals_group *group = totals_group_get(totals, goroutine->name);
    if (!group)
        return false;
    if (group->records.size == 0)
        group->pc = goroutine->pc;
    return gt_record_put_goroutine(&group->records, &totals->names, goroutine, totals->start);
}

static void totals_group_add_up(struct gt_totals_group *group)
{
    struct gt_record_goroutine record;
    struct gt_unpack unpack = {&group->records, 0};
    for (; !gt_unpack_is_end(&unpack); group->count++) {
        gt_record_get_goroutine(&unpack, &record);
        for (size_t i = 0; i < GT_RECORD_TIMES; i++)
            gt_time_add_to(&group->sums[i], record.times.values[i]);
    }
}

/*
 * Computes the percentiles of one time. As each time has its own pass over the records, memory is
 * needed for only one number per goroutine.
 */
static bool totals_group_percentiles(struct gt_totals_group *group, enum gt_record_time time)
{
    struct gt_mem *mem = group->records.mem;
    struct gt_distribution distribution = {0};
    struct gt_record_goroutine record;
    struct gt_unpack unpack = {&group->records, 0};
    bool good = true;
    while (good && !gt_unpack_is_end(&unpack)) {
        gt_record_get_goroutine(&unpack, &record);
        good = gt_distribution_add(&distribution, mem, record.times.values[time]);
    }
    for (size_t i = 0; good && i < GT_TOTALS_PERCENTILES; i++)
        group->percentiles[time][i] =
            gt_distribution_percentile(&distribution, gt_totals_percents[i]);
    gt_distribution_free(&distribution, mem);
    return good;
}

static int totals_group_compare(const void *a, const void *b)
{
    const struct gt_totals_group *left = a, *right = b;
    int64_t left_value = left->sums[GT_RECORD_EXECUTION],
            right_value = right->sums[GT_RECORD_EXECUTION];
    if (left_value != right_value)
        return left_value > right_value ? -1 : 1;
    return gt_text_compare(left->name, right->name);
}

bool gt_totals_finish_groups(struct gt_totals *totals)
{
    static const enum gt_record_time times[] = {GT_RECORD_EXECUTION, GT_RECORD_SCHED_WAIT,
                                                GT_RECORD_BLOCK, GT_RECORD_TOTAL};

    for (size_t i = 0; i < totals->groups.count; i++)
        totals_group_add_up(&totals->groups.items[i]);
    if (totals->groups.count > 0)
        qsort(totals->groups.items, totals->groups.count, sizeof(*totals->groups.items),
              totals_group_compare);
    for (size_t i = 0; i < totals->groups.count; i++) {
        gt_pack_trim(&totals->groups.items[i].records);
        for (size_t time = 0; time < sizeof(times) / sizeof(times[0]); time++) {
            if (!totals_group_percentiles(&totals->groups.items[i], times[time]))
                return false;
        }
    }
    return true;
}

const struct gt_totals_group *gt_totals_find_group(const struct gt_totals *totals, gt_string name)
{
    for (size_t i = 0; i < totals->groups.count; i++) {
        if (gt_text_equal(totals->groups.items[i].name, name))
            return &totals->groups.items[i];
    }
    return NULL;
}

void gt_totals_free_groups(struct gt_totals *totals)
{
    for (size_t i = 0; i < totals->groups.count; i++)
        gt_pack_free(&totals->groups.items[i].records);
    gt_array_free(totals->mem, &totals->groups);
    gt_array_free(totals->mem, &totals->group_numbers);
}
