/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/uses.h"

void gt_uses_destroy(struct gt_uses *uses)
{
    gt_array_free(uses->mem, &uses->list);
    gt_array_free(uses->mem, &uses->newest);
}

bool gt_uses_find(struct gt_uses *uses, uint32_t name, uint32_t cls, uint32_t *number)
{
    if (gt_array_extend(uses->mem, &uses->newest, name + (size_t) 1) != GT_OK)
        return false;
    /* A name has no more uses than there are classes. */
    uint32_t *newest = &uses->newest.items[name];
    for (uint32_t use = *newest; use != 0; use = uses->list.items[use - 1].next) {
        if (uses->list.items[use - 1].cls == cls) {
            *number = use - 1;
            return true;
        }
    }
    *number = (uint32_t) uses->list.count;
    struct gt_uses_item *item =
        *number < UINT32_MAX - 1 ? gt_array_push(uses->mem, &uses->list) : NULL;
    if (!item)
        return false;
    *item = (struct gt_uses_item){name, cls, *newest, 0};
    *newest = *number + 1;
    return true;
}
