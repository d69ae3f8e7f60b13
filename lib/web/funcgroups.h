/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_FUNCGROUPS_H
#define GT_WEB_FUNCGROUPS_H

/*
 * Goroutines, added up by the function that they start with.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/summary.h>

/* What is added up of each goroutine, in nanoseconds. */
enum gt_group_time {
    GT_GROUP_EXECUTION,
    GT_GROUP_SCHED_WAIT,
    GT_GROUP_BLOCK,
    GT_GROUP_SYSCALL,
    GT_GROUP_SYSCALL_BLOCK,
    GT_GROUP_GC,
    GT_GROUP_UNKNOWN,
    GT_GROUP_TOTAL,
    GT_GROUP_TIMES
};

/* A row of times, one for each goroutine; kept where percentiles are asked for. */
struct gt_group_values {
    int64_t *list;
    size_t capacity;
};

struct gt_group {
    char *name;
    size_t name_size;
    size_t count;
    int64_t sums[GT_GROUP_TIMES];
    struct gt_group_values values[GT_GROUP_TIMES];
    /* What the caller knows of it besides; starts as NULL. */
    void *own;
};

struct gt_groups {
    /* Which times are kept one by one. Set before the first is added. */
    bool keep[GT_GROUP_TIMES];
    bool out_of_memory;
    struct gt_group **list;
    size_t count;
    size_t capacity;
    /* The same by name, of tsearch(3). */
    void *by_name;
};

/* Starts as all zeros. A gt_goroutine_summary_fn whose user data it is. */
void gt_groups_add(void *groups, const gt_goroutine_summary *goroutine);

/* The same; returns the group that it is in, or NULL where there is no memory. */
struct gt_group *gt_groups_put(struct gt_groups *groups, const gt_goroutine_summary *goroutine);

/*
 * The smallest value that no less than `percent` of those of a group do not exceed; the
 * values must be sorted by gt_groups_sort_values.
 */
int64_t gt_group_percentile(const struct gt_group *group, enum gt_group_time time,
                            unsigned int percent);
void gt_groups_sort_values(struct gt_groups *groups);

void gt_groups_free(struct gt_groups *groups);

#endif
