/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_SUMMARY_MEMBERS_H
#define GT_ANALYSIS_SUMMARY_MEMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* A goroutine of a task. */
struct gt_member {
    uint64_t task;
    int64_t goroutine;
};

/* A set of them. */
struct gt_members {
    struct gt_mem *mem;
    struct gt_member *slots;
    unsigned char *taken; /* which slots are */
    size_t mask;          /* slots - 1, a power of two less one; 0 where there are none */
    size_t count;
    uint64_t secret;
};

void gt_members_init(struct gt_members *members, struct gt_mem *mem);
void gt_members_destroy(struct gt_members *members);

/* Sets `*added` to whether it was not there before. */
gt_status gt_members_add(struct gt_members *members, struct gt_member member, int *added);
void gt_members_remove(struct gt_members *members, struct gt_member member);

#endif
