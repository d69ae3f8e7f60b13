/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GROUPS_H
#define GROUPS_H

/* Goroutines grouped by their start function. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/summary.h>

/* The times that are summed up over the goroutines of a group, in nanoseconds. */
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

/* The times of each goroutine; kept only if the user asks for percentiles. */
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
    /* The key by which the caller sorts the groups. */
    int64_t key;
};

struct groups {
    /* Which times are kept for percentiles. Set before the first goroutine is added. */
    bool keep[GROUP_TIMES];
    bool out_of_memory;
    struct group **list;
    size_t count;
    size_t capacity;
    /* The same groups in a tree by name, of tsearch(3). */
    void *by_name;
};

/* A gt_goroutine_summary_fn that adds a goroutine to `user_data`, a struct groups. Zeros are empty.
 */
void groups_add(void *user_data, const gt_goroutine_summary *goroutine);

/*
 * The smallest time of a group that at least `percent` % of its times do not exceed. The times
 * must have been sorted by groups_sort_values.
 */
int64_t group_percentile(const struct group *group, enum group_time time, unsigned int percent);
void groups_sort_values(struct groups *groups);

/* Compares groups by name, as qsort(3) wants it. */
int group_compare_names(const void *a, const void *b);

void groups_free(struct groups *groups);

#endif
