/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/quick.h"

struct gt_varint gt_v1_varint_long(const uint8_t *p)
{
    uint64_t value = gt_varint_trusted(&p);
    return (struct gt_varint){p, value};
}

struct gt_v1_goroutine *gt_v1_goroutine_recent_slow(struct gt_v1 *v1, uint64_t id)
{
    struct gt_v1_goroutine *goroutine = gt_v1_goroutine_find(v1, id);
    if (!goroutine)
        return &v1->state.no_goroutine;
    return v1->state.recent[id % GT_V1_RECENT] = goroutine;
}
