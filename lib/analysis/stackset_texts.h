/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_STACKSET_TEXTS_H
#define GT_ANALYSIS_STACKSET_TEXTS_H

#include <gotrace/types.h>

#include "analysis/stackset_index.h"

/*
 * Copies of texts, numbered from 0 as they come, each there once. They stay where they
 * are. Number 0 is the empty one.
 */
struct gt_stackset_texts {
    struct gt_mem *mem;
    uint64_t secret;
    gt_string *list;
    size_t count;
    size_t capacity;
    struct gt_stackset_index index;
    struct gt_stackset_block *blocks;
    char *fresh;
    size_t fresh_left;
};

gt_status gt_stackset_texts_init(struct gt_stackset_texts *texts, struct gt_mem *mem);
void gt_stackset_texts_destroy(struct gt_stackset_texts *texts);

/* The number of `text`. */
gt_status gt_stackset_texts_number(struct gt_stackset_texts *texts, gt_string text,
                                   uint32_t *number);

#endif
