/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/regions.h"

#include "base/text.h"

enum {
    /* The number of unused types to keep, because few different ones recur. */
    SPARE_REGION_TYPES = 64
};

void gt_rewrite_regions_init(struct gt_rewrite_regions *regions, struct gt_mem *mem)
{
    gt_pool_init(&regions->pool, mem, sizeof(struct gt_rewrite_region));
    gt_shared_texts_init(&regions->types, mem, SPARE_REGION_TYPES);
}

void gt_rewrite_regions_destroy(struct gt_rewrite_regions *regions)
{
    gt_pool_destroy(&regions->pool);
    gt_shared_texts_destroy(&regions->types);
}

static void region_close(struct gt_rewrite_regions *regions, struct gt_rewrite_region **list)
{
    struct gt_rewrite_region *region = *list;
    *list = region->outer;
    gt_shared_text_drop(&regions->types, region->type);
    gt_pool_give(&regions->pool, region);
}

static gt_status region_open(struct gt_rewrite_regions *regions, struct gt_rewrite_region **list,
                             const gt_region *what)
{
    struct gt_rewrite_region *region = gt_pool_take(&regions->pool);
    if (!region)
        return gt_mem_failure(regions->pool.mem);
    *region = (struct gt_rewrite_region){.outer = *list, .task = what->task};
    *list = region;
    region->type = gt_shared_text_get(&regions->types, what->type);
    return region->type ? GT_OK : gt_mem_failure(regions->pool.mem);
}

gt_status gt_rewrite_region_take(struct gt_rewrite_regions *regions,
                                 struct gt_rewrite_region **list, const gt_event *event,
                                 bool *is_left_out)
{
    gt_region what = GT_REGION_INIT;
    gt_status status = gt_event_region(event, &what);
    if (status != GT_OK || event->kind == GT_EVENT_REGION_BEGIN)
        return status == GT_OK ? region_open(regions, list, &what) : status;
    const struct gt_rewrite_region *inner = *list;
    if (!inner)
        return GT_OK;
    if (inner->task == what.task && gt_text_equal(inner->type->string, what.type))
        region_close(regions, list);
    else
        *is_left_out = true;
    return GT_OK;
}

void gt_rewrite_regions_drop(struct gt_rewrite_regions *regions, struct gt_rewrite_region **list)
{
    while (*list)
        region_close(regions, list);
}
