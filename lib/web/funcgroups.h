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
enum group_time {
    GROUP_EXECUTION,
    GROUP_SCHED_WAIT,
    GROUP_BLOCK,
    GROUP_SYSCALL,
    GROUP_SYSCALL_BLOCK,
    GROUP_GC,
    GROUP_UNKNOWN,
    GROUP_TOTAL,
    GROUP_TIMES
};

/* A row of times, one for each goroutine; kept where percentiles are asked for. */
struct group_values {
    int64_t *list;
    size_t capacity;
};

struct group {
    char *name;
    size_t name_size;
    size_t count;
    int64_t sums[GROUP_TIMES];
    struct group_values values[GROUP_TIMES];
    /* What the caller knows of it besides; starts as NULL. */
    void *own;
};

struct groups {
    /* Which times are kept one by one. Set before the first is added. */
    bool keep[GROUP_TIMES];
    bool out_of_memory;
    struct group **list;
    size_t count;
    size_t capacity;
    /* The same by name, of tsearch(3). */
    void *by_name;
};

/* Starts as all zeros. A gt_goroutine_summary_fn whose user data it is. */
void groups_add(void *groups, const gt_goroutine_summary *goroutine);

/* The same; returns the group that it is in, or NULL where there is no memory. */
struct group *groups_put(struct groups *groups, const gt_goroutine_summary *goroutine);

/*
 * The smallest value that no less than `percent` of those of a group do not exceed; the
 * values must be sorted by groups_sort_values.
 */
int64_t group_percentile(const struct group *group, enum group_time time, unsigned int percent);
void groups_sort_values(struct groups *groups);

void groups_free(struct groups *groups);

#endif
