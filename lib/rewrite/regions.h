/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_REWRITE_REGIONS_H
#define GT_REWRITE_REGIONS_H

#include <stdbool.h>

#include <gotrace/event.h>

#include "base/pool.h"
#include "base/shared_text.h"

/*
 * The open regions of the output. In a trace the region that ends must be the innermost one of its
 * goroutine, but a lenient reader also delivers ends of others. Such an end is left out: the region
 * stays open in the output until its goroutine ends, and so do those around it.
 */
struct gt_rewrite_region {
    struct gt_rewrite_region *outer;
    struct gt_shared_text *type;
    uint64_t task;
};

struct gt_rewrite_regions {
    struct gt_pool pool;
    struct gt_shared_texts types;
};

void gt_rewrite_regions_init(struct gt_rewrite_regions *regions, struct gt_mem *mem);
void gt_rewrite_regions_destroy(struct gt_rewrite_regions *regions);

/*
 * Takes the beginning or the end of a region of the goroutine whose open regions are `*list`, the
 * innermost first. Sets `*is_left_out` to whether it cannot be in the output.
 */
gt_status gt_rewrite_region_take(struct gt_rewrite_regions *regions,
                                 struct gt_rewrite_region **list, const gt_event *event,
                                 bool *is_left_out);

/* Closes all regions of a list, because their goroutine has ended. */
void gt_rewrite_regions_drop(struct gt_rewrite_regions *regions, struct gt_rewrite_region **list);

#endif
