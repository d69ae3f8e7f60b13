/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/apart.h"

#include <string.h>

#include "base/error.h"
#include "v2/merge.h"
#include "v2/spec.h"

const uint8_t gt_v2_forms[256] = {
    [GT_WIRE_GO_START] = GT_V2_FORM_START,
    [GT_WIRE_GO_STOP] = GT_V2_FORM_STOP,
    [GT_WIRE_GO_BLOCK] = GT_V2_FORM_STOP,
    [GT_WIRE_GO_DESTROY] = GT_V2_FORM_STOP,
    [GT_WIRE_GO_CREATE] = GT_V2_FORM_CREATE,
    [GT_WIRE_GO_CREATE_BLOCKED] = GT_V2_FORM_CREATE,
    [GT_WIRE_GO_UNBLOCK] = GT_V2_FORM_PLAIN,
    [GT_WIRE_GO_SYSCALL_BEGIN] = GT_V2_FORM_PLAIN,
    [GT_WIRE_GO_SYSCALL_END] = GT_V2_FORM_PLAIN,
    [GT_WIRE_USER_REGION_BEGIN] = GT_V2_FORM_PLAIN,
    [GT_WIRE_USER_REGION_END] = GT_V2_FORM_PLAIN,
    [GT_WIRE_USER_LOG] = GT_V2_FORM_PLAIN,
    [GT_WIRE_GC_SWEEP_BEGIN] = GT_V2_FORM_RANGE,
    [GT_WIRE_GC_SWEEP_END] = GT_V2_FORM_SWEPT,
    [GT_WIRE_GC_MARK_ASSIST_BEGIN] = GT_V2_FORM_RANGE,
    [GT_WIRE_GC_MARK_ASSIST_END] = GT_V2_FORM_PLAIN,
    [GT_WIRE_HEAP_ALLOC] = GT_V2_FORM_PLAIN,
    [GT_WIRE_HEAP_GOAL] = GT_V2_FORM_PLAIN,
};

void gt_v2_apart_init(struct gt_v2_apart *apart, struct gt_mem *mem, const struct gt_source *whole,
                      const struct gt_v2_extent *extent, uint32_t version)
{
    memset(apart, 0, sizeof(*apart));
    apart->error.size = sizeof(apart->error);
    apart->source = *whole;
    apart->source.cur = extent->start;
    apart->source.error = &apart->error;
    if (whole->watch) {
        gt_watch_init(&apart->watch, whole->watch->is_cancelled);
        apart->source.watch = &apart->watch;
    }
    gt_v2_init(&apart->v2, mem, &apart->source, &apart->error);
    apart->v2.version = version;
    apart->v2.is_apart = true;
}

void gt_v2_apart_destroy(struct gt_v2_apart *apart)
{
    gt_v2_destroy(&apart->v2);
}

bool gt_v2_apart_read(struct gt_v2_apart *apart)
{
    struct gt_v2 *v2 = &apart->v2;
    apart->failed = gt_v2_fill(v2, &apart->events) != GT_OK || v2->stage != GT_V2_EVENTS ||
                    v2->generations != 1 ||
                    v2->generation.threads.count > (size_t) GT_V2_RECORD_RANKS;
    return !apart->failed;
}

bool gt_v2_apart_fill(struct gt_v2_apart *apart, struct gt_v2_block *block)
{
    block->count = 0;
    if (apart->failed)
        return false;
    apart->failed = gt_v2_merge_packed(&apart->v2, &apart->events, block) != GT_OK;
    block->undecoded = apart->v2.generation.undecoded;
    return block->count != 0;
}
