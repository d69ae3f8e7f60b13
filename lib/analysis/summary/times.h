/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_SUMMARY_TIMES_H
#define GT_ANALYSIS_SUMMARY_TIMES_H

#include <stdint.h>

#include <gotrace/summary.h>

#include "base/pool.h"
#include "base/shared_text.h"
#include "base/wraps.h"

enum {
    GT_TIME_SIZES = 4
};

/* Times by name, in the order of the names' bytes. */
struct gt_time_list {
    gt_summary_time *list;
    uint32_t count;
    uint32_t size; /* which of the pools it is from, while there is one */
};

/* What times are made of: the public ones get their lists from the others when they are done. */
struct gt_timing {
    struct gt_time_list blocks;
    struct gt_time_list ranges;
};

/* Lists come in few sizes, so that those of what is dropped serve again. */
struct gt_time_pools {
    struct gt_mem *mem;
    struct gt_pool sizes[GT_TIME_SIZES];
};

void gt_time_pools_init(struct gt_time_pools *pools, struct gt_mem *mem);
void gt_time_pools_destroy(struct gt_time_pools *pools);

/* Adds `time` to that of `name`, which is one of at most GT_SUMMARY_MAX_NAMES and one more. */
gt_status gt_time_add(struct gt_time_pools *pools, struct gt_time_list *list,
                      const struct gt_shared_text *name, int64_t time);

/* The times add up as `to` - `from`; what `to` lacks does not count. */
void gt_times_subtract(gt_summary_times *to, struct gt_timing *to_lists,
                       const gt_summary_times *from, const struct gt_timing *from_lists);

/* `to` gets lists of its own. On failure they may be there in part. */
gt_status gt_timing_copy(struct gt_time_pools *pools, struct gt_timing *to,
                         const struct gt_timing *from);
void gt_timing_free(struct gt_time_pools *pools, struct gt_timing *lists);

/* Sets what follows from the rest: the lists, their sum and the unknown time. */
void gt_times_publish(gt_summary_times *times, const struct gt_timing *lists);

#endif
