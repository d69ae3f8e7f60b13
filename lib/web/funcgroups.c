/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/funcgroups.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int funcgroups_compare_names(const void *a, const void *b)
{
    const struct gt_group *left = a, *right = b;
    size_t least = left->name_size < right->name_size ? left->name_size : right->name_size;
    int order = memcmp(left->name, right->name, least);
    if (order != 0)
        return order;
    return left->name_size < right->name_size ? -1 : left->name_size > right->name_size;
}

static bool funcgroups_reserve(void *list, size_t *capacity, size_t count, size_t element)
{
    if (count <= *capacity)
        return true;
    size_t room = *capacity == 0 ? 16 : 2 * *capacity;
    void *old;
    memcpy(&old, list, sizeof(old));
    void *grown = realloc(old, room * element);
    if (!grown)
        return false;
    memcpy(list, &grown, sizeof(grown));
    *capacity = room;
    return true;
}

static struct gt_group *funcgroups_group_new(struct gt_groups *groups, gt_string name)
{
    if (!funcgroups_reserve(&groups->list, &groups->capacity, groups->count + 1,
                            sizeof(*groups->list)))
        return NULL;
    struct gt_group *group = calloc(1, sizeof(*group));
    if (!group)
        return NULL;
    group->name = malloc(name.size + 1);
    if (group->name) {
        memcpy(group->name, name.data, name.size);
        group->name_size = name.size;
        if (tsearch(group, &groups->by_name, funcgroups_compare_names)) {
            groups->list[groups->count++] = group;
            return group;
        }
    }
    free(group->name);
    free(group);
    return NULL;
}

static struct gt_group *funcgroups_find(struct gt_groups *groups, gt_string name)
{
    struct gt_group wanted = {.name = NULL, .name_size = name.size};
    /* The name of a group is not const because it is freed. The one of the key is only read. */
    memcpy(&wanted.name, &name.data, sizeof(wanted.name));
    void *found = tfind(&wanted, &groups->by_name, funcgroups_compare_names);
    return found ? *(struct gt_group **) found : funcgroups_group_new(groups, name);
}

/* Returns the time in ranges of the garbage collector, such as "GC mark assist", in nanoseconds. */
static int64_t funcgroups_gc_time(const gt_summary_times *times)
{
    int64_t sum = 0;
    for (size_t i = 0; i < times->range_count; i++) {
        gt_string name = times->ranges[i].name;
        if (name.size > 3 && memcmp(name.data, "GC ", 3) == 0)
            sum += times->ranges[i].time;
    }
    return sum;
}

static bool funcgroups_add_times(const struct gt_groups *groups, struct gt_group *group,
                                 const gt_summary_times *times)
{
    const int64_t values[GT_GROUP_TIMES] = {
        [GT_GROUP_EXECUTION] = times->execution,   [GT_GROUP_SCHED_WAIT] = times->sched_wait,
        [GT_GROUP_BLOCK] = times->block,           [GT_GROUP_SYSCALL] = times->syscall,
        [GT_GROUP_GC] = funcgroups_gc_time(times), [GT_GROUP_SYSCALL_BLOCK] = times->syscall_block,
        [GT_GROUP_UNKNOWN] = times->unknown,       [GT_GROUP_TOTAL] = times->total,
    };
    for (size_t i = 0; i < GT_GROUP_TIMES; i++) {
        struct gt_group_values *kept = &group->values[i];
        group->sums[i] += values[i];
        if (!groups->keep[i])
            continue;
        if (!funcgroups_reserve(&kept->list, &kept->capacity, group->count + 1,
                                sizeof(*kept->list)))
            return false;
        kept->list[group->count] = values[i];
    }
    group->count++;
    return true;
}

struct gt_group *gt_groups_put(struct gt_groups *groups, const gt_goroutine_summary *goroutine)
{
    struct gt_group *group = funcgroups_find(groups, goroutine->name);
    if (group && funcgroups_add_times(groups, group, &goroutine->times))
        return group;
    groups->out_of_memory = true;
    return NULL;
}

void gt_groups_add(void *user_data, const gt_goroutine_summary *goroutine)
{
    gt_groups_put(user_data, goroutine);
}

static int funcgroups_compare_values(const void *a, const void *b)
{
    int64_t left = *(const int64_t *) a, right = *(const int64_t *) b;
    return (left > right) - (left < right);
}

void gt_groups_sort_values(struct gt_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        struct gt_group *group = groups->list[i];
        for (size_t time = 0; time < GT_GROUP_TIMES; time++) {
            if (groups->keep[time])
                qsort(group->values[time].list, group->count, sizeof(int64_t),
                      funcgroups_compare_values);
        }
    }
}

int64_t gt_group_percentile(const struct gt_group *group, enum gt_group_time time,
                            unsigned int percent)
{
    size_t rank = (group->count * percent + 99) / 100;
    return group->values[time].list[rank > 0 ? rank - 1 : 0];
}

void gt_groups_free(struct gt_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        struct gt_group *group = groups->list[i];
        tdelete(group, &groups->by_name, funcgroups_compare_names);
        for (size_t time = 0; time < GT_GROUP_TIMES; time++)
            free(group->values[time].list);
        free(group->name);
        free(group);
    }
    free(groups->list);
}
