/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_FUNCGROUPS_H
#define GT_WEB_FUNCGROUPS_H

/* The times of goroutines, added up by the function with which they start. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/summary.h>

/* The times of a goroutine that are added up, in nanoseconds. */
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

/*
 * One time of each goroutine of a group, for percentiles. Empty unless gt_groups.keep is set for
 * that time.
 */
struct gt_group_values {
    int64_t *list;
    size_t capacity;
};

struct gt_group {
    /* A copy of the name of the function. It does not end in a NUL. */
    char *name;
    size_t name_size;
    /* The number of goroutines. */
    size_t count;
    int64_t sums[GT_GROUP_TIMES];
    struct gt_group_values values[GT_GROUP_TIMES];
    /* The caller's data. It starts as NULL, and is not freed. */
    void *own;
};

struct gt_groups {
    /* The times whose single values are kept. Set before the first goroutine is added. */
    bool keep[GT_GROUP_TIMES];
    bool out_of_memory;
    struct gt_group **list;
    size_t count;
    size_t capacity;
    /* The groups by name, as a tree of tsearch(3). */
    void *by_name;
};

/*
 * Adds a goroutine to its group. `groups` is a struct gt_groups, which starts as all zeros. Sets
 * its member out_of_memory if there is not enough memory. This is a gt_goroutine_summary_fn.
 */
void gt_groups_add(void *groups, const gt_goroutine_summary *goroutine);

/*
 * Does the same as gt_groups_add. Returns the group, which belongs to `groups`, or NULL if there is
 * not enough memory.
 */
struct gt_group *gt_groups_put(struct gt_groups *groups, const gt_goroutine_summary *goroutine);

/*
 * Returns the smallest of the kept values of a group that at least `percent` % of them do not
 * exceed. The values must have been sorted by gt_groups_sort_values.
 */
int64_t gt_group_percentile(const struct gt_group *group, enum gt_group_time time,
                            unsigned int percent);
void gt_groups_sort_values(struct gt_groups *groups);

void gt_groups_free(struct gt_groups *groups);

#endif
