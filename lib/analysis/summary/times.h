/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_SUMMARY_TIMES_H
#define GT_ANALYSIS_SUMMARY_TIMES_H

#include <stdint.h>

#include <gotrace/summary.h>

#include "base/pool.h"
#include "base/shared_text.h"
#include "base/time.h"

enum {
    GT_TIME_SIZES = 4
};

/* Times by name, sorted by the bytes of the names. */
struct gt_time_list {
    gt_summary_time *list;
    uint32_t count;
    uint32_t size; /* the index of the pool that `list` is from */
};

/* The lists of a gt_summary_times, which shows them once they are final. */
struct gt_time_lists {
    struct gt_time_list blocks;
    struct gt_time_list ranges;
};

/* Lists come in a few sizes, so that the memory of freed ones is used again. */
struct gt_time_pools {
    struct gt_mem *mem;
    struct gt_pool sizes[GT_TIME_SIZES];
};

void gt_time_pools_init(struct gt_time_pools *pools, struct gt_mem *mem);
void gt_time_pools_destroy(struct gt_time_pools *pools);

/* Adds `time` to the time of `name`. There are at most GT_SUMMARY_MAX_NAMES + 1 names. */
gt_status gt_time_add(struct gt_time_pools *pools, struct gt_time_list *list,
                      const struct gt_shared_text *name, int64_t time);

/* Subtracts `from` from `to`. Names that are in `from` only do not count. */
void gt_times_subtract(gt_summary_times *to, struct gt_time_lists *to_lists,
                       const gt_summary_times *from, const struct gt_time_lists *from_lists);

/* Copies both lists. The caller must free the copy, also after a failure. */
gt_status gt_time_lists_copy(struct gt_time_pools *pools, struct gt_time_lists *to,
                             const struct gt_time_lists *from);
void gt_time_lists_free(struct gt_time_pools *pools, struct gt_time_lists *lists);

/* Shows the lists in `times` and sets what follows from them: their sum and the unknown time. */
void gt_times_publish(gt_summary_times *times, const struct gt_time_lists *lists);

#endif
