/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_RANKING_H
#define GT_WEB_RANKING_H

/*
 * The first few of many by a number: holds only as many as are asked for. Of those that
 * are equal what was added before comes first.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gt_ranked {
    int64_t key;
    /* Which one it was, counted from 0. */
    uint64_t number;
    /* What the caller knows it by. */
    uint64_t what;
};

struct gt_ranking {
    struct gt_ranked *list;
    size_t count, capacity, wanted;
    bool largest_first;
    /* How many were added. */
    uint64_t total;
};

/* To find the first `wanted`, at least one. */
void gt_ranking_init(struct gt_ranking *ranking, size_t wanted, bool largest_first);

/* False where there is no memory. */
bool gt_ranking_add(struct gt_ranking *ranking, int64_t key, uint64_t what);

/* The list is in order then, and nothing more can be added. */
void gt_ranking_finish(struct gt_ranking *ranking);

void gt_ranking_free(struct gt_ranking *ranking);

#endif
