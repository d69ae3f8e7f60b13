/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VALIDATE_KEPT_H
#define GT_VALIDATE_KEPT_H

#include <stddef.h>

#include <gotrace/types.h>

#include "base/mem.h"

enum {
    /* Longer than the names of ranges, and than most that programs give to tasks. */
    GT_KEPT_SMALL = 48
};

/* A copy of a text of the trace, which outlives its generation. */
struct gt_kept {
    size_t size;
    struct gt_kept_block *block; /* where it is, if longer than `small` */
    char small[GT_KEPT_SMALL];
};

/* Those of a validator that are long, so that they can be freed all at once. */
struct gt_kept_list {
    struct gt_mem *mem;
    struct gt_kept_block *first;
};

gt_status gt_kept_set(struct gt_kept_list *list, struct gt_kept *kept, gt_string text);
void gt_kept_free(struct gt_kept_list *list, struct gt_kept *kept);
void gt_kept_free_all(struct gt_kept_list *list);

/* Good for as long as `kept` is, and stays where it is. */
gt_string gt_kept_text(const struct gt_kept *kept);

int gt_kept_is(const struct gt_kept *kept, gt_string text);

#endif
