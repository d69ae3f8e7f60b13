/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_SUMMARY_MEMBERS_H
#define GT_ANALYSIS_SUMMARY_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/index.h"

/* A goroutine that belongs to a task. */
struct gt_member {
    uint64_t task;
    int64_t goroutine;
};

/* A set of such pairs. */
struct gt_members {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_member) list; /* in no order */
    struct gt_index index;
    uint64_t secret;
};

void gt_members_init(struct gt_members *members, struct gt_mem *mem);
void gt_members_destroy(struct gt_members *members);

/* Adds a pair. Sets `*added` to whether it was not in the set before. */
gt_status gt_members_add(struct gt_members *members, struct gt_member member, bool *added);

/* Removes a pair if it is in the set. */
void gt_members_remove(struct gt_members *members, struct gt_member member);

#endif
