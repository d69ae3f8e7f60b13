/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "text.h"

static gt_string group_name(const struct group *group)
{
    return (gt_string){group->name, group->name_size};
}

int group_compare_names(const void *a, const void *b)
{
    return text_compare(group_name(a), group_name(b));
}

static struct group *group_new(struct groups *groups, gt_string name)
{
    if (!list_reserve(&groups->list, &groups->capacity, groups->count + 1, sizeof(*groups->list)))
        return NULL;
    struct group *group = calloc(1, sizeof(*group));
    if (!group)
        return NULL;
    group->name = malloc(name.size + 1);
    if (group->name) {
        memcpy(group->name, name.data, name.size);
        group->name_size = name.size;
        if (tsearch(group, &groups->by_name, group_compare_names)) {
            groups->list[groups->count++] = group;
            return group;
        }
    }
    free(group->name);
    free(group);
    return NULL;
}

static struct group *group_find(struct groups *groups, gt_string name)
{
    struct group wanted = {.name = NULL, .name_size = name.size};
    /* A cast would drop the const; nothing writes to the name. */
    memcpy(&wanted.name, &name.data, sizeof(wanted.name));
    void *found = tfind(&wanted, &groups->by_name, group_compare_names);
    return found ? *(struct group **) found : group_new(groups, name);
}

/* Time in ranges of the garbage collector, such as "GC mark assist". */
static int64_t group_gc_time(const gt_summary_times *times)
{
    int64_t sum = 0;
    for (size_t i = 0; i < times->range_count; i++) {
        gt_string name = times->ranges[i].name;
        if (name.size > 3 && memcmp(name.data, "GC ", 3) == 0)
            sum = gt_summary_time_sum(sum, times->ranges[i].time);
    }
    return sum;
}

static bool group_add_times(const struct groups *groups, struct group *group,
                            const gt_summary_times *times)
{
    const int64_t values[GROUP_TIMES] = {
        [GROUP_EXECUTION] = times->execution, [GROUP_SCHED_WAIT] = times->sched_wait,
        [GROUP_BLOCK] = times->block,         [GROUP_SYSCALL] = times->syscall,
        [GROUP_GC] = group_gc_time(times),    [GROUP_SYSCALL_BLOCK] = times->syscall_block,
        [GROUP_UNKNOWN] = times->unknown,     [GROUP_TOTAL] = times->total,
    };
    for (size_t i = 0; i < GROUP_TIMES; i++) {
        struct group_values *kept = &group->values[i];
        group->sums[i] = gt_summary_time_sum(group->sums[i], values[i]);
        if (!groups->keep[i])
            continue;
        if (!list_reserve(&kept->list, &kept->capacity, group->count + 1, sizeof(*kept->list)))
            return false;
        kept->list[group->count] = values[i];
    }
    group->count++;
    return true;
}

void groups_add(void *user_data, const gt_goroutine_summary *goroutine)
{
    struct groups *groups = user_data;
    struct group *group = group_find(groups, goroutine->name);
    if (!group || !group_add_times(groups, group, goroutine->times))
        groups->out_of_memory = true;
}

static int group_compare_values(const void *a, const void *b)
{
    int64_t left = *(const int64_t *) a, right = *(const int64_t *) b;
    return (left > right) - (left < right);
}

void groups_sort_values(struct groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        struct group *group = groups->list[i];
        for (size_t time = 0; time < GROUP_TIMES; time++) {
            if (groups->keep[time])
                qsort(group->values[time].list, group->count, sizeof(int64_t),
                      group_compare_values);
        }
    }
}

int64_t group_percentile(const struct group *group, enum group_time time, unsigned int percent)
{
    size_t rank = (group->count * percent + 99) / 100;
    return group->values[time].list[rank > 0 ? rank - 1 : 0];
}

void groups_free(struct groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        struct group *group = groups->list[i];
        tdelete(group, &groups->by_name, group_compare_names);
        for (size_t time = 0; time < GROUP_TIMES; time++)
            free(group->values[time].list);
        free(group->name);
        free(group);
    }
    free(groups->list);
}
